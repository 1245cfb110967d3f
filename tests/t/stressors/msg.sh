#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor msg: its queues are in a namespace of its own and end with it, and its messages have types.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
stress --msg 1 --msg-ops=1 -t 600
[ "$(of msg .status)" != skip ] || skip_all "$(of msg .reason)"

for options in '' --msg-bytes=8192 --msg-types=7 '--msg-bytes=100 --msg-types=100'; do
	# shellcheck disable=SC2086 # words
	stress --msg 2 $options --msg-ops=101 -t 600
	is "$status $(of msg '[.status, .ops] | @csv')" '0 "pass",202' "$options two instances: no more ops than asked for"
done
is "$(of msg '[.metrics[].value > 0] | all')" true 'metrics'

queues=$(cat /proc/sysvipc/msg)
start() {
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" --msg 1 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"msg".*"ops":[1-9]'
	instance=$(pgrep -P "$bg_pid")
	mapfile -t partners < <(pgrep -P "$instance")
}
start
is "${#partners[@]}" 2 'two processes'
isnt "$(readlink "/proc/$instance/ns/ipc")" "$(readlink /proc/self/ns/ipc)" 'a namespace of its own'
is "$(sed -n 's/^CapEff:\t//p' "/proc/$instance/status")" 0000000000000000 'no capability is left'
is "$(cat /proc/sysvipc/msg)" "$queues" 'there is no queue outside of it'
if [ "$(id -u)" = 0 ] && have_cmd nsenter; then
	is "$(nsenter -t "$instance" -i awk 'NR > 1' /proc/sysvipc/msg | wc -l)" 2 'two queues in it'
else
	skip 'needs root, and nsenter'
fi
mapfile -t all < <(in_group)
kill -KILL "${all[@]}"
reap "$bg_pid" 2>/dev/null
ok 'SIGKILL of all: they end' wait_for group_gone
is "$(cat /proc/sysvipc/msg)" "$queues" 'and nothing is left'
start
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of msg .status)" '130 interrupted' 'a signal ends it'
start
kill -KILL "$bg_pid"
reap "$bg_pid" 2>/dev/null
ok 'SIGKILL of the supervisor: all end' wait_for group_gone

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=msgsnd,msgrcv -- "$STRESSORS" --msg 1 --msg-types=3 --msg-ops=30 -t 600
	is "$(sed -n 's/.*msgrcv[ (].*, 8192, \([0-9]*\), 0) = .*/\1/p' "$TMP/trace" | sort -u | xargs)" '1 2 3' '--msg-types: each is asked for'
	run strace -f -qq -o /dev/null -e trace=unshare -e inject=unshare:error=EPERM -- "$STRESSORS" --msg 1 -t 60 --json="$TMP/rows"
	is "$status $(of msg '"\(.status): \(.reason)"')" '4 skip: cannot create an IPC namespace: Operation not permitted' 'no namespace: skipped'
else
	skip 'needs strace, and ptrace(2)' 2
fi
stress --msg 1 --spoil -t 60
is "$status $(of msg .reason)" '2 received message 3 instead of 2' 'a wrong message is found'
done_testing
