#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/pagemon.sh REPORT: compares pagemon with Debian's pagemon, if installed, on a terminal of 132x43: CPU time, time
# to the first full screen, memory, what it writes to the terminal, system calls and instructions of a
# frame, what it does to the process that it watches, and how soon it answers a key.  Figures are medians of the rounds.
# BENCH_QUICK=1: one short round.  BENCH_ROUNDS: their number.  BENCH_PEER: another pagemon to compare with
# (empty: none).  BENCH_ONLY: screens, sparse, costs, intrusion, latency or keys.
# shellcheck disable=SC2154,SC2034 # what ptyrun writes is sourced
set -u
here=$(cd "$(dirname "$0")" && pwd)
TOP=${TOP:-$(dirname "$here")}
BUILD=${BUILD:-$TOP/build/default}
HELPERS=${HELPERS:-$BUILD/helpers}
sysmon=${PAGEMON:-$BUILD/bin/pagemon}
report=${1:-$here/report-pagemon.md}
. "$here/lib.sh"
export LC_ALL=C.UTF-8

if [ "${BENCH_QUICK:-}" = 1 ]; then rounds=1 seconds=3 frames=5; else rounds=3 seconds=10 frames=20; fi
rounds=${BENCH_ROUNDS:-$rounds}

tools=()
if [ -x "$sysmon" ]; then tools+=(sysmon); else say "bench: no $sysmon: its columns stay empty"; fi
peer=$(dpkg -L pagemon 2>/dev/null | grep -E '/s?bin/pagemon$')
peer=${BENCH_PEER-$peer}
if [ -n "$peer" ]; then tools+=(peer); else
	say "bench: Debian's pagemon is not installed (apt install pagemon): its columns stay empty"
fi
[ ${#tools[@]} -gt 0 ] || exit 1

path_of() { case $1 in peer) echo "$peer" ;; *) echo "$sysmon" ;; esac; }

# --- the process that is watched ---
load=0 pid=''
load_start() { # MODE: its lines are in $W/truth, its pid in $pid
	rm -f "$W/in"
	mkfifo "$W/in"
	: >"$W/truth"
	exec 8<>"$W/in"
	"$HELPERS/pageload" -t 3600 -d "$W" "$1" <"$W/in" >"$W/truth" 8>&- &
	load=$! pid=$!
	until grep -q '^ready' "$W/truth"; do
		kill -0 $load 2>/dev/null || { say "bench: pageload $1 does not start"; return 1; }
		sleep 0.05
	done
}
load_say() { # the load's line since the one before, in $W/line
	local before
	before=$(grep -cE '^(writer|latency)' "$W/truth")
	echo say >&8
	until [ "$(grep -cE '^(writer|latency)' "$W/truth")" -gt "$before" ]; do sleep 0.01; done
	grep -E '^(writer|latency)' "$W/truth" | tail -n 1 >"$W/line"
}
said() { sed -n "s/.*\\b$1=\\([0-9.]*\\).*/\\1/p" "$W/line"; } # KEY
load_end() {
	kill -TERM $load
	wait $load
	exec 8>&-
}

# COMMAND...: on a terminal; its measurements as variables, $status of the command
on_terminal() {
	"$HELPERS/ptyrun" "${pty[@]}" "$W/stats" "$@"
	# shellcheck disable=SC1091
	. "$W/stats"
}

# --- CPU, first screen, memory, bytes to the terminal ---
screen() { # TOOL KEY OPTION...: of the load that runs
	local tool=$1 key=$1:$2
	pty=(-t "$seconds" -w 30)
	on_terminal "$(path_of "$tool")" -p "$pid" "${@:3}"
	if [ "$full_ms" = - ] || [ "$status" != 0 ]; then
		record "$key:first" fails
		return
	fi
	record "$key:cpu" "$(ratio $((cpu_us * 10 / seconds)) 1000 1)"
	record "$key:first" "$full_ms"
	record "$key:complete" "$complete_ms"
	record "$key:rss" "$maxrss_kb"
	record "$key:bytes" "$(ratio "$bytes" "$seconds" 0)"
}

screens() { # MODE KEY OPTION...: of all tools
	local tool
	for tool in "${tools[@]}"; do
		say "bench: $1 ${*:3}, $tool"
		screen "$tool" "$2" "${@:3}"
	done
}

