#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor mq: its queues, which have no names, their size, and what is missing.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep prlimit setpriv
stress --mq 1 --mq-ops=1 -t 600
[ "$(of mq .status)" != skip ] || skip_all "$(of mq .reason)"

stress --mq 2 --mq-ops=101 -t 600
is "$status $(of mq '[.status, .ops] | @csv')" '0 "pass",202' 'two instances: no more ops than asked for'
is "$(of mq '[.metrics[].value > 0] | all')" true 'metrics'

start() {
	rm -f "$TMP/rows"
	bg_group "$STRESSORS" --mq 1 --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"mq".*"ops":[1-9]'
	mapfile -t partners < <(pgrep -P "$(pgrep -P "$bg_pid")")
}
start
is "${#partners[@]}" 2 'two processes'
is "$(find "/proc/${partners[0]}/fd" -lname '/stressors-* (deleted)' | wc -l)" 2 'two queues without names'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of mq .status)" '130 interrupted' 'a signal ends it'
start
kill -KILL "${partners[1]}"
reap "$bg_pid"
is "$status $(of mq .reason)" '2 killed by SIGKILL' 'one is killed: the instance has failed'

if have_cmd strace && strace -o "$TMP/trace" true 2>/dev/null; then
	sizes() { # OPTION...: of the queues of the last tries
		run strace -f -qq -o "$TMP/trace" -e signal=none -e trace=mq_open,mq_unlink -- "$STRESSORS" --mq 1 --mq-ops=10 -t 600 "$@"
		sed -n 's/.*mq_open(.*mq_maxmsg=\([0-9]*\),.*) = [0-9].*/\1/p' "$TMP/trace" | xargs
	}
	is "$(sizes --mq-size=3)" '3 3' '--mq-size'
	is "$(grep -c 'mq_unlink(.*= 0' "$TMP/trace")" 2 'their names are removed'
	is "$(sizes)" '10 10' 'ten messages, if nothing else is asked for'
else
	skip 'needs strace, and ptrace(2)' 3
fi
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/fs/mqueue/msg_max)" = 10 ]; then
	prepare_user 65534
	run "${user[@]}" "$TMP/stressors" --mq 1 --mq-size=20 --mq-ops=10 -t 600 --json
	like "$status $out" '^0 .*"reason":"the queues hold 10 messages; more require CAP_SYS_RESOURCE or a higher /proc/sys/fs/mqueue/msg_max"' \
		'more messages than the limit: the limit, with a remark'
else
	skip 'needs root, and the usual limit'
fi
run prlimit --msgqueue=0 -- "$STRESSORS" --mq 1 -t 600 --json="$TMP/rows"
is "$status $(of mq '"\(.status): \(.reason)"')" '3 no-resource: mq_open: Too many open files' 'no memory for queues: a lack'
stress --mq 1 --spoil -t 60
is "$status $(of mq .reason)" '2 received message 3 instead of 2' 'a wrong message is found'
done_testing
