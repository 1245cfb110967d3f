# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# forkstat: what the black-box tests of forkstat share; sourced after tap.sh.
# Rows are in $TMP/rows, messages in $TMP/msg, the load's truth in $TMP/truth.
declare -A V=() # verify's counters
tool=''		# pid of the tool that start() started

# OPTION... -- COMMAND...: follows a command to its end; $status, $err, rows.
follow() {
	run "$FORKSTAT" "$@"
	mv "$TMP/out" "$TMP/rows"
	cp "$TMP/err" "$TMP/msg"
}

# The heading (or JSON's header) comes when everything listens and the table is complete.
listens() { [ -s "$TMP/rows" ]; }

# OPTION...: the tool in the background, pid in $tool; returns when it listens.
start() {
	rm -f "$TMP/rows"
	bg "$FORKSTAT" "$@" >"$TMP/rows" 2>"$TMP/msg"
	tool=$bg_pid
	wait_for listens || fail "start of forkstat $*" "$(cat "$TMP/msg")"
}

# [SIGNAL]: ends the tool; $status, and $err has its messages.
finish() {
	kill -"${1:-INT}" "$tool"
	reap "$tool"
	err=$(cat "$TMP/msg")
}

# A process that waits for its turn: gate COMMAND..., pid in $gate (it becomes the command),
# then open_gate.  So a pid can be named before anything happens.
gate() {
	rm -f "$TMP/gate"
	mkfifo -m 666 "$TMP/gate"
	# shellcheck disable=SC2016
	bg "${gate_as[@]}" bash -c 'read -r _ <"$0"; exec "$@"' "$TMP/gate" "$@"
	gate=$bg_pid
}
gate_as=(env)
open_gate() { echo go >"$TMP/gate"; }

# NAME VERIFY-ARGUMENT...: the rows are what the truth says; counters in V.
judge() {
	local name=$1 key value
	shift
	run "$HELPERS/verify" "$@" "$TMP/truth" "$TMP/rows"
	V=()
	while IFS='=' read -r key value; do V[$key]=$value; done <"$TMP/out"
	expect_exit 0 "$name"
}

# JQ-PROGRAM [FILE]: compact, over all lines of the JSON rows at once
jqs() { jq -sc "$1" "${2:-$TMP/rows}"; }

events() { awk '$1 ~ /:/ { print $2 }' "$TMP/rows" | sort | uniq -c | awk '{ printf "%s%s=%d", s, $2, $1; s = " " }'; }
truth_count() { awk -F'\t' "$1"' { n++ } END { print n + 0 }' "$TMP/truth"; } # AWK-CONDITION
