#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-or-later
# Which programs start the most processes and threads?
#	forkstat -l -s -D 10 | ./spawners.awk
# Reads the table, with or without its heading.  With -s a name is one word.
$2 == "fork" && $4 == "parent" { forks[$5]++; total[$5]++ }
$2 == "clone" && $4 == "parent" { threads[$5]++; total[$5]++ }
$2 == "lost" && / (events|rows) lost / { lost += $4 }
END {
	printf "%8s %8s %s\n", "forks", "threads", "program"
	sort = "sort -k1,1nr -k2,2nr"
	for (name in total)
		printf "%8d %8d %s\n", forks[name], threads[name], name | sort
	close(sort)
	if (lost)
		printf "%d events were lost\n", lost
}
