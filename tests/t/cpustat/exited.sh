#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run by: check-live
# timeout: 180
# Time that the original does not see: the first interval of a new process, processes that start
# and exit between two samples, a reused pid.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/cpustat.sh"
need_cmd jq

# A process starts after a sample, burns 0.15 s and sleeps: all of it is in that sample, or in more
# if some are taken meanwhile.
load cpuspawn born 150
start -j -g 2
more_samples 1
act
more_samples 2
finish
end_load
rows=$(jqs "$(of_pid "$made") | map(.cpu_ns) | add / 1e6")
like "$rows" '^(149|1[5-8][0-9])' "a new process: its whole CPU time, $rows ms"
is "$(jqs "$(of_pid "$made") | .[0] | .cpu_ns - .cpu_time_s * 1e9 | fabs < 1000")" true 'from its start'
is "$(jqs "map(select(.type == \"total\" and .pid == $made)) | length")" 1 'and in the grand total'

# Short children, by the cutime and cstime of their parent: each in whole ticks, at the start and at
# the end.
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
like "$(cat "$TMP/rows")" " +$load -    - .*[0-9]s $HELPERS/cpuspawn \(exited( children|: cpuspawn ×[0-9]+ [0-9]+ ms)\)"$'\n' 'the table distinguishes them from their parent'

# Which programs they were: of the load's children and the load itself, adopted by a shell whose other
# children give it rows until the last record has come.  Some processes have no record.
if ! have_cap bpf || [ ! -r /sys/kernel/btf/vmlinux ] || [ "$(readlink /proc/self/ns/pid)" != 'pid:[4026531836]' ]; then
	skip 'needs CAP_BPF, BTF and the initial pid namespace' 10
else
	spawn_named() { # INTERVAL SAMPLES CHILDREN RATE US
		rm -f "$TMP/truth.end"
		start -j "$1"
		bg bash -c '"$0" -o "$1" -n "$2" spawn "$3" "$4" >"$1.ready"; echo >"$1.end"; while :; do ls /usr/bin >"$1.ls"; sleep 0.02; done' \
			"$HELPERS/cpuspawn" "$TMP/truth" "${@:3}"
		shell=$bg_pid
		wait_for test -e "$TMP/truth.end" || fail 'the load ends'
		more_samples "$2"
		finish
		kill "$shell"
		reap "$shell"
	}
	spawn_named 0.5 4 100 50 5000
	of_programs() { # NAME FIELD
		jqs "map(select(.kind == \"exited\" and (.pid == $shell or .pid == $spawner)) | .exited[]? | select(.comm == \"$1\") | .$2) | add / ${3:-1} | round"
	}
	read -r spawner made_n made_us < <(awk '$1 == "child" { n++; us += $5 / 1e3; p = $4 } END { printf "%d %d %d\n", p, n, us }' "$TMP/truth")
	near "$(of_programs cpuspawn count)" $((made_n + 1)) 100 'exited children by name: their number'
	near "$(of_programs cpuspawn cpu_ns 1e3)" "$made_us" 100 'and their time, us'
	num "$(of_programs ls count)" -ge 10 'and the programs beside them'
	# The ring has room for 3,276 records.
	spawn_named 4 2 5000 2500 20
	first=$(jqs 'map(select(.type == "sample")) | .[0].mono_ns')
	made_n=$(awk -v end="$first" '$1 == "child" && $2 < end { n++ } END { print n + 0 }' "$TMP/truth")
	if [ "$made_n" -gt 3276 ]; then
		num "$(of_programs cpuspawn count)" -ge 4900 'more in one interval than the ring of records holds have names'
	else
		skip "the machine is busy: $made_n children in an interval"
	fi
	is "$(jqs '.[-1].lost_exit_names')" 0 'none is lost'
	# The last interval of a COMMAND waits for the records.  Of several runs, because some processes have none.
	for _ in 1 2 3 4 5; do
		run "$CPUSTAT" -j 5 -- sh -c 'for k in 1 2 3 4 5 6 7; do
			sh -c "i=0; while [ \$i -lt 30000 ]; do i=\$((i + 1)); done"; done; exit 0'
		cp "$TMP/out" "$TMP/rows"
		last=$(jqs 'map(.exited[]? | select(.comm == "sh").count) | add')
		[ "$last" != 7 ] || break
	done
	is "$last" 7 'the last children of a command have names'
	# A stopped tool leaves the records in the ring.
	start -j --strict --prom="$TMP/prom" 1
	kill -STOP "$tool"
	run "$HELPERS/load" -n 6000 -o "$TMP/truth" exec
	kill -CONT "$tool"
	more_samples 2
	finish
	lost=$(jqs '.[-1].lost_exit_names')
	num "$lost" -ge 2000 'more than the ring holds: the rest is counted as lost'
	num "$lost" -le 3500 "no more than that, $lost"
	is "$status $err" "5 cpustat: $lost names of exited processes were lost; their CPU time is still counted" 'and reported'
	like "$(cat "$TMP/prom")" $'\nsysmon_cpustat_lost_exit_names_total '"$lost"$'\n' 'also in --prom'
fi

# Longer than an interval: first rows of their own, the rest by the parent, nothing twice.
load cpuspawn spawn 3 200000 sys
watch -j 0.1 40
end_load
judge --pid "$load"
near "${V[children_us]}" "${V[children_truth_us]}" 30 'children that exist for some samples' 220000

# Children that are never reaped are in no cutime: they are unaccounted.
load cpuspawn ignore 200 2000
watch -j 1 3
end_load
if [ "$(jqs 'map(select(.type == "sample") | has("busy_pct")) | all')" = false ]; then
	skip 'not the whole machine here' 2
else
	judge
	lost=${V[lost_truth_us]}
	# What is unaccounted of other programs adds; the machine's time is sampled by ticks.
	num "${V[residual_us]}" -ge $((lost * 7 / 10)) "SIGCHLD ignored: reported as unaccounted, ${V[residual_us]} of $lost us"
	# The kernel reports the system time of processes shorter than a tick as user time: many of them take
	# their excess from the unaccounted user time.
	others=$((V[rows_us] - V[tree_us]))
	if ((others > lost)); then
		skip "the machine is busy: other programs used $others us of CPU time"
	else
		user=$(jqs 'map(select(.kind == "unaccounted") | .usr_pct * 1e4) | add | floor') # of a second each
		num "$user" -ge $((lost * 7 / 10)) "as user time, which the load burns, $user us"
	fi
fi

# A zombie keeps its time, which is reported once.
load cpuspawn zombie 300
start -j 0.5
more_samples 1
act
more_samples 3
finish
end_load
zombie_ms=$(jqs "$(of_pid "$made") | map(.cpu_ns) | add / 1e6 | round")
like "$zombie_ms" '^(29[0-9]|3[0-2][0-9])$' "a zombie: its 300 ms, once: $zombie_ms"

# The same pid again within one interval.
if ! have_cap sys_admin; then
	skip 'needs CAP_SYS_ADMIN' 3
	done_testing
fi
load cpuspawn reuse 400
act
first=$made
start -j 2
more_samples 1
act
act
is "$made" "$first" 'the pid was reused, twice'
more_samples 1
finish
end_load
# The third has its own row.  Of the second (400 ms) its parent has the account, but for what a
# sample that was taken meanwhile has shown; nothing of the first, which was there before.
third=$(jqs "$(of_pid "$first") | .[-1].cpu_time_s * 1e3 | round")
like "$third" '^(39[0-9]|4[0-2][0-9])$' "the third owner of the pid: its own time only, $third ms"
both=$(jqs "map(select((.kind == \"exited\" and .pid == $load) or (.kind == \"process\" and .pid == $first)) | .cpu_ns) | add / 1e6 | round")
# The parent's cutime and cstime are whole ticks of 10 ms: up to two ticks of the second are not there yet.
like "$both" '^(7[89][0-9]|8[0-4][0-9])$' "children that exited and rows of their own: the second and the third, $both ms"
done_testing
