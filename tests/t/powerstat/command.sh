#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# timeout: 120
# powerstat with a COMMAND, with samples that do not count, and with process events.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need
chmod 777 "$TMP"

# --- COMMAND ---
launch cmd rapl-square -R -D --json="$TMP/c.json" --csv="$TMP/c.csv" --timestamp=mono 0.5 -- sh -c 'sleep 2.7; echo its own line; exit 7'
launch short rapl-one -R -j 5 -- sleep 0.8
launch out rapl-one -R -J -o "$TMP/table" 0.5 -- printf 'exactly\nthis'
launch none rapl-one -R 1 -- /nonexistent/program
launch killed rapl-one -R -j 0.5 -- sh -c 'kill -9 $$'
launch counted rapl-one -R -j 0.5 2 -- sleep 30
launch interrupted rapl-one -R -j 0.5 -- sleep 30

# 10 W, and 30 W from T = 4 on
printf '%s\n' 'power p steps:10@0,30@4' 'zone intel-rapl:0 package-0 lin @p range=262143328850' >"$TMP/step.spec"
launch idle "$TMP/step.spec" -R --baseline=0.5 -j 1 -- sh -c 'sleep 5'
launch idlet "$TMP/step.spec" -R --baseline=0.5 1 -- sleep 0.6
# Each run's start is in a log of its own; the third one fails.
launch rep rapl-square -R --repeat=4 --baseline=0.3 -j 0.5 -- sh -c "date +%s.%N >>'$TMP/rep.runs'; sleep 1.1; date +%s.%N >>'$TMP/rep.ends'"
launch repfail rapl-one -R --repeat=5 0.5 -- sh -c "echo >>'$TMP/fail.runs'; sleep 0.2; [ \$(wc -l <'$TMP/fail.runs') -lt 3 ] || exit 7"
launch repshort rapl-one -R -j --repeat=50 1 -- true

# 10 W, and 150 W from T = 4 on, where a rest of 30 ms follows three whole intervals.
printf '%s\n' 'power p steps:10@0,150@4' 'zone intel-rapl:0 package-0 lin @p range=262143328850' \
	'/sys/go text yes' '/sys/go from 1' >"$TMP/tail.spec"
printf '#!/bin/sh\nuntil [ -e /sys/go ]; do sleep 0.005; done\nexec "%s" "$@"\n' "$POWERSTAT" >"$TMP/later"
chmod 755 "$TMP/later"
POWERSTAT=$TMP/later launch tail "$TMP/tail.spec" -R -j 1 -- sleep 3.03

take cmd 7
like "$err" 'its own line' 'the output of COMMAND, apart from the rows'
like "$out" 'Energy: [0-9.]+ Joules in (2\.[678]|3\.[0-5]) seconds' 'its energy, without -J too'
cp "$TMP/c.csv" "$TMP/rows"
true_rows 100 0.6 watts pkg_0_w=pkg-0
cp "$TMP/c.json" "$TMP/rows"
is "$(of_summary '. as $s | [.watts_average, .stats.watts.average, .stats.pkg_0_w.average + .stats.dram_w.average] |
	map(. / ($s.joules / $s.joules_of_s) | . > 0.998 and . < 1.002)')" '[true,true,true]' \
	'the averages are energy by time, with a rest shorter than the interval'
# The truth: 45 W + 2 W for 2 s, then 5 W + 2 W, by turns from T = 0.
square='function uj(t,  n) { n = int(t / 4); t -= 4 * n; return n * 108 + (t < 2 ? 47 * t : 94 + 7 * (t - 2)) }'
ok 'its joules are those of the machine' awk -v start="$(awk 'NR == 1 { printf "%.9f", $2 / 1e9 }' "$lab_log")" \
	-v to="$(of_samples .mono_ns | jq '.[-1] / 1e9')" -v span="$(of_summary .span_s)" -v joules="$(of_summary .joules)" "$square"'
	BEGIN { want = uj(to - start) - uj(to - span - start); d = (joules - want) / want
		print "# " joules " J, truth " want; exit !(d < 0.01 && d > -0.01) }'
take tail 0
ok 'the average is energy by time, with a rest of another power' awk \
	-v start="$(awk 'NR == 1 { printf "%.9f", $2 / 1e9 }' "$lab_log")" -v to="$(of_samples .mono_ns | jq '.[-1] / 1e9')" \
	-v span="$(of_summary .span_s)" -v average="$(of_summary .watts_average)" '
	function joules(t) { return 10 * t + (t > 4 ? 140 * (t - 4) : 0) }
	BEGIN { want = (joules(to - start) - joules(to - span - start)) / span; d = average / want - 1
		print "# " average " W, truth " want; exit !(d < 0.01 && d > -0.01) }'
is "$(of_summary .stats.watts.max)" "$(of_samples 'select(.dt_s >= 0.5) | .watts' | jq max)" \
	'a short rest is not in the maximum'
take short 0
is "$(of_summary '.joules > 13 and .joules < 20 and .samples == 1')" true 'shorter than the delay: one sample of its own length'
take out 0
is "$(cat "$TMP/rows")" $'exactly\nthis' 'its standard output is its own'
like "$(cat "$TMP/table")" 'Energy:' 'the rows in their file'
take idle 0
between 9.9 10.1 "$(of_summary .idle_watts)" '--baseline: the power before COMMAND'
between 0.4 5 "$(of_summary .idle_of_s)" 'for the time requested'
ok 'its joules above idle are those of the machine' awk \
	-v start="$(awk 'NR == 1 { printf "%.9f", $2 / 1e9 }' "$lab_log")" \
	-v to="$(of_samples .mono_ns | jq '.[-1] / 1e9')" -v joules="$(of_summary .joules_above_idle)" '
	BEGIN { want = 20 * (to - start - 4); d = joules - want; print "# " joules " J, truth " want
		exit !(want > 5 && d < want / 20 && d > -want / 20) }'
