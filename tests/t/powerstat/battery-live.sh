#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# run by: check-live
# seconds: 77
# timeout: 200
# powerstat's figures of a battery's level in real time: the window of a minute, and gauges that move rarely.
# test_fuelgauge has these cases with a clock of its own.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need

# 40 W in steps of 0.1 Wh, a step in 9 s, updated each 7 s: edges at 63 s have seven steps.
{
	echo 'power load 40'
	supply BAT0 <<<$'status text Discharging\nenergy_now level @load start=40000000 every=7 step=100000'
} >"$TMP/coarse.spec"
simulate window laptop-level -d 0 -j 1 75
simulate from_start laptop-level -S -d 0 -j 1 66
simulate gauge laptop-gauge -d 0 -D 1 70
simulate coarse "$TMP/coarse.spec" -d 0 -j 1 75

take window 0
is "$(of_samples '[.kind, .estimate] | select(.[0] == "level")' | jq -c unique)" '[["level",false]]' 'after a minute it is no estimate'
is "$(of_samples 'select(.kind == "level") | .window_s >= 59.5' | jq -c unique)" '[true]' 'the window is a minute then'
is "$(of_samples 'select(.kind == "level") | .watts | . > 14.85 and . < 15.15' | jq -c unique)" '[true]' 'and within 1 %'
is "$(of_samples 'select(.kind == "estimate") | .window_s < 60' | jq -c unique)" '[true]' 'estimates have less'
is "$(of_samples .watts | jq '.[0]')" null 'no figure before the second edge, and no 0'
is "$(of_summary '[.estimate, .watts_average > 14.85, .watts_average < 15.15, .kinds.level > 5]')" \
	'[false,true,true,true]' 'estimates do not enter the statistics'
take from_start 0
is "$(of_samples '.watts' | jq '.[-1] > 14.8 and .[-1] < 15.2')" true '-S: from the start'
is "$(of_samples '.window_s' | jq '.[-1] > 60')" true 'the window is the whole run'
take gauge 0
like "$(column Watts)" '^- .* 13\.[0-9]+E|^- .* 13\.[0-9]+$' 'a gauge that moves each 30 s: nothing, then an estimate'
unlike "$(column Watts)" '(^| )0\.00' 'never 0'
like "$out" 'capacity drain, may not be accurate' 'the note of the original'
like "$out" 'estimate over the whole run|Watts on average' 'a summary of what there is'

take coarse 0
is "$(of_samples 'select(.watts) | [.kind, .estimate]' | jq -c unique)" '[["estimate",true]]' 'a coarse gauge: estimates until the level has fallen by 20 steps'
is "$(of_samples 'select(.window_s > 60)' | jq 'length > 3')" true 'also after a minute'
done_testing
