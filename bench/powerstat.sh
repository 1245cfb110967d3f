#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/powerstat.sh REPORT: compares powerstat with Debian's, if installed: system calls, instructions,
# CPU time, wake-ups and memory of a sample, and the cost of a storm of forks.  Both run on a simulated
# machine whose zones are plain files on a tmpfs over /sys: one package by MMIO, the only interface that
# Debian's powerstat reads.  Figures are medians of the rounds.
# BENCH_QUICK=1: one round.  BENCH_PEER: another powerstat (empty: none).  BENCH_ONLY: costs,
# wide, time or storm.
# shellcheck disable=SC2154 # what rusage writes is sourced
set -u
here=$(cd "$(dirname "$0")" && pwd)
TOP=${TOP:-$(dirname "$here")}
BUILD=${BUILD:-$TOP/build/default}
HELPERS=${HELPERS:-$BUILD/helpers}
sysmon=${POWERSTAT:-$BUILD/bin/powerstat}
report=${1:-$here/report-powerstat.md}
. "$here/lib.sh"
export LC_ALL=C.UTF-8

rounds=3 samples=20
[ "${BENCH_QUICK:-}" != 1 ] || rounds=1
[ -x "$sysmon" ] || { say "bench: no $sysmon"; exit 1; }
peer=${BENCH_PEER-$(dpkg -L powerstat 2>/dev/null | grep -E '/s?bin/powerstat$')}
[ -n "$peer" ] || say "bench: Debian's powerstat is not installed (apt install powerstat): its columns stay empty"
tools=(sysmon)
[ -z "$peer" ] || tools+=(peer)

