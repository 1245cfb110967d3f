#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor zero: its device, its metric, and that a wrong result of a call is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq unshare

stress --zero 2 --zero-ops=200
is "$status $(of zero '[.status, .ops] | @csv')" '0 "pass",400' 'two instances: no more ops than asked for'
is "$(metric zero 'read' | awk '{ print ($1 > 0) }')" 1 'a metric'

# Another device in the place of /dev/zero, in a mount namespace of its own
if unshare -rm mount --bind /dev/full /dev/zero 2>/dev/null; then
	rm -f "$TMP/rows"
	# shellcheck disable=SC2016 # the inner shell's
	run unshare -rm bash -c 'mount --bind /dev/full /dev/zero && exec "$@"' sh "$STRESSORS" --zero 1 --zero-ops=2 -t 600 --json="$TMP/rows"
	is "$status $(of zero '.status, .reason' | xargs)" '4 skip /dev/zero is not the device of that name' 'another device'
else
	skip 'another device: needs a mount namespace'
fi

if can_inject; then
	# CALL INJECT: each such call on the device has another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -P /dev/zero -e trace="$1" -e inject="$1:$2" "$STRESSORS" --zero 1 --zero-ops=3 -t 600 \
			--json="$TMP/rows"
		result="$status $(of zero '.status, .reason' | xargs)"
	}
	with read retval=65536
	is "$result" '2 fail 65536 bytes are not all zero' 'bytes that are not zero'
	with read retval=7
	is "$result" '2 fail 7 bytes were read instead of 65536' 'a short read'
	with write retval=7
	is "$result" '2 fail 7 bytes were written instead of 65536' 'a short write'
	with mmap error=ENOMEM
	is "$result" '3 no-resource mmap: Cannot allocate memory' 'a lack'
fi
done_testing
