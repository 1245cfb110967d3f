#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# On a terminal (tmux, a server of its own): headings by the screen's height, nothing raw,
# colour only where it is wanted, and the terminal as it was afterwards.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd tmux

cp "$FORKSTAT" "$TMP/forkstat"
screens=0
t() { tmux -S "$TMP/tmux.$screens" -f /dev/null "$@"; }
screen() { # COLUMNS ROWS: a shell without a prompt to speak of, its output also in $TMP/raw
	t kill-server 2>/dev/null
	screens=$((screens + 1))
	: >"$TMP/raw"
	t new-session -d -x "$1" -y "$2" "env PS1='ready> ' TERM=${term:-screen} LC_ALL=C.UTF-8 ${screen_env:-A=b} bash --norc --noprofile"
	t pipe-pane "cat >>$TMP/raw"
	wait_for shows 'ready>'
}
shot() { t capture-pane -p; }
shows() { has_line <(shot) "$1"; }
raw_has() { has_line "$TMP/raw" "$1"; }
raw() { # NAME ERE
	if raw_has "$2"; then pass "$1"; else fail "$1" "no match of $2 in: $(tail -c 2000 "$TMP/raw")"; fi
}
keys() { t send-keys "$@"; }
enter() { keys -l "$1"; keys Enter; }
trap 't kill-server 2>/dev/null; tap_cleanup' EXIT

for size in '80 24' '40 12'; do
	read -r columns rows <<<"$size"
	screen "$columns" "$rows"
	enter "stty -a >$TMP/stty.before; $TMP/forkstat -e exit -- $HELPERS/load -n 100 -o $TMP/truth exec; stty -a >$TMP/stty.after; echo DO''NE"
	ok "$size: it runs" wait_for raw_has DONE
	headings=$(grep -ac 'Time     Event' "$TMP/raw")
	lines=$(grep -acE '^[^ ]*[0-2][0-9]:[0-5][0-9]:[0-5][0-9].* exit ' "$TMP/raw")
	is "$lines" 101 "$size: all rows"
	num "$headings" -ge "$((lines / rows))" "$size: headings come again, $headings"
	num "$headings" -le "$((lines / (rows - 4) + 2))" "$size: but not more than one per screen"
	is "$(cat "$TMP/stty.after")" "$(cat "$TMP/stty.before")" "$size: the terminal is as it was"
	: >"$TMP/raw"
	long=$(printf 'word%.0s ' {1..60})
	enter "$TMP/forkstat -N -e exec -- env true $long END; echo DO''NE"
	wait_for raw_has DONE
	cut=$(grep -aE '^[^ ]*[0-9:]+ exec ' "$TMP/raw" | sed -E 's/\x1b[^m]*m//g; s/\r//g; s/…/./g' |
		awk '{ print length }' | uniq)
	is "$cut" "$columns" "$size: a row is cut at the width"
	: >"$TMP/raw"
	enter "$TMP/forkstat -N --full-command -e exec -- env true $long END; echo DO''NE"
	wait_for raw_has DONE
	is "$(grep -aEc 'exec .*true .*word END' "$TMP/raw")" 2 "$size: --full-command: all of it"
	: >"$TMP/raw"
	enter "$TMP/forkstat -o $TMP/file -e exit -- $HELPERS/load -n 100 -o $TMP/truth exec; echo DO''NE"
	wait_for raw_has DONE
	is "$(grep -c 'Time     Event' "$TMP/file")" 1 "$size: one heading in a file"
done

# ^C
screen 80 24
enter "stty -a >$TMP/stty.before; $TMP/forkstat -S; echo STATUS''=\$?; stty -a >$TMP/stty.after; echo DO''NE"
wait_for raw_has 'Time     Event'
keys C-c
ok '^C ends it' wait_for raw_has DONE
raw '^C: exit status 0' 'STATUS=0'
raw '^C: the statistics' 'Events received'
is "$(cat "$TMP/stty.after")" "$(cat "$TMP/stty.before")" '^C: the terminal is as it was'
enter 'echo al''ive'
ok 'the shell takes keys' wait_for shows '^alive'
# ^Z and fg
: >"$TMP/raw"
enter "$TMP/forkstat"
wait_for raw_has 'Time     Event'
keys C-z
ok '^Z stops it' wait_for raw_has 'Stopped'
enter "jobs -p >$TMP/job; fg"
wait_for test -s "$TMP/job"
continued() { ! is_stopped "$(cat "$TMP/job")"; }
ok 'fg continues it' wait_for continued
keys C-c
enter "echo STATUS''=\$?"
ok '^C after fg ends it' wait_for raw_has 'STATUS='
raw '^C after fg: exit status 0' 'STATUS=0'

# Nothing raw of a hostile name
screen 80 24
enter "$TMP/forkstat -E --color=never -- $HELPERS/hostile argv; $TMP/forkstat -E --color=never -- $HELPERS/hostile comm; echo DO''NE"
wait_for raw_has DONE
is "$(LC_ALL=C grep -acP '\x1b\]0;pwned|\x1b\[2J|\x1b\[31mEVIL|\xc2\x9b31m|\xe2\x80\xae|\xff' "$TMP/raw")" 0 'hostile names: nothing raw'
raw 'hostile names: escaped' '\\x1b\]0;pwned'

# Colour
colours() { # NAME WANT(0 none, 1 some) ENVIRONMENT TERM OPTION
	screen_env=$3 term=$4
	screen 80 24
	: >"$TMP/raw"
	enter "clear; $TMP/forkstat $5 -- $HELPERS/tiny exit=3; echo DO''NE"
	wait_for raw_has '^DONE|[^'"'"']DONE'
	is "$(sed -n '/Time/,/DONE/p' "$TMP/raw" | LC_ALL=C grep -acP '\x1b\[[0-9;]*[1-9][0-9;]*m' | awk '{ print ($1 > 0) }')" "$2" "$1"
}
colours '--color=never' 0 A=b screen-256color --color=never
colours '--color=always' 1 A=b screen-256color --color=always
colours 'NO_COLOR' 0 NO_COLOR=1 screen-256color ''
colours 'TERM=dumb' 0 A=b dumb ''
run "$FORKSTAT" -- "$HELPERS/tiny" exit=3
is "$(grep -c $'\e' "$TMP/out")" 0 'no colour into a pipe'
run "$FORKSTAT" --color=always -- "$HELPERS/tiny" exit=3
num "$(grep -c $'\e\[' "$TMP/out")" -ge 1 '--color=always into a pipe'
run "$FORKSTAT" --color=always -j -- "$HELPERS/tiny" exit=3
is "$(grep -c $'\e' "$TMP/out")" 0 'never in JSON'
# A very long command line is shortened on the terminal, whole with --full-command.
screen_env='' term=''
screen 80 24
enter "$TMP/forkstat -N -e exec -- $HELPERS/longargs 3000; echo DO''NE"
wait_for raw_has DONE
num "$(tr -cd A <"$TMP/raw" | wc -c)" -lt 1500 'a long command line is shortened'
: >"$TMP/raw"
enter "clear; $TMP/forkstat -N -e exec --full-command -- $HELPERS/longargs 3000; echo DO''NE"
wait_for raw_has DONE
num "$(tr -cd A <"$TMP/raw" | wc -c)" -ge 2997 '--full-command: it is whole'
done_testing
