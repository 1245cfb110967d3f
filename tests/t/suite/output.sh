#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 12
# What COMMAND writes while a screen is shown appears on the terminal after it: whole, in its order, and also if a key or
# a signal ends the tool; a program that continues writes to the terminal.  Its standard input is empty.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
able_tools
. "$TOP/tests/lib/tui.sh"

cat >"$TMP/load" <<'EOT'
echo
seq 1 20000
echo error >/dev/stderr
: >"$1.written"
while [ ! -e "$1" ]; do sleep 0.1; done
echo; echo more >/dev/stdout
read -r line || echo no input
test -t 1 && test -t 2 && echo terminal
echo last
EOT

screen_of() { # TOOL COMMAND...
	tui_open 100 18 TERM=xterm-256color
	rm -f "$TMP/go" "$TMP/go.written"
	tui_type "clear; ${*:2} -- sh $TMP/load $TMP/go; echo STATUS''=\$?"
	wait_for tui_alternate
	wait_for test -e "$TMP/go.written"
	unlike "$(tui_screen)" '^(20000|error)$' "$1: nothing is drawn into the screen"
}
lines_of() { tr -d '\r' <"$TUI_RAW" | grep -xE '[0-9]+|error|more|no input|terminal|last' ; }
has_lines() { [ "$(lines_of | cksum)" = "$({ seq 1 20000; printf '%s\n' "$@"; } | cksum)" ]; }
shows() { # NAME LINE...: after the 20,000 lines
	ok "$1" wait_for -t 20 has_lines "${@:2}"
}
output_of() { # TOOL COMMAND...
	screen_of "$@"
	: >"$TMP/go"
	tui_see 'STATUS=0'
	shows "$1: the command ends" error more 'no input' terminal last

	screen_of "$@"
	tui_keys q
	tui_see 'STATUS=0'
	shows "$1: q" error
	: >"$TMP/go"
	shows "$1: the command continues" error more 'no input' terminal last

	screen_of "$@"
	pkill -TERM -P "$(tui_tmux display-message -p '#{pane_pid}')" -x "$1"
	tui_see 'STATUS=(0|143)'
	shows "$1: SIGTERM" error
	: >"$TMP/go"
	shows "$1: SIGTERM: the command continues" error more 'no input' terminal last
}
has_tool() { # TOOL
	[[ " ${tools[*]} " == *" $1 "* ]] && return
	skip "$1 cannot run here" 8
	return 1
}
! has_tool pagemon || output_of pagemon "$BUILD/bin/pagemon"
! has_tool cpustat || output_of cpustat "$BUILD/bin/cpustat" -X
! has_tool eventstat || output_of eventstat "$BUILD/bin/eventstat" -T
done_testing
