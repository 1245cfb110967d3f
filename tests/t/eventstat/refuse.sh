#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# What the tool says where it may not count, and with the few rights that it needs.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_tracefs

cp "$EVENTSTAT" "$TMP/eventstat"
chmod 755 "$TMP" "$TMP/eventstat"
bpf='bpf: Operation not permitted (needs root on the host, or CAP_BPF and CAP_PERFMON)'
perf_needs='needs root on the host, or CAP_PERFMON and read access to tracefs'
perf="perf: Permission denied ($perf_needs)"
no="eventstat: cannot count timers: "
as_nobody test -r "${instances%/*}/events" && skip_all 'tracefs can be read by every user'
if [ "$(cat /proc/sys/kernel/unprivileged_bpf_disabled 2>/dev/null)" = 0 ]; then skip_all 'BPF is open to every user'; fi

kernel_from() { # RELEASE: this kernel is not older
	[ "$(printf '%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1" ]
}
# RIGHTS TOOL-ARGUMENT...: run as nobody with these capabilities
as_user() {
	local caps=$1
	shift
	if have_cap setuid; then
		run setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps="$caps" --ambient-caps="$caps" \
			"$TMP/eventstat" "$@"
	else
		run "$TMP/eventstat" "$@"
	fi
}
refused() { # NAME TEXT METHOD
	as_user -all --method="$3" 0.2 1
	is "$status $err" "4 $no$2" "$1"
}
refused 'nobody: one line with each reason' "$bpf; $perf" auto
refused 'nobody, --method=bpf' "$bpf" bpf
refused 'nobody, --method=perf' "$perf" perf

# From here on with some rights.
for cap in setuid bpf perfmon; do
	have_cap $cap && continue
	skip "needs CAP_${cap^^}"
	done_testing
done
need_cmd jq
as_user +bpf,+perfmon -j -v 0.2 2
is "$status ${err%%$'\n'*}" '0 eventstat: timers are counted with bpf' 'CAP_BPF and CAP_PERFMON are enough'
source_of_names='file'
! kernel_from 5.14 || source_of_names='bpf'
case "$source_of_names $(sysctl -n kernel.kptr_restrict kernel.perf_event_paranoid | xargs)" in
bpf*) is "${err#*$'\n'}" "$err" 'and for the names of functions' ;;
'file 0 0' | 'file 0 1' | 'file 0 -1') is "${err#*$'\n'}" "$err" 'without a message about symbols, which everybody may see' ;;
*) like "${err#*$'\n'}" 'needs CAP_SYSLOG and kernel.kptr_restrict below 2[)]: functions are shown as addresses' 'but not for the names of functions' ;;
esac
is "$(head -n 1 "$TMP/out" | jq -r .source)" bpf 'the header says so'
num "$(jq -s 'map(select(.type == "sample").starts) | add' "$TMP/out")" -ge 0 'and timers are counted'
as_user +perfmon -v --method=bpf 0.2 1
is "$status $err" "4 $no$bpf" 'without CAP_BPF not'
as_user +bpf,+perfmon --method=perf 0.2 1
is "$status $err" "4 $no$perf" 'perf needs to read tracefs'

# Root without the right to load BPF programs: the next method, and -v says why.
no_bpf=(setpriv '--bounding-set=-bpf,-sys_admin' '--inh-caps=-bpf,-sys_admin')
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
if [ "$paranoid" -gt 2 ]; then
	skip "kernel.perf_event_paranoid is $paranoid, with which perf needs CAP_SYS_ADMIN" 3
elif "${no_bpf[@]}" test -r "${instances%/*}/events"; then
	run "${no_bpf[@]}" "$EVENTSTAT" -j -v 0.2 1
	is "$status $err" "0 eventstat: timers are counted with perf; $bpf" \
		'without CAP_BPF and CAP_SYS_ADMIN perf runs, and -v tells why'
	is "$(head -n 1 "$TMP/out" | jq -r .source)" perf 'the header names it'
	run "${no_bpf[@]}" "$EVENTSTAT" -q 0.2 1
	is "$status$err" 0 'without -v it does not'
else
	skip 'root needs CAP_SYS_ADMIN to read tracefs' 3
fi
if [ "$paranoid" -ge 0 ]; then
	run setpriv --bounding-set=-bpf,-perfmon,-sys_admin --inh-caps=-bpf,-perfmon,-sys_admin "$EVENTSTAT" 0.2 1
	is "$status ${err/Operation not permitted ($perf_needs)/Permission denied ($perf_needs)}" "4 $no$bpf; $perf" \
		'root without CAP_PERFMON: one line with each reason'
else
	skip "kernel.perf_event_paranoid is $paranoid: all users may use tracepoints"
fi

# Five descriptors for each CPU are more than this limit allows.
limited() { # NAME WANT SETPRIV-ARGUMENT...
	run bash -c 'ulimit -n 12; exec "$@"' bash "${@:3}" "$EVENTSTAT" --method=perf -q 0.2 1
	is "$status $err" "$2" "$1"
}
if have_cap sys_resource; then
	limited 'perf raises the limit of descriptors' '0 ' env
else
	skip 'needs CAP_SYS_RESOURCE'
fi
limited 'without the right to raise it the message tells' \
	"3 ${no}perf: Too many open files (needs five file descriptors per CPU; raise ulimit -n)" \
	setpriv --bounding-set=-sys_resource --inh-caps=-sys_resource

# Without a mounted tracefs.
unmounted() { # SCRIPT
	run unshare --mount bash -c "umount -l ${instances%/*}; umount -l /sys/kernel/debug; $1" bash "$EVENTSTAT" 2>/dev/null
	err=$(grep '^eventstat:' "$TMP/err")
}
if unshare --mount true 2>/dev/null; then
	# shellcheck disable=SC2016
	for method in bpf perf; do
		unmounted '"$1" -q --method='"$method"' 0.2 1'
		is "$status $err" '0 ' "tracefs is not mounted: $method runs, with a mount of its own if it needs one"
	done
	# shellcheck disable=SC2016
	unmounted 'exec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$1" --method=perf 0.2 1'
	is "$status $err" "4 ${no}perf: Operation not permitted ($perf_needs)" 'without the right to mount it perf does not run'
else
	skip 'needs a mount namespace of its own' 3
fi
done_testing
