#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor shm-sysv: its segments, and that none is left whatever ends an instance.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
[ -r /proc/sysvipc/shm ] || skip_all 'no System V IPC in this kernel'
# SIZE: segments of this many bytes
segments() { awk -v size="$1" '$4 == size' /proc/sysvipc/shm; }
# A size that nothing else has.
size=$((68 * 4096)) options=(--shm-sysv-bytes=$((68 * 4096)) --shm-sysv-segs=3)

stress --shm-sysv 2 "${options[@]}" --shm-sysv-ops=10
is "$status $(of shm-sysv '[.status, .ops] | @csv')" '0 "pass",20' 'two instances: no more ops than asked for'
for call in shmget shmat mark shmdt; do
	is "$(metric shm-sysv "time per $call" | awk '{ print ($1 > 0) }')" 1 "time per $call"
done
is "$(metric shm-sysv segments | awk '{ print ($1 > 0) }')" 1 'a rate'
is "$(segments $size)" '' 'nothing is left'

# OPTION...: the instance is stopped while it holds segments.  It may be stopped before it has marked one.
start() {
	for _ in {1..100}; do
		rm -f "$TMP/rows"
		bg_group "$STRESSORS" --shm-sysv 1 "${options[@]}" "$@" --json="$TMP/rows" --interval=0.02 -t 600 >"$TMP/msg" 2>&1
		wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"shm-sysv".*"ops":[1-9]'
		instance=$(pgrep -P "$bg_pid")
		kill -STOP "$instance"
		wait_for has_line "/proc/$instance/status" '^State:.T'
		[ "$(segments $size | awk '{ print $3 }' | sort -u)" != 1600 ] || return 0
		kill -KILL "$instance"
		reap "$bg_pid"
	done
	return 1
}
ok 'an instance holds segments that are marked for removal' start
is "$(segments $size | awk '{ print $5 }' | sort -u)" "$instance" 'it has made them'
kill -KILL "$instance"
reap "$bg_pid"
is "$status $(of shm-sysv .reason) $(segments $size)" '2 killed by SIGKILL ' 'it is killed: nothing is left'
ok 'another one' start
kill -INT "$bg_pid"
reap "$bg_pid"
is "$(of shm-sysv .forced) $(segments $size)" '1 ' 'it is ended by force: nothing is left'
ok 'a third one' start
kill -KILL "$bg_pid"
reap "$bg_pid" 2>/dev/null
ok 'SIGKILL of the supervisor: all end' wait_for group_gone
is "$(segments $size)" '' 'SIGKILL of the supervisor: nothing is left'

# The size follows the limit of memory.
stress --shm-sysv 1 --shm-sysv-segs=4 --shm-sysv-ops=1 --max-memory=1m
is "$status $(of shm-sysv .status)" '0 pass' 'a default fits into --max-memory'
stress --shm-sysv 1 --shm-sysv-segs=4 --shm-sysv-bytes=1m --max-memory=2m
is "$status $(of shm-sysv .reason)" '3 needs 4 MB of memory and may use 2 MB; --max-memory permits more' 'what was asked for does not'
done_testing
