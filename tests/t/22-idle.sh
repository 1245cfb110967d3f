#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# Idle is idle: one blocking call, no timer; every wake-up has an event for its cause.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_root
need_cmd strace

# Exec events alone, so that only they wake it; other programs' are told from timers below.
traced() {
	rm -f "$TMP/rows"
	bg strace -f -o "$TMP/trace" "$FORKSTAT" -e exec >"$TMP/rows" 2>"$TMP/msg"
	wait_for listens
	tool=$(awk '{ print $1; exit }' "$TMP/trace")
	sleep 1.5 # what is looked for would happen in here
	kill -INT "$tool"
	reap "$bg_pid"
	# from the first flush of the heading to the signal
	awk '/write\(1, "Time/ { on = 1; next } /SIGINT|signalfd.*SI_USER/ { on = 0 } on' "$TMP/trace" >"$TMP/idle"
}
traced
expect_exit 0
is "$(grep -cE 'timerfd_create|timer_create|setitimer|alarm\(|nanosleep' "$TMP/trace")" 0 'no timer is made'
num "$(grep -cE 'ppoll\(.*, NULL, |ppoll\(.*NULL' "$TMP/idle")" -ge 1 'it blocks in ppoll without a time'
# While busy it looks at intervals; two time-outs without an event between would be a timer.
is "$(awk '/recvmmsg\(.*= [1-9]/ { quiet = 0 } /ppoll\(.*\(Timeout\)/ && ++quiet > 20 { bad++ } END { print bad + 0 }' \
	"$TMP/idle")" 0 'no time-outs without events'
done_testing
