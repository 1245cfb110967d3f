#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quiet
# needs: root
# Idle is idle: one blocking call, no timer; every wake-up has an event for its cause.  Under a steady
# load the rows of a file are written every few milliseconds, at most 10 ms late, with -l at once.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd strace

# Exec events alone, so that only they wake it; those of other programs are separated from timers below.
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
is "$(awk '/recvmmsg\(.*= [1-9]|write\(1, / { quiet = 0 } /ppoll\(.*\(Timeout\)/ && ++quiet > 20 { bad++ } END { print bad + 0 }' \
	"$TMP/idle")" 0 'no time-outs without events'

wakeups() { awk '/^voluntary/ { print $2 }' "/proc/$tool/status"; }
# OPTION...: wake-ups per second of the load's time in $rate, execs per second in $execs
steady() {
	local from wakes
	start "$@"
	from=$EPOCHREALTIME wakes=$(wakeups)
	"$HELPERS/load" -r 500 -n 700 -o "$TMP/truth" exec
	read -r rate execs < <(awk -v a="$from" -v b="$EPOCHREALTIME" -v n=$(($(wakeups) - wakes)) \
		'BEGIN { print int(n / (b - a)), int(700 / (b - a)) }')
	finish
	expect_exit 0
}
steady
judge 'a file: nothing lost or wrong'
lazy=$rate
num "$lazy" -le 150 'a file: at most a wake-up per 9 ms, and some'
steady -l
if [ "$execs" -ge 450 ]; then
	num "$rate" -ge $((lazy * 2)) '-l: it wakes for the events'
else
	skip "the machine is busy: $execs of 500 execs per second"
fi

# Each write begins with its oldest row, whose time is the kernel's.
bg strace -ttt -e trace=write -s 40 -o "$TMP/trace" "$FORKSTAT" --time=epoch --usec >"$TMP/rows" 2>"$TMP/msg"
wait_for listens
"$HELPERS/load" -r 300 -n 300 -o "$TMP/truth" exec
kill -INT "$(pgrep -P "$bg_pid")"
reap "$bg_pid"
late=$(sed -nE 's/^([0-9.]+) write\(1, "([0-9]+\.[0-9]+) .*/\1 \2/p' "$TMP/trace" |
	awk '{ printf "%d\n", ($1 - $2) * 1e6 }' | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')
num "$late" -le 10000 'the median of the oldest rows is at most 10 ms late, in us'
num "$late" -ge 2000 'and they are collected'

# The ring is resident, once.
resident() { # RING
	start --ring="$1"
	rss=$(awk '/^VmRSS:/ { print $2 }' "/proc/$tool/status")
	finish
}
if have_cap sys_admin && [ -r /sys/kernel/btf/vmlinux ]; then
	resident 64k
	num "$rss" -le 3072 'at rest, but for its ring: KiB resident'
	small=$rss
	resident 4M
	num $((rss - small)) -le $((4096 + 256)) 'a ring of 4 MiB: KiB resident'
else
	skip 'needs BPF and type information' 2
fi
done_testing
