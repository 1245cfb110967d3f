#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# A CPU that comes online while eventstat runs is counted, or reported as not counted.  Which CPUs are online is a file
# that is mounted over that of sysfs: no CPU goes offline here (tests/vm/eventstat.sh has the real thing).
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_cmd jq
online=/sys/devices/system/cpu/online
echo 0 >"$TMP/online"
unshare -m mount --bind "$TMP/online" $online 2>"$TMP/err" || skip_all "$(cat "$TMP/err")"
able_methods

SAMPLES='map(select(.type == "sample"))'
begin() { # OPTION...: CPU 0 is online
	echo 0 >"$TMP/online"
	rm -f "$TMP/rows"
	bg unshare -m sh -c 'mount --bind "$0" "$1" && shift && exec "$@"' "$TMP/online" $online \
		"$EVENTSTAT" -q --json="$TMP/rows" "$@" 0.1 >"$TMP/out" 2>"$TMP/msg"
	tool=$bg_pid
	wait_for samples 1
}
samples() { [ "$(jqs "$SAMPLES | length" 2>/dev/null)" -ge "$1" ]; }
more() { samples "$((had + 2))"; }
come() { # LIST: the CPUs that are online from now on, seen by a whole sample
	printf '%s\n' "$1" >"$TMP/online"
	had=$(jqs "$SAMPLES | length")
	wait_for more
}
last() { jqs "$SAMPLES | last.lost_cpus"; }

for method in "${methods[@]}"; do
	begin --method="$method" --strict --prom="$TMP/prom"
	is "$(last)" 0 "$method: no CPU came online"
	come 0-1
	come 0,3
	is "$(last)" "$([ "$method" = bpf ] && echo 0 || echo 2)" "$method: CPUs that are not counted"
	kill -INT "$tool"
	reap "$tool"
	if [ "$method" = bpf ]; then
		is "$status $(cat "$TMP/msg")" '0 ' 'bpf: counts each CPU'
		continue
	fi
	# Beside others, a new CPU can lose events as well.
	is "$status $(sed '/ timer events were lost$/d' "$TMP/msg")" '5 eventstat: 2 CPUs that came online after the start were not counted: 1,3' \
		"$method: --strict"
	is "$(jqs 'last | [.type, .lost_cpus]')" '["summary",2]' "$method: in the summary"
	is "$(sed -n 's/^sysmon_eventstat_lost_cpus_total //p' "$TMP/prom")" 2 "$method: --prom"
	begin --method="$method" --output="$TMP/table"
	come 0-1
	kill -INT "$tool"
	reap "$tool"
	is "$status" 0 "$method: without --strict"
done
done_testing
