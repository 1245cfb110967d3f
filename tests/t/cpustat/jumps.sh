#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# seconds: 30
# timeout: 280
# Counters of /proc/stat that jump forwards and backwards, on a machine of two CPUs whose time
# is that of its uptime: no format prints an impossible number, and later samples are right.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq script
hz=$(getconf CLK_TCK)
proc=$TMP/root/proc
mkdir -p "$proc/sys/kernel" "$proc/10" "$TMP/root/sys"
echo 32768 >"$proc/sys/kernel/pid_max"
echo '0.10 0.20 0.30 1/20 400' >"$proc/loadavg"
echo work >"$proc/10/comm"
: >"$proc/10/cmdline"

# In each second, each CPU spends these percents in user, nice, system, idle, iowait, irq,
# softirq and steal, and the process uses 60 % of a CPU: 104 % are busy, of which 8 are irq, 6
# softirq and 30 unaccounted.
put() { mv "$1.new" "$1"; }
machine() { # SECOND FIELD TICKS PLACE: the field of these lines is moved by TICKS
	awk -v n="$1" -v f="$2" -v d="$3" -v place="$4" -v hz="$hz" '
	function line(name, cpus, at, v, i) {
		split("30 5 10 40 5 4 3 3 0 0", share)
		for (i = 1; i <= 10; i++) {
			v = cpus * (i < 9 ? 10000000 + n * share[i] * hz / 100 : 0)
			if (i == f && place ~ at) v += d * (place == "all" ? cpus : 1)
			name = name sprintf(" %.0f", v)
		}
		print name
	}
	function events(name, v) { printf "%s %.0f\n", name, v + (name == f ? d : 0) }
	BEGIN {
		line("cpu ", 2, "all|one|sum"); line("cpu0", 1, "all"); line("cpu1", 1, "all|one")
		events("intr", 2e9 + n * 100); events("ctxt", 2e9 + n * 1000); events("processes", 2e9 + n)
		events("softirq", 2e9 + n * 50)
		print "btime 1600000000\nprocs_running 1\nprocs_blocked 0"
	}' >"$proc/stat.new"
	put "$proc/stat"
	printf '10 (work) R 1 1 1 0 -1 0 0 0 0 0 %d 0 0 0 20 0 1 0 100 1000000 100 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n' \
		"$(($1 * 60 * hz / 100))" >"$proc/10/stat.new"
	put "$proc/10/stat"
	printf '%d.00 0.00\n' "$((1000 + $1))" >"$proc/uptime.new"
	put "$proc/uptime"
}
second=0 stop=1
shown() { [ "$(grep -c '"type":"sample"' "$TMP/json")" -ge "$1" ]; }
step() { # FIELD TICKS PLACE: a second later; stopped ($stop), so that no sample sees half of it
	local n
	n=$(grep -c '"type":"sample"' "$TMP/json")
	second=$((second + 1))
	[ "$stop" ] && kill -STOP "$tool"
	machine "$second" "$1" "$2" "$3"
	[ "$stop" ] && kill -CONT "$tool"
	wait_for shown $((n + 1)) && return
	fail "second $second"
	exit 1
}
begun() { # The first reading has no sample: the clock advances until there is one.
	shown 1 && return
	second=$((second + 1))
	machine "$second" 0 0 all
	return 1
}
jumps() { # FIELD PLACE TICKS BACK: forwards, below its first value, and back
	step "$1" "$3" "$2"
	step "$1" "-$4" "$2"
	step 0 0 all
	step 0 0 all
}

machine 0 0 0 all
: >"$TMP/json"
bg "$CPUSTAT" --root="$TMP/root" --json="$TMP/json" --csv="$TMP/csv" --prom="$TMP/prom" -x -T -D 0.05 >"$TMP/table" 2>"$TMP/msg"
tool=$bg_pid
wait_for begun || fail 'a first sample' "$(cat "$TMP/msg")"
for place in all one sum; do
	for field in 1 2 3 4 5 6 7 8; do jumps "$field" "$place" 900000000 9000000; done
