# shellcheck shell=bash
# shellcheck disable=SC2016,SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# machines: what power-calibrate finds on simulated machines, against the parameters of their meters in the lab's log;
# sourced after tap.sh and power-calibrate.sh.
#
# An interval of 95 % misses once in 20 runs, and other work can take the CPUs from the loads.  So a run that
# misses is repeated with another order: two misses while the meter's record says that the machine was quiet
# are a failure, and a case that never had a quiet machine is skipped.
RUN_LIMIT=300
ATTEMPTS=4
first_seed=0

# A meter that lags or averages shows 0 until it has its first value.
shows='until ! grep -qsx 0 /sys/class/hwmon/hwmon1/power1_*; do :; done; exec "$0" "$@"'
# MACHINE SEED OPTION...: a run; the truth in T[], what was found in F[].
declare -A T F
measure() {
	local line
	lab "$(lab_path "$1")" bash -c "$shows" "$PC" "${@:3}" --seed="$2" --json="$TMP/json"
	T=() F=()
	while read -r line; do T[${line%%=*}]=${line#*=}; done < <(awk -F'\t' '
		$1 == "start" { start = $2 }
		$1 == "load" { cpus = $3 }
		$1 == "meter" { for (i = 3; i <= NF; i++) { split($i, p, "="); v[p[1]] = p[2] } }
		$3 ~ /(energy_uj|power1_input|power1_average|power_now|energy_now|uevent)$/ { if (!first) { first = $1; b = $5 }; last = $1; busy = $5 - b }
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

# DESCRIPTION MACHINE JUDGE OPTION...: JUDGE sets $miss and returns 1 if something is off.
judged() {
	local try misses=0 misses_said='' busy_said=''
	for ((try = 1; try <= ATTEMPTS; try++)); do
		measure "$2" $((first_seed + try)) "${@:4}"
		miss=
		if "$3"; then
			pass "$1: slope ${F[slope]-none} (${F[low]-} to ${F[high]-}), truth ${T[slope]}"
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
