#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quiet
# timeout: 180
# How a run ends, and intervals that are interrupted or long.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq

# ^C at any moment, also right after a sample, with all results at the end: the original
# crashes by a division by zero in half of these trials.
is_cpustat() { [ "$(cat "/proc/$tool/comm" 2>/dev/null)" = cpustat ]; }
load cpuload duty 30
bad_exits=0 bare=0 messages=''
for ((i = 0; i < 40; i++)); do
	bg "$CPUSTAT" -D -g -T -x -S 0.1 >"$TMP/rows" 2>"$TMP/msg"
	tool=$bg_pid
	if ((i % 2)); then # just after a sample
		wait_for has_line "$TMP/rows" '^ *%CPU'
	else # before it runs ^C is ignored (a background job) or kills it as any program
		wait_for is_cpustat
		sleep "0.$((RANDOM % 4))$((RANDOM % 9 + 1))"
	fi
	kill -INT "$tool"
	reap "$tool"
	[ "$status" = 0 ] || bad_exits=$((bad_exits + 1))
	messages+=$(cat "$TMP/msg")
	if has_line "$TMP/rows" '^ *%CPU' && ! has_line "$TMP/rows" '^Grand Total \(from'; then
		bare=$((bare + 1))
	fi
	[ "$status" = 0 ] || diag "trial $i: status $status"
done
is "$bad_exits" 0 '40 times ^C: exit status 0'
is "$bare" 0 'and the totals of what was seen'
is "$messages" '' 'and no message'
for signal in TERM HUP; do
	start -D -g 0.1
	wait_for has_line "$TMP/rows" '^ *%CPU'
	finish "$signal"
	is "$status$err" 0 "SIG$signal: exit status 0"
	like "$(cat "$TMP/rows")" 'Grand Total .*Distribution of CPU utilisation \(per Task\).*per CPU' "SIG$signal: totals and distributions"
done

# A part of an interval: shown from half an interval on, with its true length, never as a
# whole one.
start -j 4 # ... which a busy machine may make longer by a second
more_samples 1
sleep 2.4
finish
is "$(jqs 'map(select(.type == "sample")) | map(.partial)')" '[false,true]' 'more than half an interval: shown, marked'
is "$(jqs 'map(select(.type == "sample")) | .[1].dt_s | . >= 2.4 and . < 4')" true 'with its true length'
cp "$TMP/rows" "$TMP/partial"
start 4
wait_for has_line "$TMP/rows" '^ *%CPU'
sleep 2.4
finish
like "$(grep CPU "$TMP/rows" | tail -n 1)" 'Task  \(partial [23]\.[0-9]{2} s\)$' 'marked in the table'
start -j -g 4
more_samples 1
finish
is "$(samples)" 1 'less than half an interval: no sample of it'
is "$(jqs 'map(.type) | index("grand_total") != null')" true 'but the totals'

# Stopped for a while: one long sample, no burst of missed ones, true percentages.
start -j 0.5
more_samples 1
kill -STOP "$tool"
sleep 3
kill -CONT "$tool"
more_samples 3
finish
is "$(jqs 'map(select(.type == "sample" and .dt_s > 2.4)) | length')" 1 'stopped for 3 s: one long sample'
is "$(jqs 'map(select(.type == "sample" and .partial == false and .dt_s < 0.2)) | length')" 0 'no burst afterwards'
is "$(jqs "$(of_pid "${tasks[0]}") | map(select(.dt_s > 2.4))[0] | .cpu_pct - .cpu_ns / .dt_s / 1e7 | fabs < 0.1")" true 'its percentages are of the true time'

# Rows are never late: the first is read before the second sample is taken.
mkfifo "$TMP/fifo"
exec 7<>"$TMP/fifo"
bg "$CPUSTAT" 2 2 >"$TMP/fifo"
tool=$bg_pid
read -r -t 20 first <&7
if kill -0 "$tool" 2>/dev/null; then
	pass 'a pipe gets the first sample before the tool ends'
