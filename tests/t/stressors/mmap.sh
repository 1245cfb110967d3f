#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor mmap: its system calls and its faults as the kernel sees them, and what its options change in them.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq pgrep
page=$(getconf PAGESIZE)
size=$((96 * page)) # one and a half windows

stress --mmap 2 --mmap-bytes=$size --mmap-ops=1000 -t 600
is "$status $(of mmap '[.status, .ops] | @csv')" '0 "pass",2000' 'two instances: no more ops than asked for'
for call in mmap munmap; do is "$(metric mmap "time per $call" | awk '{ print ($1 > 0) }')" 1 "time per $call"; done
for option in file async madvise mprotect; do
	stress --mmap 1 --mmap-bytes=$size --mmap-$option --mmap-ops=500 -t 600
	is "$status $(of mmap '[.status, .ops] | @csv')" '0 "pass",500' "--mmap-$option"
	stress --mmap 1 --mmap-bytes=$size --mmap-$option --spoil -t 600
	like "$status $(of mmap .reason)" "^2 mapping: byte $((64 * page)): [0-9a-f]{16} instead of [0-9a-f]{16} " "--mmap-$option: what is wrong is found"
done

# CALLS OPTION...: a run of one round; what its instance has called
traced() {
	local instance
	run strace -f -qq -o "$TMP/trace" -e trace="$1" -e signal=SEGV "$STRESSORS" --mmap 1 --mmap-bytes=$size --mmap-ops=96 "${@:2}" -t 600
	instance=$(awk '{ print $1 }' "$TMP/trace" | sort | uniq -c | sort -n | awk 'END { print $2 }')
	sed -i "/^$instance /!d" "$TMP/trace"
}
count() { grep -cE "$1" "$TMP/trace"; } # REGEX: lines of the trace
if can_inject; then
	traced mmap,munmap
	is "$status $(count "mmap\(0x.*, $page, .*MAP_PRIVATE.*FIXED_NOREPLACE") $(count "munmap\(0x[0-9a-f]*, $page\)")" '0 96 96' 'each page is unmapped and mapped once'
	is "$(count 'SIGSEGV.*SEGV_MAPERR') $(count 'SIGSEGV.*SEGV_ACCERR')" '96 0' 'a fault in each page that was unmapped'
	mapfile -t unmapped < <(sed -n "s/.*munmap(\\(0x[0-9a-f]*\\), $page).*/\\1/p" "$TMP/trace" | sort)
	mapfile -t faulted < <(sed -n 's/.*SEGV_MAPERR, si_addr=\(0x[0-9a-f]*\)}.*/\1/p' "$TMP/trace" | sort)
	is "${faulted[*]}" "${unmapped[*]}" 'the faults are at the pages that were unmapped'
	is "$(printf '%s\n' "${unmapped[@]}" | uniq | wc -l)" 96 'all pages are'

	traced mprotect --mmap-mprotect
	is "$status $(count "mprotect\(0x[0-9a-f]*, $page, PROT_READ\)") $(count "mprotect\(0x[0-9a-f]*, $page, PROT_NONE\)")" '0 96 96' '--mmap-mprotect: each page is protected'
	is "$(count 'SIGSEGV.*SEGV_ACCERR')" 192 '--mmap-mprotect: each access that is not permitted faults'
	traced memfd_create,fallocate,msync --mmap-file
	is "$status $(count "fallocate\(.*, 0, 0, $size\) += 0") $(count "msync\(0x[0-9a-f]*, $page, MS_SYNC\)")" '0 1 96' '--mmap-file: the file has its blocks, and pages are written back'
	traced memfd_create,msync --mmap-async
	is "$status $(count memfd_create) $(count "msync\(0x[0-9a-f]*, $page, MS_ASYNC\)")" '0 1 96' '--mmap-async: the same, without waiting'
	traced madvise --mmap-madvise
	is "$status $(count "madvise\(0x[0-9a-f]*, $page, MADV_")" '0 96' '--mmap-madvise: an advice for each page'
	# The kernel ignores the protection: the page stays as it was.
	run strace -f -qq -o /dev/null -e signal=none -e trace=mprotect -e inject=mprotect:retval=0:when=20+ "$STRESSORS" --mmap 1 \
		--mmap-bytes=$size --mmap-mprotect --json -t 600
	like "$status $(jq -r 'select(.type == "result").reason' <<<"$out")" '^2 a (write to a page that may only be read|read of a page without access) does not fault$' \
		'--mmap-mprotect: a page that is not protected is found'
	run strace -f -qq -o /dev/null -e signal=none -e trace=munmap -e inject=munmap:retval=0:when=20+ "$STRESSORS" --mmap 1 \
		--mmap-bytes=$size --json -t 600
	is "$status $(jq -r 'select(.type == "result").reason' <<<"$out")" '2 a read of a page that was unmapped does not fault' 'a page that is not unmapped is found'
else
	skip 'strace cannot trace here' 11
fi

# The file has no name, and its memory is that of the instance.
bg "$STRESSORS" --mmap 1 --mmap-bytes=$size --mmap-file --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"mmap".*"ops":[1-9]'
instance=$(pgrep -P "$bg_pid")
is "$(stat -Lc '%h %s' "/proc/$instance/fd/"* 2>/dev/null | grep -cx "0 $size")" 1 '--mmap-file: a file without a name'
kill -SEGV "$instance"
reap "$bg_pid"
is "$status $(of mmap .reason)" '2 killed by SIGSEGV' 'a signal that was sent is no expected fault'

# LIMIT COMMAND...: a run with this limit of ulimit, with its records in $out
limited() { run bash -c "ulimit $1 && exec \"\$@\"" sh "${@:2}" --mmap 1 --json -t 600 --max-memory=1g; }
result() { jq -r "select(.type == \"result\") | $1" <<<"$out"; }
limited '-v 65536' "$STRESSORS" --mmap-bytes=128m
is "$status $(result .reason)" '3 mmap of 134217728 bytes: Cannot allocate memory' 'no memory is no failure'
limited '-f 64' "$STRESSORS" --mmap-bytes=1m --mmap-file
is "$status $(result .reason)" '3 a file of 1048576 bytes exceeds RLIMIT_FSIZE' '--mmap-file: nor is a limit of files'
run "$STRESSORS" --mmap 2 --mmap-bytes=1m -n
like "$out" '--mmap 2 --mmap-bytes 1M  # memory: 2.0 MiB' '-n shows the memory'
stress --mmap 2 --mmap-ops=1 --max-memory=1m -t 600
is "$status $(of mmap .status)" '0 pass' 'a default fits into --max-memory'
stress --mmap 1 --mmap-bytes=4m --max-memory=1m
is "$status $(of mmap .reason)" '3 needs 4 MB of memory and may use 1 MB; --max-memory permits more' 'what was asked for does not fit'
done_testing
