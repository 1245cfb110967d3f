#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 5
# --prom of every tool over the life of a run: the time of the last sample, and gauges that end with the run.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
able_tools

now() { date +%s.%N; }
ascending() { printf '%s\n' "$@" | sort -cn 2>/dev/null; } # NUMBER...
sampled() { awk -v m="sysmon_${1//-/_}_last_sample_timestamp_seconds" '$1 == m { print $2 }' "$TMP/prom" 2>/dev/null; } # TOOL
began() { [ -n "$(sampled "$1")" ]; }                                                         # TOOL
newer() { [ "$(sampled "$1")" != "$2" ]; }                                                    # TOOL SECONDS
# TOOL: the gauges in its file, except results of the run
gauges() {
	sed -n "s/^# TYPE sysmon_${1//-/_}_\([a-z_]*\) gauge\$/\1/p" "$TMP/prom" |
		grep -vxE 'job_status|metric|busy_cpu_watts|idle_watts|op_joules|settings' | sort | tr '\n' ' '
}
own='(^| )info (.* )?last_sample_timestamp_seconds '
counters() { sed -n 's/^# TYPE \(.*\) \(counter\|histogram\)$/\1/p' "$TMP/prom" | sort; }

life() { # TOOL
	local before first second running
	before=$(now)
	brief_bg "$1" --interval=0.1 --prom="$TMP/prom"
	ok "$1: the file is there" wait_for began "$1"
	first=$(sampled "$1")
	ok "$1: it is written again" wait_for newer "$1" "$first"
	second=$(sampled "$1")
	ok "$1: the time of the last sample lies between the clock before and after, and grows" \
		ascending "$before" "$first" "$second" "$(now)"
	like "$first$second" '\.[0-9]' "$1: it has a fraction"
	like "$(gauges "$1")" "$own" "$1: a running tool has both gauges"
	running=$(counters)
	kill -TERM "$bg_pid"
	reap "$bg_pid"
	is "$(gauges "$1")" '' "$1: no gauge remains after the end, except results"
	is "$(counters)" "$running" "$1: each counter remains"
	[ "$1" != stressors ] || ok "$1: the status of a job remains" \
		grep -q '^sysmon_stressors_job_status{.*status="[a-z-]*"} 1$' "$TMP/prom"

	rm "$TMP/prom"
	brief_bg "$1" --interval=0.1 --prom="$TMP/prom"
	wait_for began "$1" || fail "$1: a second run"
	kill -KILL "$bg_pid"
	reap "$bg_pid" 2>/dev/null
	like "$(gauges "$1")" "$own" "$1: after SIGKILL the time of the last sample remains"
}
each_tool life
done_testing
