#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor hdd: what it writes, how its options change that, that it finds what is wrong, and that nothing is left.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
mkdir "$TMP/work"
cd "$TMP/work" || exit 2
small=(--hdd 1 --hdd-bytes=1m)

stress --hdd 2 --hdd-bytes=1m --hdd-ops=100
is "$status $(of hdd '[.status, .ops] | @csv')" '0 "pass",200' 'two instances: no more ops than asked for'
for name in transferred write read 'write and read'; do
	is "$(metric hdd "$name" | awk '{ print ($1 > 0) }')" 1 "metric: $name"
done
run "$STRESSORS" "${small[@]}" --hdd-ops=100 --yaml=-
is "$(grep -cE '^ +mbsec-(write-rate|read-rate|readwrite-combined-rate): [0-9.]+$' <<<"$out")" 3 'YAML: keys of stress-ng'
is "$(ls -A)" '' 'nothing is left'

# What the kernel counted for all processes of the run; the start of a program reads less than 1 MB.
transferred() { # OPTION...: MB that were read and written
	# shellcheck disable=SC2016 # the inner shell's
	run bash -c '"$@" >/dev/null || exit; awk "/char/ { n += \$2 } END { print int(n / 1048576) }" /proc/$$/io' sh "$STRESSORS" "$@"
}
transferred "${small[@]}" --hdd-ops=400
is "$status $out" '0 25' '400 ops of 64 KB are 25 MB (/proc/PID/io)'
transferred "${small[@]}" --hdd-ops=400 --hdd-write-size=256k --hdd-opts=iovec,wr-rnd
is "$status $out" '0 100' 'of 256 KB, in parts and at random, 100 MB'

# The rate: 4 MB at 8 MB/s do not take less than half a second, but for 5 ms.
stress "${small[@]}" --hdd-ops=65 --hdd-rate=8
is "$status $(of hdd '.wall_s >= 0.49')" '0 true' '--hdd-rate: no faster'
is "$(metric hdd transferred | awk '{ print ($1 > 0 && $1 <= 8.3) }')" 1 '--hdd-rate: and the metric says it'
stress "${small[@]}" --hdd-ops=3 --hdd-rate=1 --hdd-write-size=4m
is "$status $(metric hdd transferred | awk '{ print ($1 > 0 && $1 <= 1.6) }')" '0 1' '--hdd-rate: no blocks larger than it permits'

# What the kernel shows of the file while the instance is stopped: $fd is its descriptor.
start() { # OPTION...
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" "${small[@]}" "$@" --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"hdd".*"ops":[1-9]'
	instance=$(pgrep -P "$bg_pid")
	kill -STOP "$instance"
	wait_for is_stopped "$instance"
	for fd in "/proc/$instance/fd/"*; do
		[[ $(readlink "$fd") != *'/stressors-scratch-'*' (deleted)' ]] || return 0
	done
	return 1
}
stop() {
	kill -CONT "$instance"
	kill -INT "$bg_pid"
	reap "$bg_pid"
}
# OPTION OCTAL: the flag of open(2) is among those of the file
flag() {
	local flags
	start --hdd-opts="$1"
	flags=$(awk '/^flags:/ { print $2 }' "/proc/$instance/fdinfo/${fd##*/}")
	is "$(((0$flags & $2) == $2))" 1 "$1: the file is opened so ($flags)"
	stop
	is "$status $(of hdd .status)" '130 interrupted' "$1: works"
}
ok 'a file without a name' start
is "$(stat -Lc '%h %s %a' "$fd") $(ls -A stressors-scratch-*/hdd-0)" '0 1048576 600 ' 'of the size that was asked for, for the user alone'
stop
if [ "$(uname -m)" = x86_64 ]; then
	flag sync 04010000
	flag dsync 010000
	flag noatime 01000000
	flag direct 040000
else
	skip 'flags of open(2): their numbers are those of x86' 8
fi
for option in wr-rnd,rd-rnd rd-rnd wr-rnd,rd-seq iovec utimes fsync fdatasync syncfs fadv-{dontneed,noreuse,normal,rnd,seq,willneed} \
	direct,iovec sync,fsync,wr-rnd; do
	stress "${small[@]}" --hdd-ops=40 --hdd-opts=$option
	is "$status $(of hdd '[.status, .ops] | @csv')" '0 "pass",40' "--hdd-opts=$option"
done
stress "${small[@]}" --hdd-bytes=64k --hdd-write-size=1 --hdd-ops=500 --hdd-opts=wr-rnd
is "$status $(of hdd '[.status, .ops] | @csv')" '0 "pass",500' 'blocks of one byte'
stress "${small[@]}" --hdd-bytes=1000001 --hdd-write-size=4m --hdd-ops=20 --hdd-opts=direct,iovec
is "$status $(of hdd '[.status, .ops] | @csv')" '0 "pass",20' 'a file that is smaller than a block, and no multiple of 64 KB'

