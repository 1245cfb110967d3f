#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-or-later
# Which mappings of a process grow, for pagemon-growth.gnuplot or to be read:
#	pagemon --csv -m -i 1 --duration=60 PID >mappings.csv; awk -f pagemon-growth.awk mappings.csv
# A column for each of the names that grew most (n: how many, 6), with its MiB in memory and in swap at each
# time; all others are the last one.  Mappings of one name count together, those without a name as one.
function base(name) {
	gsub(/"/, "", name)
	sub(/^.*\//, "", name)
	gsub(/[^A-Za-z0-9_.:()[\]-]/, "_", name)
	return name == "" ? "anonymous" : name
}
BEGIN {
	FS = ","
	if (!n)
		n = 6
}
NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	if (!column["name"] || !column["present_kb"]) {
		print "pagemon-growth.awk: these are no rows of pagemon --csv -m" >"/dev/stderr"
		failed = 1
		exit 1
	}
	next
}
{
	rest = $0 # a name may hold the separator
	for (i = 1; i < column["name"]; i++)
		sub(/^[^,]*,/, "", rest)
	name = base(rest)
	if (!times || $(column["mono_ns"]) != when[times])
		when[++times] = $(column["mono_ns"])
	mib[name, times] += ($(column["present_kb"]) + $(column["swap_kb"])) / 1024
	names[name] = 1
}
END {
	if (failed)
		exit 1
	printf "seconds"
	for (k = 1; k <= n; k++) {
		best = ""
		for (name in names)
			if (!(name in taken) && (best == "" || mib[name, times] - mib[name, 1] > mib[best, times] - mib[best, 1]))
				best = name
		if (best == "")
			break
		taken[best] = k
		chosen[k] = best
		printf " %s", best
	}
	count = k - 1
	print " others"
	for (t = 1; t <= times; t++) {
		printf "%.3f", (when[t] - when[1]) / 1e9
		for (k = 1; k <= count; k++)
			printf " %.3f", mib[chosen[k], t]
		others = 0
		for (name in names)
			if (!(name in taken))
				others += mib[name, t]
		printf " %.3f\n", others
	}
}