take idlet 0
like "$out" 'Above idle: -?[0-9.]+ Joules \(idle: (9\.9|10\.0)[0-9] Watts in [0-9.]+ seconds before\)' 'and in the text'
expect '--baseline without a COMMAND' 2 "powerstat: --baseline needs a COMMAND
Try 'powerstat --help' for more information." "$POWERSTAT" -R --baseline=1 1 2
run "$POWERSTAT" -R --baseline=0.01 1 2
expect_exit 2 '--baseline: too short'
take rep 0
of_runs() { jqs "map(select(.type == \"run\")) | $1"; }
is "$(of_runs 'map(.run)') $(wc -l <"$TMP/rep.runs")" '[1,2,3,4] 4' '--repeat: COMMAND ran so often, by its own log'
ok 'the seconds of each run are those of its own log' awk '
	FILENAME ~ /runs$/ { start[FNR] = $1 } FILENAME ~ /ends$/ { own[FNR] = $1 - start[FNR] } FILENAME == "-" { n++
		print "# " $1 " s, own log " own[n]; if ($1 < own[n] || $1 > own[n] + 0.5) bad = 1 }
	END { exit bad || n != 4 }' "$TMP/rep.runs" "$TMP/rep.ends" - < <(of_runs 'map(.seconds)[]' | tr , '\n')
# The samples follow one another, so that a run's energy begins where that of the run before ends.
ok 'the joules of each run, and their mean, are those of the machine' awk \
	-v start="$(awk 'NR == 1 { printf "%.9f", $2 / 1e9 }' "$lab_log")" \
	-v t="$(of_samples '.mono_ns / 1e9 - .dt_s' | jq '.[0]')" -v mean="$(of_summary .repeat.joules.mean)" "$square"'
	{ want = uj(t + $1 / $2 - start) - uj(t - start); t += $1 / $2; sum += want; d = $1 - want
		print "# " $1 " J, truth " want; if (d > 0.2 + want / 100 || d < -0.2 - want / 100) bad = 1 }
	END { d = mean * NR / sum - 1; print "# mean " mean " J, truth " sum / NR; exit bad || NR != 4 || d > 0.01 || d < -0.01 }' \
	< <(of_runs 'map("\(.joules) \(.watts)")[]' | tr -d '"')
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
like "$out" $'--- Run 3: 0\\.[0-9]+ seconds, [0-9.]+ Joules, 1[78]\\.[0-9]+ Watts, exit status 7 ---' 'it is reported'
like "$out" $'\nRuns: 2, mean \\+- standard deviation: 0\\.[0-9]+ \\+- [0-9.]+ seconds, [0-9.]+ \\+- [0-9.]+ Joules, 1[78]\\.' \
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

# --- samples that do not count ---
bg sh -c 'while :; do :; done'
burner=$bg_pid
before=$EPOCHREALTIME
launch b rapl-one -R -b 0.2 0
launch i rapl-one -R -i 0 -j 0.2 5
launch jb rapl-one -R -b -j 0.2 0
wait_for has_line "$TMP/b.rows" 'Skipped' || fail 'a Skipped line' "$(cat "$TMP/b.msg")"
skips() { [ "$(grep -c '"type":"skipped"' "$TMP/jb.rows")" -ge "$1" ]; }
wait_for skips 15
cpu_ms() { awk '{ print ($14 + $15) * 10 }' "/proc/$1/stat"; }
b_cpu=$(cpu_ms "${run_pid[b]}")
took=$(awk -v a="$before" -v b="$EPOCHREALTIME" 'BEGIN { printf "%d", (b - a) * 1000 }')
kill -TERM "$burner"
kill -INT "${run_pid[b]}" "${run_pid[jb]}"
take b 0
is "$(grep -c 'Skipped samples(s) because of low CPU idle' "$TMP/rows")" 1 '-b on a busy machine: one line for a run of discarded samples'
num "$b_cpu" -le $((20 + took / 50)) "and it does not spin: $b_cpu ms of CPU in $took ms"
take jb 0
num "$(jqs 'map(select(.type == "skipped")) | length')" -le $((took / 200 + 2)) 'at most one discarded sample for each slot'
is "$(jqs 'map(select(.type == "skipped") | .low_idle) | unique')" '[true]' 'with the reason'
is "$(of_summary '.skipped >= 15')" true 'the summary counts them'
take i 0
is "$(sample_count)" 5 '-i 0: everything counts'

# --- process events ---
if ! "$POWERSTAT" -z -p -d 0 0.1 1 >/dev/null 2>"$TMP/events" && grep -q 'fork, exec and exit' "$TMP/events"; then
	skip "no process events here: $(head -n 1 "$TMP/events")" 10
	done_testing
fi
launch p rapl-one -R -p -j 0.3 0
launch s rapl-one -R -s --procs 0.5 4
launch sj rapl-one -R -s -j 0.5 4
launch strict rapl-one -R -s --strict -j 0.3 0
launch counts rapl-one -R --procs -j 0.5 5
launch noprocs rapl-one -R --no-procs 0.5 2
for name in s sj counts strict; do rows_of "$name" 1; done
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
kill -INT "${run_pid[p]}"
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
kill -INT "${run_pid[strict]}"
take strict 5
is "$(of_summary '.log_missing > 0')" true '--strict: a cut command line of the log is a loss'
take noprocs 0
unlike "$(lab_table "$TMP/rows" | head -n 1)" 'Fork' '--no-procs: no columns'
done_testing
