#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# timeout: 200
# The screen of eventstat on a terminal, with samples of a minute: whatever changes was done by a key.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
need_timers

run "$EVENTSTAT" -T 0.3 1
expect_exit 1 '-T without a terminal is refused'
like "$err" '^eventstat: .*terminal' 'with a message'

. "$TOP/tests/lib/tui.sh"
wakes='' # the terminal shows wakeups, which need BPF
run "$EVENTSTAT" --method=bpf --interval=0.1 -q -- true
[ "$status" != 0 ] || wakes=1
naps 50 nap-one nap-two
start_screen() { # OPTION...: the rows of the load
	tui_type "clear; $EVENTSTAT -T --comm='nap-*' $*; echo STATUS''=\$?"
	tui_see '^q quit'
}
screen_pid() { pgrep -P "$(tui_tmux display-message -p '#{pane_pid}')" -x eventstat; }
# The pids of rows, in their order.
pids() { tui_screen | awk -v one="${tasks[0]}" -v two="${tasks[1]}" '/nap-/ { for (i = 1; i <= NF; i++) if ($i == one || $i == two) print $i }' | uniq | tr '\n' ' '; }
order() { [ "$(pids)" = "$1" ]; }
# The sample that the space key takes: its rates are those of the load.
sample() {
	tui_keys Space
	tui_see 'nap-two'
}

modes() { sed 's/rows [0-9]*; columns [0-9]*; //' "$1"; } # FILE of tui_stty
footer_at() { [ "$(tui_screen | grep -n '^q quit' | cut -d: -f1)" = "$1" ]; }

tui_open 100 50
tui_stty "$TMP/stty.before"
start_screen --json="$TMP/rows" 60
ok 'drawn before the first sample' tui_matches '^waiting for the first sample'
ok 'the alternate screen' tui_alternate
switches() { awk '/^voluntary/ { print $2 }' "/proc/$1/status"; } # TASK
one=$(switches "${tasks[0]}") two=$(switches "${tasks[1]}")
napped() { (($(switches "${tasks[0]}") > one + 2 && $(switches "${tasks[1]}") > two + 2)); }
wait_for napped
sample
rates() { jq -r "select(.tid == $1 and .func == \"hrtimer_wakeup\").starts_per_s" "$TMP/rows"; }
recorded() { [ -n "$(rates "${tasks[0]}")" ] && [ -n "$(rates "${tasks[1]}")" ]; }
wait_for recorded
for i in 0 1; do
	rate=$(tui_screen | awk -v p="${tasks[i]}" '/hrtimer_wakeup/ { for (i = 1; i <= NF; i++) if ($i == p) { print $1; exit } }')
	file=$(rates "${tasks[i]}")
	ok "a row of task $((i + 1)), with the rate that the file has: ${rate:-none}, $file" \
		awk -v r="${rate:-0}" -v f="$file" 'BEGIN { d = r - f; exit !(r > 0 && d < 0.011 && d > -0.011) }'
done
like "$(tui_line 0)" '^events .*every 60 s' 'the interval'
[ "${tasks[0]}" -lt "${tasks[1]}" ] || tasks=("${tasks[1]}" "${tasks[0]}")
tui_keys N
ok 'N: by pid' wait_for order "${tasks[*]} "
tui_keys E
tui_keys /
tui_text 'nap-o*'
ok 'a name that is typed' tui_lost nap-two
ok 'leaves those that match' tui_matches nap-one
tui_keys Escape
ok 'Esc: all again' tui_see nap-two
tui_keys K
ok 'K: only kernel threads' tui_lost nap-
tui_keys K
ok 'K again: only others' tui_see nap-one
tui_keys K C
ok 'C: numbers since the start' tui_see '^ *Events '
tui_keys C
tui_see 'Event/s'
tui_keys Down Enter
ok 'Enter: details of the row' tui_see 'cgroup|command|armed'
tui_keys Escape
ok 'Esc: no details' tui_lost '^cgroup '
if [ "$wakes" ]; then
	tui_keys w
	ok 'w: wakeups' tui_see '^wakeups '
	tui_keys w
	ok 'w again: timers' tui_see '^events '
else
	skip 'wakeups need BPF' 2
fi
tui_keys -
ok '-: a shorter interval' tui_see '^events .*every (30|20|10) s'
tui_keys /
tui_text 'nap-*'
tui_keys Enter
for size in '40 6' '200 50' '40 24' '80 24'; do
	read -r columns rows <<<"$size"
	tui_resize "$columns" "$rows"
	ok "resized: $size" wait_for footer_at "$rows"
	num "$(tui_screen | wc -L)" -le "$columns" "$size: no line is wider"
	ok "$size: a row" tui_see nap-
done

# The keys: help and manual page.
tui_resize 60 40
wait_for footer_at 40
tui_keys h
tui_see 'eventstat: keys'
tui_screen | sed '1d;/any key closes/d' | cut -c 1-9 | tr -s ' ' '\n' | sed '/^$/d' | sort -u >"$TMP/in-help"
sed -n '/^\.Sh THE SCREEN/,/^\.Sh HOW/s/^\.It Cm //p' "$TOP/man/eventstat.8" |
	sed 's/ , / /g; s/\\&//g' | tr ' ' '\n' | sort -u >"$TMP/in-man"
is "$(cat "$TMP/in-help")" "$(cat "$TMP/in-man")" 'the same keys in the help and in the manual page'
tui_resize 100 50
tui_keys q q
ok 'q: the end' tui_see 'STATUS=0'
ok 'the last sample stays' tui_matches nap-one
is "$(jq -r 'select(.type == "timers").comm' "$TMP/rows" | grep -cv '^nap-')" 0 'the file keeps --comm'

# However it ends, the terminal is as it was.
for signal in INT TERM HUP; do
	tui_type clear
	start_screen 60
	kill -"$signal" "$(screen_pid)"
	ok "$signal: the end" tui_see 'STATUS='
	ok "$signal: the main screen" wait_for tui_primary
	ok "$signal: a cursor" wait_for tui_cursor
	tui_stty "$TMP/stty.after"
	is "$(modes "$TMP/stty.after")" "$(modes "$TMP/stty.before")" "$signal: the terminal's modes"
done
tui_close
end_naps
done_testing
