#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor cache: the size of its buffer, its moves, and its instructions.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
stress --cache 2 --cache-ops=300 --cache-size=64k -t 600
is "$status $(of cache '[.status, .ops] | @csv')" '0 "pass",600' 'two instances: as many ops as asked for'
is "$(metric cache 'time per line' | awk '{ print ($1 > 0) }')" 1 'a time per line'
stress --cache 1 --cache-ops=300 --cache-size=64k --cache-enable-all --cache-no-affinity -t 600
is "$status $(of cache '[.status, .ops, .reason] | @csv')" '0 "pass",300,' 'all instructions'
for i in fence sfence prefetch flush clflushopt clwb cldemote; do
	stress --cache 1 --cache-ops=100 --cache-size=64k --cache-$i -t 600
	has=yes
	case $i in clflushopt | clwb | cldemote) grep -qw $i /proc/cpuinfo || has=no ;; esac
	reason=$(of cache .reason)
	if [ $has = yes ] && [ "$(uname -m)" = x86_64 ]; then
		is "$status $reason" '0 null' "--cache-$i"
	else
		like "$status $reason" "^0 (null|--cache-$i is not used: this processor does not have the instruction)\$" "--cache-$i: without the instruction"
	fi
done
stress --cache 1 --spoil --cache-size=1m -t 600
like "$status $(of cache .reason)" '^2 byte [0-9]+: [0-9a-f]{16} instead of [0-9a-f]{16} ' 'a line that has changed is found'

# The largest private mapping without a name is the buffer; bytes.
buffer() {
	local range rest
	while read -r range rest; do
		[[ $rest != *[a-z/\[]* || $rest =~ ^rw-p\ [0-9a-f]+\ 00:00\ 0\ *$ ]] && echo $((0x${range#*-} - 0x${range%-*}))
	done <"/proc/$1/maps" | sort -n | tail -n 1
}
start() { # OPTION...
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" --cache 1 --json="$TMP/rows" --interval=0.05 -t 600 "$@" >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"cache".*"ops":[1-9]'
	instance=$(pgrep -P "$bg_pid")
}
end() {
	kill -INT "$bg_pid"
	reap "$bg_pid"
}
# OPTION... SIZE: about so many bytes; the C library's own mappings may be beside it
sized() {
	start "${@:1:$#-1}"
	num "$(buffer "$instance")" -ge "${*: -1}" "$*: at least" && num "$(buffer "$instance")" -lt $((${*: -1} + (1 << 20))) "$*: no more"
	end
}
sized --cache-size=3m $((3 << 20))
index=
for i in /sys/devices/system/cpu/cpu0/cache/index*; do
	[ "$(cat "$i/level")" != 2 ] || index=$i
done
if [ -n "$index" ] && [ -s "$index/size" ] && [ -s "$index/ways_of_associativity" ]; then
	size=$(($(tr -d K <"$index/size") << 10)) ways=$(cat "$index/ways_of_associativity")
	sized --cache-level=2 --cache-size=1g --max-memory=2g $size
	sized --cache-level=2 --cache-ways=1 --cache-size=1g --max-memory=2g $((size / ways / 4096 * 4096))
else
	skip 'the cache of level 2 is not shown' 4
fi

cpus=$(nproc)
if [ "$cpus" -gt 1 ] && have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	calls() { # OPTION...
		run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=sched_setaffinity "$STRESSORS" --cache 1 --cache-ops=256 --cache-size=64k -t 600 "$@"
		grep -c 'sched_setaffinity(.*= 0' "$TMP/trace"
	}
	is "$(calls)" 4 'it moves after each 64 ops'
	is "$(sed -n 's/.*\[\([0-9]*\)[] .].*/\1/p' "$TMP/trace" | uniq | wc -l)" 4 'each time to another CPU'
	is "$(calls --cache-no-affinity)" 0 '--cache-no-affinity: it does not'
else
	skip 'needs two CPUs, and strace' 3
fi
stress --cache 1 --cache-size=4m --max-memory=1m
is "$status $(of cache .reason)" '3 needs 4 MB of memory and may use 1 MB; --max-memory permits more' 'a size that was asked for does not fit'
done_testing
