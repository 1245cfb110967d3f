#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# live
# needs: root
# The dashboard in Prometheus: all tools write --prom files, two node_exporters serve them as two machines, and each
# query of examples/grafana-dashboard.json returns data with the labels of its legend.  Some values are compared with
# those of the simulated machine, of the load and of /proc.  suite/fleet.sh checks the file itself.
# seconds: 75
# timeout: 240
BIG_TMP=1
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/suite.sh"
. "$TOP/tests/lib/lab.sh"
. "$TOP/tests/lib/pagemon.sh"
need_root
need_cmd jq promtool prometheus prometheus-node-exporter
lab_need
for tool in cpustat eventstat forkstat pagemon stressors; do
	[ -x "$BUILD/bin/$tool" ] || skip_all "needs $tool, which is not built here"
	why=$(why_not "$tool")
	[ -z "$why" ] || skip_all "$tool cannot run here: $why"
done
board=$TOP/examples/grafana-dashboard.json
mkdir "$TMP/one" "$TMP/two"

# --- the tools -------------------------------------------------------------------------
# One directory has one file of each tool, because two files with equal metrics contradict each other; the second
# machine has eventstat --wakeups.
pids=()
tool() { # TOOL DIRECTORY OPTION...: until the end of the test
	bg "$BUILD/bin/$1" --quiet --interval=1s --prom="$TMP/$2/$1.prom" "${@:3}" >"$TMP/$2/$1.rows" 2>"$TMP/$2/$1.msg"
	pids+=("$bg_pid")
}
load_start big:16
mkfifo "$TMP/go"
exec {go}<>"$TMP/go"
# shellcheck disable=SC2016
bg sh -c 'read -r go <"$2" && exec "$0" -n 50 -o "$1" exec' "$HELPERS/load" "$TMP/truth" "$TMP/go"
load=$bg_pid
# Without soft-dirty bits in the kernel there is no metric of dirty pages.
run "$PAGEMON" -b -D --duration=0.1 "$LOAD_PID"
dirty=(-D)
[ "$status" != 3 ] || dirty=()
tool cpustat one
tool eventstat one
tool eventstat two --wakeups
tool forkstat one --ppid="$load"
tool pagemon one --smaps ${dirty[@]+"${dirty[@]}"} "$LOAD_PID"
tool stressors one --nanosleep=1 --timeout=600
# A machine of constant power with everything that powerstat reads.
{
	for part in rapl-one thermal cpufreq gpu-i915; do
		sed -e "s,^include ,include $TOP/tests/lab/trees/," "$TOP/tests/lab/trees/$part.spec"
	done
	echo '/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count text 100'
} >"$TMP/machine.spec"
bg "$LAB/run" "$TMP/machine.spec" "$TMP/lab.log" -- "$BUILD/bin/powerstat" -R -D -t -f -g --quiet --interval=1s --count=0 \
	--prom="$TMP/one/powerstat.prom" >"$TMP/one/powerstat.rows" 2>"$TMP/one/powerstat.msg"
pids+=("$bg_pid")
# Results stay in the file after the end.
run "$PAGEMON" -q --prom="$TMP/two/pagemon.prom" -- true
run "$BUILD/bin/stressors" --nanosleep=1 --timeout=1 --metrics --prom="$TMP/two/stressors.prom"
program power-calibrate
run "${program[@]}" --prom="$TMP/one/power_calibrate.prom"
calibrated=$(grep -c '_op_joules{' "$TMP/one/power_calibrate.prom")

written() { [ -s "$1" ]; }
for file in one/{cpustat,eventstat,forkstat,pagemon,stressors,powerstat} two/eventstat; do
	ok "$file.prom" wait_for written "$TMP/$file.prom" || diag "$(cat "$TMP/$file.msg")"
done

# --- the services ----------------------------------------------------------------------
port=''
# NAME: $port, the port of a service that was told to choose one, from its log
listens() {
	port=$(sed -nE 's/.*msg="?Listening on"? address=127\.0\.0\.1:([0-9]+).*/\1/p' "$TMP/$1.log")
	[ -n "$port" ]
}
service() { # NAME COMMAND...: in the background; $port
	bg "${@:2}" --web.listen-address=127.0.0.1:0 2>"$TMP/$1.log" >&2
	pids+=("$bg_pid")
	ok "$1 listens" wait_for listens "$1" && return
	diag "$(tail -n 5 "$TMP/$1.log")"
	done_testing
}
targets=''
for machine in one two; do
	service "$machine" prometheus-node-exporter --collector.disable-defaults --web.disable-exporter-metrics \
		--collector.textfile --collector.textfile.directory="$TMP/$machine"
	targets+="      - {targets: ['127.0.0.1:$port'], labels: {instance: $machine}}
"
done
cat >"$TMP/prometheus.yml" <<END
global: {scrape_interval: 1s}
scrape_configs:
  - job_name: node
    static_configs:
$targets
END
service prometheus prometheus --config.file="$TMP/prometheus.yml" --storage.tsdb.path="$TMP/data" --no-storage.tsdb.wal-compression

