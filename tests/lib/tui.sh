# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tui: programs on a terminal, for the black-box tests; sourced after tap.sh.  The terminal is that of
# a separate tmux server without the user's settings; a shell with the prompt "ready> " runs in it.
# Without tmux the test is skipped.
#
#	tui_open COLUMNS ROWS [NAME=VALUE]...   a fresh terminal (one at a time)
#	tui_type TEXT          a line for the shell, with Enter
#	tui_keys KEY...        tmux's names: a, Up, PageDown, Enter, Escape, C-c, F1
#	                       (a key within 50 ms after Escape is a key with Alt: wait for the effect of Escape)
#	tui_text TEXT          literal characters
#	tui_screen             the screen's text; tui_line N (from 0); tui_colors: with SGR
#	tui_resize COLUMNS ROWS
#	tui_see ERE [SECONDS]  waits until the screen matches; tui_lost ERE: until it does not
#	$TUI_RAW               every byte that was written to the terminal since tui_open
need_cmd tmux

tui_servers=0
TUI_RAW=$TMP/tui.raw

tui_tmux() { tmux -S "$TMP/tmux.$tui_servers" -f /dev/null "$@"; }
tui_close() { tui_tmux kill-server 2>/dev/null; }
trap 'tui_close; tap_cleanup' EXIT

tui_open() {
	local columns=$1 rows=$2
	shift 2
	tui_close
	tui_servers=$((tui_servers + 1))
	: >"$TUI_RAW"
	cat >"$TMP/tui.shell" <<-EOF
		export PS1='ready> ' PS2='> ' LC_ALL=C.UTF-8
		unset NO_COLOR COLUMNS LINES
		exec env ${*@Q} bash --norc --noprofile
	EOF
	tui_tmux new-session -d -x "$columns" -y "$rows" "sh $TMP/tui.shell" \; \
		set-option -g status off \; set-option -g window-size manual \; \
		set-option -sg escape-time 0
	# The row of the status line belongs to the terminal, too.
	tui_tmux resize-window -x "$columns" -y "$rows"
	tui_tmux pipe-pane "cat >>$TUI_RAW"
	tui_see 'ready>'
}

tui_keys() { tui_tmux send-keys "$@"; }
tui_text() { tui_tmux send-keys -l "$1"; }
tui_type() {
	tui_text "$1"
	tui_keys Enter
}
tui_screen() { tui_tmux capture-pane -p; }
tui_colors() { tui_tmux capture-pane -p -e; }
tui_line() { tui_screen | sed -n "$(($1 + 1))p"; }
tui_resize() { tui_tmux resize-window -x "$1" -y "$2"; }

tui_matches() { has_line <(tui_screen) "$1"; }
tui_differs() { ! tui_matches "$1"; }
tui_see() { wait_for -t "${2:-60}" tui_matches "$1"; }
tui_lost() { wait_for -t "${2:-60}" tui_differs "$1"; }
# True if the alternate screen is shown; if the cursor is.
tui_alternate() { [ "$(tui_tmux display-message -p '#{alternate_on}')" = 1 ]; }
tui_cursor() { [ "$(tui_tmux display-message -p '#{cursor_flag}')" = 1 ]; }
tui_primary() { ! tui_alternate; }

# tui_stty FILE: writes the present termios of the shell's terminal.
tui_stty() {
	rm -f "$1"
	tui_type "stty -a >$1.new; mv $1.new $1"
	wait_for test -f "$1"
}
