#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 900
# eventstat under the stock kernels that kernels.sh fetched into $VM: each way to count that the kernel
# has, a load that counts its own timers, a CPU that comes online, two pid namespaces beside trace instances of others, few capabilities,
# kernel lockdown.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
. "$TOP/tests/lib/vm.sh"
need_cmd setpriv

# RUN: status 0, and each task's timers are those that it counted
counted() {
	is "$(cat "$G/$1.status")" 0 "$release: $1: exit status"
	judge "$release: $1: each task's timers" "$G/$1.rows" "$G/$1.truth"
}
source_of() { jq -r 'select(.type == "header").source' "$G/$1.rows"; } # RUN

judge_guest() { # NAME
	results "$1" || return
	for method in bpf perf; do
		counted $method
		is "$(source_of $method)" $method "$release: $method: in the header"
	done
	is "$(cat "$G/unmounted.status")$(cat "$G/unmounted.err")" 0 "$release: perf needs no mounted tracefs"
	counted auto
	is "$(source_of auto)" bpf "$release: BPF comes first"
	judge_hotplug
	judge_namespaces
	if at_least 5.11; then
		counted caps
		is "$(source_of caps)" bpf "$release: CAP_BPF, CAP_PERFMON and CAP_SYSLOG are enough"
	else
		skip "$release: maps are locked memory, whose limit only CAP_SYS_RESOURCE raises" 3
	fi
	is "$(cat "$G/nobody.status")" 4 "$release: an ordinary user: exit status"
	like "$(cat "$G/nobody.err")" 'bpf: .*CAP_BPF.*perf: .*CAP_PERFMON' "$release: each way with its reason"
	judge_lockdown
}

judge_hotplug() {
	counted online-bpf
	is "$(cat "$G/online-bpf.err")" '' "$release: bpf counts a CPU that comes online"
	is "$(jqs 'last.lost_cpus' "$G/online-bpf.rows")" 0 "$release: bpf: no CPU is lost"
	is "$(cat "$G/online-perf.err")" 'eventstat: 1 CPU that came online after the start was not counted: 1' \
		"$release: perf names a CPU that comes online"
	is "$(jqs 'last.lost_cpus' "$G/online-perf.rows")" 1 "$release: perf: one CPU is lost"
}

judge_namespaces() {
	local space
	for space in one two; do
		is "$(sort "$G/$space.starts" | uniq -c | xargs)" '6 auto 0 6 bpf 0 6 perf 0 6 tracefs 2' \
			"$release: pid namespace $space: each start of each method ends well, and there is no method tracefs" ||
			diag "$(sort -u "$G/$space.err")"
	done
	is "$(sort "$G/instances" | xargs)" "$(printf '%s mono 1\n' eventstat.30000 "$(cat "$G/owned")" other | sort | xargs)" \
		"$release: trace instances of others, alive or not, are there, with their settings, and no other"
	is "$(cat "$G/kernel_errors")" '' "$release: no error of the kernel"
}

judge_lockdown() {
	if [ ! -e "$G/lockdown" ]; then
		skip "$release: this kernel has no lockdown" 7
		return
	fi
	counted integrity
	like "$(cat "$G/lockdown")" '[[]confidentiality[]]' "$release: confidentiality"
	counted confidentiality
	is "$(source_of confidentiality)" perf "$release: confidentiality: BPF may not read the timers, perf may"
	like "$(cat "$G/confidentiality.err")" 'bpf: .*kernel lockdown: confidentiality' "$release: the reason"
}

for name in "${kernels[@]}"; do
	boot "$name" "$name" -n 2 -m 512 -t 700 -f "$EVENTSTAT" -f "$HELPERS/timerload" \
		-f "$(command -v setpriv):setpriv-all" -f "$TOP/tests/vm/guest-eventstat.sh" -- guest-eventstat.sh
done
wait
for name in "${kernels[@]}"; do judge_guest "$name"; done
done_testing
