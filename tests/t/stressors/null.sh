#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor null: its device, its metric, and that a wrong result of a call is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq unshare

stress --null 2 --null-ops=200
is "$status $(of null '[.status, .ops] | @csv')" '0 "pass",400' 'two instances: no more ops than asked for'
is "$(metric null 'time per write' | awk '{ print ($1 > 0) }')" 1 'a metric'

# Another device in the place of /dev/null, in a mount namespace of its own
if unshare -rm mount --bind /dev/full /dev/null 2>/dev/null; then
	rm -f "$TMP/rows"
	# shellcheck disable=SC2016 # the inner shell's
	run unshare -rm bash -c 'mount --bind /dev/full /dev/null && exec "$@"' sh "$STRESSORS" --null 1 --null-ops=2 -t 600 --json="$TMP/rows"
	is "$status $(of null '.status, .reason' | xargs)" '4 skip /dev/null is not the device of that name' 'another device'
else
	skip 'another device: needs a mount namespace'
fi

if can_inject; then
	# CALL INJECT: each such call on the device has another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -P /dev/null -e trace="$1" -e inject="$1:$2" "$STRESSORS" --null 1 --null-ops=3 -t 600 \
			--json="$TMP/rows"
		result="$status $(of null '.status, .reason' | xargs)"
	}
	with read retval=1
	is "$result" '2 fail 1 bytes were read instead of none' 'bytes that can be read'
	with write retval=0
	like "$result" '^2 fail 0 bytes were written instead of [0-9]+$' 'a short write'
	with write error=EIO
	is "$result" '2 fail write: Input/output error' 'an error'
fi
done_testing
