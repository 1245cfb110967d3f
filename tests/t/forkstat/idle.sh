#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# Idle is idle: one blocking call, no timer; every wake-up has an event for its cause.  Above 200 events a
# second the rows of a file are collected for 9 ms, with -l they are written after each read.  How late rows
# are: late.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/forkstat.sh"
need_tracing
need_cmd strace
strace -c true 2>/dev/null >&2 || skip_all 'needs strace and CAP_SYS_PTRACE'

# OPTION...: under strace, which is $tracer.  It stops the tool only at the calls that are looked for: at the start the
# tool reads /proc of each task, and where thousands exist on a busy machine, all these stops take a minute.
trace() {
	rm -f "$TMP/rows"
	bg strace -f --seccomp-bpf -e trace=ppoll,recvmmsg,read,write,timerfd_create,timer_create,setitimer,alarm,nanosleep,clock_nanosleep \
		-s 60 -o "$TMP/trace" "$FORKSTAT" "$@" >"$TMP/rows" 2>"$TMP/msg"
	tracer=$bg_pid
	wait_for listens || fail "start of forkstat $*" "$(cat "$TMP/msg")"
}
end_trace() {
	kill -INT "$(pgrep -P "$tracer")"
	reap "$tracer"
	# from the first flush of the heading to the signal
	awk '/write\(1, "Time/ { on = 1; next } /SIGINT|signalfd.*SI_USER/ { on = 0 } on' "$TMP/trace" >"$TMP/idle"
}

# Exec events alone, so that only they wake it; those of other programs are separated from timers below.
trace -e exec
blocks() { awk '/write\(1, "Time/ { on = 1 } on && /ppoll\(.*, NULL, / { n++ } END { exit !n }' "$TMP/trace"; }
ok 'it blocks in ppoll without a time' wait_for blocks
sleep 1 # what is looked for would happen in here
end_trace
expect_exit 0
is "$(grep -cE 'timerfd_create|timer_create|setitimer|alarm\(|nanosleep' "$TMP/trace")" 0 'no timer is made'
# While busy it looks at intervals; two time-outs without an event between would be a timer.
is "$(awk '/recvmmsg\(.*= [1-9]|write\(1, / { quiet = 0 } /ppoll\(.*\(Timeout\)/ && ++quiet > 20 { bad++ } END { print bad + 0 }' \
	"$TMP/idle")" 0 'no time-outs without events'

# Some 900 events per second.  How often it wakes depends on the machine: one that waits for a CPU reads
# several events at once, and with -l, too, it looks at intervals (of 4 ms) above 2,000 events per second, those of
# other programs included.  So what counts is how long it asks to sleep, and what it does after a wake-up.
steady() { # OPTION...
	trace "$@"
	"$HELPERS/load" -r 300 -n 300 -o "$TMP/truth" exec
	end_trace
	expect_exit 0 "forkstat $*"
}
sleeps() { # LEAST MOST: time-outs that were asked for, from above LEAST up to MOST, us
	sed -nE 's/.*ppoll\(.*\{tv_sec=0, tv_nsec=([0-9]+)\}, NULL.*/\1/p' "$TMP/idle" |
		awk -v a="$1" -v b="$2" '$1 > a * 1000 && $1 <= b * 1000 { n++ } END { print n + 0 }'
}
steady
judge 'a file: nothing lost or wrong'
if [ -r /sys/kernel/btf/vmlinux ]; then
	num "$(sleeps 4000 9000)" -ge 20 'a file: it sleeps for up to 9 ms'
	is "$(sleeps 9000 1000000)" 0 'and no longer'
	ok 'and most of its rows are written after that' awk '/ppoll\(/ { slept = /\(Timeout\)/ } /write\(1, "[0-9]/ { if (slept) a++; else b++ }
		END { exit a < b }' "$TMP/idle"
else # names are read from /proc in time
	skip 'needs BPF and type information' 3
fi
steady -E -l
is "$(sleeps 4000 1000000)" 0 '-l: it never sleeps for more than 4 ms'
# Reads after which it sleeps until the next event: some events make no row of their own.
read -r reads written < <(awk '/recvmmsg\(.*= [1-9]/ { read = 1; wrote = 0 } /write\(1, "[0-9]/ { wrote = 1 }
	/ppoll\(/ { if (read && !/tv_sec=0,/) { reads++; written += wrote } read = 0 } END { print reads + 0, written + 0 }' "$TMP/idle")
if [ "$reads" -ge 20 ]; then
	num $((written * 10)) -ge $((reads * 9)) "-l: it sleeps when the rows of what it has read are written: $written of $reads reads"
else
	skip "the machine is busy: -l slept until the next event $reads times"
fi

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
