#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 600
# powerstat.sh [KERNEL]...: powerstat under the stock kernels that kernels.sh fetched into $VM
# (all, and an hour on battery; or those named, without the hour), with the kernel's own drivers
# on the batteries, charger, thermal zones and CPUs of acpi/*.dsl, and with the powercap tree and
# power supplies of modules/*.c.  All of them have exactly known powers.  power-guest.sh has the runs
# in the guests.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
tool=${POWERSTAT:-$BUILD/bin/powerstat}
hour=hour
[ $# = 0 ] || hour=''
. "$TOP/tests/vm/power.sh"
libkmod=()
for k in $(ldconfig -p | awk '$1 == "libkmod.so.2" { print $NF }' | head -n 1); do
	libkmod=(-f "$k:$k")
done

# --- the guests --------------------------------------------------------------------------

vm() { # KERNEL acpi|modules|cpus OPTION...
	boot "$1.$2" "$1" -t 1000 "${@:3}" -f "$TMP/$1.lab/modules:/lib/modules" -f "$tool:powerstat" \
		${libkmod[@]+"${libkmod[@]}"} -f "$TOP/tests/vm/power-guest.sh" -- "power-guest.sh $2 $hour"
}

guest() { # KERNEL acpi|modules|cpus
	case $2 in
	acpi) vm "$1" acpi -w -a "$TMP/$1.lab/power.aml" ;;
	modules) vm "$1" modules -w ;;
	cpus) vm "$1" cpus -n 2 -a "$TMP/$1.lab/cpu.aml" -c max,vendor=GenuineIntel,family=6,model=94,stepping=3 ;;
	esac
}

# --- the judges --------------------------------------------------------------------------

column() { # PART COLUMN: its values, one a line, "-" for none
	awk -F, -v want="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == want) c = i; next }
		c { print $c == "" ? "-" : $c }' "$G/$1.rows"
}

# PART COLUMN VALUE PERCENT COUNT NAME: so many rows have a value, and each is that near to it
near() {
	column "$1" "$2" >"$TMP/column"
	judge_near "$3" "$4" "$5" "$release: $1: $6"
}
judge_near() { # VALUE PERCENT COUNT NAME, of $TMP/column
	local said
	if said=$(awk -v want="$1" -v pct="$2" -v count="$3" '$1 != "-" { n++
			d = $1 - want; if (d < 0) d = -d
			if (d > pct / 100 * (want < 0 ? -want : want)) print "row " NR ": " $1 }
		END { if (n != count) print n + 0 " values, want " count; exit }' "$TMP/column") && [ -z "$said" ]; then
		pass "$4"
	else
		fail "$4" "want $1 within $2 %
$said"
	fi
}

ended() { # PART STATUS NAME: the exit status, and a whole summary
	is "$(cat "$G/$1.status")" "$2" "$release: $1: $3: exit status $2" || diag "$(message "$1")"
	like "$(text "$1")" $'\n Average .*\n Maximum .*\nSummary:\n' "$release: $1: statistics and summary"
}
average() { sed -n 's/^ *\(System\|CPU\): *\([0-9.]*\) Watts on average.*/\2/p' "$G/$1.text"; } # PART
mean() { # PART WATTS PERCENT NAME: the mean in the summary
	average "$1" >"$TMP/column"
	judge_near "$2" "$3" 1 "$release: $1: $4"
}

# PART SECONDS COUNT: no row too many or late, whatever the wall clock did
steady() {
	column "$1" mono_ns >"$TMP/column"
	ok "$release: $1: $3 rows, $2 s apart, no burst and no gap" awk -v delay="$2" -v count="$3" '
		NR > 1 { d = ($1 - last) / 1e9; if (d < delay * 0.9 || d > delay * 1.1) { bad = 1; print "# row " NR ": " d " s" } }
		{ last = $1 }
		END { exit bad || NR != count }' "$TMP/column"
	column "$1" dt_s >"$TMP/column"
	judge_near "$2" 2 "$3" "$release: $1: and each row has its duration"
}

