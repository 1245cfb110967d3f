#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor brk: where the break is, by /proc and by the system calls, and what limits it.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq pgrep
page=$(getconf PAGESIZE)
size=$((64 * page))

# Page faults of all children that this shell has waited for, and of theirs.
faults() {
	local field
	read -r -a field <"/proc/$$/stat"
	echo "${field[10]}"
}
before=$(faults)
stress --brk 2 --brk-bytes=$size --brk-ops=12800 -t 600
is "$status $(of brk '[.status, .ops] | @csv')" '0 "pass",25600' 'two instances: no more ops than asked for'
num $(($(faults) - before)) -ge 12800 'the kernel counts a fault for each page that is new'
for call in growth shrink; do is "$(metric brk "time per $call" | awk '{ print ($1 > 0) }')" 1 "time per $call"; done
stress --brk 1 --brk-bytes=$size --spoil -t 600
like "$status $(of brk .reason)" '^2 heap: byte [0-9]+: [0-9a-f]{16} instead of [0-9a-f]{16} ' 'what is wrong in a page is found'
stress --brk 1 --brk-bytes=$size --brk-notouch --spoil -t 600
like "$status $(of brk .reason)" '^2 the break is at 0x[0-9a-f]+ instead of 0x[0-9a-f]+$' '--brk-notouch: a break that is wrong is found'
before=$(faults)
stress --brk 1 --brk-notouch --brk-ops=40000 -t 600
is "$status $(of brk .ops)" '0 40000' '--brk-notouch'
num $(($(faults) - before)) -lt 8000 '--brk-notouch: new pages are not touched'

# The break of an instance that is stopped, between its pages 0 and 64.
bg "$STRESSORS" --brk 1 --brk-bytes=$size --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"brk".*"ops":[1-9]'
instance=$(pgrep -P "$bg_pid")
heap() { awk -F '[- ]' '/\[heap\]$/ { end = "0x" $2 } END { print end }' "/proc/$1/maps"; }
above=$(($(heap "$instance") - $(heap "$bg_pid")))
num $above -le $((size + page)) 'the heap of an instance is no larger than it may be'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of brk .status)" '130 interrupted' 'it ends by a signal'

# What the kernel was asked for and what it said.
if can_inject; then
	run strace -f -qq -o "$TMP/trace" -e trace=brk -e signal=none "$STRESSORS" --brk 1 --brk-bytes=$size --brk-ops=200 -t 600
	instance=$(awk '{ print $1 }' "$TMP/trace" | sort | uniq -c | sort -n | awk 'END { print $2 }')
	# Its start, 200 moves, and back to where the C library has it; not the questions for the break.
	steps=$(sed -n "/(NULL/d; s/^$instance  *brk(\\(0x[0-9a-f]*\\)) *= \\(0x[0-9a-f]*\\)\$/\\1 \\2/p" "$TMP/trace" | tail -n 202 | while read -r want got; do
		[ "$want" = "$got" ] || echo refused
		echo $((got))
	done | awk -v page=$page 'NR > 1 && NR <= 201 { step = ($1 - last) / page; if (step == was) n++; else { if (n) print n * was; n = 1; was = step } }
		{ last = $1 } END { print n * was }' | xargs)
	is "$steps" '64 -64 64 -8' 'it goes up to the limit and down again, page by page'
	run strace -f -qq -o /dev/null -e signal=none -e trace=brk -e inject=brk:retval=0:when=60+ "$STRESSORS" --brk 1 --brk-bytes=$size --json -t 600
	like "$status $(jq -r 'select(.type == "result").reason' <<<"$out")" '^2 the break ' 'a break that the kernel has put elsewhere'
else
	skip 'strace cannot trace here' 2
fi

# LIMIT COMMAND...: a run with this limit of ulimit, with its records in $out
limited() { run bash -c "ulimit $1 && exec \"\$@\"" sh "${@:2}" --brk 1 --json -t 600; }
result() { jq -r "select(.type == \"result\") | $1" <<<"$out"; }
limited '-d 8192' "$STRESSORS" --brk-bytes=64m --brk-ops=10000
is "$status $(result '[.status, .ops] | @csv')" '0 "pass",10000' 'less memory than it may use is no failure'
if as_nobody test -x "$STRESSORS"; then
	nobody=()
	! have_cap setuid || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
	limited '-l 0' ${nobody[@]+"${nobody[@]}"} "$STRESSORS" --brk-mlock
	like "$status $(result .reason)" '^3 new pages cannot be locked: ' '--brk-mlock: memory that may not be locked'
else
	skip 'the program cannot be run by another user'
fi
stress --brk 1 --brk-mlock --brk-bytes=64k --brk-ops=100 -t 600
like "$status $(of brk .status)" '^(0 pass|3 no-resource)$' '--brk-mlock'
run "$STRESSORS" --brk 2 --brk-bytes=1m -n
like "$out" '--brk 2 --brk-bytes 1M  # memory: 2.0 MiB' '-n shows the memory'
stress --brk 1 --brk-bytes=4m --max-memory=1m
is "$status $(of brk .reason)" '3 needs 4 MB of memory and may use 1 MB; --max-memory permits more' 'what was asked for does not fit'
done_testing
