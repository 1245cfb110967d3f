#!/usr/bin/jq -rf
# SPDX-License-Identifier: GPL-2.0-or-later
# Failed processes: status, lifetime, and arguments quoted for a shell:
#	forkstat -j --exit nonzero -D 60 | ./failures.jq
# The last line has the number of all losses.
if .type == "event" and .event == "exit" then
	[(if .signal > 0 then .signal_name else "status \(.status)" end),
	 "\(.duration_s // "?")s",
	 ((.argv // [.comm // "?"]) | @sh)] | @tsv
elif .type == "summary" then
	"lost: \([.lost[]] | add)"
else empty end
