#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor procfs: which files it opens, that it opens none for writing, and that a wrong content is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq unshare mount

stress --procfs 2 --procfs-ops=100
is "$status $(of procfs '[.status, .ops] | @csv')" '0 "pass",200' 'two instances: no more ops than asked for'
is "$(metric procfs files | awk '{ print ($1 > 0) }') $(metric procfs read | awk '{ print ($1 > 0) }')" '1 1' 'rates'
num "$(metric procfs 'refused files')" -ge 0 'a count of what is refused'

if unshare -rm mount -t tmpfs none /proc 2>/dev/null; then
	rm -f "$TMP/rows"
	# shellcheck disable=SC2016 # the inner shell's
	run unshare -rm bash -c 'mount -t tmpfs none /proc && exec "$@"' sh "$STRESSORS" --procfs 1 --procfs-ops=1 -t 600 --json="$TMP/rows"
	is "$status $(of procfs '.status, .reason' | xargs)" '4 skip /proc is not a procfs' 'another file system in /proc'
else
	skip 'another file system in /proc: needs a mount namespace'
fi

if can_inject; then
	run strace -f -qq -y -o "$TMP/trace" -e trace=openat "$STRESSORS" --procfs 1 --procfs-ops=1000 -t 600 -q
	expect_exit 0 'under strace'
	# The mode that a file was opened with, and its path as the kernel has it; without those of the start.
	sed -n 's|.*openat([^,]*, "[^"]*", \(O_[A-Z]*\)[^<]*<\(/proc/[^>]*\)>.*|\1 \2|p' "$TMP/trace" | grep -v '/oom_score_adj$' >"$TMP/opened"
	num "$(sort -u "$TMP/opened" | wc -l)" -ge 50 'many files are opened'
	is "$(grep -v '^O_RDONLY ' "$TMP/opened")" '' 'none for writing'
	is "$(grep -E '/(kmsg|kcore|vmcore|mem|channel|event|stat_refresh|pagetypeinfo|[^/]*_pipe)$|^O_RDONLY /proc/(acpi|bus|driver|fs|scsi|tty)/' \
		"$TMP/opened")" '' 'none that waits or has an effect'
	# auxv is one of the files that setup reads.
	own=$(sed -n 's|^\([0-9]*\) .*/proc/[0-9]*/auxv>.*|\1|p' "$TMP/trace" | sort -u)
	is "$(sed -n "s|^$own .*</proc/\([0-9]*\)/\([^>]*\)>.*|\1 \2|p" "$TMP/trace" | awk -v own="$own" '$1 != own { print $2 }' | sort -u |
		grep -vxE 'cgroup|comm|io|limits|oom_score|sched|schedstat|stat|statm|status')" '' 'of other processes only what costs them nothing'

	# PATH INJECT: each reading of the file has another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -P "$1" -e trace=pread64 -e inject="pread64:$2" "$STRESSORS" --procfs 1 --procfs-ops=100000 -t 600 \
			--json="$TMP/rows"
		result="$status $(of procfs '.status, .reason' | xargs)"
	}
	with /proc/sys/kernel/ostype error=EFAULT
	is "$result" '2 fail read of sys/kernel/ostype: Bad address' 'an error that is not one of a file'
	with /proc/version retval=0
	like "$result" '^2 fail version: 0 bytes at [0-9]+ instead of [0-9]+$' 'content that is missing'
	with /proc/version error=ENOMEM
	is "$result" '3 no-resource read of version: Cannot allocate memory' 'a lack'
fi
done_testing