else
	fail 'a pipe gets the first sample before the tool ends'
fi
like "$first" '^%CPU' 'it begins with the heading'
kill -KILL "$tool"
{ wait "$tool"; } 2>/dev/null
exec 7<&-

# A resize of the window, then ^C: at once, not after the interval.
bg "$CPUSTAT" -j 20 >"$TMP/rows" 2>"$TMP/msg"
tool=$bg_pid
wait_for started
kill -WINCH "$tool"
began=${EPOCHREALTIME/./}
kill -INT "$tool"
reap "$tool"
is "$status" 0 '^C after a resize: exit status 0'
num "$((${EPOCHREALTIME/./} - began))" -lt 5000000 'and at once'

# Ends by itself.
watch -j 0.1 3
expect_exit 0 'COUNT'
is "$(samples)" 3 'so many samples'
watch -j --interval=0.1 --count=2
is "$status $(samples)" '0 2' '--interval and --count'
watch -j 0.1 --duration=0.55
expect_exit 0 '--duration'
like "$(($(samples) + $(jqs '.[-1].missed_samples')))" '^[56]$' '--duration: its samples'
watch -q -g 0.2 2
is "$(grep -c '%CPU' "$TMP/rows")" 1 '-q: one table, that of the totals'
end_load
cp "$TMP/partial" "$TMP/rows"
judge --pid "${tasks[0]}"
is "${V[shown]}" 2 'a part of an interval: a row in both samples'
near "${V[cpu_us]}" "${V[truth_us]}" 30 'with the true CPU time' 1000
is "$(jqs "$(of_pid "${tasks[0]}") | map(.cpu_pct - .cpu_ns / .dt_s / 1e7 | fabs < 0.1) | unique")" '[true]' 'and percentages of its true length'

# The records of a run that ended before its first row have the time of the sample.
bg "$CPUSTAT" -g -j 5 >"$TMP/rows" 2>"$TMP/msg"
tool=$bg_pid
wait_for started
sleep 0.1
finish
is "$(jqs 'map(select(.type == "grand_total"))[0] | .samples')" 1 'ended early: the totals of its part'
like "$(jqs 'map(select(.type == "grand_total"))[0].time')" "^\"$(date -u +%Y)-" 'with its time'

# cpustat waits for the reader of a FIFO, but a signal ends the wait.
for option in --output --json --report; do
	began=${EPOCHREALTIME/./}
	run timeout -k 9 -s INT 0.5 "$CPUSTAT" "$option=$TMP/fifo" 0.1 1
	is "$status" 124 "$option to a FIFO without a reader: ^C ends it"
done
num "$((${EPOCHREALTIME/./} - began))" -lt 5000000 'at once'
# ... nor one that has stopped reading: a second signal.
exec 7<>"$TMP/fifo"
bg env --default-signal=INT "$CPUSTAT" -q -H -r "$TMP/fifo" 0.01 >"$TMP/rows" 2>"$TMP/msg"
tool=$bg_pid
sleep 2
kill -INT "$tool"
wait_for -t 2 has_exited "$tool" || kill -INT "$tool"
ok 'a report without a reader: it ends' wait_for has_exited "$tool" || kill -KILL "$tool"
exec 7<&-

# The files of the end are written though another output has failed.
"$CPUSTAT" -r "$TMP/report" --prom="$TMP/prom" 0.1 40 2>/dev/null | head -n 1 >"$TMP/out"
like "$(head -n 1 "$TMP/report")" '^Task:,' 'after the reader has closed it: the report is written'
ok 'and the metrics' grep -q '^sysmon_cpustat_samples_total [1-9]' "$TMP/prom"
watch -r "$TMP/report2" --output /dev/full 0.1 3
is "$status" 1 'the disk full: exit status 1'
like "$(head -n 1 "$TMP/report2")" '^Task:,' 'the report is written'
done_testing
