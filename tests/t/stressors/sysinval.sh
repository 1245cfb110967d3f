#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor sysinval: it needs permission, a seed gives one sequence, its child can do no more than it must, and a child
# that does not go on is replaced.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
. "$TOP/tests/lib/faults.sh"
need_cmd jq pgrep
mkdir "$TMP/work"
cd "$TMP/work" || exit 2

run "$STRESSORS" --sysinval 1 --sysinval-ops=1
is "$status ${err%%$'\n'*}" '1 stressors: sysinval can make the machine unusable; it needs --pathological' 'it needs permission'
stress --all 1 --class=pathological -n
unlike "$out" sysinval '--all does not choose it'

may=(--pathological -t 600 -q)
stress "${may[@]}" --sysinval 2 --sysinval-ops=5000
is "$status $(of sysinval '[.status, .ops] | @csv')" '0 "pass",10000' 'two instances: no more ops than asked for'
num "$(metric sysinval processes)" -ge 4 'a process makes some of the calls only'
is "$(metric sysinval 'refused calls' | awk '{ print ($1 > 30 && $1 < 100) }')" 1 'many are refused, and not all'
is "$(ls -A)" '' 'no file is made'

# The child.
rm -f "$TMP/rows"
bg "$STRESSORS" "${may[@]}" --sysinval 1 --json="$TMP/rows" --interval=0.05
wait_for has_line "$TMP/rows" '"type":"interval",.*"ops":[1-9]'
own=$(pgrep -P "$bg_pid")
# A child lives for some milliseconds, and is ended soon after a stop: its pid, the stop and its status, without another
# process between them.  It may stop before it has entered the filter.
rights=
stop_filtered() {
	local child_status
	child=
	read -r child _ <"/proc/$own/task/$own/children" # no newline, so its status is not 0
	[ -n "$child" ] && kill -STOP "$child" && mapfile -t child_status <"/proc/$child/status" || return
	[[ ${child_status[*]} =~ State:.T.*CapEff:.([0-9a-f]*).*NoNewPrivs:.([01])\ Seccomp:.([0-9]) ]] || return
	rights="${BASH_REMATCH[*]:1}"
	[[ $rights == *' 0' ]] || return 0
	kill -CONT "$child"
	return 1
}
ok 'a child is stopped' wait_for stop_filtered
is "$rights" '0000000000000000 1 2' 'it has no privileges and gets none, and a filter restricts its calls'
stopped=$child
ok 'it is ended' wait_for has_ended "$stopped"
ops=$(last_ops sysinval)
# shellcheck disable=SC2317 # called by wait_for
goes_on() { [ "$(last_ops sysinval)" -gt "$ops" ]; }
ok 'and a new one continues' wait_for goes_on
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of sysinval .status)" '130 interrupted' 'a signal ends it'

if can_inject; then
	# SEED: what the kernel has seen, without addresses, which differ
	sequence() {
		rm -f "$TMP"/trace.*
		run strace -ff -qq -e raw=all -o "$TMP/trace" "$STRESSORS" "${may[@]}" --sysinval 1 --sysinval-ops=300 --seed="$1"
		# A file of each process: the child is the one that enters a filter.
		sed '1,/^prctl(0x16/d; s/ = .*//; s/0x[0-9a-f]\{8,\}/ADDRESS/g; /^---/d; /^rt_sigreturn/d' "$(grep -l '^prctl(0x16,' "$TMP"/trace.*)"
	}
	sequence 7 >"$TMP/first"
	sequence 7 >"$TMP/again"
	sequence 8 >"$TMP/other"
	num "$(wc -l <"$TMP/first")" -ge 300 'calls under strace'
	is "$(cat "$TMP/again")" "$(cat "$TMP/first")" 'the same seed gives the same sequence'
	isnt "$(cat "$TMP/other")" "$(cat "$TMP/first")" 'another seed gives another one'
	num "$(sed 's/(.*//' "$TMP/first" | sort -u | wc -l)" -ge 60 'different calls'

	run strace -f -qq -o /dev/null -e trace=getsid -e inject=getsid:error=521 "$STRESSORS" "${may[@]}" --sysinval 1 \
		--sysinval-ops=3000 --json="$TMP/rows"
	is "$status $(of sysinval .reason)" '2 a process made a call that is not in the table, after getsid' 'a call that is not of the table: -1, by which strace injects'
fi
done_testing
