#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor io-uring: where it is not permitted it is skipped, and requests that go wrong are found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq
mkdir "$TMP/work" && cd "$TMP/work" || exit 2

stress --io-uring 2 --io-uring-ops=20
[ "$(of io-uring .status)" != skip ] || skip_all "$(of io-uring .reason)"
is "$status $(of io-uring '[.status, .ops] | @csv')" '0 "pass",40' 'two instances: no more ops than asked for'
for name in requests 'time per write' 'time per read'; do
	is "$(metric io-uring "$name" | awk '{ print ($1 > 0) }')" 1 "a metric: $name"
done
for n in 1 33 1024; do
	stress --io-uring 1 --io-uring-entries=$n --io-uring-ops=3
	is "$status $(of io-uring '[.status, .ops] | @csv')" '0 "pass",3' "$n entries"
done
is "$(ls -A)" "" 'nothing is left in the working directory'

can_inject || done_testing
# The kernel returns how many requests it took.
run strace -f -qq -o "$TMP/trace" -e trace=io_uring_enter "$STRESSORS" --io-uring 1 --io-uring-entries=33 --io-uring-ops=4 -t 600 -q
is "$(sed -n 's/.*) = \([0-9]*\)$/\1/p' "$TMP/trace" | awk '{ n += $1 } END { print n }')" $((4 * 2 * 33)) 'the requests of four rounds'
# CALL INJECT: such calls have another result than the kernel's
with() {
	rm -f "$TMP/rows"
	run strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:$2" "$STRESSORS" --io-uring 1 --io-uring-ops=3 -t 600 --json="$TMP/rows"
	result="$status $(of io-uring '.status, .reason' | xargs)"
}
with io_uring_setup error=EPERM
is "$result" '4 skip io_uring is not permitted here (kernel.io_uring_disabled)' 'io_uring_disabled'
with io_uring_setup error=ENOSYS
is "$result" '4 skip this kernel has no io_uring (CONFIG_IO_URING), or it is filtered here' 'a kernel without it'
with io_uring_setup error=ENOMEM:when=1+
is "$result" '3 no-resource the rings: Cannot allocate memory' 'no memory'
with io_uring_enter error=EBADF:when=2
is "$result" '2 fail io_uring_enter: Bad file descriptor' 'an error'
done_testing
