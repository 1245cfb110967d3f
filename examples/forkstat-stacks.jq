#!/usr/bin/jq -rnf
# SPDX-License-Identifier: GPL-2.0-or-later
# Where the time of a build goes: folded stacks for flamegraph.pl, inferno and speedscope:
#	forkstat -j -e exit -- make | ./forkstat-stacks.jq >build.folded
# A line "make;sh;cc1 1234" has the microseconds in which such processes ran or waited without a living child.
# Jobs that run at the same time add up.  A process that outlived its parent begins a stack.

# In a name, ";" and control characters would look like another frame or line.
def frame: gsub("[;\\x{0}-\\x{1f}\\x{7f}-\\x{9f}]"; "_") | if . == "" then "?" else . end;
# Time in ns that an array of [start, end] covers.
def covered:
	reduce sort[] as [$from, $to] ({sum: 0, until: 0};
		.sum += ([$to - ([$from, .until] | max), 0] | max) | .until = ([.until, $to] | max)) | .sum;

reduce (inputs | select(.type == "event" and .process_end and .duration_s)) as $e ([];
	. + [{pid: $e.tgid, ppid: $e.ppid, name: ($e.comm // "?" | frame),
		span: [($e.mono_ns - $e.duration_s * 1e9 | round), $e.mono_ns]}]) |
(group_by(.pid) | map({key: "\(.[0].pid)", value: .}) | from_entries) as $by_pid |
# The kernel uses a PID again: the parent is the last owner that started earlier.
def parent: .span[0] as $start | [$by_pid["\(.ppid)"][]? | select(.span[0] < $start)] | max_by(.span[0]);
def stack: parent as $p | if $p then ($p | stack) + ";" + .name else .name end;
def key: "\(.pid) \(.span[0])";
(reduce .[] as $c ({}; ($c | parent) as $p | if $p then .[$p | key] += [$c.span] else . end)) as $children |
map({stack: stack, us: ((.span[1] - .span[0] - ($children[key] // [] | covered)) / 1000 | round)}) |
group_by(.stack)[] | {stack: .[0].stack, us: map(.us) | add} | select(.us > 0) | "\(.stack) \(.us)"
