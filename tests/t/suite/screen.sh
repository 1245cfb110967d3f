#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The screen module on a real terminal (tmux): tests/tui/demo.c.  However it ends, the terminal is
# restored: modes, main screen, cursor.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/tui.sh"
DEMO=${TUI_DEMO:-$BUILD/tests/tui-demo}

ulimit -c 0
# A copy, because the user of the terminal may have no access to the tree.
cp "$DEMO" "$TMP/demo" || exit 2

start() { # [ENVIRONMENT]: the demo in the shell's foreground
	tui_type "clear; ${1-} $TMP/demo; echo STATUS''=\$?"
	tui_see 'key=NONE draws=1'
}
restored() { # NAME
	ok "$1: the main screen" wait_for tui_primary
	ok "$1: a cursor" wait_for tui_cursor
	tui_stty "$TMP/stty.after"
	is "$(cat "$TMP/stty.after")" "$(cat "$TMP/stty.before")" "$1: the terminal's modes"
}
demo_pid() { pgrep -P "$(tui_tmux display-message -p '#{pane_pid}')" -x demo; }

# What it draws
tui_open 80 24
tui_stty "$TMP/stty.before"
start
ok 'the alternate screen' tui_alternate
ok 'no cursor' wait_for eval '! tui_cursor'
is "$(tui_line 0)" '80x24 utf8=1 color=1 key=NONE draws=1' 'size and abilities'
is "$(tui_line 1)" '\x1b]0;pwned\x07\u{202e}x|' 'hostile text is escaped'
is "$(LC_ALL=C grep -acP '\x1b\]0;pwned|\xe2\x80\xae' "$TUI_RAW")" 0 'nothing raw was sent'
is "$(tui_line 2)" $'日本 e\u0301té|' 'wide and combining characters'
is "$(tui_line 3)" '01234567890123456789012345678…|' 'an ellipsis'
is "$(tui_line 4)" '\xff\xc3(😀)|' 'invalid UTF-8, an emoji'
is "$(tui_line 5)" '[██▍     ]████]' 'bars'
is "$(tui_line 6)" '▁▂▃▄▅▆▇█  ▆▇█' 'sparklines'
like "$(tui_line 23)" '^ {79}[$]$' 'the last corner'
like "$(tui_colors | sed -n 8p)" $'\e\\[38;5;28ms5' 'colours'

# Keys
for pair in Up:UP Down:DOWN PageUp:PGUP PageDown:PGDN Home:HOME End:END F1:F1 Enter:ENTER \
	Escape:ESC BSpace:BACKSPACE DC:DELETE Tab:TAB; do
	tui_keys "${pair%:*}"
	ok "key ${pair%:*}" tui_see "key=${pair#*:} "
done
tui_text 日
ok 'key 日' tui_see 'key=U[+]65E5 '

# Sizes
for size in '40 10' '200 60' '20 9' '80 24'; do
	read -r columns rows <<<"$size"
	tui_resize "$columns" "$rows"
	ok "resized: $size" tui_see "^${columns}x${rows}"
	ok "resized: $size: drawn to the corner" \
		wait_for eval "tui_line $((rows - 1)) | grep -qE '^ {$((columns - 1))}[\$]$'"
done

# Stop and go
tui_keys C-z
ok '^Z stops it' tui_see 'Stopped'
restored '^Z'
tui_type fg
ok 'fg: redrawn' tui_see '^80x24 .*draws='
is "$(tui_line 2)" $'日本 e\u0301té|' 'fg: all of it'
ok 'fg: the alternate screen' tui_alternate
tui_keys F1
ok 'fg: keys' tui_see 'key=F1 '
pid=$(demo_pid)
kill -STOP "$pid"
ok 'SIGSTOP' tui_see 'Stopped'
tui_type fg
ok 'SIGSTOP, fg: redrawn' tui_see '^80x24 .*key=F1'
tui_keys PageUp
ok 'SIGSTOP, fg: keys' tui_see 'key=PGUP '
# In the background it does not write to the terminal.
tui_keys C-z
tui_see 'Stopped'
tui_type 'clear; bg'
tui_see '^\[1\].* &$'
# The shell reports it before the next prompt.
# shellcheck disable=SC2317 # wait_for calls it
nudged() {
	tui_keys Enter
	tui_matches 'Stopped'
}
ok 'bg: it stops again' wait_for nudged
restored 'bg'
tui_type 'kill %1; wait; clear'
ok 'killed in the background' wait_for has_exited "$pid"
restored 'killed in the background'

