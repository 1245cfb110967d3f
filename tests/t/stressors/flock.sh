#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor flock: two processes that lock one file, what is wrong is found, and nothing is left.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep
mkdir "$TMP/work"
cd "$TMP/work" || exit 2

stress --flock 2 --flock-ops=100
is "$status $(of flock '[.status, .ops] | @csv')" '0 "pass",200' 'two instances: no more ops than asked for'
for name in locks 'time per exclusive lock' 'time per shared lock' 'time per conversion'; do
	is "$(metric flock "$name" | awk '{ print ($1 > 0) }')" 1 "metric: $name"
done
is "$(metric flock 'tries that were refused' | awk '{ print ($1 >= 0 && $1 <= 100) }')" 1 'metric: tries that were refused'
is "$(ls -A)" '' 'nothing is left'

traced() { # STRACE-OPTION...
	run strace -f -qq -e signal=none -e trace=flock "$@" -- "$STRESSORS" --json="$TMP/rows" --flock 1 --flock-ops=10 -t 600
}
if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	traced -o "$TMP/trace"
	num "$(grep -c 'LOCK_EX|LOCK_NB' "$TMP/trace")" -ge 10 'LOCK_NB is tried in each op'
	# A lock that is not there: the calls do nothing, but say that they did.
	run strace -f -qq -e signal=none -e trace=flock -e inject=flock:retval=0:when=3+ -o /dev/null -- \
		"$STRESSORS" --json="$TMP/rows" --flock 1 -t 60
	is "$status $(of flock .status)" '2 fail' 'locks without an effect are found'
	like "$(of flock .reason)" '^protected data was changed while (the instance|its partner) held the lock$' 'and named'
	traced -e inject=flock:error=ENOLCK:when=2+ -o /dev/null
	is "$status $(of flock .reason)" '4 flock: No locks available' 'a file system without locks: skipped with the reason'
else
	skip 'needs strace, and ptrace(2)' 4
fi

start() {
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" --flock 1 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"flock".*"ops":[1-9]'
	instance=$(pgrep -P "$bg_pid")
	partner=$(pgrep -P "$instance")
}
start
# The kernel's list has locks of the file of the instance, in the middle of its line, and who holds them.
held() { # PID
	local inode
	inode=$(stat -Lc '%h %i' "/proc/$instance/fd/"* 2>/dev/null | sed -n 's/^0 //p' | sort -u)
	grep -qE "FLOCK +ADVISORY +(WRITE|READ) +$1 [0-9a-f:]+:($(paste -sd '|' <<<"$inode")) " /proc/locks
}
ok 'the instance locks its file (/proc/locks)' wait_for held "$instance"
ok 'and so does its partner' wait_for held "$partner"
kill -KILL "$partner"
wait_for has_ended "$partner" # who may not be reaped before the end
kill -INT "$bg_pid" 2>/dev/null # the run has ended if the instance saw what the partner has not completed
reap "$bg_pid"
like "$(of flock .reason)" 'the partner was killed' 'the partner is killed: it is said'
is "$(ls -A)" '' 'and nothing is left'
start
kill -KILL "$instance"
reap "$bg_pid"
is "$status $(of flock .reason) $(ls -A)" '2 killed by SIGKILL ' 'an instance is killed: nothing is left'
ok 'and its partner ends with it' wait_for has_exited "$partner"
done_testing