judge_rate() {
	like "$(text list)" 'BAT0: discharging, fuel gauge rate 9.000 W, added' "$release: --list: BAT0"
	like "$(text list)" 'BAT1: discharging, fuel gauge rate 6.000 W, added' "$release: --list: BAT1, of mAh"
	ended rate 0 'two batteries'
	near rate watts 15 0.1 12 '15.00 W'
	near rate bat0_w 9 0.1 12 'BAT0'
	near rate bat1_w 6 0.1 12 'BAT1'
	is "$(column rate kind | sort -u)" fuel_gauge_rate "$release: rate: of the fuel gauge"
	is "$(column rate acpitz_1_c | sort -u)" -8.000 "$release: rate: -8 degrees"
	near rate acpitz_0_c 41.5 2.5 12 'the other zone, 40.4 to 42.5'
	column rate acpitz_0_c >"$TMP/column"
	ok "$release: rate: and 0.1 more each 10 s" awk 'NR > 1 && int(($1 - last) * 10 + 0.5) != 1 { exit 1 } { last = $1 }' "$TMP/column"
	near load watts 19 0.1 10 'a load of 4 W more'
}

# By the level alone.  BAT1's gauge moves each 7.2 s: an estimate until it has moved 20 times (144 s).
judge_level() { # PART ROWS SECONDS-A-ROW
	local rows=$2 first=$((60 / $3 + 1))
	ended "$1" 0 'no rates, only levels'
	like "$(text "$1" | awk '$1 ~ /:.*:/ { print $13 }' | head -n $((first - 2)) | tr '\n' ' ')" \
		'^((-|[0-9.]+[E*]\*?) )+$' "$release: $1: the first minute is marked"
	column "$1" watts | tail -n +$((first + 1)) >"$TMP/column"
	judge_near 15 2 $((rows - first)) "$release: $1: 15 W within 2 % after it"
	like "$(text "$1" | tail -n +$((160 / $3 + 7)) | awk '$1 ~ /:.*:/ { print $13 }' | tr '\n' ' ')" \
		'^([0-9.]+ )+$' "$release: $1: and not marked"
	mean "$1" 15 2 'the average too'
}

judge_plugged() {
	ended plugged 3 'the charger is plugged in'
	near plugged watts 15 0.1 "$(column plugged watts | grep -c '[0-9]')" '15 W until then'
	num "$(column plugged watts | wc -l)" -ge 4 "$release: plugged: for 10 s"
	like "$(message plugged)" 'no battery is discharging any more' "$release: plugged: why it ended"
	ended pulled 0 'one of two batteries is taken out'
	column pulled bat1_w | head -n 4 >"$TMP/column"
	judge_near 6 0.1 4 "$release: pulled: both until then"
	is "$(column pulled bat1_w | tail -n 12 | sort -u)" - "$release: pulled: then no figure of it"
	near pulled bat0_w 9 0.1 20 'and the other continues'
	near back watts 15 0.1 10 'both again'
	ended pause 0 'the clock is set years ahead, then back'
	near pause watts 15 1 20 'every row'
	steady pause 2 20
}

judge_hour() {
	[ -n "$hour" ] || return 0
	judge_level hour 360 10
	local joules
	joules=$(paste "$G/hour.before" "$G/hour.after" | awk 'NR == 1 { j += ($1 - $2) * 3.6e-3 } NR == 2 { j += ($1 - $2) * 12 * 3.6e-3 } END { print j }')
	ok "$release: hour: the batteries lost 15 Wh ($joules J)" awk -v j="$joules" 'BEGIN { exit !(j > 53900 && j < 54100) }'
	sed -n 's/^Energy: \([0-9.]*\) Joules.*/\1/p' "$G/hour.text" >"$TMP/column"
	judge_near 54000 0.5 1 "$release: hour: and it says so"
}

judge_acpi() {
	judge_rate
	judge_level level 40 5
	judge_plugged
	judge_hour
}

