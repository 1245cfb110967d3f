#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-or-later
# Execs, forks and exits in each second, as columns for a plot:
#	forkstat -l -D 60 | ./per-second.awk > rates.dat
# A fork is two rows; only the child's is counted.
function out() {
	if (now != "")
		printf "%s %d %d %d\n", now, n["fork"], n["exec"], n["exit"]
	split("", n)
}
BEGIN { print "# time fork exec exit" }
$1 !~ /^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]$/ { next }
$1 != now { out(); now = $1 }
$2 == "fork" && $4 == "parent" { next }
{ n[$2]++ }
END { out() }
