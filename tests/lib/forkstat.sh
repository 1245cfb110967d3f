# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# forkstat: functions of the black-box tests of forkstat; sourced after tap.sh.
# Rows are in $TMP/rows, messages in $TMP/msg, the load's truth in $TMP/truth.
declare -A V=() # verify's counters
tool=''		# pid of the tool that start() started

# Root with the capabilities for arguments at the exec; without them rows and messages differ.
need_tracing() {
	need_root
	have_cap sys_admin || need_cap net_admin bpf perfmon
}

# FILE: its messages without that of losses, which counts those of all programs of the machine
messages() { grep -vE '^forkstat: [0-9]+ events received; lost: ' "$1"; }
# CODE: the exit status of the last run with --strict, that has ended so or has lost something
strict_code() { if grep -q '; lost: ' "$TMP/msg"; then echo 5; else echo "$1"; fi; }

# Removes the rows of losses, for the same reason.
own_rows() { LC_ALL=C sed -i -E '/^ *[^ ]+ +lost +-----/d; /"event":"lost"/d; /^[^,]*,[^,]*,lost,/d' "$TMP/rows"; }

# OPTION... -- COMMAND...: follows a command to its end; $status, $err, its own rows.
follow() {
	run "$FORKSTAT" "$@"
	mv "$TMP/out" "$TMP/rows"
	mv "$TMP/err" "$TMP/msg"
	err=$(messages "$TMP/msg")
	own_rows
}

# The heading (or JSON's header) is printed once forkstat listens and its task table is complete.
listens() { [ -s "$TMP/rows" ]; }

# OPTION...: runs the tool in the background, pid in $tool; returns when it listens.
start() {
	rm -f "$TMP/rows"
	bg "$FORKSTAT" "$@" >"$TMP/rows" 2>"$TMP/msg"
	tool=$bg_pid
	wait_for listens || fail "start of forkstat $*" "$(cat "$TMP/msg")"
}

# [SIGNAL]: ends the tool, unless it has ended; $status, and $err has its messages.
finish() {
	kill -"${1:-INT}" "$tool" 2>/dev/null
	reap "$tool"
	err=$(messages "$TMP/msg")
}

# gate COMMAND...: a process, pid in $gate, that execs the command at open_gate, so that its pid is
# known before its first event.
gate() {
	rm -f "$TMP/gate"
	mkfifo -m 666 "$TMP/gate"
	# shellcheck disable=SC2016
	bg "${gate_as[@]}" bash -c 'read -r _ <"$0"; exec "$@"' "$TMP/gate" "$@"
	gate=$bg_pid
}
gate_as=(env)
open_gate() { echo go >"$TMP/gate"; }

# NAME VERIFY-ARGUMENT...: the rows agree with the truth; counters in V.
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

# NAME LOAD-ARGUMENT... MODE: follows a load at full speed; counters in V.  Each exec has all its arguments in its
# row, or is counted as one without.
storm() {
	local name=$1 lost
	follow -- "$HELPERS/load" -o "$TMP/truth" "${@:2}"
	expect_exit 0 "$name"
	unlike "$(cat "$TMP/msg")" '(kernel|output) [1-9]' "$name: no message of its own losses" # names can be others'
	judge "$name: nothing lost, wrong or out of order"
	lost=$(sed -n 's/.*; lost: .* arguments \([0-9]*\).*/\1/p' "$TMP/msg")
	num $((${V[exec_full]:-0} + ${lost:-0})) -ge "${V[execs]:-0}" \
		"$name: ${V[exec_full]:-0} of ${V[execs]:-0} execs have all arguments, the others are counted as lost"
}
