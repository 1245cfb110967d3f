#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016 # the inner shell expands it
# The runs of eventstat.sh in each guest: /out/NAME.rows, .err, .status, and the load's own counts in
# NAME.truth.
uname -r >/out/release
as=''
run() { # NAME OPTION...
	name=$1
	shift
	$as eventstat -j --interval=0.5 "$@" -- timerload -o "/out/$name.truth" -t 6 kinds >"/out/$name.rows" 2>"/out/$name.err"
	echo $? >"/out/$name.status"
}
chmod 1777 /out
run bpf --method=bpf # without tracefs
eventstat --method=perf 1 1 2>/out/unmounted.err
echo $? >/out/unmounted.status
mount -t tracefs nodev /sys/kernel/tracing || exit
run perf --method=perf
run auto -v

# CPU 1 comes online while eventstat runs, and then has the load.
online=/sys/devices/system/cpu/cpu1/online
for method in bpf perf; do
	echo 0 >$online
	eventstat --method=$method -j --interval=0.5 -- sh -c 'echo 1 >"$0" && exec taskset 2 "$@"' $online \
		timerload -o /out/online-$method.truth -t 4 kinds >/out/online-$method.rows 2>/out/online-$method.err
	echo $? >/out/online-$method.status
done

# eventstat starts again and again in two pid namespaces at the same time.  Beside it there are trace instances of
# others: the owner of the first one is alive, but not in the /proc of the two; the second one has the name of
# nobody's pid, as earlier versions of eventstat left it.
sleep 10000 &
owner=$!
cd /sys/kernel/tracing/instances || exit
for name in "eventstat.$owner" eventstat.30000 other; do
	mkdir "$name" || exit
	echo mono >"$name/trace_clock"
	echo 1 >"$name/events/timer/timer_start/enable"
done
starts() { # NAME: a line with method and status of each start
	unshare -pf --mount-proc sh -c 'for i in 1 2 3 4 5 6; do
		for method in auto bpf perf tracefs; do
			eventstat --method=$method -q 0.1 1 2>>"$0.err"
			echo $method $? >>"$0.starts"
		done
	done' "/out/$1"
}
starts one &
one=$!
starts two &
two=$!
left=300
while [ $left -gt 0 ] && { kill -0 $one || kill -0 $two; }; do # a crashed kernel lets no process end that uses tracing
	sleep 1
	left=$((left - 1))
done 2>/dev/null
kernel_errors() { dmesg | grep -E 'BUG|WARNING|Oops|general protection|blocked for more than' >/out/kernel_errors; }
! kernel_errors || exit
for name in *; do
	echo "$name $(sed 's/.*\[\(.*\)\].*/\1/' "$name/trace_clock") $(cat "$name/events/timer/timer_start/enable")"
done >/out/instances
echo "eventstat.$owner" >/out/owned
cd / || exit

caps=+bpf,+perfmon,+syslog
as="setpriv-all --reuid=65534 --regid=65534 --clear-groups --inh-caps=$caps --ambient-caps=$caps"
run caps -v
as="setpriv-all --reuid=65534 --regid=65534 --clear-groups"
run nobody
as=''
mount -t securityfs nodev /sys/kernel/security || exit
[ -e /sys/kernel/security/lockdown ] || exit 0
echo integrity >/sys/kernel/security/lockdown
run integrity -v
echo confidentiality >/sys/kernel/security/lockdown
cat /sys/kernel/security/lockdown >/out/lockdown
run confidentiality -v
kernel_errors
true
