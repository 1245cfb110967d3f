#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# seconds: 12
# power-calibrate on a terminal: progress with the remaining time on one line, which is gone where a row or the
# result stands; none in a pipe, unless it is asked for, and then a line for each test.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/power-calibrate.sh"
. "$TOP/tests/lib/tui.sh"
left='[0-9.]+%: test [0-9]+ of [0-9]+, [0-9.]+% x [01], ([0-9]+ min )?[0-9]+ s left'
command="$LAB/run $(lab_tree calibrate-clock) $TMP/log -- ${lab_first[*]} $PC -R -n 0 --settle=0"

# shellcheck disable=SC2317 # called by wait_for
seen() { # one picture of the screen, with the remaining time
	shot=$(tui_screen)
	grep -qE "$left" <<<"$shot"
}

# A terminal that is too narrow for all of it shows the percentage and the remaining time.
all=$left
for columns in 80 40; do
	[ $columns = 80 ] || left='[0-9.]+%, ([0-9]+ min )?[0-9]+ s left'
	tui_open "$columns" 40
	tui_type "clear; $command -s 101 -r 1 0.2; echo STATUS''=\$?"
	ok "$columns columns: the remaining time" tui_see "$left"
	ok "$columns columns: a row for each test" tui_see '^ *[0-9.]+% x [01] '
	ok "$columns columns: again, behind it" tui_see "$left"
	wait_for seen
	is "$(grep -cE "$left" <<<"$shot")$(grep -cE "^$left\$" <<<"$shot")" 11 "$columns columns: one line, on its own"
	tui_keys C-c
	ok "$columns columns: ^C ends it" tui_see '^STATUS=130$'
	is "$(tui_screen | grep -cE '[0-9]+ of 101|[0-9] s left')" "$(tui_screen | grep -c 'Incomplete')" \
		"$columns columns: no progress is left at the end"
	unlike "$(tui_tmux capture-pane -p -S -)" '…' "$columns columns: nothing is truncated"
	like "$(tui_tmux capture-pane -p -J -S -)" '101 tests of 1\.0 s in 1 block, on up to 1 CPU: 1 min 41 s' \
		"$columns columns: how long it takes is printed first"
done
left=$all
# The heading is repeated by the height of the screen, and -q is without progress.
tui_open 80 24
tui_type "clear; $command -q -s 2 -r 1 0.2; echo STATUS''=\$?"
ok '-q: to its end' tui_see '^STATUS=[01]$'
is "$(LC_ALL=C grep -aoE "$left|CPU load  User" "$TUI_RAW" | wc -l)" 0 '-q: neither progress nor rows'
# Standard output in a file: progress on the terminal alone.
tui_type "clear; $command -s 3 -r 1 0.2 >$TMP/rows; echo STATUS''=\$?"
ok 'rows in a file: progress on the terminal' tui_see "$left"
ok 'rows in a file: to its end' tui_see '^STATUS=[01]$'
is "$(grep -cE "$left|"$'\r|\e' "$TMP/rows")" 0 'rows in a file: no progress in it'
num "$(grep -cE '^ *[0-9.]+% x [01] ' "$TMP/rows")" -eq 3 'rows in a file: the rows'
# JSON on the terminal is progress enough.
tui_type "clear; $command -s 2 -r 1 0.2 --json; echo STATUS''=\$?"
ok 'JSON on the terminal' tui_see '"type":"summary"'
tui_close

# Not a terminal
simulate quiet calibrate-clock "${short[@]}"
simulate asked calibrate-clock "${short[@]}" -p
take quiet
unlike "$err$out" ' s left|'$'[\r\e]' 'a pipe: no progress'
take asked
is "$(grep -cE "^power-calibrate: $left\$" "$TMP/msg")" 2 '-p in a pipe: a line for each test, on standard error'
unlike "$err$out" $'[\r\e]' 'and no control byte'
unlike "$out" ' s left' 'none on standard output'
done_testing
