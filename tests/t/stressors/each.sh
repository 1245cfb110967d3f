#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every stressor: it runs, ends after its ops, checks what it does, and makes itself known.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq

num "${#all_stressors[@]}" -ge 15 'the stressors'
for s in "${all_stressors[@]}"; do
	stress "--$s" 1 -t 0.4 --minimize
	if [ "$(of "$s" .status)" = skip ]; then
		skip "$s: $(of "$s" .reason)" 5
		continue
	fi
	is "$status $err" '0 ' "$s: a run"
	is "$(of "$s" '[.status, .ops > 0, .instances, .forced] | @csv')" '"pass",true,1,0' "$s: its result"
	is "$(of "$s" '[.wall_s >= 0.2, .user_s + .sys_s > 0, .user_s + .sys_s <= 2.2 * .wall_s + 0.1] | @csv')" true,true,true "$s: its times"

	stress "--$s" 2 "--$s-ops" 3 -t 60 --minimize
	is "$status $(of "$s" '[.instances, .ops >= 6, .wall_s < 30] | @csv')" '0 2,true,true' "$s: ends after its ops"

	# What it damages in its own data it finds.
	if "$STRESSORS" "--help=$s" | grep -q '^Checked: nothing'; then
		is "$s" nop "$s: what cannot be checked"
	else
		stress "--$s" 1 -t 20 --max-memory=64m --spoil
		is "$status $(of "$s" .status)" '2 fail' "$s: finds what is wrong"
		like "$(of "$s" .reason)" . "$s: and says it"
	fi
	like "$("$STRESSORS" "--help=$s")" 'One op: .' "$s: its help"
done
done_testing
