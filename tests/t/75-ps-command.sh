#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# timeout: 120
# powerstat with a COMMAND, with samples that do not count, and with process events.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need
RUN_LIMIT=30
chmod 777 "$TMP"

# --- COMMAND ---
launch cmd rapl-square -R -D --json="$TMP/c.json" --csv="$TMP/c.csv" --timestamp=mono 0.5 -- sh -c 'sleep 2.7; echo its own line; exit 7'
launch short rapl-one -R -j 5 -- sleep 0.8
launch out rapl-one -R -J -o "$TMP/table" 0.5 -- printf 'exactly\nthis'
launch none rapl-one -R 1 -- /nonexistent/program
launch killed rapl-one -R -j 0.5 -- sh -c 'kill -9 $$'
launch counted rapl-one -R -j 0.5 2 -- sleep 30
launch interrupted rapl-one -R -j 0.5 -- sleep 30

take cmd 7
like "$out" 'its own line' 'the output of COMMAND'
like "$out" 'Energy: [0-9.]+ Joules in (2\.[678]|3\.[0-5]) seconds' 'its energy, without -J too'
cp "$TMP/c.csv" "$TMP/rows"
true_rows 100 0.6 watts pkg_0_w=pkg-0
cp "$TMP/c.json" "$TMP/rows"
# Energy by the truth: 45 W + 2 W for 2 s, then 5 W + 2 W, by turns from T = 0.
ok 'its joules are those of the machine' awk -v start="$(awk 'NR == 1 { printf "%.9f", $2 / 1e9 }' "$lab_log")" \
	-v to="$(of_samples .mono_ns | jq '.[-1] / 1e9')" -v span="$(of_summary .span_s)" -v joules="$(of_summary .joules)" '
	function uj(t,  n) { n = int(t / 4); t -= 4 * n; return n * 108 + (t < 2 ? 47 * t : 94 + 7 * (t - 2)) }
	BEGIN { want = uj(to - start) - uj(to - span - start); d = (joules - want) / want
		print "# " joules " J, truth " want; exit !(d < 0.01 && d > -0.01) }'
take short 0
is "$(of_summary '.joules > 13 and .joules < 20 and .samples == 1')" true 'shorter than the delay: one sample of its own length'
take out 0
is "$(cat "$TMP/rows")" $'exactly\nthis' 'its standard output is its own'
like "$(cat "$TMP/table")" 'Energy:' 'the rows in their file'
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
wait_for -t 20 has_line "$TMP/b.rows" 'Skipped' || fail 'a Skipped line' "$(cat "$TMP/b.msg")"
skips() { [ "$(grep -c '"type":"skipped"' "$TMP/jb.rows")" -ge "$1" ]; }
wait_for -t 20 skips 15
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
launch counts rapl-one -R --procs -j 0.5 5
launch noprocs rapl-one -R --no-procs 0.5 2
for name in s sj counts; do rows_of "$name" 1; done
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
take noprocs 0
unlike "$(lab_table "$TMP/rows" | head -n 1)" 'Fork' '--no-procs: no columns'
done_testing
