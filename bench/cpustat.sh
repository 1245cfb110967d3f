#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/cpustat.sh REPORT: compares cpustat with Debian's cpustat, pidstat and top, if installed: CPU
# time per scan, memory, system calls and instructions beside many idle processes, and the accuracy of
# the figures.  Each round runs the tools in turn; figures are medians of the rounds.
# BENCH_QUICK=1: one round, fewer processes.  BENCH_ROUNDS, BENCH_SIZES: their numbers.  BENCH_PEER:
# another cpustat to compare with (empty: none).  BENCH_ONLY: scans, runs, costs, growth or truth; a round of runs
# takes two minutes.
# shellcheck disable=SC2154,SC2034 # what rusage and verifycpu write is sourced
set -u
here=$(cd "$(dirname "$0")" && pwd)
TOP=${TOP:-$(dirname "$here")}
BUILD=${BUILD:-$TOP/build/default}
HELPERS=${HELPERS:-$BUILD/helpers}
sysmon=${CPUSTAT:-$BUILD/bin/cpustat}
report=${1:-$here/report-cpustat.md}
. "$here/lib.sh"
export LC_ALL=C.UTF-8

if [ "${BENCH_QUICK:-}" = 1 ]; then
	rounds=1 sizes='100 500' run_sizes='100 500' calls_at=500 instructions_at=500 growth=500
else
	rounds=3 sizes='100 2000 10000' run_sizes='100 500 2000 6000' calls_at=10000 instructions_at=2000 growth=5000
fi
rounds=${BENCH_ROUNDS:-$rounds} sizes=${BENCH_SIZES:-$sizes}

[ -x "$sysmon" ] || { say "bench: no $sysmon"; exit 1; }
peer=$(dpkg -L cpustat 2>/dev/null | grep -E '/s?bin/cpustat$')
peer=${BENCH_PEER-$peer}
[ -n "$peer" ] || say "bench: Debian's cpustat is not installed (apt install cpustat): its columns stay empty"
tools=(sysmon)
[ -z "$peer" ] || tools+=(peer)
! command -v pidstat >/dev/null || tools+=(pidstat)
! command -v top >/dev/null || tools+=(top)

# The command that takes SAMPLES at intervals of SECONDS, in $command.
command_of() { # TOOL SECONDS SAMPLES
	case $1 in
	sysmon) command=("$sysmon" "$2" "$3") ;;
	clock) command=("$sysmon" --source=clock "$2" "$3") ;;
	proc) command=("$sysmon" --source=proc "$2" "$3") ;;
	peer) command=("$peer" "$2" "$3") ;;
	pidstat) command=(pidstat "$2" "$3") ;;
	top) command=(top -b -d "$2" -n $(($3 + 1))) ;;
	esac
}

idle_pid=0
idle_start() { # COUNT: starts sleeping processes, which end when fd 8 is closed
	mkfifo "$W/idle"
	"$HELPERS/cpuspawn" idle "$1" <"$W/idle" >"$W/idle.out" &
	idle_pid=$!
	exec 8>"$W/idle"
	until grep -qs ready "$W/idle.out"; do sleep 0.05; done
	cat /proc/[0-9]*/stat >/dev/null 2>&1 # the first read of a new process costs twice as much
}
idle_stop() {
	exec 8>&-
	wait "$idle_pid"
	rm "$W/idle"
}

# --- CPU of a run of one sample, and of each further one; memory ---
run_scans() {
	local size round tool one delay samples
	for size in $sizes; do
		idle_start "$size"
		for ((round = 1; round <= rounds; round++)); do
			say "bench: $size processes, round $round"
			for tool in "${tools[@]}" proc; do
				delay=0.25 samples=17
				[ "$tool" != pidstat ] || delay=1 samples=5 # it takes whole seconds
				command_of "$tool" $delay 1
				usage "${command[@]}" || continue
				one=$((user_us + sys_us))
				command_of "$tool" $delay $samples
				usage "${command[@]}" || continue
				record "$tool:$size:start" "$(ratio "$one" 1000 2)"
				record "$tool:$size:cpu" "$(ratio $((user_us + sys_us - one)) $((1000 * (samples - 1))) 3)"
				record "$tool:$size:rss" "$maxrss_kb"
			done
		done
		idle_stop
	done
}

