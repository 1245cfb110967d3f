#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# seconds: 8
# Whose a timer and a wakeup is: a thread id that is used again is another task, in every output; what interrupts arm is
# not of the task that they met.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
need_timers
able_methods

# --- a number that is used again
NAMES=(first second third)
mkfifo "$TMP/names"
samples() { grep -c '^{"type":"[a-z_]*sample"' "$TMP/rows"; }
more_samples() { [ "$(samples)" -ge "$1" ]; }

# OPTION...: each name in turn, with uids from 4001, for five samples; $pid.  $TMP/turns: SAMPLES-BEFORE NAME UID
reuse() {
	local i n
	start --interval=0.2 "$@"
	exec 7<>"$TMP/names" # a FIFO opened for reading alone would wait for its writer
	"$HELPERS/samepid" <&7 7>&- >"$TMP/pids" &
	same=$!
	: >"$TMP/turns"
	for i in "${!NAMES[@]}"; do
		echo "${NAMES[i]} $((4001 + i))" >&7
		wait_for eval "[ \$(wc -l <\"\$TMP/pids\") -gt $i ]" || break
		n=$(samples)
		echo "$n ${NAMES[i]} $((4001 + i))" >>"$TMP/turns"
		wait_for more_samples $((n + 5))
	done
	finish
	exec 7>&-
	kill "$same"
	reap "$same"
	pid=$(sort -u "$TMP/pids")
}

# TYPE: rows of the naps in the samples in which one of the names alone ran, as "NAME UID" and how often.  A busy machine
# separates reading the counters from writing the rows: when N samples are written, sample N + 1 may have been read, so
# that the change of the name is in sample N + 1 or N + 2, and the next ones have the new name alone.
rows_of() {
	jq -sr --argjson pid "$pid" --arg type "$1" --rawfile turns "$TMP/turns" '
		($turns | split("\n") | map(select(. != "") | split(" "))) as $turn
		| reduce .[] as $r ({n: 0, rows: []};
			if $r.type | test("sample$") then .n += 1
			elif $r.type == $type and $r.tid == $pid and $r.func == "hrtimer_wakeup" then .rows += [[.n, $r.comm, $r.uid]]
			else . end)
		| .rows[] | . as $row
		| [$turn[] | select((.[0] | tonumber) < $row[0] - 1 and $row[0] < (.[0] | tonumber) + 5)][0]
		| select(.) | "\(.[1]) \(.[2]): \($row[1]) \($row[2])"' "$TMP/rows" | sort | uniq -c
}
RIGHT='first 4001: first 4001
second 4002: second 4002
third 4003: third 4003'
for method in "${methods[@]}"; do
	files=()
	[ "$method" != bpf ] || files=(-r "$TMP/report" --prom="$TMP/prom")
	reuse --method="$method" ${files[@]+"${files[@]}"}
	is "$(rows_of timers | sed 's/^ *[0-9]* //')" "$RIGHT" "$method: each row has name and user of the task that has the number now"
done
if [ "${methods[0]}" = bpf ]; then
	is "$(sed -n 1p "$TMP/report" | tr , '\n' | grep -cxE 'first|second|third')" 3 'a column of the report for each of them'
	is "$(grep -cE '^sysmon_eventstat_comm_starts_total\{comm="(first|second|third)"\} [1-9]' "$TMP/prom")" 3 'a label for each of them'
	reuse --wakeups
	is "$(rows_of wakeups | sed 's/^ *[0-9]* //' | grep -vxF "$RIGHT")" '' '--wakeups: no row has another name or user'
fi

# --- a task that arms nothing, while packets that arrive arm timers on its CPU
spin=0
for method in "${methods[@]}"; do
	bg taskset -c 0 "$HELPERS/spin"
	spin=$bg_pid
	run "$EVENTSTAT" -j --interval=0.5 --method="$method" -- "$HELPERS/spin" talk 500
	mv "$TMP/out" "$TMP/rows"
	kill "$spin"
	reap "$spin"
	is "$(jqs "map(select(.type == \"timers\" and .tid == $spin) | .func) | unique")" '[]' "$method: a loop without system calls has no timer"
	num "$(jqs 'map(select(.type == "timers" and .comm == "spin" and .func == "tcp_write_timer").starts) | add // 0')" -ge 1 \
		"$method: what a task arms with soft interrupts disabled is its own"
	is "$(jqs 'map(select(.type == "timers" and .comm == "(interrupt)" and (has("tid") or has("pid") or has("uid")))) | length')" 0 \
		"$method: an interrupt has no ids"
done
done_testing
