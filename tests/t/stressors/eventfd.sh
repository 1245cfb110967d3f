#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor eventfd: its descriptors, calls that do not wait, and that wrong numbers are found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep

for option in '' --eventfd-nonblock; do
	stress --eventfd 2 ${option:+"$option"} --eventfd-ops=101 -t 600
	is "$status $(of eventfd '[.status, .ops] | @csv')" '0 "pass",202' "$option two instances: no more ops than asked for"
done
is "$(of eventfd '[.metrics[].value > 0] | all')" true 'metrics'

start() { # OPTION...
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" --eventfd 1 "$@" --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"eventfd".*"ops":[1-9]'
	mapfile -t partners < <(pgrep -P "$(pgrep -P "$bg_pid")")
}
start --eventfd-nonblock
is "${#partners[@]}" 2 'two processes'
# If one is stopped the other one waits for it.
kill -STOP "${partners[0]}"
# shellcheck disable=SC2317 # called by wait_for
sleeps() { grep -q '^State:.S' "/proc/${partners[1]}/status"; }
ok '--eventfd-nonblock: it waits nevertheless' wait_for sleeps
kill -CONT "${partners[0]}"
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of eventfd .status)" '130 interrupted' 'a signal ends it'
start
kill -KILL "${partners[1]}"
reap "$bg_pid"
is "$status $(of eventfd .reason)" '2 killed by SIGKILL' 'one is killed: the instance has failed'

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	nonblock() { # OPTION...: the number of its descriptors that have the flag
		run strace -f -qq -o "$TMP/trace" -e signal=none -e trace='?eventfd,?eventfd2' -- "$STRESSORS" --eventfd 1 --eventfd-ops=1 -t 600 "$@"
		grep -c 'eventfd2\?(0, EFD_CLOEXEC|EFD_NONBLOCK) = [0-9]' "$TMP/trace"
	}
	few=$(nonblock)
	is "$(nonblock --eventfd-nonblock)" $((few + 2)) '--eventfd-nonblock: two more descriptors with EFD_NONBLOCK'
else
	skip 'needs strace, and ptrace(2)'
fi
stress --eventfd 1 --spoil -t 60
is "$status $(of eventfd .reason)" '2 received message 3 instead of 2' 'a wrong number is found'
done_testing
