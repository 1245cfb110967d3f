#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 8
# timeout: 60
# cpustat on a /proc made by hand, whose figures are known to the tick: wide numbers, odd names,
# a reused pid, clocks that step back.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq
hz=$(getconf CLK_TCK)
proc=$TMP/root/proc
mkdir -p "$proc/sys/kernel" "$TMP/root/sys"
echo 32768 >"$proc/sys/kernel/pid_max"
echo '0.10 0.20 0.30 1/20 400' >"$proc/loadavg"

# PID COMM STATE PPID UTIME STIME CUTIME CSTIME START CPU: a stat line, replaced whole
task() {
	mkdir -p "$proc/$1"
	printf '%d (%s) %s %d 1 1 0 -1 %d 0 0 0 0 %d %d %d %d 20 0 1 0 %d 1000000 100 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 %d 0 0 0 0 0 0 0 0 0 0 0 0 0\n' \
		"$1" "$2" "$3" "$4" "$((${11:-0}))" "$5" "$6" "$7" "$8" "$9" "${10}" >"$proc/$1/new"
	mv "$proc/$1/new" "$proc/$1/stat"
	printf '%s\n' "$2" >"$proc/$1/comm"
	: >"$proc/$1/cmdline"
}
machine() { # UPTIME-SECONDS BUSY-TICKS
	{
		printf 'cpu  %d 0 0 100000 0 0 0 0 0 0\n' "$2"
		printf 'cpu%d 0 0 0 0 0 0 0 0 0 0\n' {0..199}
		printf 'intr 1000\nctxt 5000\nbtime 1600000000\nprocesses 500\nprocs_running 1\nprocs_blocked 0\nsoftirq 10\n'
	} >"$proc/stat.new"
	mv "$proc/stat.new" "$proc/stat"
	printf '%d.00 %d.00\n' "$1" "$1" >"$proc/uptime.new"
	mv "$proc/uptime.new" "$proc/uptime"
}
before() {
	uptime=1000
	rm -rf "${proc:?}"/[0-9]*
	machine 1000 5000
	for ((i = 1; i <= 12; i++)); do task $((100 + i)) "many-$i" R 1 0 0 0 0 100 0; done
	task 1 init S 0 5 5 0 0 1 0
	task 201 wide R 1 0 0 0 0 100 0
	task 202 'a) R 1 (b c' R 1 100 100 0 0 100 3
	task 203 'kworker/u256:12+events_unbound-and-more' I 2 0 10 0 0 100 1 0x200000
	task 204 moved R 1 0 0 0 0 100 0
	task 205 reused R 1 5000 5000 0 0 100 0
	task 206 backwards R 1 900 900 0 0 100 0
	task 207 parent S 1 10 10 100 100 100 0
	task 208 $'new\nline' R 1 0 0 0 0 100 0
	task 209 idle S 1 77 77 0 0 100 0
	task 210 jumps R 1 100 0 0 0 100 0
	task 211 reaps R 1 100 0 0 0 100 0
}
after() {
	for ((i = 1; i <= 12; i++)); do task $((100 + i)) "many-$i" R 1 $((10 * hz)) 0 0 0 100 0; done
	task 201 wide R 1 $((1200 * hz)) 0 0 0 100 0
	task 202 'a) R 1 (b c' S 1 $((100 + 2 * hz)) 100 0 0 100 1
	task 203 'kworker/u256:12+events_unbound-and-more' I 2 0 $((10 + hz)) 0 0 100 1 0x200000
	task 204 moved D 1 $((2 * hz)) 0 0 0 100 5
	task 205 reused R 1 $((3 * hz)) 0 0 0 $(((uptime + 5) * hz)) 0
	task 206 backwards R 1 850 900 0 0 100 0
	task 207 parent S 1 $((10 + hz)) 10 $((100 + 2 * hz)) $((100 + hz)) 100 0
	task 208 $'new\nline' R 1 $((2 * hz)) 0 0 0 100 0
	task 210 jumps R 1 900000000 0 0 0 100 0
	task 211 reaps R 1 $((100 + hz)) 0 900000000 0 100 0
	machine $((uptime + 10)) $((5000 + 10 * hz))
}
# A tree that is no procfs has the time of its uptime: a sample needs a new uptime.
uptime=1000
first_sample() {
	[ "$(grep -c '"type":"sample"' "$1")" -ge 1 ] && return
	uptime=$((uptime + 1))
	machine "$uptime" 5000
	return 1
}
next_sample() { [ "$(grep -c '"type":"sample"' "$1")" -gt "$2" ]; }
# Stopped while the figures change, so that no sample sees half of it.
change() { # JSON-ROWS
	local n
	wait_for first_sample "$1" || fail 'a first sample'
	kill -STOP "$tool"
	n=$(grep -c '"type":"sample"' "$1")
	uptime=$(jqs 'map(select(.type == "sample"))[-1].mono_ns / 1e9' "$1")
	after
	kill -CONT "$tool"
	wait_for next_sample "$1" "$n" || fail 'a sample of the change'
	finish
}
changed() {
	before
	start --root="$TMP/root" -j 0.2
	change "$TMP/rows"
}
cpu() { jqs "map(select(.type == \"task\" and .pid == $1 and .kind == \"${2:-process}\") | .cpu_ns) | add // 0 | . / 1e7"; }
changed
expect_exit 0 'a tree made by hand'
is "$(jq -c . "$TMP/rows" | wc -l)" "$(wc -l <"$TMP/rows")" 'JSON: every line is a value'
is "$(cpu 101) $(cpu 112)" "$((10 * 100)) $((10 * 100))" 'ticks of a task'
is "$(cpu 201)" 120000 'a task of 12000 %'
is "$(cpu 202)" "$((200))" 'a comm with ) and blanks: its ticks'
is "$(jqs 'map(select(.type == "task" and .pid == 202))[-1] | [.comm, .state, .cpu]')" '["a) R 1 (b c","S",1]' 'and its name, state and CPU, those of now'
is "$(cpu 203)" 100 'a kernel thread with a long name'
is "$(jqs 'map(select(.type == "task" and .pid == 203))[-1].comm')" '"kworker/u256:12+events_unbound-and-more"' 'the name, whole'
is "$(jqs 'map(select(.type == "task" and .pid == 204))[-1] | [.state, .cpu]')" '["D",5]' 'state and CPU change'
is "$(cpu 205)" 300 'a reused pid: its whole CPU time'
is "$(cpu 206)" 0 'ticks that went back count nothing'
is "$(cpu 210)" 0 'a time that 200 CPUs cannot have used counts nothing'
is "$(cpu 211 exited) $(cpu 211)" '0 100' 'nor for exited children'
is "$(jqs 'map(select(.type == "sample").unreadable) | max')" 2 'and is reported'
is "$(cpu 207)" 100 'a parent: its own'
is "$(cpu 207 exited)" 300 'and what its children used'
is "$(jqs 'map(select(.type == "task" and .pid == 201))[0] | [.dt_s, .cpu_pct]')" '[10,12000]' 'the time is that of uptime'
is "$(cpu 208)" 200 'a newline in comm'
is "$(cpu 209)" 0 'a task that used none has no row'

