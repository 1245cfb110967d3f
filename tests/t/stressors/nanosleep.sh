#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor nanosleep: its threads, its sleeps, and sleeps that end before their time are found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep

stress --nanosleep 2 --nanosleep-ops=103 -t 600
is "$status $(of nanosleep '[.status, .ops] | @csv')" '0 "pass",206' 'two instances: no more ops than asked for'
is "$(of nanosleep '[.metrics[].value > 0] | all')" true 'metrics'
is "$(of nanosleep '.metrics | map({(.name): .value}) | add | .latest >= .late')" true 'the latest sleep is not before the mean'

bg_group "$STRESSORS" --nanosleep 1 --nanosleep-threads=5 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"nanosleep".*"ops":[1-9]'
instance=$(pgrep -P "$bg_pid")
# shellcheck disable=SC2012 # names are numbers
is "$(ls "/proc/$instance/task" | wc -l)" 6 '--nanosleep-threads, beside the one that waits'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of nanosleep .status)" '130 interrupted' 'a signal ends it'

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	run strace -f -qq -o "$TMP/trace" -e signal=none -e trace='?nanosleep,?clock_nanosleep,?clock_nanosleep_time64' -- \
		"$STRESSORS" --nanosleep 1 --nanosleep-ops=40 -t 600
	num "$(grep -c 'nanosleep(' "$TMP/trace")" -ge 40 'as many sleeps as ops'
	num "$(grep -c 'TIMER_ABSTIME' "$TMP/trace")" -ge 10 'sleeps until an absolute time'
	# Calls that return at once
	run strace -f -qq -o /dev/null -e trace='?nanosleep,?clock_nanosleep,?clock_nanosleep_time64' \
		-e inject='?nanosleep,?clock_nanosleep,?clock_nanosleep_time64:retval=0' -- "$STRESSORS" --nanosleep 1 -t 60 --json="$TMP/rows"
	is "$status $(of nanosleep .status)" '2 fail' 'sleeps that end at once are found'
	like "$(of nanosleep .reason)" '^a sleep of [0-9]+ ns ended after [0-9]+ ns$' 'and named'
else
	skip 'needs strace, and ptrace(2)' 4
fi
done_testing
