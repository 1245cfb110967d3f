#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# -r: real-time scheduling with a guard, and normal scheduling where it is refused.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd chrt prlimit setpriv

if chrt -f 10 true 2>/dev/null; then
	start -r --ppid=$$
	is "$(chrt -p "$tool" | sed 's/.*: //' | tr '\n' ' ')" 'SCHED_FIFO|SCHED_RESET_ON_FORK 10 ' 'policy and priority'
	limit=$(awk '/^Max realtime timeout/ { print $4 }' "/proc/$tool/limits")
	like "$limit" '^[0-9]+$' 'RLIMIT_RTTIME is set'
	num "${limit//[!0-9]/0}" -le 2000000 'to two seconds at the most'
	is "$(awk '$1 == "Uid:" { print $2 }' "/proc/$tool/status")" 65534 'privileges are dropped all the same'
	run "$HELPERS/load" -n 1000 -o "$TMP/truth" exec
	finish
	is "$status$err" 0 'it ends well'
	judge 'nothing lost or wrong'
	follow -r -- chrt -p 0
	is "$status" 0 'a command under -r'
	like "$err" 'SCHED_OTHER' "the command's scheduling is its own"
	follow -X -- true
	is "$status$err" 0 '-X'
	like "$(head -n 1 "$TMP/rows")" 'UID +EUID TTY' '-X: the extra columns'
else
	skip 'needs a kernel that allows SCHED_FIFO here' 10
fi
cp "$FORKSTAT" "$TMP/forkstat"
run prlimit --rtprio=0 setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$TMP/forkstat" --source=proc -r -- true
if [ "$status" = 4 ]; then
	skip 'needs Linux 6.6' 2
else
	expect_exit 0 'refused: it continues'
	like "$err" '(^|'$'\n'')forkstat: real-time scheduling: Operation not permitted; continuing with normal scheduling($|'$'\n'')' 'and says so'
fi
done_testing
