#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor mutex: its threads, the CPUs that they move to, and that what a mutex does not protect is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep

stress --mutex 2 --mutex-procs=3 --mutex-ops=101 -t 600
is "$status $(of mutex '[.status, .ops] | @csv')" '0 "pass",202' 'two instances: no more ops than asked for'
is "$(of mutex '.metrics | map({(.name): .value}) | add | .locks > 0 and ."time per lock" > 0 and
	."tries that were refused" >= 0 and ."tries that were refused" <= 100')" true 'metrics'

start() { # OPTION...
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" --mutex 1 "$@" --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"mutex".*"ops":[1-9]'
	instance=$(pgrep -P "$bg_pid")
}
stop() {
	kill -INT "$bg_pid"
	reap "$bg_pid"
}
# The CPUs of its threads but the first, which waits.
cpus() { sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$instance/task/"*/status | tail -n +2 | sort -u; }
start --mutex-procs=5
# shellcheck disable=SC2012 # names are numbers
is "$(ls "/proc/$instance/task" | wc -l)" 6 '--mutex-procs, beside the one that waits'
is "$(cpus)" "$(sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status)" 'they may use all CPUs'
stop
is "$status $(of mutex .status)" '130 interrupted' 'a signal ends it'
start --mutex-affinity
like "$(cpus | xargs)" '^[0-9]+( [0-9]+)*$' '--mutex-affinity: each thread is on one CPU'
stop

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=sched_setaffinity -- "$STRESSORS" --mutex 1 --mutex-affinity --mutex-ops=50 -t 600
	is "$(grep -c 'sched_setaffinity(' "$TMP/trace")" 50 '--mutex-affinity: a move in each op'
	run strace -f -qq -o /dev/null -e signal=none -e trace=sched_setaffinity -e inject=sched_setaffinity:error=EPERM -- \
		"$STRESSORS" --mutex 1 --mutex-affinity -t 60 --json="$TMP/rows"
	is "$status $(of mutex .reason)" '2 sched_setaffinity: Operation not permitted' 'a move that fails'
else
	skip 'needs strace, and ptrace(2)' 2
fi
stress --mutex 1 --spoil -t 60
like "$(of mutex .reason)" '^two threads held the same [a-z-]+ mutex$' 'a change that a mutex does not protect is found'
done_testing
