#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor numa: its calls, the policy of the run, and kernels and containers that lack the calls.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq
stress --numa 2 --numa-ops=3 -t 600
if [ "$(of numa .status)" = skip ]; then
	is "$status" 4 "skipped: $(of numa .reason)"
	done_testing
fi
is "$status $(of numa '[.status, .ops] | @csv')" '0 "pass",6' 'two instances: as many ops as asked for'
num "$(metric numa parts)" -ge 5 'most calls work here'
stress --numa 1 --spoil -t 600
like "$status $(of numa .reason)" '^2 [a-z_]+: page 128 contains [0-9]+ instead of [0-9]+$' 'a changed page is found'

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	# CALL INJECTION: a run in which the call does so
	inject() { run strace -f -qq -o "$TMP/trace" -e signal=none -e trace="$1" -e inject="$1:$2" "$STRESSORS" --numa 1 --numa-ops=2 --json="$TMP/rows" -t 600; }
	run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=get_mempolicy,set_mempolicy,mbind,move_pages,migrate_pages "$STRESSORS" --numa 1 --numa-ops=1 -t 600
	for mode in MPOL_BIND MPOL_INTERLEAVE MPOL_PREFERRED MPOL_DEFAULT; do
		is "$(grep -c "set_mempolicy($mode, .*= 0" "$TMP/trace")" 1 "set_mempolicy: $mode"
	done
	is "$(grep -c 'mbind(.*, 1048576, MPOL_BIND, .*= 0' "$TMP/trace")" "$(grep -c 'mbind(.*, 1048576, MPOL_DEFAULT, .*= 0' "$TMP/trace")" 'each binding of memory ends'
	is "$(grep -c 'move_pages(0, 256, .*= 0' "$TMP/trace") $(grep -c 'migrate_pages(0, .*= 0' "$TMP/trace")" '2 1' 'pages of the instance alone'
	inject get_mempolicy error=ENOSYS
	is "$status $(of numa '"\(.status): \(.reason)"')" '4 skip: this kernel has no memory policies (CONFIG_NUMA)' 'a kernel without them'
	inject get_mempolicy error=EPERM
	is "$status $(of numa '"\(.status): \(.reason)"')" '4 skip: get_mempolicy: Operation not permitted' 'a container that permits nothing'
	inject mbind error=EPERM
	like "$status $(of numa '"\(.status): \(.reason)"')" '^0 pass: left out: .*mbind \(Operation not permitted\)' 'one call that is not permitted is left out'
	inject set_mempolicy retval=0
	like "$status $(of numa .reason)" '^2 set_mempolicy: policy [0-9]+ instead of [0-9]+$' 'a policy that is not set is found'
	inject mbind error=EFAULT
	is "$status $(of numa .reason)" '2 mbind: Bad address' 'an error that is no lack is a failure'
else
	skip 'needs strace, and ptrace(2)' 11
fi
done_testing
