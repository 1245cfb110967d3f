#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/eventstat.sh REPORT: compares eventstat with Debian's eventstat, if installed: its CPU time, context
# switches and memory beside loads of known rates, what it costs the tasks that it observes, what it loses,
# and how true its figures are, with each way to count.  Figures are medians of the rounds.
# BENCH_QUICK=1: one short round.  BENCH_ROUNDS: their number.  BENCH_PEER: another eventstat to compare
# with (empty: none).  BENCH_ONLY: rates, observed, loss or truth.
# shellcheck disable=SC2154 # what rusage writes is sourced
set -u
# The original needs debugfs; it is mounted for this run alone.
[ -n "${BENCH_MOUNTS-}" ] || exec env BENCH_MOUNTS=1 unshare -m --propagation private bash "$0" "$@"
mountpoint -q /sys/kernel/debug || mount -t debugfs nodev /sys/kernel/debug
mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing

here=$(cd "$(dirname "$0")" && pwd)
TOP=${TOP:-$(dirname "$here")}
BUILD=${BUILD:-$TOP/build/default}
HELPERS=${HELPERS:-$BUILD/helpers}
sysmon=${EVENTSTAT:-$BUILD/bin/eventstat}
report=${1:-$here/report-eventstat.md}
. "$here/lib.sh"
export LC_ALL=C.UTF-8

if [ "${BENCH_QUICK:-}" = 1 ]; then rounds=1 seconds=3; else rounds=3 seconds=10; fi
rounds=${BENCH_ROUNDS:-$rounds}

[ -x "$sysmon" ] || { say "bench: no $sysmon"; exit 1; }
peer=$(dpkg -L eventstat 2>/dev/null | grep -E '/s?bin/eventstat$')
peer=${BENCH_PEER-$peer}
[ -n "$peer" ] || say "bench: Debian's eventstat is not installed (apt install eventstat): its columns stay empty"
methods=(bpf perf)
tools=("${methods[@]}")
[ -z "$peer" ] || tools+=(peer)

# The command that takes SAMPLES at intervals of a second, in $command.
command_of() { # TOOL SAMPLES OPTION...
	case $1 in
	peer) command=("$peer" 1 "$2") ;;
	*) command=("$sysmon" --method="$1" "${@:3}" 1 "$2") ;;
	esac
}

load=0
load_start() { # SECONDS TIMERLOAD-ARGUMENT...: its truth goes to $W/truth
	"$HELPERS/rusage" "$W/load" "$HELPERS/timerload" -o "$W/truth" -t "$@" &
	load=$!
	sleep 0.2
}
load_end() { # its CPU time in us: load_us
	wait "$load"
	# shellcheck disable=SC1091
	load_us=$(. "$W/load"; echo $((user_us + sys_us)))
}
truth_sum() { awk -F'\t' -v c="$1" '{ n += $c } END { print n + 0 }' "$W/truth"; } # COLUMN

# --- the tool's own cost ---
run_rates() {
	local tool rate round
	for ((round = 1; round <= rounds; round++)); do
		for rate in 10000 20000; do
			for tool in "${tools[@]}"; do
				say "bench: $rate timers a second, round $round, $tool"
				load_start $((seconds + 2)) sleep 10 $rate
				command_of "$tool" "$seconds"
				usage "${command[@]}" || continue
				load_end
				record "$tool:$rate:cpu" "$(ratio $((user_us + sys_us)) 1000 2)"
				record "$tool:$rate:switches" "$(ratio "$switches" "$seconds" 1)"
				record "$tool:$rate:rss" "$maxrss_kb"
			done
		done
	done
}

# --- what it costs the tasks that it observes ---
observed() { # TOOL|none KEY EVENTS-COLUMN TIMERLOAD-ARGUMENT...: ns of the load for each of its events
	local pid=0
	if [ "$1" != none ]; then
		command_of "$1" $((seconds + 3))
		"${command[@]}" >/dev/null 2>&1 &
		pid=$!
		sleep 0.5
	fi
	load_start "$seconds" "${@:4}"
	load_end
	[ $pid = 0 ] || { kill -INT $pid; wait $pid; }
	record "$1:$2" "$(ratio $((load_us * 1000)) "$(truth_sum "$3")" 1)"
}

run_observed() {
	local round tool
	for ((round = 1; round <= rounds; round++)); do
		for tool in none "${tools[@]}"; do
			say "bench: cost for the tasks, round $round, $tool"
			observed "$tool" wake 5 sleep 10 10000
			observed "$tool" arm 4 arm 1 0
		done
	done
}

