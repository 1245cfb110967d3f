#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# run by: check-live
# seconds: 30
# timeout: 120
# eventstat --wakeups on a quiet machine: its sums against the kernel's own events, and loads that know how often they
# wake a CPU.  What cannot be said of a busy CPU is skipped.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
need_tracefs
run "$EVENTSTAT" --wakeups -q 0.1 1
[ "$status" = 0 ] || skip_all "${err##*: }"

# --- records
ROWS='map(select(.type == "wakeups"))'
SAMPLES='map(select(.type == "wakeup_sample"))'
record() { # OPTION...: with JSON in $TMP/rows; $idle is the share of the CPUs' time, percent, in which they were idle
	local after
	idle=$(cpu_times)
	run "$EVENTSTAT" --wakeups --json="$TMP/rows" "$@"
	after=$(cpu_times)
	idle=$(awk -v a="$idle" -v b="$after" 'BEGIN { split(a, x); split(b, y); printf "%d", 100 * (y[1] - x[1]) / (y[2] - x[2] + 1e-9) }')
	is "$status $err" '0 ' "${*} ends well"
}
cpu_times() { awk '/^cpu / { for (i = 2; i <= 9; i++) n += $i; print $5 + $6, n }' /proc/stat; } # IDLE ALL, in ticks

# --- every exit from idle has a cause
# ENTRIES NAME SLACK: the causes are those of so many sleeps, up to 1 % and SLACK of each CPU
adds_up() {
	local slack=$(($1 / 100 + $3 * $(nproc)))
	diag "$2: $1; $causes causes, $unknown unknown"
	if [ "$1" -lt 50 ] || [ "$idle" -lt 80 ]; then
		skip "$2: the CPUs sleep $1 times and are idle for $idle %" 2
		return
	fi
	num "$causes" -ge $(($1 - slack)) "as many causes as $2, $1"
	num "$causes" -le $(($1 + slack)) 'not more'
}
CPUIDLE=/sys/devices/system/cpu/cpu0/cpuidle/state0/usage
cat >"$TMP/usage" <<'END'
usage() { cat /sys/devices/system/cpu/cpu*/cpuidle/state*/usage | awk '{ n += $1 } END { print n }'; }
usage >"$1.before"
sleep 5
usage >"$1.after"
END
if [ -r "$CPUIDLE" ]; then
	record -q 1 -- sh "$TMP/usage" "$TMP/usage"
	causes=$(jqs "$ROWS | map(.wakeups) | add // 0") unknown=$(jqs "$SAMPLES | map(.unknown) | add // 0")
	adds_up $(($(cat "$TMP/usage.after") - $(cat "$TMP/usage.before"))) 'entries into the states of cpuidle' 10 # between other instants
	exits=$(jqs "$SAMPLES | map(.idle_exits) | add // 0")
	if [ "$idle" -ge 80 ]; then
		num "$unknown" -le $((causes / 50 + 1)) 'unknown: at most 2 %'
		num "$exits" -le $((causes + causes / 100 + $(nproc))) 'exits, which are counted apart from the causes'
		num "$exits" -ge $((causes - causes / 100 - $(nproc))) 'not fewer'
	else
		skip "the CPUs are idle for $idle % only" 3
	fi
else
	skip 'needs cpuidle' 6
fi