# The calls, as strace counts them.
calls() { # OPTIONS CALL: how many of it, and of writes
	rm -f "$TMP/trace"
	stress_traced -e trace="$2,pwrite64,pwritev" -o "$TMP/trace" -- --hdd-opts="$1" --hdd-ops=100
	printf '%s %s' "$(grep -c "$2(" "$TMP/trace")" "$(grep -c 'pwrite' "$TMP/trace")"
}
stress_traced() { # STRACE-OPTION... -- OPTION...
	local options=()
	while [ "$1" != -- ]; do options+=("$1") && shift; done
	run strace -f -qq -e signal=none "${options[@]}" -- "$STRESSORS" --json="$TMP/rows" "${small[@]}" -t 600 "${@:2}"
}
if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	for pair in fsync=fsync fdatasync=fdatasync syncfs=syncfs utimes=utimensat; do
		read -r commits writes <<<"$(calls "${pair%=*}" "${pair#*=}")"
		is "$commits $((writes > 0))" "$writes 1" "${pair%=*}: follows after each write"
	done
	stress_traced -e inject=fadvise64:error=EINVAL -e trace=fadvise64 -o /dev/null -- --hdd-opts=fadv-seq
	is "$status $(of hdd '"\(.status): \(.reason)"')" '4 skip: --hdd-opts=fadv-seq: posix_fadvise: Invalid argument' \
		'an option that is refused: skipped with the reason'
	stress_traced -e inject=fadvise64:error=EINVAL -e trace=fadvise64 -o /dev/null -- --hdd-opts=all --hdd-write-size=1m --hdd-ops=400
	is "$status $(of hdd '"\(.status): \(.reason)"')" '0 pass: fadv-dontneed cannot be used: posix_fadvise: Invalid argument' \
		'all: it is left out, with a note'
	stress_traced -e inject=pwrite64:error=ENOSPC:when=9+ -e trace=pwrite64 -o /dev/null --
	is "$status $(of hdd '"\(.status): \(.reason)"')" '3 no-resource: write: No space left on device' 'the disk is full: no resource'
	stress_traced -e inject=pread64:error=EIO:when=9+ -e trace=pread64 -o /dev/null --
	is "$status $(of hdd '"\(.status): \(.reason)"')" '2 fail: read: Input/output error' 'a read fails: a failure'
else
	skip 'needs strace, and ptrace(2)' 8
fi

# A file that others damage, while the instance is stopped between a write and the reading of it: it may be stopped before
# the first write of a phase, so that it overwrites what is wrong.
damaged() {
	for _ in {1..50}; do
		start || return 1
		dd if=/dev/zero of="$fd" bs=64k count=16 conv=notrunc 2>/dev/null || return 1
		kill -CONT "$instance"
		wait_for -t 5 has_exited "$instance" || kill -INT "$bg_pid"
		reap "$bg_pid"
		[ "$(of hdd .status)" != fail ] || return 0
	done
	return 1
}
ok 'what others have changed is found' damaged
like "$(of hdd .reason)" '^byte [0-9]+ of the file: 00 was read and [0-9a-f]{2} written$' 'and named'

# Whatever ends it.
start
kill -KILL "$instance"
reap "$bg_pid"
is "$status $(of hdd .reason) $(ls -A)" '2 killed by SIGKILL ' 'an instance is killed: nothing is left'
start
mapfile -t all < <(in_group)
kill -KILL "${all[@]}"
reap "$bg_pid" 2>/dev/null
wait_for group_gone
is "$(find . -type f)" '' 'SIGKILL of all: no file is left'
stress "${small[@]}" --hdd-ops=1
is "$status $(ls -A)" '0 ' 'and the next run removes the directory'

# The limit of the disk.
stress --hdd 2 --hdd-ops=8 --max-disk=4m
is "$status $(of hdd .status)" '0 pass' 'a default fits into --max-disk'
run "$STRESSORS" --hdd 2 --max-disk=4m -n
like "$out" '--hdd 2 --hdd-bytes 2M  # memory: 128.0 KiB, disk: 4.0 MiB' 'as -n shows'
stress --hdd 1 --hdd-bytes=8m --max-disk=4m
is "$status $(of hdd .reason)" '3 needs 8 MB of disk and may use 4 MB; --max-disk permits more' 'what was asked for does not'
free=$(($(stat -fc '%a * %S' .)))
run "$STRESSORS" --hdd 2 --hdd-bytes=10% -n
bytes=$(sed -nE 's/.*disk: ([0-9.]+) GiB.*/\1/p' <<<"$out")
if [ -n "$bytes" ]; then
	is "$(awk -v a="$bytes" -v b="$free" 'BEGIN { r = a * 2 ^ 30 / (b / 10); print (r > 0.9 && r < 1.1) }')" 1 \
		'a percentage is of the free disk, for all instances together'
else
	skip 'a percentage: little disk is free'
fi
done_testing
