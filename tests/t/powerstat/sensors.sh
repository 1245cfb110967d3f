#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# seconds: 9
# What powerstat shows besides: temperatures, frequencies, idle states, histograms, power meters;
# and --list.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/powerstat.sh"
need_root
need_cmd jq
lab_need

simulate thermal thermal -z -t -H 0.5 6
simulate thermalj thermal -z -t -j 0.5 6
simulate freq cpufreq -z -f -H 0.5 3
# A core of two threads that reaches its limit three times within the run, its package once
{
	echo "include \"$(lab_tree cpufreq)\""
	echo 'cd /sys/devices/system/cpu'
	for cpu in 0 1; do
		echo "cpu$cpu/topology/core_id text 0"
		echo "cpu$cpu/topology/physical_package_id text 0"
		echo "cpu$cpu/thermal_throttle/core_throttle_count at 0 100 0.8 103"
		echo "cpu$cpu/thermal_throttle/package_throttle_count at 0 7 0.8 8"
	done
} >"$TMP/throttle.spec"
simulate throttle "$TMP/throttle.spec" -z -f 0.5 4
simulate throttlej "$TMP/throttle.spec" -z -f -j 0.5 4
simulate throttlec "$TMP/throttle.spec" -z -f --csv 0.5 4
simulate unasked "$TMP/throttle.spec" -z -j 0.5 1
# 600 CPUs, of which only the last is fast, and 128 descriptors at most
{
	echo '/sys/devices/system/cpu/online text 0-599'
	for ((i = 0; i < 599; i++)); do echo "/sys/devices/system/cpu/cpu$i/cpufreq/scaling_cur_freq text 1000000"; done
	echo '/sys/devices/system/cpu/cpu599/cpufreq/scaling_cur_freq text 3020000'
} >"$TMP/cpus.spec"
(
	ulimit -Sn 100
	exec "$LAB/run" "$TMP/cpus.spec" "$TMP/cpus.log" -- bash -c 'ulimit -Hn 128; exec "$@"' _ \
		"$POWERSTAT" -z -f -j -o "$TMP/cpus.rows" 0.5 -- sh -c 'sleep 1.2; ulimit -Sn' >"$TMP/cpus.limit" 2>"$TMP/cpus.msg"
) &
cpus_pid=$!
simulate idle cpuidle -z -c -j 1 8
simulate idlet cpuidle -z -c 0.5 3
for gpu in i915 xe amd; do simulate "$gpu" "gpu-$gpu" -z -g -j 0.5 3; done
simulate none container -z -a 0.5 3
simulate container container 1 1
simulate hwmon hwmon-acpi --csv --timestamp=mono 1 4
cat >"$TMP/toggle.spec" <<-'EOF'
	# True: 200 W in the mean of a second.
	power all sq:100:300:1
	truth watts @all
	device /sys/devices/LNXSYSTM:00/LNXSYBUS:00/ACPI000D:00/hwmon/hwmon1 hwmon
	name text power_meter
	power1_input rate @all
EOF
simulate toggle "$TMP/toggle.spec" -P hwmon --csv --timestamp=mono 1 5
simulate part hwmon-gpu 1 1
simulate parts hwmon-gpu -P hwmon -D 0.5 3
simulate nested hwmon-nested -P hwmon --csv --timestamp=mono 0.5 3
simulate nestedt hwmon-nested -P hwmon -D 0.5 2
simulate psu hwmon-psu -P hwmon --csv --timestamp=mono 0.5 3
simulate overlap "$(lab_spec container <<'END'
device /sys/devices/pci0000:00/0000:00:18.3/hwmon/hwmon2 hwmon
name text rails
power1_input rate 6
power1_label text SVI2_P_Core
power2_input rate 2
power2_label text SVI2_P_SoC
END
)" -P hwmon 0.5 2
simulate beside laptop-parts -d 0 -D --csv --timestamp=mono 1 3
simulate besidet laptop-parts -d 0 -D 0.5 3
simulate besidej laptop-parts -d 0 -D -j 0.5 2
simulate alone laptop-parts -R -D 0.5 2
printf 'include "%s"\n' "$(lab_tree rapl-psys)" "$(lab_tree hwmon-acpi)" | grep -v cpus.inc >"$TMP/meter.spec"
simulate meter "$TMP/meter.spec" 0.5 1
simulate hist rapl-square -R -H 0.5 12
for machine in rapl-psys rapl-mmio-dead rapl-mirror rapl-unreadable laptop-two desktop-mouse hwmon-acpi container; do
	simulate "list-$machine" "$machine" -l
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
is "$(of_samples '.temps | keys' | jq -c 'add | unique | [length, index("iwlwifi_1")]')" '[6,null]' \
	'the six zones that gave a figure, whatever they are called'