# The trace of a CPU, in an instance of its own.  On some virtual machines not all CPUs are in it.
instance=$(mktemp -d "$instances/sysmon-test.XXXXXX" 2>/dev/null)
end_trace() {
	[ -z "$instance" ] || { echo 0 >"$instance/events/enable" && rmdir "$instance"; }
	tap_cleanup
}
# CPU and time of each exit, in seconds of CLOCK_MONOTONIC.
trace_exits() {
	awk '/ cpu_idle: state=4294967295 / { for (i = 1; i <= NF; i++)
		if ($i ~ /^[0-9]+[.][0-9]+:$/) print $NF, substr($i, 1, length($i) - 1) }' "$instance/trace"
}
count_exits() { # of CPU 0 in the samples' time
	local from to
	read -r from to < <(jqs "$SAMPLES | [.[0].mono_ns / 1e9 - .[0].dt_s, .[-1].mono_ns / 1e9] | @tsv" | jq -r .)
	awk -v from="$from" -v to="$to" '$1 == "cpu_id=0" && $2 > from && $2 <= to { n++ } END { print n + 0 }' "$TMP/exits"
}
lost_events() { awk '$1 == "overrun:" { n += $2 } END { print n + 0 }' "$instance"/per_cpu/cpu*/stats; }
trap end_trace EXIT
if [ -n "$instance" ]; then
	echo mono >"$instance/trace_clock"
	echo 16384 >"$instance/buffer_size_kb"
	echo 1 >"$instance/events/power/cpu_idle/enable"
	record -q --histogram 1 5
	echo 0 >"$instance/events/power/cpu_idle/enable"
	trace_exits >"$TMP/exits"
	causes=$(jqs "$SAMPLES | map(.cpus[] | select(.cpu == 0).wakeups) | add // 0")
	unknown=$(jqs "$SAMPLES | map(.cpus[] | select(.cpu == 0).unknown) | add // 0")
	if [ "$(lost_events)" = 0 ]; then
		adds_up "$(count_exits)" 'traced exits of CPU 0' 2
	else
		skip 'the trace lost events' 2
	fi
else
	skip 'needs a trace instance' 3
	record -q --histogram 1 3
fi

# --- the histogram of the same run
sleeps=$(jqs 'map(select(.type == "sleeps"))[0] | .count')
sum=$(jqs "$SAMPLES | map(.wakeups) | add // 0")
num "$sleeps" -ge $((sum - sum / 50 - 2 * $(nproc))) "--histogram: the sleeps of the rows, $sum"
num "$sleeps" -le $((sum + sum / 50 + 2 * $(nproc))) 'not more'

# --- loads
cpu=$(($(nproc) - 1))
# WHAT TIMES MS [FROM]: the load in $pid, $times and $idle, and its rows; not 0: the CPU was busy, or others woke it so
# often that they were first for many of the load's
wakes() {
	for _ in 1 2; do
		run "$EVENTSTAT" --wakeups -q --json="$TMP/rows" 1 -- "$HELPERS/wakeload" "$1" "$cpu" "${@:2}"
		read -r pid times idle <<<"$err"
		others=$(($(jqs "$SAMPLES | map(.cpus[] | select(.cpu == $cpu).idle_exits) | add // 0") - ${times:-0}))
		[ "$status" != 0 ] || [ "${idle:-0}" -lt 90 ] || [ "$others" -gt "$times" ] || return 0
	done
	return 1
}
SENT='(.cause == "call" or .cause == "reschedule" or .cause == "flag")'
sum_of() { jqs "$ROWS | map(select($1).wakeups) | add // 0"; }
# The first cause counts: now and then it is another timer or the tick.
blamed() { # COUNT NAME
	num "$1" -ge $((times * 85 / 100)) "$2: $1 of $times"
	num "$1" -le $((times + 2)) "$2: not more"
}
if wakes sleep 300 10; then
	blamed "$(sum_of ".tid == $pid and .pid == $pid and .cause == \"hrtimer\" and .func == \"hrtimer_wakeup\"")" 'a sleeper'
	is "$(jqs "$ROWS | map(select(.tid == $pid).comm) | unique")" '["wake)r (1"]' 'its name'
else
	skip "CPU $cpu is busy (idle $idle %, $others other wakeups)" 3
fi
if [ "$cpu" = 0 ]; then
	skip 'needs two CPUs' 6
else
	if wakes pipe 300 10 0; then
		blamed "$(sum_of ".tid == $pid and $SENT")" 'a task that wakes another CPU'
		is "$(jqs "$ROWS | map(select(.tid == $pid and $SENT).comm) | unique")" '["wake)r (1"]' 'its name'
	else
		skip "CPU $cpu is busy (idle $idle %, $others other wakeups)" 3
	fi
	if wakes pipe 200 0 0; then
		blamed "$(sum_of ".comm == \"wake)r (1\" and $SENT")" 'tasks that exit at once'
		num "$(jqs "$ROWS | map(select(.comm == \"wake)r (1\" and $SENT).tid) | unique | length")" -ge $((times * 80 / 100)) 'each of them'
	else
		skip "CPU $cpu is busy (idle $idle %, $others other wakeups)" 3
	fi
fi
done_testing