# --- CPU of short runs with their start: as root from Linux 6.7 on by one walk, otherwise by clocks ---
run_runs() {
	local size round tool samples
	for size in $run_sizes; do
		idle_start "$size"
		for ((round = 1; round <= rounds; round++)); do
			say "bench: runs, $size processes, round $round"
			for samples in 5 25; do
				for tool in sysmon clock ${peer:+peer}; do
					command_of "$tool" 0.34 $samples # Debian's takes no less
					usage "${command[@]}" || continue
					record "$tool:$size:run$samples" "$(ratio $((user_us + sys_us)) 1000 2)"
				done
			done
		done
		idle_stop
	done
}

# --- cost of a sample without the start, as the difference of two runs ---
calls() { # TOOL SAMPLES
	command_of "$1" 1 "$2"
	strace -f -c -U calls,name -o "$W/strace" "${command[@]}" >/dev/null 2>&1
	awk '$NF == "total" { print $1 }' "$W/strace"
}

instructions_of() { # TOOL SAMPLES
	command_of "$1" 1 "$2"
	# callgrind cannot write its file once privileges and system calls are dropped
	[ "$1" != sysmon ] || command=("$sysmon" --keep-privileges "${command[@]:1}")
	valgrind -q --tool=callgrind --callgrind-out-file="$W/callgrind" "${command[@]}" \
		>/dev/null 2>&1
	awk '/^(summary|totals):/ { print $2; exit }' "$W/callgrind"
}

difference() { # KEY FUNCTION TOOL
	local few many
	few=$("$2" "$3" 3)
	many=$("$2" "$3" 5)
	[ -z "$few" ] || [ -z "$many" ] || record "$1" $(((many - few) / 2))
}

run_costs() {
	local tool
	if command -v strace >/dev/null; then
		idle_start "$calls_at"
		for tool in "${tools[@]}"; do
			say "bench: system calls, $tool"
			difference "$tool:calls" calls "$tool"
		done
		idle_stop
	fi
	if command -v valgrind >/dev/null; then
		idle_start "$instructions_at"
		for tool in "${tools[@]}"; do
			say "bench: instructions, $tool"
			difference "$tool:instructions" instructions_of "$tool"
		done
		idle_stop
	fi
}

# --- memory of a long run: resident set after a tenth of it and at the end ---
# Starts no child process: -g keeps the total of each process that exits.
rss_kb() { # PID VARIABLE
	local key value rest
	while read -r key value rest; do
		[ "$key" != VmRSS: ] || { printf -v "$2" %s "$value" && return; }
	done 2>/dev/null <"/proc/$1/status"
	return 1
}
nap() { read -rt "$1" <>"$W/nap"; } # SECONDS

grow() { # TOOL SAMPLES SECONDS COMMAND...
	local tool=$1 samples=$2 seconds=$3 begin now end pid
	shift 3
	"$@" >"$W/out" 2>"$W/stderr" &
	pid=$!
	nap "$(awk -v s="$seconds" -v n="$samples" 'BEGIN { print s * n / 10 }')"
	rss_kb "$pid" begin
	while rss_kb "$pid" now; do
		end=$now
		nap 0.2
	done
	wait "$pid"
	record "$tool:growth" $((end - begin))
}

run_growth() {
	mkfifo "$W/nap"
	idle_start "$instructions_at"
	say "bench: memory over $growth samples"
	grow sysmon "$growth" 0.01 "$sysmon" -D -g -j 0.01 "$growth"
	[ -z "$peer" ] || grow peer $((growth / 34)) 0.34 "$peer" -D -g 0.34 $((growth / 34))
	idle_stop
}