# --- frequencies ---
take freq 0
between 1.72 1.74 "$(awk '/^[0-9]+:/ { for (i = 1; i < NF; i++) if ($(i + 1) == "GHz") { printf "%s ", $i; break } }' "$TMP/rows")" \
	'geometric mean of the plain positive values only'
like "$out" '1\.73 GHz +0\.80 GHz +4\.20 GHz' 'minimum and maximum; -1, EBUSY and an offline CPU are no values'
wait "$cpus_pid"
is "$(jq -sc 'map(select(.type == "sample") | .freq.cpu_freq_max_khz) | unique' "$TMP/cpus.rows")" '[3020000]' \
	'more CPUs than descriptors: none is left out'
is "$(cat "$TMP/cpus.limit")" 100 'COMMAND has the limit of the caller'
unlike "$(lab_table "$TMP/rows" | head -n 1)" 'Throt' 'no counts of throttling: no column'
take throttle 0
like "$(lab_table "$TMP/rows" | head -n 1)" ',Throt$' '-f: a column of the throttling'
like "$(column Throt)" '^(0 )*4( 0)*$' 'three events of the core, which its threads share, and one of the package'
like "$out" 'Thermal throttling: 3 times on a core, 1 on a package' 'and the summary'
take throttlej 0
is "$(of_samples .throttles | jq -c '[length, add]')" '[4,4]' 'JSON: throttles'
is "$(of_summary '[.core_throttles, .package_throttles, .stats.throttles.max]')" '[3,1,4]' 'JSON: the totals'
take throttlec 0
like "$(head -n 1 "$TMP/rows")" ',throttles$' 'CSV: the column'
take unasked 0
is "$(of_samples .throttles | jq -c .)" '[null]' 'without -f: not read'
for gpu in 'i915:(300000|900000|1150000)' 'xe:1550000' 'amd:800000'; do
	take "${gpu%%:*}" 0
	like "$(of_samples '.freq | to_entries[0].value' | jq -c '.[]' | sort -u | tr '\n' ' ')" "^(${gpu#*:} )+$" "GPU: ${gpu%%:*}"
done

# --- idle states ---
take idle 0
states=$(of_summary '[.cstates[] | [.name, (.resident_pct | round)]] | sort')
is "$states" '[["C0",20],["C1E",18],["C6",60],["POLL",2]]' 'idle states, though one CPU was offline and one counter restarted'
num "$(of_summary .cstate_intervals_dropped)" -ge 1 'unknown intervals are dropped'
take idlet 0
like "$out" 'C-State +Resident +Count Latency
C6 +(59|60|61)\.[0-9]{3}% +[0-9]+ +133
C1E +1[78]\.[0-9]{3}% +[0-9]+ +10
POLL +[12]\.[0-9]{3}% +[0-9]+ +0
C0 +(19|20|21)\.[0-9]{3}%' 'the table of the original'

# --- what is not there ---
take none 0
for what in 'No thermal zones' 'No CPU frequencies' 'No GPU frequency' 'No C-States'; do
	like "$out" "$what" "summary: $what"
done
take container 3
is "$out" '' 'a container: no row'
like "$err" 'battery.*rapl.*perf.*hwmon' 'every place that was looked at'
like "$err" '-z runs without' 'and the way out'

# --- power meters ---
take toggle 0
# Momentary readings, one a second, would all be 100 or all 300 W.
# A step of 200 W that falls between two readings G ms apart is wrong by 0.2 G J at most, both steps of a second too:
# G / 10 % of 200 W.
if lab_read_within power1_input 150 1; then
	bound=$(($(lab_longest_gap power1_input) / 10 + 1))
	true_rows "$bound" "$bound" watts
