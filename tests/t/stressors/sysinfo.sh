#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor sysinfo: values that do not agree are found, namespaces and containers are no reason to fail.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq unshare mount

stress --sysinfo 2 --sysinfo-ops=50
is "$status $(of sysinfo '[.status, .ops] | @csv')" '0 "pass",100' 'two instances: no more ops than asked for'
left_out=$(of sysinfo '.reason // ""' | grep -o '(' | wc -l)
is "$(metric sysinfo parts)" $((9 - left_out)) 'the parts that work are those that are not left out'
is "$(metric sysinfo 'time per part' | awk '{ print ($1 > 0) }')" 1 'a time'

# SCRIPT: it runs in namespaces of its own before the stressor
after() {
	rm -f "$TMP/rows"
	# shellcheck disable=SC2016 # the inner shell's
	run unshare -rmu bash -c "$1"' && exec "$@"' sh "$STRESSORS" --sysinfo 1 --sysinfo-ops=3 -t 600 --json="$TMP/rows"
	result="$status $(of sysinfo '.status, (.reason // "" | sub("^left out.*"; ""))' | xargs)"
}
echo 'MemTotal: 1 kB' >"$TMP/meminfo"
if unshare -rmu mount --bind /proc/vmstat /proc/meminfo 2>/dev/null; then
	after 'hostname another'
	is "$result" '0 pass' 'another name of the host'
	after "mount --bind '$TMP/meminfo' /proc/meminfo"
	is "$result" '0 pass' 'a meminfo that is not of the kernel is not compared'
	after 'mount --bind /proc/vmstat /proc/meminfo'
	is "$result" '2 fail sysinfo: /proc has no MemTotal' 'another file of the kernel is'
	after 'mount --bind /proc/sys/kernel/ostype /proc/sys/kernel/version'
	like "$result" '^2 fail uname: /proc has the name Linux instead of ' 'so are names'
	after 'mount -t tmpfs none /proc'
	is "$result" '0 pass' 'no /proc'
else
	skip 'other files in /proc: needs a mount namespace' 5
fi
if unshare -rT --boottime 1000000 true 2>/dev/null; then
	rm -f "$TMP/rows"
	run unshare -rT --boottime 1000000 "$STRESSORS" --sysinfo 1 --sysinfo-ops=3 -t 600 --json="$TMP/rows"
	is "$status $(of sysinfo .status)" '0 pass' 'another time since the start'
else
	skip 'another time since the start: needs a time namespace'
fi

if can_inject; then
	# CALL INJECT: each such call has another result than the kernel's
	with() {
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e trace="$1" -e inject="$1:$2" "$STRESSORS" --sysinfo 1 --sysinfo-ops=1 -t 600 \
			--json="$TMP/rows"
		result="$status $(of sysinfo '.status, .reason' | xargs)"
	}
	with times retval=0
	like "$result" '^2 fail times: -1 ticks of user time' 'a call that does nothing'
	with ustat error=ENOSYS
	like "$result" '^0 pass left out: ustat \(Function not implemented\)' 'a call that is absent'
	with fstatfs error=EIO
	is "$result" '2 fail statfs: Input/output error' 'another one that fails'
fi
done_testing
