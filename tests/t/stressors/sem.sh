#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor sem: its processes, the memory that they share, and that nothing is left when one of them is killed.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep

stress --sem 2 --sem-procs=3 --sem-ops=101 -t 600
is "$status $(of sem '[.status, .ops] | @csv')" '0 "pass",202' 'two instances: no more ops than asked for'
is "$(of sem '.metrics | map({(.name): .value}) | add | .waits > 0 and ."time per wait" > 0 and
	."tries that were refused" >= 0 and ."tries that were refused" <= 100')" true 'metrics'

start() { # OPTION...
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" --sem 1 "$@" --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"sem".*"ops":[1-9]'
	mapfile -t partners < <(pgrep -P "$(pgrep -P "$bg_pid")")
}
start --sem-procs=6
is "${#partners[@]}" 6 '--sem-procs'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of sem .status)" '130 interrupted' 'a signal ends it'
start
is "${#partners[@]}" 4 'four processes, if nothing else is asked for'
kill -KILL "${partners[2]}"
reap "$bg_pid"
is "$status $(of sem .reason)" '2 killed by SIGKILL' 'one is killed: the instance has failed'
ok 'and the others end' wait_for group_gone

stress --sem 1 --spoil -t 60
like "$(of sem .reason)" '^[34] processes hold a semaphore with the value 2$' 'more holders than the value are found'
done_testing