fi
take hwmon 0
true_rows 0.5 0.5 watts
take part 3
like "$err" 'no sensor measures the whole machine' 'meters of a part do not pass for the system'
take parts 0
between 82 86 "$(column Watts | tr -d '*')" 'unless asked for: their sum'
like "$(column Watts)" '\* .*\* .*\*$' 'marked, for one cannot be read'
is "$(column broken-power1)" '- - -' 'and has its column'
between 32.9 33.1 "$(column PPT)" 'amdgpu'
between 5.5 7.5 "$(column i915-energy1)" 'i915, a counter'

like "$out" 'Sensors: +8[2-6]' 'and are not called the system'
for machine in nested psu; do
	take "$machine" 0
	true_rows 0.5 0.5 watts
done
take nestedt 0
like "$out" 'Note: not added: Ecore000, pkg \(inside another sensor\)\.' 'what lies inside another'
like "$out" 'Note: not added: SVI2_P_Core, SVI2_P_SoC \(may overlap' 'and what may'
between 58 64 "$(column Watts)" 'is not in the sum'
between 23 27 "$(column pkg)" 'but has a column'
take overlap 0
is "$(column Watts) $(column SVI2_P_Core)" '- - 6.00 6.00' 'nothing can be added: - and the columns'
like "$out" 'Sensors: no power value was available' 'and no average'

# --- sources beside each other: 12 W, of it 4 W processor, 5 W card ---
take beside 0
true_rows 1 1 watts pkg_0_w=pkg-0 dram_w=dram ppt_w=PPT
take besidet 0
like "$err" 'battery: BAT0; in addition RAPL: pkg-0 \+ dram; in addition power sensors of parts of the machine: PPT' 'all are named'
like "$out" 'System:  12\.00 Watts on average' 'the system'
like "$out" 'Of which CPU:   (3\.9[5-9]|4\.0[0-5]) Watts on average' 'of it the processor'
like "$out" 'Of which GPU:   5\.00 Watts on average \(PPT\)' 'and the card'
take besidej 0
is "$(jqs '.[0].zones | map([.label, .source, .counted])')" \
	'[["BAT0","battery",true],["pkg-0","rapl",false],["dram","rapl",false],["PPT","hwmon",false]]' 'JSON: what is in the watts'
take alone 0
like "$(lab_table "$TMP/rows" | head -n 1)" ',Watts,pkg-0,dram$' '-R: only that source'
take meter 0
like "$err" 'RAPL: pkg-0 \+ dram \(power_meter-power1 measures the whole machine: --power=hwmon\)' \
	'RAPL: a meter of the whole machine is named'

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
like "$out" 'intel-rapl:0:0 \(core\): readable, inside a package, not added' 'and what not'
like "$out" 'psys\): readable, excluded by --total, not added' 'and psys'
like "$out" 'Selected source: RAPL: pkg-0 \+ dram$' 'and what would be taken'
list rapl-mmio-dead
like "$out" 'not added' 'a duplicate is not added'
list rapl-unreadable
like "$out" 'dram\): cannot be read \(Permission denied\)' 'what cannot be read'
list laptop-two
like "$out" 'BAT0: discharging, fuel gauge rate 10\.000 W, added' 'a battery that discharges'
like "$out" 'BAT1: charging' 'one that charges'
like "$out" 'Selected source: battery' 'is taken'
list desktop-mouse
like "$out" 'peripheral, not added' 'a mouse'
like "$out" 'Selected source: none' 'is not taken'
list hwmon-acpi
like "$out" 'power_meter.*whole machine, added' 'a power meter'
list container
is "$(head -n 5 <<<"$out")" 'Batteries: none
RAPL (powercap): none
RAPL (perf'\''s power PMU): none
Power meters (hwmon): none
Selected source: none' 'nothing at all'
# The simulated machine has the processor of this one: a guest, or one with or without counters.
like "$(sed 1,5d <<<"$out")" '  [A-Z].*RAPL' 'and why'
done_testing