judge_rapl() {
	like "$(text rapl_list)" 'Selected source: RAPL: pkg-0 \+ pkg-1 \+ dram-0 \+ dram-1' "$release: --list: what makes the total"
	ended rapl 0 'two sockets, psys, mmio duplicates'
	near rapl watts 54 0.5 60 '54.0 W'
	local d
	for d in pkg_0:20 pkg_1:22 dram_0:5 dram_1:7 core_0:12 core_1:14 uncore_0:3 uncore_1:2 psys:60 pkg_0_duplicate:20 pkg_1_duplicate:22; do
		near rapl "${d%:*}_w" "${d#*:}" 0.5 60 "${d%:*}"
	done
	is "$(cat "$G/range")" 999999999 "$release: rapl: in that minute counters of more than 16 W have wrapped"
	mean rapl 54 0.1 'the average'
	steady rapl 1 60
	near rapl_half watts 54 0.5 20 'by half seconds'
	steady rapl_half 0.5 20
	near rapl_all watts 60 0.5 10 '--total=psys'
	near dead watts 54 0.5 10 'duplicates with constant counters'
}

judge_clock() {
	ended clock 0 'the clock is set 30 s ahead and back'
	near clock watts 54 1 30 'every row'
	steady clock 1 30
	near clock_half watts 54 1 40 'every row'
	steady clock_half 0.5 40
	column clock time | cut -c12-19 | awk -F: '{ t = $1 * 3600 + $2 * 60 + $3 } NR > 1 { d = (t - last + 86400) % 86400; if (d > 43200) d -= 86400
		if (d > 20) ahead++; if (d < -20) back++ } { last = t } END { print ahead + 0, back + 0 }' >"$TMP/steps"
	is "$(cat "$TMP/steps")" '1 1' "$release: clock: and it was"
}

judge_gone() {
	ended removed 3 'the module is removed'
	near removed watts 54 0.5 "$(column removed watts | grep -c '[0-9]')" '54 W until then'
	num "$(column removed watts | grep -c '[0-9]')" -ge 9 "$release: removed: for 10 s"
	like "$(message removed)" 'the RAPL zones were removed' "$release: removed: why it ended"
	is "$(cat "$G/none.status")" 3 "$release: none: exit status 3"
	like "$(message none)" 'rapl \(/sys/class/powercap\): there is none' "$release: none: what was looked at"
}

# The counter of package-0 steps back by 700 J, for 2 s or for good.  A sum without it is marked and not
# counted in the statistics.
judge_glitch() {
	local part
	for part in glitch step; do
		ended $part 0 'a counter that steps back'
		mean $part 54 1 'the average is not touched'
		column $part watts | paste - <(column $part incomplete) | awk '$2 == 0 && $1 != "-" { print $1 }' >"$TMP/column"
		num "$(wc -l <"$TMP/column")" -ge 26 "$release: $part: few rows are marked"
		judge_near 54 0.5 "$(wc -l <"$TMP/column")" "$release: $part: all others are right"
		near $part pkg_1_w 22 0.5 30 'and so are other domains'
		like "$(text $part)" $'\nNote: energy counters: implausible readings [1-9]' "$release: $part: the note is printed"
	done
}

judge_supplies() {
	ended mixed 0 'three kinds of power supplies, a mouse'
	near mixed watts 30 0.1 12 '30 W'
	near mixed lab0_w 12.5 0.1 12 'power_now'
	near mixed lab1_w 10 0.1 12 'current_now below 0, voltage_now'
	near mixed lab2_w 7.5 0.1 12 'power_now and current_now, both below 0: once'
	unlike "$(head -n 1 "$G/mixed.rows")" 'mouse' "$release: mixed: the mouse is not counted"
	ended mixed_plugged 3 'mains'
	judge_energy
	is "$(cat "$G/mouse.status")" 3 "$release: mouse: a mouse alone is no source"
	like "$(message mouse)" 'battery: no system battery is discharging' "$release: mouse: why"
	is "$(cat "$G/mouse_z.status") $(column mouse_z watts | sort | uniq -c | xargs)" '0 10 -' "$release: -z: the run continues without figures"
}

