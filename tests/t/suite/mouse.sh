#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 5
# What a terminal may send beyond plain keys: unknown keys, Alt, reports.  None of it acts or reaches the shell.
# Then the mouse in the lists of all screens: a click on a heading sorts, a click on a row selects it, a second one acts as
# Enter, the wheel scrolls.  The terminal reports it with SGR sequences, which the tests write themselves.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
able_tools
. "$TOP/tests/lib/tui.sh"

mouse() { tui_text $'\e'"[<$1;$2;$3M"$'\e'"[<$1;$2;$3m"; } # BUTTON COLUMN LINE, from 1: pressed and released
# Each is followed by a key that shows that it was read: ^L redraws.
odd_keys() {
	local keys e=$'\e'
	for keys in "${e}x" "${e}q" "${e}[I" "${e}[O" "${e}[97;5u" "${e}[1;5C" "${e}[2~" "${e}Oz" "${e}]11;rgb:ff/q/ff${e}\\" "${e}P1q"$'\a' \
		"${e}[200~q${e}[201~" $'\xc2\x9b1;5C' "${e}${e}[A"; do
		tui_text "$keys"
		tui_keys C-l
	done
}
head_line() { tui_screen | grep -n 'PID .*\(Task\|Name\)' | cut -d: -f1; }
column_of() { tui_screen | awk -v head="$1" '/PID .*(Task|Name)/ { print index($0, head) + 1; exit }'; } # HEADING
# The PIDs of the rows, in their order.
pids() {
	tui_screen | awk '!at && /PID .*(Task|Name)/ { for (i = 1; i <= NF; i++) if ($i == "PID") at = i; next }
		at && $at !~ /^[0-9]+$/ { exit } at { print $at }'
}
has_rows() { [ "$(pids | wc -l)" -gt 2 ]; }
sampled_rows() { # the first sample may have no event yet
	tui_keys Space
	sleep 0.3
	has_rows
}
in_order() { local all; all=$(pids) && [ "$(wc -l <<<"$all")" -gt 2 ] && sort -n -c <<<"$all"; }
look_of() { tui_colors | sed -n "$1p"; } # LINE: with its colours
looks_other() { [ "$(look_of "$1")" != "$2" ]; }
looks_same() { [ "$(look_of "$1")" = "$2" ]; }
screen_of() { # TOOL ERE-OF-THE-DETAILS COMMAND...: in the ERE, @ is the PID
	local tool=$1 details=$2 row pid look
	tui_open 100 18 TERM=xterm-256color
	tui_type "clear; ${*:3}; echo STATUS''=\$?"
	tui_see 'PID .*(Task|Name)'
	case $tool in
	eventstat) wait_for sampled_rows ;;
	pagemon) # only processes that may be read
		tui_text /4243
		tui_keys Enter
		tui_lost bash
		;;
	esac
	wait_for has_rows
	mouse 0 "$(column_of PID)" "$(head_line)"
	ok "$tool: a click on PID sorts by it" wait_for -t 20 in_order
	tui_keys p # the rows stay
	row=$(($(head_line) + 3)) pid=$(pids | sed -n 3p)
	look=$(look_of $row)
	mouse 0 10 $row
	ok "$tool: a click selects a row" wait_for -t 20 looks_other $row "$look"
	mouse 0 10 $row
	ok "$tool: a second click acts as Enter" tui_see "${details/@/$pid}" 20
	if [ "$tool" = cpustat ]; then
		tui_keys Escape
		tui_lost "${details/@/$pid}" 20
		tui_keys Escape
		wait_for -t 20 looks_same $row "$look"
	fi
	unlike "$(tui_screen)" 'unknown key' "$tool: a release is not a key"
	if [ "$tool" = cpustat ]; then
		tui_see ' 1-[0-9]+/'
		mouse 65 10 $row
		ok "$tool: the wheel scrolls" tui_see ' 4-[0-9]+/' 20
		mouse 64 10 $row
		ok "$tool: and back" tui_see ' 1-[0-9]+/' 20
	fi
	look=$(tui_screen)
	odd_keys
	is "$(tui_screen)" "$look" "$tool: unknown keys, Alt and reports do nothing"
	if [ "$tool" = pagemon ]; then # the others: tests/t/TOOL/tty.sh
		tui_resize 60 40
		tui_keys h
		tui_see 'pagemon: keys'
		is "$(tui_screen | sed '1d;/any key/d' | cut -c 1-10 | tr -s ' ' '\n' | sed '/^$/d' | sort -u)" \
			"$(sed -n '/^Keys:/,/^\.El/s/^\.It Cm //p' "$TOP/man/pagemon.8" |
				sed 's/ , / /g; s/\\&//g; s/,$/,/' | tr ' ' '\n' | sort -u)" 'pagemon: help and manual page name equal keys'
		tui_keys x
		tui_resize 100 18
		tui_lost 'pagemon: keys'
	fi
	tui_keys q
	ok "$tool: the end" tui_see 'STATUS=0' 20
	unlike "$(tui_screen)" '^ready> *[^ ]' "$tool: nothing is left to the shell"
}

has_tool() { # TOOL TESTS
	[[ " ${tools[*]} " == *" $1 "* ]] || {
		skip "$1 cannot run here" "$2"
		return 1
	}
}
if has_tool cpustat 9; then # the wheel needs more processes than lines
	idle=()
	for ((i = 0; i < 20; i++)); do
		bg sleep 4244
		idle+=("$bg_pid")
	done
	screen_of cpustat 'pid @( |$)' "$BUILD/bin/cpustat" -X 60
	kill "${idle[@]}"
fi
if has_tool eventstat 7; then
	bg "$HELPERS/naps" 20 nap-1 nap-2 nap-3 nap-4 >"$TMP/naps"
	wait_for has_line "$TMP/naps" '^ready'
	screen_of eventstat 'pid @( |$)' "$BUILD/bin/eventstat" -T "--comm='nap-*'" 60
	kill "$bg_pid"
fi
if has_tool pagemon 8; then
	sleepers=()
	for _ in 1 2 3 4; do
		bg sleep 4243
		sleepers+=("$bg_pid")
	done
	screen_of pagemon 'sleep PID @ ' "$BUILD/bin/pagemon"
	kill "${sleepers[@]}"
fi
done_testing
