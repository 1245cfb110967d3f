#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/stressors.sh REPORT: compares stressors with Debian's stress-ng, if installed, and both with bare loops
# (tests/helpers/bareloops.c) in the same run: rates, how exactly loads and rates are kept, latencies, how soon all
# processes have ended, and what a start and an instance cost.  What can be counted from outside is (counters of the
# kernel, process clocks, reference bits of pages: tests/helpers/stresswatch.c).  Figures are medians of the rounds.
# The machine must be idle.  As root.
# BENCH_QUICK=1: one short round and a part of the cases.  BENCH_ROUNDS: their number.  BENCH_PEER: another stress-ng
# to compare with (empty: none).  BENCH_ONLY: stream, memrate, bursts, sorts, kernels, load, cyclic, ends, perf or start.
# shellcheck disable=SC2154 # what eval and usage read
set -u
here=$(cd "$(dirname "$0")" && pwd)
TOP=${TOP:-$(dirname "$here")}
BUILD=${BUILD:-$TOP/build/default}
HELPERS=${HELPERS:-$BUILD/helpers}
sysmon=$(realpath -m "${STRESSORS:-$BUILD/bin/stressors}")
report=$(realpath -m "${1:-$here/report-stressors.md}")
. "$here/lib.sh"
export LC_ALL=C.UTF-8 TMPDIR=$W

quick=${BENCH_QUICK:-}
if [ "$quick" = 1 ]; then rounds=1 seconds=1; else rounds=3 seconds=2; fi
rounds=${BENCH_ROUNDS:-$rounds}

for need in "$sysmon" "$HELPERS/bareloops" "$HELPERS/stresswatch"; do
	[ -x "$need" ] || { say "bench: no $need"; exit 1; }
done
command -v jq >/dev/null || { say 'bench: needs jq'; exit 1; }
peer=${BENCH_PEER-$(dpkg -L stress-ng 2>/dev/null | grep -E '/s?bin/stress-ng$')}
[ -n "$peer" ] || say "bench: Debian's stress-ng is not installed (apt install stress-ng): its columns stay empty"
tools=(sysmon)
[ -z "$peer" ] || tools+=(peer)
last_cpu=$(($(nproc) - 1))
cd "$W" || exit 1 # stress-ng makes its files here

# --- runs and their figures ---
exec {never}<> <(:)
pause() { read -rt "$1" -u "$never"; } # SECONDS, without a process
idle_ticks() { local v; read -r -a v </proc/stat; echo $((v[4] + v[5])); }
# Until others have let the CPUs idle for a moment, 10 s at most, and not again after it was in vain twice.
moments=0 busy=0
calm() {
	local a from end=$((SECONDS + 10))
	moments=$((moments + 1))
	while [ $SECONDS -lt $end ]; do
		a=$(idle_ticks) from=${EPOCHREALTIME/./}
		pause 0.2
		[ $((($(idle_ticks) - a) * 11000)) -lt $(((${EPOCHREALTIME/./} - from) * $(nproc))) ] || return
		[ $busy -lt 2 ] || break
	done
	busy=$((busy + 1))
}
command_of() { # TOOL OPTION...: in $command
	case $1 in
	peer) command=("$peer" --metrics -Y "$W/yaml" "${@:2}") ;;
	*) command=("$sysmon" -q --json="$W/json" "${@:2}") ;;
	esac
}
run_tool() { # TOOL OPTION...
	command_of "$@"
	rm -f "$W/json" "$W/yaml"
	calm
	${on_cpu:+taskset -c "$on_cpu"} "${command[@]}" >"$W/out" 2>&1 ||
		say "bench: ${command[*]}: status $?: $(tail -n 2 "$W/out")"
}
of_sysmon() { jq -r --arg s "$1" "select(.type == \"result\" and .stressor == \$s) | $2" "$W/json"; } # STRESSOR JQ
metric() { of_sysmon "$1" ".metrics[] | select(.name == \"$2\").value"; } # STRESSOR METRIC
of_peer() { # SECTION STRESSOR KEY
	awk -v section="$1:" -v s="$2" -v key="$3:" '
		/^[a-z]/ { here = $1 == section }
		here && $2 == "stressor:" { found = $3 == s }
		here && found && $1 == key { print $2; exit }' "$W/yaml"
}
ops_rate() { # TOOL STRESSOR
	if [ "$1" = peer ]; then of_peer metrics "$2" bogo-ops-per-second-real-time; else of_sysmon "$2" .ops_per_s; fi
}
bare() { # KEY ARGUMENT...: the value KEY of a bare loop
	"$HELPERS/bareloops" -t "$seconds" "${@:2}" | tr ' ' '\n' | sed -n "s/^$1=//p"
}
calc() { awk "BEGIN { printf \"%.${2:-1}f\\n\", $1 }" 2>/dev/null || echo -; } # EXPRESSION DIGITS
greatest() { tr ' ' '\n' <<<"${series[$1]-}" | sort -g | tail -n 1 | grep . || echo -; } # KEY
tree() { # PID: it and all below it
	local p below=
	echo "$1"
	read -r below <"/proc/$1/task/$1/children" # the file has no newline: read fails, and yet reads
	for p in $below; do tree "$p"; done
}

