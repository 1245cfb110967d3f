#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor enosys: the numbers that it calls, the process that does so, and answers that are not ENOSYS.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq pgrep

stress --enosys 2 --enosys-ops=500
is "$status $(of enosys '[.status, .ops] | @csv')" '0 "pass",1000' 'two instances: no more ops than asked for'
is "$(metric enosys 'time per call' | awk '{ print ($1 > 0) }')" 1 'a time'

rm -f "$TMP/rows"
bg "$STRESSORS" --enosys 1 -t 600 -q --json="$TMP/rows" --interval=0.05
wait_for has_line "$TMP/rows" '"type":"interval",.*"ops":[1-9]'
child=$(pgrep -P "$(pgrep -P "$bg_pid")")
is "$(sed -n 's/^\(CapEff\|CapBnd\|NoNewPrivs\):\t//p' "/proc/$child/status" | xargs)" '0000000000000000 0000000000000000 1' \
	'the child has no privileges and gets none'
is "$(find "/proc/$child/fd" -mindepth 1 -printf "%f " 2>/dev/null)" "$([ "$(id -u)" != 0 ] || echo "0 1 2 ")" 'and no descriptors'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status" 130 'a signal ends it'
ok 'and its child' has_ended "$child"

# A file of each process: the child is the one that made call 511, the last one of the first pass.
if can_inject && [ "$(uname -m)" = x86_64 ]; then
	run strace -ff -qq -n -o "$TMP/trace" "$STRESSORS" --enosys 1 --enosys-ops=300 -t 600 -q --json="$TMP/rows"
	expect_exit 0 'under strace'
	sed -n '/^\[ *435\]/,$p' "$(grep -l '^\[ *511\]' "$TMP"/trace.*)" | grep -v -- '--- SIG\|rt_sigreturn\|exit_group' >"$TMP/calls"
	newer=$(metric enosys 'newer calls')
	is "$(grep -c '= -1 ENOSYS' "$TMP/calls")" $((300 + 77 - newer)) 'calls that the kernel has answered by ENOSYS'
	is "$(grep -cv '= -1 ENOSYS' "$TMP/calls")" "$newer" 'newer calls'
	num "$(sed 's/].*//' "$TMP/calls" | sort -u | wc -l)" -ge 200 'different numbers'
else
	skip 'no strace, or another architecture' 4
fi

# ACTION: a seccomp filter that answers calls from 512 in the kernel's place: ld nr; jge 512; ret ACTION; ret ALLOW
filtered() {
	rm -f "$TMP/rows"
	# shellcheck disable=SC2016 # perl's
	run perl -e 'my $f = pack("SCCL" x 4, 0x20,0,0,0, 0x35,0,1,512, 6,0,0,hex(shift), 6,0,0,0x7fff0000);
		syscall(157, 38, 1, 0, 0, 0); my $p = pack("Sx6P", 4, $f);
		syscall(157, 22, 2, $p) == 0 or exit 77; exec @ARGV' "$1" "$STRESSORS" --enosys 1 --enosys-ops=100 -t 600 -q --json="$TMP/rows"
	result="$status $(of enosys '"\(.status) \(.reason)"')"
}
if [ "$(uname -m)" = x86_64 ] && have_cmd perl && filtered 50001 && [ "$status" != 77 ]; then
	is "$result" '4 skip a seccomp filter answers calls that do not exist: Operation not permitted' 'a filter that forbids them'
	filtered 50026
	is "$result" '0 pass null' 'a filter that answers as the kernel does'
	filtered 80000000
	is "$result" '4 skip a seccomp filter kills processes that make a nonexistent call' 'a filter that ends the process'
else
	skip 'no seccomp filter can be made here' 3
fi
done_testing
