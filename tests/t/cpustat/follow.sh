#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 5
# What cpustat shows of a task that changes: CPU, names, threads; and the order of its first readings.
# How exact its figures are: accuracy.sh, on a quiet machine.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq

# Another program's clock can be one tick old at either end of the run.
tick_us=10000

# COUNT: the rows of all samples but the first ones; a sample that is being written does not count
rows_after() { awk -v n="$1" '/"type":"sample"/ { if (++k > n) printf "%s", rows; rows = ""; next } { rows = rows $0 "\n" }' "$TMP/rows"; }
# [JQ-PROGRAM]: of the load's first row in a sample that began after the last call of `from_now`
since=0
from_now() { since=$(($(samples) + 1)); }
new_row() { rows_after "$since" | jq -sc "$(of_pid "${tasks[0]}") | .[0] // empty | ${1:-.}"; }
has_new_row() { [ -n "$(new_row)" ]; }
last_row() { rows_after 0 | jq -sc "$(of_pid "${tasks[0]}") | .[-1] | $1"; }
has_row() { [ "$(last_row .)" != null ]; }

# The load is bound to one CPU, and to the next one from each signal on.
moves() {
	local first cpu
	allowed() { sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$load/status"; }
	load cpuload -p 5 move 30
	first=$(allowed)
	start -j 0.1
	from_now
	wait_for has_new_row
	is "$(new_row .cpu)" "$first" "the CPU is $first"
	if [ "$(nproc)" -gt 1 ]; then
		kill -USR1 "$load"
		moved() { [ "$(allowed)" != "$first" ]; }
		wait_for moved || fail 'the load moves'
		cpu=$(allowed)
		from_now
		wait_for has_new_row
		is "$(new_row .cpu)" "$cpu" "the CPU is that of now, $cpu"
	else
		skip 'needs two CPUs'
	fi
	finish
	end_load
}

# prctl: a new name, at once.
renames() {
	load cpuload rename 20
	start -j 0.1
	wait_for has_row
	is "$(last_row .comm)" '"cpuload"' 'its first name'
	kill -USR1 "$load"
	wait_for has_line "/proc/$load/comm" renamed-1
	from_now
	wait_for has_new_row
	is "$(new_row .comm)" '"renamed-1"' 'prctl: the new name'
	finish
	end_load
}

executes() {
	load cpuload exec 20
	start -j 0.1
	wait_for has_row
	kill -USR1 "$load"
	executed() { tr '\0' ' ' <"/proc/$load/cmdline" | grep -q "program-$1"; }
	wait_for executed 1
	from_now
	wait_for has_new_row
	is "$(new_row '.argv[0]')" '"/opt/another program-1"' 'exec: the new command line'
	kill -USR1 "$load"
	wait_for executed 2
	# Its comm is unchanged: the new arguments are read some seconds later.
	shown() { last_row '.argv[0]' | grep -q "program-$1"; }
	ok 'and again, though under the same comm' wait_for shown 2
	finish
	end_load
	judge
	near "${V[cpu_us]}" "${V[truth_us]}" 20 'an exec loses no time' "$tick_us"
	num "${V[hidden_us]}" -le "$tick_us" 'each sample in which it ran has a row'
	is "$(jqs "$(of_pid "${tasks[0]}") | map((.usr_pct + .sys_pct - .cpu_pct) | fabs < 0.02) | all")" true 'user and system are the whole'
	is "$(jqs "$(of_pid "${tasks[0]}") | map(.cpu_pct - .cpu_ns / .dt_s / 1e7 | fabs < 0.01) | all")" true 'the percentage is cpu_ns of dt_s'
}

# Threads, one by one, and as their process.
has_threads() {
	local i watcher
	load cpuload threads 10 30
	bg "$CPUSTAT" -H -g -j 0.3 4 >"$TMP/threads" 2>"$TMP/threads.msg"
	watcher=$bg_pid
	watch -j 0.3 4
	reap "$watcher"
	end_load
	is "$status$(cat "$TMP/threads.msg")" 0 '-H'
	judge --pid "$load"
	near "${V[cpu_us]}" "${V[truth_us]}" 20 'a process is all its threads' "$tick_us"
	cp "$TMP/threads" "$TMP/rows"
	for i in 0 1; do
		judge --tid --pid "${tasks[i]}"
		num "${V[hidden_us]}" -le "$tick_us" "-H: thread $i in every sample, the first too"
		near "${V[cpu_us]}" "${V[truth_us]}" 60 "-H: thread $i" "$tick_us"
	done
	is "$(jqs "map(select(.type == \"task\" and .tgid == $load)) | group_by(.mono_ns) | map(map(.kind) | unique) | unique")" '[["thread"]]' "-H: no row of the process beside its threads'"
	is "$(jqs "map(select(.type == \"total\" and .tgid == $load and .pid))  | group_by(.pid) | map(length) | unique")" '[1]' '-H -g: each thread once'
	is "$(jqs "map(select(.pid == ${tasks[1]})) | map(.tgid) | unique")" "[$load]" '-H: the process of a thread'
}

# Ticks: each row is whole ticks, true in the sum.
ticks() {
	load cpuload duty 20
	watch --source=proc -j 0.3 4
	end_load
	judge --pid "${tasks[0]}"
	near "${V[cpu_us]}" "${V[truth_us]}" 30 '--source=proc: 20 %, the sum' $((2 * tick_us))
	is "$(jqs "$(of_pid "${tasks[0]}") | map(.cpu_ns % 1e7) | unique")" '[0]' '--source=proc: whole ticks'
}

# The base of the machine's time is read when the clocks are: not before the stat of each process, which
# takes long on a large or busy machine, and whose time would be unaccounted in the first sample.  (The tool
# is not dumpable: only with that right strace knows what its descriptors are.)
order_of_reads() {
	local order
	if ! have_cmd strace || ! have_cap sys_ptrace || ! strace -c true 2>/dev/null >&2; then
		skip 'needs strace and CAP_SYS_PTRACE'
		return
	fi
	strace -y -qq -e trace=read,pread64,clock_gettime -o "$TMP/trace" "$CPUSTAT" --source=clock 0.1 1 >/dev/null 2>&1
	order=$(sed -En 's!^p?read(64)?\([0-9]+<[^>]*/proc/stat>.*!machine!p; s!^p?read(64)?\([0-9]+<[^>]*/proc/[0-9]+/stat>.*!stat!p
		s!^clock_gettime\((-|0xff).*!clock!p' "$TMP/trace" | uniq | sed '1{/clock/d;}' | head -n 3 | tr '\n' ' ')
	is "$order" 'stat machine clock ' 'the first sample: /proc/stat is read beside the clocks'
}
# A process whose main thread has ended is no zombie, and has arguments.
leaderless() {
	load cpuload leaderless 100
	start -j 0.1
	more_samples 4
	finish
	end_load
	is "$(jqs "$(of_pid "$load") | map(.state) | index(\"Z\")")" null 'without a leader: the state is that of a thread'
	is "$(jqs "$(of_pid "$load") | map(.argv[3:]) | unique")" '[["leaderless","100"]]' 'and so are the arguments'
	is "$(jqs "$(of_pid "$load") | map(.argv[0]) | unique")" "[\"$HELPERS/cpuload\"]" 'all of them'
}

# A process that is moved to another cgroup: a filter finds it there in the next sample.
changes_group() {
	local dir n group=''
	load cpuload duty 50
	for dir in /sys/fs/cgroup/cpu /sys/fs/cgroup/unified /sys/fs/cgroup; do
		mkdir "$dir/sm-follow-$$" 2>/dev/null || continue
		group=$dir/sm-follow-$$
		# shellcheck disable=SC2086
		echo ${tasks[0]} 2>/dev/null >"$group/cgroup.procs" && break
		rmdir "$group"
		group=''
	done
	if [ -z "$group" ]; then
		end_load
		skip 'needs a cgroup that can be made' 3
		return
	fi
	echo "${tasks[0]}" >"$dir/cgroup.procs"
	start -j -g -G cgroup -p "${tasks[0]}" 0.2
	more_samples 2
	bg "$CPUSTAT" -j -k "/sm-follow-$$" 0.2 >"$TMP/filtered"
	tool_2=$bg_pid
	wait_for has_lines "$TMP/filtered" '"type":"sample"' 1
	echo "${tasks[0]}" >"$group/cgroup.procs"
	n=$(grep -c '"type":"sample"' "$TMP/filtered")
	more_samples 2
	wait_for has_lines "$TMP/filtered" '"type":"sample"' $((n + 2))
	kill -INT "$tool_2"
	reap "$tool_2"
	finish
	echo "${tasks[0]}" >"$dir/cgroup.procs"
	end_load
	rmdir "$group"
	num "$(jqs 'map(select(.type == "task" and .cgroup == "/sm-follow-'$$'")) | length')" -ge 1 '-G cgroup: a row of its new group in the next sample'
	num "$(jqs "map(select(.type == \"task\" and .pid == ${tasks[0]})) | length" "$TMP/filtered")" -ge 1 '-k: and a row that passes'
	is "$(jqs 'map(select(.cgroup and .cgroup != "/sm-follow-'$$'")) | group_by(.type) | map(map(.cpu_ns) | add) | .[0] == .[1]')" true '-g: the old group has what was used in it'
}

at_once leaderless changes_group moves renames executes has_threads ticks order_of_reads
done_testing
