#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/forkstat.sh REPORT: compares forkstat with Debian's on loads with a known truth.  Each load
# runs without a tool, with this forkstat and with the original in turn, ROUNDS times; the figures are
# medians, losses and errors are those of all rounds.
# BENCH_QUICK=1: one round of few processes.  BENCH_ROUNDS, BENCH_N: their numbers.  BENCH_PEER:
# another forkstat to compare with (empty: none).  BENCH_ONLY: storms, specials or costs.
# shellcheck disable=SC2154,SC2034 # v_NAME come from judge, others from and for lib.sh and rusage
set -u
here=$(cd "$(dirname "$0")" && pwd)
TOP=${TOP:-$(dirname "$here")}
BUILD=${BUILD:-$TOP/build/default}
HELPERS=${HELPERS:-$BUILD/helpers}
sysmon=${FORKSTAT:-$BUILD/bin/forkstat}
report=${1:-$here/report-forkstat.md}
. "$here/lib.sh"

if [ "${BENCH_QUICK:-}" = 1 ]; then rounds=1 n=3000; else rounds=3 n=20000; fi
rounds=${BENCH_ROUNDS:-$rounds} n=${BENCH_N:-$n}

[ "$(id -u)" = 0 ] || { say 'bench: needs root'; exit 4; }
[ -x "$sysmon" ] || say "bench: no $sysmon; only the original is measured"
peer=$(dpkg -L forkstat 2>/dev/null | grep -E '/s?bin/forkstat$')
peer=${BENCH_PEER-$peer}
[ -n "$peer" ] || say "bench: Debian's forkstat is not installed (apt install forkstat): its columns stay empty"

