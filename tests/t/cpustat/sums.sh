#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# timeout: 120
# The sum of all rows is what the machine used: against the CPU accounting of the root cgroup,
# exact to nanoseconds, and against /proc/stat, which is sampled by ticks.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq

"$CPUSTAT" -j 0.05 1 >"$TMP/rows" 2>"$TMP/msg"
[ "$(jqs 'map(select(.type == "sample"))[0] | has("busy_pct")')" = true ] ||
	skip_all 'needs the whole machine, this is a part of it'

# A build-like load: short processes, a tree of them, threads, orphans.
cleanup_loads=()
for args in 'cpuspawn tree 2 4 3000' 'cpuspawn spawn 100 1000'; do
	read -r -a words <<<"$args"
	bg "$HELPERS/${words[0]}" "${words[@]:1}" >/dev/null
	cleanup_loads+=("$bg_pid")
done
load cpuload -p 20 watch
watch -j 1 12
end_load
kill -TERM "${cleanup_loads[@]}"
judge
is "${V[samples]} ${V[bad_lines]}" '12 0' 'twelve samples'
num "${V[rows_us]}" -ge 12000000 "the load used more than a CPU: ${V[rows_us]} us"
# The error of /proc/stat itself is its difference to the exact cpuacct, if there is one.
off=0
[ "${V[root_us]}" -gt 0 ] && off=$((V[busy_us] - V[root_us]))
near "${V[rows_us]}" "${V[busy_us]}" 30 'all rows against /proc/stat busy, us' "${off#-}"
if [ "${V[root_us]}" -gt 0 ]; then
	near "${V[rows_us]}" "${V[root_us]}" 10 'all rows against cpuacct of the root cgroup, us'
else
	skip 'needs a cpuacct hierarchy'
fi
is "$(jqs 'map(select(.type == "sample")) | map(.total_pct - (.tasks_pct + .exited_pct) | fabs < 15) | all')" \
	true 'the total of a sample is that of its tasks (and of what is beyond them)'

# Short samples, more runnable processes than CPUs: cpustat itself waits for a CPU between its readings.
bg "$HELPERS/cpuload" duty 100 100 100 100 100 100 >/dev/null
cleanup_loads=("$bg_pid")
bg "$HELPERS/cpuspawn" spawn 50 2000 >/dev/null
cleanup_loads+=("$bg_pid")
watch -j 0.05 40
kill -TERM "${cleanup_loads[@]}"
is "$(jqs '[foreach .[] as $r ({sum: 0}; if $r.type == "task" then {sum: (.sum + $r.cpu_pct)}
	else {sum: 0, off: (.sum - ($r.total_pct // 0)) } end) | select(has("off")) | .off | fabs < 0.01] | all')" \
	true 'the total of a sample is the sum of its rows, in percent'
done_testing
