#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-or-later
# The top consumer of each sample over time, and at the end how often each one was that:
#	cpustat -S -c 1 60 | ./cpustat-top.awk
# Finds the columns by the heading, so -W, -m, -G and --timestamp may be given too.  (mawk reads
# a pipe in blocks: "mawk -W interactive -f" shows each line at once.)
/^Grand Total|^Distribution/ { exit }
/(^| )%CPU( |$)/ {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	time = match($0, /\([0-9][0-9]:[0-9][0-9]:[0-9][0-9]\)/) ? substr($0, RSTART + 1, 8) : "-"
	wanted = 1
	next
}
wanted && NF >= column["Task"] && $column["%CPU"] ~ /^[0-9]+\.[0-9]+$/ {
	wanted = 0
	name = $column["Task"]
	for (i = column["Task"] + 1; i <= NF; i++)
		name = name " " $i
	printf "%s %7.2f %s\n", time, $column["%CPU"], name
	times[name]++
	sum[name] += $column["%CPU"]
}
END {
	sort = "sort -k1,1nr -k2,2nr"
	print "\n   times   mean% task"
	fflush()
	for (name in times)
		printf "%8d %7.2f %s\n", times[name], sum[name] / times[name], name | sort
	close(sort)
}
