#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 5
# How a run ends, and intervals that are interrupted or long.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq
tick_us=10000 # another program's clock can be so old
load cpuload duty 20

# ^C at any moment, also right after a sample, with all results at the end: the original
# crashes by a division by zero in half of these trials.
is_cpustat() { [ "$(cat "/proc/$tool/comm" 2>/dev/null)" = cpustat ]; }
# Before that ^C is ignored (a background job) or kills it as any program.
takes_int() { is_cpustat && ((0x$(awk '/^Sig(Blk|Cgt)/ { print $2 }' "/proc/$tool/status" | paste -sd'|' | sed 's/|/|0x/') & 2)); }
trials() { # COUNT COMMAND...: the command returns at the moment of the signal
	local i bad=0 bare=0 messages=''
	for ((i = 0; i < $1; i++)); do
		bg "$CPUSTAT" -D -g -T -x -S 0.1 >"$TMP/rows" 2>"$TMP/msg"
		tool=$bg_pid
		"${@:2}"
		kill -INT "$tool"
		reap "$tool"
		[ "$status" = 0 ] || bad=$((bad + 1))
		[ "$status" = 0 ] || diag "trial $i: status $status"
		messages+=$(cat "$TMP/msg")
		if has_line "$TMP/rows" '^ *%CPU' && ! has_line "$TMP/rows" '^Grand Total \(from'; then
			bare=$((bare + 1))
		fi
	done
	is "$bad" 0 "$1 times ^C: exit status 0"
	is "$bare" 0 'and the totals of what was seen'
	is "$messages" '' 'and no message'
}
just_after_a_sample() { wait_for has_line "$TMP/rows" '^ *%CPU'; }
some_time_later() {
	wait_for takes_int
	sleep "0.$((RANDOM % 3))$((RANDOM % 9 + 1))"
}
interrupts() { trials 6 just_after_a_sample; }
interrupts_at_random() { trials 6 some_time_later; }
other_signals() {
	local signal
	for signal in TERM HUP; do
		start -D -g 0.1
		wait_for has_line "$TMP/rows" '^ *%CPU'
		finish "$signal"
		is "$status$err" 0 "SIG$signal: exit status 0"
		like "$(cat "$TMP/rows")" 'Grand Total .*Distribution of CPU utilisation \(per Task\).*per CPU' "SIG$signal: totals and distributions"
	done
}

# A part of an interval: shown from half an interval on, with its true length, never as a
# whole one.
of_samples() { jqs "$at map(select(.type == \"sample\")) | $1" "$TMP/json"; }
# INTERVAL SLEPT: ^C so long after the first sample; it came $from to $to ns after it
interrupt_after() {
	local begin before after
	start -g "$1" --json="$TMP/json"
	first() { grep -q '"type":"sample"' "$TMP/json"; }
	wait_for first || fail 'the first sample'
	sleep "$2"
	before=$(now_ns)
	finish
	after=$(now_ns)
	begin=$(of_samples '.[0] | at' | awk '{ printf "%.0f", $1 }')
	from=$((before - begin)) to=$((after - begin))
}
partial() {
	load cpuload duty 20
	interrupt_after 2.5 1.3
	end_load
	if ((to >= 2500000000)); then # a whole sample, or two, and then a part
		skip "the machine is busy: ^C came $((to / 1000000)) ms after a sample" 5
		return
	fi
	is "$(of_samples 'map(.partial)')" '[false,true]' 'more than half an interval: shown, marked'
	is "$(of_samples ".[1].dt_s * 1e9 | . >= $from and . <= $to")" true 'with its true length'
	like "$(grep 'CPU ' "$TMP/rows" | sed -n 2p)" "Task  \\(partial $(printf %.2f "$(of_samples '.[1].dt_s')") s\\)$" 'marked in the table'
	mv "$TMP/json" "$TMP/rows"
	judge --pid "${tasks[0]}"
	is "${V[shown]}" 2 'a part of an interval: a row in both samples'
	near "${V[cpu_us]}" "${V[truth_us]}" 30 'with the true CPU time' "$tick_us"
	is "$(jqs "$(of_pid "${tasks[0]}") | map(.cpu_pct - .cpu_ns / .dt_s / 1e7 | fabs < 0.1) | unique")" '[true]' 'and percentages of its true length'
}
less_than_half() {
	interrupt_after 3 0
	if ((to >= 1500000000)); then
		skip "the machine is busy: ^C came $((to / 1000000)) ms after a sample"
	else
		is "$(of_samples length)" 1 'less than half an interval: no sample of it'
	fi
	is "$(jqs 'map(.type) | index("grand_total") != null' "$TMP/json")" true 'but the totals'
	is "$(grep -c '^Grand Total' "$TMP/rows")" 1 'in the table too'
}

