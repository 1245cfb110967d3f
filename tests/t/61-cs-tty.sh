#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cpustat's table on a terminal: cut at the width of the output's terminal, wherever the input
# comes from; whole on one of unknown size and in a pipe; colour only where it is wanted.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd script stty

load cpuload duty 90
long=$(printf 'x%.0s' {1..200})
bg bash -c 'exec -a "$0" "$1/cpuload" duty 50' "long-$long" "$HELPERS" >"$TMP/long"
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
colours 'a busy task on a terminal' -gt "$size" '' TERM=xterm
colours '--color=never' -eq "$size" --color=never TERM=xterm
colours 'NO_COLOR' -eq "$size" '' 'TERM=xterm NO_COLOR=1'
colours 'TERM=dumb' -eq "$size" '' TERM=dumb
run "$CPUSTAT" -C cpuload 0.3 1
is "$(grep -c $'\e' "$TMP/out")" 0 'no colour into a pipe'
run "$CPUSTAT" -C cpuload --color=always 0.3 1
num "$(grep -c $'\e\[' "$TMP/out")" -ge 1 '--color=always into a pipe'
run "$CPUSTAT" -X 0.3 1
isnt "$status" 0 '-X without a terminal is refused'
like "$err" '^cpustat: .*terminal' 'with a message'
end_load
kill -TERM "$stranger"
reap "$stranger"

# The screen, paused: what is arranged anew is what stood there.
if ! command -v tmux >/dev/null; then
	skip 'no tmux' 6
	done_testing
fi
t() { tmux -S "$TMP/tmux" -f /dev/null "$@"; }
shows() { t capture-pane -p | grep -qE -- "$1"; }
shows_not() { ! shows "$1"; }
trap 't kill-server 2>/dev/null; tap_cleanup' EXIT
cp "$HELPERS/cpuload" "$TMP/frz-one"
cp "$HELPERS/cpuload" "$TMP/frz-two"
bg "$TMP/frz-one" duty 50 >"$TMP/one"
one=$bg_pid
wait_for has_line "$TMP/one" ready
t new-session -d -x 80 -y 24 "TERM=screen LC_ALL=C.UTF-8 '$CPUSTAT' -X -c -C 'frz-*' --json='$TMP/rows' 0.2"
wait_for has_samples 2
ok 'the screen shows a task' wait_for shows 'frz-one'
t send-keys p
wait_for shows PAUSED
kill -TERM "$one"
reap "$one"
bg "$TMP/frz-two" duty 50 >"$TMP/two"
two=$bg_pid
wait_for has_line "$TMP/two" ready
wait_for has_line "$TMP/rows" '"comm":"frz-two"'
more_samples 2
t send-keys a
wait_for shows '% of all CPUs'
ok 'paused: a key arranges what stood there' shows 'frz-one'
ok 'and not what came since' shows_not 'frz-two'
t send-keys + d G
wait_for shows 'by comm'
ok 'further keys, too' shows 'frz-one'
t send-keys Space
ok 'space: the newest one' wait_for shows 'frz-two'
more_samples 1
t send-keys H
ok 'which stays as well' wait_for shows 'threads.*by comm'
t send-keys p q
kill -TERM "$two"
reap "$two"
done_testing
