#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor shm: its objects as the kernel shows them, a full /dev/shm, and that nothing is left.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
few=(--shm 1 --shm-bytes=1m --shm-objs=5)
mine="stressors-shm-$(id -u)-"
left() { find /dev/shm -maxdepth 1 -name "$mine*" -printf '%f '; }
# Another run of the user may have a name for a moment.
# shellcheck disable=SC2317 # called by wait_for
none_left() { [ -z "$(left)" ]; }

stress --shm 2 --shm-bytes=64k --shm-objs=5 --shm-ops=103 -t 600
is "$status $(of shm '[.status, .ops] | @csv')" '0 "pass",206' 'two instances: no more ops than asked for'
for name in objects 'time per shm_open' 'time per shm_unlink'; do
	is "$(metric shm "$name" | awk '{ print ($1 > 0) }')" 1 "metric: $name"
done
ok 'nothing is left' wait_for none_left
stress "${few[@]}" --spoil -t 600
like "$status $(of shm .reason)" '^2 byte 0: [0-9a-f]{16} instead of [0-9a-f]{16} ' 'a wrong word is found'

start() {
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" "${few[@]}" --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"shm".*"ops":[1-9]'
	instance=$(pgrep -P "$bg_pid")
}
objects() { grep -c " rw-s .* /dev/shm/$mine.*(deleted)" "/proc/$instance/maps"; }
# It is stopped then.
# shellcheck disable=SC2317 # called by wait_for
has_several() {
	kill -CONT "$instance"
	kill -STOP "$instance"
	wait_for is_stopped "$instance"
	n=$(objects)
	[ "$n" -gt 1 ]
}
start
ok 'objects at the same time, without names' wait_for has_several
num "$n" -le 5 'no more than asked for'
for fd in "/proc/$instance/fd/"*; do
	[[ $(readlink "$fd") != "/dev/shm/$mine"* ]] || break
done
is "$(stat -Lc '%s %h %a %u' "$fd")" "1048576 0 600 $(id -u)" 'of the size that was asked for, for the user alone'
kill -KILL "$instance"
reap "$bg_pid"
is "$status $(of shm .reason)" '2 killed by SIGKILL' 'an instance is killed'
ok 'and nothing is left' wait_for none_left

# One that is killed between the two calls leaves a name, which the next run removes.
: >"/dev/shm/${mine}0"
stress "${few[@]}" --shm-ops=3 -t 600
is "$status $(of shm .status)" '0 pass' 'an object was left: no failure'
ok 'and it is removed' wait_for none_left

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=openat,unlink "$STRESSORS" "${few[@]}" --shm-ops=12 -t 600
	is "$status $(grep -o "openat(.*/dev/shm/${mine}0\|unlink(\"/dev/shm/${mine}0" "$TMP/trace" | cut -d'(' -f1 | uniq | uniq -c | xargs)" \
		"0 $(for ((i = 0; i < 12; i++)); do echo 1 openat 1 unlink; done | xargs)" 'each name is removed at once'
	run strace -f -qq -o /dev/null -e signal=none -e trace=fallocate -e inject=fallocate:error=ENOSPC:when=4+ "$STRESSORS" "${few[@]}" --json="$TMP/rows" --shm-ops=20 -t 600
	like "$status $(of shm '"\(.status) \(.reason)"')" '^3 no-resource shm_open of 1048576 bytes: No space left on device$' 'no memory for one object'
	run strace -f -qq -o /dev/null -e signal=none -e trace=fallocate -e inject=fallocate:error=ENOSPC:when=5+5 "$STRESSORS" "${few[@]}" --json="$TMP/rows" --shm-ops=7 -t 600
	is "$status $(of shm '[.status, .ops] | @csv')" '0 "pass",7' 'memory for some is no failure'
	run strace -f -qq -o /dev/null -e signal=none -e trace=unlink -e inject=unlink:error=EACCES:when=1+ "$STRESSORS" "${few[@]}" --json="$TMP/rows" -t 600
	is "$status $(of shm .reason)" '2 shm_unlink: Permission denied' 'a name that cannot be removed is a failure'
	rm -f "/dev/shm/${mine}0"
else
	skip 'needs strace, and ptrace(2)' 4
fi
if unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's
	run unshare -m bash -c 'mount -t tmpfs -o size=2m none /dev/shm && exec "$@"' sh "$STRESSORS" "${few[@]}" --shm-ops=20 --json -t 600
	is "$status $(jq -r 'select(.type == "result") | [.status, .ops] | @csv' <<<"$out")" '0 "pass",20' 'a small /dev/shm is no failure'
else
	skip 'needs mount namespaces'
fi
run "$STRESSORS" --shm 2 --shm-bytes=1m --shm-objs=4 -n
like "$out" '--shm 2 --shm-bytes 1M --shm-objs 4  # memory: 8.0 MiB' '-n shows the memory'
stress --shm 1 --shm-objs=4 --shm-ops=1 --max-memory=1m -t 600
is "$status $(of shm .status)" '0 pass' 'a default fits into --max-memory'
done_testing
