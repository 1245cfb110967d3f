#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# seconds: 10
# powerstat with a COMMAND, with samples that do not count, and with process events.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need
chmod 777 "$TMP"

# --- COMMAND ---
# Its own clock: when it began and ended
own() { echo "date +%s.%N >'$TMP/$1.begin'; $2; date +%s.%N >'$TMP/$1.end'"; } # NAME COMMANDS
# NAME SECONDS: at least the time of its own clock, and not more than that of all readings
of_own_clock() {
	ok "$1: $2 seconds contain those of its own clock" awk -v s="$2" -v all="$(lab_seconds)" -v b="$(cat "$TMP/$1.begin")" -v e="$(cat "$TMP/$1.end")" \
		'BEGIN { print "# own " e - b " s, all readings " all " s"; exit !(s >= e - b - 0.001 && s <= all) }'
}
# The last run in mono_ns of JSON: begin and end by the readings of the counter, since the machine's start.  A reading can be late
# on a busy machine.
span_read() {
	local start to
	start=$(awk 'NR == 1 { printf "%.9f", $2 / 1e9 }' "$lab_log")
	to=$(of_samples .mono_ns | jq '.[-1] / 1e9')
	from=$(awk -v t="$(lab_nearest intel-rapl:0/energy_uj "$(jq -n "$to - $(of_summary .span_s)")")" -v s="$start" 'BEGIN { print t - s }')
	to=$(awk -v t="$(lab_nearest intel-rapl:0/energy_uj "$to")" -v s="$start" 'BEGIN { print t - s }')
	printf '%s %s\n' "$from" "$to"
}
simulate cmd rapl-square -R -D --json="$TMP/c.json" --csv="$TMP/c.csv" --timestamp=mono 0.5 -- sh -c "$(own cmd 'sleep 2.2'); echo its own line; exit 7"
simulate short rapl-one -R -j 5 -- sh -c "$(own short 'sleep 0.8')"
# The counters move each millisecond.
simulate out rapl-one -R -J -o "$TMP/table" 0.5 -- sh -c 'sleep 0.1; printf "exactly\nthis"'
simulate none rapl-one -R 1 -- /nonexistent/program
simulate killed rapl-one -R -j 0.5 -- sh -c 'kill -9 $$'
simulate counted rapl-one -R -j 0.5 2 -- sleep 30
simulate interrupted rapl-one -R -j 0.5 -- sleep 30

# 10 W, and 30 W from T = 2.5 on
printf '%s\n' 'power p steps:10@0,30@2.5' 'zone intel-rapl:0 package-0 lin @p range=262143328850' >"$TMP/step.spec"
simulate idle step -R --baseline=0.5 -j 1 -- sleep 3
simulate idlet step -R --baseline=0.5 1 -- sleep 0.6
# Each run's start is in a log of its own; the third one fails.
simulate rep rapl-square -R --repeat=4 --baseline=0.3 -j 0.5 -- sh -c "date +%s.%N >>'$TMP/rep.runs'; sleep 1.1; date +%s.%N >>'$TMP/rep.ends'"
simulate repfail rapl-one -R --repeat=5 0.5 -- sh -c "echo >>'$TMP/fail.runs'; sleep 0.2; [ \$(wc -l <'$TMP/fail.runs') -lt 3 ] || exit 7"
simulate repshort rapl-one -R -j --repeat=50 1 -- true

# 10 W, and 150 W from T = 3 on, where a rest of 30 ms follows two whole intervals.
printf '%s\n' 'power p steps:10@0,150@3' 'zone intel-rapl:0 package-0 lin @p range=262143328850' \
	'/sys/go text yes' '/sys/go from 1' >"$TMP/tail.spec"
printf '#!/bin/sh\nuntil [ -e /sys/go ]; do sleep 0.005; done\nexec "%s" "$@"\n' "$POWERSTAT" >"$TMP/later"
chmod 755 "$TMP/later"
POWERSTAT=$TMP/later simulate tail tail -R -j 1 -- sleep 2.03

take cmd 7
like "$err" 'its own line' 'the output of COMMAND, apart from the rows'
like "$out" 'Energy: [0-9.]+ Joules in [0-9.]+ seconds' 'its energy, without -J too'
seconds=$(sed -n 's/.*Energy: [0-9.]* Joules in \([0-9.]*\) seconds.*/\1/p' "$TMP/rows")
cp "$TMP/c.csv" "$TMP/rows"
true_rows 100 0.6 watts pkg_0_w=pkg-0
cp "$TMP/c.json" "$TMP/rows"
is "$seconds" "$(printf '%.1f' "$(of_summary .joules_of_s)")" 'in the text and in JSON'
of_own_clock cmd "$(of_summary .joules_of_s)"
is "$(of_summary '. as $s | [.watts_average, .stats.watts.average, .stats.pkg_0_w.average + .stats.dram_w.average] |
	map(. / ($s.joules / $s.joules_of_s) | . > 0.998 and . < 1.002)')" '[true,true,true]' \
	'the averages are energy by time, with a rest shorter than the interval'
