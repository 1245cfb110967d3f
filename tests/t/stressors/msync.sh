#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor msync: its calls, that it finds what others change in its file or memory, and that nothing is left.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
mkdir "$TMP/work"
cd "$TMP/work" || exit 2
small=(--msync 1 --msync-bytes=1m)

stress --msync 2 --msync-bytes=1m --msync-ops=600
is "$status $(of msync '[.status, .ops] | @csv')" '0 "pass",1200' 'two instances, more than two passes: no more ops than asked for'
for name in pages 'time per MS_SYNC' 'time per MS_INVALIDATE'; do
	is "$(metric msync "$name" | awk '{ print ($1 > 0) }')" 1 "metric: $name"
done
is "$(ls -A)" '' 'nothing is left'
if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	run strace -f -qq -e signal=none -e trace=msync -o "$TMP/trace" "$STRESSORS" "${small[@]}" --msync-ops=300
	is "$status $(grep -c 'MS_SYNC) *= 0' "$TMP/trace") $(grep -c 'MS_INVALIDATE) *= 0' "$TMP/trace")" '0 300 300' 'both calls in each op'
	is "$(grep -oE '0x[0-9a-f]+, 4096, MS_SYNC' "$TMP/trace" | head -n 256 | sort -u | wc -l)" 256 'each page once in a pass'
	run strace -f -qq -e signal=none -e trace=msync -e inject=msync:error=EIO:when=7 -o /dev/null "$STRESSORS" --json="$TMP/rows" "${small[@]}"
	is "$status $(of msync .reason)" '2 msync with MS_INVALIDATE: Input/output error' 'a call that fails is a failure'
	run strace -f -qq -e signal=none -e trace=pwrite64 -e inject=pwrite64:error=ENOSPC:when=5 -o /dev/null "$STRESSORS" --json="$TMP/rows" "${small[@]}"
	is "$status $(of msync .reason)" '3 write: No space left on device' 'a full disk is no failure'
else
	skip 'needs strace, and ptrace(2)' 4
fi

# OPTION...: the instance is stopped; $fd is the descriptor of its file.
start() {
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" "${small[@]}" "$@" --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"msync".*"ops":[1-9]'
	instance=$(pgrep -P "$bg_pid")
	kill -STOP "$instance"
	wait_for is_stopped "$instance"
	for fd in "/proc/$instance/fd/"*; do
		[[ $(readlink "$fd") != *'/stressors-scratch-'*' (deleted)' ]] || return 0
	done
	return 1
}
ok 'a file without a name' start
is "$(stat -Lc '%h %s %a' "$fd") $(ls -A stressors-scratch-*/msync-0)" '0 1048576 600 ' 'of the size that was asked for, for the user alone'
read -r range _ < <(grep ' rw-s .*(deleted)' "/proc/$instance/maps" | grep stressors-scratch)
is "$((0x${range#*-} - 0x${range%-*}))" 1048576 'all of it is mapped'
# Whatever page it is, the check comes to it.
printf '\377%.0s' {1..8} | dd of="$fd" bs=1 seek=700001 conv=notrunc 2>/dev/null
kill -CONT "$instance"
reap "$bg_pid"
is "$status" 2 'bytes of the file are changed: found'
like "$(of msync .reason)" '^byte [0-9]+ of the (mapping|file) is not the one that was written$' 'and named'

ok 'another one' start
kill -KILL "$instance"
reap "$bg_pid"
is "$status $(of msync .reason) $(ls -A)" '2 killed by SIGKILL ' 'an instance is killed: nothing is left'
ok 'a third one' start
mapfile -t all < <(in_group)
kill -KILL "${all[@]}"
reap "$bg_pid" 2>/dev/null
wait_for group_gone
is "$(find . -type f)" '' 'SIGKILL of all: no file is left'

# The size follows both limits.
stress --msync 2 --msync-ops=8 --max-disk=4m
is "$status $(of msync .status)" '0 pass' 'a default fits into --max-disk'
stress --msync 2 --msync-ops=8 --max-memory=4m
is "$status $(of msync .status)" '0 pass' 'a default fits into --max-memory'
stress --msync 1 --msync-bytes=8m --max-disk=4m
is "$status $(of msync .reason)" '3 needs 8 MB of disk and may use 4 MB; --max-disk permits more' 'what was asked for does not'
done_testing
