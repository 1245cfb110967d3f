#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor timerfd: the timers that the kernel has, reads that do not come before their time, and what is missing.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep prlimit

begin=${EPOCHREALTIME/./}
stress --timerfd 2 --timerfd-freq=1000 --timerfd-fds=1 --timerfd-ops=50 -t 600
took=$((${EPOCHREALTIME/./} - begin))
is "$status $(of timerfd '[.status, .ops] | @csv')" '0 "pass",100' 'two instances: no more ops than asked for'
num $took -ge 50000 '50 reads of a timer with 1000 Hz need 50 ms'
stress --timerfd 1 --timerfd-freq=5000 --timerfd-fds=3 --timerfd-ops=100 -t 600
is "$(of timerfd '[.metrics[].value] | .[0] > 0 and .[0] <= .[1] and .[1] <= 15000')" true \
	'reads and expirations: no more than the frequency of three timers'
stress --timerfd 1 --timerfd-rand --timerfd-ops=100 -t 600
is "$status $(of timerfd '[.metrics[].value] | .[0] == .[1]')" '0 true' '--timerfd-rand: an expiration for each read'

bg_group "$STRESSORS" --timerfd 1 --timerfd-fds=5 --timerfd-freq=2000 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"timerfd".*"ops":[1-9]'
instance=$(pgrep -P "$bg_pid")
is "$(awk '$1 == "clockid:" { clock = $2 } $1 == "it_interval:" { print clock, $2 $3 }' "/proc/$instance/fdinfo/"* | sort | uniq -c | xargs)" \
	'5 1 (0,500000)' \
	'five timers of CLOCK_MONOTONIC with the period'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of timerfd .status)" '130 interrupted' 'a signal ends it'

run prlimit --nofile=30 -- "$STRESSORS" --timerfd 1 --timerfd-fds=100 -t 600 --json="$TMP/rows"
is "$status $(of timerfd '"\(.status): \(.reason)"')" '3 no-resource: timerfd_create: Too many open files' 'more timers than descriptors: a lack'
if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	armed() { # OPTION...: how often a timer is armed in 20 ops
		run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=timerfd_settime -- "$STRESSORS" --timerfd 1 --timerfd-fds=1 \
			--timerfd-ops=20 -t 600 "$@"
		grep -c 'timerfd_settime(' "$TMP/trace"
	}
	is "$(armed) $(armed --timerfd-rand)" '1 21' '--timerfd-rand: a timer is armed again for each expiration'
else
	skip 'needs strace, and ptrace(2)'
fi
done_testing
