#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# timeout: 180
# cpustat's figures of tasks against the kernel's clock, read by the tasks themselves.
# Another program's clock can be one tick old: 4 to 10 ms of the interval.  What cpustat shows of tasks that
# change: follow.sh.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq
waited() { awk '{ printf "%d", $2 / 1e3 }' "/proc/$1/schedstat"; } # us, for a CPU

# 3, 0.3 and 30 % for 20 seconds: the original's samples jump by whole ticks.
load cpuload duty 3 0.3 30
read -r -a duty <<<"${tasks[*]}"
bg "$CPUSTAT" -j 0.5 40 >"$TMP/rows" 2>"$TMP/msg"
tool=$bg_pid
tool_waited=0
has_ended() { # the last value before its end counts
	local us
	us=$(waited "$tool" 2>/dev/null)
	[ -z "$us" ] || tool_waited=$us
	has_exited "$tool"
}
wait_for has_ended
reap "$tool"
end_load
expect_exit 0
is "$(cat "$TMP/msg")" '' 'no message'
judge --pid "${duty[0]}"
is "${V[bad_lines]}" 0 'each line is a record'
missed=$(jqs '.[-1].missed_samples')
is "$((V[samples] + missed))" 40 "40 samples, $missed of them missed"
is "${V[covered]} ${V[shown]}" "${V[samples]} ${V[samples]}" '3 %: in every sample'
near "${V[cpu_us]}" "${V[truth_us]}" 10 '3 %: the sum, us'
# On a busy machine the load itself is late, and what it had to wait for is in its truth.
num "${V[sd_mpct]}" -le $((V[truth_sd_mpct] * 12 / 10 + 200)) "3 %: standard deviation ${V[sd_mpct]}/1000 points, at most 0.2 (truth ${V[truth_sd_mpct]})"
num "${V[err_sd_mpct]}" -le $((V[truth_sd_mpct] / 2 + 200)) "3 %: against the truth of each interval ${V[err_sd_mpct]}/1000"
judge --pid "${duty[1]}"
is "${V[covered]} ${V[shown]}" "${V[samples]} ${V[samples]}" '0.3 %: in every sample'
# By its own clock: on a busy machine each of its wake-ups can cost more than it was to burn.
near "${V[cpu_us]}" "${V[truth_us]}" 10 '0.3 %: the sum, us' 500
num "${V[sd_mpct]}" -le $((V[truth_sd_mpct] * 12 / 10 + 150)) "0.3 %: standard deviation ${V[sd_mpct]}/1000 points"
judge --pid "${duty[2]}"
near "${V[cpu_us]}" "${V[truth_us]}" 10 '30 %: the sum, us'
num "${V[err_sd_mpct]}" -le 700 "30 %: against the truth ${V[err_sd_mpct]}/1000"
num "${V[late_max_us]}" -le $((700000 + tool_waited)) "no interval is much longer than asked for: ${V[late_max_us]} us (cpustat waited $tool_waited us for a CPU)"

# The same by ticks: true in the sum, and exact only to a tick in a sample.
load cpuload duty 30
watch --source=proc -j 0.5 8
end_load
judge --pid "${tasks[0]}"
near "${V[cpu_us]}" "${V[truth_us]}" 30 '--source=proc: 30 %, the sum'

# An exec loses no time.
load cpuload exec 30
start -j 0.2
more_samples 5
kill -USR1 "$load"
more_samples 10
finish
end_load
judge
near "${V[cpu_us]}" "${V[truth_us]}" 60 'an exec loses no time'

# Threads, one by one, and as their process.
load cpuload threads 10 40
watch -H -j 0.5 6
cp "$TMP/rows" "$TMP/threads"
watch -j 0.5 6
end_load
judge --pid "$load"
near "${V[cpu_us]}" "${V[truth_us]}" 20 'a process is all its threads'
cp "$TMP/threads" "$TMP/rows"
for i in 0 1; do
	judge --tid --pid "${tasks[i]}"
	is "${V[covered]} ${V[shown]}" '6 6' "-H: thread $i in every sample"
	near "${V[cpu_us]}" "${V[truth_us]}" 60 "-H: thread $i"
done

# The page's "Short bursts": 50 ms of work each second, seen by samples of 25 ms.
load cpuload -p 1000 duty 5
before=$(waited "${tasks[0]}")
watch -p "${tasks[0]}" -m 40 -j 1 3
if [ $(($(waited "${tasks[0]}") - before)) -lt 1000 ]; then
	is "$(jqs 'map(select(.type == "task")) | [any(.max_pct > 95), all(.cpu_pct < 12)]')" '[true,true]' \
		'-m 40: %MAX is that of a burst of 50 ms, the mean is not'
else
	skip '-m 40: the load waited for a CPU'
fi
end_load
done_testing
