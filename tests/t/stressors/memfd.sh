#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor memfd: its files as the kernel shows them, holes and seals, and few descriptors.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
page=$(getconf PAGESIZE)
few=(--memfd 1 --memfd-bytes=4m --memfd-fds=8)
stress --memfd 2 --memfd-bytes=1m --memfd-fds=8 --memfd-ops=103 -t 600
is "$status $(of memfd '[.status, .ops] | @csv')" '0 "pass",206' 'two instances: no more ops than asked for'
for name in files 'time per memfd_create'; do
	is "$(metric memfd "$name" | awk '{ print ($1 > 0) }')" 1 "metric: $name"
done
stress "${few[@]}" --spoil -t 600
like "$status $(of memfd .reason)" '^2 byte 0: [0-9a-f]{16} instead of [0-9a-f]{16} ' 'a wrong word is found'

rm -f "$TMP/rows"
bg_group "$STRESSORS" "${few[@]}" --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"memfd".*"ops":[1-9]'
instance=$(pgrep -P "$bg_pid")
files() { grep -c ' rw-s .* /memfd:stressors (deleted)' "/proc/$instance/maps"; }
# It is stopped then.
# shellcheck disable=SC2317 # called by wait_for
has_several() {
	kill -CONT "$instance"
	kill -STOP "$instance"
	wait_for is_stopped "$instance"
	n=$(files)
	[ "$n" -gt 1 ]
}
ok 'files at the same time' wait_for has_several
num "$n" -le 8 'no more than asked for'
for fd in "/proc/$instance/fd/"*; do
	[[ $(readlink "$fd") != /memfd:stressors* ]] || break
done
is "$(stat -Lc '%s %h' "$fd")" "$((4 << 17)) 0" 'each with its part of the memory'
kill -CONT "$instance"
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of memfd .status)" '130 interrupted' 'a signal ends it'

# shellcheck disable=SC2016 # the inner shell's
limited() { run bash -c 'ulimit -n "$0" && exec "$@"' "$1" "$STRESSORS" --memfd 1 --memfd-bytes=1m --memfd-ops=40 --json="$TMP/rows" -t 600; }
limited 20
is "$status $(of memfd '[.status, .ops] | @csv')" '0 "pass",40' 'few descriptors are no failure'
if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	inject() { run strace -f -qq -o "$TMP/trace" -e signal=none -e trace="$1" -e inject="$1:$2" "$STRESSORS" "${few[@]}" --json="$TMP/rows" -t 600; }
	run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=memfd_create,fallocate,fcntl,lseek "$STRESSORS" "${few[@]}" --memfd-ops=3 -t 600
	is "$status $(grep -c 'memfd_create.*MFD_ALLOW_SEALING) *= [0-9]' "$TMP/trace") $(grep -c "FALLOC_FL_PUNCH_HOLE, $page, $page) *= 0" "$TMP/trace")" '0 3 3' 'a hole in each file'
	is "$(grep -c 'F_ADD_SEALS, .*F_SEAL_WRITE) *= -1 EBUSY' "$TMP/trace") $(grep -cE 'F_ADD_SEALS, F_SEAL_SHRINK\|F_SEAL_GROW\|F_SEAL_WRITE\) *= 0' "$TMP/trace")" '3 3' \
		'seals, refused while it is mapped'
	inject memfd_create error=EMFILE
	is "$status $(of memfd .reason)" "3 memfd_create of $((4 << 17)) bytes: Too many open files" 'no descriptor: no resource'
	inject memfd_create error=ENOSYS
	is "$status $(of memfd .status)" '4 skip' 'a kernel without memfd_create'
	inject lseek retval=0:when=1
	like "$status $(of memfd .reason)" "^2 a hole from 0 to [0-9]+ instead of $page to $((2 * page))\$" 'a wrong hole is found'
	inject fcntl retval=0:when=3
	is "$status $(of memfd .reason)" '2 seals 0 instead of 0xe' 'a wrong seal is found'
else
	skip 'needs strace, and ptrace(2)' 6
fi
run "$STRESSORS" --memfd 2 --memfd-bytes=4m --memfd-fds=8 -n
like "$out" '--memfd 2 --memfd-bytes 4M --memfd-fds 8  # memory: 8.0 MiB' '-n shows the memory'
stress --memfd 1 --memfd-ops=1 --max-memory=8m -t 600
is "$status $(of memfd .status)" '0 pass' 'a default fits into --max-memory'
done_testing
