#!/bin/bash
# shellcheck disable=SC2317 # the judges are called by name
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# run by: check-live
# seconds: 1400
# timeout: 3600
# Hidden machines: meters of all kinds whose parameters are random, so that each run of this script tests other ones.
# SEED=N repeats a run.  First come whole runs without their time (MACHINES of each kind), then runs of the program on
# machines of the lab, whose log has the parameters.
#
# A meter that is late may be refused (exit status 1) if the message says so and names an option.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/power-calibrate.sh"
. "$TOP/tests/lib/machines.sh"
MACHINES=${MACHINES:-60}
SEED=${SEED:-$((RANDOM * 3 + 1))}
diag "SEED=$SEED"
RANDOM=$SEED first_seed=$SEED

# Of each kind in $out, 90 % of the intervals have the truth, less two standard errors of so few machines.
covered() {
	awk '/^#.*(machines|results):.* of the intervals/ {
			for (i = 1; i < NF; i++) {
				if ($(i + 1) ~ /^(machines|results):$/) n = $i
				if ($(i + 1) == "of") { share = $i; break }
			}
			kinds++
			if (share < 0.9 - 2 * sqrt(0.09 / n)) { print "too few: " $0; bad = 1 }
		}
		END { exit bad || !kinds }' <<<"$out"
}
# PROGRAM MACHINES: a program whose limits two seeds do not exceed
simulated() {
	local try failed=''
	[ -x "$BUILD/unit/power-calibrate/$1" ] || {
		skip "$1 is not built"
		return
	}
	for ((try = 0; try < 2; try++)); do
		run env MACHINE_SEED=$((SEED + 100000 * try)) MACHINES="$2" "$BUILD/unit/power-calibrate/$1"
		diag "$1, MACHINE_SEED=$((SEED + 100000 * try)): $(grep -E '^(#|not ok)' <<<"$out")"
		if [ "$status" = 0 ] && covered; then
			pass "$1: $2 machines of each kind"
			return
		fi
		failed+=$(covered)$err
	done
	fail "$1: $2 machines of each kind" "$failed"
}
RUN_LIMIT=1500
simulated test_machines $((MACHINES * 15))
simulated test_meters "$MACHINES"
RUN_LIMIT=600

# KEY=VALUE...: $meter, with random parameters
chance() {
	printf -v meter 'seed=%d base=%d.%03d busy=%d.%03d noise=0.%03d %s' $((RANDOM + 1)) $((3 + RANDOM % 30)) \
		$((RANDOM % 1000)) $((8 + RANDOM % 16)) $((RANDOM % 1000)) $((50 + RANDOM % 250)) "$*"
}
rapl() { # NAME KEY=VALUE...
	chance "${@:2}"
	machine "$1" <<-END
		hostcpus
		meter all $meter
		zone intel-rapl:0 package-0 lin @all start=$((RANDOM * 1000)) range=262143328850 unit=16384
	END
}
# NAME METER-KEYS FILE KEYS-OF-THE-FILE: a power meter of the machine; an averaging one tells its time (ms), INTERVAL
hwmon() {
	chance "$2"
	machine "$1" <<-END
		hostcpus
		meter all $meter
		device /sys/devices/LNXSYSTM:00/ACPI000D:00/hwmon/hwmon1 hwmon
		name text power_meter
		$3 rate @all $4
		${5:+power1_average_interval text $5}
	END
}
battery() { # NAME STATEMENT...
	chance
	machine "$1" <<-END
		hostcpus
		meter all $meter
		volts bat 11.7
		device /sys/devices/LNXSYSTM:00/PNP0C0A:00/power_supply/BAT0 power_supply
		type text Battery
		status text Discharging
		present text 1
		scope text System
		voltage_now volt bat
		energy_full text 47000000
		$(printf '%s\n' "${@:2}")
		uevent uevent POWER_SUPPLY_
	END
}

exact() { near slope "${F[slope]}" "${T[slope]}" 5 && contains; }
steps() { near slope "${F[slope]}" "${T[slope]}" 15 && contains; }
# The leakage of a warm processor belongs to it in part.
warm() {
	awk -v a="${F[low]-}" -v b="${F[high]-}" -v t="${T[slope]}" 'BEGIN { exit !(a != "" && a <= 1.1 * t && b >= t) }' && return
	miss="interval ${F[low]-} to ${F[high]-}, truth ${T[slope]} to 1.1 times that"
	return 1
}
late() {
	[ "$status" = 1 ] && [[ $err =~ lag|averag|late|gauge|level|steps|renews ]] && [[ $err =~ [\ \(]--?[a-z] ]] && return
	contains
}

short=(-r 10 -s 3) long=(-r 20 -s 3)
rapl plain
judged 'RAPL' plain exact -R "${short[@]}"
rapl drifts drift=0.0$((RANDOM % 5)) fade=2
judged 'RAPL, drift, noise that fades' drifts exact -R "${short[@]}"
rapl spikes outlier=$((20 + RANDOM % 60)):40:0.5
judged 'RAPL, outliers' spikes exact -R "${short[@]}"
rapl grows growth=0.03
judged 'RAPL, noise of 3 % of the load' grows exact -R "${short[@]}"
rapl grows-more growth=0.06
judged 'RAPL, noise of 6 % of the load' grows-more steps -R "${short[@]}"
rapl heats heat=0.1 heat_s=10
judged 'RAPL, heat' heats warm -R "${short[@]}"
hwmon sharp '' power1_input 'every=1 avg=1'
judged 'meter, a value each second' sharp late --source=hwmon "${short[@]}"
hwmon step-1 '' power1_input 'every=1 avg=1 step=1000000'
judged 'meter, steps of 1 W' step-1 steps --source=hwmon "${short[@]}"
hwmon step-5 '' power1_input 'every=1 avg=1 step=5000000'
judged 'meter, steps of 5 W' step-5 late --source=hwmon "${short[@]}"
hwmon average-1 '' power1_average 'every=1 avg=1' 1000
judged 'meter, average of 1 s' average-1 late --source=hwmon "${short[@]}"
hwmon average-5 '' power1_average 'every=1 avg=5' 5000
judged 'meter, average of 5 s' average-5 late --source=hwmon "${long[@]}"
for lag in 0.3 1 3 10; do
	hwmon "lag-$lag" "lag=$lag renew=1" power1_input ''
	judged "meter, lag of $lag s" "lag-$lag" late --source=hwmon "${long[@]}"
done
battery gauge 'power_now rate @all every=1 avg=10 step=10000' 'energy_now level @all start=40000000 every=1 step=10000'
judged 'battery, a gauge that averages 10 s' gauge late --source=battery -d 5 "${long[@]}"
battery level 'energy_now level @all start=40000000 every=1 step=1000'
judged 'battery, level only' level late --source=battery -d 5 "${long[@]}"
done_testing
