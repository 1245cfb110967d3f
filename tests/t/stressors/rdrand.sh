#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor rdrand: where the processor has the instructions, as the kernel says, it runs.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq

check() { # FLAG NAME OPTION...
	local flag=$1 name=$2
	shift 2
	stress --rdrand 2 --rdrand-ops=31 -t 600 "$@"
	if ! grep -qw "$flag" /proc/cpuinfo; then
		is "$status $(of rdrand '"\(.status): \(.reason)"')" "4 skip: this CPU has no $name" "$name: it is skipped"
		skip "$name: this CPU has none" 2
		return
	fi
	is "$status $(of rdrand '[.status, .ops] | @csv')" '0 "pass",62' "$name: as many ops as asked for"
	is "$(metric rdrand 'random bits' | awk '{ print ($1 > 0) }')" 1 "$name: a rate"
	stress --rdrand 1 --spoil -t 600 "$@"
	like "$(of rdrand .reason)" "^number 2 of $name is 0x[0-9a-f]+, which equals the previous one or has all bits set" "$name: equal numbers are found"
}
check rdrand RDRAND
check rdseed RDSEED --rdrand-seed
done_testing
