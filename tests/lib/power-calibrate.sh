# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# power-calibrate: functions of its black-box tests on simulated machines, without which they are skipped; sourced
# after tap.sh.
#
# A run takes two seconds ($short), so a script starts its runs with simulate, which is in the background, and
# then judges one after the other (take).
# None of these runs depends on how exact the load is: they are on the machine calibrate-clock, whose power
# follows the clock, or variants of it, unless they name another.
. "$TOP/tests/lib/lab.sh"
need_root
need_cmd jq
lab_need
PC=${POWER_CALIBRATE:-$BUILD/bin/power-calibrate}
short=(-R -n 0 -s 2 -r 1 --settle=0 0.1)

# NAME: the machine of that name from standard input
machine() { cat >"$TMP/$1.spec"; }

# Too many at a time would start late, and the machine's clock would be ahead of them.
at_once=5
few() { [ "$(jobs -rp | wc -l)" -lt "$at_once" ]; }
# [-u] NAME MACHINE WORD...: the words after a program run on that machine; WORD may begin with "taskset ..."
simulate() {
	lab_words "$@"
	wait_for few
	lab_launch ${lab_options[@]+"${lab_options[@]}"} "$lab_machine" "${lab_command[0]}" "$PC" "${lab_command[@]:1}"
}

jqs() { jq -sc "$1" "${2:-$TMP/rows}"; }
of_readings() { jqs "map(select(.type == \"reading\") | $1)"; } # JQ-EXPRESSION: of each, as a list
# LOW HIGH NAME: there are readings, and all are above LOW and below HIGH.  The limits are wide, but a counter that is
# read later than the clock beside it gives any figure.
readings_between() {
	local ms
	ms=$(lab_longest_gap energy_uj 1)
	if [ "$(of_readings ".watts | . > $1 and . < $2" | jq -c unique)" = '[true]' ]; then
		pass "$3"
	elif [ "$ms" -gt 130 ]; then
		skip "the machine was busy: $ms ms between two readings of the counter"
	else
		fail "$3" "not all are between $1 and $2 W: $(of_readings .watts)"
	fi
}
of_tests() { jqs "map(select(.type == \"test\") | $1)"; }
of_result() { jqs "map(select(.type == \"result\"))[-1] | $1"; }
# Messages beside the notes at the start
messages() { grep -vE '^power-calibrate: (power source: |[0-9]+ tests of |$)' <<<"$err"; }

# PID...: all of them have ended; a zombie that process 1 has not reaped yet has
ended() {
	local p
	for p in "$@"; do
		if [ -e "/proc/$p/stat" ] && ! grep -q '^State:.Z' "/proc/$p/status" 2>/dev/null; then return 1; fi
	done
}
loads_of() { pgrep -x -P "$1" power-calibrate; } # PID: its loads
