#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# run by: check-live
# seconds: 10
# Beside a busy user of BPF nothing is missing.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
need_tracefs
need_timers
able_methods
id=$(cat "${instances%/*}/events/raw_syscalls/sys_enter/id" 2>/dev/null) || skip_all 'this kernel has no raw_syscalls:sys_enter'

bg "$HELPERS/bpfbusy" "$id" >"$TMP/busy" 2>"$TMP/busy.err"
busy_user=$bg_pid
started() { [ -s "$TMP/busy" ] || has_exited "$busy_user"; }
wait_for started
[ -s "$TMP/busy" ] || skip_all "$(cat "$TMP/busy.err")"
for method in "${methods[@]}"; do
	measure "$method" -t 3 sleep 4 1000
	judge_unless_lost "$method: beside programs that run at each system call"
done
ok 'the other user is still there' kill -0 "$busy_user"
done_testing
