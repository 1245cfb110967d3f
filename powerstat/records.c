// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"
#include "format/schema.h"

#define KINDS  "{" COLUMNS_KINDS(": int, ") ": int}"
#define SOURCE "source: battery|rapl|perf|hwmon|none"

const struct sm_record sm_tool_records[] = {
	{"header", .keys = SOURCE
		   ", average_s?: num, "
		   "zones: [{label: str, counted: bool, " SOURCE "}], "
		   "delay_s: num, count: int, start_delay_s: num, process_events: bool"},
	{"sample", .columns = powerstat_columns, .n = C_N,
		.keys = "domains?: {*: num}, temps?: {*: num}"},
	{"skipped", .keys = "time: time, mono_ns: int, dt_s: num, low_idle: bool, "
			    "processes: bool"},
	{"run", .keys = "time: time, run: int, status: int, seconds?: num, joules?: num, "
			"joules_above_idle?: num, watts?: num"},
	{"note", .keys = "time: time, text: str"},
	{"log", .keys = "text: str"},
	{"summary", .keys = "time: time, samples: int, span_s: num, " SOURCE ", "
			    "watts_average?: num, watts_stddev?: num, estimate: bool, "
			    "joules?: num, joules_of_s: num, idle_watts?: num, "
			    "idle_of_s?: num, idle_watts_stderr?: num, "
			    "joules_above_idle?: num, joules_above_idle_stderr?: num, "
			    "joules_estimated: num, "
			    "kinds: " KINDS ", "
			    "readings?: int, average_s?: num, too_short?: bool, "
			    "idle_too_short?: bool, level_watts?: num, on_mains?: bool, "
			    "source_lost?: bool, source_lost_why?: str, reason?: str, "
			    "suspect?: str, stats: {*: $stats}, "
			    "repeat?: {runs: int, seconds?: $spread, joules?: $spread, "
			    "joules_above_idle?: $spread, watts?: $spread}, "
			    "core_throttles?: int, package_throttles?: int, "
			    "cstates?: [{name: str, resident_pct: num, count?: int, "
			    "latency_us?: int}], cstate_intervals_dropped?: int, "
			    "incomplete: int, missed: int, skipped: int, lost: int, "
			    "lost_rows: int, log_missing?: int"},
	{"$spread", .keys = "mean: num, stddev?: num"},
	{"$stats",
		.keys = "n: int, average?: num, geomean?: num, stddev?: num, min?: num, "
			"max?: num"},
	{0},
};