# The truth: 45 W + 2 W for 2 s, then 5 W + 2 W, by turns from T = 0.
square='function uj(t,  n) { n = int(t / 4); t -= 4 * n; return n * 108 + (t < 2 ? 47 * t : 94 + 7 * (t - 2)) }'
read -r from to < <(span_read)
ok 'its joules are those of the machine' awk -v from="$from" -v to="$to" -v joules="$(of_summary .joules)" "$square"'
	BEGIN { want = uj(to) - uj(from); d = (joules - want) / want
		print "# " joules " J, truth " want; exit !(d < 0.01 && d > -0.01) }'
take tail 0
read -r from to < <(span_read)
ok 'the average is energy by time, with a rest of another power' awk -v from="$from" -v to="$to" -v average="$(of_summary .watts_average)" '
	function joules(t) { return 10 * t + (t > 3 ? 140 * (t - 3) : 0) }
	BEGIN { want = (joules(to) - joules(from)) / (to - from); d = average / want - 1
		print "# " average " W, truth " want; exit !(d < 0.01 && d > -0.01) }'
is "$(of_summary .stats.watts.max)" "$(of_samples 'select(.dt_s >= 0.5) | .watts' | jq max)" \
	'a short rest is not in the maximum'
take short 0
is "$(of_summary .samples)" 1 'shorter than the delay: one sample of its own length'
of_own_clock short "$(of_summary '.joules / 18')"
take out 0
is "$(cat "$TMP/rows")" $'exactly\nthis' 'its standard output is its own'
like "$(cat "$TMP/table")" 'Energy:' 'the rows in their file'
take idle 0
if lab_read_within energy_uj 1500 3; then
	between 9.9 10.1 "$(of_summary .idle_watts)" '--baseline: the power before COMMAND'
	# The simulated power is constant: only the times of the readings vary.
	is "$(of_summary '.joules_above_idle_stderr | . > 0 and . < 1.5')" true 'with a standard error'
	num "$(of_summary '.idle_of_s * 1000 | round')" -ge 400 'for the time requested'
	read -r _ to < <(span_read)
	ok 'its joules above idle are those of the machine' awk -v to="$to" -v joules="$(of_summary .joules_above_idle)" '
		BEGIN { want = 20 * (to - 2.5); d = joules - want; print "# " joules " J, truth " want
			exit !(want > 5 && d < want / 20 && d > -want / 20) }'
fi
take idlet 0
like "$out" 'Above idle: -?[0-9.]+ Joules, standard error [0-9]+\.[0-9]{3} \(idle: (9\.9|10\.0)[0-9] Watts over [0-9.]+ seconds before the command\)' 'and in the text'
expect '--baseline without a COMMAND' 2 "powerstat: --baseline needs a COMMAND
Try 'powerstat --help' for more information." "$POWERSTAT" -R --baseline=1 1 2
run "$POWERSTAT" -R --baseline=0.01 1 2
expect_exit 2 '--baseline: too short'
take rep 0
of_runs() { jqs "map(select(.type == \"run\")) | $1"; }
is "$(of_runs 'map(.run)') $(wc -l <"$TMP/rep.runs")" '[1,2,3,4] 4' '--repeat: COMMAND ran so often, by its own log'
# A run begins after the end of the one before, and ends before the next one begins.
ok 'the seconds of each run are those of its own log' awk '
	FILENAME ~ /runs$/ { start[FNR] = $1 } FILENAME ~ /ends$/ { end[FNR] = $1; own[FNR] = $1 - start[FNR] }
	FILENAME == "-" { got[++n] = $1; print "# " $1 " s, own log " own[n]; if ($1 < own[n]) bad = 1 }
	END { for (i = 2; i < n; i++) if (got[i] > start[i + 1] - end[i - 1]) bad = 1
		exit bad || n != 4 }' "$TMP/rep.runs" "$TMP/rep.ends" - < <(of_runs 'map(.seconds)[]' | tr , '\n')
