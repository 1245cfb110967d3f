#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor timer: the timer that the kernel has, signals that do not come before their time, and what is missing.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep prlimit

begin=${EPOCHREALTIME/./}
stress --timer 2 --timer-freq=1000 --timer-ops=50 -t 600
took=$((${EPOCHREALTIME/./} - begin))
is "$status $(of timer '[.status, .ops] | @csv')" '0 "pass",100' 'two instances: no more ops than asked for'
num $took -ge 50000 '50 signals of a timer with 1000 Hz need 50 ms'
stress --timer 1 --timer-freq=5000 --timer-ops=100 -t 600
is "$(of timer '[.metrics[].value] | add > 0 and add <= 5000')" true 'signals and overruns: no more than the frequency'
stress --timer 1 --timer-rand --timer-ops=100 -t 600
is "$status $(metric timer overruns) $(metric timer 'timer signals' | awk '{ print ($1 > 0) }')" '0 0 1' '--timer-rand: no overruns'

# Of the kernel, which may not show them (CONFIG_CHECKPOINT_RESTORE).
bg_group "$STRESSORS" --timer 1 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"timer".*"ops":[1-9]'
instance=$(pgrep -P "$bg_pid")
if [ -r "/proc/$instance/timers" ]; then
	is "$(sed -n 's/^\(notify\|ClockID\): *//p' "/proc/$instance/timers" | xargs)" "signal/pid.$instance 1" \
		'one timer of CLOCK_MONOTONIC that sends a signal'
else
	skip 'needs /proc/PID/timers'
fi
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of timer .status)" '130 interrupted' 'a signal ends it'

run prlimit --sigpending=0 -- "$STRESSORS" --timer 1 -t 600 --json="$TMP/rows"
is "$status $(of timer '"\(.status): \(.reason)"')" '3 no-resource: timer_create: Resource temporarily unavailable' \
	'no signal may be queued: a lack'
if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	armed() { # OPTION...: how often a timer is armed in 20 ops
		run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=timer_settime -- "$STRESSORS" --timer 1 --timer-ops=20 -t 600 "$@"
		grep -c 'timer_settime(' "$TMP/trace"
	}
	is "$(armed) $(armed --timer-rand)" '1 21' '--timer-rand: the timer is armed again for each expiration'
	run strace -f -qq -o /dev/null -e trace=timer_create -e inject=timer_create:error=ENOSYS -- "$STRESSORS" --timer 1 -t 600 --json="$TMP/rows"
	is "$status $(of timer '"\(.status): \(.reason)"')" '4 skip: timer_create: Function not implemented' 'a kernel without timers: skipped'
else
	skip 'needs strace, and ptrace(2)' 2
fi
done_testing
