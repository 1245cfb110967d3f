#!/usr/bin/jq -rnf
# SPDX-License-Identifier: GPL-2.0-or-later
# CPU time of a command as folded stacks for flamegraph.pl, inferno and speedscope:
#	cpustat -j 0.5 -- make | ./cpustat-stacks.jq >cpu.folded
# A line "make;sh;cc1 1234" has microseconds of CPU time.  Children that exited between two samples are the frame
# "(exited children)" of their parent.  The children of a parent without a row begin a stack.

# In a name, ";" and control characters would look like another frame or line.
def frame: gsub("[;\\x{0}-\\x{1f}\\x{7f}-\\x{9f}]"; "_") | if . == "" then "?" else . end;

[inputs | select(.type == "task") | {kind, pid, ppid, cpu_ns, name: (.comm // "?" | frame)}] |
(map(select(.kind == "process") | {key: "\(.pid)", value: {name, ppid}}) | from_entries) as $process |
# Frames of a PID and its ancestors; a PID that the kernel used again ends a circle.
def frames($below): tostring as $pid |
	if $process[$pid] and ($below | index([$pid]) | not) then
		($process[$pid].ppid | frames($below + [$pid])) + [$process[$pid].name]
	else [] end;
[.[] |
	if .kind == "process" then .name as $own | .pid as $pid | .stack = (.ppid | frames(["\($pid)"])) + [$own]
	elif .kind == "exited" then .stack = (.pid | frames([])) + ["(exited children)"]
	elif .kind | IN("softirq", "irq", "unaccounted") then .stack = ["[\(.kind)]"]
	else empty end] |
group_by(.stack)[] | {stack: .[0].stack, us: (map(.cpu_ns) | add / 1000 | round)} | select(.us > 0) |
"\(.stack | join(";")) \(.us)"
