#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# timeout: 200
# powerstat's figures of batteries on simulated machines: the gauge's rate, the level's slope,
# what adds up, what ends a run.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need
bat0=/sys/devices/LNXSYSTM:00/LNXSYBUS:00/PNP0C0A:00/power_supply/BAT0

# Between two readings of the battery, in the run that was taken last
longest_gap_ms() {
	awk -F'\t' -v p="$bat0/uevent" '$3 == p { if (n++ && $1 - t > max) max = $1 - t; t = $1 }
		END { printf "%.0f\n", max / 1e6 }' "$lab_log"
}

supply() { # BATTERY, statements from standard input
	printf 'device /sys/devices/LNXSYSTM:00/LNXSYBUS:00/PNP0C0A:0%s/power_supply/%s power_supply\n' "${1#BAT}" "$1"
	cat
	printf '%s\n' 'type text Battery' 'present text 1' 'uevent uevent POWER_SUPPLY_'
}
{
	supply BAT0 <<<$'power_now text 10000000\nstatus at 0 Discharging 4 "Not charging"'
	supply BAT1 <<<$'power_now text 9000000\nstatus at 0 "Not charging" 6.5 Discharging'
} >"$TMP/handover.spec"
supply BAT0 <<<$'power_now text 10000000\nstatus at 0 Discharging 2.5 Unknown 3.5 Discharging 6 Unknown' >"$TMP/unknown.spec"
supply BAT0 <<<$'capacity text 80\nstatus text Discharging' >"$TMP/mute.spec"
{
	echo 'power load 15'
	supply BAT0 <<<$'status text Discharging\nenergy_now level @load start=40000000 every=1 step=1000 jump=9:-100000'
} >"$TMP/corrected.spec"

# 40 W in steps of 0.1 Wh, a step in 9 s, updated each 7 s: edges at 63 s have seven steps.
{
	echo 'power load 40'
	supply BAT0 <<<$'status text Discharging\nenergy_now level @load start=40000000 every=7 step=100000'
} >"$TMP/coarse.spec"
{
	echo $'power load steps:25@0,5@7\ntruth watts @load'
	supply BAT0 <<<$'status text Discharging\npower_now rate @load'
} >"$TMP/shift.spec"
launch shift "$TMP/shift.spec" -d 0 --csv --timestamp=mono -- sleep 8
supply BAT0 <<<$'power_now text 10000000\nstatus at 0 Charging 1.5 Discharging' >"$TMP/unplugged.spec"
launch unplugged "$TMP/unplugged.spec" -P battery -d 3 1 2
launch window laptop-level -d 0 -j 1 75
launch from_start laptop-level -S -d 0 -j 1 66
launch gauge laptop-gauge -d 0 -D 1 70
launch coarse "$TMP/coarse.spec" -d 0 -j 1 75
for machine in energy charge both pen macsmc qcom sbs; do
	launch "$machine" "laptop-$machine" -d 0 --csv --timestamp=mono 1 4
done
launch two laptop-two -d 0 -D 1 3
launch handover "$TMP/handover.spec" -d 0 1 9
launch unknown "$TMP/unknown.spec" -d 0 1 20
launch mute "$TMP/mute.spec" -d 0 1 2
launch corrected "$TMP/corrected.spec" -d 0 -j 1 20
launch twojson laptop-two -P battery -d 0 -j 1 1
launch ucsi laptop-ucsi -d 0 1 3
launch evil battery-evil -d 0 -D 1 3
launch mouse desktop-mouse 1 1
launch mousez desktop-mouse -z 1 2
launch plugged laptop-plugged -d 0 1 20
launch vanish laptop-vanish -d 0 -j 1 20
launch jump laptop-jump -d 0 -j 1 13
launch sag laptop-sag -d 0 -j 1 30
launch fast laptop-energy -d 0 -j 0.2 15
launch countdown laptop-energy -d 2 -j 1 2
launch onmains laptop-mains -P battery -d 1 1 1
launch defaults laptop-energy -D
launch -r legacy battery-legacy --root @ROOT@ -d 0 --csv --timestamp=mono 1 3

for machine in energy charge both pen macsmc qcom sbs; do
	take "$machine" 0
	true_rows 0.5 0.5 watts
	is "$(awk -F, 'NR > 1 { print $4 }' "$TMP/rows" | sort -u)" fuel_gauge_rate "$machine: kind of the figure"
done
take shift 0
true_rows 2 2 watts # one reading at its end would be 5 W
take legacy 0
true_rows 0.5 0.5 watts

take two 0
is "$(column Watts)|$(column BAT0)|$(column BAT1)" '10.00 10.00 10.00|10.00 10.00 10.00|8.00 8.00 8.00' \
	'a battery that charges has its column, and is not added'
