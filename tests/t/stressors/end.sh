#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How a run ends: at its time, by signals with the results of what there is, by SIGKILL of one or of all; and
# nothing is left.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
options=(--max-memory=64m)
for s in "${all_stressors[@]}"; do options+=("--$s" 1); done

# In a session of its own, so that its processes can be told from those of other tests.
start() { # OPTION...: returns when nop, or else cpu, has done an op
	local one=cpu
	[[ " $* " != *' --nop '* ]] || one=nop
	rm -f "$TMP/rows"
	bg setsid "$STRESSORS" "$@" --json="$TMP/rows" --interval=0.1 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" "\"type\":\"interval\",\"stressor\":\"$one\".*\"ops\":[1-9]"
	mapfile -t pids < <(pgrep -s "$bg_pid")
}
# A process that has ended may not be reaped yet.
# shellcheck disable=SC2317 # called by wait_for
all_gone() {
	local pid
	for pid in "${pids[@]}"; do
		! grep -qs '^State:.[^ZX]' "/proc/$pid/status" || return 1
	done
}
shared() { # segments, queues, and files without an owner
	find /dev/shm "${TMPDIR:-/tmp}" -maxdepth 1 -iname '*stress*' 2>/dev/null
	ipcs -mqs 2>/dev/null | grep -c '^0x'
}
before=$(shared)

for signal in INT TERM HUP; do
	start "${options[@]}" -t 60
	num "${#pids[@]}" -gt "${#all_stressors[@]}" "SIG$signal: they run"
	kill -"$signal" "$bg_pid"
	reap "$bg_pid"
	is "$status" $((128 + $(kill -l "$signal"))) "SIG$signal: exit status"
	ok "SIG$signal: all are gone" all_gone
	is "$(jq -r 'select(.type == "summary").exit' "$TMP/rows")" "$status" "SIG$signal: the summary"
	is "$(of nop '[.status, .ops > 0] | @csv')" '"interrupted",true' "SIG$signal: the result of what there is"
done

# A second signal does not wait for anything.
start --cpu 1 -t 60
kill -STOP "${pids[@]:1}"
kill -INT "$bg_pid"
kill -INT "$bg_pid"
reap "$bg_pid"
isnt "$status" 0 'a second SIGINT: exit status'
ok 'a second SIGINT: all are gone' wait_for -t 2 all_gone

start "${options[@]}" -t 60
kill -KILL "$bg_pid"
reap "$bg_pid" 2>/dev/null
ok 'SIGKILL of the supervisor: all end' wait_for -t 5 all_gone
start "${options[@]}" -t 60
kill -KILL "${pids[@]}"
reap "$bg_pid" 2>/dev/null
ok 'SIGKILL of all: all end' wait_for -t 5 all_gone
is "$(shared)" "$before" 'nothing is left'

# An instance that another program kills has failed, whatever it did before.
start --cpu 1 -t 60
kill -KILL "${pids[1]}"
reap "$bg_pid"
is "$status $(of cpu .status) $(of cpu .reason)" '2 fail killed by SIGKILL' 'an instance is killed'
start --cpu 1 --nop 1 -t 60 --abort
kill -SEGV "${pids[1]}"
reap "$bg_pid"
is "$status $(of cpu .reason) $(of nop .status)" '2 killed by SIGSEGV pass' '--abort ends the run'

# One that does not look at the flag is ended, and that is said.
start --cpu 1 -t 3
kill -STOP "${pids[1]}"
reap "$bg_pid"
like "$(of cpu '[.forced, .reason] | @csv')" '^1,"' 'a stopped one is ended'
ok 'it is gone' all_gone

# -t with a fraction, and its end.
for t in 0.3 300ms; do
	stress --nop 1 -t "$t"
	is "$status $(jq -r 'select(.type == "summary") | [.wall_s >= 0.3, .wall_s < 5] | @csv' "$TMP/rows")" '0 true,true' "-t $t"
done
done_testing
