#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# seconds: 8
# timeout: 120
# --source=bpf: one walk over all tasks instead of a clock for each, after privileges and system calls are
# dropped; and where it is refused.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq
refused='cpustat: --source=bpf: cannot walk all processes (requires Linux 6.7, root or CAP_BPF and CAP_PERFMON, the initial PID namespace, no -p)'
refuses() { expect "$1" 3 "$refused" "${@:2}"; } # NAME COMMAND...

refuses 'with -p' "$CPUSTAT" --source=bpf -p $$ 0.1 1
refuses 'with --root' "$CPUSTAT" --source=bpf --root=/ 0.1 1
cp "$CPUSTAT" "$TMP/cpustat"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	refuses 'as a user' setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$TMP/cpustat" --source=bpf 0.1 1
	run setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$TMP/cpustat" -j 0.1 1
	expect_exit 0 'a user has the clocks'
	is "$(jqs 'map(.source // empty) | unique' "$TMP/out")" '["clock"]' 'their name is in each sample'
else
	skip 'needs root and setpriv' 3
fi
if unshare -fp --mount-proc true 2>/dev/null; then
	refuses 'in a PID namespace' unshare -fp --mount-proc "$CPUSTAT" --source=bpf 0.1 1
else
	skip 'needs unshare -fp'
fi

"$CPUSTAT" --source=bpf 0.01 1 >/dev/null 2>&1 || { skip 'the kernel cannot walk all tasks, or no permission'; done_testing; exit; }
for how in '' --keep-privileges; do
	load cpuload duty 20
	watch --source=bpf ${how:+"$how"} -j 0.5 6
	end_load
	expect_exit 0 "$how"
	is "$(cat "$TMP/msg")" '' "$how: no message"
	is "$(jqs 'map(.source // empty) | unique')" '["bpf"]' "$how: the whole run is by the walk"
	judge --pid "${tasks[0]}"
	near "${V[cpu_us]}" "${V[truth_us]}" 30 "$how: 20 %, the sum"
done

kthreads() { # prints the PIDs of kernel threads: PF_KTHREAD in their flags
	local stat fields
	for stat in /proc/[0-9]*/stat; do
		read -r stat 2>/dev/null <"$stat" || continue
		read -r -a fields <<<"${stat##*) }"
		((fields[6] & 0x200000)) && echo "${stat%% *}"
	done
}
if command -v strace >/dev/null && strace -c true 2>/dev/null >&2; then
	kthreads | sort >"$TMP/kthreads" # those that are older than the walk
	run strace -o "$TMP/calls" -e trace=openat,bpf "$CPUSTAT" --source=bpf 0.01 1
	expect_exit 0 'under strace'
	is "$(grep -c '"kernel/btf/vmlinux"' "$TMP/calls")" 1 'programs of two modules, the type information is opened once'
	awk '/PROG_(TEST_)?RUN/ && walks++ { exit } { print }' "$TMP/calls" >"$TMP/first"
	is "$(grep -c 'map_name="forks"' "$TMP/calls")" 0 'a table does not have the number of created processes, which is not counted'
	ok 'kernel threads were there' test -s "$TMP/kthreads"
	is "$(sed -n 's/.*, "\([0-9]*\)\/stat".*/\1/p' "$TMP/first" | sort | comm -12 - "$TMP/kthreads")" '' \
		'the first sample opens no stat of kernel threads'
else
	skip 'needs strace and CAP_SYS_PTRACE' 5
fi
done_testing
