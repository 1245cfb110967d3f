#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor malloc: which functions it calls, how much memory it has, and no memory.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
stress --malloc 2 --malloc-ops=20000 -t 600
is "$status $(of malloc '[.status, .ops] | @csv')" '0 "pass",40000' 'two instances: as many ops as asked for'
is "$(metric malloc 'time per allocation' | awk '{ print ($1 > 0) }')" 1 'a time per allocation'
stress --malloc 1 --malloc-ops=20001 --malloc-pthreads=3 --malloc-max=256 -t 600
is "$status $(of malloc '[.status, .ops] | @csv')" '0 "pass",20001' 'threads: as many ops as asked for'
stress --malloc 1 --malloc-ops=20000 --malloc-max=256 --malloc-touch --malloc-trim --malloc-zerofree --malloc-thresh=4k -t 600
is "$status $(of malloc '[.status, .ops, .reason] | @csv')" '0 "pass",20000,' 'all options'
stress --malloc 1 --malloc-ops=3000 --malloc-max=32 --malloc-bytes=16m --malloc-touch -t 600
is "$status $(of malloc .status)" '0 pass' 'large blocks'
stress --malloc 1 --spoil -t 600
like "$status $(of malloc .reason)" '^2 a block of [0-9]+ bytes has changed, (before it is freed|before realloc|after realloc)$' 'a changed block is found'

bg_group "$STRESSORS" --malloc 1 --malloc-pthreads=2 --malloc-touch --malloc-max=1024 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"malloc".*"ops":[1-9]'
instance=$(pgrep -P "$bg_pid")
# shellcheck disable=SC2012 # names are numbers
is "$(ls "/proc/$instance/task" | wc -l)" 3 '--malloc-pthreads: two threads, and one that waits'
many_ops() { [ "$(last_ops malloc)" -gt 20000 ]; }
wait_for many_ops
peak=$(awk '$1 == "VmHWM:" { print $2 * 1024 }' "/proc/$instance/status")
kill -INT "$bg_pid"
reap "$bg_pid"
run "$STRESSORS" --malloc 1 --malloc-pthreads=2 --malloc-touch --malloc-max=1024 -n
memory=$(sed -n 's/.*# memory: \([0-9.]*\) MiB.*/\1/p' <<<"$out" | awk '{ print int($1 * 1048576) }')
num "$peak" -lt $((memory + (8 << 20))) 'no more memory than it declares'
num "$peak" -gt $((memory / 4)) 'and not far less'

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null && "$STRESSORS" --version | grep -q .; then
	# glibc makes a mapping of its own for each block of this size or more.
	mappings() {
		run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=mmap "$STRESSORS" --malloc 1 --malloc-ops=300 --malloc-bytes=64k --malloc-max=64 -t 600 "$@"
		wc -l <"$TMP/trace"
	}
	few=$(mappings) many=$(mappings --malloc-thresh=1k)
	if ldd "$STRESSORS" | grep -q 'libc\.so\.6'; then
		num "$many" -gt $((few + 50)) '--malloc-thresh: blocks are mappings'
	else
		skip 'needs glibc'
	fi
else
	skip 'needs strace, and ptrace(2)'
fi
# shellcheck disable=SC2016 # the inner shell's
run bash -c 'ulimit -v 50000 && exec "$@"' sh "$STRESSORS" --malloc 1 --malloc-bytes=4m --malloc-max=256 --malloc-ops=2000 --max-memory=1g --json="$TMP/rows" -t 600
is "$status $(of malloc .status)" '0 pass' 'less memory than it may use is no failure'
stress --malloc 1 --malloc-ops=1 --max-memory=4m -t 600
is "$status $(of malloc .status)" '0 pass' 'a default fits into --max-memory'
done_testing