run_screens() {
	local round mode
	for ((round = 1; round <= rounds; round++)); do
		for mode in small big; do
			load_start $mode || continue
			screens $mode $mode:default
			screens $mode $mode:15000 -d 15000
			screens $mode $mode:100000 -d 100000
			screens $mode $mode:auto -a
			load_end
		done
		load_start maps:60000 || continue
		screens maps:60000 maps:default
		screens maps:60000 maps:15000 -d 15000
		load_end
	done
}

run_sparse() {
	local round mode
	for ((round = 1; round <= rounds; round++)); do
		for mode in sparse sparseres; do
			load_start $mode || continue
			screens $mode $mode:default
			screens $mode $mode:auto -a
			load_end
		done
	done
}

# --- system calls and instructions of a frame: the difference of two runs ---
calls() { # TOOL SECONDS
	pty=(-t "$2" -w 60)
	on_terminal strace -f -c -U calls,name -o "$W/strace" "$(path_of "$1")" -d 100000 -p "$pid"
	awk '$NF == "total" { print $1 }' "$W/strace"
}

# The delay is a second, because a frame takes long in valgrind.  It cannot write its file once privileges and system
# calls are dropped.
instructions_of() { # TOOL SECONDS
	local options=()
	[ "$1" = peer ] || options=(--keep-privileges)
	pty=(-t "$2" -w 120)
	on_terminal valgrind -q --tool=callgrind --callgrind-out-file="$W/callgrind" "$(path_of "$1")" \
		${options[@]+"${options[@]}"} -d 1000000 -p "$pid"
	awk '/^(summary|totals):/ { print $2; exit }' "$W/callgrind"
}

difference() { # KEY FUNCTION TOOL SECONDS FRAMES: the second run is longer by SECONDS with FRAMES
	local few many
	few=$("$2" "$3" 2)
	many=$("$2" "$3" $((2 + $4)))
	[ -z "$few" ] || [ -z "$many" ] || record "$1" $(((many - few) / $5))
}

run_costs() {
	local tool
	load_start big || return
	for tool in "${tools[@]}"; do
		if command -v strace >/dev/null; then
			say "bench: system calls, $tool"
			difference "$tool:calls" calls "$tool" 3 30
		fi
		if command -v valgrind >/dev/null; then
			say "bench: instructions, $tool"
			difference "$tool:instructions" instructions_of "$tool" $frames $frames
		fi
	done
	load_end
}

# --- what it does to the process ---
watched() { # TOOL|none SECONDS OPTION...: while the load counts
	if [ "$1" = none ]; then
		load_say
		sleep "$2"
		load_say
		return
	fi
	pty=(-t "$2" -w 60)
	load_say
	on_terminal "$(path_of "$1")" -p "$pid" "${@:3}"
	load_say
}

clears() { # TOOL: writes to clear_refs in $seconds
	local n
	pty=(-t "$seconds" -w 60)
	on_terminal strace -f -y -e trace=write,pwrite64 -o "$W/strace" "$(path_of "$1")" -p "$pid"
	n=$(grep -c 'clear_refs>' "$W/strace")
	record "$1:clears" "$n"
}

run_intrusion() {
	local round tool
	for ((round = 1; round <= rounds; round++)); do
		load_start writer || return
		for tool in none "${tools[@]}"; do
			say "bench: a writer, round $round, $tool"
			watched "$tool" "$seconds"
			record "$tool:minor" "$(awk -v n="$(said minor)" -v ns="$(said ns)" 'BEGIN { printf "%.1f\n", n * 1e9 / ns }')"
			record "$tool:pass" "$(said worst_us)"
			[ "$tool" = none ] || ! command -v strace >/dev/null || clears "$tool"
		done
		load_end
	done
}

# Beside a map of 16 TiB, which the original cannot watch: its figures are of 16 GiB.
run_latency() {
	local round tool mode
	for ((round = 1; round <= rounds; round++)); do
		for mode in latency latency_empty latency:16:1024; do
			load_start $mode || return
			for tool in none "${tools[@]}"; do
				[ "$tool:$mode" = "peer:latency:16:1024" ] || [ "$tool" != peer ] || continue
				say "bench: $mode, round $round, $tool"
				watched "$tool" "$seconds" -a
				record "$tool:$mode:median" "$(said median_us)"
				record "$tool:$mode:p99" "$(said p99_us)"
				record "$tool:$mode:worst" "$(said worst_us)"
			done
			load_end
		done
	done
}