# --- stream ---
run_stream() {
	local round n a b
	for ((round = 1; round <= rounds; round++)); do
		for n in 1 2; do
			say "bench: stream, $n, round $round"
			calm
			record "bare:stream:$n" "$(for ((i = 0; i < n; i++)); do bare mbs triad 67108864 & done | awk '{ s += $1 } END { print s }')"
			run_tool sysmon --stream $n -t "$seconds"
			record "sysmon:stream:$n" "$(calc "$(metric stream read) + $(metric stream write)")"
			# Arrays of 64 MB too; it has a rate only of a longer run, the mean of its instances.  If it has none:
			# an op reads and writes an array ten times.
			[ -n "$peer" ] || continue
			run_tool peer --stream $n --stream-l3-size $((16 * n))M -t 6
			a=$(of_peer metrics stream memory-read-rate-mb-per-sec) b=$(of_peer metrics stream memory-write-rate-mb-per-sec)
			if [ -n "$a" ]; then a=$(calc "($a + $b) * $n"); else a=$(calc "$(ops_rate peer stream) * 640"); fi
			record "peer:stream:$n" "$a"
		done
	done
}

# --- memrate ---
rates_of() { # TOOL: "METHOD MB/S" of the last run
	if [ "$1" = peer ]; then
		awk '$1 ~ /-mb-per-sec:$/ { sub(/-mb-per-sec:/, "", $1); print $1, $2 }' "$W/yaml"
	else
		of_sysmon memrate '.metrics[] | "\(.name) \(.value)"'
	fi
}
best() { awk -v re="$1" '$1 ~ re && $2 > m { m = $2 } END { print m ? m : "-" }' "$2"; } # ERE FILE

run_memrate() {
	local tool size rate rates='10 50 200 1000 5000' sizes='256M 16M' time=5
	[ "$quick" != 1 ] || rates='200 1000' sizes=256M time=3
	for size in $sizes; do
		for tool in "${tools[@]}"; do
			say "bench: memrate without a limit, $size, $tool"
			run_tool "$tool" --memrate 1 --memrate-bytes "$size" -t $((time + 1))
			rates_of "$tool" >"$W/free.$tool.$size"
		done
	done
	for tool in "${tools[@]}"; do
		record "$tool:best:write" "$(best '^(write|memset)' "$W/free.$tool.256M")"
		record "$tool:best:read" "$(best '^read' "$W/free.$tool.256M")"
	done
	calm
	record bare:best:write "$(bare mbs write-nt 268435456)"
	record bare:best:read "$(bare mbs read 268435456)"
	for rate in $rates; do
		for size in $sizes; do
			for tool in "${tools[@]}"; do
				say "bench: memrate, $rate MB/s, $size, $tool"
				run_tool "$tool" --memrate 1 --memrate-bytes "$size" --memrate-rd-mbs "$rate" --memrate-wr-mbs "$rate" -t $time
				rates_of "$tool" >"$W/limited"
				record_errors "$tool:$rate:$size" "$rate" "$W/free.$tool.$size"
			done
		done
	done
}
# Of the methods that reach 1.1 times the rate without a limit: the errors in percent, and how many were measured.
record_errors() { # KEY RATE FILE
	local errors n
	errors=$(awk -v r="$2" 'NR == FNR { free[$1] = $2; next } free[$1] >= 1.1 * r {
		e = 100 * ($2 / r - 1); printf "%.4f\n", e < 0 ? -e : e }' "$3" "$W/limited" | sort -g)
	n=$(awk -v r="$2" '$2 >= 1.1 * r { n++ } END { print n + 0 }' "$3")
	record "${1%%:*}:measured" "$(grep -c . <<<"$errors")_of_$n"
	[ -n "$errors" ] || return
	record "$1:median" "$(awk '{ v[NR] = $1 } END { print v[int(NR / 2) + 1] }' <<<"$errors")"
	record "$1:worst" "$(tail -n 1 <<<"$errors")"
	record "${1%%:*}:worst" "$(tail -n 1 <<<"$errors")"
	for n in $errors; do record "${1%%:*}:errors" "$n"; done
}

