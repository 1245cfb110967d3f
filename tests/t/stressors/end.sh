#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# heavy
# seconds: 6
# How a run ends: at its time, by signals with the results of what there is, by SIGKILL of one or of all; and
# nothing is left.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
size=$((76 * 4096)) # of segments of System V memory: nothing else has it
options=(--pathological --max-memory=64m --dir-dirs=64 "--shm-sysv-bytes=$size")
# Some of each kind; and all, which take the CPUs from other tests.
some=("${options[@]}" --cpu 1 --dir 1 --fork 1 --nop 1 --pipe 1 --pthread 1 --shm-sysv 1 --sock 1 --sysinval 1 --timer 1 --vm 1)
for s in "${all_stressors[@]}"; do options+=("--$s" 1); done

# OPTION...: returns when nop, or else cpu, has done an op; its instances in $instances
start() {
	local one=cpu
	[[ " $* " != *' --nop '* ]] || one=nop
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" "$@" --json="$TMP/rows" --interval=0.1 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" "\"type\":\"interval\",.*\"stressor\":\"$one\".*\"ops\":[1-9]"
	mapfile -t instances < <(pgrep -P "$bg_pid")
}
shared() { # files and segments
	find /dev/shm "${TMPDIR:-/tmp}" -maxdepth 1 -iname '*stress*' 2>/dev/null
	awk -v size="$size" '$4 == size' /proc/sysvipc/shm 2>/dev/null
}
# shellcheck disable=SC2317 # called by wait_for
shm_is_done() { ! pgrep -P "$bg_pid" -x 'stress-shm(-sysv)?' >/dev/null; }
before=$(shared)
# Another script may have a file for a moment.
# shellcheck disable=SC2317 # called by wait_for
none_left() { [ "$(shared)" = "$before" ]; }

for signal in INT TERM HUP ALRM; do
	case $signal in
	INT) start "${options[@]}" -t 600 ;;
	*) start "${some[@]}" -t 600 ;;
	esac
	kill -"$signal" "$bg_pid"
	reap "$bg_pid"
	is "$status" $((128 + $(kill -l "$signal"))) "SIG$signal: exit status"
	is "${#instances[@]}" "$(jq -s 'map(select(.type == "result" and .status != "skip")) | length' "$TMP/rows")" "SIG$signal: all ran"
	ok "SIG$signal: all are gone" wait_for group_gone
	is "$(jq -r 'select(.type == "summary").exit' "$TMP/rows")" "$status" "SIG$signal: the summary"
	is "$(of nop '[.status, .ops > 0] | @csv')" '"interrupted",true' "SIG$signal: the result of what there is"
done

# SIGUSR1, here to the whole group, shows what there is, and the run continues.
options_usr1=(--nop 1 --cpu 1 --cyclic 1 --cyclic-method=itimer -t 600)
start "${options_usr1[@]}"
interim() { jq -c 'select(.type == "interim")' "$TMP/rows"; }
# shellcheck disable=SC2317 # called by wait_for
has_interim() { has_line "$TMP/rows" "\"type\":\"interim\",.*\"stressor\":\"$1\".*}$"; }
kill -USR1 -- -"$bg_pid"
ok 'SIGUSR1: a record' wait_for has_interim cyclic
ok 'SIGUSR1: a line of the report' wait_for has_line "$TMP/msg" '^ +[0-9.]+s so far: .*nop [0-9]+ ops \([0-9.]+[kMGT]?/s\)'
is "$(interim | jq -rs 'map(.stressor) | sort | join(" ")')" 'cpu cyclic nop' 'SIGUSR1: each stressor has one'
is "$(interim | jq -s 'all((.ops_per_s * .t_s - .ops | fabs) <= 1 + .ops / 1000)')" true 'SIGUSR1: rates since the start'
is "$(pgrep -P "$bg_pid" | wc -l)" ${#instances[@]} 'SIGUSR1: all instances live'
for _ in {1..20}; do kill -ALRM "$(pgrep -P "$bg_pid" stress-cyclic)"; done
before_usr1=$(interim | jq -s 'map(select(.stressor == "nop"))[0].ops')
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of nop ".ops >= $before_usr1") $(of cyclic .status)" '130 true interrupted' 'the run goes on until it is ended; SIGALRM does not end a sleep of cyclic'

