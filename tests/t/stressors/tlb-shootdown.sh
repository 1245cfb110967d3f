#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# The stressor tlb-shootdown: a thread on each CPU, and shootdowns that the kernel has counted.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/stressors.sh"
need_cmd jq pgrep

# The CPUs that this shell may use, one a line.
cpus() { sed -n 's/^Cpus_allowed_list:\t//p' "$1" | tr ',' '\n' | awk -F- '{ for (i = $1; i <= $NF; i++) print i }'; }
mapfile -t mine < <(cpus /proc/self/status)

stress --tlb-shootdown 1 --taskset="${mine[0]}" -t 60
is "$status $(of tlb-shootdown '"\(.status): \(.reason)"')" '4 skip: needs two usable CPUs (--taskset)' 'one CPU: it is skipped'
if [ ${#mine[@]} -lt 2 ]; then
	skip 'needs two CPUs' 6
	done_testing
fi
two=(--taskset="${mine[0]},${mine[1]}")
counted() { awk '$1 == "TLB:" { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts; }

stress --tlb-shootdown 2 --tlb-shootdown-ops=501 "${two[@]}" -t 600
is "$status $(of tlb-shootdown '[.status, .ops] | @csv')" '0 "pass",1002' 'two instances: as many ops as asked for'
is "$(metric tlb-shootdown 'time per change' | awk '{ print ($1 > 0) }')" 1 'a time per change'
before=$(counted)
stress --tlb-shootdown 1 --tlb-shootdown-ops=2000 "${two[@]}" -t 600
after=$(counted)
if grep -q '^ *TLB:' /proc/interrupts; then
	seconds=$(of tlb-shootdown .wall_s)
	is "$(metric tlb-shootdown shootdowns | awk -v s="$seconds" -v most=$((after - before)) '{ print $1 * s <= 1.01 * most + 1 }')" 1 \
		'no more shootdowns than the kernel counted'
else
	is "$(metric tlb-shootdown shootdowns)" '' 'no such interrupts'
fi

bg_group "$STRESSORS" --tlb-shootdown 1 "${two[@]}" --json="$TMP/rows" --interval=0.05 -t 600 >"$TMP/msg" 2>&1
wait_for has_line "$TMP/rows" '"type":"interval",.*"stressor":"tlb-shootdown".*"ops":[1-9]'
instance=$(pgrep -P "$bg_pid")
is "$(for t in "/proc/$instance/task"/*/status; do cpus "$t" | tr '\n' ' ' && echo; done | sort -n)" \
	"$(printf '%s \n' "${mine[0]}" "${mine[0]} ${mine[1]}" "${mine[1]}" | sort -n)" 'a thread on each of the CPUs, and one that waits'
kill -INT "$bg_pid"
reap "$bg_pid"
is "$status $(of tlb-shootdown .status)" '130 interrupted' 'a signal ends it'

stress --tlb-shootdown 1 "${two[@]}" --spoil -t 60
like "$(of tlb-shootdown .reason)" '^page 0 contains 0x80 instead of 0' 'an old version of a page is found'
done_testing