# The highest rate of the windows of 0.1 s, by the reference bits of the pages, in the first second and after it.  The
# memory is a quarter of a second's: no page is touched twice in a window, and its bits are soon read.
run_bursts() {
	local tool rate rates='50 200 1000 2000' time=4
	[ "$quick" != 1 ] || rates=1000 time=2.5
	for rate in $rates; do
		for tool in "${tools[@]}"; do
			say "bench: bursts at $rate MB/s, $tool"
			command_of "$tool" --memrate 1 --memrate-bytes $((rate / 4 + 4))M --memrate-rd-mbs "$rate" --memrate-wr-mbs "$rate" -t 30
			calm
			"$HELPERS/stresswatch" refs 100 $time "${command[@]}" 2>"$W/stderr" | grep '^[0-9]' >"$W/refs"
			eval "$(awk -v r="$rate" '{ b = $3 / $2 * 1000 / r; all += $3; ms += $2
					if ($1 <= 1050) { if (b > first) first = b } else if (b > later) later = b }
				END { printf "first=%.3f later=%.3f mean=%.3f\n", first, later, all / ms * 1000 / r }' "$W/refs")"
			record "$tool:burst:first" "$first"
			record "$tool:burst:later" "$later"
			record "$tool:burst:mean" "$mean"
		done
	done
}

