#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 900
# power-calibrate.sh [KERNEL]...: power-calibrate under the stock kernels that kernels.sh fetched into $VM (all,
# or those named), with two CPUs: one goes offline, a cpuset forbids one, a module goes away; energy counters
# that follow the load exactly (modules/raplsim.c) and batteries (acpi/power.dsl).  guest-calibrate.sh has the
# runs in the guests.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
tool=${POWER_CALIBRATE:-$BUILD/bin/power-calibrate}
. "$TOP/tests/vm/power.sh"

guest() { # KERNEL acpi|modules
	local tables=()
	[ "$2" != acpi ] || tables=(-a "$TMP/$1.lab/power.aml")
	boot "$1.$2" "$1" -n 2 -t 400 ${tables[@]+"${tables[@]}"} -f "$TMP/$1.lab/modules:/lib/modules" \
		-f "$tool:power-calibrate" -f "$TOP/tests/vm/guest-calibrate.sh" -- "guest-calibrate.sh $2"
}

status_of() { cat "$G/$1.status"; } # PART
of() { jq -r "select(.type == \"$2\") | $3" "$G/$1.rows" | sort -u | tr '\n' ' '; } # PART TYPE FILTER

# PART MESSAGE NAME: the run ended with status 1 and why; its readings are of a load that was there.
ended_amid() {
	is "$(status_of "$1")" 1 "$release: $3: exit status 1" || diag "$(message "$1")"
	like "$(message "$1")" "$2" "$release: $3: why"
	is "$(of "$1" reading 'if .own_cpus < 0.2 * .level_pct / 100 * .cpus then . else empty end')" '' \
		"$release: $3: no reading of a load that was not there"
}

judge_modules() {
	is "$(status_of line)" 0 "$release: a power that follows the load: exit status" || diag "$(message line)"
	is "$(of line result '.load | (.w_per_cpu.value > 9.5 and .w_per_cpu.value < 10.5), (.base_w.value > 53 and .base_w.value < 55)')" \
		'true ' "$release: 10 W for a busy CPU, 54 W idle" || diag "$(of line result .load)"
	ended_amid offline 'the load of CPU 1 has lost its CPU, which went offline; the run ends' 'a CPU goes offline'
	is "$(status_of absent) $(head -n 1 "$G/absent.err")" '2 power-calibrate: -n: CPU 1 is offline' "$release: -n with an offline CPU"
	is "$(of rest test .cpus)" '0 1 ' "$release: the rest is one CPU"
	like "$(cat "$G/list")" $'CPUs that can be loaded: 1\n  CPU 1 is offline' "$release: --list"
	like "$(message cpuset)" '1 online CPU is not loaded: not in the affinity mask or cpuset' "$release: a cpuset: what is left out is said"
	is "$(of cpuset test .cpus)" '0 1 ' "$release: a cpuset: one CPU is loaded"
	is "$(status_of outside) $(head -n 1 "$G/outside.err")" \
		"2 power-calibrate: -n: CPU 1 is outside of this process's CPU affinity or cpuset" "$release: a cpuset: -n with another CPU"
	ended_amid moved 'the load of CPU 0 (was moved to CPU 1|has lost its CPU)[^;]*; the run ends' 'the cpuset changes'
	is "$(status_of removed)" 3 "$release: the counters go away: exit status 3" || diag "$(message removed)"
	like "$(message removed)" '; the run ends' "$release: the counters go away: why"
	is "$(cat "$G/left")" '' "$release: no load is left"
}

judge_acpi() {
	like "$(cat "$G/list")" $'Selected:\n  battery: BAT0, BAT1\n' "$release: --list: the battery"
	is "$(status_of battery)" 1 "$release: a constant battery, without any right: exit status 1" || diag "$(message battery)"
	like "$(message battery)" 'power source: battery.*no result: the power does not change with the load' "$release: and why"
	like "$(text battery)" ' 15\.0[0-9]*(\n|$)' "$release: its 15 W are in the table"
	ended_amid away 'the load of CPU 1 has lost its CPU, which went offline; the run ends' 'on battery, a CPU goes offline'
	is "$(status_of mains)" 1 "$release: on mains: exit status 1"
	like "$(message mains)" 'discharging; unplug the charger' "$release: on mains: why"
	is "$(status_of none)" 3 "$release: -R without counters: exit status 3"
}

build_all
for k in "${kernels[@]}"; do
	without "$k" || guest "$k" modules
	guest "$k" acpi
done
wait
for k in "${kernels[@]}"; do
	judge "$k" acpi judge_acpi
	if without "$k"; then
		skip "modules for the kernel of $k cannot be made here"
	else
		judge "$k" modules judge_modules
	fi
done
done_testing
