#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor full: what it needs, and that a device that is not full, or not zero, is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq unshare

stress --full 2 --full-ops=50
is "$status $(of full '[.status, .ops] | @csv')" '0 "pass",100' 'two instances: no more ops than asked for'
is "$(metric full parts) $(of full .reason)" '9 null' 'all parts work'
is "$(metric full 'time per part' | awk '{ print ($1 > 0) }')" 1 'a time'

# DEVICE: it is in the place of /dev/full, in a mount namespace of its own
in_place() {
	rm -f "$TMP/rows"
	# shellcheck disable=SC2016 # the inner shell's
	run unshare -rm bash -c 'mount --bind "$1" /dev/full && shift && exec "$@"' sh "$1" "$STRESSORS" --full 1 --full-ops=2 -t 600 \
		--json="$TMP/rows"
	result="$status $(of full '.status, .reason' | xargs)"
}
: >"$TMP/file"
if unshare -rm mount --bind "$TMP/file" /dev/full 2>/dev/null; then
	in_place /dev/zero
	is "$result" '4 skip /dev/full is not the device of that name' 'another device'
	in_place "$TMP/file"
	is "$result" '4 skip /dev/full is not the device of that name' 'a file'
else
	skip 'another device: needs a mount namespace' 2
fi

if can_inject; then
	# CALL INJECT: each such call on /dev/full has another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -P /dev/full -e trace="$1" -e inject="$1:$2" "$STRESSORS" --full 1 --full-ops=1 -t 600 \
			--json="$TMP/rows"
		result="$status $(of full '.status, .reason' | xargs)"
	}
	with write retval=1
	is "$result" '2 fail write: write to the device: result 1 instead of the error: No space left on device' 'a write that succeeds'
	with pwrite64 error=EIO
	is "$result" '2 fail pwrite: pwrite to the device: error: Input/output error; expected: No space left on device' 'another error'
	with read retval=0
	like "$result" '^2 fail read: 0 bytes instead of [0-9]+$' 'a short read'
	with lseek error=EINVAL
	is "$result" '2 fail lseek: Invalid argument' 'a seek that fails'
fi
done_testing
