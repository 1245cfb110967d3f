#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor sendfile: the bytes that its calls move are those that it reports, and data that is lost is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq

stress --sendfile 2 --sendfile-ops=200
is "$status $(of sendfile '[.status, .ops] | @csv')" '0 "pass",400' 'two instances: no more ops than asked for'
is "$(metric sendfile throughput | awk '{ print ($1 > 0) }')" 1 'a rate'
for size in 5000 1m; do
	stress --sendfile 1 --sendfile-ops=5 --sendfile-size=$size
	is "$status $(of sendfile '[.status, .ops] | @csv')" '0 "pass",5' "$size"
done

can_inject || done_testing
run strace -f -qq -o "$TMP/trace" -e trace=splice,tee,vmsplice,sendfile "$STRESSORS" --sendfile 1 --sendfile-ops=10 --sendfile-size=16k -t 600 -q
# CALL: the sum of the results of all such calls
moved() { sed -n "s/^[0-9]* *$1(.*) = \([0-9]*\)\$/\1/p" "$TMP/trace" | awk '{ n += $1 } END { printf "%d", n }'; }
# A comparison sends some more.
num "$(moved sendfile)" -ge $((10 * 16384)) 'the bytes of the file'
# CALL INJECT: such calls of the instance have another result than the kernel's
with() {
	rm -f "$TMP/rows"
	run strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:$2" "$STRESSORS" --sendfile 1 --sendfile-ops=3 -t 600 --json="$TMP/rows"
	result="$status $(of sendfile '.status, .reason' | xargs)"
}
with sendfile retval=100:when=2
is "$result" '2 fail the offset is 0 instead of 100' 'the offset does not follow'
with sendfile error=EIO:when=2
is "$result" '2 fail sendfile to /dev/null: Input/output error' 'an error'
done_testing
