#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-or-later
# The callbacks whose timers expired most often, and how many of them found the CPU idle:
#	sudo eventstat --csv 1 60 | ./eventstat-callbacks.awk
# A line for each: expiries per second, those of an idle CPU, their share of all such expiries, timers
# armed per second, callback.  Finds the columns by their names; quoted fields may hold commas.
function split_csv(line, field,    n, part) {
	n = 0
	line = line "," # a field ends with it
	while (line != "") {
		if (match(line, /^"([^"]|"")*"/)) {
			part = substr(line, 2, RLENGTH - 2)
			gsub(/""/, "\"", part)
		} else {
			match(line, /^[^,]*/)
			part = substr(line, 1, RLENGTH)
		}
		field[++n] = part
		line = substr(line, RLENGTH + 2)
	}
	return n
}
NR == 1 {
	n = split_csv($0, name)
	for (i = 1; i <= n; i++)
		column[name[i]] = i
	if (!("func" in column)) {
		print "eventstat-callbacks.awk: wants the CSV of eventstat" >"/dev/stderr"
		failed = 1
		exit 1
	}
	next
}
{
	split_csv($0, f)
	if (f[column["mono_ns"]] != last) {
		last = f[column["mono_ns"]]
		span += f[column["dt_s"]]
	}
	if (!(f[column["starts"]] + f[column["expiries"]]))
		next # a sample without rows
	func_ = f[column["func"]]
	if (("work" in column) && f[column["work"]] != "")
		func_ = "work:" f[column["work"]]
	starts[func_] += f[column["starts"]]
	expiries[func_] += f[column["expiries"]]
	idle[func_] += f[column["idle_expiries"]]
	all += f[column["idle_expiries"]]
}
END {
	if (failed || span == 0)
		exit failed
	print "  Wake/s   Idle/s  idle%  Event/s callback"
	fflush()
	sort = "sort -k1,1nr -k5"
	for (name_ in starts)
		printf "%8.2f %8.2f %6.1f %8.2f %s\n", expiries[name_] / span, idle[name_] / span,
			all ? 100 * idle[name_] / all : 0, starts[name_] / span, name_ | sort
	close(sort)
}
