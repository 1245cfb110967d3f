#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 8
# cpustat's table on a terminal: cut at the width of the output's terminal, wherever the input
# comes from; whole on one of unknown size and in a pipe; colour only where it is wanted.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd script stty

load cpuload duty 30
long=$(printf 'x%.0s' {1..200})
bg bash -c 'exec -a "$0" "$1/cpuload" duty 20' "long-$long" "$HELPERS" >"$TMP/long"
stranger=$bg_pid
wait_for has_line "$TMP/long" ready
cs() { # STTY-ARGUMENTS TOOL-OPTIONS [ENVIRONMENT]
	run script -qec "stty $1; exec ${3:+env $3} '$CPUSTAT' -l -C cpuload $2 0.3 1" /dev/null
	tr -d '\r' <"$TMP/out" | sed 's/\x1b\[[0-9;]*m//g' >"$TMP/plain"
}
widest() { wc -L <"$TMP/plain"; }
cs 'cols 60 rows 20' ''
expect_exit 0 '60 columns'
num "$(widest)" -le 60 'no line is wider'
num "$(widest)" -ge 50 'and it is used'
cs 'cols 60 rows 20' -w
num "$(widest)" -ge 200 '-w: whole'
cs 'cols 0 rows 0' ''
num "$(widest)" -ge 75 'a terminal of unknown size: rows all the same'
for columns in 40 24; do
	cs "cols $columns rows 20" '-T -g'
	num "$(widest)" -le "$columns" "$columns columns: no line is wider"
	is "$(grep -c ' $' "$TMP/plain")" 0 "$columns columns: no blank at its end"
	ok "$columns columns: and it has a name" grep -qE ' [^ ]*(cpul|long-)' "$TMP/plain"
done
run script -qec "stty cols 60 rows 20; exec '$CPUSTAT' -l -C cpuload 0.3 1 </dev/null" /dev/null
tr -d '\r' <"$TMP/out" | sed 's/\x1b\[[0-9;]*m//g' >"$TMP/plain"
num "$(widest)" -le 60 "the output's terminal counts, not the input's"
run script -qec "stty cols 60 rows 20; '$CPUSTAT' -l -C cpuload 0.3 1 | cat" /dev/null
tr -d '\r' <"$TMP/out" >"$TMP/plain"
num "$(widest)" -ge 200 'into a pipe: whole'

colours() { # NAME WANT-LINES STTY OPTIONS ENVIRONMENT
	cs "$3" "$4" "$5"
	num "$(grep -c $'\e\[[0-9;]*m' "$TMP/out")" "$2" 0 "colour: $1"
}
size='cols 80 rows 20'
# Rows of at least 10 % have one; on a busy machine that may be none.
busy_rows() { awk '$1 >= 10' "$1" | wc -l; }
cs "$size" '' TERM=xterm
is "$(grep -cE $'^\e\\[(1;)?3[13]m' "$TMP/out")" "$(busy_rows "$TMP/plain")" 'colour: busy tasks on a terminal'
colours '--color=never' -eq "$size" --color=never TERM=xterm
colours 'NO_COLOR' -eq "$size" '' 'TERM=xterm NO_COLOR=1'
colours 'TERM=dumb' -eq "$size" '' TERM=dumb
run "$CPUSTAT" -C cpuload 0.3 1
is "$(grep -c $'\e' "$TMP/out")" 0 'no colour into a pipe'
run "$CPUSTAT" -C cpuload --color=always 0.3 1
sed 's/\x1b\[[0-9;]*m//g' "$TMP/out" >"$TMP/plain"
is "$(grep -cE $'^\e\\[(1;)?3[13]m' "$TMP/out")" "$(busy_rows "$TMP/plain")" '--color=always into a pipe'
run "$CPUSTAT" -X 0.3 1
isnt "$status" 0 '-X without a terminal is refused'
like "$err" '^cpustat: .*terminal' 'with a message'
end_load
kill -TERM "$stranger"
reap "$stranger"

# The paused screen: keys rearrange the paused sample.
if ! command -v tmux >/dev/null; then
	skip 'no tmux' 15
	done_testing