like "$out" 'not added: BAT1' 'and the summary reports it'
like "$out" 'fuel gauge rate' 'and what kind of figure it is'
like "$out" '[345] readings of the power; a figure is one of them\.' 'one reading a row is no mean'
take twojson 0
is "$(jqs '.[0].zones | map([.label, .counted])')" '[["BAT0",true],["BAT1",false]]' 'nor in the header, before the first reading'
take ucsi 0
is "$(column Watts)" '6.00 6.00 6.00' 'it discharges though a charger is there'
like "$out" 'only a part of the power' 'which is reported'
take evil 0
is "$(column Watts)" '12.50 12.50 12.50' 'supplies with hostile bytes beside a good one'
# shellcheck disable=SC2016
ok 'no control byte of theirs comes out' bash -c '! LC_ALL=C grep -q "[^[:print:][:space:]]" "$0" "$1"' "$TMP/rows" "$TMP/msg"
take mouse 3
is "$out" '' 'a mouse is no battery of the system: no row'
like "$err" 'battery: .*discharging.*rapl.*perf.*hwmon' 'each place is named'
take mousez 0
is "$(column Watts)" '- -' '-z: no figure, and no invented one'
like "$out" 'power was not measured' 'and the summary says so'
take onmains 1
like "$err" 'no battery is discharging' 'asked for a battery that does not discharge: message at once'

# --- the source ends ---
take plugged 3
like "$out" ' Average .*Summary:' 'the charger is plugged in: statistics and summary'
like "$out" 'System:  12\.50 Watts' 'the figure until then'
like "$err" 'charger' 'and the message'
num "$(column Watts | wc -w)" -ge 3 'the rows until then'
take vanish 3
is "$(of_samples '.watts' | jq -c unique)" '[12.5]' 'the battery is taken out: no row is wrong'
is "$(of_summary '[.source_lost, (.samples >= 3)]')" '[true,true]' 'the summary is whole'
like "$err" 'battery was removed' 'and the message'

take handover 0
like "$(column Watts)" '^(10\.00 ){3,4}(- ){1,3}(9\.00 ?){2,4}$' 'one battery takes over from another: rows without a figure, and no end'
take unknown 3
like "$(column Watts)" '^(10\.00 ){2,3}- (10\.00 ){1,3}(- ?){4,6}$' 'a status unknown for a reading is no end, for five seconds it is'
like "$err" 'no battery is discharging any more' 'which is reported'
take unplugged 0
is "$(column Watts)" '10.00 10.00' 'asked to wait: unplugged in the start delay'
use handover
like "$out" 'batteries: BAT0, BAT1' 'both are reported'
unlike "$out" 'not added' 'for both were added'
use unknown
like "$out" 'batteries: BAT0\.' 'the battery that was measured is reported'
take mute 0
like "$out" 'BAT0 reports neither rate nor level' 'and why'
is "$(column Watts)" '- -' 'neither rate nor level: no figure'

# --- the level ---
take fast 0
is "$(sample_count)" 15 'rows five times a second'
num "$(lab_reads "$bat0/uevent")" -le 6 'of a battery that is read at most once a second'
# The first read, at the opening, finds the kind of supply; the first reading follows.  One that is late on a
# busy machine is nearer to the next.
ok 'as the log shows' awk -F'\t' -v p="$bat0/uevent" '$3 == p && ++n > 1 {
	if (n > 2 && $1 - t < 500e6) bad = 1; t = $1 } END { exit bad || n < 3 }' "$lab_log"
take sag 0
is "$(of_samples '.watts' | jq '.[-1] > 10.4 and .[-1] < 12.4')" true 'charge under a falling voltage: the drop is no power'
is "$(of_samples '.estimate' | jq -c unique)" '[false,true]' 'rows without figure, then estimates'
take jump 0
is "$(of_samples '.watts | select(. != null and (. < 8 or . > 16))')" '[]' 'a gauge that jumps up: no row is wrong'
is "$(of_samples '.watts' | jq '.[-1] != null')" true 'and it restarts'
take corrected 0
# Of a level that is read late the time of its change is not known better than that.
if [ "$(longest_gap_ms)" -le 1200 ]; then
	is "$(of_samples '.watts | select(. != null and (. < 13 or . > 17))')" '[]' 'a gauge that corrects itself downwards: that is no power'
else
	skip "the machine was too busy: $(longest_gap_ms) ms between two readings of the battery"
fi
is "$(of_summary '.samples')" 20 'in any of the rows'
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

take countdown 0
is "$(of_samples '.watts')" '[12.5,12.5]' '-d: rows after the start delay'
is "$(jqs '.[0] | [.start_delay_s, .delay_s, .count]')" '[2,1,2]' 'in the header'
# The defaults are in the preamble: nobody waits for them here.
kill -INT "${run_pid[defaults]}"
take defaults 0
like "$out" 'Running for 300\.0 seconds \(30 samples at 10\.0 second intervals\)\.' 'battery: 480 s less the start delay, each 10 s'
like "$out" 'start in 180 seconds time' 'after 180 s'
unlike "$out" 'Summary' 'interrupted before: no summary of nothing'
done_testing
