#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# run by: check-live
# seconds: 360
# timeout: 900
# What power-calibrate finds on simulated machines, against the parameters of their meters in the lab's log:
# the slope is within its target, and the interval contains the truth.  Runs of 50 s on two CPUs.
#
# An interval of 95 % misses once in 20 runs, and other work can take the CPUs from the loads.  So a run that
# misses is repeated with another order: two misses while the meter's record says that the machine was quiet
# are a failure, and a case that never had a quiet machine is skipped.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/power-calibrate.sh"
RUN_LIMIT=300
ATTEMPTS=4

# CASE SEED: a run; the truth in T[], what was found in F[].
declare -A T F
measure() {
	local line
	lab "$(lab_tree "calibrate-$1")" "$PC" -R -r 10 -s 3 --seed="$2" --json="$TMP/json"
	T=() F=()
	while read -r line; do T[${line%%=*}]=${line#*=}; done < <(awk -F'\t' '
		$1 == "start" { start = $2 }
		$1 == "load" { cpus = $3 }
		$1 == "meter" { for (i = 3; i <= NF; i++) { split($i, p, "="); v[p[1]] = p[2] } }
		$3 ~ /energy_uj$/ { if (!first) { first = $1; b = $5 }; last = $1; busy = $5 - b }
		END { s = (last - first) / 1e9
			printf "slope=%.9g\nbase=%.9g\n", v["busy"] + v["full"] / cpus,
				v["base"] + v["drift"] * ((first + last) / 2 - start) / 1e9
			printf "drift=%.9g\nbusy=%.6f\nseconds=%.6f\n", v["drift"] * 3600, busy, s }' "$lab_log")
	while read -r line; do F[${line%%=*}]=${line#*=}; done < <(jq -rs '
		map(select(.type == "reading")) as $readings | map(select(.type == "result"))[0] as $r |
		"slope=\($r.load.w_per_cpu.value)", "low=\($r.load.w_per_cpu.low)", "high=\($r.load.w_per_cpu.high)",
		"base=\($r.load.base_w.value)", "drift=\($r.load.drift_w_per_h.value // 0)", "linear=\($r.load.linear)",
		"op=\($r.energy.op.nj.value)", "own=\($readings | map(.own_cpus * .dt_s) | add)",
		"span=\($readings | map(.dt_s) | add)",
		"rate=\(($readings | map(.ops_per_s * .dt_s) | add) / ($readings | map(.own_cpus * .dt_s) | add))"' "$TMP/json" 2>/dev/null)
	[ "$status" = 0 ] || diag "$1: exit status $status: $err"
}

# CPUs that others used, by the meter's record: all busy time less that of the loads.  Between the readings of tests
# the loads work as well.
others() {
	awk -v b="${T[busy]}" -v s="${T[seconds]}" -v own="${F[own]:-0}" -v span="${F[span]:-0}" \
		'BEGIN { if (s && span) print b / s - own / span; else print 99 }'
}
limit=0.25
quiet_machine() { awk -v o="$(others)" -v l="$limit" 'BEGIN { exit !(o < l) }'; }

# NAME FOUND TRUTH PERCENT
near() {
	awk -v a="$2" -v b="$3" -v p="$4" 'BEGIN { d = 100 * (a / b - 1); exit !(a != "" && d <= p && d >= -p) }' && return
	miss="$1 $2, truth $3, allowed $4 %"
	return 1
}
contains() {
	awk -v a="${F[low]-1}" -v b="${F[high]-0}" -v t="${T[slope]}" 'BEGIN { exit !(a <= t && t <= b) }' && return
	miss="interval ${F[low]-} to ${F[high]-}, truth ${T[slope]}"
	return 1
}

# shellcheck disable=SC2317 # called by name: judged
# DESCRIPTION CASE JUDGE: JUDGE sets $miss and returns 1 if something is off.
judged() {
	local try misses=0 misses_said='' busy_said=''
	for ((try = 1; try <= ATTEMPTS; try++)); do
		measure "$2" "$try"
		miss=
		if "$3"; then
			pass "$1: slope ${F[slope]} (${F[low]} to ${F[high]}), truth ${T[slope]}"
			return
		fi
		diag "$1, try $try: $miss; others used $(others) CPUs"
		if quiet_machine; then
			misses=$((misses + 1)) misses_said="$misses_said $miss;"
		else
			busy_said="others used $(others) CPUs"
		fi
		if [ $misses -ge 2 ]; then
			fail "$1" "$misses_said"
			return
		fi
	done
	skip "$1: the machine was busy: $busy_said"
}

clean() { near slope "${F[slope]}" "${T[slope]}" 1 && near base "${F[base]}" "${T[base]}" 2 && contains; }
noise() { near slope "${F[slope]}" "${T[slope]}" 2.5 && contains; }
drift() { near slope "${F[slope]}" "${T[slope]}" 3 && near drift "${F[drift]}" "${T[drift]}" 25 && contains; }
outliers() { near slope "${F[slope]}" "${T[slope]}" 3 && contains; }
# Operations in a second of CPU time are those of this run.
other() {
	miss="the spinner was not there: others used $(others) CPUs"
	awk -v o="$(others)" 'BEGIN { exit o < 0.3 }' && near slope "${F[slope]}" "${T[slope]}" 3 && contains &&
		near 'energy of an operation' "${F[op]}" "$(awk -v w="${T[slope]}" -v r="${F[rate]}" 'BEGIN { print w * 1e9 / r }')" 5
}
curved() {
	[ "${F[linear]-}" = false ] && [[ $out == *'Not linear: '* ]] && return
	miss='it is not called not linear'
	return 1
}
falling() {
	near slope "${F[slope]}" "${T[slope]}" 1 && contains && [[ $out == *'1% CPU load is about -'* ]]
}

judged clean clean clean
judged 'noise of 0.5 W' noise noise
judged 'drift of 0.05 W/s' drift drift
judged 'outliers of 60 W, one second in 40' outliers outliers
judged curved curved curved
judged falling falling falling

# A spinner on the last CPU, 7 s of each 14: a part of it runs while each of the levels is measured.
bg bash -c 'while :; do end=$((SECONDS + 7)); while [ $SECONDS -lt $end ]; do :; done; sleep 7; done'
taskset -p -c $(($(nproc) - 1)) "$bg_pid" >/dev/null
limit=0.9
judged 'other load half of the time' clean other
kill "$bg_pid"
done_testing
