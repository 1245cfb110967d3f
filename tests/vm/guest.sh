#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016,SC3043,SC3045 # the shell is busybox
# The runs of forkstat.sh in each guest.  Every part writes /out/PART.rows, .err, .status and the
# load's PART.truth; forkstat.sh checks them.
cd /tmp || exit
chmod 1777 /out

part() { # NAME COMMAND...
	local name="$1"
	shift
	timeout 200 "$@" >"/out/$name.rows" 2>"/out/$name.err"
	echo $? >"/out/$name.status"
}

until_there() { # FILE: has something in it
	local n=0
	while [ ! -s "$1" ] && [ $((n += 1)) -lt 1000 ]; do usleep 10000; done
}

background() { # NAME OPTION...: forkstat, its pid in $pid; returns when it listens
	local name="$1"
	shift
	forkstat "$@" >"/out/$name.rows" 2>"/out/$name.err" &
	pid=$!
	until_there "/out/$name.rows"
}

finish() { # NAME PID
	kill -TERM "$2"
	wait "$2"
	echo $? >"/out/$1.status"
}

uname -r >/out/release
uname -m >/out/machine
ls /sys/kernel/tracing >/out/tracefs
ulimit -c unlimited

part table forkstat -- sh -c '/bin/true one; exit 3'
part args forkstat -j -- /bin/true 'a b' '' "$(printf '%2000s' x | tr ' ' y)"
part kinds forkstat -E -j -- load -o /out/kinds.truth kinds
for way in auto bpf perf proc; do
	part $way forkstat -j --source=$way -- load -n 60 -o /out/$way.truth exec
done
background way -e exit -q
cat /proc/$pid/maps >/out/maps
cat /proc/$pid/status >/out/creds
finish way "$pid"
for name in filter nofilter; do
	case $name in
	filter) background $name -e exec -S ;;
	*) background $name -j ;;
	esac
	load -n 60 -o /out/$name.truth exec
	finish $name "$pid"
done
part ends sh -c 'for i in $(seq 25); do forkstat -e exit -j -- /bin/true | grep -c \"exit\",; done'

# A run with a forced overflow, between two that lose nothing, one started earlier, one later.
background outer -E -j
outer=$pid
background loss -E -j -b 4096 --strict
loss=$pid
background inner -E -j
inner=$pid
kill -STOP "$loss"
part load load -n 300 -o /out/loss.truth exec
kill -CONT "$loss"
finish inner "$inner"
finish loss "$loss"
finish outer "$outer"

part user su user -c 'forkstat -j -- load -n 60 -o /out/user.truth exec'
