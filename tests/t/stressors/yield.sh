#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor yield: two processes on one CPU that the kernel switches, and a yield for each op.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep

stress --yield 2 --yield-ops=101 -t 600
is "$status $(of yield '[.status, .ops] | @csv')" '0 "pass",202' 'two instances: no more ops than asked for'
stress -y 1 --yield-ops=5000 -t 600
is "$(of yield '.metrics | map({(.name): .value}) | add | .yields > 0 and ."time per yield" > 0 and
	."yields that switched" >= 0 and ."yields that switched" <= 100')" true '-y, metrics'

bg_group "$STRESSORS" --yield 1 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"yield".*"ops":[1-9]'
mapfile -t partners < <(pgrep -P "$(pgrep -P "$bg_pid")")
is "${#partners[@]}" 2 'two processes'
status_of() { sed -n "s/^$1:\t//p" "/proc/${partners[$2]}/status"; }
like "$(status_of Cpus_allowed_list 0) $(status_of Cpus_allowed_list 1)" '^([0-9]+) \1$' 'on the same CPU'
# Neither sleeps: each switch is one that a yield, or the scheduler's tick, has made.
# shellcheck disable=SC2317 # called by wait_for
switches() { [ "$(status_of nonvoluntary_ctxt_switches 0)" -gt 100 ] && [ "$(status_of nonvoluntary_ctxt_switches 1)" -gt 100 ]; }
ok 'the kernel switches between them' wait_for switches
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of yield .status)" '130 interrupted' 'a signal ends it'

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=sched_yield -- "$STRESSORS" --yield 1 --yield-ops=50 -t 600
	is "$(grep -c 'sched_yield(' "$TMP/trace")" 50 'a call for each op'
	run strace -f -qq -o /dev/null -e signal=none -e trace=sched_yield -e inject=sched_yield:error=EPERM -- \
		"$STRESSORS" --yield 1 -t 60 --json="$TMP/rows"
	is "$status $(of yield .reason)" '2 sched_yield: Operation not permitted' 'a call that fails'
else
	skip 'needs strace, and ptrace(2)' 2
fi
stress --yield 1 --spoil -t 60
like "$(of yield .reason)" '^another process has run on its CPU [0-9]+ times, but the kernel has switched [0-9]+ times$' \
	'more changes than switches are found'
done_testing
