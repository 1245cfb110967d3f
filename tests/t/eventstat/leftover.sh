#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# live
# needs: root
# timeout: 60
# No setting of tracing is changed and nobody's trace instance is removed, while the tool runs and after it ended, in
# whatever way.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
need_tracefs
tracing=${instances%/*}

# What other users of tracing see.
state() {
	(cd "$tracing" 2>/dev/null && cat set_event trace_clock tracing_on current_tracer buffer_size_kb trace_options \
		events/enable events/timer/enable events/timer/*/{enable,filter} events/task/*/{enable,filter} \
		events/sched/sched_process_exit/{enable,filter})
}
unchanged() { # WHEN
	if [ "$(state)" = "$before" ]; then pass "$1: tracing is as it was"; else fail "$1: tracing is as it was" "$(diff <(echo "$before") <(state))"; fi
}

# Instances of others.  Earlier versions of the tool took one with the name of a pid that their own /proc did not have
# for left over and removed it.
bash -c : &
gone=$!
wait "$gone"
others=("$(mktemp -d "$instances/other.XXXXXX")") && mkdir "$instances/eventstat.$gone" &&
	others+=("$instances/eventstat.$gone")
trap 'rmdir "${others[@]}"; tap_cleanup' EXIT
[ "${#others[@]}" = 2 ] || skip_all 'needs to make trace instances'
are_there() { [ -d "${others[0]}" ] && [ -d "${others[1]}" ]; }
able_methods

shown() { # they count
	local end
	for end in "${ends[@]}"; do [ -s "$TMP/rows.$end" ] || return 1; done
}
ends=(COUNT INT TERM HUP KILL)
before=$(state)
for method in "${methods[@]}"; do
	pids=()
	for end in "${ends[@]}"; do
		options=()
		[ "$end" != COUNT ] || options=(--count=2)
		bg "$EVENTSTAT" -j --interval=0.2 --method="$method" ${options[@]+"${options[@]}"} >"$TMP/rows.$end" 2>"$TMP/msg"
		pids+=("$bg_pid")
	done
	ok "$method: it runs" wait_for shown
	unchanged "$method, running"
	reap "${pids[0]}"
	is "$status" 0 "$method, exit: status 0"
	for i in 1 2 3 4; do
		kill -"${ends[i]}" "${pids[i]}"
		reap "${pids[i]}"
	done
	unchanged "$method, after its exit, INT, TERM, HUP and KILL"

	mkfifo "$TMP/pipe"
	exec 7<>"$TMP/pipe"
	bg "$EVENTSTAT" --interval=0.2 --method="$method" >"$TMP/pipe" 2>/dev/null 7<&-
	tool=$bg_pid
	head -n 3 <"$TMP/pipe" >/dev/null
	exec 7<&-
	rm "$TMP/pipe"
	reap "$tool"
	is "$status" 141 "$method, PIPE: status 141"
	unchanged "$method, after PIPE"
	ok "$method: trace instances of others are there" are_there
	if unshare --pid --fork --mount-proc true 2>/dev/null; then
		run unshare --pid --fork --mount-proc "$EVENTSTAT" -q --method="$method" 0.1 1
		like "$status $err" '^0 eventstat: in a separate PID namespace, [^:]*$' "$method, in a pid namespace of its own: status 0"
		ok "$method, in a pid namespace of its own: they are, too" are_there
		unchanged "$method, in a pid namespace of its own"
	else
		skip 'needs a pid namespace of its own' 3
	fi
	rm -f "$TMP"/rows.*
done
done_testing
