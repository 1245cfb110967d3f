#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 4
# examples/sysmon-alerts.yml: each rule fires when it must and is silent otherwise (promtool test rules), and reads
# only families that the tools have.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
rules=$TOP/examples/sysmon-alerts.yml

# The families of expressions, without the patterns of SysmonStale and SysmonAbsent, which all tools have (prom.sh).
for tool in "${tools[@]}"; do
	grep -oE "sysmon_${tool//-/_}_[a-z_]+" "$rules" | sort -u >"$TMP/used"
	isnt "$(cat "$TMP/used")" '' "$tool: the alerts read its families"
	is "$(comm -23 "$TMP/used" <(grep -aoE "sysmon_${tool//-/_}_[a-z_]+" "$BUILD/bin/$tool" | sort -u))" '' "$tool: which exist"
done
units=$(cd "$TOP/examples" && printf '%s\n' *-prometheus.service | sed 's/-prometheus.*//')
is "$(sed -n 's/.*sysmon_(\([a-z|]*\))_info.*/\1/p' "$rules" | tr '|' '\n')" "$units" 'SysmonAbsent misses the tools that have a unit'
have_cmd promtool || {
	skip 'needs promtool, which is not installed'
	done_testing
}
ok 'promtool accepts the rules' promtool check rules "$rules"

# The samples of a case are 15 s apart; "0+15x80" is 0, 15, ... 1200; "stale" ends a series, as a scrape does that
# does not find it any longer.
host='instance="h",job="node"'
begin_case() { # ALERT MINUTE
	cat <<-END
	  - interval: 15s
	    alert_rule_test:
	      - alertname: $1
	        eval_time: $2m
	END
}
series() { # SERIES VALUES...
	echo '    input_series:'
	while [ $# -gt 0 ]; do
		printf "      - series: '%s'\n        values: '%s'\n" "$1" "$2"
		shift 2
	done
}
silent() { # ALERT MINUTE SERIES VALUES...
	echo "$1" >>"$TMP/silent"
	begin_case "$1" "$2"
	series "${@:3}"
}
fires() { # ALERT MINUTE SUMMARY LABELS SERIES VALUES...
	echo "$1" >>"$TMP/fires"
	begin_case "$1" "$2"
	printf '        exp_alerts:\n          - exp_labels: {instance: h, %s}\n' "$4"
	printf "            exp_annotations: {summary: '%s'}\n" "$3"
	series "${@:5}"
}
loss() { # TOOL LABEL FAMILY{...}: more is lost, or the loss is old
	fires SysmonLoss 11 "${1//_/-} on h lost data" "job: node, tool: $1$2" "$3" '0x30 5x60'
	silent SysmonLoss 11 "$3" '5x60'
}
cases() {
	local stamp=last_sample_timestamp_seconds t
	# Two tools of one host are two alerts: one of them has stopped.
	fires SysmonStale 10 'forkstat on h has stopped sampling' 'job: node, tool: forkstat' \
		"sysmon_forkstat_$stamp{$host}" '0+15x20 300x40' "sysmon_cpustat_$stamp{$host}" '0+15x60'
	silent SysmonStale 10 "sysmon_forkstat_$stamp{$host}" '0+15x60' "sysmon_power_calibrate_$stamp{$host}" '0+15x60'
	# A run that has ended is not stale.
	silent SysmonStale 10 "sysmon_forkstat_$stamp{$host}" '0+15x20 stale'
	for t in cpustat eventstat forkstat pagemon powerstat; do
		fires SysmonAbsent 20 "$t on h does not run any longer" "job: node, tool: $t, version: \"1\"" \
			"sysmon_${t}_info{$host,version=\"1\"}" '1x20 stale' "sysmon_x_info{$host,version=\"1\"}" '1x80' "up{$host}" '1x80'
	done
	# Another version runs; the tool was never there; the host does not answer; the end is hours ago.
	silent SysmonAbsent 20 "sysmon_forkstat_info{$host,version=\"1\"}" '1x20 stale' \
		"sysmon_forkstat_info{$host,version=\"2\"}" '_x20 1x60' "up{$host}" '1x80'
	silent SysmonAbsent 20 "up{$host}" '1x80'
	silent SysmonAbsent 20 "sysmon_forkstat_info{$host,version=\"1\"}" '1x20 stale' "up{$host}" '1x20 0x60'
	silent SysmonAbsent 90 "sysmon_forkstat_info{$host,version=\"1\"}" '1x20 stale' "up{$host}" '1x420'
	silent SysmonAbsent 20 "sysmon_stressors_info{$host,version=\"1\"}" '1x20 stale' "up{$host}" '1x80'

	for t in rows names exit_names; do loss cpustat '' "sysmon_cpustat_lost_${t}_total{$host}"; done
	for t in lost_events lost_cpus lost_rows wakeups_without_task; do loss eventstat '' "sysmon_eventstat_${t}_total{$host}"; done
	loss forkstat ', source: kernel' "sysmon_forkstat_lost_total{$host,source=\"kernel\"}"
	for t in pagemon power_calibrate powerstat stressors; do loss "$t" '' "sysmon_${t}_lost_rows_total{$host}"; done
	loss powerstat '' "sysmon_powerstat_lost_events_total{$host}"

	fires PowerHigh 15 'h draws 300 W' 'job: node, source: rapl' "sysmon_powerstat_power_watts{$host,source=\"rapl\"}" '300x60'
	silent PowerHigh 15 "sysmon_powerstat_power_watts{$host,source=\"rapl\"}" '200x60'
	silent PowerHigh 15 "sysmon_powerstat_power_watts{$host,source=\"rapl\"}" '200x40 300x20' # five minutes only
	fires WakeupsHigh 25 'Idle CPUs of h are woken 1200 times per second' 'job: node' \
		"sysmon_eventstat_idle_expiries_total{$host}" '0+18000x100'
	silent WakeupsHigh 25 "sysmon_eventstat_idle_expiries_total{$host}" '0+9000x100'
	fires WakeupsHigh 25 'Idle CPUs of h are woken 1200 times per second' 'job: node' \
		"sysmon_eventstat_wakeups_total{$host,cause=\"irq\"}" '0+9000x100' \
		"sysmon_eventstat_wakeups_total{$host,cause=\"wheel\"}" '0+9000x100'
	silent WakeupsHigh 25 "sysmon_eventstat_wakeups_total{$host,cause=\"irq\"}" '0+9000x100'
	fires ForkStorm 10 'More than 1000 forks per second on h' 'job: node, event: fork' \
		"sysmon_forkstat_events_total{$host,event=\"fork\"}" '0+18000x60'
	silent ForkStorm 10 "sysmon_forkstat_events_total{$host,event=\"fork\"}" '0+9000x60' \
		"sysmon_forkstat_events_total{$host,event=\"exit\"}" '0+18000x60'
	fires ManyFailures 15 'More than 50 failing processes per second on h' 'job: node' \
		"sysmon_forkstat_exits_nonzero_total{$host}" '0+1500x60'
	silent ManyFailures 15 "sysmon_forkstat_exits_nonzero_total{$host}" '0+300x60'
	for t in fail no-resource; do
		fires StressorFailed 5 "Stressor vm on h: $t" "job: node, stressor: vm, status: $t, exported_job: \"0\"" \
			"sysmon_stressors_job_status{$host,exported_job=\"0\",stressor=\"vm\",status=\"$t\"}" '1x20'
	done
	silent StressorFailed 5 "sysmon_stressors_job_status{$host,exported_job=\"0\",stressor=\"vm\",status=\"pass\"}" '1x20'
}
{
	printf 'rule_files: [%s]\nevaluation_interval: 15s\ntests:\n' "$rules"
	cases
} >"$TMP/test.yml"
run promtool test rules "$TMP/test.yml"
is "$status" 0 'promtool test rules' || diag "$out$err"
alerts=$(sed -n 's/^ *- alert: //p' "$rules" | sort -u)
is "$(sort -u "$TMP/fires")" "$alerts" 'each alert has a case in which it fires'
is "$(sort -u "$TMP/silent")" "$alerts" 'each alert has a case in which it is silent'
done_testing
