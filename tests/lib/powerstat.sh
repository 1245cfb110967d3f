# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# powerstat: functions of the black-box tests of powerstat; sourced after tap.sh and lab.sh.
#
# A run on a simulated machine takes real seconds, so a script starts all of its runs at once with
# simulate and then judges one after the other (take).
POWERSTAT=${POWERSTAT:-$BUILD/bin/powerstat}
export POWERSTAT

# [-r] [-u] NAME MACHINE OPTION...: in the background
simulate() {
	lab_words "$@"
	lab_launch ${lab_options[@]+"${lab_options[@]}"} "$lab_machine" "${lab_command[0]}" "$POWERSTAT" "${lab_command[@]:1}"
}

has_rows() { [ "$(grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2}|"type":"sample"' "$TMP/$1.rows")" -ge "$2" ]; }
rows_of() { wait_for has_rows "$1" "$2" || fail "$1: $2 rows" "$(cat "$TMP/$1.msg")"; } # NAME COUNT

jqs() { jq -sc "$1" "${2:-$TMP/rows}"; }
sample_count() { jqs 'map(select(.type == "sample")) | length'; }
# JQ-EXPRESSION: of each sample, as a list
of_samples() { jqs "map(select(.type == \"sample\") | $1)"; }
# SECONDS: samples of at least this length, and missed ones.  If the end is late on a busy machine, a shorter one is the rest.
slots_shown() { echo $(($(of_samples "select(.dt_s >= $1)" | jq length) + $(of_summary .missed))); }
of_summary() { jqs "map(select(.type == \"summary\"))[0] | $1"; }

# CSV in $TMP/rows: the interval of the rows and the longest deviation from it, ms
late_ms() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "dt_s") dt = i; next } { print $dt * 1000 }' "$TMP/rows" | sort -n |
		awk '{ v[NR] = $1 } END { m = v[int((NR + 1) / 2)]; d = v[NR] - m; if (m - v[1] > d) d = m - v[1]; printf "%.0f %.0f\n", m, d }'
}

# CSV of --timestamp=mono: each row against the truth of its interval; figures in J.  The interval is that
# between the readings of $judge_file (the end of its path), if that is set.  Rows that are late on a busy machine
# were also read late: what that explains is no failure, but the test is skipped.
# ROW-ERROR RUN-ERROR COLUMN[=TRUTH]...: in per cent
true_rows() {
	local row=$1 run=$2 name c args=() interval late figures
	shift 2
	name="$(basename "$lab_machine" .spec): ${*%%=*} within $row % in each row, $run % in the run"
	for c; do args+=(-c "$c"); done
	[ -z "${judge_file-}" ] || args+=(-r "$judge_file")
	lab_judge -t time -d dt_s -m "$row" -a "$run" "${args[@]}" "$TMP/rows"
	if [ "$status" = 0 ] && [ "${J[${1%%=*}.rows]-0}" -gt 0 ]; then
		pass "$name"
		return
	fi
	figures=$(cat "$TMP/out" "$TMP/err" "$TMP/rows")
	read -r interval late < <(late_ms)
	if [ "$late" -gt 5 ]; then
		lab_judge -t time -d dt_s -m $((row + 500 * late / interval)) -a $((${run%.*} + 1 + 100 * late / interval)) "${args[@]}" "$TMP/rows"
		if [ "$status" = 0 ]; then
			skip "the machine was busy: rows of $interval ms up to $late ms late"
			return
		fi
	fi
	fail "$name" "$figures"
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

# A battery for the description of a machine: BATTERY, statements from standard input
supply() {
	printf 'device /sys/devices/LNXSYSTM:00/LNXSYBUS:00/PNP0C0A:0%s/power_supply/%s power_supply\n' "${1#BAT}" "$1"
	cat
	printf '%s\n' 'type text Battery' 'present text 1' 'uevent uevent POWER_SUPPLY_'
}
