#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 30
# The canary: the test harness can fail; it catches each broken producer.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"

producer() { # NAME, script on stdin
	{
		echo '#!/bin/sh'
		cat
	} >"$TMP/$1"
	chmod +x "$TMP/$1"
}

jobs=1
verdict() { # CLOSING-LINE STATUS NAME PRODUCER...: the expected result of the runner
	local want=$1 code=$2 name=$3
	shift 3
	run "$TOP/tests/lib/runner" -j "$jobs" -t 1 -l "$TMP/logs" "$@"
	is "$(tail -n 1 "$TMP/out"); $status" "$want; $code" "$name"
}

producer good <<<'echo 1..2; echo ok 1 - a; echo ok 2 - b'
producer failing <<<'echo 1..2; echo ok 1; echo "not ok 2 - broken"; echo "# got 3"; exit 1'
producer short_plan <<<'echo 1..1; echo ok 1; echo ok 2'
producer long_plan <<<'echo 1..3; echo ok 1; echo ok 2'
producer no_plan <<<'echo ok 1'
producer two_plans <<<'echo 1..1; echo ok 1; echo 1..1'
producer crash <<<'echo 1..1; echo ok 1; kill -SEGV $$'
producer crash_early <<<'kill -ABRT $$'
producer hang <<<'echo 1..1; echo ok 1; exec sleep 60'
producer stubborn <<<'trap "" TERM; echo 1..1; while :; do sleep 1; done'
producer spin <<<'echo 1..1; echo ok 1; while :; do :; done'
producer status <<<'echo 1..1; echo ok 1; exit 3'
producer status_after_plan <<<'echo 1..1; exit 1'
producer empty <<<':'
producer zero <<<'echo 1..0'
producer twice <<<'echo 1..2; echo ok 1; echo ok 1'
producer bail <<<'echo 1..1; echo ok 1; echo "Bail out! no disk"'
producer some_skip <<<'echo 1..3; echo ok 1; echo "ok 2 # SKIP no tmux"; echo ok 3 - c'
producer unit_skip <<<'echo 1..2; echo "# not tested: no pids"; echo "ok 1 - a: Passed"; echo ok 2'
producer all_skip <<<'echo "1..0 # SKIP needs root"'
producer talk <<<'echo "# hello"; echo 1..1; echo "ok 1 - a"; echo okay then; echo noise >&2'

verdict '100%: Checks: 2, Failures: 0, Errors: 0, Skipped: 0' 0 'good passes' "$TMP/good"
verdict '50%: Checks: 2, Failures: 1, Errors: 0, Skipped: 0' 1 'a failed test fails' "$TMP/failing"
like "$out" 'not ok 2 - broken.*# got 3' 'the failed test and its diagnostic are shown'
verdict '66%: Checks: 3, Failures: 0, Errors: 1, Skipped: 0' 1 'more tests than planned' "$TMP/short_plan"
verdict '66%: Checks: 3, Failures: 0, Errors: 1, Skipped: 0' 1 'fewer tests than planned' "$TMP/long_plan"
verdict '50%: Checks: 2, Failures: 0, Errors: 1, Skipped: 0' 1 'no plan' "$TMP/no_plan"
verdict '50%: Checks: 2, Failures: 0, Errors: 1, Skipped: 0' 1 'two plans' "$TMP/two_plans"
verdict '50%: Checks: 2, Failures: 0, Errors: 1, Skipped: 0' 1 'crash after the tests' "$TMP/crash"
like "$out" 'ERROR: killed by signal 11' 'the signal is reported'
verdict '0%: Checks: 1, Failures: 0, Errors: 1, Skipped: 0' 1 'crash at once' "$TMP/crash_early"
verdict '50%: Checks: 2, Failures: 0, Errors: 1, Skipped: 0' 1 'a hang' "$TMP/hang"
like "$out" 'ERROR: over its time limit of 5 s' 'the hang is reported'
verdict '0%: Checks: 1, Failures: 0, Errors: 1, Skipped: 0' 1 'a hang that ignores SIGTERM' "$TMP/stubborn"
verdict '50%: Checks: 2, Failures: 0, Errors: 1, Skipped: 0' 1 'a loop' "$TMP/spin"
# On a busy machine the limit of elapsed time can be reached first.
like "$out" 'ERROR: over its (limit of 1 s of CPU time|time limit of 5 s)' 'it ends at its limit'
verdict '50%: Checks: 2, Failures: 0, Errors: 1, Skipped: 0' 1 'nonzero exit, all tests ok' "$TMP/status"
verdict '0%: Checks: 1, Failures: 0, Errors: 1, Skipped: 0' 1 'exit after the plan' "$TMP/status_after_plan"
verdict '0%: Checks: 1, Failures: 0, Errors: 1, Skipped: 0' 1 'no output at all' "$TMP/empty"
verdict '0%: Checks: 1, Failures: 0, Errors: 1, Skipped: 0' 1 'a plan of zero' "$TMP/zero"
verdict '66%: Checks: 3, Failures: 0, Errors: 1, Skipped: 0' 1 'a number twice' "$TMP/twice"
verdict '50%: Checks: 2, Failures: 0, Errors: 1, Skipped: 0' 1 'bail out' "$TMP/bail"
verdict '0%: Checks: 1, Failures: 0, Errors: 1, Skipped: 0' 1 'a producer that is not there' "$TMP/nosuch"
verdict '0%: Checks: 0, Failures: 0, Errors: 0, Skipped: 0' 1 'nothing to run'
verdict '0%: Checks: 0, Failures: 0, Errors: 0, Skipped: 1' 1 'only skips is not a pass' "$TMP/all_skip"
verdict '100%: Checks: 2, Failures: 0, Errors: 0, Skipped: 1' 0 'a skip is no check' "$TMP/some_skip"
like "$out" 'Skipped:
    [^ ]*some_skip: no tmux' 'the reason of a skip is listed'
