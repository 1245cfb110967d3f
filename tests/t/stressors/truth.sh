#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# heavy
# seconds: 5
# What stressors says of itself is what the kernel counts.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep unshare

# Processes of a control group of pids, or of a pid namespace: its numbers are given out one by one.
may_unshare() { unshare --pid --fork --mount-proc true 2>/dev/null; }
for method in fork vfork clone; do
	if ! may_unshare; then
		skip "fork: $method: no pid namespace can be made here" 3
		continue
	fi
	n=$(unshare --pid --fork --mount-proc sh -c \
		"'$STRESSORS' --fork 1 --fork-method=$method --fork-ops 2000 -t 600 --json='$TMP/rows' >/dev/null; sh -c 'echo \$\$'")
	ops=$(of fork .ops)
	is "$ops" 2000 "fork: $method: its ops"
	num "$n" -ge "$ops" "fork: $method: as many processes ($n)"
	num "$n" -le $((ops + 20)) "fork: $method: not more"
done

# Context switches, by the kernel's counters of the two processes while both are stopped, and the supervisor goes on to
# write the ops.  Each op is a switch, most of them voluntary: one that gives way to its partner waits no more.  Other
# load adds involuntary ones only.
rm -f "$TMP/rows"
bg "$STRESSORS" --switch 1 -t 600 --json="$TMP/rows" --interval=0.05 -q
wait_for has_line "$TMP/rows" '"ops":[1-9][0-9]{3}'
instance=$(pgrep -P "$bg_pid") partner=$(pgrep -P "$instance")
kill -STOP "$instance" "$partner"
wait_for is_stopped "$instance" && wait_for is_stopped "$partner"
two_rows_more() { [ "$(wc -l <"$TMP/rows")" -ge $((rows + 2)) ]; }
rows=$(wc -l <"$TMP/rows")
wait_for two_rows_more
ops=$(last_ops switch)
read -r voluntary all < <(awk '{ all += $2 } /^vol/ { n += $2 } END { print n, all }' \
	<(grep -h ctxt_switches "/proc/$instance/status" "/proc/$partner/status"))
kill -CONT "$instance" "$partner"
kill -INT "$bg_pid"
reap "$bg_pid"
num "$all" -ge $((ops * 99 / 100)) "switch: $ops ops, $all context switches"
num "$voluntary" -le $((ops + 50)) "switch: not more voluntary ones ($voluntary)"
stress --switch 1 --switch-ops 5000 -t 600 --perf
ops=$(of switch .ops)
switches=$(of switch '.figures[]? | select(.name == "context-switches").value | floor')
if [ -n "$switches" ]; then
	num "$switches" -ge $((ops * 99 / 100)) "switch: $ops ops, by --perf $switches context switches"
else
	skip 'switch: no context switches by perf'
fi

# The supervisor has a descriptor for each event in all stages: to close the last one of a tracepoint would make the
# next stage late.  An instance has them, too, and as many of its own.
perf_fds() { find "/proc/$1/fd" -lname 'anon_inode:\[perf_event\]' 2>/dev/null | wc -l; }
if [ -n "$switches" ]; then
	bg "$STRESSORS" --switch 1 --switch-ops=1000 --nop 1 --seq -t 600 --perf --json="$TMP/rows" --interval=0.1 -q
	wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"nop"'
	kept=$(perf_fds "$bg_pid")
	own=$(($(perf_fds "$(pgrep -P "$bg_pid")") - kept))
	kill -INT "$bg_pid"
	reap "$bg_pid"
	num "$kept" -ge "$(of switch '.figures | length')" "--perf: the supervisor keeps $kept descriptors"
	is "$own" "$kept" '--perf: the instance has as many'
else
	skip '--perf: no events by perf' 2
fi

# CPU time, of children too, as the kernel counts that of all its processes.
for s in cpu pipe; do
	TIMEFORMAT='%3U %3S'
	read -r user system < <({ time "$STRESSORS" --$s 1 -t 1 --json="$TMP/rows" >/dev/null 2>&1; } 2>&1)
	is "$(of $s '.user_s + .sys_s' | awk -v all="$(awk "BEGIN { print $user + $system }")" '{ print ($1 > 0.9 * all - 0.05 && $1 <= all + 0.02) }')" 1 \
		"$s: CPU time of $(of $s '.user_s + .sys_s') s, of $user and $system"
done

# Shares and rates: never more than was asked for.  load.sh checks that it is not less.
stress --cpu 1 --cpu-load 10 --cpu-ops 100 -t 600
is "$status $(of cpu '.wall_s > 0.1, .user_s + .sys_s < 0.1 * .wall_s + 0.02' | xargs)" '0 true true' \
	"--cpu-load 10: $(of cpu '"\(.user_s + .sys_s) s of CPU time in \(.wall_s) s"')"
