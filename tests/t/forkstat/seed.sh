#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# At the start, stat of a process with one thread is not read if BPF walks over the tasks (Linux 6.7), its command line
# is read once, and its exit has this command line.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd strace
strace -c true 2>/dev/null >&2 || skip_all 'needs strace and CAP_SYS_PTRACE'
"$BUILD/unit/libsysmon/test_tasktable_walk" >"$TMP/walk"
! grep -q 'not tested' "$TMP/walk" || skip_all 'needs an iterator of tasks in BPF'

pids=()
for i in {10..29}; do
	bg sleep "30$i"
	pids+=("$bg_pid")
done

# FILE OPTION...: how many of the processes had this file opened
opened() {
	strace -f -e trace=openat -o "$TMP/trace" "$FORKSTAT" -D0.1 "${@:2}" >"$TMP/rows" 2>"$TMP/msg"
	for pid in "${pids[@]}"; do
		grep -o "\"$pid/$1\"" "$TMP/trace"
	done | wc -l
}
is "$(opened stat)" 0 'stat is not read'
is "$(opened cmdline)" 20 'each command line is read once'
is "$(opened stat -p 1)" 20 'stat is read for a filter that needs more than a walk has'

start -l -e exit
kill "${pids[5]}"
row() { grep -q 'sleep 3015$' "$TMP/rows"; }
wait_for row
is $? 0 'an exit has the command line that was read at the start'
finish
done_testing
