#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor sigq: its signals, those of another sender, and what is missing.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep prlimit

stress --sigq 2 --sigq-ops=101 -t 600
is "$status $(of sigq '[.status, .ops] | @csv')" '0 "pass",202' 'two instances: no more ops than asked for'
is "$(of sigq '[.metrics[].value > 0] | all')" true 'metrics'

start() {
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" --sigq 1 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"sigq".*"ops":[1-9]'
	instance=$(pgrep -P "$bg_pid")
}
start
# shellcheck disable=SC2012 # names are numbers
is "$(ls "/proc/$instance/task" | wc -l)" 3 'two threads, beside the one that waits'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of sigq .status)" '130 interrupted' 'a signal ends it'
start
kill -RTMIN "$instance"
reap "$bg_pid"
is "$status $(of sigq .reason)" '2 sigwaitinfo: Bad message' 'a signal of another sender is found'

run prlimit --sigpending=0 -- "$STRESSORS" --sigq 1 -t 600 --json="$TMP/rows"
is "$status $(of sigq '"\(.status): \(.reason)"')" '3 no-resource: sigqueue: Resource temporarily unavailable' \
	'no signal may be queued: a lack'
stress --sigq 1 --spoil -t 60
is "$status $(of sigq .reason)" '2 received message 3 instead of 2' 'a wrong value is found'
done_testing