# The samples follow one another, so that a run's energy begins where that of the run before ends: at a reading of the
# counter, which can be late on a busy machine.
runs_read() {
	local t joules watts start
	start=$(awk 'NR == 1 { printf "%.9f", $2 / 1e9 }' "$lab_log")
	t=$(of_samples '.mono_ns / 1e9 - .dt_s' | jq '.[0]')
	echo 0 "$(awk -v t="$(lab_nearest intel-rapl:0/energy_uj "$t")" -v s="$start" 'BEGIN { print t - s }')"
	while read -r joules watts; do
		t=$(awk -v t="$t" -v j="$joules" -v w="$watts" 'BEGIN { printf "%.9f", t + j / w }')
		echo "$joules $(awk -v t="$(lab_nearest intel-rapl:0/energy_uj "$t")" -v s="$start" 'BEGIN { print t - s }')"
	done < <(of_runs 'map("\(.joules) \(.watts)")[]' | tr -d '"')
}
ok 'the joules of each run, and their mean, are those of the machine' awk -v mean="$(of_summary .repeat.joules.mean)" "$square"'
	NR > 1 { want = uj($2) - uj(t); sum += want; d = $1 - want
		print "# " $1 " J, truth " want; if (d > 0.2 + want / 100 || d < -0.2 - want / 100) bad = 1 }
	{ t = $2 }
	END { d = mean * (NR - 1) / sum - 1; print "# mean " mean " J, truth " sum / (NR - 1)
		exit bad || NR != 5 || d > 0.01 || d < -0.01 }' < <(runs_read)
is "$(jqs '(map(select(.type == "run"))) as $runs | map(select(.type == "summary"))[0] as $s |
	["joules", "seconds", "watts", "joules_above_idle"] | map(. as $k | ($runs | map(.[$k])) as $v | ($v | add / length) as $m |
		[$s.repeat[$k].mean - $m, $s.repeat[$k].stddev - ($v | map(. - $m | . * .) | add / (length - 1) | sqrt)] |
		map(. < 1e-5 and . > -1e-5) | all) + [$s.repeat.runs == 4] | all')" true 'mean and standard deviation are those of the runs'
is "$(jqs '(map(select(.type == "summary"))[0].idle_watts) as $w | map(select(.type == "run") |
	.joules_above_idle - (.joules - $w * .joules / .watts) | . < 1e-3 and . > -1e-3) | all')" true 'with --baseline: above idle, too'
take repshort 0
is "$(jqs 'map(select(.type == "run" and .joules)) | length') $(of_summary '.repeat.joules.mean * 50 - .joules | . < 1e-3 and . > -1e-3')" \
	'50 true' 'runs shorter than the step of a counter: each has its joules, and none is lost'
take repfail 7
is "$(wc -l <"$TMP/fail.runs")" 3 'a run that fails ends the repetition'
like "$out" $'--- Run 3: [0-9.]+ seconds, [0-9.]+ Joules, 1[78]\\.[0-9]+ Watts, exit status 7 ---' 'it is reported'
like "$out" $'\nRuns: 2, mean \\+- standard deviation: [0-9.]+ \\+- [0-9.]+ seconds, [0-9.]+ \\+- [0-9.]+ Joules, 1[78]\\.' \
	'but is not in the mean'
expect '--repeat without a COMMAND' 2 "powerstat: --repeat needs a COMMAND
Try 'powerstat --help' for more information." "$POWERSTAT" -R --repeat=2 1 2
run "$POWERSTAT" -R --repeat=0 -- true
expect_exit 2 '--repeat: no run'
take none 127
like "$err" '/nonexistent/program' 'a COMMAND that is not there: named'
take killed 137
take counted 0
is "$(sample_count)" 2 'the count ends it before COMMAND'
rows_of interrupted 2
kill -INT "${run_pid[interrupted]}"
reap "${run_pid[interrupted]}"
use interrupted
like "$status" '^(0|130)$' "interrupted with a COMMAND: $status"
is "$(jqs '.[-1].type')" '"summary"' 'with a summary'