# --- what is lost at high rates ---
starts_of() { # TOOL: starts of the load's tasks in $W/out
	if [ "$1" = peer ]; then
		awk '$NF == "timerfd_tmrproc" && /armer/ { n += $1 } END { printf "%.0f\n", n }' "$W/out"
	else
		jq -s 'map(select(.type == "timers" and .comm == "armer" and .func == "timerfd_tmrproc").starts) | add // 0' "$W/out"
	fi
}
lost_of() { # TOOL
	if [ "$1" = peer ]; then echo 0; else
		jq -s 'map(select(.type == "sample").lost_events) | max // 0' "$W/out"
	fi
}

run_loss() {
	local round tool rate
	for ((round = 1; round <= rounds; round++)); do
		for rate in 100000 300000; do
			for tool in "${tools[@]}"; do
				say "bench: re-armed $rate times a second, round $round, $tool"
				command_of "$tool" 7 -j
				"${command[@]}" >"$W/out" 2>/dev/null &
				sleep 1.5
				load_start 3 arm 2 $rate
				load_end
				wait
				record "$tool:$rate:seen" "$(ratio "$(starts_of "$tool")" "$(truth_sum 4)" 4)"
				record "$tool:$rate:lost" "$(lost_of "$tool")"
			done
		done
	done
}

# --- truth ---
# How many of the load's tasks have their starts within 1 % or 0.2 a second.
right_of() { # TOOL
	if [ "$1" = peer ]; then
		awk '$2 ~ /^[0-9]+$/ && $1 ~ /\./ { print $2 "\t" $NF "\t" $1 }' "$W/out"
	else
		jq -r 'select(.type == "timers") | [.tid, .func, .starts] | @tsv' "$W/out"
	fi | awk -F'\t' -v s="$seconds" 'NR == FNR { n[$1, $2] += $3; next }
		{ d = n[$2, $3] - $4; if (d < 0) d = -d; all++; right += d <= $4 / 100 || d <= 0.2 * s }
		END { printf "%d of %d\n", right, all }' - "$W/truth"
}

run_truth() {
	local tool
	for tool in "${tools[@]}"; do
		say "bench: every way to wait, $tool"
		command_of "$tool" $((seconds + 3)) -j
		"${command[@]}" >"$W/out" 2>/dev/null &
		sleep 1
		load_start "$seconds" kinds
		load_end
		wait
		record "$tool:right" "$(right_of "$tool" | tr ' ' '_')"
	done
}

# --- the report ---
series_of() { # WHAT TARGET KEY [FUNCTION]: a column for each tool
	local tool values=()
	for tool in peer "${methods[@]}"; do values+=("$("${4:-median}" "$tool:$3" | tr _ ' ')"); done
	row "$1" "$2" "${values[@]}" "$(ratio "$(median "bpf:$3")" "$(median "peer:$3")" 3)"
}
added() { # WHAT TARGET KEY: what it adds to the load's own cost
	local tool values=() alone
	alone=$(median "none:$3")
	for tool in peer "${methods[@]}"; do
		values+=("$(awk -v a="$(median "$tool:$3")" -v b="$alone" 'BEGIN { if (a == "-") print a; else printf "%+.0f\n", a - b }')")
	done
	row "$1" "$2" "${values[@]}" -
}
write_report() {
	local rate
	preamble eventstat
	echo 'bpf and perf are the ways to count of sysmon; without --method it takes the first that works.'
	echo
	heading what target original bpf perf 'bpf / original'
	for rate in 10000 20000; do
		series_of "10 tasks, $rate wake-ups/s: CPU of the tool with its start, ms" \
			"$([ $rate = 10000 ] && echo '<= 1/12' || echo '<= 1/25')" "$rate:cpu"
		series_of "$rate/s: own switches/s" '<= 5, perf 30' "$rate:switches"
		series_of "$rate/s: peak RSS, kB" '<= 8000' "$rate:rss"
	done
	series_of "CPU of the tasks for each wake-up, ns (alone: $(median none:wake))" '<= 1.05 of alone' wake
	added "CPU added for each start, armed without a pause, ns (alone: $(median none:arm))" '<= +80, perf 250' arm
	for rate in 100000 300000; do
		series_of "re-armed $rate times/s: reported / truth" '0.995 to 1.005 with lost' "$rate:seen" all_values
		series_of "$rate/s: events lost and counted" "$([ $rate = 100000 ] && echo 0 || echo -)" "$rate:lost" all_values
	done
	series_of '20 tasks, each with another way to wait: starts within 1 % or 0.2/s' all right all_values
}

for part in ${BENCH_ONLY:-rates observed loss truth}; do
	"run_$part"
done
write_report >"$report"
say "bench: $report"