verdict '100%: Checks: 1, Failures: 0, Errors: 0, Skipped: 1' 0 'a unit test that says that it is skipped' "$TMP/unit_skip"
like "$out" 'Skipped:
    [^ ]*unit_skip: no pids' 'with its reason'
verdict '100%: Checks: 1, Failures: 0, Errors: 0, Skipped: 0' 0 'other output is ignored' "$TMP/talk"
verdict '62%: Checks: 8, Failures: 1, Errors: 2, Skipped: 1' 1 'all together' \
	"$TMP/good" "$TMP/failing" "$TMP/no_plan" "$TMP/status" "$TMP/all_skip"
is "$(sed '1,/^Failed:/d; /%/d; s/^    [^ ]*-//' "$TMP/out")" \
	$'failing: not ok 2 - broken\nno_plan: no plan (exit status 0)\nstatus: exit status 3 though no test failed' \
	'what failed is listed at the end'
ok 'a log of each producer is kept' test -s "$TMP/logs/${TMP##*/}-failing.log"

# Several at a time: the same verdicts, no report is mixed with another or missing.
jobs=3
verdict '100%: Checks: 2, Failures: 0, Errors: 0, Skipped: 0' 0 '-j: good passes' "$TMP/good"
verdict '50%: Checks: 2, Failures: 1, Errors: 0, Skipped: 0' 1 '-j: a failed test fails' "$TMP/failing"
verdict '0%: Checks: 1, Failures: 0, Errors: 1, Skipped: 0' 1 '-j: a producer that is not there' "$TMP/nosuch"
verdict '0%: Checks: 0, Failures: 0, Errors: 0, Skipped: 0' 1 '-j: nothing to run'
verdict '60%: Checks: 15, Failures: 1, Errors: 5, Skipped: 2' 1 '-j: all together' "$TMP/good" "$TMP/hang" \
	"$TMP/failing" "$TMP/stubborn" "$TMP/no_plan" "$TMP/crash" "$TMP/status" "$TMP/some_skip" "$TMP/all_skip"
like "$out" $'failing +1 passed, 1 failed[^\n]*\n    not ok 2 - broken\n    # got 3\n' '-j: a report stays whole'

# "# quiet": alone, after the others.  Each producer records its begin and end.
for name in a b c measures; do
	{
		[ "$name" != measures ] || echo '# quiet'
		echo "echo $name >>$TMP/order; sleep 0.3; echo $name >>$TMP/order; echo 1..1; echo ok 1"
	} >"$TMP/$name.sh"
done
verdict '100%: Checks: 4, Failures: 0, Errors: 0, Skipped: 0' 0 '-j: with one that measures' \
	"$TMP/measures.sh" "$TMP/a.sh" "$TMP/b.sh" "$TMP/c.sh"
is "$(tail -n 2 "$TMP/order" | tr '\n' ' ')" 'measures measures ' '"# quiet" runs alone, after the others'
is "$(head -n 2 "$TMP/order" | sort -u | wc -l)" 2 'the others run at the same time'

# "# seconds": the longest first.  "# heavy": no more at once than CPUs.
rm -f "$TMP/order"
for name in 3 20 1; do
	printf '# seconds: %s\necho %s >>%s; echo 1..1; echo ok 1; sleep 0.3\n' "$name" "$name" "$TMP/order" >"$TMP/s$name.sh"
