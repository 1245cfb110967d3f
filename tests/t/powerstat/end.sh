#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# timeout: 150
# How a run of powerstat ends and what can come between: signals, sources that go, readers that
# go or are slow, a full disk, a stop of three seconds.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need

# --- signals ---
launch stopped rapl-one -R --csv --timestamp=mono 0.2 0
for signal in INT TERM HUP; do launch "sig$signal" rapl-one -R -j 0.3 0; done
for signal in INT TERM; do launch "wait$signal" rapl-one -R -d 60 1 5; done
launch vanish rapl-vanish -R -j 0.5 20
launch late rapl-one -R -j 0.2 0
# A COMMAND that outlives the run: it goes on, and leaves a mark when it is let.
stay() { # NAME MACHINE OPTION...
	mkfifo "$TMP/$1.go"
	launch "$@" -- sh -c 'read -r _ <"$0.go"; echo whole >"$0.done"; exit 9' "$TMP/$1"
}
stay counted rapl-one -R -j 0.2 3
stay lasted rapl-one -R -j --duration=1.2 0.5
stay termed rapl-one -R -j 0.2
stay lost rapl-vanish -R -j 0.5
goes_on() { # NAME
	echo 1<>"$TMP/$1.go" # does not wait for a reader that has exited
	ok "$1: the COMMAND went on" wait_for has_line "$TMP/$1.done" whole
}
for signal in INT TERM HUP; do
	rows_of "sig$signal" 2
	kill "-$signal" "${run_pid[sig$signal]}"
	take "sig$signal" 0
	is "$(jqs '.[-1] | [.type, .samples >= 2]')" '["summary",true]' "SIG$signal: a summary"
done
for signal in INT TERM; do
	wait_for has_line "$TMP/wait$signal.msg" 'power source'
	wait_for has_line "$TMP/wait$signal.rows" 'Running'
	kill "-$signal" "${run_pid[wait$signal]}"
	take "wait$signal" 0
	unlike "$out" 'Summary|Average' "SIG$signal in the start delay: no summary"
done

# Stopped for three seconds: the samples in between are missed and reported, and do not come in a burst.
rows_csv() { [ "$(wc -l <"$TMP/$1.rows")" -ge "$2" ]; }
wait_for rows_csv stopped 4
rows_of late 3
kill -STOP "${run_pid[stopped]}" "${run_pid[late]}"
sleep 3
kill -CONT "${run_pid[stopped]}" "${run_pid[late]}"
n=$(wc -l <"$TMP/stopped.rows")
wait_for rows_csv stopped $((n + 4))
late=$(wc -l <"$TMP/late.rows")
more_late() { [ "$(wc -l <"$TMP/late.rows")" -ge $((late + 4)) ]; }
wait_for more_late
kill -INT "${run_pid[stopped]}" "${run_pid[late]}"
take stopped 0
true_rows 5 0.5 watts
ok 'the row over the stop covers it all' awk -F, 'NR > 1 && $3 > 2.8 { n++ } END { exit n != 1 }' "$TMP/rows"
# On a busy machine a row can be late; the next one is at its own time then.
ok 'no two rows closer than half a delay, but after the late one' awk -F, 'NR > 2 && $2 - t < 100e6 { n++ } NR > 1 { t = $2 } END { exit n > 2 }' "$TMP/rows"
take late 0
is "$(of_summary '.missed >= 13')" true 'missed samples are counted'
is "$(jqs 'map(select(.type == "note") | .text | test("Missed [0-9]+ samples")) | any')" true 'and reported'

# --- the source goes ---
take vanish 3
is "$(of_summary '[.source_lost, .samples > 4, (.watts_average > 14.8 and .watts_average < 15.2)]')" '[true,true,true]' 'the module is removed: the summary of what was'
like "$err" 'RAPL zones were removed' 'and a message'

# --- a COMMAND that has not ended ---
rows_of termed 2
kill -TERM "${run_pid[termed]}"
take termed 143
is "$(jqs '.[-1].type')" '"summary"' 'terminated before its COMMAND: with a summary'
goes_on termed
take counted 0
is "$(sample_count)" 3 'COUNT samples end the run'
goes_on counted
take lasted 0
is "$(sample_count)" 2 'so does the duration'
goes_on lasted
take lost 3
is "$(of_summary .source_lost)" true 'the source went during a COMMAND'
goes_on lost

# --- outputs ---
machine=$(lab_tree rapl-one)
started=$SECONDS
run "$LAB/run" "$machine" "$lab_log" -- bash -c '"$0" -R 0.3 0 | head -n 6; echo "${PIPESTATUS[0]}" >"$1"' "$POWERSTAT" "$TMP/pipe"
num $((SECONDS - started)) -le 6 'a reader that goes: it ends at the next row'
like "$(cat "$TMP/pipe")" '^(0|141)$' 'quietly'
unlike "$err" 'write|pipe' 'without a message'

# First bytes at once, each row as it is made.
mkfifo "$TMP/fifo"
bg "$LAB/run" "$machine" "$lab_log" -- bash -c '"$0" -R 0.5 3 >"$1"' "$POWERSTAT" "$TMP/fifo"
writer=$bg_pid
exec 7<"$TMP/fifo"
rows=''
while IFS= read -r -u 7 line; do
	[[ $line =~ ^[0-9][0-9]: ]] && rows+="$EPOCHREALTIME "
done
exec 7<&-
reap "$writer"
ok 'rows come through a pipe one by one' awk -v r="$rows" 'BEGIN { n = split(r, t, " "); for (i = 2; i <= n; i++) if (t[i] - t[i - 1] < 0.2) bad = 1; exit bad || n != 3 }'

# A reader that sleeps: the samples go on, and rows without room are counted.
run "$LAB/run" "$machine" "$lab_log" -- bash -c '"$0" -R -j 0.1 30 | { read -r _; sleep 4; cat >"$1"; }' "$POWERSTAT" "$TMP/slow"
is "$(jq -sc 'map(select(.type == "sample")) | length' "$TMP/slow")" 30 'a slow reader gets all rows that the pipe and we can hold'
is "$(jq -sc '[.[] | select(.type == "sample") | .dt_s] | max < 1' "$TMP/slow")" true 'and samples do not wait for it'

# --- the wall clock has no say ---
launch wall rapl-one -R -j 0.2 10
take wall 0
ok 'times are those of CLOCK_MONOTONIC' test "$(of_samples '.mono_ns' | jq '. == sort and (.[-1] - .[0] > 1.6e9)')" = true
is "$(jqs 'map(select(.type == "sample")) as $s | [range(1; $s | length) as $i | (($s[$i].mono_ns - $s[$i - 1].mono_ns) / 1e9 - $s[$i].dt_s) | . < 1e-6 and . > -1e-6] | unique')" '[true]' 'dt is the time since the row before'
done_testing
