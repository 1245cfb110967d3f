# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # names that tap.sh and the tests share
# SPDX-License-Identifier: GPL-2.0-or-later
# suite: functions of the tests of all tools; sourced after tap.sh.  $tools are the built programs;
# a test loops over them, so that it covers a new tool without a change.
#
# `brief TOOL OPTION...` runs a tool with a command of a third of a second; it shows at least one row.
mapfile -t tools < <(cd "$BUILD/bin" && printf '%s\n' *)

# Options that a tool needs beside the shared ones to show rows at once, on any machine.
brief_options() { # TOOL
	case $1 in
	forkstat) ;;
	powerstat) echo --power=none --interval=0.1 ;;
	*) echo --interval=0.1 ;;
	esac
}
brief() { # TOOL OPTION...
	local words
	read -r -a words < <(brief_options "$1")
	run "$BUILD/bin/$1" ${words[@]+"${words[@]}"} "${@:2}" -- sleep 0.35
	without_notes
}
# FILE: its messages without the notes at the start, of powerstat and of forkstat without privileges, and without
# forkstat's of losses, which counts those of all programs of the machine.
messages() {
	grep -vE '^powerstat: power source: |^forkstat: (arguments (will be read|are caught) |[0-9]+ events received; lost: )' "$1"
}
without_notes() { err=$(messages "$TMP/err"); }
# The same by a shell that redirects: SCRIPT sees the command in "$@".
brief_sh() { # TOOL SCRIPT OPTION...
	local words
	read -r -a words < <(brief_options "$1")
	run bash -c "$2" sh "$BUILD/bin/$1" ${words[@]+"${words[@]}"} "${@:3}" -- sleep 0.35
	without_notes
}
# The same in the background, until a signal ends it.
brief_bg() { # TOOL OPTION...
	local words
	read -r -a words < <(brief_options "$1")
	rm -f "$TMP/rows" "$TMP/msg"
	bg "$BUILD/bin/$1" ${words[@]+"${words[@]}"} "${@:2}" >"$TMP/rows" 2>"$TMP/msg"
}

# TOOL: prints why it cannot run here, if so: its last message
why_not() {
	brief "$1"
	[ "$status" = 0 ] || printf '%s\n' "${err##*$'\n'}"
}
# Removes from $tools those that cannot run here, each with a skipped test and its reason.
able_tools() {
	local t why able=()
	for t in "${tools[@]}"; do
		why=$(why_not "$t")
		if [ -z "$why" ]; then able+=("$t"); else skip "$t cannot run here: $why"; fi
	done
	tools=(${able[@]+"${able[@]}"})
}

# TOOL NAME CODE ERE: the last run has this exit status and one message that matches
refused() {
	if [ "$status" = "$3" ] && [ -z "$out" ] && [[ $err =~ ^$1:\ .*$4 ]]; then
		pass "$1: $2"
	else
		fail "$1: $2" "exit status $status, want $3; stdout: ${out:0:200}
stderr: ${err:0:300}
want a match of: $4"
	fi
}
# TOOL ERE ARGUMENT...: a usage error: exit status 2, two lines on stderr, nothing on stdout
misuse() {
	local tool=$1 culprit=$2
	shift 2
	run "$BUILD/bin/$tool" "$@"
	if [ "$status" = 2 ] && [ -z "$out" ] && [[ $err =~ ^$tool:\ .*$culprit ]] &&
		[[ $err == *$'\n'"Try '$tool --help' for more information." ]] &&
		[ "$(wc -l <"$TMP/err")" = 2 ]; then
		pass "$tool: usage error:$(printf ' %q' "$@")"
	else
		fail "$tool: usage error:$(printf ' %q' "$@")" "exit status $status; stdout: ${out:0:200}
stderr: ${err:0:300}"
	fi
}

# FILE: every line is a JSON value
all_json() { [ -s "$1" ] && jq -es 'length > 0' "$1" >/dev/null 2>&1; }