stress --memrate 1 --memrate-bytes 16m --memrate-method=write64 --memrate-wr-mbs 50 --memrate-ops 20 -t 600
is "$status $(metric memrate write64 | awk '{ print ($1 > 0 && $1 < 50.5) }')" '0 1' "memrate: $(metric memrate write64) of 50 MB/s"

# Instances that take turns on the CPUs: the rates of all of them are those of the CPUs.
if chrt -f 95 true 2>/dev/null; then
	run chrt -f 95 "$STRESSORS" --cpu 16 --cpu-method=int --sched=rr -t 1 --interval=0.1 --json="$TMP/rows"
	num "$(of cpu .ops)" -ge "$(last_ops cpu)" "turns: ops of the result: $(of cpu .ops)"
	is "$(of cpu '((.ops_per_s * .wall_s - .ops) | fabs) < 1e-5 * .ops')" true \
		"turns: ops per second: $(of cpu '"\(.ops_per_s), \(.ops) in \(.wall_s) s"')"
	is "$(of cpu '(.metrics[0].value / .ops_per_s) as $r | $r > 0.95 and $r < 1.1')" true \
		"turns: the metric: $(metric cpu int) of $(of cpu .ops_per_s)"
else
	skip 'no real-time policy is permitted here' 3
fi

# A fault in memory: its physical address, which root sees, has the same place in its page as its address.
for s in vm memload; do
	stress "--$s" 1 --max-memory=64m --spoil -t 600
	place=$(of "$s" .reason | sed -n 's/.*, address 0x\([0-9a-f]*\), physical address 0x\([0-9a-f]*\), .*/\1 \2/p')
	if [ -z "$place" ]; then
		skip "$s: no physical address: $(of "$s" .reason)"
		continue
	fi
	read -r virtual physical <<<"$place"
	is "$((0x$virtual % 4096)) $((0x$physical > 4096))" "$((0x$physical % 4096)) 1" "$s: the physical address of a fault"
done

# Calls that create no process are counted; if all fail, that is the result.  A user of the test's own is counted alone.
prepare_user $((1900000000 + $$ % 60000))
limited() { # PROCESSES OPTION...
	run "${user[@]}" prlimit --nproc="$1" "$TMP/stressors" --fork 1 --json "${@:2}"
	cp "$TMP/out" "$TMP/rows"
}
limited 3 --fork-max=4 --fork-ops=50 -t 600
is "$status $(of fork .status)" '0 pass' 'forks of which some fail'
num "$(metric fork 'failed calls')" -ge 1 'forks that failed are counted'
is "$(of fork .reason)" "fork failed $(metric fork 'failed calls') times: Resource temporarily unavailable" 'and the result says so'
limited 2 -t 0.3
is "$status $(of fork '"\(.status): \(.reason)"')" '3 no-resource: fork: Resource temporarily unavailable' 'forks that all fail'
num "$(metric fork 'failed calls')" -ge 1 'and are counted'

# A user may not count in the kernel, where all switches happen: no figure, or the right one.
run "${user[@]}" "$TMP/stressors" --switch 1 --switch-ops 5000 -t 600 --perf --json
cp "$TMP/out" "$TMP/rows"
is "$status $(of switch '[.figures[]? | select(.name == "context-switches").value >= 4950] | all')" '0 true' \
	'--perf of a user: the context switches'

# The CPU time that perf counts has a unit, and is the CPU time of the result.
stress --cpu 1 -t 0.5 --perf
if [ -n "$(of cpu '.figures[]? | select(.name == "task-clock")')" ]; then
	is "$(of cpu '(.figures[] | select(.name == "task-clock")) as $f | [$f.unit, ($f.value / 1e9 / (.user_s + .sys_s) | . > 0.5 and . < 2)] | @csv')" \
		'"ns",true' 'task-clock is in ns'
else
	skip 'task-clock: perf counts no events here'
fi

# The same seed gives the same data: the ops of a deterministic stressor need the same comparisons.
for i in 1 2; do
	stress --qsort 1 --qsort-size 4096 --qsort-ops 8 --seed 77 -t 600
	same[i]=$(metric qsort 'comparisons per item')
done
like "${same[1]}" '^[0-9.]+$' 'qsort: comparisons per item'
is "${same[2]}" "${same[1]}" 'qsort: the same with the same seed'
stress --qsort 1 --qsort-size 4096 --qsort-ops 8 --seed 78 -t 600
isnt "$(metric qsort 'comparisons per item')" "${same[1]}" 'qsort: others with another'
done_testing
