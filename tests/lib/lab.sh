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

# MACHINE: the path of its description: a path, the name of one of the test's own in $TMP, or of a stored one
lab_path() {
	local path
	for path in "$1" "$TMP/$1.spec" "$(lab_tree "$1")"; do
		[ -f "$path" ] || continue
		printf '%s\n' "$path"
		return
	done
}

# Other tests use the CPUs, too: a machine and its program get them first, if that is permitted.
lab_first=(nice -n -10)
[ "$("${lab_first[@]}" nice 2>/dev/null)" = "$(($(nice) - 10))" ] || lab_first=()
declare -A lab_machines=()
lab_begun=()
# A machine's clock begins before its program, which would be late if many began at a time.
lab_few_begin() {
	local log n=0
	for log in ${lab_begun[@]+"${lab_begun[@]: -4}"}; do [ -s "$log" ] || n=$((n + 1)); done
	[ "$n" -lt 3 ]
}
# [-r] [-u] [-n] NAME MACHINE COMMAND...: launch on that machine; use and take select the machine and its log.
lab_launch() {
	lab_words "$@"
	local name=$lab_machine machine
	machine=$(lab_path "${lab_command[0]}")
	lab_machines[$name]=$machine
	wait_for lab_few_begin
	lab_begun+=("$TMP/$name.log")
	launch "$name" ${lab_first[@]+"${lab_first[@]}"} "$LAB/run" ${lab_options[@]+"${lab_options[@]}"} "$machine" "$TMP/$name.log" -- "${lab_command[@]:1}"
}
use() {
	run_output "$1"
	lab_log=$TMP/$1.log lab_machine=${lab_machines[$1]-}
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

# PATH [1]: the longest time without a read of it since the start (1: since the first read), ms; PATH may be the end of paths
lab_longest_gap() {
	awk -F'\t' -v p="$1" -v first="${2-}" 'NR == 1 { t = $2 }
		first && t && substr($3, length($3) - length(p) + 1) == p { t = $1; first = "" }
		substr($3, length($3) - length(p) + 1) == p { if ($1 - t > max) max = $1 - t; t = $1 }
		END { printf "%.0f\n", max / 1e6 }' "$lab_log"
}

# PATH MS COUNT: true if it was read in time, from the start on, else skips COUNT tests, whose truth needs that
lab_read_within() {
	local ms
	ms=$(lab_longest_gap "$1")
	[ "$ms" -gt "$2" ] || return 0
	skip "the machine was busy: $ms ms without a reading of ${1##*/}" "$3"
	return 1
}

# PATH: begin and end of each group of reads that are less than 100 ms apart, ms since the start
lab_groups() {
	awk -F'\t' -v p="$1" 'NR == 1 { start = $2 }
		substr($3, length($3) - length(p) + 1) == p { t = ($1 - start) / 1e6
			if (n++ && t - last >= 100) { printf "%.3f %.3f\n", first, last; first = t } else if (n == 1) first = t
			last = t }
		END { if (n) printf "%.3f %.3f\n", first, last }' "$lab_log"
}

# PATH SECONDS: the time of the read of it that is nearest to SECONDS of CLOCK_MONOTONIC; PATH may be the end of paths
lab_nearest() {
	awk -F'\t' -v p="$1" -v want="$2" 'substr($3, length($3) - length(p) + 1) == p { d = $1 / 1e9 - want; if (d < 0) d = -d
			if (!n++ || d < best) { best = d; at = $1 / 1e9 } }
		END { printf "%.9f\n", at }' "$lab_log"
}
# Seconds from the start to the last read
lab_seconds() { awk -F'\t' 'NR == 1 { start = $2 } { last = $1 } END { printf "%.6f\n", (last - start) / 1e9 }' "$lab_log"; }

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