# Two machines: "one" with one zone, "wide" with 64 CPUs and four zones.
zones() { # FILE ID NAME...
	local file=$1
	shift
	while [ $# -gt 0 ]; do
		printf 'zone %s %s lin 25 start=500000 range=262143328850\nenergy_uj mode 0444\n' "$1" "$2"
		shift 2
	done >"$file"
}
zones "$W/one.spec" intel-rapl-mmio:0 package-0
zones "$W/wide.spec" intel-rapl:0 package-0 intel-rapl:0:0 core intel-rapl:0:1 uncore intel-rapl:0:2 dram
for ((i = 0; i < 64; i++)); do
	cat <<-END
		/sys/devices/system/cpu/cpu$i/cpufreq/scaling_cur_freq text 2000000
		cd /sys/devices/system/cpu/cpu$i/cpuidle
		state0/name text POLL
		state0/latency text 0
		state0/time text 1000
		state0/usage text 10
		state1/name text C1
		state1/latency text 2
		state1/time text 1000
		state1/usage text 10
	END
done >>"$W/wide.spec"
printf '/sys/devices/system/cpu/%s text 0-63\n' online possible present >>"$W/wide.spec"
for machine in one wide; do
	mkdir "$W/$machine"
	"$BUILD/lab/labtree" -x "$W/$machine" "$W/$machine.spec" || exit 1
done
mkdir "$W/tmp"

# [MACHINE] COMMAND...: runs with that machine's /sys; process events and CPUs are the real ones.
# shellcheck disable=SC2016
on() {
	unshare -m --propagation private -- sh -c 'mount -t tmpfs x "$1/tmp" && cp -a "$1/$2/sys" "$1/tmp" &&
		mount --bind "$1/tmp/sys" /sys && shift 2 && exec "$@"' sh "$W" "$@"
}

# The command that takes SAMPLES each DELAY, in $command.
words() { # TOOL DELAY SAMPLES OPTION...
	if [ "$1" = sysmon ]; then command=("$sysmon" -R "${@:4}" "$2" "$3"); else command=("$peer" -R "${@:4}" "$2" "$3"); fi
}

usage() { # MACHINE COMMAND...: user_us sys_us maxrss_kb
	on "$1" "$HELPERS/rusage" "$W/usage" "${@:2}" >"$W/out" 2>"$W/stderr" || {
		say "bench: ${*:2} failed: $(head -n 2 "$W/stderr")"
		return 1
	}
	# shellcheck disable=SC1091
	. "$W/usage"
}

# The original runs as an ordinary user: as root it also reads /proc for every fork, exec and exit.
declare -A as=([sysmon]='' [peer]='setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all')
chmod 777 "$W"

# shellcheck disable=SC2086
calls() { # FILE MACHINE TOOL
	on "$2" ${as[$3]} strace -f -c -U calls,name -o "$1.strace" "${command[@]}" >/dev/null 2>&1
	awk '$NF == "total" { print $1 }' "$1.strace" >"$1"
}
# shellcheck disable=SC2086
instructions() { # FILE MACHINE TOOL; callgrind cannot write once privileges are dropped
	[ "${command[0]}" != "$sysmon" ] || command=("$sysmon" --keep-privileges "${command[@]:1}")
	on "$2" ${as[$3]} valgrind -q --tool=callgrind --callgrind-out-file="$1.callgrind" "${command[@]}" >/dev/null 2>&1
	awk '/^(summary|totals):/ { print $2; exit }' "$1.callgrind" >"$1"
}
# KEY-PREFIX MACHINE TOOL OPTION...: a sample without the start, by two runs.  The original runs for
# a minute or longer, so its runs of 120 and 140 samples of half a second run at the same time.
differences() {
	local prefix=$1 machine=$2 tool=$3 delay=0.1 least=10 what n few many pids=()
	shift 3
	[ "$tool" = sysmon ] || { delay=0.5 least=120; }
	for what in calls:strace instructions:valgrind; do
		command -v "${what#*:}" >/dev/null || continue
		for n in "$least" $((least + samples)); do
			words "$tool" "$delay" "$n" "$@"
			"${what%:*}" "$W/$tool.${what%:*}.$n" "$machine" "$tool" &
			pids+=($!)
		done
	done
	wait "${pids[@]}"
	for what in calls instructions; do
		few=$(cat "$W/$tool.$what.$least" 2>/dev/null)
		many=$(cat "$W/$tool.$what.$((least + samples))" 2>/dev/null)
		[ -z "$few" ] || [ -z "$many" ] || record "$tool:$prefix$what" "$(ratio $((many - few)) "$samples" 2)"
	done
}

run_costs() {
	local tool
	for tool in "${tools[@]}"; do
		say "bench: a sample of -R, $tool"
		differences '' one "$tool"
	done
}

run_wide() {
	say 'bench: a sample of -R -D -a with 64 CPUs'
	differences wide: wide sysmon -D -a
}

# TOOL: number of wake-ups in five seconds of half-second samples
wakeups() {
	local pid from to
	words "$1" 0.5 120
	on one "${command[@]}" >/dev/null 2>&1 &
	sleep 2
	pid=$(children_of $!)
	from=$(switches "$pid")
	sleep 5
	to=$(switches "$pid")
	kill -INT "$pid"
	wait $!
	[ -z "$from" ] || record "$1:wakeups" "$(ratio $((to - from)) 10 2)"
}
# on() is a shell that execs the command: the pid is its own or its child's.
children_of() { pgrep -x -P "$1" powerstat || echo "$1"; }
switches() { awk '/^voluntary_ctxt/ { print $2 }' "/proc/$1/status" 2>/dev/null; }

run_time() { # a minute each, the original's minimum
	local tool round from
	for ((round = 1; round <= rounds; round++)); do
		for tool in "${tools[@]}"; do
			say "bench: a minute of half seconds, $tool, round $round"
			words "$tool" 0.5 120
			usage one "${command[@]}" || continue
			record "$tool:cpu" "$(ratio $((user_us + sys_us)) 120000 3)"
			record "$tool:rss" "$maxrss_kb"
				wakeups "$tool"
		done
	done
	words sysmon 0.1 10000000
	on one "${command[@]}" >/dev/null 2>&1 &
	sleep 3
	from=$(children_of $!)
	record sysmon:rss_many "$(awk '/^VmHWM/ { print $2 }' "/proc/$from/status")"
	kill -INT "$from"
	wait $!
}

# Forks as fast as possible for five seconds; records the tool's CPU time for each, in us.
storm() { # KEY COMMAND...
	local key=$1 pid from to forks ticks
	shift
	on one "$@" >"$W/out" 2>"$W/stderr" &
	sleep 1.5
	pid=$(children_of $!)
	[ -d "/proc/$pid" ] || return
	from=$(awk '{ print $14 + $15 }' "/proc/$pid/stat")
	forks=$(awk '/^processes/ { print $2 }' /proc/stat)
	run_load -n 20000 -g 2 fork
	to=$(awk '{ print $14 + $15 }' "/proc/$pid/stat")
	forks=$(($(awk '/^processes/ { print $2 }' /proc/stat) - forks))
	ticks=$((to - from))
	kill -INT "$pid"
	wait $!
	[ "$forks" -gt 0 ] && record "$key" "$(ratio $((ticks * 1000000 / $(getconf CLK_TCK))) "$forks" 2)"
}

run_storm() {
	local round
	for ((round = 1; round <= rounds; round++)); do
		say "bench: a storm of forks, round $round"
		words sysmon 1 60
		storm sysmon:fork "${command[@]}" --procs
		storm sysmon:fork_log "${command[@]}" -s
		[ -n "$peer" ] || continue
		words peer 1 60
		storm peer:fork "${command[@]}"
		storm peer:fork_log "${command[@]}" -s
	done
}

# --- the report ---
write_report() {
	preamble powerstat
	echo 'System calls and instructions are of a sample without the start, by the difference of two'
	echo 'runs, the original as an ordinary user (as root it also reads three files for each fork,'
	echo 'which is in the other rows); sysmon counts forks in the kernel, in the time of the forking process.'
	echo
	row what target original sysmon 'sysmon / original'
	echo '|---|---|---|---|---|'
	versus 'system calls, -R' '<= 9' calls
	versus 'instructions, -R' '<= 20000' instructions
	versus 'system calls, -R -D -a, 64 CPUs' '<= 85' wide:calls
	versus 'instructions, -R -D -a, 64 CPUs' '<= 120000' wide:instructions
	versus 'CPU time, -R, each 0.5 s, start included, ms' '-' cpu
	versus 'voluntary switches a sample' '<= 1.05' wakeups
	versus 'peak resident memory, kB' '<= 3072' rss
	versus 'the same, of ten million samples' '<= 3072' rss_many
	versus 'a fork in a storm, us of CPU' '<= 8' fork
	versus 'the same with -s' '-' fork_log
}

for part in ${BENCH_ONLY:-costs wide time storm}; do
	"run_$part"
done
write_report >"$report"
say "bench: $report"
