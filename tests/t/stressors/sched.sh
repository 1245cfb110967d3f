#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# live
# --sched: the policy that the kernel has of the instances, of their children and of the supervisor.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep setpriv

# PID: its priority and policy of real-time scheduling (proc_pid_stat(5), fields 40 and 41)
scheduled() {
	local stat
	read -r stat <"/proc/$1/stat"
	stat=${stat##*) }
	cut -d' ' -f 38,39 <<<"$stat"
}
start() { # OPTION...: returns when all run, at little load; pids of the instances and of their children in $instances
	rm -f "$TMP/rows"
	bg "$STRESSORS" --switch 1 --switch-freq=200 -t 600 --json="$TMP/rows" --interval=0.05 "$@" >"$TMP/msg" 2>&1
	wait_for has_line "$TMP/rows" '"type":"interval".*"ops":[1-9]'
	instances=$(pgrep -P "$bg_pid")
	instances+=" $(pgrep -P "$instances")"
}
stop() {
	kill -INT "$bg_pid"
	reap "$bg_pid"
}
all_scheduled() {
	local pid
	for pid in $instances; do scheduled "$pid"; done | sort -u
}

for policy in 'other 0 0' 'batch 0 3' 'idle 0 5'; do
	read -r name want <<<"$policy"
	start --sched="$name"
	is "$(all_scheduled)" "$want" "$name: the instance and its child"
	is "$(scheduled "$bg_pid")" '0 0' "$name: not the supervisor"
	stop
	is "$(jq -r 'select(.type == "run") | [.sched, .sched_prio] | @csv' "$TMP/rows")" "\"$name\"," "$name: the record"
done
start --sched=batch
if chrt -f 1 true 2>/dev/null; then
	stop
	for policy in 'fifo 1' 'rr 2'; do
		read -r name number <<<"$policy"
		start --sched="$name" --sched-prio=20
		is "$(all_scheduled)" "20 $number" "$name: the instance and its child"
		is "$(scheduled "$bg_pid")" '99 1' "$name: the supervisor can end them"
		stop
		is "$status $(jq -r 'select(.type == "run") | [.sched, .sched_prio] | @csv' "$TMP/rows")" "130 \"$name\",20" "$name: the record"
	done
	start --sched=rr
	is "$(all_scheduled)" '50 2' 'the default priority'
	stop
	# A command line of stress-ng's author: bare numbers are nanoseconds, and the priority is that of the kernel.
	rm -f "$TMP/rows"
	bg "$STRESSORS" --cyclic 1 --cyclic-policy fifo --cyclic-prio 100 --cyclic-method clock_ns --cyclic-sleep 20000 \
		--cyclic-dist 1000 -t 600 --interval 0.1 --json="$TMP/rows" >"$TMP/out" 2>"$TMP/msg"
	wait_for has_line "$TMP/rows" '"type":"interval".*"ops":[1-9]'
	is "$(scheduled "$(pgrep -P "$bg_pid")")" '99 1' 'priority 100 of cyclic is 99'
	stop
	is "$status $(cat "$TMP/msg")" '130 stressors: --cyclic-prio: 100 is above the limit of the kernel; using 99' 'and a message'
	# After its last wake-up the instance may wait for a CPU.
	is "$(of cyclic '(.metrics | map({(.name): .value}) | add) as $m | ($m.samples + $m["missed periods"]) * 20e-6 / .wall_s |
		. > 0.1 and . < 1.0001')" true '--cyclic-sleep 20000: a period is 20 us'
	is "$(grep -c '^Histogram' "$TMP/out")" 1 '--cyclic-dist 1000: a histogram'
	sed -n '/^Histogram/,$s/^ *\([0-9.]*\) - *\([0-9.]*\) .*/\1 \2/p' "$TMP/out" | awk '$1 < 0.015' >"$TMP/bins"
	if [ -s "$TMP/bins" ]; then
		is "$(awk '$2 - $1 > 0.0015' "$TMP/bins")" '' 'in bins of 1 us'
	else
		skip 'the machine was busy: no wake-up came in less than 15 us'
	fi
else
	stop
	skip 'no real-time policy is permitted here' 12
fi

# cyclic has a policy of its own, which goes before this.
stress --cyclic 1 --cyclic-policy=idle --cyclic-ops=5 --sched=batch -t 600
is "$status $(of cyclic .status)" '0 pass' 'cyclic with both'

prepare_user 65534
run "${user[@]}" "$TMP/stressors" --nop 1 --sched=fifo
is "$status" 4 'without the right to it: exit status'
like "$out" 'nop: skipped.*: --sched=fifo: needs CAP_SYS_NICE' 'and the reason'
done_testing
