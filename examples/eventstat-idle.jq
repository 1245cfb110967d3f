#!/usr/bin/jq -rnf
# SPDX-License-Identifier: GPL-2.0-or-later
# Which programs wake idle CPUs by their timers, over the run:
#	sudo eventstat -j 1 60 | ./eventstat-idle.jq
# A tab-separated line for each: wakeups per second, share of them all, name.  Reads line by line, so a
# day's file needs little memory.
reduce inputs as $r ({span: 0, sum: {}};
	if $r.type == "sample" then .span += $r.dt_s
	elif $r.type == "timers" and $r.idle_expiries > 0 then
		.sum[if $r.kthread then "[\($r.comm)]" else $r.comm // "?" end] += $r.idle_expiries
	else . end) |
.span as $span | (.sum | add) as $all |
.sum | to_entries | sort_by(-.value, .key) | .[] |
[(.value / $span * 100 | round) / 100, "\(.value * 1000 / $all | round / 10)%", .key] | @tsv
