#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor context: as many switches as it says, by the system calls that the C library makes for each.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq

stress --context 2 --context-ops=20 -t 600
[ "$(of context .status)" != skip ] || skip_all "$(of context .reason)"
is "$status $(of context '[.status, .ops] | @csv')" '0 "pass",40' 'two instances: no more ops than asked for'
is "$(metric context 'time per switch' | awk '{ print ($1 > 0) }')" 1 'a time'

stress --context 1 --spoil -t 600
like "$status $(of context .reason)" \
	'^2 after 2001 turns, context [0-2] has the number 0x[0-9a-f]+ instead of 0x[0-9a-f]+, and context [0-2] runs$' \
	'a number that has changed'

if can_inject; then
	run strace -f -qq -o "$TMP/trace" -e trace=rt_sigprocmask "$STRESSORS" --context 1 --context-ops=2 -t 600 -q
	expect_exit 0 'under strace'
	# Each op begins with a switch from the instance.
	num "$(grep -c 'rt_sigprocmask(SIG_SETMASK, \[' "$TMP/trace")" -ge 2002 'a call for each switch'
	run strace -f -qq -o /dev/null -e trace=rt_sigprocmask -e inject=rt_sigprocmask:error=EINVAL:when=500 "$STRESSORS" --context 1 \
		--context-ops=2 -t 600 -q --json="$TMP/rows"
	is "$status $(of context .status)" '2 fail' 'a switch that fails'
fi
done_testing