judge_energy() {
	ended energy 0 'energy_now alone'
	column energy watts | tail -n +13 >"$TMP/column"
	judge_near 15 2 28 "$release: energy: 15 W within 2 % after a minute"
	like "$(text energy | awk '$1 ~ /:.*:/ { print $13 }' | head -n 11 | tr '\n' ' ')" '^((-|[0-9.]+E)\*? )+$' \
		"$release: energy: before it is marked"
	ended unloaded 3 "the battery's module is removed"
	like "$(message unloaded)" 'the battery was removed' "$release: unloaded: why it ended"
}

judge_modules() {
	judge_rapl
	judge_clock
	judge_gone
	judge_glitch
	judge_supplies
}

# CPU 0 has 3 GHz, CPU 1 2 GHz and is offline for a part of the time.
judge_cpus() {
	is "$(cat "$G/idle_driver")" acpi_idle "$release: acpi_idle is at work"
	ended hotplug 0 'a CPU goes offline and online'
	is "$(column hotplug cpu_freq_max_khz | sort -u | cut -d. -f1)" 3000000 "$release: hotplug: the highest frequency"
	column hotplug cpu_freq_min_khz | cut -d. -f1 | uniq >"$TMP/column"
	is "$(xargs <"$TMP/column" | sed 's/ 1000000 / /')" '2000000 3000000 2000000' "$release: hotplug: the lowest: without it, and with it again"
	num "$(column hotplug mono_ns | wc -l)" -ge 18 "$release: hotplug: rows"
	shares hotplug
	if [ "$(text hotplug | awk '$1 == "Average" { print ($5 > 80) }')" = 1 ]; then
		like "$(text hotplug)" $'\nC-State +Resident +Count Latency *\nC1 +[5-9][0-9]\.[0-9]+% +[1-9][0-9]* +2 *\n' \
			"$release: hotplug: idle states"
	else
		skip "$release: hotplug: the guest was not idle"
	fi
	ok "$release: hotplug: they make 100 %" awk '/^C-State/ { on = 1; next } on && sub("%", "", $2) { sum += $2 } END { exit !(sum > 99.9 && sum < 100.1) }' "$G/hotplug.text"
}

# This guest is not warped, and the machine that emulates it may be busy.
shares() { # PART
	column "$1" idle_pct >"$TMP/column"
	ok "$release: $1: CPU shares stay shares" awk '$1 < 0 || $1 > 100 { exit 1 }' "$TMP/column"
}

judge_kmod() {
	if [ ${#libkmod[@]} = 0 ]; then
		skip 'needs libkmod' 6
		return
	fi
	is "$(cat "$G/kmod.before") $(cat "$G/kmod.after")" '0 2' "$release: --load-modules loads two"
	column kmod watts >"$TMP/column"
	is "$(cat "$G/kmod.status") $(grep -c '^5[34]\.' "$TMP/column")" '0 3' "$release: and what they bring is there"
	like "$(message kmod_absent)" '--load-modules: no_such_module: no such module' "$release: --load-modules: one that is not there"
	is "$(grep -c '^intel_rapl_msr$' "$G/kmod.all")" 1 "$release: --load-modules without a list: RAPL's driver"
	is "$(grep -c '^intel_rapl_common$' "$G/kmod.all")" 1 "$release: and what it needs"
	is "$(grep load "$G/kmod_no_tree.err")" 'powerstat: --load-modules: battery: no such module' \
		"$release: without a tree of modules, nothing but our own message"
}

# --- all of it ---------------------------------------------------------------------------

build_all
for k in "${kernels[@]}"; do
	without "$k" || guest "$k" modules
	guest "$k" acpi
	without "$k" || guest "$k" cpus
done
wait
for k in "${kernels[@]}"; do
	judge "$k" acpi judge_acpi
	if without "$k"; then
		skip "modules for the kernel of $k cannot be made here"
		continue
	fi
	judge "$k" modules judge_modules
	judge "$k" cpus judge_cpus judge_kmod
done
done_testing
