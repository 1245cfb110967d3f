#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The screen and the life of the process: chosen from the list, another program, its end; a COMMAND; keys while a
# refresh is far; and what the screen does not do unasked.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/pagemon.sh"
. "$TOP/tests/lib/tui.sh"
ulimit -c 0
cp "$PAGEMON" "$TMP/pagemon" # the user of the terminal may have no access to the tree
start() { tui_type "clear; $TMP/pagemon $*; echo STATUS''=\$?"; }
quit() {
	tui_keys q
	tui_see 'STATUS=0$'
}

# Known pages: each region of the map, in the letters of the screen
tui_open 120 50
load_start stride:4
region stride
start -e "$LOAD_PID"
ok 'the map' tui_see "^Pagemon .* PID +$LOAD_PID "
to_start() {
	tui_keys g
	tui_text "$START"
	tui_keys Enter
}
cells() { tui_screen | sed -n 's/^[0-9a-f]\{16\} //p' | tr -d '\n'; }
has_cells() { [[ $(cells) == *"$1"* ]]; }
strip=$(printf 'P%.0s' {1..64})
to_start
ok 'go to an address' tui_see "^Pagemon 0x0000$START "
ok '64 pages and a gap, several times' wait_for has_cells "│$strip│$strip│$strip│"
quit
ok 'quit: the main screen' wait_for tui_primary
# Cells begin at multiples of their size, or with the mapping.
start -e -z 64 "$LOAD_PID"
ok 'zoom 64: a cell is 64 pages, whole or none' wait_for has_cells '│P.P.P.P│'
quit
start -e -z 256 "$LOAD_PID"
ok 'zoom 256: half of the pages' wait_for has_cells '│▄▄│'
quit
start -a "$LOAD_PID"
ok '-a: all that is there' tui_see '^Pagemon .* Auto '
ok '-a: strips with gaps' wait_for has_cells "│$strip│$strip│$strip│"
quit

# The process ends.
start "$LOAD_PID"
tui_see "^Pagemon .* PID +$LOAD_PID "
load_end
ok 'the process ends: so does the screen' tui_see 'STATUS=0$'
ok 'a message' tui_matches "^pagemon: process $LOAD_PID (has exited|is a zombie)"
ok 'the last map stays' tui_matches '^[0-9a-f]{16} [.A-Za-z]+'

# Another program
mkfifo "$TMP/go"
bg bash -c 'read -r _ <"$0"; exec sleep 100' "$TMP/go"
one=$bg_pid
start "$one"
tui_see "^Pagemon .* bash PID +$one |^Pagemon .* PID +$one "
echo >"$TMP/go"
ok 'another program is told' tui_see "process $one has executed another program"
tui_keys m
ok 'and shown' tui_see '/sleep'
tui_keys Escape
tui_lost 'In RAM'
quit

# A COMMAND, from its first page on: its end is the end, its exit status is the tool's.
start -- sh -c "'sleep 0.6; exit 5'"
ok 'COMMAND' tui_see '^Pagemon .* PID '
ok 'COMMAND: its exit status' tui_see 'STATUS=5$'

# The list of processes
start ''
ok 'no process: a list' tui_see '^ +PID +Rss '
tui_keys /
tui_text "$one"
tui_keys Enter Enter
ok 'one is chosen' tui_see "^Pagemon .* PID +$one "
quit
start ''
tui_see '^ +PID +Rss '
tui_keys q
ok 'none is chosen: exit status 0' tui_see 'STATUS=0$'

# Keys act at once although the next refresh is far.
start -d 3600000000 "$one"
tui_see "^Pagemon .* PID +$one "
tui_keys v
ok 'a key between two refreshes' tui_see 'VmRSS:'
tui_keys Escape
tui_keys Escape
ok 'Esc' tui_see 'STATUS=0$'

# A stack of 64 KiB
for option in -b -m -x --method=read; do
	# shellcheck disable=SC2016
	run bash -c 'ulimit -s 64; exec "$@"' - "$TMP/pagemon" "$option" -n 1 "$one"
	is "$status" 0 "64 KiB of stack: $option"
done
# ncurses needs more than 100 KiB, so the screen raises the limit, which only root can do with a hard one.
small() { tui_type "clear; (ulimit $1 64; exec $TMP/pagemon $one); echo STATUS''=\$?"; }
small '-S -s'
ok '64 KiB of stack: the screen' tui_see "^Pagemon .* PID +$one "
tui_keys v
ok '64 KiB of stack: the VM window' tui_see 'VmRSS:'
tui_keys v Tab
ok '64 KiB of stack: the page window' tui_see 'Cgroup:'
tui_keys Tab m
ok '64 KiB of stack: the list of mappings' tui_see 'In RAM'
tui_keys Escape
tui_lost 'In RAM'
tui_keys Enter
ok '64 KiB of stack: the hex view' tui_see '7f 45 4c 46'
tui_keys Enter
quit
small -s
if [ "$(id -u)" = 0 ] && have_cap sys_resource; then
	ok 'a hard limit of 64 KiB: root' tui_see "^Pagemon .* PID +$one "
	quit
else
	ok 'a hard limit of 64 KiB: a message' tui_see 'the screen needs 192 KiB of stack'
fi

# Sizes
start "$one"
tui_see "^Pagemon .* PID +$one "
for size in '40 6' '132 43' '250 60' '80 24'; do
	read -r columns rows <<<"$size"
	tui_resize "$columns" "$rows"
	ok "$size: drawn" tui_see '^Pagemon '
done
quit

# Soft-dirty bits where the kernel has none, and unasked changes
if [ "$(tr -d '\0' <"/proc/$one/comm")" = sleep ] && ! grep -q '^VmFlags:.* sd' "/proc/$one/smaps"; then
	start "$one"
	tui_see "^Pagemon .* PID +$one "
	tui_keys d
	ok 'd without soft-dirty bits' tui_see 'this kernel has no soft-dirty bits'
	quit
	for option in -D '-t 5' '-D -t 5'; do
		tui_type clear
		tui_lost 'STATUS='
		start "$option" "$one"
		ok "$option: refused before the screen is opened" tui_see 'STATUS=3$'
		is "$(tui_line 0)" "pagemon: ${option%% *}: this kernel does not keep soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)" "$option: why"
	done
else
	skip 'this kernel has soft-dirty bits' 7
fi
load_start known
before=$(truth)
faults_before=$(awk '{ print $10, $12 }' "/proc/$LOAD_PID/stat")
start "$LOAD_PID"
tui_see "^Pagemon .* PID +$LOAD_PID "
tui_keys Tab v p
tui_see 'Kernel Page Allocate'
tui_keys c Enter
tui_see '7f 45 4c 46'
tui_keys PageDown PageDown Enter m
tui_see 'In RAM'
tui_keys Escape
tui_lost 'In RAM'
quit
is "$(awk '{ print $10, $12 }' "/proc/$LOAD_PID/stat")" "$faults_before" 'all windows and the hex view: no fault more'
is "$(truth)" "$before" 'and each page is what it was'

# Refusals
tui_type "clear; TERM=dumb $TMP/pagemon $one; echo STATUS''=\$?"
ok 'TERM=dumb' tui_see 'STATUS=1$'
like "$(tui_line 0)" '^pagemon: .*use -b to print rows$' 'the message names the way out'
done_testing