done
jobs=2
verdict '100%: Checks: 3, Failures: 0, Errors: 0, Skipped: 0' 0 'scripts that say how long they take' \
	"$TMP/s3.sh" "$TMP/s1.sh" "$TMP/s20.sh"
is "$(tail -n 1 "$TMP/order")" 1 'the longest ones start first'
cpus=$(getconf _NPROCESSORS_ONLN)
heavies=()
for ((i = 0; i < 2 * cpus; i++)); do
	printf '# heavy\nmkdir %s/at.%s; ls -d %s/at.* | wc -l >>%s/at-once; sleep 0.2; rmdir %s/at.%s; echo 1..1; echo ok 1\n' \
		"$TMP" $i "$TMP" "$TMP" "$TMP" $i >"$TMP/heavy$i.sh"
	heavies+=("$TMP/heavy$i.sh")
done
jobs=$((4 * cpus))
verdict "100%: Checks: $((2 * cpus)), Failures: 0, Errors: 0, Skipped: 0" 0 'heavy scripts' "${heavies[@]}"
is "$(sort -n "$TMP/at-once" | tail -n 1)" "$cpus" 'as many heavy scripts at once as there are CPUs'
jobs=3

# "# live": a script that fails runs once more, alone; more than two that pass only then fail the run.
for name in l1 l2 l3 dead; do # they fail at the first run only
	printf '# live\necho 1..2; echo ok 1; if [ -e %s ]; then echo ok 2; else touch %s; %s; fi\n' "$TMP/$name.ran" "$TMP/$name.ran" \
		"$([ $name = dead ] && echo 'kill -KILL $$' || echo 'echo "not ok 2 - seen too late"')" >"$TMP/$name.sh"
done
printf '# live\necho 1..1; echo "not ok 1 - broken"\n' >"$TMP/broken.sh"
sed 1d "$TMP/broken.sh" >"$TMP/dull.sh"
verdict '100%: Checks: 4, Failures: 0, Errors: 0, Skipped: 0' 0 'a live script that passes at the second run' "$TMP/l1.sh" "$TMP/good"
name=${TMP##*/}-l1
like "$out" $'\nUnsteady:\n'"    $name: not ok 2 - seen too late"$'\n' 'it is listed with the check that failed first'
is "$(cat "$TMP/logs/unsteady")" "$name: not ok 2 - seen too late" 'also in a file'
verdict '0%: Checks: 1, Failures: 1, Errors: 0, Skipped: 0' 1 'a live script that fails twice counts once' "$TMP/broken.sh"
unlike "$out" 'Unsteady' 'and is not unsteady'
is "$(sed -n '/^Failed/,$p' "$TMP/out" | wc -l)" 3 'and is listed once as failed'
is "$(grep -c '^    not ok 1 - broken' "$TMP/out")" 2 'both of its reports are shown'
verdict '0%: Checks: 1, Failures: 1, Errors: 0, Skipped: 0' 1 'a script that is not live has no second run' "$TMP/dull.sh"
is "$(grep -c '^    not ok 1 - broken' "$TMP/out")" 1 'and one report'
verdict '100%: Checks: 2, Failures: 0, Errors: 0, Skipped: 0' 0 'a live script that was killed' "$TMP/dead.sh"
like "$out" 'ERROR: killed by signal 9' 'the signal is named'
rm -f "$TMP"/*.ran
verdict '66%: Checks: 9, Failures: 3, Errors: 0, Skipped: 0' 1 'three unsteady scripts are too many' "$TMP/l1.sh" "$TMP/l2.sh" "$TMP/l3.sh"
is "$(sed '1,/^Failed:/d; /%/d' "$TMP/out" | grep -c 'not ok 2 - seen too late$')" 3 'and each is listed as failed'
rm -f "$TMP"/*.ran
verdict '100%: Checks: 4, Failures: 0, Errors: 0, Skipped: 0' 0 'two are not' "$TMP/l1.sh" "$TMP/l2.sh"
is "$(wc -l <"$TMP/logs/unsteady")" 2 'and both are listed'

# The runner can be ended.
producer slow <<<'echo 1..1; while :; do sleep 0.1; done'
bg "$TOP/tests/lib/runner" -j 2 -l "$TMP/logs2" "$TMP/slow" >"$TMP/out"
wait_for test -s "$TMP/logs2/${TMP##*/}-slow.log"
kill -TERM "$bg_pid"
reap "$bg_pid"
is "$status" 130 'the runner can be ended'
no_slow() { ! grep -lzxF "$TMP/slow" /proc/[0-9]*/cmdline; }
ok 'and its producers with it' wait_for no_slow