# --- truth ---
# %CPU of a pid in each sample of the original's table, 0 if it has no row.
peer_rows() { # PID: sd in points, samples with a row
	awk -v p="$1" '/%CPU/ { n++; v[n] = 0 } $4 == p && n { v[n] = $1; shown++ }
		END { for (i = 1; i <= n; i++) { s += v[i]; q += v[i] * v[i] }
			m = n ? s / n : 0; printf "%.3f %d\n", n ? sqrt(q / n - m * m + 1e-12) : 0, shown + 0 }' "$W/out"
}

watch_duty() { # TOOL: 3 % and 0.3 %, 40 samples of 0.5 s
	local a b
	"$HELPERS/cpuload" -o "$W/truth" duty 3 0.3 >"$W/load.out" &
	local load=$!
	until grep -q ready "$W/load.out"; do sleep 0.02; done
	read -r _ a b <"$W/load.out"
	if [ "$1" = sysmon ]; then "$sysmon" -j 0.5 40 >"$W/out"; else "$peer" 0.5 40 >"$W/out"; fi
	kill -TERM "$load"
	wait "$load"
	if [ "$1" = sysmon ]; then
		eval "$("$HELPERS/verifycpu" --prefix v_ --pid "$a" "$W/truth" "$W/out")"
		record sysmon:sd3 "$(ratio "$v_sd_mpct" 1000 3)"
		eval "$("$HELPERS/verifycpu" --prefix v_ --pid "$b" "$W/truth" "$W/out")"
		record sysmon:shown03 "$v_shown"
	else
		record peer:sd3 "$(peer_rows "$a" | cut -d ' ' -f 1)"
		record peer:shown03 "$(peer_rows "$b" | cut -d ' ' -f 2)"
	fi
}

watch_children() { # TOOL KEY SPAWN-ARGUMENT...
	local tool=$1 key=$2 load from to
	shift 2
	"$HELPERS/cpuspawn" -o "$W/truth" spawn "$@" >"$W/load.out" &
	load=$!
	until grep -q ready "$W/load.out"; do sleep 0.02; done
	if [ "$tool" = sysmon ]; then "$sysmon" -j 1 10 >"$W/out"; else "$peer" 1 10 >"$W/out"; fi
	kill -TERM "$load"
	wait "$load"
	if [ "$tool" = sysmon ]; then
		eval "$("$HELPERS/verifycpu" --prefix v_ --pid "$load" "$W/truth" "$W/out")"
		record "sysmon:$key" "$(ratio $((100 * v_children_us)) "$v_children_truth_us" 1)"
	else # all rows of the generator and its children in the ten seconds of the run
		record "peer:$key" "$(awk -v p="$load" 'FNR == NR { if ($1 == "child") { pid[$3]; n += $5; if (!a) a = $2; b = $2 } next }
			$4 in pid { s += $1 } END { printf "%.1f", 100 * s / 100 / (n / (b - a) * 10) }' "$W/truth" "$W/out")"
	fi
}

run_truth() {
	local tool round
	for ((round = 1; round <= rounds; round++)); do
		for tool in sysmon peer; do
			[ "$tool" = sysmon ] || [ -n "$peer" ] || continue
			say "bench: truth, $tool, round $round"
			watch_duty "$tool"
			watch_children "$tool" children1 200 1000
			watch_children "$tool" children5 20 5000 sys
		done
	done
}

# --- the report ---
declare -A peer_target=([100]='<= 0.60' [2000]='<= 0.22' [10000]='<= 0.20')
declare -A run5_target=([100]='<= 0.32' [500]='<= 0.10' [2000]='<= 0.07' [6000]='<= 0.05')
declare -A run25_target=([100]='<= 0.20' [500]='<= 0.11' [2000]='<= 0.06' [6000]='<= 0.04')
declare -A clock5_target=([100]='<= 0.42' [500]='<= 0.26' [2000]='<= 0.20' [6000]='<= 0.18')
declare -A clock25_target=([100]='<= 0.34' [500]='<= 0.19' [2000]='<= 0.13' [6000]='<= 0.12')
declare -A pidstat_target=([100]='<= 0.30' [2000]='<= 0.07' [10000]='<= 0.015')
declare -A rss_target=([100]='<= 1' [10000]='<= 0.6')

