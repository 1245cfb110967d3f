#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016,SC3043 # the shell is busybox
# guest-calibrate.sh acpi|modules: the runs of power-calibrate.sh in a guest with two CPUs.  Every part writes
# /out/PART.rows (JSON), .text (the table and the result), .err and .status.
cd /tmp || exit
online=/sys/devices/system/cpu/cpu1/online

part() { # NAME OPTION...
	local name="$1"
	shift
	power-calibrate --json="/out/$name.rows" "$@" >"/out/$name.text" 2>"/out/$name.err"
	echo $? >"/out/$name.status"
}

# NAME COUNT: waits for that many readings of the part in the background, or for its end
readings() {
	while kill -0 $! 2>/dev/null && [ "$(grep '"reading"' "/out/$1.rows" 2>/dev/null | wc -l)" -lt "$2" ]; do
		sleep 1
	done
}

# NAME COMMAND OPTION...: COMMAND is done after five readings
amid() {
	local name="$1" what="$2"
	shift 2
	part "$name" "$@" &
	readings "$name" 5
	eval "$what"
	wait $!
}

cgroup() { # a cpuset with CPU 0 alone
	mkdir -p /tmp/cg && mount -t cgroup2 none /tmp/cg && echo +cpuset >/tmp/cg/cgroup.subtree_control &&
		mkdir /tmp/cg/one && echo 0 >/tmp/cg/one/cpuset.cpus
}
in_cgroup() { sh -c 'echo $$ >/tmp/cg/one/cgroup.procs; exec "$@"' sh "$@"; }

modules() { # raplsim: 54 W, and 10 W for each busy CPU
	modprobe raplsim busy_mw=10000 || exit
	part line -R -s 3 -r 8 --settle=0.5
	amid offline "echo 0 >$online" -R -s 2 -r 60
	part absent -R -n 0,1
	part rest -R -s 2 -r 2 0.5 --count=2
	power-calibrate -R --list >/out/list
	echo 1 >$online
	cgroup || exit
	in_cgroup power-calibrate --json=/out/cpuset.rows -R -s 2 -r 2 0.5 --count=2 >/out/cpuset.text 2>/out/cpuset.err
	echo $? >/out/cpuset.status
	in_cgroup power-calibrate -R -n 1 >/out/outside.text 2>/out/outside.err
	echo $? >/out/outside.status
	# The cpuset changes in the run: the kernel moves what it pinned.
	in_cgroup power-calibrate --json=/out/moved.rows -R -s 2 -r 60 >/out/moved.text 2>/out/moved.err &
	readings moved 5
	echo 1 >/tmp/cg/one/cpuset.cpus
	wait $!
	echo $? >/out/moved.status
	amid removed 'rmmod raplsim' -R -s 2 -r 60
	pgrep power-calibrate >/out/left
}

as_user() { # NAME OPTION...: without any right
	local name="$1"
	shift
	su user -c "exec power-calibrate $*" >"/out/$name.text" 2>"/out/$name.err"
	echo $? >"/out/$name.status"
}

acpi() { # the kernel's driver for batteries: 15 W, whatever the load
	modprobe -a battery ac
	printf '\000' | dd of=/dev/port bs=1 seek=1007 2>/dev/null
	sleep 2
	power-calibrate --list >/out/list
	as_user battery -s 2 -r 6 --settle=0
	amid away "echo 0 >$online" -s 2 -r 60 --settle=0
	echo 1 >$online
	printf '\001' | dd of=/dev/port bs=1 seek=1007 2>/dev/null
	sleep 2
	part mains --source=battery
	part none -R
}

uname -r >/out/release
"$@"
dmesg | grep -E 'BUG:|WARNING: CPU|Oops|ACPI.* Error' >/out/kernel_errors
true