# --- sorts: so many ops that none is cut short; the same work in one op of both ---
run_sorts() {
	local round tool s ops
	for ((round = 1; round <= rounds; round++)); do
		for s in qsort:40 heapsort:20 mergesort:60 radixsort:60; do
			ops=${s#*:} s=${s%:*}
			[ "$quick" != 1 ] || ops=$((ops / 2))
			for tool in "${tools[@]}"; do
				say "bench: $s, round $round, $tool"
				run_tool "$tool" --"$s" 1 --"$s"-size 262144 --"$s"-ops "$ops" -t 60
				record "$tool:$s" "$(ops_rate "$tool" "$s")"
				[ "$s" != radixsort ] || continue
				if [ "$tool" = peer ]; then
					record "peer:$s:compared" "$(calc "$(of_peer metrics "$s" "$s-comparisons-per-sec") / 1e6")"
				else
					record "sysmon:$s:compared" "$(calc "$(metric "$s" comparisons) / 1e6")"
				fi
			done
		done
	done
}

# --- matrix, switch, pipe, fork: by the kernel's counters where it has them ---
counter() { awk -v key="$1" '$1 == key { print $2 }' /proc/stat /proc/vmstat; } # ctxt, processes, pgfault
written() { # PID: bytes that it and what it started have written
	local p sum=0 key n
	for p in $(tree "$1"); do
		while read -r key n; do [ "$key" != wchar: ] || sum=$((sum + n)); done <"/proc/$p/io"
	done 2>/dev/null
	echo "$sum"
}
# COUNTER COMMAND...: steps a second of a counter of the kernel in the middle of a run; the run is ended by SIGINT
counted() {
	local a b from to pid
	calm
	${on_cpu:+taskset -c "$on_cpu"} env --default-signal=INT "${@:2}" >"$W/out" 2>&1 &
	pid=$!
	pause 0.6
	if [ "$1" = wchar ]; then a=$(written $pid); else a=$(counter "$1"); fi
	from=${EPOCHREALTIME/./}
	pause "$seconds"
	if [ "$1" = wchar ]; then b=$(written $pid); else b=$(counter "$1"); fi
	to=${EPOCHREALTIME/./}
	kill -INT $pid
	wait $pid
	calc "($b - $a) * 1e6 / ($to - $from)"
}
kernel_of() { # TOOL KEY COUNTER OPTION...
	local loop
	if [ "$1" = bare ]; then
		IFS=' ' read -r -a loop <<<"$4"
		command=("$HELPERS/bareloops" -t 60 "${loop[@]}")
	else
		command_of "$1" "${@:4}" -t 60
	fi
	record "$1:$2" "$(counted "$3" "${command[@]}")"
}

run_kernels() {
	local round tool
	for ((round = 1; round <= rounds; round++)); do
		for tool in bare "${tools[@]}"; do
			say "bench: switch, pipe, fork, matrix, round $round, $tool"
			on_cpu=$last_cpu
			if [ "$tool" = bare ]; then
				kernel_of bare switch ctxt switch
				on_cpu=
				kernel_of bare pipe wchar 'pipe 4096'
				kernel_of bare pipe64k wchar 'pipe 65536'
				kernel_of bare fork processes fork
				continue
			fi
			kernel_of "$tool" switch ctxt --switch 1 --switch-method pipe
			[ "$tool" = peer ] || record own:switch "$(calc "$(ops_rate sysmon switch) / $(median sysmon:switch)" 3)"
			on_cpu=
			kernel_of "$tool" pipe wchar --pipe 1 --pipe-data-size 4096
			[ "$tool" = peer ] || record own:pipe "$(calc "$(ops_rate sysmon pipe) * 4096 / $(median sysmon:pipe)" 3)"
			kernel_of "$tool" fork processes --fork 1
			[ "$tool" = peer ] || record own:fork "$(calc "$(ops_rate sysmon fork) / $(median sysmon:fork)" 3)"
			[ "$tool" = peer ] || kernel_of "$tool" pipe64k wchar --pipe 1 --pipe-data-size 65536
			run_tool "$tool" --matrix 1 --matrix-method prod --matrix-size 128 -t "$seconds"
			record "$tool:matrix" "$(ops_rate "$tool" matrix)"
		done
	done
}

# --- shares of a CPU: the greatest deviation of a window, points ---
shares() { # TOOL KEY PERCENT
	local windows=3
	[ "$quick" != 1 ] || windows=2
	command_of "$1" --cpu 1 --cpu-load "$3" -t 60
	[ -n "$on_cpu" ] || calm
	${on_cpu:+taskset -c "$on_cpu"} "$HELPERS/stresswatch" shares $windows "${command[@]}" 2>/dev/null | grep '^[0-9.]*$' >"$W/shares"
	record "$1:$2:$3" "$(awk -v p="$3" '{ d = $1 - p; if (d < 0) d = -d; if (d > m) m = d } END { printf "%.2f\n", m }' "$W/shares")"
	say "bench: share of $3 %, $1: $(tr '\n' ' ' <"$W/shares")"
}
run_load() {
	local tool percent competitor alone='1 10 25 50 75 90' beside='10 25 40'
	[ "$quick" != 1 ] || alone='1 25 90' beside=25
	on_cpu=
	for percent in $alone; do
		for tool in "${tools[@]}"; do shares "$tool" alone "$percent"; done
	done
	on_cpu=$last_cpu
	taskset -c "$last_cpu" sh -c 'while :; do :; done' &
	competitor=$!
	for percent in $beside; do
		for tool in "${tools[@]}"; do shares "$tool" beside "$percent"; done
	done
	kill $competitor
	wait $competitor 2>/dev/null
	on_cpu=
}

# --- cyclic, beside a bare loop on the same CPU ---
late_of() { # TOOL PERCENTILE: ns
	if [ "$1" = peer ]; then sed -nE "s/.*cyclic: *$2\.00%: *([0-9]+) ns.*/\1/p" "$W/out"; else metric cyclic "$2 %"; fi
}
run_cyclic() {
	local round tool p policy p50 p90 p99 n times=$((rounds > 1 ? rounds * 2 - 1 : 1))
	on_cpu=$last_cpu
	for ((round = 1; round <= times; round++)); do
		for policy in fifo other; do
			say "bench: cyclic, $policy, round $round"
			p='50 0'
			[ $policy = fifo ] || p='0 -'
			# shellcheck disable=SC2086 # two arguments
			eval "$("$HELPERS/bareloops" -t "$seconds" -c "$last_cpu" cyclic 100 $policy $p)"
			record bare:$policy:50 "$p50"
			record bare:$policy:90 "$p90"
			record bare:$policy:99 "$p99"
			for tool in "${tools[@]}"; do
				# stress-ng knows neither the policy "other" nor a DMA latency.
				if [ "$tool" = sysmon ] && [ $policy = fifo ]; then
					run_tool sysmon --cyclic 1 --cyclic-policy fifo --cyclic-prio 50 --cyclic-dma-latency 0 -t "$seconds"
				elif [ "$tool" = sysmon ]; then
					run_tool sysmon --cyclic 1 -t "$seconds"
				elif [ $policy = fifo ]; then
					run_tool peer --cyclic 1 --cyclic-policy fifo --cyclic-prio 50 -t "$seconds"
				else
					continue
				fi
				for p in 50 90 99; do record "$tool:$policy:$p" "$(late_of "$tool" $p)"; done
			done
		done
	done
	for tool in "${tools[@]}"; do
		say "bench: cyclic with a stall, $tool"
		command_of "$tool" --cyclic 1 --cyclic-policy fifo -t 3.5
		[ "$tool" = sysmon ] || command=("$peer" --cyclic 1 --cyclic-policy fifo -t 4)
		taskset -c "$on_cpu" "$HELPERS/stresswatch" stall 2.5 2 "${command[@]}" >"$W/out" 2>&1
		if [ "$tool" = peer ]; then
			record peer:stall "$(sed -nE 's/.*max: ([0-9]+) ns.*/\1/p' "$W/out" | awk '{ printf "%.2f_ms\n", $1 / 1e6 }')"
		else
			record sysmon:stall "$(calc "$(metric cyclic maximum) / 1e6" 2)_ms_at_$(calc "$(metric cyclic 'maximum at')" 2)_s"
		fi
	done
	on_cpu=
}

# --- the end ---
cases=('cpu 1' 'memrate 1 --memrate-bytes 256M' 'matrix 1 --matrix-size 1024' 'stream 1 --stream-l3-size 64M' 'vm 1 --vm-bytes 1G'
	'fork 1' 'qsort 1 --qsort-size 4194304' 'cyclic 1')
[ "$quick" != 1 ] || cases=("${cases[@]:1:3}")
left() { # files, segments, queues and semaphores
	{ find "$W" /dev/shm -mindepth 1 ! -path "$W/json" ! -path "$W/yaml" ! -path "$W/out" ! -path "$W/err"; ipcs -mqs | grep '^0x'; } | wc -l
}
gone() { # KEY SIGNAL SECONDS: of $command; sets gone_ms and status
	calm
	eval "$("$HELPERS/stresswatch" gone "$2" "$3" "${command[@]}" 2>"$W/err" | tail -n 1 | tee "$W/out")"
	record "$1" "$gone_ms"
}
end_of() { # TOOL CASE SIGNAL
	local options name=${2%% *} before
	IFS=' ' read -r -a options <<<"--$2"
	command_of "$1" "${options[@]}" -t "$([ "$3" = 0 ] && echo 2 || echo 60)"
	before=$(left)
	rm -f "$W/json" "$W/yaml"
	gone "$1:end:$3:$name" "$3" "$([ "$3" = 0 ] && echo 2 || echo 0.8)"
	record "$1:status:$3" "$status"
	[ "$3" != 9 ] || record "$1:left" $(($(left) - before))
	# With -t the clock starts after the setup.
	[ "$1:$3" != sysmon:0 ] || record "sysmon:setup:$name" "$(calc "$(of_sysmon "$name" .setup_s) * 1000")"
}
run_ends() {
	local tool case signal
	for case in "${cases[@]}"; do
		for tool in "${tools[@]}"; do
			say "bench: end of ${case%% *}, $tool"
			for signal in 0 2 15 9; do end_of "$tool" "$case" $signal; done
		done
	done
}

# --- --perf: the figures of the whole run against the kernel's counters ---
perf_of() { # TOOL STRESSOR FIGURE PEER-KEY: total and rate of the event, and the time
	if [ "$1" = peer ]; then
		total=$(of_peer perfstats "$2" "$4_total") per_s=$(of_peer perfstats "$2" "$4_per_second")
		wall=$(of_peer metrics "$2" wall-clock-time)
	else
		total=$(of_sysmon "$2" ".figures[] | select(.name == \"$3\").value")
		per_s=$(of_sysmon "$2" ".figures[] | select(.name == \"$3\").per_s") wall=$(of_sysmon "$2" .wall_s)
	fi
}
run_perf() {
	local tool case stressor count a b own theirs
	for case in 'switch ctxt context-switches context_switches' 'fork pgfault page-faults-minor page_faults_minor'; do
		read -r stressor count own theirs <<<"$case"
		for tool in "${tools[@]}"; do
			say "bench: --perf, $stressor, $tool"
			on_cpu=
			[ "$stressor" != switch ] || on_cpu=$last_cpu
			a=$(counter "$count")
			run_tool "$tool" --"$stressor" 1 --perf -t 3
			b=$(counter "$count")
			perf_of "$tool" "$stressor" "$own" "$theirs"
			record "$tool:perf:$stressor" "$(calc "100 * (${total:-0} / ($b - $a) - 1)" 2)"
			record "$tool:perf:$stressor:rate" "$(calc "100 * (${per_s:-0} * $wall / (${total:-0} + 1e-9) - 1)" 2)"
		done
	done
	on_cpu=
}

# --- start, instances, size ---
path_of() { case $1 in peer) echo "$peer" ;; *) echo "$sysmon" ;; esac; }
start_of() { # TOOL KEY OPTION...
	usage "$(path_of "$1")" "${@:3}" || return
	record "$1:$2:wall" "$(calc "$wall_us / 1000" 2)"
	record "$1:$2:cpu" "$(calc "($user_us + $sys_us) / 1000" 2)"
	record "$1:$2:rss" "$maxrss_kb"
}
costs_of() { # TOOL KEY OPTION...
	if command -v strace >/dev/null; then
		strace -f -c -U calls,name -o "$W/strace" "$(path_of "$1")" "${@:3}" >/dev/null 2>&1
		record "$1:$2:calls" "$(awk '$NF == "total" { print $1 }' "$W/strace")"
	fi
	if command -v valgrind >/dev/null; then
		rm -f "$W"/callgrind.*
		valgrind -q --tool=callgrind --trace-children=yes --callgrind-out-file="$W/callgrind.%p" "$(path_of "$1")" "${@:3}" >/dev/null 2>&1
		record "$1:$2:instructions" "$(cat "$W"/callgrind.* | awk '/^(summary|totals):/ { if ($1 == "totals:") n += $2 } END { printf "%.2f\n", n / 1e6 }')"
	fi
}
pss_of() { # PID: kB of it and of all below it
	local p sum=0 key n
	for p in $(tree "$1"); do
		while read -r key n _; do [ "$key" != Pss: ] || sum=$((sum + n)); done <"/proc/$p/smaps_rollup"
	done 2>/dev/null
	echo "$sum"
}
switches_of() { awk '$1 == "voluntary_ctxt_switches:" { print $2 }' "/proc/$1/status"; } # PID
idle_instances() { # TOOL N
	local pid a
	command_of "$1" --cpu "$2" --cpu-load 1 -t 60
	env --default-signal=INT "${command[@]}" >/dev/null 2>&1 &
	pid=$!
	pause 2
	record "$1:pss:$2" "$(pss_of $pid)"
	if [ "$2" = 16 ]; then
		a=$(switches_of $pid)
		pause 3
		record "$1:wakeups" "$(calc "($(switches_of $pid) - $a) / 3")"
	fi
	kill -INT $pid
	wait $pid
}
run_start() {
	local tool i n=20
	[ "$quick" != 1 ] || n=7
	say 'bench: start'
	for ((i = 0; i < n; i++)); do
		for tool in "${tools[@]}"; do
			start_of "$tool" version --version
			start_of "$tool" op --cpu 1 --cpu-ops 1
		done
	done
	for tool in "${tools[@]}"; do
		say "bench: costs of a start and of instances, $tool"
		costs_of "$tool" version --version
		costs_of "$tool" op --cpu 1 --cpu-ops 1
		idle_instances "$tool" 16
		idle_instances "$tool" 128
		record "$tool:pss" "$(calc "($(median "$tool:pss:128") - $(median "$tool:pss:16")) / 112")"
		command_of "$tool" --cpu 128 --cpu-load 1 -t 2
		gone "$tool:many:0" 0 2
		command_of "$tool" --cpu 128 --cpu-load 1 -t 60
		gone "$tool:many:2" 2 2
		record "$tool:text" "$(size "$(path_of "$tool")" | awk 'NR == 2 { print $1 }')"
		record "$tool:help" "$("$(path_of "$tool")" --help | wc -l)"
		record "$tool:libraries" "$(ldd "$(path_of "$tool")" | grep -c '=> /')"
	done
}