# The arguments of versus: a row, if the tool that is the last argument was measured.
beside() {
	[[ " ${tools[*]} " != *" ${!#} "* ]] || versus "$@"
}

scan_table() {
	local size
	echo '## CPU of each sample after the first (user+sys, ms)'
	echo
	heading against target other sysmon 'sysmon / other'
	for size in $sizes; do
		versus "cpustat, $size idle" "${peer_target[$size]--}" "$size:cpu"
		beside "pidstat, $size idle" "${pidstat_target[$size]--}" "$size:cpu" pidstat
		beside "top -b, $size idle" - "$size:cpu" top
		row "cpustat, $size idle, sysmon with --source=proc" "$([ "$size" = 10000 ] && echo '<= 0.70' || echo -)" \
			"$(median "peer:$size:cpu")" "$(median "proc:$size:cpu")" \
			"$(ratio "$(median "proc:$size:cpu")" "$(median "peer:$size:cpu")" 3)"
	done
	printf '\n## CPU of a whole run of one sample (user+sys, ms): the start\n\n'
	heading against target other sysmon 'sysmon / other'
	for size in $sizes; do
		versus "cpustat, $size idle" '<= 0.60' "$size:start"
		beside "pidstat, $size idle" - "$size:start" pidstat
		beside "top -b, $size idle" - "$size:start" top
	done
	printf '\n## Peak resident memory, kB\n\n'
	heading against target other sysmon 'sysmon / other'
	for size in $sizes; do
		versus "cpustat, $size idle" "${rss_target[$size]--}" "$size:rss"
		beside "pidstat, $size idle" - "$size:rss" pidstat
		beside "top -b, $size idle" - "$size:rss" top
	done
}

run_row() { # TARGETS SIZE SAMPLES TOOL NOTE
	local -n target=$1
	local key=$2:run$3 other own
	other=$(median "peer:$key") own=$(median "$4:$key")
	row "cpustat, $2 idle, $3 samples$5" "${target[$2]--}" "$other" "$own" "$(ratio "$own" "$other" 3)"
}

run_table() {
	local size samples
	printf '\n## CPU of a whole run (user+sys, ms): as root by one walk (Linux 6.7), and by clocks\n\n'
	heading against target other sysmon 'sysmon / other'
	for samples in 5 25; do
		for size in $run_sizes; do
			run_row "run${samples}_target" "$size" "$samples" sysmon ''
			run_row "clock${samples}_target" "$size" "$samples" clock ', sysmon with --source=clock'
		done
	done
}

cost_table() {
	printf '\n## Cost of a sample, without the start\n\n'
	heading what target other sysmon 'sysmon / other'
	versus "system calls, $calls_at idle, cpustat" "<= $((calls_at * 105 / 100 + 300))" calls
	beside "system calls, $calls_at idle, pidstat" - calls pidstat
	versus "user instructions, $instructions_at idle, cpustat" '<= 0.10' instructions
	beside "user instructions, $instructions_at idle, pidstat" - instructions pidstat
	row "memory growth, $growth samples (original: $((growth / 34))), kB" '<= 64' \
		"$(median peer:growth)" "$(median sysmon:growth)" -
}

truth_table() {
	printf '\n## Truth\n\n'
	heading what target original sysmon
	row '3 % task, 40 samples of 0.5 s: standard deviation, points' '<= 0.2' \
		"$(all_values peer:sd3)" "$(all_values sysmon:sd3)"
	row '0.3 % task: samples that show it, of 40' 40 "$(all_values peer:shown03)" "$(all_values sysmon:shown03)"
	row 'children of 1 ms, 200/s: % of their CPU time shown' 97-103 \
		"$(all_values peer:children1)" "$(all_values sysmon:children1)"
	row 'children of 5 ms, 20/s' 97-103 "$(all_values peer:children5)" "$(all_values sysmon:children5)"
}

write_report() {
	preamble cpustat
	scan_table
	run_table
	cost_table
	truth_table
}

for part in ${BENCH_ONLY:-scans runs costs growth truth}; do
	"run_$part"
done
write_report >"$report"
say "bench: $report"
