#!/bin/bash
# shellcheck disable=SC2317 # the judges are called by name
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# run by: check-live
# seconds: 360
# timeout: 900
# What power-calibrate finds on simulated machines, against the parameters of their meters in the lab's log:
# the slope is within its target, and the interval contains the truth.  Runs of 50 s on two CPUs, repeated by the rule
# of tests/lib/machines.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/power-calibrate.sh"
. "$TOP/tests/lib/machines.sh"
run_of=(-R -r 10 -s 3)

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

judged clean calibrate-clean clean "${run_of[@]}"
judged 'noise of 0.5 W' calibrate-noise noise "${run_of[@]}"
judged 'drift of 0.05 W/s' calibrate-drift drift "${run_of[@]}"
judged 'outliers of 60 W, one second in 40' calibrate-outliers outliers "${run_of[@]}"
judged curved calibrate-curved curved "${run_of[@]}"
judged falling calibrate-falling falling "${run_of[@]}"

# A spinner on the last CPU, 7 s of each 14: a part of it runs while each of the levels is measured.
bg bash -c 'while :; do end=$((SECONDS + 7)); while [ $SECONDS -lt $end ]; do :; done; sleep 7; done'
taskset -p -c $(($(nproc) - 1)) "$bg_pid" >/dev/null
limit=0.9
judged 'other load half of the time' calibrate-clean other "${run_of[@]}"
kill "$bg_pid"
done_testing
