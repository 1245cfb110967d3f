#!/usr/bin/jq -rnf
# SPDX-License-Identifier: GPL-2.0-or-later
# The tree of programs that a command ran:
#	forkstat -j -e fork,exec -- make | ./tree.jq
# One line for each exec, indented by its depth below the first exec.
foreach (inputs | select(.type == "event")) as $e ({depth: {}, line: null};
	($e.pid | tostring) as $pid | (($e.ppid // 0) | tostring) as $parent |
	if $e.event == "fork" then
		.depth[$pid] = (.depth[$parent] // 0) + 1 | .line = null
	elif $e.event == "exec" then
		.line = ("  " * (.depth[$pid] // 0) // "") + (($e.argv // [$e.comm // "?"]) | @sh)
	else .line = null end;
	.line // empty)
