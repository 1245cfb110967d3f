#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor rmap: its mappings as the kernel shows them, its calls, and what others change in its file.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
mkdir "$TMP/work"
cd "$TMP/work" || exit 2
page=$(getconf PAGESIZE)
pages=67

stress --rmap 2 --rmap-ops=5000 -t 600
is "$status $(of rmap '[.status, .ops] | @csv')" '0 "pass",10000' 'two instances: as many ops as asked for'
is "$(metric rmap mappings | awk '{ print ($1 > 0) }')" 1 'a rate'
stress --rmap 1 --spoil -t 600
like "$status $(of rmap .reason)" '^2 page [0-9]+( of the file)?: mark 0x[0-9a-f]+ instead of ' 'a wrong mark is found'

start() {
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" --rmap 1 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"rmap".*"ops":[1-9]'
	instance=$(pgrep -P "$bg_pid")
}
# PID: the mappings of the file as "PAGE PAGES", one a line
mappings() {
	local range offset
	grep ' rw-s .*stressors-scratch-.*(deleted)' "/proc/$1/maps" | while read -r range _ offset _; do
		echo $((0x$offset / page)) $(((0x${range#*-} - 0x${range%-*}) / page))
	done
}
start
mapfile -t members < <(pgrep -P "$instance")
is "${#members[@]}" 16 '16 processes'
for i in 0 15; do
	is "$(mappings "${members[i]-}")" "$(for ((p = 0; p < 64; p++)); do echo "$p 4"; done)" "process $i: 64 mappings that overlap"
done
for fd in "/proc/$instance/fd/"*; do
	[[ $(readlink "$fd") != *'/stressors-scratch-'*' (deleted)' ]] || break
done
is "$(stat -Lc '%h %s' "$fd")" "0 $((pages * page))" 'a file without a name'
head -c $((pages * page)) /dev/urandom | dd of="$fd" bs=$((pages * page)) iflag=fullblock conv=notrunc 2>/dev/null
reap "$bg_pid"
is "$status" 2 'the file is overwritten: found'
like "$(of rmap .reason)" '^page [0-9]+( of the file)?: mark 0x[0-9a-f]+ instead of ' 'and named'

start
mapfile -t all < <(in_group)
kill -KILL "${all[@]}"
reap "$bg_pid" 2>/dev/null
ok 'SIGKILL of all: no process is left' wait_for group_gone
is "$(find . -type f)" '' 'and no file'

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	run strace -f -qq --seccomp-bpf -e signal=none -e trace=msync -o "$TMP/trace" "$STRESSORS" --rmap 1 --rmap-ops=$((16 * 16)) -t 600
	calls=$(grep -c "msync(.*, $((4 * page)), MS_SYNC" "$TMP/trace")
	is "$status $((calls >= 1 && calls <= 16))" '0 1' 'msync of whole mappings, seldom'
	run strace -f -qq --seccomp-bpf -e signal=none -e trace=msync -e inject=msync:error=EIO -o "$TMP/trace" "$STRESSORS" --rmap 1 --json="$TMP/rows" -t 600
	is "$status $(of rmap .reason)" '2 msync: Input/output error' 'a call that fails is a failure'
else
	skip 'needs strace, and ptrace(2)' 2
fi
done_testing