tools=()
[ ! -x "$sysmon" ] || tools+=(sysmon)
[ -z "$peer" ] || tools+=(peer)
[ ${#tools[@]} -gt 0 ] || exit 1

command_of() { if [ "$1" = sysmon ]; then echo "$sysmon"; else echo "$peer"; fi; }
judge_tool() { if [ "$1" = peer ]; then judge --raw-status; else judge; fi; }

# --- storms ---
# label | arguments of load
storms=(
	"exec|-n $n exec"
	"exec, 2 generators|-g 2 -n $n exec"
	"exec, 2.5 kB environment|-E 2500 -n $n exec"
	"fork|-n $n fork"
	"vfork|-n $n vfork"
	"threads|-n $n thread"
	"mix|-n $n mix"
	"bursts of 200|-b 200 -n $n exec"
	"200 execs/s|-r 200 -n $((rounds > 1 ? 600 : 200)) exec"
	"1000 execs/s|-r 1000 -n $((rounds > 1 ? 3000 : 1000)) exec"
)

keep_counts() { # KEY: records the counters of verify
	local bad=$((v_exec_wrong + v_exec_unknown + v_fork_name_wrong + v_exit_name_wrong))
	record "$1:lost" "$v_lost"
	record "$1:names_wrong" "$bad"
	record "$1:parent_wrong" "$v_parent_wrong"
	record "$1:thread_wrong" $((v_thread_as_fork + v_fork_as_thread))
	record "$1:order" "$v_order"
	record "$1:other" $((v_status_wrong + v_extra + v_ctl_bytes))
	((v_execs == 0)) || record "$1:full" "$(ratio $((100 * v_exec_full)) "$v_execs" 1)"
}

watched() { # TOOL LABEL LOAD-ARGUMENTS...
	local key=$1:$2 tool=$1
	shift 2
	start_watcher "$(command_of "$tool")" || return 1
	run_load "$@"
	stop_watcher
	judge_tool "$tool"
	# shellcheck disable=SC1091
	. "$W/usage"
	keep_counts "$key"
	record "$key:cpu" "$(((user_us + sys_us) / 1000))"
	record "$key:load_cpu" "$load_cpu"
	record "$key:rss" "$maxrss_kb"
}

run_storms() {
	local s label round tool
	local -a args
	for s in "${storms[@]}"; do
		label=${s%%|*}
		read -r -a args <<<"${s#*|}"
		for ((round = 1; round <= rounds; round++)); do
			say "bench: $label, round $round"
			run_load "${args[@]}"
			record "none:$label:load_cpu" "$load_cpu"
			for tool in "${tools[@]}"; do watched "$tool" "$label" "${args[@]}"; done
		done
	done
}

# --- stopped readers, a stopped tool, a forced overflow ---
special() { # TOOL LABEL: compares the rows in $W/rows with the truth
	judge_tool "$1"
	record "$1:$2:lost" "$v_lost"
	record "$1:$2:reported" "$v_reported_lost"
	record "$1:$2:sent" "$v_sent"
}

stopped_reader() { # TOOL
	via="$HELPERS/slowreader 2 4000"
	start_watcher "$(command_of "$1")" -l || return
	run_load -n 3000 -r 1000 exec
	stop_watcher
	via=
	special "$1" "reader stopped 2 s"
}

pipe_storm() { # TOOL
	via="cat"
	start_watcher "$(command_of "$1")" -l || return
	run_load -n "$n" exec
	stop_watcher
	via=
	special "$1" "storm through a pipe"
}

# The tool sleeps for the first 2 s of the load.
stopped_tool() { # TOOL LABEL "TOOL-OPTIONS" LOAD-ARGUMENTS...
	local tool=$1 label=$2 pid opts
	read -r -a opts <<<"$3"
	shift 3
	start_watcher "$(command_of "$tool")" ${opts[@]+"${opts[@]}"} || return
	pid=$(tool_pid)
	kill -STOP "$pid"
	(sleep 2; kill -CONT "$pid") &
	run_load "$@"
	wait $!
	stop_watcher
	special "$tool" "$label"
}

run_specials() {
	local tool
	for tool in "${tools[@]}"; do
		say "bench: stopped readers and tools, $tool"
		pipe_storm "$tool"
		stopped_reader "$tool"
		stopped_tool "$tool" "tool stopped 2 s" "" -n 3000 -r 1000 exec
	done
	[ ! -x "$sysmon" ] || stopped_tool sysmon "forced overflow" "-b 4096" -n 2000 fork
}

# --- system calls, instructions ---
syscalls() { # TOOL: system calls per process of a storm
	command -v strace >/dev/null || return
	start_watcher strace -f -c -U calls,name -o "$W/strace" "$(command_of "$1")" || return
	run_load -n 5000 exec
	sleep 0.5
	kill -INT "$(pgrep -P "$(tool_pid)")"
	wait "$watcher"
	watcher=0
	record "$1:syscalls" "$(awk '$NF == "total" { print $1 / 5000 }' "$W/strace")"
}

instructions() { # TOOL: user mode, per row, start included
	local opts=() rows
	command -v valgrind >/dev/null || return
	[ "$1" = peer ] || opts=(--source proc --keep-privileges) # otherwise callgrind cannot write
	settle=1 start_watcher valgrind -q --tool=callgrind --callgrind-out-file="$W/callgrind" \
		"$(command_of "$1")" "${opts[@]}" || return
	run_load -n 2000 -r 500 exec
	drain=2 stop_watcher
	rows=$(grep -c '^[0-9][0-9]:' "$W/rows")
	record "$1:instructions" "$(ratio "$(awk '/^(summary|totals):/ { print $2; exit }' "$W/callgrind")" "$rows" 0)"
}

startup() { # TOOL
	local line
	while IFS= read -r line; do
		record "$1:${line%%=*}" "${line#*=}"
	done < <("$HELPERS/latency" -n 60 "$(command_of "$1")" -l)
}

run_costs() {
	local tool round
	for tool in "${tools[@]}"; do
		say "bench: system calls, instructions, start, latency, $tool"
		syscalls "$tool"
		instructions "$tool"
		for ((round = 0; round < rounds; round++)); do startup "$tool"; done
	done
}

# --- the report ---
storm_tables() {
	local s l m
	echo "## CPU: of the tool (user+sys, ms), of the load with / without the tool"
	echo
	heading load sysmon original 'sysmon / original' 'load under sysmon' 'load under original'
	for s in "${storms[@]}"; do
		l=${s%%|*}
		row "$l" "$(median "sysmon:$l:cpu")" "$(median "peer:$l:cpu")" \
			"$(ratio "$(median "sysmon:$l:cpu")" "$(median "peer:$l:cpu")")" \
			"$(ratio "$(median "sysmon:$l:load_cpu")" "$(median "none:$l:load_cpu")")" \
			"$(ratio "$(median "peer:$l:load_cpu")" "$(median "none:$l:load_cpu")")"
	done
	for m in lost names_wrong parent_wrong thread_wrong order other full; do
		printf '\n## %s\n\n' "${meaning[$m]}"
		heading load sysmon original
		for s in "${storms[@]}"; do
			l=${s%%|*}
			[ "$m" = full ] && [ "$(median "sysmon:$l:full")$(median "peer:$l:full")" = -- ] && continue
			row "$l" "$(all_values "sysmon:$l:$m")" "$(all_values "peer:$l:$m")"
		done
	done
}

declare -A meaning=(
	[lost]='Rows lost, each round'
	[names_wrong]='Rows with a wrong or no name, each round'
	[parent_wrong]='Wrong parents, each round'
	[thread_wrong]='Threads shown as forks or forks as threads, each round'
	[order]='Rows out of order, each round'
	[other]='False status, surplus rows, control bytes, each round'
	[full]='Execs with their full arguments, %, each round'
)

special_table() {
	local l
	printf '\n## Stopped readers and tools: rows lost (reported as lost) of those sent\n\n'
	heading case sysmon original
	for l in 'storm through a pipe' 'reader stopped 2 s' 'tool stopped 2 s' 'forced overflow'; do
		row "$l" "$(lost_of sysmon "$l")" "$(lost_of peer "$l")"
	done
	echo
	echo 'The number reported as lost includes events of other processes of the machine.'
}

lost_of() { # TOOL LABEL
	[ -n "${series[$1:$2:lost]-}" ] || { echo -; return; }
	echo "$(all_values "$1:$2:lost") ($(all_values "$1:$2:reported")) of $(all_values "$1:$2:sent")"
}

cost_table() {
	local m
	printf '\n## Costs\n\n'
	heading what sysmon original 'sysmon / original'
	while IFS='|' read -r m text; do
		row "$text" "$(median "sysmon:$m")" "$(median "peer:$m")" \
			"$(ratio "$(median "sysmon:$m")" "$(median "peer:$m")")"
	done <<'EOF'
syscalls|system calls per process, exec storm (strace -c)
instructions|instructions per row (callgrind; sysmon with --source proc)
exec:rss|peak RSS in the exec storm, kB
ready_us|start until it listens, us
ready_cpu_us|CPU until then, us
p50_us|exec until its row is read from a pipe, us, median
p90_us|the same, 90 %
EOF
}

write_report() {
	preamble forkstat
	echo "$n processes in each storm."
	echo
	storm_tables
	special_table
	cost_table
}

for part in ${BENCH_ONLY:-storms specials costs}; do
	"run_$part"
done
write_report >"$report"
say "bench: $report"
