#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor sem-sysv: its semaphore is in a namespace of its own and ends with it, and its processes wait for it.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
stress --sem-sysv 1 --sem-sysv-ops=1 -t 600
[ "$(of sem-sysv .status)" != skip ] || skip_all "$(of sem-sysv .reason)"

stress --sem-sysv 2 --sem-sysv-procs=3 --sem-sysv-ops=101 -t 600
is "$status $(of sem-sysv '[.status, .ops] | @csv')" '0 "pass",202' 'two instances: no more ops than asked for'
is "$(of sem-sysv '.metrics | map({(.name): .value}) | add | .waits > 0 and ."time per wait" > 0 and
	."tries that were refused" >= 0 and ."tries that were refused" <= 100')" true 'metrics'

sets=$(cat /proc/sysvipc/sem)
start() { # OPTION...
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" --sem-sysv 1 "$@" --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"sem-sysv".*"ops":[1-9]'
	instance=$(pgrep -P "$bg_pid")
	mapfile -t partners < <(pgrep -P "$instance")
}
start --sem-sysv-procs=6
is "${#partners[@]}" 6 '--sem-sysv-procs'
isnt "$(readlink "/proc/$instance/ns/ipc")" "$(readlink /proc/self/ns/ipc)" 'a namespace of its own'
is "$(cat /proc/sysvipc/sem)" "$sets" 'there is no semaphore outside of it'
mapfile -t all < <(in_group)
kill -KILL "${all[@]}"
reap "$bg_pid" 2>/dev/null
ok 'SIGKILL of all: they end' wait_for group_gone
is "$(cat /proc/sysvipc/sem)" "$sets" 'and nothing is left'
start
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of sem-sysv .status)" '130 interrupted' 'a signal ends it'
start
kill -KILL "${partners[2]}"
reap "$bg_pid"
is "$status $(of sem-sysv .reason)" '2 killed by SIGKILL' 'one is killed: the instance has failed'

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	run strace -f -qq -o /dev/null -e signal=none -e trace='?semop,?semtimedop,?semtimedop_time64' \
		-e inject='?semop,?semtimedop,?semtimedop_time64:error=EACCES:when=3' -- "$STRESSORS" --sem-sysv 1 --sem-sysv-ops=40 -t 60 --json="$TMP/rows"
	like "$status $(of sem-sysv .reason)" '^2 (semop|post): Permission denied$' 'a call that fails'
else
	skip 'needs strace, and ptrace(2)'
fi
stress --sem-sysv 1 --spoil -t 60
like "$(of sem-sysv .reason)" '^[34] processes hold a semaphore with the value 2$' 'more holders than the value are found'
done_testing
