#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# seconds: 9
# Delayed works and --woke against the kernel's own trace.  Not every virtual machine has all CPUs in its trace, or in
# BPF at all times, so that only lower bounds hold here; tests/vm/wakeups.sh has exact ones.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
need_tracefs
need_timers
instance=$(mktemp -d "$instances/sysmon-test.XXXXXX" 2>/dev/null)
[ -n "$instance" ] || skip_all 'needs a trace instance'
end_trace() {
	echo 0 >"$instance/events/enable"
	rmdir "$instance"
	tap_cleanup
}
trap end_trace EXIT
echo mono >"$instance/trace_clock"
echo 8192 >"$instance/buffer_size_kb"

# --- the functions of works whose timers expired
for e in timer/timer_expire_entry workqueue/workqueue_queue_work; do echo 1 >"$instance/events/$e/enable"; done
run "$EVENTSTAT" -x -q --json="$TMP/rows" 1 4
echo 0 >"$instance/events/enable"
is "$status $err" '0 ' 'a run'
cp "$instance/trace" "$TMP/trace"
TIMERS='map(select(.type == "timers"))'
# The callbacks that samples before the third showed are known by then, on every kernel.  On a busy machine the counters
# are read some time after the time of their sample: the trace is counted from half a second later.
read -r from to < <(jqs 'map(select(.type == "sample")) | [.[1].mono_ns / 1e9, .[-1].mono_ns / 1e9] | @tsv' | jq -r .)
awk -v from="$(jq -n "$from + 0.5")" -v to="$to" -f "$TOP/tests/lib/works.awk" "$TMP/trace" >"$TMP/works"
diag "$(tr '\n' ' ' <"$TMP/works")"
if [ -s "$TMP/works" ]; then
	while read -r n name; do
		got=$(jqs "$TIMERS | map(select(.mono_ns > $from * 1e9 + 1 and .work == \"$name\").expiries) | add // 0")
		num "$got" -ge $((n - 2)) "expired timers of $name: $n"
	done <"$TMP/works"
else
	skip 'no timer of a delayed work expired'
fi
is "$(jqs "$TIMERS | map(select(.work != null).func) | unique - [\"delayed_work_timer_fn\"]")" '[]' 'the callback of all of them'

# --- filters and groups, of what is there
name=$(jqs "$TIMERS | map(.work // empty)[0] // empty" | jq -r .)
if [ -n "$name" ]; then
	for glob in "$name" "work:$name" 'delayed_work_timer_*'; do
		run "$EVENTSTAT" -x -q --json="$TMP/rows" --func="$glob" -g function 0.5 4
		is "$status $err" '0 ' "--func=$glob"
		is "$(jqs "$TIMERS | map(.work != null and (\"$glob\" | startswith(\"delayed\") or endswith(\"$name\"))) | all")" true 'only works'
		is "$(jqs "$TIMERS | group_by(.mono_ns) | map(map([.work, .kind]) | length == (unique | length)) | all")" true 'a row for each'
	done
else
	skip 'no delayed work' 9
fi
run "$EVENTSTAT" -x -q --json="$TMP/rows" --method=perf 0.5 2
[ "$status" != 0 ] || is "$(jqs "$TIMERS | map(.work // empty)")" '[]' 'perf does not know the function'

# --- the task that ran first
cpu=$(($(nproc) - 1))
run "$EVENTSTAT" --wakeups -q 0.1 1
if [ "$status" != 0 ]; then
	skip "${err##*: }" 5
	done_testing
fi
echo >"$instance/trace"
echo 'prev_pid == 0 && next_comm == "wake)r (1"' >"$instance/events/sched/sched_switch/filter"
echo 1 >"$instance/events/sched/sched_switch/enable"
run "$EVENTSTAT" --wakeups --woke -q --json="$TMP/rows" --csv="$TMP/csv" 0.5 -- "$HELPERS/wakeload" sleep "$cpu" 200 5
echo 0 >"$instance/events/enable"
is "$status" 0 'a sleeper with a name of its own'
read -r pid times idle <<<"$err"
traced=$(grep -c 'sched_switch:' "$instance/trace")
WOKE='map(select(.type == "wakeups" and .woke == "wake)r (1"))'
woke=$(jqs "$WOKE | map(.wakeups) | add // 0")
diag "of $times: $woke; traced: $traced; the CPU was idle for $idle %"
num "$woke" -le $((times + 10)) 'not more often than it slept'
[ "$traced" = 0 ] || num "$woke" -ge $((traced * 9 / 10 - 3)) "as often as the kernel traced it, $traced"
is "$(jqs "$WOKE | map(.woke_kthread) | unique - [false]")" '[]' 'it is not a kernel thread'
is "$(jqs 'map(select(.type == "wakeups" and (.woke // "" | test("^(rcu_preempt|ksoftirqd/.*|kworker/.*)$"))).woke_kthread) | unique - [true]')" '[]' 'kernel threads are'
is "$(jqs "map(select(.type == \"wakeups\" and .woke == null and .woke_kthread != null)) | length")" 0 'nothing ran: no kind'
done_testing