# Ways to end: a key, or a signal from another process
way() { # NAME STATUS KEY|SIGNAL
	start
	case $3 in
	-*) kill "$3" "$(demo_pid)" ;;
	*) tui_keys "$3" ;;
	esac
	ok "$1: status $2" tui_see "STATUS=$2\$"
	restored "$1"
}
way 'quit' 0 q
way '^C' 0 C-c
way 'exit(3)' 3 x
way 'abort' 134 a
way 'null pointer' 139 s
way 'stack overflow' 139 o
way 'SIGTERM' 143 -TERM
way 'SIGHUP' 129 -HUP
way 'SIGBUS' 135 -BUS
way SIGQUIT 131 "C-\\"
tui_type 'clear; echo al''ive'
ok 'the shell receives keys' tui_see '^alive'

# Other environments
start 'NO_COLOR=1'
is "$(tui_line 0)" '80x24 utf8=1 color=0 key=NONE draws=1' 'NO_COLOR'
is "$(tui_colors | grep -cE $'\e\\[([0-9;]*;)?3[1-6]m')" 0 'NO_COLOR: none'
tui_keys q
tui_see 'STATUS=0'
start 'LC_ALL=C'
is "$(tui_line 0)" '80x24 utf8=0 color=1 key=NONE draws=1' 'C locale'
is "$(tui_line 5)" '[##      ]####]' 'C locale: bars'
is "$(tui_line 1)" '\x1b]0;pwned\x07\xe2\x80\xaex|' 'C locale: escaped'
tui_keys q
tui_see 'STATUS=0'
start 'COLUMNS=30 LINES=5'
is "$(tui_line 0)" '80x24 utf8=1 color=1 key=NONE draws=1' 'stale COLUMNS and LINES are ignored'
tui_keys q
tui_see 'STATUS=0'
start 'TERM=linux'
tui_keys q
ok 'a terminal without alternate screen' tui_see 'STATUS=0'
ok 'a terminal without alternate screen: a cursor' wait_for tui_cursor

# Without the library, or with a file in its place that is not a library.
mkdir "$TMP/none"
: >"$TMP/none/libncursesw.so.6"
tui_type "clear; LD_LIBRARY_PATH=$TMP/none $TMP/demo; echo STATUS''=\$?"
ok 'without libncursesw: a message' tui_see '^demo: libncursesw is not installed$'
ok 'without libncursesw: a failure' tui_see '^STATUS=1$'
restored 'without libncursesw'

# Each drawing is one write; opening and leaving take a few.
if have_cmd strace && strace -o /dev/null true 2>/dev/null; then
	start "strace -o $TMP/writes -e trace=write"
	for key in F1 PageUp Up Down Left; do tui_keys "$key"; done
	tui_see 'key=LEFT '
	draws=$(tui_line 0 | sed 's/.*draws=//')
	tui_keys q
	tui_see 'STATUS=0'
	num "$(grep -c '^write(1,' "$TMP/writes")" -le $((draws + 10)) "one write for each of $draws drawings"
else
	skip 'needs strace and permission to trace'
fi

# Refusals
refusals=0
refused() { # NAME COMMAND MESSAGE
	refusals=$((refusals + 1))
	tui_type "clear; $2; echo REFUSED''$refusals=\$?"
	tui_see "REFUSED$refusals="
	is "$(tui_screen | head -n 2 | tr '\n' '/')" "demo: $3/REFUSED$refusals=1/" "$1"
}
refused 'TERM=dumb' "TERM=dumb $TMP/demo" 'the terminal type in TERM cannot place its cursor'
refused 'unknown TERM' "TERM=nonesuch $TMP/demo" \
	'the terminal type in TERM is not known on this system'
refused 'no TERM' "env -u TERM $TMP/demo" 'the environment variable TERM is not set'
refused 'stdin' "$TMP/demo </dev/null" \
	'standard input is not a terminal: keys could not be read'
refused 'stdout' "$TMP/demo >/dev/null" 'standard output is not a terminal'
done_testing
