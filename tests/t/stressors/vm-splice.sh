#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor vm-splice: the bytes that its calls move are those that it reports, and data that is lost is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq

stress --vm-splice 2 --vm-splice-ops=200
is "$status $(of vm-splice '[.status, .ops] | @csv')" '0 "pass",400' 'two instances: no more ops than asked for'
is "$(metric vm-splice throughput | awk '{ print ($1 > 0) }')" 1 'a rate'
for size in 5000 1m; do
	stress --vm-splice 1 --vm-splice-ops=5 --vm-splice-bytes=$size
	is "$status $(of vm-splice '[.status, .ops] | @csv')" '0 "pass",5' "$size"
done

can_inject || done_testing
run strace -f -qq -o "$TMP/trace" -e trace=splice,tee,vmsplice,sendfile "$STRESSORS" --vm-splice 1 --vm-splice-ops=10 --vm-splice-bytes=16k -t 600 -q
# CALL: the sum of the results of all such calls
moved() { sed -n "s/^[0-9]* *$1(.*) = \([0-9]*\)\$/\1/p" "$TMP/trace" | awk '{ n += $1 } END { printf "%d", n }'; }
# The bytes of a comparison are read instead.
is "$(moved splice)" $((10 * 16384)) 'the bytes that go to /dev/null'
num "$(moved vmsplice)" -gt $((10 * 16384)) 'the bytes that enter the pipe'
# CALL INJECT: such calls of the instance have another result than the kernel's
with() {
	rm -f "$TMP/rows"
	run strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:$2" "$STRESSORS" --vm-splice 1 --vm-splice-ops=3 -t 600 --json="$TMP/rows"
	result="$status $(of vm-splice '.status, .reason' | xargs)"
}
with vmsplice retval=0:when=2
is "$result" '2 fail vmsplice: no bytes were moved' 'nothing is moved'
with splice error=EIO:when=2
is "$result" '2 fail splice to /dev/null: Input/output error' 'an error'
done_testing