# A second signal does not wait for anything: without it a stopped instance is killed 1.3 s after the first one.  On a
# busy machine both may take as long.
for _ in 1 2 3 4 5; do
	start --cpu 1 -t 600
	kill -STOP "${instances[@]}"
	begin=${EPOCHREALTIME/./}
	kill -INT "$bg_pid"
	wait_for signal_taken "$bg_pid" INT
	kill -INT "$bg_pid"
	reap "$bg_pid"
	took=$((${EPOCHREALTIME/./} - begin))
	[ $took -ge 1200000 ] || break
done
num $took -lt 1200000 'a second SIGINT does not wait'
is "$status $(of cpu .reason)" '130 killed by SIGKILL' 'a second SIGINT: exit status and reason'
ok 'a second SIGINT: all are gone' wait_for group_gone

# Of shm-sysv an empty segment may be left, and of shm an empty object, if all end in one of their moments: shm-sysv.sh,
# shm.sh.
killed=("${options[@]}" --shm-sysv-ops=1 --shm-ops=1)
start "${killed[@]}" -t 600
wait_for shm_is_done
kill -KILL "$bg_pid"
reap "$bg_pid" 2>/dev/null
ok 'SIGKILL of the supervisor: all end' wait_for group_gone
start "${killed[@]}" -t 600
wait_for shm_is_done
mapfile -t all < <(in_group)
kill -KILL "${all[@]}"
reap "$bg_pid" 2>/dev/null
ok 'SIGKILL of all: all end' wait_for group_gone
wait_for -t 10 none_left
is "$(shared)" "$before" 'nothing is left'

# An instance that another program kills has failed, whatever it did before.
start --cpu 1 -t 600
kill -KILL "${instances[0]}"
reap "$bg_pid"
is "$status $(of cpu .status) $(of cpu .reason)" '2 fail killed by SIGKILL' 'an instance is killed'
start --cpu 1 --nop 1 -t 600 --abort
kill -SEGV "$(pgrep -P "$bg_pid" stress-cpu)"
reap "$bg_pid"
is "$status $(of cpu .reason) $(of nop .status)" '2 killed by SIGSEGV pass' '--abort ends the run'

# One that does not look at the flag is ended, and that is said.  It must be stopped before its time is over.
for t in 1 4 16; do
	start --cpu 1 -t $t
	kill -STOP "${instances[@]}"
	reap "$bg_pid"
	[ "$(of cpu .forced)" = 0 ] || break
done
like "$status $(of cpu '"\(.forced) \(.reason)"')" '^2 1 (did not stop: killed by SIGKILL|no progress since t = [0-9.]+ s)$' 'a stopped one is ended'
ok 'it is gone' wait_for group_gone

# Too little CPU time for an op is nothing wrong.
stress --qsort 64 --taskset=0 -t 0.3
is "$status $(of qsort .status)" '3 no-resource' 'no time for an op: exit status and status'
like "$(of qsort .reason)" '^instance [0-9]+: completed no op within the run time; it received [0-9]+ ms of CPU$' 'no time for an op: the reason'
stress --nop 512 --taskset=0 -t 0.3
like "$status $(of nop .status)" '^(0 pass|3 no-resource)$' "more instances than get a CPU: $(of nop .reason)"

# The run waits for the reader of a FIFO, and a signal ends the wait.
mkfifo "$TMP/fifo"
# shellcheck disable=SC2317 # called by wait_for
sleeps() { grep -q '^State:.S' "/proc/$bg_pid/status"; }
for option in --json --csv --yaml; do
	for signal in INT TERM; do
		bg_group "$STRESSORS" --nop 1 -t 600 -q "$option=$TMP/fifo" 2>"$TMP/msg"
		wait_for sleeps
		kill -"$signal" "$bg_pid"
		wait_for -t 10 has_exited "$bg_pid" || kill -KILL "$bg_pid"
		reap "$bg_pid" 2>/dev/null
		is "$status" $((128 + $(kill -l "$signal"))) "$option to a FIFO without a reader: SIG$signal ends the run"
		ok "$option to a FIFO without a reader: nothing is left" group_gone
	done
done

# -t with a fraction.
for t in 0.3 300ms; do
	stress --nop 1 -t "$t"
	is "$status $(jq -r 'select(.type == "summary").wall_s >= 0.3' "$TMP/rows")" '0 true' "-t $t"
done
done_testing
