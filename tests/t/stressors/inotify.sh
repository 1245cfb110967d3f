#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor inotify: its watches reach the kernel, limits of the user are a lack, a wrong event is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq unshare
mkdir -m 777 "$TMP/work"
cd "$TMP/work" || exit 2

stress --inotify 2 --inotify-ops=20
is "$status $(of inotify '[.status, .ops] | @csv')" '0 "pass",40' 'two instances: no more ops than asked for'
is "$(metric inotify parts) $(of inotify .reason)" '20 null' 'all parts work'
is "$(metric inotify 'time per part' | awk '{ print ($1 > 0) }')" 1 'a time'
is "$(ls -A)" '' 'nothing is left'

# The limits of a user namespace of its own.
limited() { # LIMIT VALUE
	rm -f "$TMP/rows"
	# shellcheck disable=SC2016 # the inner shell's
	run unshare -Ur bash -c 'echo "$2" >"/proc/sys/user/$1" && shift 2 && exec "$@"' sh "$1" "$2" \
		"$STRESSORS" --inotify 1 --inotify-ops=2 -t 600 --json="$TMP/rows"
	result="$status $(of inotify '.status, .reason' | xargs)"
}
chmod 777 "$TMP"
if unshare -Ur test -w /proc/sys/user/max_inotify_watches 2>/dev/null; then
	limited max_inotify_instances 0
	is "$result" '3 no-resource inotify_init1: Too many open files' 'no instance may be made'
	limited max_inotify_watches 0
	is "$result" '3 no-resource IN_ACCESS: No space left on device' 'no watch may be made'
	limited max_inotify_watches 1
	is "$result" '3 no-resource IN_DONT_FOLLOW: No space left on device' 'one watch may be made'
	limited max_inotify_watches 2
	is "$result" '0 pass null' 'two are enough'
else
	skip 'limits: needs a user namespace' 4
fi

if can_inject; then
	# CALL INJECT N: the Nth such call of each process has another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:$2:when=$3" "$STRESSORS" --inotify 1 --inotify-ops=1 -t 600 \
			--json="$TMP/rows"
		result="$status $(of inotify '.status, .reason' | xargs)"
	}
	run strace -f -qq -o "$TMP/trace" -e trace=inotify_add_watch,inotify_rm_watch "$STRESSORS" --inotify 1 --inotify-ops=1 -t 600 -q
	masks=$(sed -n 's/.*inotify_add_watch([0-9]*, "[^"]*", \(.*\)) *=.*/\1/p' "$TMP/trace" | grep -o 'IN_[A-Z_]*' | sort -u)
	is "$(tr ' ' '\n' <<<'IN_ACCESS IN_ATTRIB IN_CLOSE_NOWRITE IN_CLOSE_WRITE IN_CREATE IN_DELETE IN_DELETE_SELF IN_DONT_FOLLOW IN_EXCL_UNLINK IN_MASK_ADD
IN_MASK_CREATE IN_MODIFY IN_MOVED_FROM IN_MOVED_TO IN_MOVE_SELF IN_ONESHOT IN_ONLYDIR IN_OPEN' | sort | comm -23 - <(echo "$masks"))" \
		'' 'each mask is used'
	with inotify_add_watch retval=7 1
	is "$result" '2 fail IN_ACCESS: event 0x1 of file is missing' 'a watch that is not set is found'
	with ioctl error=EIO 1
	is "$result" '2 fail IN_ACCESS: Input/output error' 'an error of FIONREAD is a failure'
	with inotify_rm_watch retval=0 1
	is "$result" '2 fail IN_ACCESS: event 0x8000 of  is missing' 'and one that is not removed'
fi
done_testing
