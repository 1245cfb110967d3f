#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quiet
# timeout: 180
# cpustat's figures of tasks against the kernel's clock, read by the tasks themselves.
# Another program's clock can be one tick old: 4 to 10 ms of the interval.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq

# 3, 0.3 and 30 % for 20 seconds: the original's samples jump by whole ticks.
load cpuload duty 3 0.3 30
read -r -a duty <<<"${tasks[*]}"
watch -j 0.5 40
end_load
expect_exit 0
is "$err" '' 'no message'
judge --pid "${duty[0]}"
is "${V[samples]} ${V[bad_lines]}" '40 0' '40 samples'
is "${V[covered]} ${V[shown]}" '40 40' '3 %: in every sample'
near "${V[cpu_us]}" "${V[truth_us]}" 10 '3 %: the sum, us'
# On a busy machine the load itself is late, and what it had to wait for is in its truth.
num "${V[sd_mpct]}" -le $((V[truth_sd_mpct] * 12 / 10 + 200)) "3 %: standard deviation ${V[sd_mpct]}/1000 points, at most 0.2 (truth ${V[truth_sd_mpct]})"
num "${V[err_sd_mpct]}" -le $((V[truth_sd_mpct] / 2 + 200)) "3 %: against the truth of each interval ${V[err_sd_mpct]}/1000"
judge --pid "${duty[1]}"
is "${V[covered]} ${V[shown]}" '40 40' '0.3 %: in every sample'
# By its own clock: on a busy machine each of its wake-ups can cost more than it was to burn.
near "${V[cpu_us]}" "${V[truth_us]}" 10 '0.3 %: the sum, us' 500
num "${V[sd_mpct]}" -le $((V[truth_sd_mpct] * 12 / 10 + 150)) "0.3 %: standard deviation ${V[sd_mpct]}/1000 points"
judge --pid "${duty[2]}"
near "${V[cpu_us]}" "${V[truth_us]}" 10 '30 %: the sum, us'
num "${V[err_sd_mpct]}" -le 700 "30 %: against the truth ${V[err_sd_mpct]}/1000"
is "$(jqs "$(of_pid "${duty[2]}") | map((.usr_pct + .sys_pct - .cpu_pct) | fabs < 0.02) | all")" true 'user and system are the whole'
is "$(jqs "$(of_pid "${duty[2]}") | map(.cpu_pct - .cpu_ns / .dt_s / 1e7 | fabs < 0.01) | all")" true 'the percentage is cpu_ns of dt_s'
num "${V[late_max_us]}" -le 700000 'no interval is much longer than asked for'

# The same by ticks: true in the sum, and exact only to a tick in a sample.
load cpuload duty 30
watch --source=proc -j 0.5 8
end_load
judge --pid "${tasks[0]}"
near "${V[cpu_us]}" "${V[truth_us]}" 30 '--source=proc: 30 %, the sum'
is "$(jqs "$(of_pid "${tasks[0]}") | map(.cpu_ns % 1e7) | unique")" '[0]' '--source=proc: whole ticks'

# A task that moves to another CPU: the column follows.
load cpuload -p 5 move 40
start -j 0.2
more_samples 3
before=$(jqs "$(of_pid "${tasks[0]}") | map(.cpu)[-1]")
kill -USR1 "$load"
more_samples 3
after=$(jqs "$(of_pid "${tasks[0]}") | map(.cpu)[-1]")
kernel=$(sed 's/.*) //' "/proc/$load/stat" | cut -d ' ' -f 37)
is "$after" "$kernel" "the CPU is that of now, $kernel"
if [ "$(nproc)" -gt 1 ]; then
	isnt "$after" "$before" 'it has changed'
else
	skip 'needs two CPUs'
fi
finish
end_load

# New names: prctl and exec, at once.
load cpuload rename 30
start -j 0.2
more_samples 2
is "$(jqs "$(of_pid "${tasks[0]}") | .[-1].comm")" '"cpuload"' 'its first name'
kill -USR1 "$load"
wait_for has_line "/proc/$load/comm" renamed-1
more_samples 2
is "$(jqs "$(of_pid "${tasks[0]}") | .[-1].comm")" '"renamed-1"' 'prctl: the new name'
finish
end_load
load cpuload exec 30
start -j 0.2
more_samples 2
kill -USR1 "$load"
executed() { tr '\0' ' ' <"/proc/$load/cmdline" | grep -q "program-$1"; }
wait_for executed 1
more_samples 2
is "$(jqs "$(of_pid "${tasks[0]}") | .[-1].argv[0]")" '"/opt/another program-1"' 'exec: the new command line'
kill -USR1 "$load"
wait_for executed 2
# Its comm is unchanged: the new arguments are read some seconds later.
shown() { jqs "$(of_pid "${tasks[0]}") | .[-1].argv[0]" | grep -q "program-$1"; }
ok 'and again, though under the same comm' wait_for shown 2
finish
end_load
judge
near "${V[cpu_us]}" "${V[truth_us]}" 60 'an exec loses no time'

# Threads, one by one, and as their process.
load cpuload threads 10 40
watch -H -j 0.5 6
expect_exit 0 '-H'
cp "$TMP/rows" "$TMP/threads"
watch -j 0.5 6
end_load
judge --pid "$load"
near "${V[cpu_us]}" "${V[truth_us]}" 20 'a process is all its threads'
# The first sample is only a base for the threads.
awk '/"type":"sample"/ && !n++ { next } n' "$TMP/threads" >"$TMP/rows"
for i in 0 1; do
	judge --tid --pid "${tasks[i]}"
	is "${V[covered]} ${V[shown]}" '5 5' "-H: thread $i in every sample but the first"
	near "${V[cpu_us]}" "${V[truth_us]}" 60 "-H: thread $i"
done
cp "$TMP/threads" "$TMP/rows"
is "$(jqs "map(select(.type == \"task\" and .tgid == $load)) | group_by(.mono_ns) | map(map(.kind) | unique) | unique")" '[["process"],["thread"]]' "-H: no row of the process beside its threads'"
is "$(jqs "map(select(.pid == ${tasks[1]})) | map(.tgid) | unique")" "[$load]" '-H: the process of a thread'

# The base of the machine's time is read when the clocks are: not before the stat of each process, which
# takes long on a large or busy machine, and whose time would be unaccounted in the first sample.  (The tool
# is not dumpable: only with that right strace knows what its descriptors are.)
if have_cmd strace && have_cap sys_ptrace && strace -c true 2>/dev/null >&2; then
	strace -y -qq -e trace=read,pread64,clock_gettime -o "$TMP/trace" "$CPUSTAT" --source=clock 0.1 1 >/dev/null 2>&1
	order=$(sed -En 's!^p?read(64)?\([0-9]+<[^>]*/proc/stat>.*!machine!p; s!^p?read(64)?\([0-9]+<[^>]*/proc/[0-9]+/stat>.*!stat!p
		s!^clock_gettime\((-|0xff).*!clock!p' "$TMP/trace" | uniq | sed '1{/clock/d;}' | head -n 3 | tr '\n' ' ')
	is "$order" 'stat machine clock ' 'the first sample: /proc/stat is read beside the clocks'
else
	skip 'needs strace and CAP_SYS_PTRACE'
fi
done_testing
