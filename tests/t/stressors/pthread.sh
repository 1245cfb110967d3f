#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor pthread: the kernel has created as many threads as it says, and those that cannot be created are no failure.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq

stress --pthread 2 --pthread-ops=100 --pthread-max=30 -t 600
is "$status $(of pthread '[.status, .ops] | @csv')" '0 "pass",200' 'two instances: no more ops than asked for'
is "$(metric pthread 'time per thread' | awk '{ print ($1 > 0) }')" 1 'a time'
is "$(metric pthread 'failed calls')" 0 'no call fails'

run bash -c 'ulimit -v 100000; exec "$@"' sh "$STRESSORS" --pthread 1 --pthread-ops=3000 --pthread-max=2000 -t 600 -q --json="$TMP/rows"
is "$status $(of pthread '[.status, .ops] | @csv')" '0 "pass",3000' 'fewer at the same time than there is address space for'
like "$(of pthread .reason)" '^pthread_create failed [0-9]+ times: ' 'and a note of it'

if can_inject; then
	# INJECT...: the calls that create a thread
	threads() {
		run strace -f -qq -o "$TMP/trace" -e trace=clone,clone3 ${1+-e inject="$1"} "$STRESSORS" --pthread 1 --pthread-ops=50 \
			--pthread-max=20 -t "${2-600}" -q --json="$TMP/rows"
		result="$status $(of pthread '.status, .ops, .reason' | xargs)"
	}
	threads
	is "$result $(grep -c CLONE_THREAD "$TMP/trace")" '0 pass 50 null 50' 'threads that the kernel has created'
	threads clone3:error=EAGAIN:when=30
	is "$result" '0 pass 50 pthread_create failed 1 times: Resource temporarily unavailable' 'one that is not created'
	threads clone3:error=EAGAIN 0.5
	grep -q clone3 "$TMP/trace" && is "${result%% pthread*}" '3 no-resource 0' 'none is created' || skip 'this C library calls clone'
fi
done_testing
