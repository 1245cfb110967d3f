#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor futex: two processes that wait for each other, and wakes that the kernel has not made are found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep

stress --futex 2 --futex-ops=101 -t 600
is "$status $(of futex '[.status, .ops] | @csv')" '0 "pass",202' 'two instances: no more ops than asked for'
stress --futex 1 --futex-ops=1 -t 600
is "$status $(of futex '[.status, .ops] | @csv')" '0 "pass",1' 'one op, which is done by one of two'
stress --futex 1 --futex-ops=1000 -t 600
is "$(of futex '.metrics | map({(.name): .value}) | add | .wakes > 0 and .timeouts > 0 and ."time per wake" > 0 and
	."wakes without a waiter" >= 0 and ."wakes without a waiter" <= 100')" true 'metrics'

start() {
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" --futex 1 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"futex".*"ops":[1-9]'
	mapfile -t partners < <(pgrep -P "$(pgrep -P "$bg_pid")")
}
start
is "${#partners[@]}" 2 'two processes'
# If one is stopped the other one waits for it.
kill -STOP "${partners[0]}"
# shellcheck disable=SC2317 # called by wait_for
sleeps() { grep -q '^State:.S' "/proc/${partners[1]}/status"; }
ok 'one is stopped: the other one waits' wait_for sleeps
kill -CONT "${partners[0]}"
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of futex .status)" '130 interrupted' 'a signal ends it'
start
kill -KILL "${partners[0]}"
reap "$bg_pid"
is "$status $(of futex .reason)" '2 killed by SIGKILL' 'one is killed: the instance has failed'
ok 'and the other one ends' wait_for has_exited "${partners[1]}"

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	with() { # INJECTION
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e signal=none -e trace='?futex,?futex_time64' -e inject="?futex,?futex_time64:$1" -- \
			"$STRESSORS" --futex 1 --futex-ops=100 -t 2 --json="$TMP/rows"
	}
	# One call of each process says that it has woken two, or that it was woken.
	with retval=2:when=20
	is "$status $(of futex .status)" '2 fail' 'a wrong number of wakes is found'
	like "$(of futex .reason)" '^[0-9]+ processes were woken, but [0-9]+ waits ended with a wakeup$' 'and named'
	with error=EFAULT:when=20
	like "$status $(of futex .reason)" '^2 (wait|wake): Bad address$' 'a call that fails'
else
	skip 'needs strace, and ptrace(2)' 3
fi
done_testing
