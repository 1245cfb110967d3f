#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
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
run tracefs --method=tracefs
ls /sys/kernel/tracing/instances >/out/instances
run auto -v

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
