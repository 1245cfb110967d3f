#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor splice: the bytes that its calls move are those that it reports, and data that is lost is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq

stress --splice 2 --splice-ops=200
is "$status $(of splice '[.status, .ops] | @csv')" '0 "pass",400' 'two instances: no more ops than asked for'
is "$(metric splice throughput | awk '{ print ($1 > 0) }')" 1 'a rate'
for size in 5000 1m; do
	stress --splice 1 --splice-ops=5 --splice-bytes=$size
	is "$status $(of splice '[.status, .ops] | @csv')" '0 "pass",5' "$size"
done

can_inject || done_testing
run strace -f -qq -o "$TMP/trace" -e trace=splice,tee,vmsplice,sendfile "$STRESSORS" --splice 1 --splice-ops=10 --splice-bytes=16k -t 600 -q
# CALL: the sum of the results of all such calls
moved() { sed -n "s/^[0-9]* *$1(.*) = \([0-9]*\)\$/\1/p" "$TMP/trace" | awk '{ n += $1 } END { printf "%d", n }'; }
is "$(grep -c 'tee(' "$TMP/trace")" 1 'one comparison'
num "$(moved splice)" -ge $((2 * 10 * 16384)) 'each byte goes in and out'
# CALL INJECT: such calls of the instance have another result than the kernel's
with() {
	rm -f "$TMP/rows"
	run strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:$2" "$STRESSORS" --splice 1 --splice-ops=3 -t 600 --json="$TMP/rows"
	result="$status $(of splice '.status, .reason' | xargs)"
}
with tee error=EINVAL
is "$result" '2 fail tee: Invalid argument' 'an error'
with splice error=EINVAL:when=1
is "$result" '0 pass this kernel cannot splice from /dev/zero; a file is used instead' 'a kernel that cannot splice from /dev/zero'
done_testing
