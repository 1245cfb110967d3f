#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# seconds: 27
# Shares and rates that are asked for, by the kernel's own clocks.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep

# CPU time that a process used in two seconds, after half a second, in thousandths of them: $got; and for how long it waited
# for a CPU: $waited.
share() { # PID
	local a b wa wb begin end
	sleep 0.6
	read -r a wa _ <"/proc/$1/schedstat"
	begin=$(date +%s%N)
	sleep 2
	read -r b wb _ <"/proc/$1/schedstat"
	end=$(date +%s%N)
	got=$(((b - a) * 1000 / (end - begin))) waited=$(((wb - wa) * 1000 / (end - begin)))
}
# Off by how much, at the first of three tries in which it need not wait for others.
load() { # PERCENT
	for _ in 1 2 3; do
		bg "$STRESSORS" --cpu 1 --cpu-load "$1" -t 60 >/dev/null 2>&1
		wait_for pgrep -P "$bg_pid"
		share "$(pgrep -P "$bg_pid" | head -n 1)"
		kill -INT "$bg_pid"
		reap "$bg_pid"
		off=$((got - $1 * 10)) off=${off#-}
		[ "$waited" -gt 5 ] || break
	done
}
for percent in 1 10 25 50 75 90; do
	load "$percent"
	if [ "$waited" -gt 5 ] && [ "$off" -gt 10 ]; then
		skip "a load of $percent %: the CPUs were busy"
	else
		num "$off" -le 10 "a load of $percent %: $got thousandths"
	fi
done

# A rate of memory: the writes that it reports are those that were asked for.
for rate in 50 1000; do
	stress --memrate 1 --memrate-bytes 16m --memrate-method=write64 --memrate-wr-mbs "$rate" -t 2
	is "$(of memrate '.metrics[] | select(.name == "write64").value' | awk -v r="$rate" '{ print ($1 - r) ^ 2 <= (r / 100) ^ 2 }')" 1 \
		"memrate: $rate MB/s: $(metric memrate write64)"
	is "$(of memrate '.user_s + .sys_s < 0.9 * .wall_s')" true "memrate: it sleeps at $rate MB/s"
done
done_testing
