#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/power-calibrate.sh REPORT: compares power-calibrate with Debian's, if installed, on simulated machines whose
# power is an exact function of the load of this one (tests/lab): what they make of noise, drift, outliers and other
# load, whether the interval contains the truth, whether the loads give what they are asked for, what a run costs,
# how long it takes, and how it ends.  The truth is that of the log of the lab, never the tool's.
# BENCH_QUICK=1: a part of the cases.  BENCH_ROUNDS: of those of the truth (1).  BENCH_PEER: another power-calibrate
# (empty: none).  BENCH_ONLY: truth, kernels, shapes, sources, duty, costs, times, ends or hidden; the last, runs on
# BENCH_HIDDEN (30) machines of chance of 50 s each, only if it is asked for.
# shellcheck disable=SC2154 # what eval reads
set -u
here=$(cd "$(dirname "$0")" && pwd)
TOP=${TOP:-$(dirname "$here")}
BUILD=${BUILD:-$TOP/build/default}
HELPERS=${HELPERS:-$BUILD/helpers}
export BUILD BENCH_MARK=$$ # what is left of a run is known by it
sysmon=${POWER_CALIBRATE:-$BUILD/bin/power-calibrate}
report=${1:-$here/report-power-calibrate.md}
. "$here/lib.sh"
export LC_ALL=C.UTF-8

quick=${BENCH_QUICK:-}
rounds=${BENCH_ROUNDS:-1}
for need in "$sysmon" "$BUILD/lab/fakesys"; do
	[ -x "$need" ] || { say "bench: no $need"; exit 1; }
done
command -v jq >/dev/null || { say 'bench: needs jq'; exit 1; }
peer=${BENCH_PEER-$(dpkg -L power-calibrate 2>/dev/null | grep -E '/s?bin/power-calibrate$')}
[ -n "$peer" ] || say "bench: Debian's power-calibrate is not installed (apt install power-calibrate): its columns stay empty"
tools=(sysmon)
[ -z "$peer" ] || tools+=(peer)
last_cpu=$(($(nproc) - 1))
others_too() { [ "$quick" != 1 ] || [ "$1" = sysmon ]; } # TOOL: is it measured, beside the truth?

