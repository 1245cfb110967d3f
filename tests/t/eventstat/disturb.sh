#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# seconds: 6
# The tool disturbs nobody who traces, and nobody's settings disturb it.  Beside perf(1): accuracy.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
need_tracefs
need_timers
able_methods

# Somebody else's instance, off: what is set in one does not reach another.
other=$instances/other.$$
mkdir "$other" || skip_all 'needs to make a trace instance'
trap 'echo 0 >"$other/events/enable"; rmdir "$other"; tap_cleanup' EXIT
echo 'common_pid > 0' >"$other/events/timer/hrtimer_start/filter"
echo 1 >"$other/events/timer/hrtimer_start/enable"
echo "comm == \"tiny$$\"" >"$other/events/sched/sched_process_exec/filter" 2>/dev/null
echo 1 >"$other/events/sched/sched_process_exec/enable"
cp "$HELPERS/tiny" "$TMP/tiny$$"
settings() { (cd "$other" && cat set_event events/timer/hrtimer_start/{enable,filter} events/sched/sched_process_exec/{enable,filter} tracing_on); }
execs() { grep -c "sched_process_exec: .*/tiny$$ " "$other/trace"; }

# FILE: what an strace of the tool shows of files of tracefs that were opened for writing, made or removed
writes() {
	grep -E 'O_(WRONLY|RDWR|CREAT|TRUNC)|mkdirat|unlinkat|renameat' "$1" |
		grep -E '"(events|options|instances|set_|trac|buffer|current_|snapshot|per_cpu)' | grep -v ' = -1 '
}

for method in "${methods[@]}"; do
	: >"$other/trace"
	before=$(settings)
	start --interval=0.2 --method="$method"
	for ((i = 0; i < 12; i++)); do "$TMP/tiny$$"; done
	echo 0 >"$other/tracing_on"
	mv "$TMP/rows" "$TMP/first"
	measure "$method" -t 0.5 sleep 2 200
	echo 1 >"$other/tracing_on"
	finish
	is "$(execs)" 12 "$method: another tracer has its events, all of them"
	is "$(settings)" "$before" "$method: another tracer's filter and events are as they were"
	judge_starts "$method: another tracer's tracing_on is not ours"
	is "$([ -s "$TMP/first" ] && lost "$TMP/first")" 0 "$method: it runs beside a tracer of the same events"

	if have_cmd strace; then
		run strace -f -y -o "$TMP/strace" "$EVENTSTAT" -q --method="$method" 0.1 2
		is "$status" 0 "$method: under strace"
		is "$(writes "$TMP/strace")" '' "$method: it writes to no file of tracing"
	else
		skip 'needs strace, which is not installed' 2
	fi
done
done_testing
