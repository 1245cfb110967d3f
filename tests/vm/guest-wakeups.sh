#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC3043 # the shell is busybox
# The runs of wakeups.sh in each guest: /out/NAME.rows and .err, which has the load's own count; what the kernel
# traced of the load: how often its task on CPU 1 came after the idle task, in NAME.switches (on all CPUs: NAME.all); and of `quiet`:
# the exits from idle, with their CPU, in /out/exits; and of `works`: expired timers and queued works in /out/works.
uname -r >/out/release
mount -t tracefs nodev /sys/kernel/tracing || exit
instance=/sys/kernel/tracing/instances/test
mkdir $instance && cd $instance || exit
echo mono >trace_clock
echo 4096 >buffer_size_kb
echo 1 >events/power/cpu_idle/enable
eventstat --wakeups -q --json=/out/quiet.rows 1 8 2>/out/quiet.err
echo 0 >events/power/cpu_idle/enable
grep state=4294967295 trace >/out/exits
cat per_cpu/cpu*/stats >/out/stats

load() { # NAME ARGUMENT...: the load's line is on standard error
	local name="$1"
	shift
	echo >trace
	eventstat --wakeups --woke -q --json="/out/$name.rows" 1 -- wakeload "$@" 2>"/out/$name.err"
	grep -c 'sched_switch:' per_cpu/cpu1/trace >"/out/$name.switches"
	grep -c 'sched_switch:' trace >"/out/$name.all"
}
echo 'prev_pid == 0 && next_comm == "wake)r (1"' >events/sched/sched_switch/filter || exit
echo 1 >events/sched/sched_switch/enable
load sleeper sleep 1 150 20
load waker pipe 1 150 20 0
load children pipe 1 60 0 0
echo 0 >events/sched/sched_switch/enable
echo >trace
works='timer/timer_expire_entry workqueue/workqueue_queue_work'
for e in $works; do echo 1 >events/$e/enable; done
eventstat -x -q --json=/out/works.rows 1 8 2>/out/works.err
for e in $works; do echo 0 >events/$e/enable; done
cat trace >/out/works
cat per_cpu/cpu*/stats >>/out/stats
cd / && rmdir $instance
online=/sys/devices/system/cpu/cpu1/online
echo 0 >$online
eventstat --wakeups -q --json=/out/online.rows 1 -- sh -c 'echo 1 >"$0" && exec "$@"' $online wakeload sleep 1 100 20 2>/out/online.err
eventstat --wakeups --csv=/out/csv --prom=/out/prom --histogram --summary 1 2 >/out/table 2>/out/table.err