# --- a run on a simulated machine ---
spec_of() { # CASE or a path: the description
	case $1 in
	*/*) echo "$1" ;;
	other) spec_of clean ;;
	*) echo "$TOP/tests/lab/trees/calibrate-$1.spec" ;;
	esac
}
# TOOL CASE OPTION...: output in $W/out and $W/err, records of sysmon in $W/json, the lab's log in $W/log; $status
calibrate() {
	local command=("$peer")
	[ "$1" = peer ] || command=("$sysmon" --json="$W/json")
	rm -f "$W/json"
	timeout 600 "$TOP/tests/lab/run" "$(spec_of "$2")" "$W/log" -- "${command[@]}" -R "${@:3}" >"$W/out" 2>"$W/err"
	status=$?
}

# The truth of the last run: watts of a busy CPU, the base in the middle of what was read, the drift a second.
truth() {
	eval "$(awk -F'\t' '
		$1 == "start" { start = $2 }
		$1 == "load" { print "true_cpus=" $3 }
		$1 == "meter" { for (i = 3; i <= NF; i++) { split($i, p, "="); v[p[1]] += p[2] } }
		$3 ~ /energy_uj$/ { if (!first) first = $1; last = $1 }
		END { printf "true_slope=%s true_base=%.6f true_drift=%s\n", v["busy"],
			v["base"] + v["drift"] * ((first + last) / 2 - start) / 1e9, v["drift"] }' "$W/log")"
}

# What the tool found: watts of a busy CPU, base, energy of an operation, nJ; "-" for none.  Of sysmon also the
# half width of the interval, whether the truth is in it, and the drift.
found() { # TOOL
	local slope='' base='' op=''
	found_slope=- found_base=- found_op=- found_half=- found_in=- found_drift=-
	if [ "$1" = peer ]; then
		read -r slope base < <(sed -nE 's/.*CPU load \* ([-+.0-9e]+)\) \+ ([-+.0-9e]+).*/\1 \2/p' "$W/out" | tail -n 1)
		op=$(sed -nE 's/.*bogo op \* ([-+.0-9e]+)\).*/\1/p' "$W/out" | tail -n 1)
		[ -z "$slope" ] || found_slope=$(awk -v s="$slope" -v n="$true_cpus" 'BEGIN { print s * 100 / n }') found_base=$base
		[ -z "$op" ] || found_op=$(awk -v e="$op" 'BEGIN { print e * 1e9 }')
		return
	fi
	grep -q '"type":"result"' "$W/json" 2>/dev/null || return
	eval "$(jq -rs --argjson true "$true_slope" '(map(select(.type == "result"))[0]) as $r | $r.load.w_per_cpu as $s |
		"found_slope=\($s.value) found_base=\($r.load.base_w.value) found_op=\($r.energy.op.nj.value)
		found_half=\(100 * ($s.high - $s.low) / 2 / ($s.value | fabs))
		found_in=\(if $s.low <= $true and $true <= $s.high then 1 else 0 end)
		found_drift=\(($r.load.drift_w_per_h.value // 0) / 3600)"' "$W/json")"
}

# CPUs that others used in the last run, by the lab's record of all busy time; of the original it is known what its
# loads should have used.
others() { # TOOL
	local own=0
	if [ "$1" = peer ]; then own=$(awk -v n="$(nproc)" 'BEGIN { print (n + 1) / 4 }'); else
		own=$(jq -s 'map(select(.type == "reading")) | if length > 0 then (map(.own_cpus * .dt_s) | add) / (map(.dt_s) | add) else 0 end' "$W/json")
	fi
	awk -F'\t' -v own="$own" '$3 ~ /energy_uj$/ { if (!first) { first = $1; b = $5 }; last = $1; busy = $5 - b }
		END { print (last > first ? busy / (last - first) * 1e9 - own : 0) }' "$W/log"
}

# A run, again if others used the machine, at most three times: what it can tell then is worth no target.
calibrate_quiet() { # TOOL CASE OPTION...
	local try limit=0.25
	[ "$2" != other ] || limit=0.9
	for try in 1 2 3; do
		calibrate "$@"
		used=$(others "$1")
		if awk -v u="$used" -v l="$limit" 'BEGIN { exit !(u < l) }'; then return; fi
		say "bench: $2, $1: others used $used CPUs in try $try"
	done
}

error() { # FOUND TRUTH: percent, with sign
	awk -v a="$1" -v b="$2" 'BEGIN { if (a == "-" || b == 0) print "-"; else printf "%+.2f\n", 100 * (a / b - 1) }'
}

# --- the truth, beside what disturbs it ---
# A spinner on the last CPU, 7 s of each 14.
disturb() { # the pid of what ends with the run
	local until
	while kill -0 "$1" 2>/dev/null; do
		until=$((SECONDS + 7))
		while [ $SECONDS -lt $until ]; do :; done
		sleep 7
	done
}

op_rate=- # of an idle machine: operations in a second of CPU time
run_truth() {
	local round case tool spinner cases=(clean noise drift outliers wrap other)
	[ "$quick" != 1 ] || cases=(clean drift other)
	for ((round = 1; round <= rounds; round++)); do
		for case in "${cases[@]}"; do
			for tool in "${tools[@]}"; do
				[ "$quick" != 1 ] || [ "$tool" = sysmon ] || [ "$case" = drift ] || continue
				say "bench: $case, $tool, round $round"
				spinner=
				if [ "$case" = other ]; then
					disturb $$ &
					spinner=$!
					taskset -p -c "$last_cpu" "$spinner" >/dev/null
				fi
				calibrate_quiet "$tool" "$case" -r 10 -s 3
				[ -z "$spinner" ] || { kill "$spinner"; wait "$spinner" 2>/dev/null; }
				truth
				found "$tool"
				record_truth "$tool:$case"
			done
		done
	done
}

record_truth() { # TOOL:CASE
	record "$1:others" "$used"
	if [ "$found_slope" = - ]; then
		record "$1:slope" none
		return
	fi
	record "$1:slope" "$(error "$found_slope" "$true_slope")"
	record "$1:base" "$(error "$found_base" "$true_base")"
	record "$1:in" "$found_in"
	record "$1:half" "$found_half"
	[ "$1" != sysmon:drift ] || record "$1:drift" "$(error "$found_drift" "$true_drift")"
	if [ "${1#*:}" = clean ]; then
		record "$1:op" "$found_op"
		# Operations are counted by the tool; the CPU time is that of its loads, which `duty` compares with the kernel.
		[ "$1" != sysmon:clean ] || op_rate=$(jq -s 'map(select(.type == "reading" and .own_cpus > 0.1)) |
			(map(.ops_per_s * .dt_s) | add) / (map(.own_cpus * .dt_s) | add)' "$W/json")
		[ "$1" != sysmon:clean ] || record "$1:energy" "$(error "$found_op" "$(awk -v w="$true_slope" -v r="$op_rate" 'BEGIN { print w * 1e9 / r }')")"
	elif [ "$1" = sysmon:other ]; then
		[ "$op_rate" = - ] || record "$1:energy" "$(error "$found_op" "$(awk -v w="$true_slope" -v r="$op_rate" 'BEGIN { print w * 1e9 / r }')")"
	elif [ "${1#*:}" = other ]; then
		# The original shows its operations with one digit: against its own figure without other load.
		record "$1:energy" "$(error "$found_op" "$(median "${1%:*}:clean:op")")"
	fi
}

# --- three kinds of work: the power of a busy CPU is the same on this machine ---
run_kernels() {
	local op
	for op in mwc double mem; do
		say "bench: --op=$op"
		calibrate sysmon clean -n 0 -r 5 -s 3 --op=$op
		truth
		found sysmon
		record "sysmon:kernel:$op" "$found_slope"
	done
}

# --- machines that are not a line, or a falling one ---
run_shapes() {
	local tool
	for tool in "${tools[@]}"; do
		say "bench: curved and falling, $tool"
		# The original has no word for it.
		[ "$tool" = peer ] || calibrate "$tool" curved -n 0 -r 10 -s 3
		[ "$tool" = peer ] || record "$tool:curved" "$(grep -qi 'not linear' "$W/out" && echo said || echo not_said)"
		calibrate "$tool" falling -n 0 -r 10 -s 3
		record "$tool:falling" "$(sed -nE 's/.*1% CPU load is about ([-0-9.]+ ?[a-zA-Z]*).*/\1/p' "$W/out" | tail -n 1 | tr ' ' _)"
	done
}

# --- power sources with a snag ---
machines() { # further machines, as files
	printf 'include "%s"\nzone intel-rapl:1 psys lin @pkg start=5000 range=262143328850\n' "$(spec_of clean)" >"$W/psys.spec"
	printf 'hostcpus\nmeter pkg base=5 busy=10\ntruth watts @pkg\nzone intel-rapl:0 package-0 lin @pkg start=118237645 range=262143328850\n/sys/devices/virtual/powercap/intel-rapl until 6\n' >"$W/vanish.spec"
}

# TOOL MACHINE: what became of a short run: the error of the slope, or the exit status and what was said.
snag() {
	local p r=10
	[ "$1" = peer ] || r=5
	say "bench: ${2##*/}, $1"
	calibrate "$1" "$2" -n 0 -r $r -s 2
	truth
	found "$1"
	if [ $status -gt 128 ]; then
		snag_text="killed by SIG$(kill -l $((status - 128)))"
	elif [ $status != 0 ]; then
		snag_text="exit $status: $(tail -n 1 "$W/err" | cut -c 1-90)"
	elif grep -q -- -nan "$W/out"; then
		snag_text='-nan'
	else
		snag_text="slope $(error "$found_slope" "$true_slope") %"
	fi
	# Processes of the tool that go on after it.
	for p in $(pgrep -x power-calibrate); do
		grep -qzx "BENCH_MARK=$$" "/proc/$p/environ" 2>/dev/null || continue
		snag_text="$snag_text, a load goes on"
		kill -KILL "$p"
	done
	record "$1:snag:${2##*/}" "$(tr ' ' _ <<<"$snag_text")"
}

run_sources() {
	local tool machine
	machines
	for machine in mmio 64domains "$W/psys.spec" "$W/vanish.spec" constant; do
		for tool in "${tools[@]}"; do
			others_too "$tool" && snag "$tool" "$machine"
		done
	done
}

# --- the loads: CPU time by the kernel, from samples of schedstat ---
# PID: until it ends, "US PID CPU-NS WAITED-NS" of its children, every tenth of a second, without a process of its own.
sample_loads() {
	local p ns waited pids name never
	exec {never}<> <(:)
	while kill -0 "$1" 2>/dev/null; do
		pids= # the file has no newline: read fails, and yet reads
		read -r pids <"/proc/$1/task/$1/children"
		for p in $pids; do
			read -r name <"/proc/$p/comm" || continue
			[ "$name" = power-calibrate ] || continue # the lab
			read -r ns waited _ <"/proc/$p/schedstat" && echo "${EPOCHREALTIME/./} $p $ns $waited"
		done
		read -rt 0.1 -u "$never"
	done
}

# TOOL: "ASKED GIVEN WAITED" in percent for each test of the last duty run, over 8 s of it.
duties() {
	if [ "$1" = peer ]; then
		# 0, 20 ... 100 %, a child for each of them.
		awk '{ if (!($2 in first)) { first[$2] = $1; order[++k] = $2 }
				if ($1 - first[$2] >= 1e6 && !($2 in a)) { a[$2] = $1; ca[$2] = $3; wa[$2] = $4 }
				if ($1 - first[$2] <= 9.2e6) { b[$2] = $1; cb[$2] = $3; wb[$2] = $4 } }
			END { for (i = 1; i <= k; i++) { p = order[i]
				if (b[p] - a[p] > 7.5e6) printf "%d %.3f %.3f\n", (i - 1) * 20,
					(cb[p] - ca[p]) / (b[p] - a[p]) / 10, (wb[p] - wa[p]) / (b[p] - a[p]) / 10 } }' "$W/samples"
	else
		# Ends of tests, us of the wall clock, by the records.
		jq -r 'select(.type == "test") | "\(.level_pct) \((.time[:19] + "Z" | fromdate) * 1000000 + (.time[20:26] | tonumber))"' "$W/json" |
			awk 'NR == FNR { asked[NR] = $1; end[NR] = $2; tests = NR; next }
				{ for (i = 1; i <= tests; i++) if ($1 >= end[i] - 8.2e6 && $1 <= end[i] - 0.1e6) {
					if (!(i in a)) { a[i] = $1; ca[i] = $3; wa[i] = $4 }
					b[i] = $1; cb[i] = $3; wb[i] = $4 } }
				END { for (i = 1; i <= tests; i++) if (b[i] - a[i] > 7.5e6)
					printf "%g %.3f %.3f\n", asked[i], (cb[i] - ca[i]) / (b[i] - a[i]) / 10,
						(wb[i] - wa[i]) / (b[i] - a[i]) / 10 }' - "$W/samples"
	fi
}

# HIGHEST WAITED FILE: the greatest deviation, points, of those asked for up to HIGHEST that waited for their CPU
# at most WAITED
deviation() {
	awk -v h="$1" -v w="$2" '$1 > 0 && $1 <= h && $3 <= w { d = $2 - $1; if (d < 0) d = -d; if (d > worst) worst = d; n++ }
		END { if (n) printf "%.2f\n", worst; else print "-" }' "$3"
}

# TOOL CASE OPTION...: in the background; $tool_pid, once it runs
calibrate_bg() {
	local command=("$peer")
	[ "$1" = peer ] || command=("$sysmon" --json="$W/json")
	rm -f "$W/json"
	# Without it a job of this shell ignores SIGINT.
	"$TOP/tests/lab/run" "$(spec_of "$2")" "$W/log" -- env --default-signal=INT,TERM "${command[@]}" -R "${@:3}" >"$W/out" 2>"$W/err" &
	tool_pid=$!
	until [ "$(cat /proc/$tool_pid/comm 2>/dev/null)" = power-calibrate ]; do
		kill -0 $tool_pid 2>/dev/null || { say "bench: $1 does not start: $(head -n 3 "$W/err")"; return 1; }
		sleep 0.01
	done
}

duty_run() { # TOOL OPTION...: samples in $W/samples, shares in $W/shares
	calibrate_bg "$1" clean -n 0 "${@:2}"
	sample_loads "$tool_pid" >"$W/samples" 2>/dev/null
	wait "$tool_pid"
	duties "$1" >"$W/shares"
	say "bench: asked and given: $(tr '\n' ';' <"$W/shares")"
}

run_duty() {
	local tool competitor levels=11
	[ "$quick" != 1 ] || levels=6
	for tool in "${tools[@]}"; do
		others_too "$tool" || continue
		say "bench: duty cycles, $tool"
		if [ "$tool" = peer ]; then duty_run peer -s 6 -r 10; else duty_run sysmon -s $levels -r 9; fi
		record "$tool:duty" "$(deviation 90 2 "$W/shares")"
		[ "$tool" = peer ] || one_percent
		say "bench: duty cycles beside a competitor, $tool"
		taskset -c 0 sh -c 'while :; do :; done' &
		competitor=$!
		if [ "$tool" = peer ]; then duty_run peer -s 6 -r 10; else duty_run sysmon -s 6 -r 9; fi
		kill $competitor
		wait $competitor 2>/dev/null
		record "$tool:beside" "$(deviation 40 100 "$W/shares")"
	done
}

# The order of tests depends on the seed alone; with this one 1 % is the first of 101 levels.
one_percent() {
	duty_run sysmon -s 101 -r 9 --seed=3 --count 1
	record sysmon:one "$(awk '$1 == 1 { d = $2 - 1; printf "%.3f\n", d < 0 ? -d : d; n = 1 } END { if (!n) print "-" }' "$W/shares")"
}

# --- the tool's own cost ---
run_costs() {
	local tool from to calls
	for tool in "${tools[@]}"; do
		others_too "$tool" || continue
		say "bench: costs, $tool"
		calibrate_bg "$tool" clean -n 0 -s 3 -r 20
		sleep 2
		from=$(cut -d ' ' -f 1 "/proc/$tool_pid/schedstat")
		sleep 10
		to=$(cut -d ' ' -f 1 "/proc/$tool_pid/schedstat")
		record "$tool:cpu" "$(ratio $((to - from)) 10000000 3)"
		record "$tool:rss" "$(awk '/^VmHWM/ { print $2 }' "/proc/$tool_pid/status")"
		if command -v strace >/dev/null; then
			timeout -s INT 8 strace -c -U calls,name -o "$W/strace" -p "$tool_pid" 2>/dev/null
			calls=$(awk '$NF == "total" { print $1 }' "$W/strace")
			record "$tool:calls" "$(ratio "${calls:--}" 8 1)"
		fi
		kill -INT "$tool_pid"
		wait "$tool_pid"
	done
}

# --- how long a run takes, and whether it said so ---
now_ms() { echo $((${EPOCHREALTIME/./} / 1000)); }
announced() { # seconds, from the message
	sed -nE 's/.* tests of .*: ([0-9hmins ]+)$/\1/p' "$W/err" | tail -n 1 |
		awk '{ for (i = 1; i < NF; i += 2) s += $i * ($(i + 1) == "h" ? 3600 : $(i + 1) == "min" ? 60 : 1); print s + 0 }'
}
run_times() {
	local tool from options=(-n 0)
	# The time to start and to end: that of a run less its tests.
	for tool in "${tools[@]}"; do
		others_too "$tool" || continue
		from=$(now_ms)
		calibrate "$tool" clean -n 0 -s 3 -r 10
		record "$tool:start" $(($(now_ms) - from - 30000))
	done
	[ "$quick" != 1 ] || options+=(-r 4)
	say 'bench: the default run'
	from=$(now_ms)
	calibrate sysmon clean "${options[@]}"
	record sysmon:default "$(ratio $(($(now_ms) - from)) 1000 1)"
	record sysmon:announced "$(announced)"
	# 11 levels of 120 s, by its manual.
	record peer:default $((11 * 120))
}

# --- the end ---
# PID...: ms until none of them runs; a zombie does not.
gone_ms() {
	local from p alive
	from=$(now_ms)
	while :; do
		alive=
		for p in "$@"; do
			read -r _ _ state _ 2>/dev/null <"/proc/$p/stat" && [ "$state" != Z ] && alive=1
		done
		if [ -z "$alive" ] || [ $(($(now_ms) - from)) -gt 3000 ]; then break; fi
	done
	echo $(($(now_ms) - from))
}
run_ends() {
	local tool signal loads
	for tool in "${tools[@]}"; do
		others_too "$tool" || continue
		for signal in INT KILL; do
			say "bench: SIG$signal, $tool"
			calibrate_bg "$tool" clean -s 3 -r 10
			sleep 12 # until all CPUs are loaded
			mapfile -t loads < <(pgrep -x -P "$tool_pid" power-calibrate)
			kill -$signal "$tool_pid"
			record "$tool:$signal" "$(gone_ms "${loads[@]}")"
			wait "$tool_pid"
			record "$tool:$signal:status" $?
			kill -KILL "${loads[@]}" 2>/dev/null
		done
	done
}

# --- machines of chance ---
run_hidden() {
	local seed n=${BENCH_HIDDEN:-30}
	for ((seed = 1; seed <= n; seed++)); do
		"$TOP/tests/lab/gen" meter "$seed" >"$W/hidden.spec"
		calibrate_quiet sysmon "$W/hidden.spec" -r 10 -s 3
		truth
		found sysmon
		say "bench: machine $seed: $found_slope W, truth $true_slope, +-$found_half %, others $(others sysmon) CPUs"
		record hidden:in "$found_in"
		record hidden:half "$found_half"
		record hidden:error "$(error "$found_slope" "$true_slope")"
	done
}

# --- the report ---
plain() { all_values "$1" | tr _ ' '; }
both() { row "$1" "$2" "$(plain "peer:$3")" "$(plain "sysmon:$3")" -; }
disturbed() { # CASE WHAT SLOPE BASE
	versus "$2: error of the slope, %" "$3" "$1:slope"
	versus "$2: error of the base, %" "$4" "$1:base"
	row "$2: half width of the interval, %; the truth is in it" '95 of 100' - "$(median "sysmon:$1:half" | cut -c 1-5); $(all_values "sysmon:$1:in")" -
	row "$2: CPUs that others used meanwhile" - "$(median "peer:$1:others" | cut -c 1-5)" "$(median "sysmon:$1:others" | cut -c 1-5)" -
}
spread() { # the greatest deviation of the kernels from their mean, %
	awk -v a="$(median sysmon:kernel:mwc)" -v b="$(median sysmon:kernel:double)" -v c="$(median sysmon:kernel:mem)" 'BEGIN {
		if (a == "-" || b == "-" || c == "-") { print "-"; exit }
		m = (a + b + c) / 3; max = a; min = a; if (b > max) max = b; if (c > max) max = c; if (b < min) min = b; if (c < min) min = c
		printf "%.2f\n", 100 * (max - min) / m }'
}
# shellcheck disable=SC2016
write_report() {
	preamble power-calibrate
	echo 'Machines of 5 W and 10 W for each busy CPU (tests/lab), whose CPU time is the real one of this machine; each run is'
	echo "\`-R -r 10 -s 3\`, 50 s, of the original 60 s."
	echo 'Energy of an operation: against 10 W over the operations in a second of CPU time of the clean run; the original,'
	echo 'which shows them with one digit, against its own figure in the clean run.'
	echo
	heading what target original sysmon ratio
	disturbed clean clean '+- 1' '+- 2'
	disturbed noise 'noise of 0.5 W' '+- 2.5' -
	disturbed drift 'drift of 0.05 W/s' '+- 3' -
	versus 'drift, error of what is reported, %' '+- 25' drift:drift
	disturbed outliers 'outliers of 60 W, 1 s in 40' '+- 3' -
	disturbed wrap 'the counter wraps' '+- 1' '+- 2'
	disturbed other "other load half of the time" '+- 3' -
	versus 'energy of an operation, clean, error, %' '+- 5' clean:energy
	versus 'energy of an operation, other load beside, error, %' '+- 5' other:energy
	row 'a busy CPU by --op mwc, double and mem: greatest difference, %' '<= 5' - "$(spread)" -
	both 'curved power: "not linear"' said curved
	both 'falling power, 30 W - 20 W: 1 % is' '-200 mW' falling
	both 'two package-0 (mmio)' 'not doubled' snag:mmio
	both '64 domains, 63 of them idle' right snag:64domains
	both 'package and psys' 'not doubled' snag:psys.spec
	both 'the counter vanishes' 'message, exit 3' snag:vanish.spec
	both 'constant power' 'message, exit 1' snag:constant
	versus 'duty cycle 10 to 90 % (the original 20 to 80 %), greatest error in 8 s in which no other program had the CPU, points' '<= 0.3' duty
	versus 'duty cycle 1 %, error, points' '<= 0.3' one
	versus 'beside a competitor, up to 40 %, points' '<= 0.5' beside
	versus 'own CPU time, % of a CPU' - cpu
	versus 'peak resident memory, kB' - rss
	versus 'system calls in a second' - calls
	versus 'time of a run beside its tests, ms' - start
	versus "default run of one CPU$([ "$quick" != 1 ] || echo ' (-r 4)'), s (announced: $(median sysmon:announced))" '<= 300; announced +- 10 %' default
	versus 'SIGINT: ms until all loads have ended' '<= 200' INT
	both 'its exit status' 130 INT:status
	versus 'SIGKILL: ms until all loads have ended (3000: never)' '<= 500' KILL
	if [ -n "${series[hidden:in]-}" ]; then
		row "machines of chance ($(wc -w <<<"${series[hidden:in]}")): the truth is in the interval" '27 of 30' - \
			"$(tr ' ' '\n' <<<"${series[hidden:in]}" | grep -c 1)" -
		row 'their half widths, %: median; within 3 %' '<= 3' - "$(median hidden:half | cut -c 1-5); $(
			tr ' ' '\n' <<<"${series[hidden:half]}" | awk '$1 != "" && $1 <= 3 { n++ } END { print n + 0 }')" -
	fi
	echo
	echo 'The default run on more CPUs: `make unit-power-calibrate/plan` has the plan of 1 to 1024 CPUs, at most 5 minutes.'
	echo 'The coverage of intervals: `REGRESS_RUNS=800 make unit-regress`.'
}

for part in ${BENCH_ONLY:-truth kernels shapes sources duty costs times ends}; do
	[ "$quick" != 1 ] || [ -n "${BENCH_ONLY-}" ] || case $part in kernels | shapes) continue ;; esac
	"run_$part"
	write_report >"$report" # also of a run that is ended early
done
say "bench: $report"
