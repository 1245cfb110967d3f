#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 900
# eventstat --wakeups under the stock kernels that kernels.sh fetched into $VM, on CPUs that are idle
# whatever else this machine does.  Before Linux 6.4 senders are found in another way.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
EVENTSTAT=${EVENTSTAT:-$BUILD/bin/eventstat}
. "$TOP/tests/lib/vm.sh"

rows() { jq -sc "$2" "$G/$1.rows"; } # RUN JQ-PROGRAM
ROWS='map(select(.type == "wakeups"))'
SAMPLES='map(select(.type == "wakeup_sample"))'
SENT='(.cause == "call" or .cause == "reschedule" or .cause == "flag")'
sum() { rows "$1" "$ROWS | map(select($2).wakeups) | add // 0"; } # RUN CONDITION

# The trace's stamps are of the clock of the samples.
judge_sum() {
	local from to exits causes unknown
	read -r from to < <(rows quiet "$SAMPLES | [.[0].mono_ns / 1e9 - .[0].dt_s, .[-1].mono_ns / 1e9] | @tsv" | jq -r .)
	exits=$(awk -v from="$from" -v to="$to" '{ for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+[.][0-9]+:$/) t = substr($i, 1, length($i) - 1) }
		t + 0 > from && t + 0 <= to { n++ } END { print n + 0 }' "$G/exits")
	causes=$(sum quiet true)
	unknown=$(sum quiet '.cause == "unknown"')
	num "$exits" -ge 50 "$release: the CPUs sleep, $exits times"
	num "$causes" -ge $((exits - exits / 100 - 4)) "$release: $causes causes of $exits exits"
	num "$causes" -le $((exits + exits / 100 + 4)) "$release: not more"
	num "$unknown" -le $((causes / 50 + 1)) "$release: unknown: $unknown"
	is "$(awk '$1 == "overrun:" { n += $2 } END { print n }' "$G/stats")" 0 "$release: the trace is whole"
}

# RUN CONDITION NAME: the wake-ups of an idle CPU that the kernel traced have this cause, or the tick came just before:
# an emulated CPU that gets no time has both in one interrupt.  wakeups.sh of tests/t is exact.
judge_load() {
	local pid times idle traced got tick
	read -r pid times idle <"$G/$1.err"
	traced=$(cat "$G/$1.switches")
	got=$(sum "$1" "${2//PID/$pid}")
	tick=$(sum "$1" '.func != null and (.func | test("^(tick_|nohz_)"))')
	num "$traced" -ge $((times / 10)) "$release: $3: woke an idle CPU $traced times in $times, which was idle for $idle %"
	num "$got" -ge $((traced / 10)) "$release: $3: $got of $traced"
	num $((got + tick)) -ge $((traced * 9 / 10)) "$release: $3: the others are of the tick, $tick"
	num "$got" -le $((times + 3)) "$release: $3: not more"
}

# RUN: each switch of the kernel's trace from the idle task to the load is a wake-up after which it ran first, except for
# that of the sleep that the end of the run leaves uncounted; the kernel may idle without having slept.
judge_woke() {
	local traced woke
	traced=$(cat "$G/$1.all")
	woke=$(sum "$1" '.woke == "wake)r (1"')
	num "$woke" -ge $((traced - traced / 20 - 2)) "$release: $1: ran first after $woke wakeups, traced $traced"
	num "$woke" -le $((traced + 1)) "$release: $1: not more"
	is "$(rows "$1" "$ROWS | map(select(.woke == \"wake)r (1\").woke_kthread) | unique")" '[false]' "$release: $1: a task"
}

# Timers of delayed works that expired, by the work's function, against the kernel's trace; before Linux 6.4 the second
# sample has passed on the callback.
judge_works() {
	local from to n name got timers='map(select(.type == "timers"))' first=2
	! at_least 6.4 || first=0
	read -r from to < <(rows works "map(select(.type == \"sample\")) | [.[$first].mono_ns / 1e9, .[-1].mono_ns / 1e9] | @tsv" | jq -r .)
	awk -v from="$from" -v to="$to" -f "$TOP/tests/lib/works.awk" "$G/works" >"$TMP/works"
	num "$(wc -l <"$TMP/works")" -ge 1 "$release: delayed works: $(tr '\n' ' ' <"$TMP/works")"
	while read -r n name; do
		got=$(rows works "$timers | map(select(.mono_ns > $from * 1e9 + 1000 and .work == \"$name\").expiries) | add // 0")
		num "$got" -ge $((n - 1)) "$release: expired timers of $name: $got of $n"
		num "$got" -le $((n + 1)) "$release: not more"
	done <"$TMP/works"
	is "$(rows works "$timers | map(select(.mono_ns > $from * 1e9 + 1000 and .func == \"delayed_work_timer_fn\" and .work == null))")" '[]' \
		"$release: no delayed work without its function"
}

# A CPU that comes online during the run is counted: each exit has a cause, but for the last one.
judge_online() {
	local exits causes
	exits=$(rows online "$SAMPLES | map(.cpus[] | select(.cpu == 1).idle_exits) | add // 0")
	causes=$(rows online "$SAMPLES | map(.cpus[] | select(.cpu == 1).wakeups) | add // 0")
	num "$exits" -ge 20 "$release: a CPU that comes online leaves idle $exits times"
	num "$((exits - causes))" -le 1 "$release: for $causes causes"
}

judge() { # NAME
	results "$1" || return
	is "$(cat "$G/quiet.err")" '' "$release: no message"
	judge_sum
	judge_load sleeper '.tid == PID and .cause == "hrtimer" and .func == "hrtimer_wakeup"' 'a sleeper'
	judge_load waker ".tid == PID and $SENT" 'a task that wakes another CPU'
	judge_load children ".comm == \"wake)r (1\" and $SENT" 'tasks that exit at once'
	for run in sleeper waker; do judge_woke $run; done
	judge_works
	is "$(rows children "$ROWS | map(select((.tid // 0) > 0 and .comm == null))")" '[]' "$release: no task without a name"
	is "$(rows quiet "$ROWS | map(select(.func != null and (.func | startswith(\"tick_\"))).tid) | unique")" '[0]' "$release: the tick is of no task"
	judge_online
	is "$(cat "$G/table.err")" '' "$release: the other formats"
	like "$(cat "$G/table")" 'Total of 2 samples, .*Histogram [(]of [0-9]+ idle periods' "$release: summary and histogram"
	like "$(cat "$G/prom")" 'idle_exits_total[{]cpu="1"[}] [1-9]' "$release: metrics"
}

for name in "${kernels[@]}"; do
	boot "$name" "$name" -n 2 -m 512 -t 600 -f "$EVENTSTAT" -f "$HELPERS/wakeload" \
		-f "$TOP/tests/vm/guest-wakeups.sh" -- guest-wakeups.sh
done
wait
for name in "${kernels[@]}"; do judge "$name"; done
done_testing
