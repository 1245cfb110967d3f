#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 180
# What the original does not see: the first interval of a new process, processes that live
# and die between two samples, a pid that comes again.
. "${TOP:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq
RUN_LIMIT=60

# Born after a sample, burns 0.8 s, sleeps: all of it is in that sample, or in two if the
# machine is busy.
load cpuspawn born 800
start -j -g 2
more_samples 1
act
more_samples 2
finish
end_load
rows=$(jqs "$(of_pid "$made") | map(.cpu_ns) | [length, add / 1e6]")
like "$rows" '^\[[12],(79[0-9]|8[0-4][0-9])' "a new process: its whole life, $rows"
is "$(jqs "$(of_pid "$made") | map(.cpu_ns >= 780e6) | any")" true 'in one sample'
is "$(jqs "map(select(.type == \"total\" and .pid == $made)) | length")" 1 'and in the grand total'

# Short children, by their parent, whose account the kernel shows in whole ticks, user and
# system apart, when we begin and when we end.
ticks_us=20000
children() { # NAME PER-MILLE SPAWN-ARGUMENT...
	load cpuspawn "${@:3}"
	watch -j 1 4
	end_load
	judge --pid "$load"
	# In a tree the children's own children are their parents', and so on.
	[[ $1 == *tree* ]] ||
		near "${V[children_us]}" "${V[children_truth_us]}" "$2" "$1: children, us" "$ticks_us"
	near "${V[tree_us]}" "${V[tree_truth_us]}" "$2" "$1: with their parent, us" "$ticks_us"
}
children '1 ms 200 times a second' 30 spawn 200 1000
children '5 ms 20 times a second' 30 spawn 20 5000 sys
children '0.2 ms 200 times a second' 30 spawn 200 200
is "$(jqs "map(select(.kind == \"exited\" and .pid == $load) | .comm) | unique")" '["cpuspawn"]' "under their parent's name"
children 'a tree as of make' 30 tree 3 3 2000
children 'adopted orphans' 30 orphan 50 2000
load cpuspawn spawn 100 2000
watch 1 2
end_load
like "$(cat "$TMP/rows")" " +$load -    - .*[0-9]s $HELPERS/cpuspawn \(exited children\)"$'\n' 'the table tells them from their parent'

# Longer than an interval: first rows of their own, the rest by the parent, nothing twice.
load cpuspawn spawn 3 200000 sys
watch -j 0.1 40
end_load
judge --pid "$load"
near "${V[children_us]}" "${V[children_truth_us]}" 30 'children that live for some samples' 220000

# Those that nobody reaps are in no parent's account: the machine's shows them.
load cpuspawn ignore 200 2000
watch -j 1 3
end_load
if [ "$(jqs 'map(select(.type == "sample") | has("busy_pct")) | all')" = false ]; then
	skip 'not the whole machine here' 1
else
	lost=$(awk '$1 == "lost" { n += $5 } END { printf "%d", n / 1e3 }' "$TMP/truth")
	judge
	num "${V[residual_us]}" -ge $((lost / 2)) "SIGCHLD ignored: told as unaccounted, ${V[residual_us]} of $lost us"
fi

# A zombie keeps its time, which is told once.
load cpuspawn zombie 300
start -j 0.5
more_samples 1
act
more_samples 3
finish
end_load
told=$(jqs "$(of_pid "$made") | map(.cpu_ns) | add / 1e6 | round")
like "$told" '^(29[0-9]|3[0-2][0-9])$' "a zombie: its 300 ms, once: $told"

# The same pid again within one interval.
if ! have_root; then
	skip 'needs root' 3
	done_testing
fi
load cpuspawn reuse 400
act
first=$made
start -j 2
more_samples 1
act
act
is "$made" "$first" 'the pid has come again, twice'
more_samples 1
finish
end_load
# Of the second (400 ms) its parent has the account, the third has its own row.
third=$(jqs "$(of_pid "$first") | map(.cpu_ns) | add / 1e6 | round")
like "$third" '^(39[0-9]|4[0-2][0-9])$' "the third owner of the pid: its own time only, $third ms"
reaped=$(jqs "map(select(.kind == \"exited\" and .pid == $load) | .cpu_ns) | add / 1e6 | round")
like "$reaped" '^(39[0-9]|4[0-2][0-9])$' "the second one's time is told, and what of the first was known is not told again: $reaped ms"
done_testing
