#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 3
# On a terminal: the line of --progress, with the rows of --interval above it, its width, and its end.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/tui.sh"

rows='^ +[0-9.]+s nop [0-9.]+[kMG]?/s'
begin() { # OPTION...: the line is there
	tui_type "clear; $STRESSORS -t 600 --progress $*"
	tui_see '[0-9.]+/600s, '
}
tui_open 80 24
begin --nop=1 --interval=0.2
has_rows() { [ "$(tui_screen | grep -cE "$rows")" -ge 2 ]; }
ok 'rows of intervals above the line' wait_for has_rows
tui_keys C-c
tui_see 'stressors: passed 0,'
is "$(tui_screen | grep -E '/600s')" '' 'the line is erased before other text, and at the end'

tui_open 40 10
begin --nop=1 --cpu=1 --memload=1 --vm=1 --max-memory=64m
# The longest that was written, without the sequence that erases the line before.
is "$(tr '\r' '\n' <"$TUI_RAW" | sed -n 's/^.\[K\(.*\/600s\)/\1/p' | awk 'length > 39')" '' 'the line is narrower than the terminal'
tui_keys C-c
tui_see 'stressors: passed 0,'
is "$("$STRESSORS" --qsort 1 --qsort-size 1k --spoil -t 600 --color=always | grep -c $'\e')" 1 '--color=always: a colour in a pipe'
done_testing