# The sum of several runs.
echo '90%: Checks: 10, Failures: 1, Errors: 0, Skipped: 3' >"$TMP/one"
printf 'x\n100%%: Checks: 5, Failures: 0, Errors: 0, Skipped: 1\n' >"$TMP/two"
sum() { # WANT NAME LOG...
	run "$TOP/tests/lib/runner" -s "${@:3}"
	is "$out; $status" "$1" "$2"
}
sum '93%: Checks: 15, Failures: 1, Errors: 0, Skipped: 4; 1' 'the sum of two runs' "$TMP/one" "$TMP/two"
printf '    l\nFailed:\n    p: not ok 3 - x\n    q: no plan\n90%%: Checks: 10, Failures: 1, Errors: 1, Skipped: 0\n    m\n' >"$TMP/three"
sum $'Failed:\n    p: not ok 3 - x\n    q: no plan\n86%: Checks: 15, Failures: 1, Errors: 1, Skipped: 1; 1' \
	'and what failed in them' "$TMP/two" "$TMP/three"
sum '100%: Checks: 5, Failures: 0, Errors: 0, Skipped: 1; 0' 'the sum of one' "$TMP/two"
sum '83%: Checks: 6, Failures: 0, Errors: 1, Skipped: 1; 1' 'a run without a closing line is an error' "$TMP/two" "$TMP/good"

# The environment of the tests is the same on every machine.
producer surroundings <<<'echo 1..1; [ "$LC_ALL $TZ $TERM ${COLUMNS-none}" = "C.UTF-8 UTC dumb none" ] && echo ok 1'
export LC_ALL=POSIX TZ=Asia/Tokyo TERM=vt52 COLUMNS=30
verdict '100%: Checks: 1, Failures: 0, Errors: 0, Skipped: 0' 0 'locale, time zone and terminal are set' "$TMP/surroundings"
export LC_ALL=C.UTF-8

# The library of the scripts: each assertion can fail, and a failure changes the exit status.
lib_case() { # WANTED-FAILURES NAME, test body on stdin
	{
		printf '. "%s/tests/lib/tap.sh"\n' "$TOP"
		cat
		echo done_testing
	} >"$TMP/case.sh"
	run bash "$TMP/case.sh"
	is "$(grep -c '^not ok' "$TMP/out"); $status" "$1; $(($1 > 0))" "$2"
}
lib_case 1 'ok can fail' <<<'ok x false'
lib_case 1 'ok fails when the program is missing' <<<'ok x /nonexistent/program'
lib_case 1 'is can fail' <<<'is a b x; is a a y'
lib_case 2 'like and unlike can fail' <<<'like abc "^b" x; unlike abc b y'
lib_case 2 'num can fail' <<<'num 3 -lt 2 x; num "" -eq 0 y; num 2 -eq 2 z'
lib_case 1 'expect_exit can fail' <<<'run sh -c "exit 3"; expect_exit 3; expect_exit 1'
lib_case 2 'expect checks status and message' <<<'expect x 0 "" false; expect y 1 "" sh -c "echo m >&2; exit 1"'
lib_case 1 'a missing program is not the failure that was expected' <<<'expect x 2 "" /nonexistent'
lib_case 1 'wait_for ends' <<<'ok x wait_for -t 1 false; ok y wait_for true'
lib_case 0 'run keeps stdout, stderr and status' \
	<<<'run sh -c "echo a; echo b >&2; exit 7"; is "$out-$err-$status" a-b-7 x'
lib_case 0 'a background program that still runs is killed at the end' <<<"bg sleep 987654; echo \$bg_pid >$TMP/left; pass x"
ok 'it is gone' wait_for has_exited "$(cat "$TMP/left")"

# The number of a program that was reaped belongs to a stranger: it lives.  In a new pid namespace, where the next
# number can be chosen.
cat >"$TMP/stranger.sh" <<END
. "$TOP/tests/lib/tap.sh"
bg true
reap "\$bg_pid"
wanted=\$bg_pid
(trap '' TERM; echo \$((wanted - 1)) >/proc/sys/kernel/ns_last_pid
setsid sleep 60 & echo \$! >"$TMP/stranger.pid")
is "\$(cat "$TMP/stranger.pid")" "\$wanted" 'the number was given away'
done_testing
END
if unshare -pf --mount-proc test -w /proc/sys/kernel/ns_last_pid 2>/dev/null; then
	run unshare -pf --mount-proc bash -c "bash $TMP/stranger.sh; read -r s <$TMP/stranger.pid; kill -0 \$s && echo alive"
	is "$out" $'ok 1 - the number was given away\n1..1\nalive' 'a stranger with the number of a reaped program is not killed'
else
	skip 'needs a pid namespace of its own'
fi
done_testing