# --- how soon a key is answered, at a refresh of a second ---
run_keys() {
	local round tool times
	load_start big || return
	for ((round = 1; round <= rounds; round++)); do
		for tool in "${tools[@]}"; do
			say "bench: keys, round $round, $tool"
			pty=(-k 'vcvc^[')
			on_terminal "$(path_of "$tool")" -d 1000000 -p "$pid"
			read -r -a times <<<"$key_ms"
			for ((i = 0; i < 4; i++)); do record "$tool:key" "${times[i]:--}"; done
			record "$tool:escape" "${times[4]:--}"
		done
	done
	load_end
}

# --- the report ---
beside_none() { # WHAT TARGET KEY [PEER-KEY]: with the figure of a process that is not watched
	row "$1 (not watched: $(median "none:$3"))" "$2" "$(median "peer:${4-$3}")" "$(median "sysmon:$3")" -
}
write_report() {
	local mode what
	preamble pagemon
	echo 'small: 2 MiB resident. big: 4 GiB, 1 GiB of it resident in 1024 pieces. maps: 60,000 mappings of a page.'
	echo 'sparse: 16 TiB mapped, nothing touched. sparseres: the same with 16,384 scattered resident pages.'
	echo
	heading what target original sysmon ratio
	for mode in small big; do
		versus "$mode: CPU in 10 s, defaults of both, ms" '<= 0.12' "$mode:default:cpu"
		versus "$mode: CPU in 10 s, -d 15000, ms" '<= 0.40' "$mode:15000:cpu"
		versus "$mode: CPU in 10 s, -d 100000, ms" '<= 0.40' "$mode:100000:cpu"
		versus "$mode: CPU in 10 s, -a, ms" '<= 0.17' "$mode:auto:cpu"
	done
	versus 'maps: CPU in 10 s, -d 15000, ms' '<= 0.05' maps:15000:cpu
	for what in sparse:0.05 sparseres:0.3; do
		mode=${what%:*}
		versus "$mode: CPU in 10 s with -a, ms" "<= $(awk -v s="${what#*:}" 'BEGIN { print s * 1000 }') ms" "$mode:auto:cpu"
	done
	for what in small:20 big:20 sparse:20 sparseres:50 maps:80; do
		mode=${what%:*}
		versus "$mode: first full screen, ms" "<= ${what#*:} ms" "$mode:default:first"
	done
	versus 'sparseres: first complete screen with -a, ms' '<= 500 ms' sparseres:auto:complete
	for mode in small big sparse sparseres; do
		versus "$mode: peak RSS, kB" '<= 6144 kB' "$mode:default:rss"
	done
	versus 'maps: peak RSS, kB' '<= 16384 kB' maps:default:rss
	versus 'small: bytes to the terminal in an unchanged second' 0 small:default:bytes
	versus 'big: system calls of a frame' '<= 8 + one per visible mapping' calls
	versus 'big: instructions of a frame' '<= 400000' instructions
	versus "writes to clear_refs in $seconds s" 0 clears
	beside_none 'minor faults/s of a writer' '+- 100 of not watched' minor
	beside_none 'its longest pass over 64 MiB, us' - pass
	for what in median p99:5000 worst:50000; do
		mode=${what%:*}
		beside_none "mmap+munmap of a process with 16 TiB, watched with -a: $mode, us" \
			"$([ "$mode" = median ] && echo - || echo "<= ${what#*:} us")" "latency:$mode"
	done
	beside_none 'mmap+munmap of one with page tables without pages, watched with -a: worst, us' '<= 10000 us' latency_empty:worst
	beside_none 'mmap+munmap of one with 16 GiB: p99, us' - latency:16:1024:p99
	versus 'key to screen at a refresh of 1 s, ms' '<= 30 ms' key
	versus 'Esc to the end, ms' '<= 100 ms' escape
}

for part in ${BENCH_ONLY:-screens sparse costs intrusion latency keys}; do
	"run_$part"
done
write_report >"$report"
say "bench: $report"
