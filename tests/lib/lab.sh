# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# lab: functions of the tests on simulated machines; sourced after tap.sh.  The description language is
# in tests/lab/fakesys.c.  The log of readings is $TMP/lab.log.
LAB=$TOP/tests/lab
LAB_BIN=$BUILD/lab
lab_log=$TMP/lab.log
lab_tool='' # pid of what lab_bg started
declare -A J=() # the judge's figures
export BUILD

# Prints why no machine can be simulated, if so.  Without root: in a user namespace.
lab_lacks() {
	if [ ! -x "$LAB_BIN/fakesys" ]; then
		echo 'needs libfuse3 (fakesys is not built)'
	elif [ ! -c /dev/fuse ]; then
		echo 'needs /dev/fuse'
	else
		printf '/sys/lab-probe text yes\n' >"$TMP/probe.spec"
		[ "$("$LAB/run" "$TMP/probe.spec" "$TMP/probe.log" -- cat /sys/lab-probe 2>"$TMP/probe")" = yes ] ||
			echo "no simulated machine here: $(head -n 1 "$TMP/probe")"
	fi
}
lab_need() { # skips the whole script without
	local lack
	lack=$(lab_lacks)
	[ -z "$lack" ] || skip_all "$lack"
}

lab_tree() { printf '%s/trees/%s.spec\n' "$LAB" "$1"; } # NAME: a stored machine

# [NAME]: appends standard input to the description of the stored machine NAME; prints the new path.
lab_spec() {
	local path=$TMP/own.spec
	{
		[ -z "${1-}" ] || printf 'include "%s"\n' "$(lab_tree "$1")"
		cat
	} >"$path"
	printf '%s\n' "$path"
}

# [-r] [-u] [-n] SPEC COMMAND...: runs COMMAND on that machine to its end; $status, $out, $err.
lab() {
	lab_words "$@"
	run "$LAB/run" ${lab_options[@]+"${lab_options[@]}"} "$lab_machine" "$lab_log" -- "${lab_command[@]}"
}

# The same in the background, output in $TMP/rows and $TMP/msg, pid in $lab_tool; returns once the
# machine is mounted.
lab_bg() {
	lab_words "$@"
	rm -f "$lab_log" "$TMP/rows" "$TMP/msg"
	bg "$LAB/run" ${lab_options[@]+"${lab_options[@]}"} "$lab_machine" "$lab_log" -- \
		"${lab_command[@]}" >"$TMP/rows" 2>"$TMP/msg"
	lab_tool=$bg_pid
	wait_for [ -s "$lab_log" ] || fail "start of $lab_machine" "$(cat "$TMP/msg")"
}

lab_words() {
	lab_options=()
	while [[ $1 == -[run] ]]; do
		lab_options+=("$1")
		shift
	done
	lab_machine=$1
	lab_command=("${@:2}")
}

# JUDGE-ARGUMENT...: judges the last run; figures in J[COLUMN.KEY], $status.  The last argument is the
# CSV file; the description and the log are inserted before it.
lab_judge() {
	local name pair rest
	run "$LAB_BIN/judge" "${@:1:$#-1}" "$lab_machine" "$lab_log" "${!#}"
	J=()
	while read -r name rest; do
		for pair in $rest; do J[$name.${pair%%=*}]=${pair#*=}; done
	done <"$TMP/out"
}

# PATH: number of reads of it; PATH may end in * for all files below it.
lab_reads() {
	awk -F'\t' -v p="$1" 'BEGIN { n = 0; any = sub(/\*$/, "", p) }
		$3 == p || (any && index($3, p) == 1) { n++ } END { print n }' "$lab_log"
}

# PATH: the shortest time between two reads of it, ms; "-" if there were fewer than two.
lab_min_gap() {
	awk -F'\t' -v p="$1" '$3 == p { if (t) { d = $1 - t; if (!n++ || d < min) min = d }; t = $1 }
		END { if (n) printf "%.3f\n", min / 1e6; else print "-" }' "$lab_log"
}

# The tool's table as CSV, with a column for each heading.  Repeated names get a number.  Rows of the
# statistics are left out.
lab_table() { # [FILE]
	awk '$1 == "Time" && !heads { heads = NF; line = ""
			for (i = 1; i <= NF; i++) {
				name = $i; if (seen[$i]++) name = $i "-" seen[$i]
				line = line (i > 1 ? "," : "") name
			}
			print line
		}
		$1 ~ /^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]/ && heads {
			line = ""
			for (i = 1; i <= NF; i++) line = line (i > 1 ? "," : "") $i
			print line
		}' "${1:-$TMP/rows}"
}
