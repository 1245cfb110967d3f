#!/usr/bin/jq -rnf
# SPDX-License-Identifier: GPL-2.0-or-later
# CPU seconds by name over the run, exited children and the kernel's own rows included:
#	cpustat -j 1 60 | ./cpustat-seconds.jq
# A tab-separated line for each: seconds, share of it all, name.  Reads line by line, so a day's
# file needs little memory.
reduce (inputs | select(.type == "task")) as $r ({};
	.[if $r.comm then
		$r.comm + (if $r.kind == "exited" then " (exited children)" else "" end)
	  else "[\($r.kind)]" end] += $r.cpu_ns) |
add as $all |
to_entries | sort_by(-.value) | .[] |
[(.value / 1e7 | round) / 100, "\(.value * 1000 / ($all + 1e-9) | round / 10)%", .key] | @tsv
