#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs: root
# What stressors says of itself is what the kernel counts.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq unshare

# Processes of a control group of pids, or of a pid namespace: its numbers are given out one by one.
for method in fork vfork clone; do
	n=$(unshare --pid --fork --mount-proc sh -c \
		"'$STRESSORS' --fork 1 --fork-method=$method --fork-ops 2000 -t 60 --json='$TMP/rows' >/dev/null; sh -c 'echo \$\$'")
	ops=$(of fork .ops)
	is "$ops" 2000 "fork: $method: its ops"
	num "$n" -ge "$ops" "fork: $method: as many processes ($n)"
	num "$n" -le $((ops + 20)) "fork: $method: not more"
done

# Context switches, by the kernel's counter of the two processes: each is voluntary.
perf_says() { jq -r --arg name "$1" 'select(.type == "result").figures[] | select(.name == $name).value | floor' "$TMP/rows"; }
stress --switch 1 -t 1 --perf
ops=$(of switch .ops)
switches=$(perf_says context-switches)
if [ -n "$switches" ]; then
	num "$switches" -ge $((ops * 99 / 100)) "switch: $ops ops, $switches context switches"
	num "$switches" -le $((ops * 103 / 100 + 200)) 'switch: not many more'
else
	skip 'switch: no context switches by perf' 2
fi

# CPU time, of children too, as the kernel counts that of all its processes.
for s in cpu pipe; do
	TIMEFORMAT='%3U %3S'
	read -r user system < <({ time "$STRESSORS" --$s 1 -t 1.5 --json="$TMP/rows" >/dev/null 2>&1; } 2>&1)
	is "$(of $s '.user_s + .sys_s' | awk -v all="$(awk "BEGIN { print $user + $system }")" '{ print ($1 > 0.9 * all - 0.05 && $1 <= all + 0.02) }')" 1 \
		"$s: CPU time of $(of $s '.user_s + .sys_s') s, of $user and $system"
done

# The same seed gives the same data: the ops of a deterministic stressor need the same comparisons.
for i in 1 2; do
	stress --qsort 1 --qsort-size 4096 --qsort-ops 8 --seed 77 -t 60
	same[i]=$(metric qsort 'comparisons per item')
done
like "${same[1]}" '^[0-9.]+$' 'qsort: comparisons per item'
is "${same[2]}" "${same[1]}" 'qsort: the same with the same seed'
stress --qsort 1 --qsort-size 4096 --qsort-ops 8 --seed 78 -t 60
isnt "$(metric qsort 'comparisons per item')" "${same[1]}" 'qsort: others with another'
done_testing
