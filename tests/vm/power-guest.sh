#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016,SC2059,SC3043,SC3045 # the shell is busybox
# power-guest.sh acpi|modules|cpus [hour]: the runs of powerstat.sh in each guest.  Every part writes
# /out/PART.rows (CSV), .text (the table), .err and .status; powerstat.sh checks them.
cd /tmp || exit
board() { # VALUE: to the board that power.dsl describes; it is noticed within a second
	printf "\\$(printf '%03o' "$1")" | dd of=/dev/port bs=1 seek=1007 2>/dev/null
	sleep 2
}

part() { # NAME OPTION...
	local name="$1"
	shift
	powerstat --csv="/out/$name.rows" "$@" >"/out/$name.text" 2>"/out/$name.err"
	echo $? >"/out/$name.status"
}

# NAME COUNT: waits for that many rows of the part in the background, or for its end
rows() {
	while kill -0 $! 2>/dev/null && [ "$(wc -l <"/out/$1.rows" 2>/dev/null || echo 0)" -le "$2" ]; do
		sleep 0.5
	done
}

# NAME: six more rows than there are now
more() { rows "$1" $(($(wc -l <"/out/$1.rows" 2>/dev/null || echo 0) + 6)); }

# NAME COMMAND OPTION...: COMMAND is done 10 seconds after the start
amid() {
	local name="$1" what="$2"
	shift 2
	part "$name" "$@" &
	sleep 10
	eval "$what"
	wait $!
}

acpi() { # the kernel's drivers for batteries, charger and thermal zones
	modprobe -a battery ac
	board 0
	part list -l
	part rate -D -t -d 0 10 12
	board 4
	part level -D -d 0 5 40
	board 32
	part load -d 0 5 10
	board 0
	amid plugged 'board 1' -D -d 0 2 20
	board 0
	amid pulled 'board 2' -D -d 0 2 20
	board 0
	part back -d 0 2 10
	amid pause 'date -s "2030-01-01 00:00:00"; sleep 10; date -s "2029-12-31 23:59:00"' -d 0 2 20
	if [ "$1" = hour ]; then
		board 4
		cat /sys/class/power_supply/BAT*/energy_now /sys/class/power_supply/BAT*/charge_now >/out/hour.before
		part hour -D -J -d 0 10 360
		cat /sys/class/power_supply/BAT*/energy_now /sys/class/power_supply/BAT*/charge_now >/out/hour.after
		board 0
	fi
	rmmod battery
}

shift_clock() { # SECONDS
	date -s "@$(($(date +%s) + $1))"
}

modules() { # raplsim's tree, labps's supplies
	modprobe raplsim range_uj=999999999
	cat /sys/class/powercap/intel-rapl:0/max_energy_range_uj >/out/range
	part rapl_list -l
	part rapl -R -D -d 0 1 60
	part rapl_half -R -d 0 0.5 20
	part rapl_all -R --total=psys -d 0 1 10
	amid clock 'shift_clock 30; sleep 10; shift_clock -30' -R -d 0 1 30
	amid clock_half 'shift_clock 30; sleep 4; shift_clock -30' -R -d 0 0.5 40
	amid removed 'rmmod raplsim' -R -D -d 0 1 30
	part none -R -d 0 1 10
	modprobe raplsim range_uj=65532610987
	local g=/sys/module/raplsim/parameters/glitch_uj
	amid glitch "echo -700000000 >$g; sleep 2; echo 0 >$g" -R -D -d 0 1 30
	amid step "echo -700000000 >$g" -R -D -d 0 1 30
	rmmod raplsim
	modprobe raplsim mmio_dead=1
	part dead -R -D -d 0 1 10
	rmmod raplsim
	modprobe labps devices=mouse,power,current,both,mains
	part mixed -D -d 0 5 12
	amid mixed_plugged 'echo 1 >/sys/module/labps/parameters/mains' -d 0 2 20
	rmmod labps
	modprobe labps devices=energy,mouse
	part energy -d 0 5 40
	amid unloaded 'rmmod labps' -d 0 2 20
	modprobe labps devices=mouse,mains
	part mouse -d 0 1 10
	part mouse_z -z -d 0 1 10
	rmmod labps
}

frequency() { # CPU KHZ
	echo userspace >"/sys/devices/system/cpu/cpu$1/cpufreq/scaling_governor"
	echo "$2" >"/sys/devices/system/cpu/cpu$1/cpufreq/scaling_setspeed"
}

cpus() { # two CPUs, one goes offline and online; modules loaded by libkmod
	modprobe -a acpi-cpufreq cpufreq_userspace
	frequency 0 3000000
	frequency 1 2000000
	cat /sys/devices/system/cpu/cpuidle/current_driver >/out/idle_driver
	local online=/sys/devices/system/cpu/cpu1/online
	part hotplug -z -f -c -d 0 0.5 1000 &
	more hotplug
	echo 0 >$online
	more hotplug
	echo 1 >$online
	frequency 1 2000000
	more hotplug
	killall -TERM powerstat
	wait $!
	cat /sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq >/out/back_freq
	lsmod | grep -c '^msr\|^raplsim' >/out/kmod.before
	part kmod --load-modules=msr,raplsim -R -d 0 0.5 3
	lsmod | grep -c '^msr\|^raplsim' >/out/kmod.after
	part kmod_absent --load-modules=no_such_module -R -d 0 0.5 3
	part kmod_default --load-modules -R -d 0 0.5 3
	lsmod | awk '{ print $1 }' >/out/kmod.all
	rm -rf /lib/modules
	part kmod_no_tree --load-modules=battery -R -d 0 0.5 3
}

uname -r >/out/release
cat /proc/uptime >/out/uptime
"$@"
cat /proc/uptime >>/out/uptime
dmesg | grep -E 'BUG:|WARNING: CPU|Oops|ACPI.* Error' >/out/kernel_errors
true
