#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor bigheap: what it asks the kernel for, that its heaps end at their size or where there is no more memory,
# and that memory is given back.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq pgrep

# Page faults of all children that this shell has waited for, and of theirs.
faults() {
	local field
	read -r -a field <"/proc/$$/stat"
	echo "${field[10]}"
}
# 1 MB is 16 growths of 64 KB.
before=$(faults)
stress --bigheap 2 --bigheap-bytes=1m --bigheap-ops=320 -t 600
is "$status $(of bigheap '[.status, .ops] | @csv')" '0 "pass",640' 'two instances: no more ops than asked for'
is "$(metric bigheap 'largest heap')" 1 'the largest heap has the size that was asked for'
is "$(metric bigheap 'time per realloc' | awk '{ print ($1 > 0) }')" 1 'time per realloc'
pages=$((40 * 1048576 / $(getconf PAGESIZE)))
if grep -qaF 'GNU C Library' "$(ldd "$STRESSORS" 2>/dev/null | sed -n 's/.*libc\.so\.6 => \(.*\) (.*/\1/p')" 2>/dev/null &&
	! grep -q '\[always\]' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null; then
	num $(($(faults) - before)) -ge $pages 'each heap has new pages of the kernel'
else
	skip 'another C library, or huge pages: what one page fault brings is not known'
fi

# Its memory while it runs.
bg "$STRESSORS" -B 1 --bigheap-bytes=8m --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"bigheap".*"ops":[1-9][0-9]{3}'
instance=$(pgrep -P "$bg_pid")
num "$(awk '$1 == "VmHWM:" { print $2 }' "/proc/$instance/status")" -lt $((8192 + 16384)) 'an instance has used no more memory than one heap'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of bigheap .status)" '130 interrupted' 'it ends by a signal'

stress --bigheap 1 --bigheap-bytes=1m --spoil -t 600
like "$status $(of bigheap .reason)" '^2 heap: byte 524288: [0-9a-f]{16} instead of [0-9a-f]{16} ' 'what is wrong in a heap is found'
stress --bigheap 1 --bigheap-bytes=1m --bigheap-growth=300k --bigheap-ops=4 --verify -t 600
is "$status $(metric bigheap 'largest heap')" '0 1' 'the last growth is the rest'

# The kernel moves the memory, and what the heap contains with it.
if can_inject; then
	run strace -f -qq -o "$TMP/trace" -e trace=mremap -e signal=none "$STRESSORS" --bigheap 1 --bigheap-bytes=1m --bigheap-ops=16 --json -t 600
	want=$(sed -n 's/.*mremap(0x[0-9a-f]*, \([0-9]*\), \([0-9]*\),.*/\2/p' "$TMP/trace" | tail -n 1)
	num "${want:-0}" -ge $((1 << 20)) 'the heap is enlarged by mremap'
	moves=$(sed -n 's/.*mremap(\(0x[0-9a-f]*\),.*= \(0x[0-9a-f]*\)$/\1 \2/p' "$TMP/trace" | awk '$1 != $2' | wc -l)
	# The C library may have moved the heap once itself: out of a small piece of memory.
	num "$(jq -r 'select(.type == "result").metrics[] | select(.name == "moves").value * 16 / 100 | round' <<<"$out")" -ge "$moves" \
		'moves: as many as the kernel has made, or more'
else
	skip 'strace cannot trace here' 2
fi

# LIMIT COMMAND...: a run with this limit of ulimit, with its records in $out
limited() { run bash -c "ulimit $1 && exec \"\$@\"" sh "${@:2}" --bigheap 1 --json -t 600 --max-memory=8g; }
result() { jq -r "select(.type == \"result\") | $1" <<<"$out"; }
limited '-v 65536' "$STRESSORS" --bigheap-bytes=1g --bigheap-ops=5000
is "$status $(result '[.status, .ops, (.metrics[] | select(.name == "largest heap").value < 64)] | @csv')" '0 "pass",5000,true' \
	'less memory than a heap may have is no failure'
limited '-v 40960' "$STRESSORS" --bigheap-bytes=1g --bigheap-growth=64m
is "$status $(result .reason)" '3 no memory for the first 67108864 bytes' 'no memory at all'
run "$STRESSORS" --bigheap 2 --bigheap-bytes=1m -n
like "$out" '--bigheap 2 --bigheap-bytes 1M  # memory: 2.0 MiB' '-n shows the memory'
stress --bigheap 2 --bigheap-ops=4 --max-memory=1m -t 600
is "$status $(of bigheap .status)" '0 pass' 'a default fits into --max-memory'
stress --bigheap 1 --bigheap-bytes=4m --max-memory=1m
is "$status $(of bigheap .reason)" '3 needs 4 MB of memory and may use 1 MB; --max-memory permits more' 'what was asked for does not fit'
done_testing
