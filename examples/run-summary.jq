#!/usr/bin/jq -rnf
# SPDX-License-Identifier: GPL-2.0-or-later
# Markdown summary of a command, for the log or the summary page of a CI job:
#	forkstat -q --json=procs.json -- make; ./run-summary.jq procs.json >>"$GITHUB_STEP_SUMMARY"
# It also reads the JSON of "cpustat -- COMMAND" and "powerstat -- COMMAND", in the same call or alone, and shows the
# values that it finds: time, CPU time, processes, failures, energy, failed processes and the busiest programs.

# Names are untrusted: they must not end a cell or begin a tag.
def cell: gsub("[\\x{0}-\\x{1f}\\x{7f}-\\x{9f}]"; " ") | (if length > 100 then .[:99] + "…" else . end) |
	gsub("(?<c>[][&<>|`*_~$@\\\\])"; "&#\(.c | explode[0]);");
def code: "<code>\(cell)</code>";
def round2: . * 100 | round / 100;
def seconds: "\(. * 1000 | round / 1000) s";
def row: "| " + join(" | ") + " |";
def how: if .signal > 0 then .signal_name // "signal \(.signal)" else "status \(.status)" end;

reduce inputs as $r ({failed: [], cpu_ns: 0};
	if $r.type == "header" then .tool = $r.tool
	elif $r.type == "task" and ($r.kind == "process" or $r.kind == "exited") then .cpu_ns += $r.cpu_ns
	elif $r.event == "exit" and $r.process_end and ($r.status > 0 or $r.signal > 0) then
		.failed += [{how: ($r | how), command: ($r.argv // [$r.comm // "?"] | join(" "))}]
	elif $r.type == "summary" then .[.tool] = $r
	else . end) |
(.forkstat.elapsed_s // .powerstat.joules_of_s // .cpustat.span_s) as $time |
(.forkstat.cpu_s.total // (if .cpustat then .cpu_ns / 1e9 else null end)) as $cpu |
"| | |", "|---|---:|",
([if $time then ["Time", ($time | seconds)] else empty end,
  if $cpu then ["CPU time", ($cpu | seconds)] else empty end,
  (.forkstat | objects |
	["Processes", "\(.events.process_end)"],
	["Failed processes", "\(.events.nonzero_exit)"],
	(.lost | add | select(. > 0) | ["Lost events", "\(.)"])),
  (.powerstat | objects | select(.joules) |
	["Energy", "\(.joules | round2) J\(if .estimate then " (estimate)" else "" end)"],
	["Power", "\(.watts_average | round2) W"])] |
	.[] | row),
(.failed | select(length > 0) | group_by(.) | sort_by(-length) |
	"", "| Failed | Status | Command |", "|---:|---|---|",
	(.[:10][] | ["\(length)", (.[0].how | cell), (.[0].command | code)] | row)),
(.forkstat.programs | arrays | map(select(.cpu_s > 0)) | sort_by(-.cpu_s) | select(length > 0) |
	"", "| Program | Processes | CPU time |", "|---|---:|---:|",
	(.[:5][] | [(.name | code), "\(.process_end)", (.cpu_s | seconds)] | row))