# --- the queries -----------------------------------------------------------------------
rate=20s range=10m instance=.+ comm=.+
# EXPR: prints the result as JSON; the variables of the dashboard are replaced
ask() {
	local e=$1
	e=${e//'$__rate_interval'/$rate} e=${e//'$__range'/$range} e=${e//'$instance'/$instance} e=${e//'$program'/$comm}
	promtool query instant --format=json "http://127.0.0.1:$port" "$e" 2>"$TMP/ask.err"
}
# EXPR LEGEND: there are results, and each has the labels of the legend
answers() {
	ask "$1" >"$TMP/answer" || return
	jq -e --arg legend "$2" '[$legend | scan("\\{\\{([a-z_]+)\\}\\}")[0]] as $labels |
		length > 0 and all(.[].metric; . as $m | all($labels[]; . as $l | $m | has($l)))' "$TMP/answer"
}
jq -r '.panels[] | .title as $title | .targets[]? | [$title + " " + .refId, (.expr | gsub("\n"; " ")), .legendFormat] | join("\t")' \
	"$board" >"$TMP/queries"
num "$(wc -l <"$TMP/queries")" -ge 80 'queries'
# The rate of a counter counts from its first value in Prometheus.
ok 'before the load' wait_for answers 'sysmon_forkstat_events_total{event="fork"} == 0' ''
printf 'go\n' >&"$go"
reap "$load"
is "$status" 0 'the load'
while IFS=$'\t' read -r name expr legend; do
	if [[ $expr == *power_calibrate_op_joules* && $calibrated = 0 ]]; then
		skip "$name: power-calibrate had no result on this busy machine"
	elif [[ $expr == *busy_cpu_of_type* ]]; then
		skip "$name: needs CPUs of several types, and --by=type"
	elif [[ $expr == *pagemon_dirty_bytes* && ${#dirty[@]} = 0 ]]; then
		skip "$name: needs a kernel with CONFIG_MEM_SOFT_DIRTY"
	else
		ok "$name" wait_for -t 30 answers "$expr" "$legend" || diag "$expr: $(head -c 600 "$TMP/answer"; cat "$TMP/ask.err")"
	fi
done <"$TMP/queries"

# --- the variables ---------------------------------------------------------------------
values() { # VARIABLE: of label_values(SELECTOR, LABEL), one a line
	local query selector label
	query=$(jq -r --arg v "$1" '.templating.list[] | select(.name == $v).query.query' "$board")
	query=${query#label_values(} query=${query%)}
	label=${query##*, } selector=${query%, *}
	ask "group by ($label) ($selector)" | jq -r ".[].metric.$label" | sort
}
is "$(values instance | tr '\n' ' ')" 'one two ' 'variable instance'
ok 'variable program' grep -qx pageload <(values program)

# --- independent values ----------------------------------------------------------------
# TITLE JQ-EXPRESSION: of the result of the first query of a panel; numbers as they are
shown() {
	local expr
	expr=$(jq -r --arg t "$1" '[.panels[] | select(.title == $t)][0].targets[0].expr' "$board")
	ask "$expr" | jq -r "[.[] | .metric + {v: (.value[1] | tonumber)}] | $2"
}
near() { # VALUE WANT PERCENT NAME
	if awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { d = a - b; exit !(a != "" && d * d <= (b * p / 100) ^ 2) }'; then
		pass "$4: $1"
	else
		fail "$4" "$1 is not within $3 percent of $2"
	fi
}
near "$(shown Power '.[0].v')" 18 2 'power'
for domain in 'pkg-0 15' 'core 9' 'uncore 1.5' 'dram 3'; do
	near "$(shown 'Power of domains' ".[] | select(.domain == \"${domain% *}\").v")" "${domain#* }" 2 "power of ${domain% *}"
done
near "$(shown 'Mean power in the time range' '.[0].v')" 18 2 'mean power'
near "$(shown Temperatures '[.[] | select(.zone | startswith("acpitz")).v] | min')" -8 0 'temperature'
near "$(shown Frequencies '.[] | select(.stat == "max").v')" 4.2e9 0 'highest frequency'
near "$(shown 'Power of a busy CPU' '.[] | select(.bound == "value").v')" "$(sed -n 's/^sysmon_power_calibrate_busy_cpu_watts{bound="value"} //p' \
	"$TMP/one/power_calibrate.prom")" 0 'power of a busy CPU'
instance=one
is "$(shown Stressors '.[] | [.stressor, .v] | join(" ")')" 'nanosleep 1' 'stressors'
comm=page.oad
is "$(shown 'Memory of processes' '.[] | [.comm, .pid, .v] | join(" ")')" \
	"pageload $LOAD_PID $(awk '/^Rss:/ { print $2 * 1024 }' "/proc/$LOAD_PID/smaps_rollup")" 'present memory'
comm=.+ instance=two
is "$(shown 'Timers armed by program' length)" 0 'only the selected machine'
is "$(shown 'Metrics of stressors' '[.[].stressor] | unique[]')" nanosleep 'metrics of a job that has ended'
instance=.+
version=$("$BUILD/bin/cpustat" --version | awk 'NR == 1 { print $NF }')
is "$(shown Tools '[.[].version] | unique | join(" ")')" "$version" 'versions'
# Rates over the whole test: the increase is extrapolated by up to a scrape interval.
rate=10m
forks=$(awk -F'\t' 'NF > 4 && $1 != "cpu"' "$TMP/truth" | wc -l)
num "$forks" -ge 50 'the load has forked'
ok "a total of $forks forks" wait_for answers "sysmon_forkstat_events_total{event=\"fork\"} == $forks" ''
near "$(shown Events '.[] | select(.event == "fork").v * 600')" "$forks" 15 "$forks forks"

kill -INT "${pids[@]}"
for pid in "${pids[@]}"; do reap "$pid"; done
load_end
done_testing