# --- samples that do not count: on a machine that is never idle ---
{
	printf 'include "%s"\n' "$(lab_tree rapl-one)"
	printf '%s\n' 'power busy 1000' 'cd /proc' 'busy lin @busy' 'busy hide' \
		'stat template "cpu  {busy/10000} 0 0 1000 0 0 0 0 0 0\ncpu0 {busy/10000} 0 0 1000 0 0 0 0 0 0\nctxt 1000\nbtime 1700000000\nprocesses 1000\nprocs_running 1\nprocs_blocked 0\nintr 1000\n"'
} >"$TMP/busy.spec"
before=$EPOCHREALTIME
simulate b busy -R -b 0.1 0
simulate i busy -R -i 0 -j 0.1 5
simulate jb busy -R -b -j 0.1 0
wait_for has_line "$TMP/b.rows" 'Skipped' || fail 'a Skipped line' "$(cat "$TMP/b.msg")"
skips() { [ "$(grep -c '"type":"skipped"' "$TMP/jb.rows")" -ge "$1" ]; }
cpu_ms() { awk '{ print ($14 + $15) * 10 }' "/proc/$1/stat"; }
wait_for skips 5
b_cpu=$(cpu_ms "${run_pid[jb]}") counted_from=$EPOCHREALTIME
wait_for skips 25
b_cpu=$(($(cpu_ms "${run_pid[jb]}") - b_cpu))
milliseconds_since() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%d", (b - a) * 1000 }'; }
took=$(milliseconds_since "$counted_from")
kill -INT "${run_pid[b]}" "${run_pid[jb]}"
take b 0
is "$(grep -c 'Skipped samples(s) because of low CPU idle' "$TMP/rows")" 1 '-b on a busy machine: one line for a run of discarded samples'
take jb 0
num "$b_cpu" -le $((20 + took / 20)) "and it does not spin: $b_cpu ms of CPU in $took ms"
num "$(jqs 'map(select(.type == "skipped")) | length')" -le $(($(milliseconds_since "$before") / 100)) 'at most one discarded sample for each slot'
is "$(jqs 'map(select(.type == "skipped") | .low_idle) | unique')" '[true]' 'with the reason'
is "$(of_summary '.skipped >= 25')" true 'the summary counts them'
take i 0
is "$(sample_count)" 5 '-i 0: everything counts'

# --- process events ---
if ! "$POWERSTAT" -z --procs -d 0 0.1 1 >/dev/null 2>"$TMP/events" && grep -q 'fork, exec and exit' "$TMP/events"; then
	skip "no process events here: $(head -n 1 "$TMP/events")" 10
	done_testing
fi
simulate p rapl-one -R -p -j 0.3 0
simulate s rapl-one -R -s --procs 0.3 0
simulate sj rapl-one -R -s -j 0.3 0
simulate strict rapl-one -R -s --strict -j 0.3 0
simulate counts rapl-one -R --procs -j 0.3 0
simulate noprocs rapl-one -R --no-procs 0.5 2
for name in s counts; do rows_of "$name" 1; done
for name in p sj strict; do wait_for has_line "$TMP/$name.rows" '"type":"(sample|skipped)"'; done
mkfifo "$TMP/go"
# A command line of 300 kB: the log keeps 256 KiB of it.
big=$(printf '%0100000d' 0)
bg sh -c 'read -r _ <"$0"; :' "$TMP/go" "$big" "$big" "$big"
cp "$(type -P true)" "$TMP/short-lived-ps"
for _ in 1 2 3 4 5 6; do
	"$TMP/short-lived-ps"
	sh -c 'exit 3'
	sleep 0.1
done
for name in s counts; do rows_of "$name" $(($(grep -cE '^[0-9]{2}:|"type":"sample"' "$TMP/$name.rows") + 2)); done
for name in p s sj counts strict; do kill -INT "${run_pid[$name]}"; done
take p 0
is "$(jqs 'map(select(.type == "skipped" and .processes)) | length > 0')" true '-p: samples with a fork are discarded'
is "$(of_samples '.fork + .exec + .exit' | jq -c 'map(select(. > 0))')" '[]' 'those that count have none'
take counts 0
is "$(of_samples .fork | jq 'add >= 12')" true 'forks are counted'
is "$(of_samples .exec | jq 'add >= 6')" true 'and execs'
take s 0
like "$out" $'\nLog of fork\\(\\)/exec\\(\\)/exit\\(\\) calls:\n' '-s: the log, at the end'
like "$out" '[0-9]{2}:[0-9]{2}:[0-9]{2} fork: parent pid=[0-9]+ -> fork pid=[0-9]+ \(' 'its fork lines'
like "$out" 'exec: pid=[0-9]+ \(.*short-lived-ps' 'an exec has the new name'
like "$out" 'exit: pid=[0-9]+ exit_code=[0-9]+ \(' 'its exit lines'
take sj 0
is "$(jqs 'map(select(.type == "log")) | length > 10')" true 'JSON: a record for each line'
take strict 5
is "$(of_summary '.log_missing > 0')" true '--strict: a cut command line of the log is a loss'
take noprocs 0
unlike "$(lab_table "$TMP/rows" | head -n 1)" 'Fork' '--no-procs: no columns'
done_testing
