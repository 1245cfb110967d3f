# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# powerstat: functions of the black-box tests of powerstat; sourced after tap.sh and lab.sh.
#
# A run on a simulated machine takes real seconds, so a script starts all of its runs at once with
# launch and then judges one after the other: take NAME sets $status, $out, $err, the rows in
# $TMP/rows and the messages in $TMP/msg, and the log and the machine for the judge.
POWERSTAT=${POWERSTAT:-$BUILD/bin/powerstat}
export POWERSTAT
declare -A run_pid=() run_machine=()
tool=''	# pid of the tool that start() started

machine_path() { if [ -f "$1" ]; then echo "$1"; else lab_tree "$1"; fi; }

# [-r] [-u] NAME MACHINE OPTION...: in the background.  MACHINE: a stored one's name, or a path.
launch() {
	lab_words "$@"
	local name=$lab_machine machine
	machine=$(machine_path "${lab_command[0]}")
	run_machine[$name]=$machine
	bg "$LAB/run" ${lab_options[@]+"${lab_options[@]}"} "$machine" "$TMP/$name.log" -- \
		"$POWERSTAT" "${lab_command[@]:1}" >"$TMP/$name.rows" 2>"$TMP/$name.msg"
	run_pid[$name]=$bg_pid
}

machine_is_there() { [ -s "$TMP/$1.log" ]; }
has_rows() { [ "$(grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2}|"type":"sample"' "$TMP/$1.rows")" -ge "$2" ]; }
rows_of() { wait_for has_rows "$1" "$2" || fail "$1: $2 rows" "$(cat "$TMP/$1.msg")"; } # NAME COUNT

use() { # NAME: selects a run that has not ended
	cp "$TMP/$1.rows" "$TMP/rows"
	cp "$TMP/$1.msg" "$TMP/msg"
	out=$(tr -d '\0' <"$TMP/rows")
	err=$(cat "$TMP/msg")
	lab_log=$TMP/$1.log lab_machine=${run_machine[$1]}
}

take() { # NAME [CODE]: waits for the end of the run; one check of its exit status
	reap "${run_pid[$1]}"
	use "$1"
	[ -z "${2-}" ] || expect_exit "$2" "$1: exit status $2"
}

# NAME MACHINE OPTION...: one run to its end
on() {
	launch "$@"
	lab_words "$@"
	take "$lab_machine"
}

jqs() { jq -sc "$1" "${2:-$TMP/rows}"; }
sample_count() { jqs 'map(select(.type == "sample")) | length'; }
# JQ-EXPRESSION: of each sample, as a list
of_samples() { jqs "map(select(.type == \"sample\") | $1)"; }
of_summary() { jqs "map(select(.type == \"summary\"))[0] | $1"; }

# CSV of --timestamp=mono: each row against the truth of its interval; figures in J.  The interval is that
# between the readings of $judge_file (the end of its path), if that is set.
# ROW-ERROR RUN-ERROR COLUMN[=TRUTH]...: in per cent
true_rows() {
	local row=$1 run=$2 c args=()
	shift 2
	for c; do args+=(-c "$c"); done
	[ -z "${judge_file-}" ] || args+=(-r "$judge_file")
	lab_judge -t time -d dt_s -m "$row" -a "$run" "${args[@]}" "$TMP/rows"
	if [ "$status" = 0 ] && [ "${J[${1%%=*}.rows]-0}" -gt 0 ]; then
		pass "$(basename "$lab_machine" .spec): ${*%%=*} within $row % in each row, $run % in the run"
	else
		fail "$(basename "$lab_machine" .spec): $* within $row % in each row, $run % in the run" \
			"$(cat "$TMP/out" "$TMP/err" "$TMP/rows")"
	fi
}

# Values of one column of the table in $TMP/rows, separated by blanks: COLUMN
column() {
	lab_table "$TMP/rows" | awk -F, -v c="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) n = i; next }
		n { s = s (s == "" ? "" : " ") $n } END { print s }'
}
# NUMBERS has at least one number, and all are within LOW..HIGH
between() { # LOW HIGH NUMBERS NAME
	if awk -v a="$1" -v b="$2" '{ for (i = 1; i <= NF; i++) { n++; if ($i + 0 < a || $i + 0 > b || $i !~ /^-?[0-9.]+[E*]?$/) bad = 1 } }
		END { exit bad || !n }' <<<"$3"; then
		pass "$4: $3"
	else
		fail "$4" "not all of these are within $1..$2: $3"
	fi
}
