#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How many processes were created and exited, against a known number of them and against /proc/stat, which
# counts the threads of all programs too.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq

forks() { sed -n 's/^processes //p' /proc/stat; }
sum() { jqs "map(select(.type == \"sample\") | .processes_$1) | add"; } # created, exited

# Nobody sees the processes of these: they live for less than a sample.
if ! have_cap bpf || [ ! -r /sys/kernel/btf/vmlinux ] || [ "$(readlink /proc/self/ns/pid)" != 'pid:[4026531836]' ]; then
	skip 'needs CAP_BPF, BTF and the initial pid namespace' 6
else
	before=$(forks)
	start -j -C 'no such name' --prom="$TMP/prom" 0.1
	run "$HELPERS/load" -n 300 -o "$TMP/truth" exec
	more_samples 2
	finish
	after=$(forks)
	num "$(sum created)" -ge 300 '300 processes between samples: all are created'
	num "$(sum created)" -le $((after - before)) 'and no more than the kernel has'
	num "$(sum exited)" -ge 300 'and all have exited'
	# A fork between the readings of the counter and of the list counts in the next sample.
	is "$(jqs 'map(select(.type == "sample")) | (.[-1].procs - .[0].procs)
		- (.[1:] | map(.processes_created - .processes_exited) | add) | fabs <= 4')" true \
		'the processes that exist are those before, and the created, less the exited'
	# The rest of an interval at the end has no record of its own.
	is "$(jqs ".[-1] | .processes_created >= $(sum created) and .processes_exited >= $(sum exited)")" true 'the summary is their sum'
	is "$(sed -n 's/^sysmon_cpustat_processes_[a-z]*_total //p' "$TMP/prom" | tr '\n' ' ')" \
		"$(jqs '.[-1] | "\(.processes_created) \(.processes_exited) "' | tr -d '"')" 'and --prom has the same'
fi

# Unknown figures are left out.
as_nobody "$CPUSTAT" -j 0.05 3 >"$TMP/rows"
is "$(jqs 'map(select(.type == "sample" or .type == "summary") | has("processes_created") or has("processes_exited")) | unique')" '[false]' \
	'without the counter of the kernel neither is there'
chmod 711 "$TMP"
mkdir -m 777 "$TMP/open"
as_nobody "$CPUSTAT" -q --prom="$TMP/open/prom" 0.05 3
is "$(grep -c '^sysmon_cpustat_processes_\(created\|exited\)' "$TMP/open/prom") $(grep -c '^sysmon_cpustat_self_' "$TMP/open/prom")" '0 1' 'nor in --prom'

# With -p all processes are known.
bg sleep 1000
sleeper=$bg_pid
start -j -p "$sleeper" 0.05
kill "$sleeper"
wait "$sleeper" 2>/dev/null
wait_for has_line "$TMP/rows" '"type":"summary"' || fail 'the run ends with its process'
reap "$tool"
is "$(jqs '.[-1] | [.processes_created, .processes_exited]')" '[0,1]' '-p: the process has exited'
done_testing
