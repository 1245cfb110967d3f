#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor sysbadaddr: the kernel has seen bad addresses only, and no call of it has another result than an error.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq
mkdir "$TMP/work"
cd "$TMP/work" || exit 2

stress --sysbadaddr 2 --sysbadaddr-ops=2000
is "$status $(of sysbadaddr '[.status, .ops] | @csv')" '0 "pass",4000' 'two instances: no more ops than asked for'
is "$(metric sysbadaddr 'time per call' | awk '{ print ($1 > 0) }')" 1 'a time'
out=$(of sysbadaddr '.reason // "0"' | grep -o '^[0-9]*')
calls=$(metric sysbadaddr calls)
num $((calls + out)) -ge 70 'calls, and those that are left out'
is "$(ls -A)" '' 'no file is made'

# INJECT: a call has another result than the kernel's, in a run of one round
with() {
	rm -f "$TMP/rows"
	run strace -f -qq -o /dev/null -e trace="${1%%:*}" -e inject="$1" "$STRESSORS" --sysbadaddr 1 --sysbadaddr-ops=1000 -t 600 -q \
		--json="$TMP/rows"
	result="$status $(of sysbadaddr '"\(.status) \(.reason)"')"
}
if can_inject; then
	run strace -ff -qq -o "$TMP/trace" "$STRESSORS" --sysbadaddr 1 --sysbadaddr-ops=600 -t 600 -q --json="$TMP/rows"
	expect_exit 0 'under strace'
	# A file of each process: the child is the one that calls statfs; its first call of the table is read.
	sed -n '/^read(.*NULL/,$p' "$(grep -l '^statfs(NULL' "$TMP"/trace.*)" | grep -v '^---\|^rt_sigreturn\|^exit_group' >"$TMP/calls"
	is "$(grep -vc '= -1 E' "$TMP/calls")" 0 'no call of the child succeeds'
	is "$(wc -l <"$TMP/calls")" 600 'as many as ops'
	num "$(grep -c '= -1 EFAULT' "$TMP/calls")" -ge 500 'most with EFAULT'
	num "$(sed 's/(.*//' "$TMP/calls" | sort -u | wc -l)" -ge 65 'different calls'
	is "$(grep -cE '^(kill|tkill|tgkill|mount|umount2|reboot|swapon|clock_settime|settimeofday|init_module|setuid|sethostname|keyctl)\(' \
		"$TMP/calls")" 0 'none that could harm'

	with getresgid:retval=0
	is "$result" '2 fail getresgid with NULL returns 0' 'a call that succeeds'
	with mincore:error=EIO
	is "$result" '2 fail mincore with NULL: Input/output error' 'another error'
	with mincore:error=ENOSYS
	like "$result" '^0 pass [0-9]+ left out: ' 'a call that is absent'
	with mincore:error=ENOMEM
	is "$result" '3 no-resource mincore with NULL: Cannot allocate memory' 'a lack is no failure'
fi
done_testing
