#!/usr/bin/jq -ncf
# SPDX-License-Identifier: GPL-2.0-or-later
# Selects records of JSON lines for a log shipper, and adds the tool and the boot to each, which only the first line has:
#	sudo forkstat --json | jq --unbuffered -nc -f json-records.jq | systemd-cat -t sysmon
# "type" distinguishes the records of all tools; the pages in section 5 list its values.  This selection has the failed
# processes of forkstat and the samples and summaries of the other tools.
foreach inputs as $r ({};
	if $r.type == "header" then {tool: $r.tool, boot_id: $r.boot_id} else . end;
	. + ($r | select(
		.type == "sample" or .type == "summary" or
		(.type == "event" and .event == "exit" and (.status != 0 or .signal != 0)))))
