# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# cpustat: functions of the black-box tests of cpustat; sourced after tap.sh.
# Rows are in $TMP/rows, messages in $TMP/msg, the load's truth in $TMP/truth.
CPUSTAT=${CPUSTAT:-$BUILD/bin/cpustat}
export CPUSTAT
declare -A V=() # verifycpu's figures
tasks=()	# pids that the load named
load='' tool='' # pids

# PROGRAM ARGUMENT...: cpuload or cpuspawn in the background; returns when it runs.
load() {
	rm -f "$TMP/load"
	bg "$HELPERS/$1" -o "$TMP/truth" "${@:2}" >"$TMP/load"
	load=$bg_pid
	wait_for has_line "$TMP/load" '^ready' || fail "start of $*"
	read -r -a tasks < <(sed -n 's/^ready //p' "$TMP/load")
}

# Sends SIGUSR1 to cpuspawn; returns when the new child, $made, has used its CPU time.
made=''
act() {
	local n
	n=$(grep -c '^made' "$TMP/load")
	kill -USR1 "$load"
	wait_for has_lines "$TMP/load" '^made' $((n + 1)) || fail 'the load makes a child'
	made=$(sed -n 's/^made //p' "$TMP/load" | tail -n 1)
}
has_lines() { [ "$(grep -cE -- "$2" "$1")" -ge "$3" ]; } # FILE ERE COUNT

end_load() {
	kill -TERM "$load"
	reap "$load"
	[ "$status" = 0 ] || fail 'the load ends' "status $status"
}

# OPTION...: runs the tool to its end; $status, $err, rows.
watch() {
	run "$CPUSTAT" "$@"
	mv "$TMP/out" "$TMP/rows"
	cp "$TMP/err" "$TMP/msg"
}

# OPTION...: runs the tool in the background, pid in $tool; with -j it returns after the first
# sample: everything later is in the rows.
start() {
	rm -f "$TMP/rows" "$TMP/msg"
	bg "$CPUSTAT" "$@" >"$TMP/rows" 2>"$TMP/msg"
	tool=$bg_pid
	wait_for started || fail "start of cpustat $*" "$(cat "$TMP/msg")"
}
started() { [ -s "$TMP/rows" ]; }

samples() { grep -c '"type":"sample"' "$TMP/rows"; }
has_samples() { [ "$(samples)" -ge "$1" ]; }
# COUNT: waits for that many more samples
more_samples() {
	wait_for has_samples $(($(samples) + $1)) || fail "$1 more samples" "$(cat "$TMP/msg")"
}

# [SIGNAL]: ends the tool; $status, and $err has its messages.
finish() {
	kill -"${1:-INT}" "$tool"
	reap "$tool"
	err=$(cat "$TMP/msg")
}

# FUNCTION...: runs them at the same time, each in a shell with a $TMP of its own, and prints their tests in
# this order.  Not by wait without a pid: that would wait for the loads too.
at_once() {
	local f shells=() line
	for f; do
		(
			TMP=$TMP/$f tap_count=0 tap_failed=0
			mkdir "$TMP"
			trap tap_cleanup EXIT
			"$f"
			exit 0
		) >"$TMP/$f.tap" 2>&1 &
		shells+=($!)
	done
	for f; do
		wait "${shells[0]}" || fail "$f" "its shell ended with status $?"
		shells=("${shells[@]:1}")
		while IFS= read -r line; do
			if [[ $line =~ ^(not )?ok\ [0-9]+(.*)$ ]]; then
				tap_count=$((tap_count + 1))
				[ -z "${BASH_REMATCH[1]}" ] || tap_failed=$((tap_failed + 1))
				line="${BASH_REMATCH[1]}ok $tap_count${BASH_REMATCH[2]}"
			fi
			printf '%s\n' "$line"
		done <"$TMP/$f.tap"
	done
}

now_ns() { printf '%s000\n' "${EPOCHREALTIME/./}"; } # since 1970
# jq: the same of a record
at='def at: (.time[0:19] + "Z" | fromdate) * 1e9 + (.time[20:29] | tonumber);'

# VERIFYCPU-ARGUMENT...: figures in V.
judge() {
	local key value
	run "$HELPERS/verifycpu" "$@" "$TMP/truth" "$TMP/rows"
	V=()
	while IFS='=' read -r key value; do V[$key]=$value; done <"$TMP/out"
	[ "$status" = 0 ] || fail "verifycpu $*" "$err"
}

# GOT WANT PER-MILLE NAME [SLACK]: GOT is WANT within PER-MILLE and SLACK (in their unit)
near() {
	local d=$(($1 - $2))
	if ((${d#-} * 1000 <= ${2#-} * $3 + ${5:-0} * 1000)); then
		pass "$4: $1, truth $2"
	else
		fail "$4" "$1 is not within $3/1000 of $2"
	fi
}

# JQ-PROGRAM [FILE]: compact, over all lines of the JSON rows at once
jqs() { jq -sc "$1" "${2:-$TMP/rows}"; }
of_pid() { printf 'map(select(.type == "task" and .kind == "process" and .pid == %s))' "$1"; }
