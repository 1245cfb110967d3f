#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quiet
# needs: root
# timeout: 200
# The tool disturbs nobody who traces, and nobody's settings disturb it.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
own_tracefs
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
	start --interval=0.5 --method="$method"
	for ((i = 0; i < 12; i++)); do "$TMP/tiny$$"; done
	echo 0 >"$other/tracing_on"
	mv "$TMP/rows" "$TMP/first"
	measure "$method" -t 2 sleep 2 200
	echo 1 >"$other/tracing_on"
	finish
	is "$(execs)" 12 "$method: another tracer has its events, all of them"
	is "$(settings)" "$before" "$method: another tracer's filter and events are as they were"
	judge_unless_lost "$method: another tracer's tracing_on is not ours"
	is "$([ -s "$TMP/first" ] && lost "$TMP/first")" 0 "$method: it runs beside a tracer of the same events"

	if have_cmd strace; then
		run strace -f -y -o "$TMP/strace" "$EVENTSTAT" -q --method="$method" 0.2 2
		is "$status" 0 "$method: under strace"
		is "$(writes "$TMP/strace" | grep -vE "/instances/eventstat\.[0-9]+[>\"/]|\"instances/eventstat\.[0-9]+\"")" '' \
			"$method: it writes to no file of tracing but those of its own instance"
		[ "$method" != tracefs ] || isnt "$(writes "$TMP/strace")" '' "$method: to its own instance it does"
	else
		skip 'needs strace, which is not installed' 2
	fi
done

# perf(1) on the same events sees all of its own, whichever method runs.
recorded() { # how many sleeps of the sleepers perf has: in their name the kernel starts other timers, too
	perf script -i "$TMP/perf.data" -F comm,event,trace 2>/dev/null | grep -c '^ *sleeper .*timer:hrtimer_start.*function=hrtimer_wakeup'
}
if have_cmd perf; then
	for method in "${methods[@]}"; do
		start --interval=0.5 --method="$method"
		run perf record -q -a -m 4M -e timer:hrtimer_start -o "$TMP/perf.data" -- \
			"$HELPERS/timerload" -o "$TMP/truth" -t 2 sleep 4 400
		is "$status" 0 "$method: perf record runs beside it"
		finish
		within "$(recorded)" "$(awk -F'\t' '{ n += $4 } END { print n }' "$TMP/truth")" 30 4
		is $? 0 "$method: perf has its $(recorded) events"
		judge_unless_lost "$method: beside perf"
	done
else
	skip 'needs perf, which is not installed'
fi
done_testing