human() { # OPTION...: the same in the table
	before
	rm -f "$TMP/json"
	bg "$CPUSTAT" --root="$TMP/root" --json="$TMP/json" "$@" 0.2 >"$TMP/rows" 2>"$TMP/msg"
	tool=$bg_pid
	wait_for test -s "$TMP/json"
	change "$TMP/json"
}
human -T -g
expect_exit 0 'the table'
like "$(grep -E ' 201 R ' "$TMP/rows" | head -n 1)" '^12000\.00 12000\.00 +0\.00 +201 R +0 ' 'a task of 12000 % is not cut'
like "$(grep 'Total$' "$TMP/rows")" '(^|'$'\n'')13350\.00 ' 'nor is the total'
ok 'the total is the sum of the rows' awk '/%CPU/ { sum = 0 } $4 ~ /^[0-9]+$/ || /exited/ { sum += $1 }
	/(softirq|irq|unaccounted)\]/ { sum += $1 }
	$NF == "Total" { d = sum - $1; if (d * d > 0.02) { print "sum", sum, $0; bad = 1 } n++ } END { exit bad || n < 3 }' "$TMP/rows"
like "$(cat "$TMP/rows")" '\[kworker/u256:12\+events_unbound-and-more\]' 'kernel threads in brackets'
is "$(grep -c '^line' "$TMP/rows")" 0 'a newline makes no row'
human -D
ok 'bins of a distribution: from minimum to maximum' awk '/per Task/ { on = 1 } on && $2 == "-" { if (!n++) low = $1; high = $3; count += $4 } /per CPU/ { on = 0 }
	END { exit !(low < 11 && high == 12000 && count == 21) }' "$TMP/rows"

# A copy of a tree is no machine: its clock stands still.
before
run "$CPUSTAT" --root="$TMP/root" 0.5 3
expect_exit 1 'a clock that stands still: exit status 1'
like "$err" '^cpustat: --root: the clock in proc/uptime does not advance: No data available$' 'a clock that stands still: the message'
done_testing
