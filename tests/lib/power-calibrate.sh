# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# power-calibrate: functions of its black-box tests on simulated machines, without which they are skipped; sourced
# after tap.sh.
#
# A run takes two seconds ($short), so a script starts its runs with launch, which is in the background, and
# then judges one after the other: take NAME sets $status, $out, $err, the records in $TMP/rows and $TMP/err.
# None of these runs depends on how exact the load is: they are on the machine calibrate-clock, whose power
# follows the clock, or variants of it, unless they name another.
. "$TOP/tests/lib/lab.sh"
need_root
need_cmd jq
lab_need
PC=${POWER_CALIBRATE:-$BUILD/bin/power-calibrate}
short=(-R -n 0 -s 2 -r 1 --settle=0 0.1)
declare -A run_pid=()
# Other tests use the CPUs, too.
higher=(nice -n -10)
[ "$("${higher[@]}" nice 2>/dev/null)" = "$(($(nice) - 10))" ] || higher=()

# NAME: the machine of that name from standard input
machine() { cat >"$TMP/$1.spec"; }
machine_path() { if [ -f "$TMP/$1.spec" ]; then echo "$TMP/$1.spec"; else lab_tree "$1"; fi; }

# Too many at a time would start late, and the machine's clock would be ahead of them.
few() { [ "$(jobs -rp | wc -l)" -lt 5 ]; }
# [-u] NAME MACHINE WORD...: the words after a program run on that machine; WORD may begin with "taskset ..."
launch() {
	lab_words "$@"
	local name=$lab_machine
	wait_for few
	bg "$LAB/run" ${lab_options[@]+"${lab_options[@]}"} "$(machine_path "${lab_command[0]}")" "$TMP/$name.log" -- \
		${higher[@]+"${higher[@]}"} "$PC" "${lab_command[@]:1}" >"$TMP/$name.rows" 2>"$TMP/$name.msg" </dev/null
	run_pid[$name]=$bg_pid
}
take() { # NAME [CODE]: waits for the end of the run; one check of its exit status
	reap "${run_pid[$1]}"
	cp "$TMP/$1.rows" "$TMP/rows"
	cp "$TMP/$1.msg" "$TMP/err"
	out=$(tr -d '\0' <"$TMP/rows")
	err=$(cat "$TMP/err")
	[ -z "${2-}" ] || expect_exit "$2" "$1: exit status $2"
}

jqs() { jq -sc "$1" "${2:-$TMP/rows}"; }
of_readings() { jqs "map(select(.type == \"reading\") | $1)"; } # JQ-EXPRESSION: of each, as a list
of_tests() { jqs "map(select(.type == \"test\") | $1)"; }
of_result() { jqs "map(select(.type == \"result\"))[-1] | $1"; }
# NAME...: messages beside the notes at the start
messages() { grep -vE '^power-calibrate: (power source: |[0-9]+ tests of )' "${1:-$TMP/err}"; }

# PID...: all of them have ended; a zombie that process 1 has not reaped yet has
ended() {
	local p
	for p in "$@"; do
		if [ -e "/proc/$p/stat" ] && ! grep -q '^State:.Z' "/proc/$p/status" 2>/dev/null; then return 1; fi
	done
}
loads_of() { pgrep -x -P "$1" power-calibrate; } # PID: its loads
