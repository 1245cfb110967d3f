#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor lockbus: two threads, the additions that its ops have, and a sum that is wrong.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep

stress --lockbus 2 --lockbus-nosplit --lockbus-ops=31 -t 600
is "$status $(of lockbus '[.status, .ops] | @csv')" '0 "pass",62' 'two instances: as many ops as asked for'
is "$(metric lockbus 'time per addition' | awk '{ print ($1 > 0) }')" 1 'a time per addition'
stress --lockbus 1 --lockbus-ops=2001 -t 600
words=$((2 * 32 * 64 / $(($(getconf LONG_BIT) / 8))))
is "$(metric lockbus 'locked additions' | awk -v s="$(of lockbus .wall_s)" -v n=$((2001 * words)) '{ print $1 * 1e6 * s <= 1.01 * n }')" 1 \
	'no more additions than ops have'

bg_group "$STRESSORS" --lockbus 1 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"lockbus".*"ops":[1-9]'
# Between two rounds there are no threads.
# shellcheck disable=SC2012,SC2317 # names are numbers; called by wait_for
has_threads() { [ "$(ls "/proc/$(pgrep -P "$bg_pid")/task" | wc -l)" = 3 ]; }
ok 'two threads beside the one that waits' wait_for has_threads
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of lockbus .status)" '130 interrupted' 'a signal ends it'

stress --lockbus 1 --spoil -t 600
like "$(of lockbus .reason)" '^the sum of all words is [0-9]+ instead of [0-9]+$' 'a wrong sum is found'
done_testing
