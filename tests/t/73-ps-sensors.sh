#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# timeout: 120
# What powerstat shows besides: temperatures, frequencies, idle states, histograms, power meters;
# and --list.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need

launch thermal thermal -z -t -H 0.5 6
launch thermalj thermal -z -t -j 0.5 6
launch freq cpufreq -z -f -H 0.5 3
launch idle cpuidle -z -c -j 1 8
launch idlet cpuidle -z -c 0.5 3
for gpu in i915 xe amd; do launch "$gpu" "gpu-$gpu" -z -g -j 0.5 3; done
launch none container -z -a 0.5 3
launch container container 1 1
launch hwmon hwmon-acpi --csv --timestamp=mono 1 4
launch part hwmon-gpu 1 1
launch parts hwmon-gpu -P hwmon -D 0.5 3
launch hist rapl-square -R -H 0.5 12
for machine in rapl-psys rapl-mmio-dead rapl-mirror rapl-unreadable laptop-two desktop-mouse hwmon-acpi container; do
	launch "list-$machine" "$machine" -l
done

# --- temperatures ---
take thermal 0
like "$(lab_table "$TMP/rows" | head -n 1)" ',x86_pkg_temp,acpitz-1,iwlwifi_1,acpitz-3,%s%n%s%n,.x1b\[2Jz,' \
	'zones: whole labels, unique, control bytes escaped'
is "$(column acpitz-1)" '-8.00 -8.00 -8.00 -8.00 -8.00 -8.00' 'below zero'
is "$(column iwlwifi_1)" '- - - - - -' 'ENODATA: - in its own column'
is "$(column %s%n%s%n)" '27.80 27.80 27.80 27.80 27.80 27.80' 'a type of %s and %n'
is "$(awk '/^[0-9][0-9]:/ { printf "%s ", $NF }' "$TMP/rows")" '61.00 61.00 61.00 61.00 61.00 61.00 ' 'a zone without a type'
between 44 50.1 "$(column x86_pkg_temp)" 'one that moves'
# shellcheck disable=SC2016
ok 'no control byte of theirs comes out' bash -c '! LC_ALL=C grep -q "[^[:print:][:space:]]" "$0" "$1"' "$TMP/rows" "$TMP/msg"
like "$out" 'Histogram \(of [0-9]+ thermal zone x86_pkg_temp readings\)' '-H: a histogram of each zone'
like "$out" 'Range is zero, cannot produce histogram of thermal zone acpitz-1' 'or why not'
take thermalj 0
is "$(of_samples '.temps | [.["acpitz-1"], .iwlwifi_1]' | jq -c unique)" '[[-8,null]]' 'JSON: the same'
is "$(of_samples '.temps["\u001b[2Jz,\"one\"\n5"] // .temps | keys | length' | jq -c unique)" '[7]' 'seven zones, whatever they are called'

# --- frequencies ---
take freq 0
between 1.72 1.74 "$(awk '/^[0-9]+:/ { for (i = 1; i < NF; i++) if ($(i + 1) == "GHz") { printf "%s ", $i; break } }' "$TMP/rows")" \
	'geometric mean of the plain positive values only'
like "$out" '1\.73 GHz +0\.80 GHz +4\.20 GHz' 'the least and the greatest; -1, EBUSY and an offline CPU are none'
for gpu in 'i915:(300000|900000|1150000)' 'xe:1550000' 'amd:800000'; do
	take "${gpu%%:*}" 0
	like "$(of_samples '.freq | to_entries[0].value' | jq -c '.[]' | sort -u | tr '\n' ' ')" "^(${gpu#*:} )+$" "GPU: ${gpu%%:*}"
done

# --- idle states ---
take idle 0
states=$(of_summary '[.cstates[] | [.name, (.resident_pct | round)]] | sort')
is "$states" '[["C0",20],["C1E",18],["C6",60],["POLL",2]]' 'idle states, though one CPU was offline and one counter restarted'
num "$(of_summary .cstate_intervals_dropped)" -ge 1 'what could not be told is dropped'
take idlet 0
like "$out" 'C-State +Resident +Count Latency
C6 +(59|60|61)\.[0-9]{3}% +[0-9]+ +133
C1E +1[78]\.[0-9]{3}% +[0-9]+ +10
POLL +[12]\.[0-9]{3}% +[0-9]+ +0
C0 +(19|20|21)\.[0-9]{3}%' 'the table of the original'

# --- what is not there ---
take none 0
like "$out" '( +-){4}'$'\n' 'no CPU has a frequency now: -'
for what in 'No thermal zones' 'No GPU frequency' 'No C-States'; do
	like "$out" "$what" "told: $what"
done
take container 1
is "$out" '' 'a container: no row'
like "$err" 'battery.*rapl.*perf.*hwmon' 'every place that was looked at'
like "$err" '-z goes on without' 'and the way out'

# --- power meters ---
take hwmon 0
true_rows 0.5 0.5 watts
take part 1
like "$err" 'no power meter of the system' 'meters of a part do not pass for the system'
take parts 0
between 82 86 "$(column Watts | tr -d '*')" 'unless asked for: their sum'
like "$(column Watts)" '\* .*\* .*\*$' 'marked, for one cannot be read'
is "$(column broken-power1)" '- - -' 'and has its column'
between 32.9 33.1 "$(column PPT)" 'amdgpu'
between 5.5 7.5 "$(column i915-energy1)" 'i915, a counter'

# --- histograms: edges ascend, counts are the rows ---
take hist 0
like "$out" 'Histogram \(of 12 power measurements\)' 'of the power'
like "$out" 'CPU utilization' 'of the CPU'
ok 'ten bins, edges ascend, counts add up to the rows' awk '
	/^Histogram \(of 12 power/ { on = 1; next } on && NF == 0 && n { on = 0 }
	on && $2 == "-" { n++; if ($1 + 0 > $3 + 0 || (n > 1 && $1 + 0 <= last)) bad = 1; last = $3 + 0; sum += $4 }
	END { exit bad || n != 10 || sum != 12 }' "$TMP/rows"

# --- --list ---
list() { take "list-$1" 0; is "$err" '' "--list $1: no message"; }
list rapl-psys
like "$out" 'intel-rapl:0 \(pkg-0\): readable, added' '--list: what is added'
like "$out" 'intel-rapl:0:0 \(core\): readable, inside its package, not added' 'and what not'
like "$out" 'psys\): readable, not added by this rule' 'and psys'
like "$out" 'Taken: RAPL: pkg-0 \+ dram$' 'and what would be taken'
list rapl-mmio-dead
like "$out" 'not added' 'a twin is not added'
list rapl-unreadable
like "$out" 'dram\): cannot be read \(Permission denied\)' 'what cannot be read'
list laptop-two
like "$out" 'BAT0: discharging, gauge rate 10\.000 W, added' 'a battery that discharges'
like "$out" 'BAT1: charging' 'one that charges'
like "$out" 'Taken: battery' 'is taken'
list desktop-mouse
like "$out" 'peripheral, not added' 'a mouse'
like "$out" 'Taken: none' 'is not taken'
list hwmon-acpi
like "$out" 'power_meter.*whole machine, added' 'a power meter'
list container
is "$out" 'Batteries: none
RAPL (powercap): none
RAPL (perf'\''s power PMU): none
Power meters (hwmon): none
Taken: none' 'nothing at all'
done_testing
