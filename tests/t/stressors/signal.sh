#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor signal: its signals, and that a signal that is lost, or a wrong disposition, is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq prlimit

stress --signal 2 --signal-ops=101 -t 600
is "$status $(of signal '[.status, .ops] | @csv')" '0 "pass",202' 'two instances: no more ops than asked for'
is "$(of signal '[.metrics[].value > 0] | all')" true 'metrics'
run prlimit --sigpending=0 -- "$STRESSORS" --signal 1 -t 600 --json="$TMP/rows"
is "$status $(of signal '"\(.status): \(.reason)"')" '3 no-resource: sigqueue: Resource temporarily unavailable' \
	'no signal may be queued: a lack'

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=rt_sigqueueinfo -- "$STRESSORS" --signal 1 --signal-ops=10 -t 600
	is "$(grep -c 'rt_sigqueueinfo(' "$TMP/trace")" 40 'four signals in each round'
	with() { # CALL INJECTION
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e signal=none -e trace="$1" -e inject="$1:$2" -- "$STRESSORS" --signal 1 -t 60 --json="$TMP/rows"
	}
	with rt_sigqueueinfo retval=0:when=6
	is "$status $(of signal .reason)" '2 a signal with a handler: the handler has run 0 times instead of 1' 'a signal that is not sent'
	with rt_sigqueueinfo retval=0:when=7
	is "$status $(of signal .reason)" '2 a blocked signal is not pending' 'a signal that is not pending'
else
	skip 'needs strace, and ptrace(2)' 3
fi
done_testing