done
jumps 9 all 900000000 0
jumps 10 all 900000000 0
for field in intr ctxt processes softirq; do jumps "$field" all 900000000 900000000; done
finish
expect_exit 0 'counters that jump'
# The tool can be stopped between its readings of uptime and of stat, so a sample can have the
# ticks of two seconds: limits are 1,000 %, and a jump is 900 million %.
samples() { jqs "map(select(.type == \"sample\")) | $1" "$TMP/json"; }
num "$(samples length)" -ge 120 'a sample for each second'
is "$(jqs '[.[] | to_entries[] | select(.key | endswith("_pct")) | select(.value < 0 or .value > 1000) | .value] | unique' "$TMP/json")" '[]' 'JSON: no impossible percentage'
is "$(jqs '[.[] | select(.cpu_ns != null and .cpu_ns > 10000000000)] | length' "$TMP/json")" 0 'JSON: no impossible time'
is "$(jqs '[.[] | select(.kind == "process").cpu_ns] | add' "$TMP/json")" "$(jqs '[.[] | select(.kind == "process")][-1].cpu_time_s * 1e9' "$TMP/json")" 'the process is measured in each sample'
is "$(samples '.[-3:] | map([.total_pct, .busy_pct, .irq_pct, .softirq_pct, .unaccounted_pct]) | any(. == [104,104,8,6,30])')" true 'at the end all is as at the start'
whole=$(samples 'map(select(.busy_pct == 104)) | length')
# Two of four samples have a jump of a busy field, and the third returns from it; idle, iowait
# and steal are not busy.
num "$whole" -ge $((120 - 3 * (3 * 5 + 2) - 20)) 'samples without a jump are whole'
num "$whole" -lt "$(samples length)" 'those with one are not'
is "$(samples "map(.ctxt_per_s | select(. != null) | select(. > 5000)) | length")" 0 'context switches per second'
num "$(samples 'map(select(.ctxt_per_s == null)) | length')" -ge 2 'are missing where they jump'
is "$(samples 'map([.intr_per_s, .softirq_per_s, .new_tasks_per_s][] | select(. != null) | select(. > 5000)) | length')" 0 'and so are other events'
for mode in unaccounted interrupt; do
	want=$(jqs "map(select(.type == \"task\" and (.kind | test(\"${mode/interrupt/irq}\")))) | map(.cpu_ns) | add / 1e6 | round" "$TMP/json")
	is "$(awk -v m="sysmon_cpustat_${mode}_cpu_seconds_total" 'index($1, m) == 1 { s += $2 } END { printf "%.0f", s * 1000 }' "$TMP/prom")" "$want" "Prometheus: $mode time is the sum of the rows"
done
ok 'CSV: no impossible percentage' awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /_pct$/) pct[i] = 1; next }
	{ for (i in pct) if ($i != "" && ($i < 0 || $i > 1000)) { print; bad = 1 } } END { exit bad || NR < 120 }' "$TMP/csv"
ok 'the table: no impossible percentage or rate' awk '
	/Ctxt\/s/ { for (i = 1; i < 9; i += 2) if ($i != "-" && $i > 5000) { print; bad = 1 } n++ }
	/per CPU/ { dist = 1 }
	!dist && $1 ~ /^[0-9.]+$/ && NF > 4 && $2 ~ /^[0-9.]+$/ && ($1 > 1000 || $2 > 1000) { print; bad = 1 }
	dist && $1 ~ /^[0-9.]+$/ && $3 > 100 { print; bad = 1 }
	END { exit bad || n < 120 }' "$TMP/table"
ok 'the longest number has no more than seven digits' sh -c '! grep -E "[0-9]{8}" "$1"' sh "$TMP/table"

# Full-screen mode: what the terminal receives.  script(1) stops with its child, so it is not stopped.
second=0 stop=
rm -f "$TMP/json"
machine 0 0 0 all
: >"$TMP/json"
bg script -qec "stty cols 120 rows 30; exec env TERM=xterm '$CPUSTAT' --root='$TMP/root' --json='$TMP/json' -X 0.05" /dev/null >"$TMP/screen"
session=$bg_pid
wait_for pgrep -P "$session" >/dev/null || fail 'script starts'
tool=$(pgrep -P "$session" | head -n 1)
wait_for begun || fail 'a first sample of full-screen mode' "$(cat "$TMP/screen")"
for field in 1 4 5 8; do jumps "$field" all 900000000 9000000; done
kill -TERM "$tool"
reap "$session"
like "$(tr '\033' ' ' <"$TMP/screen")" 'iowait' 'the screen shows the times of the CPUs'
ok 'and no impossible percentage' sh -c '! grep -aE "[0-9]{4}(\.[0-9]+)?%" "$1"' sh "$TMP/screen"
done_testing