fi
t() { tmux -S "$TMP/tmux" -f /dev/null "$@"; }
shows() { t capture-pane -p | grep -qE -- "$1"; }
shows_not() { ! shows "$1"; }
trap 't kill-server 2>/dev/null; tap_cleanup' EXIT
cp "$HELPERS/cpuload" "$TMP/frz-one"
cp "$HELPERS/cpuload" "$TMP/frz-two"
bg "$TMP/frz-one" duty 20 >"$TMP/one"
one=$bg_pid
wait_for has_line "$TMP/one" ready
t new-session -d -x 80 -y 24 "TERM=screen LC_ALL=C.UTF-8 '$CPUSTAT' -X -c -C 'frz-*' --json='$TMP/rows' 0.2"
wait_for has_samples 2
ok 'the screen shows a task' wait_for shows 'frz-one'
t send-keys p
wait_for shows PAUSED
kill -TERM "$one"
reap "$one"
bg "$TMP/frz-two" duty 20 >"$TMP/two"
two=$bg_pid
wait_for has_line "$TMP/two" ready
wait_for has_line "$TMP/rows" '"comm":"frz-two"'
more_samples 2
t send-keys a
wait_for shows '% of all CPUs'
ok 'paused: a key rearranges the paused sample' shows 'frz-one'
ok 'and not the samples since' shows_not 'frz-two'
t send-keys + d G
wait_for shows 'by comm'
ok 'further keys, too' shows 'frz-one'
t send-keys Space
ok 'space: the newest one' wait_for shows 'frz-two'
more_samples 1
t send-keys H
ok 'which stays, too' wait_for shows 'threads.*by comm'
t send-keys p

# The first line against the kernel; the unit.
cpus=$(getconf _NPROCESSORS_ONLN)
ok 'the unit of percentages' wait_for shows "^CPU [0-9.]+% of 100%  load"
t send-keys a G G G G H
ok 'a: another unit' wait_for shows "^CPU [0-9.]+% of ${cpus}00%  load"
# shellcheck disable=SC2317 # wait_for calls it
machine_line() {
	local load up
	read -r load _ </proc/loadavg
	read -r up _ </proc/uptime
	up=$((${up%.*} / 60))
	shows "load $load [0-9.]+ [0-9.]+  up .*$(printf '%02d:%02d' $((up / 60 % 24)) $((up % 60)))"
}
ok 'load average and uptime' wait_for machine_line

# Arguments are seen, and found; Esc removes the filter of -C, too.
bg "$TMP/frz-one" duty 21 >"$TMP/one"
one=$bg_pid
t send-keys c /
t send-keys -l 'DUTY 21'
ok 'filtered by an argument, while it is typed' wait_for shows 'name DUTY 21'
ok 'which is shown' wait_for shows 'frz-one duty 21'
ok 'and the others are not' shows_not 'duty 20'
t send-keys Escape
ok 'Esc: all tasks' wait_for shows 'duty 20'
more_samples 2
is "$(jqs 'map(select(.type == "task") | (.comm | startswith("frz-")) and .kind != "group") | [length > 5, all]')" \
	'[true,true]' 'the file keeps -C, and has no groups'

# The keys: help and manual page.
t resize-window -x 40 -y 40
t send-keys h
wait_for shows 'cpustat: keys'
t capture-pane -p | sed '1d;$d' | cut -c 1-9 | tr -s ' ' '\n' | sed '/^$/d' | sort >"$TMP/in-help"
sed -n '/^\.Sh THE SCREEN/,/^\.Sh [^T]/s/^\.It Cm //p' "$TOP/man/cpustat.8" |
	sed 's/ , / /g; s/\\&//g' | tr ' ' '\n' | sort >"$TMP/in-man"
is "$(cat "$TMP/in-help")" "$(cat "$TMP/in-man")" 'the same keys in the help and in the manual page'
pid=$(t display-message -p '#{pane_pid}')
t send-keys q q
ok 'q: the end' wait_for has_exited "$pid"
kill -TERM "$one" "$two"
reap "$one"
reap "$two"
done_testing
