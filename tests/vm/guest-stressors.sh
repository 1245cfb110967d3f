#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The runs of stressors.sh in each guest: /out/NAME.rows, .err and .status, and what the kernel itself counted
# meanwhile: NAME.before and NAME.after, oom.kernel; processes that ran or were left in NAME.ran and NAME.left.
uname -r >/out/release
mount -t tracefs nodev /sys/kernel/tracing || exit
depmod && modprobe -a algif_hash algif_skcipher algif_aead algif_rng aesni-intel || exit

counts() { # NAME
	grep '^ctxt\|^processes' /proc/stat >"/out/$1"
}
rows() { # NAME OPTION...
	name=$1
	shift
	counts "$name.before"
	stressors --json="/out/$name.rows" -q "$@" 2>"/out/$name.err"
	echo $? >"/out/$name.status"
	counts "$name.after"
}
# FILE: the names of the processes of stressors, without zombies
processes() {
	grep -hos '(stress[-o][^)]*) [^ZX]' /proc/[0-9]*/stat >"/out/$1"
}

# A sort of the normal size takes a second there.
sizes='--pathological --max-memory=16m --heapsort-size=32k --mergesort-size=32k --qsort-size=32k --radixsort-size=32k'
# shellcheck disable=SC2086
rows each --seq 1 -t 1 $sizes
cp /sys/class/rtc/rtc0/wakealarm /out/alarm
# shellcheck disable=SC2086
rows spoil --seq 1 -t 10 $sizes --exclude nop --spoil
rows fork --fork 1 -t 1
rows switch --switch 1 -t 1
rows perf --seq --switch 1 --fork 1 -t 1 --perf

# A control group with 64 MB, in the hierarchy that distributions with this kernel mount.
case $(uname -r) in
5.*)
	group=/sys/fs/cgroup/memory limit=memory.limit_in_bytes kills=memory.oom_control
	mount -t tmpfs none /sys/fs/cgroup && mkdir $group && mount -t cgroup -o memory none $group || exit
	;;
*)
	group=/sys/fs/cgroup limit=memory.max kills=memory.events
	mount -t cgroup2 none $group && echo +memory >$group/cgroup.subtree_control || exit
	;;
esac
mkdir $group/small && echo 67108864 >$group/small/$limit || exit
(
	echo 0 >$group/small/cgroup.procs # 0: the writer
	rows small --vm 1 -t 1
	# Until the first kill, which may take seconds there.
	stressors --json=/out/oom.rows -q --vm 1 --vm-bytes=200m --max-memory=1g -t 120 2>/out/oom.err &
	while kill -0 $! && [ "$(sed -n 's/^oom_kill //p' $group/small/$kills)" = 0 ]; do usleep 100000; done
	kill -TERM $!
	wait $!
	echo $? >/out/oom.status
	rows oomable --vm 1 --vm-bytes=200m --max-memory=1g -t 60 --oomable
)
sed -n 's/^oom_kill //p' $group/small/$kills >/out/oom.kernel

# timeout of busybox sends the signal, and has the exit status of the program.
timeout -s INT 3 stressors --pathological --all 1 -t 60 --max-memory=64m -q --json=/out/interrupted.rows 2>/out/interrupted.err
echo $? >/out/interrupted.status
processes interrupted.left

stressors --pathological --all 1 -t 60 --max-memory=64m --interval=0.2 --json=/out/killed.rows >/dev/null 2>/out/killed.err &
until grep -qs '"type":"interval"' /out/killed.rows; do
	kill -0 $! || exit
	usleep 100000
done
processes killed.ran
kill -KILL $!
sleep 1
processes killed.left
exit 0