# Stopped for a while: one long sample, no burst of missed ones, true percentages.
stopped() {
	local stop cont
	start -j 0.3
	more_samples 1
	kill -STOP "$tool"
	wait_for is_stopped "$tool"
	stop=$(now_ns)
	sleep 1.5
	cont=$(now_ns)
	kill -CONT "$tool"
	more_samples 3
	finish
	cp "$TMP/rows" "$TMP/json"
	is "$(of_samples "map(select(at - .dt_s * 1e9 <= $stop and at >= $cont)) | length")" 1 'stopped: one long sample has all of that time'
	# Of those that are due at multiples of the interval.
	is "$(of_samples "map(select(.partial == false and at - .dt_s * 1e9 >= $cont)) | length <= (.[-1] | at - $cont) / 3e8 + 1")" true 'no burst afterwards'
	is "$(jqs "$at $(of_pid "${tasks[0]}") | map(select(at >= $cont))[0] | .cpu_pct - .cpu_ns / .dt_s / 1e7 | fabs < 0.1")" true 'its percentages are of the true time'
}

# Rows are never late: those of a sample are written before the next one.
written_at_once() {
	if have_cmd strace && have_cap sys_ptrace && strace -c true 2>/dev/null >&2; then
		strace -qq -e trace=write -s 200 -o "$TMP/trace" "$CPUSTAT" -p "${tasks[0]}" 0.1 5 2>"$TMP/msg" | cat >"$TMP/rows"
		is "$(grep -cE '^write\([0-9]+, " *%CPU ' "$TMP/trace")" 5 'a pipe gets the rows of each of five samples by a write of their own'
	else
		skip 'needs strace and CAP_SYS_PTRACE'
		watch 0.1 5
	fi
	like "$(head -n 1 "$TMP/rows")" '^ *%CPU' 'it begins with the heading'
}

# A resize of the window, then ^C: the tool does not wait for its interval.
resized() {
	bg "$CPUSTAT" -j 600 >"$TMP/rows" 2>"$TMP/msg"
	tool=$bg_pid
	wait_for started
	kill -WINCH "$tool"
	kill -INT "$tool"
	reap "$tool"
	is "$status" 0 '^C after a resize: exit status 0'
	is "$(samples)" 0 'before the first sample'
}

# The records of a run that ended before its first row have the time of the sample.
ended_early() {
	bg "$CPUSTAT" -g -j 60 >"$TMP/rows" 2>"$TMP/msg"
	tool=$bg_pid
	wait_for started
	sleep 0.1
	finish
	is "$(jqs 'map(select(.type == "grand_total"))[0] | .samples')" 1 'ended early: the totals of its part'
	like "$(jqs 'map(select(.type == "grand_total"))[0].time')" "^\"$(date -u +%Y)-" 'with its time'
}

# Ends by itself.
counts() {
	watch -j 0.1 3
	expect_exit 0 'COUNT'
	is "$(samples)" 3 'so many samples'
	watch -j --interval=0.1 --count=2
	is "$status $(samples)" '0 2' '--interval and --count'
	watch -j 0.1 --duration=0.55
	expect_exit 0 '--duration'
	# A busy machine ends it later, and it has a sample for each interval of that time or has missed it.
	is "$(jqs '(map(select(.type == "sample")) | length) as $n | .[-1] | (.missed_samples + $n) as $all |
		[.span_s >= 0.55, $all <= .span_s * 10 + 1, .missed_samples > 0 or $n >= 5]')" '[true,true,true]' '--duration: its samples'
	watch -q -g 0.2 2
	is "$(grep -c '%CPU' "$TMP/rows")" 1 '-q: one table, that of the totals'
}

# cpustat waits for the reader of a FIFO, but a signal ends the wait.
fifos() {
	local option
	mkfifo "$TMP/fifo"
	for option in --output --json --report; do
		run timeout -k 60 -s INT 0.5 "$CPUSTAT" "$option=$TMP/fifo" 0.1 1
		is "$status" 124 "$option to a FIFO without a reader: ^C ends it"
	done
	# ... nor one that has stopped reading: a second signal.
	exec 7<>"$TMP/fifo"
	bg env --default-signal=INT "$CPUSTAT" -q -H -r "$TMP/fifo" 0.01 >"$TMP/rows" 2>"$TMP/msg"
	tool=$bg_pid
	sleep 1
	kill -INT "$tool"
	wait_for -t 1 has_exited "$tool" || kill -INT "$tool"
	ok 'a report without a reader: it ends' wait_for has_exited "$tool" || kill -KILL "$tool"
	exec 7<&-
}

# The files of the end are written though another output has failed.
failed_output() {
	"$CPUSTAT" -r "$TMP/report" --prom="$TMP/prom" 0.1 40 2>/dev/null | head -n 1 >"$TMP/out"
	like "$(head -n 1 "$TMP/report")" '^Task:,' 'after the reader has closed it: the report is written'
	ok 'and the metrics' grep -q '^sysmon_cpustat_samples_total [1-9]' "$TMP/prom"
	watch -r "$TMP/report2" --output /dev/full 0.1 3
	is "$status" 1 'the disk full: exit status 1'
	like "$(head -n 1 "$TMP/report2")" '^Task:,' 'the report is written'
}
at_once interrupts interrupts_at_random other_signals partial less_than_half stopped written_at_once resized \
	ended_early counts fifos failed_output
end_load
done_testing
