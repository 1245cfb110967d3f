#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor poll: its pipes, its calls, and that a wrong result of a call is found.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep prlimit

stress --poll 2 --poll-ops=101 -t 600
is "$status $(of poll '[.status, .ops] | @csv')" '0 "pass",202' 'two instances: no more ops than asked for'
is "$(of poll '[.metrics[] | select(.value > 0).name] | join(", ")')" \
	'waits, time per poll, time per ppoll, time per select, time per pselect, time per epoll' 'metrics'
stress -P 1 --poll-fds=1 --poll-ops=20 -t 600
is "$status $(of poll .status)" '0 pass' '-P, one pipe'

bg_group "$STRESSORS" --poll 1 --poll-fds=7 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"poll".*"ops":[1-9]'
instance=$(pgrep -P "$bg_pid")
is "$(grep -c '^tfd:' "$(grep -l '^tfd:' "/proc/$instance/fdinfo/"*)")" 7 'seven pipes are in the set of epoll'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of poll .status)" '130 interrupted' 'a signal ends it'

# select(2) has no descriptors above 1023.
if [ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -ge 1300 ]; then
	stress --poll 1 --poll-fds=600 --poll-ops=20 -t 600
	is "$status $(of poll '[.status, ([.metrics[].name] | index("time per select"))] | @csv')" '0 "pass",' 'many pipes: without select'
else
	skip 'many pipes: needs 1300 descriptors'
fi
run prlimit --nofile=60 -- "$STRESSORS" --poll 1 --poll-fds=100 -t 600 --json="$TMP/rows"
like "$status $(of poll '"\(.status): \(.reason)"')" '^3 no-resource: pipe [0-9]+: Too many open files$' 'more pipes than descriptors: a lack'

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	with() { # CALLS INJECTION
		rm -f "$TMP/rows"
		run strace -f -qq -o /dev/null -e signal=none -e trace="$1" -e inject="$1:$2" -- "$STRESSORS" --poll 1 -t 60 --json="$TMP/rows"
	}
	with '?select,?pselect6,?pselect6_time64' retval=0:when=7
	like "$status $(of poll .reason)" '^2 p?select: 0 pipes with data instead of [1-8]$' 'data that select does not report'
	with '?epoll_wait,?epoll_pwait' retval=0:when=3
	like "$status $(of poll .reason)" '^2 epoll_wait: 0 pipes with data instead of [1-8]$' 'data that epoll does not report'
	with '?select,?pselect6,?pselect6_time64' error=EBADF:when=7
	like "$status $(of poll .reason)" '^2 p?select: Bad file descriptor$' 'a call that fails'
else
	skip 'needs strace, and ptrace(2)' 3
fi
done_testing
