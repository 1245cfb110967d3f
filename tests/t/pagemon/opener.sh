#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The process that opens the files of new programs does not answer, or has ended: the screen takes keys and the other
# processes have their rows.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
. "$TOP/tests/lib/tui.sh"
cp "$PAGEMON" "$TMP/pagemon"
mkfifo "$TMP/go" "$TMP/go2"
trap 'kill -CONT "${opener:-$$}" 2>/dev/null; tui_close; tap_cleanup' EXIT

# The opener is the one in a session of its own that has no terminal and no parent of these tests.
session() { sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f4; }
find_opener() { # PID of the tool
	local p
	for p in /proc/[0-9]*; do
		[ "$(readlink "$p/exe")" = "$TMP/pagemon" ] || continue
		[ "$(session "${p#/proc/}")" != "$(session "$1")" ] && opener=${p#/proc/} && return
	done
	return 1
}
tool_of_screen() { tool=$(pgrep -P "$(tui_tmux display-message -p '#{pane_pid}')" -x pagemon); }
is_stopped() { grep -q '^State:.T' "/proc/$1/status"; }
sleeper() { # FIFO: a shell that becomes sleep when it is told to
	bg bash -c 'read -r _ <"$0"; exec sleep 100' "$1"
	wait_for grep -qs '^bash$' "/proc/$bg_pid/comm"
}
is_sleep() { [ "$(cat "/proc/$1/comm")" = sleep ]; }
start() { # stops the opener and lets the process execute its program
	tui_type "clear; $TMP/pagemon $one; echo STATUS''=\$?"
	tui_see "^Pagemon .* PID +$one " || fail 'the screen' "$(tui_screen)"
	wait_for tool_of_screen
	wait_for find_opener "$tool"
	kill -STOP "$opener"
	wait_for is_stopped "$opener"
	echo >"$TMP/go"
	wait_for is_sleep "$one"
}

tui_open 120 30
sleeper "$TMP/go"
one=$bg_pid
start
ok 'a stopped opener: the title tells that the program is waited for' tui_see '^Pagemon .*waiting for the new program'
tui_keys h
ok 'a key: help' tui_see 'Redraw|redraw'
tui_keys h
tui_keys q
ok 'q ends the tool' tui_see 'STATUS=0$'
kill -CONT "$opener"

sleeper "$TMP/go"
one=$bg_pid
start
tui_see 'waiting for the new program'
kill -CONT "$opener"
ok 'the answer: the new program' tui_see "process $one has executed another program"
ok 'nothing is waited for' tui_differs 'waiting for'
tui_keys m
ok 'its mappings' tui_see '/sleep'
tui_keys m
tui_see '1 cell = '
tui_keys q
tui_see 'STATUS=0$'

sleeper "$TMP/go"
one=$bg_pid
start
tui_see 'waiting for the new program'
kill -KILL "$opener"
ok 'the opener is killed: a message' tui_see 'process that keeps the privileges has ended|has executed another program'
tui_keys m
ok 'the tool opens what it may, or says why not' tui_see '/sleep|STATUS=0$'
tui_keys m
tui_see '1 cell = |STATUS=0$'
tui_keys q
tui_see 'STATUS=0$'

# The perf window: the opener keeps the events, and each refresh shows its counts.
load_start churn:1000
tui_type "clear; $TMP/pagemon $LOAD_PID; echo STATUS''=\$?"
tui_see "^Pagemon .* PID +$LOAD_PID "
tui_keys p
ok 'page faults, counted by the opener' tui_see 'User Space\): +([1-9][0-9]+ +[0-9.]+k?/s|n/a: [^n])'
count=$(tui_screen | grep -o 'User Space): *[0-9]*')
grows() { [ "$(tui_screen | grep -o 'User Space): *[0-9]*')" != "$count" ]; }
if [ "${count##* }" ]; then ok 'their number grows' wait_for grows; else skip 'perf events are refused'; fi
tui_keys q
tui_see 'STATUS=0$'

# Rows: the others' continue, and each snapshot without a row of the process says so.
sleeper "$TMP/go"
one=$bg_pid
sleeper "$TMP/go2"
two=$bg_pid
bg "$TMP/pagemon" -N -i 0.05 --json="$TMP/json" "$one" "$two" >"$TMP/rows" 2>"$TMP/err"
tool=$bg_pid
wait_for has_line "$TMP/rows" " $two .* bash\$"
wait_for find_opener "$tool"
kill -STOP "$opener"
wait_for is_stopped "$opener"
echo >"$TMP/go"
ok 'rows: one waits' wait_for has_line "$TMP/rows" " $one waiting\$"
lines() { grep -c " $1 .* bash\$" "$TMP/rows"; }
before=$(lines "$two")
more() { [ "$(lines "$two")" -gt $((before + 2)) ]; }
ok 'rows: the other has its rows' wait_for more
ok 'rows: the JSON record' wait_for has_line "$TMP/json" "\"type\":\"waiting\".*\"pid\":$one\\b"
kill -CONT "$opener"
ok 'rows: the answer' wait_for has_line "$TMP/rows" " $one exec\$"
ok 'rows: its rows' wait_for has_line "$TMP/rows" " $one .* sleep\$"
kill -KILL "$opener"
ended() { grep -q 'privileges has ended' "$TMP/err"; }
ok 'the opener is killed: a message' wait_for ended
echo >"$TMP/go2"
# Without the privileges, root's tool may not open it.
continues() { has_line "$TMP/rows" " $two .* sleep\$" || has_line "$TMP/rows" " $two lost\$"; }
ok 'the rows continue, or the process is lost' wait_for continues
kill "$tool"
wait_for has_exited "$tool"
reap "$tool"
is "$status $(grep -c '^pagemon: the process that keeps the privileges has ended$' "$TMP/err")" '0 1' 'once'
has_line "$TMP/rows" ' lost$' || : >"$TMP/err"
unlike "$(cat "$TMP/err")" 'it needs' 'the message names no capability'
done_testing
