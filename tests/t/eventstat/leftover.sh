#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# quiet
# needs: root
# Nothing of tracing is changed while the tool runs and after it ended, in whatever way.
. "${TOP:-$(dirname "$0")/../../..}/tests/lib/tap.sh"
. "$TOP/tests/lib/eventstat.sh"
own_tracefs
able_methods
tracing=${instances%/*}

# What other users of tracing see.  Instances have a state of their own.
state() {
	(cd "$tracing" 2>/dev/null && cat set_event trace_clock tracing_on current_tracer buffer_size_kb trace_options \
		events/enable events/timer/enable events/timer/*/{enable,filter} events/task/*/{enable,filter} \
		events/sched/sched_process_exit/{enable,filter} events/header_page)
}
own() { [ -d "$instances/eventstat.$tool" ]; }
no_own() { ! own; }
unchanged() { # WHEN
	if [ "$(state)" = "$before" ]; then pass "$1: tracing is as it was"; else fail "$1: tracing is as it was" "$(diff <(echo "$before") <(state))"; fi
}
has_ended() {
	wait_for no_own
	ok "$1: no instance is left" no_own
}
begins() { # METHOD OPTION...
	start --interval=0.2 --method="$1" "${@:2}"
	unchanged "$1, running"
	[ "$1" != tracefs ] || ok "$1: it has an instance of its own" own
}

before=$(state)
for method in "${methods[@]}"; do
	begins "$method" --count=2
	reap "$tool"
	is "$status" 0 "$method, exit: status 0"
	unchanged "$method, exit"
	has_ended "$method, exit"

	for signal in INT TERM HUP KILL; do
		begins "$method"
		finish "$signal"
		unchanged "$method, $signal"
		has_ended "$method, $signal"
	done

	mkfifo "$TMP/pipe"
	exec 7<>"$TMP/pipe"
	bg "$EVENTSTAT" --interval=0.2 --method="$method" >"$TMP/pipe" 2>/dev/null 7<&-
	tool=$bg_pid
	head -n 3 <"$TMP/pipe" >/dev/null
	exec 7<&-
	rm "$TMP/pipe"
	reap "$tool"
	is "$status" 141 "$method, PIPE: status 141"
	unchanged "$method, PIPE"
	has_ended "$method, PIPE"
done

# The keeper is killed, too: the next run removes the instance.
keeper_of() { grep -lzs "^KEPT=$1\$" /proc/[0-9]*/environ | sed 's,/proc/\(.*\)/environ,\1,' | grep -vx "$tool"; }
can_leave() { [[ " ${methods[*]} " == *" tracefs "* ]]; }
for method in "${methods[@]}"; do
	can_leave || break
	export KEPT=$$
	start --interval=0.2 --method=tracefs
	unset KEPT
	keeper=$(keeper_of $$)
	like "$keeper" '^[0-9]+$' 'the keeper is found'
	kill -KILL "$keeper"
	finish KILL
	left=$tool
	ok 'without its keeper the instance of a killed run is left' test -d "$instances/eventstat.$left"
	start --interval=0.2 --method="$method"
	ok "the next run, by $method, removes it" test ! -d "$instances/eventstat.$left"
	finish
	unchanged 'at the end'
	has_ended 'at the end'
	rmdir "$instances/eventstat.$left" 2>/dev/null
done
done_testing
