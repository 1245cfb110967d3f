#!/usr/bin/jq -nf
# SPDX-License-Identifier: GPL-2.0-or-later
# Lifetimes of processes as a trace, for ui.perfetto.dev and chrome://tracing:
#	forkstat -j -e exit -- make | ./forkstat-trace.jq >build.trace.json
# Each process has a track, below the track of its parent, in a group named after the first ancestor that exited.
# A slice has the arguments, the exit status and the signal.  Times are in microseconds of CLOCK_MONOTONIC.
reduce (inputs | select(.type == "event" and .process_end and .duration_s)) as $e ([];
	. + [{pid: $e.tgid, ppid: $e.ppid, name: ($e.comm // "?"),
		start: ($e.mono_ns - $e.duration_s * 1e9 | round), dur: ($e.duration_s * 1e9 | round / 1000),
		args: ({ppid: $e.ppid, status: $e.status, signal: $e.signal_name, argv: $e.argv} |
			with_entries(select(.value != null)))}]) |
(group_by(.pid) | map({key: "\(.[0].pid)", value: .}) | from_entries) as $by_pid |
# The kernel uses a PID again: the parent is the last owner that started earlier.
def parent: .start as $start | [$by_pid["\(.ppid)"][]? | select(.start < $start)] | max_by(.start);
def ancestors: parent as $p | if $p then ($p | ancestors) + [.] else [.] end;
# Sorted by the start times of the ancestors, children follow their parents.
map(ancestors as $a | . + {root: $a[0], line: ($a | map(.start))}) | sort_by(.line) |
{
	displayTimeUnit: "ms",
	traceEvents: (
		[to_entries[] | .key as $place | .value | {ph: "M", pid: .root.pid, tid: .pid} +
			((select(.pid == .root.pid) | {name: "process_name", args: {name}}),
			 {name: "thread_name", args: {name}},
			 {name: "thread_sort_index", args: {sort_index: $place}})] +
		(map({name, cat: "process", ph: "X", ts: (.start / 1000), dur, pid: .root.pid, tid: .pid, args}) |
			sort_by(.ts)))
}
