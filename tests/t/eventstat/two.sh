#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quiet
# needs: root
# timeout: 200
# Two at once, by all methods: both see everything.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
need_timers
able_methods

for one in "${methods[@]}"; do
	for other in "${methods[@]}"; do
		start --interval=0.5 --method="$one"
		mv "$TMP/rows" "$TMP/first"
		measure "$other" -t 2 sleep 4 1000
		judge_unless_lost "$other beside $one"
		mv "$TMP/msg" "$TMP/msg.second"
		finish
		is "$status" 0 "$one, which ran before $other, goes on to its end"
		judge_unless_lost "$one, which ran before $other" "$TMP/first"
	done
done
done_testing