# --- the report ---
figure() { # WHAT TARGET KEY [DIGITS]
	local b a o
	b=$(median "bare:$3") a=$(median "peer:$3") o=$(median "sysmon:$3")
	row "$1" "$2" "$(short "$b")" "$(short "$a")" "$(short "$o")" "$(ratio "$o" "$a")" "$(ratio "$o" "$b" 3)"
}
short() { awk -v v="$1" 'BEGIN { if (v !~ /^[-+0-9.e]+$/ || v == "-") print v; else printf "%.*f\n", v < 10 ? 2 : v < 100 ? 1 : 0, v }'; }
plain() { all_values "$1" | tr _ ' '; }
words() { row "$1" "$2" - "$(plain "peer:$3")" "$(plain "sysmon:$3")" - -; } # WHAT TARGET KEY
worst() { row "$1" "$2" - "$(greatest "peer:$3")" "$(greatest "sysmon:$3")" "$(ratio "$(greatest "sysmon:$3")" "$(greatest "peer:$3")" 3)" -; }
pair() { echo "$(median "$1:median") / $(median "$1:worst")"; } # KEY

report_rates() {
	local n s rate size
	for n in 1 2; do figure "stream, $n: read and written, MB/s; bare: triad" '>= 1.2, >= 0.90 of bare' stream:$n; done
	figure 'memrate: best write, MB/s; bare: past the caches' '>= 1.0, >= 0.95 of bare' best:write
	figure 'memrate: best read, MB/s' '>= 1.05, >= 0.95 of bare' best:read
	for rate in 10 50 200 1000 5000; do
		for size in 16M 256M; do
			row "memrate $rate MB/s, $size: error of the methods, %: median / worst" '<= 0.2 / <= 1' - \
				"$(pair "peer:$rate:$size")" "$(pair "sysmon:$rate:$size")" - -
		done
	done
	row 'all of them: median / worst' '<= 0.2 / <= 1' - "$(median peer:errors) / $(greatest peer:worst)" \
		"$(median sysmon:errors) / $(greatest sysmon:worst)" - -
	words 'methods measured in each of these runs, of those that reach the rate' all measured
	worst 'highest rate in any 0.1 s by asked, first second (reference bits)' '<= 1.15' burst:first
	worst 'the same after the first second' '<= 1.15' burst:later
	words 'mean rate by asked at 50, 200, 1000, 2000 MB/s, by the same bits' 'about 1' burst:mean
	words 'the highest of the first second at each of them' '<= 1.15' burst:first
	for s in qsort heapsort mergesort radixsort; do
		figure "$s of 262144: rounds/s" '>= 1.0' $s
		[ $s = radixsort ] || figure "$s: comparisons in the time of sorts, M/s" - $s:compared
	done
	figure 'matrix, product of 128 x 128: ops/s' '>= 1.0' matrix
	figure 'switch by pipes on one CPU: context switches/s of the machine' '>= 1.0, >= 0.95 of bare' switch
	figure 'pipe, writes of 4 KB: bytes/s by /proc/PID/io' '>= 1.0, >= 0.95 of bare' pipe
	figure 'pipe, writes of 64 KB: bytes/s (stress-ng: not possible)' '>= 0.95 of bare' pipe64k
	figure 'fork: processes/s of the machine' '>= 2.0, >= 0.8 of bare' fork
	row 'own rate of the whole run by that of the kernel in its middle: switch, pipe, fork' '0.97 to 1.03' - - \
		"$(median own:switch), $(median own:pipe), $(median own:fork)" - -
}
report_times() {
	local p s name
	for p in 1 10 25 50 75 90; do figure "--cpu-load $p: greatest deviation of a second, points" '<= 0.3' alone:$p; done
	for p in 10 25 40; do figure "the same beside a busy loop: --cpu-load $p" '<= 0.5' beside:$p; done
	for s in fifo other; do
		for p in 50 90 99; do
			figure "cyclic, $s: $p %, ns (difference to bare $(calc "$(median sysmon:$s:$p) - $(median bare:$s:$p)" 0))" \
				'within 5 % or 1000 ns of bare' $s:$p
		done
	done
	words 'cyclic: greatest lateness, stopped for 2 ms at 2.5 s' '>= 1.9 ms at 2.5 s' stall
	for name in "${cases[@]}"; do
		s=${name%% *}
		worst "--$name: all gone after -t 2, ms (of ours, $(greatest "sysmon:setup:$s") is the setup)" '<= 50 and setup' "end:0:$s"
		worst '. after SIGINT' '<= 50' "end:2:$s"
		worst '. after SIGTERM' '<= 50' "end:15:$s"
		worst '. after SIGKILL of the program alone' '<= 500' "end:9:$s"
	done
	words 'status after SIGINT' 130 status:2
	words 'status after SIGTERM' 143 status:15
	words 'files, segments and queues left after SIGKILL' 0 left
}
report_costs() {
	words '--perf: context switches of switch against /proc/stat, error in %' '+- 1' perf:switch
	words '--perf: page faults of fork against /proc/vmstat, error in %' '+- 1' perf:fork
	words '--perf: rate x time / total, error in %: switch' '+- 1' perf:switch:rate
	words '--perf: the same of fork' '+- 1' perf:fork:rate
	figure '--version: wall, ms' '<= 0.35' version:wall
	figure '--version: CPU, ms' - version:cpu
	figure '--version: peak RSS, kB' '<= 3072 kB' version:rss
	figure '--version: system calls' '<= 100' version:calls
	figure '--version: instructions, millions' - version:instructions
	figure '--cpu 1 --cpu-ops 1: wall, ms' '<= 0.35' op:wall
	figure '--cpu 1 --cpu-ops 1: CPU, ms' '<= 0.4' op:cpu
	figure '--cpu 1 --cpu-ops 1: peak RSS, kB' '<= 3072 kB' op:rss
	figure '--cpu 1 --cpu-ops 1: system calls' '<= 100' op:calls
	figure '--cpu 1 --cpu-ops 1: instructions, millions' - op:instructions
	figure '--cpu 16 --cpu-load 1: PSS of all, kB' - pss:16
	figure '--cpu 128 --cpu-load 1: PSS of all, kB' - pss:128
	figure 'PSS of each further instance, kB' '<= 250 kB' pss
	figure '128 instances: all gone after -t 2, ms' '<= 150 ms' many:0
	figure '128 instances: all gone after SIGINT, ms' '<= 150 ms' many:2
	figure 'wake-ups of the supervisor in a second' '<= 5' wakeups
	figure 'text of the program, bytes' '<= 409600' text
	figure 'lines of --help' '<= 60' help
	figure 'shared libraries' '<= 4' libraries
}
write_report() {
	preamble stress-ng stressors
	echo 'bare: the loop alone, tests/helpers/bareloops.c.  MB are 2^20 bytes.  Where there are several rounds, the rows of'
	echo 'rates are medians, those of deviations and bursts the worst.'
	[ $busy = 0 ] || printf '\nOther programs used the CPUs at the beginning of %d of %d measurements.\n' $busy $moments
	echo
	heading what target bare stress-ng stressors '/ stress-ng' '/ bare'
	report_rates
	report_times
	report_costs
}

for part in ${BENCH_ONLY:-stream memrate bursts sorts kernels load cyclic ends perf start}; do
	on_cpu=
	"run_$part"
	write_report >"$report" # also of a run that is ended early
done
say "bench: $report"
