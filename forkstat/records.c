// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"
#include "format/schema.h"

#define KINDS(type)                                                                   \
	"fork: " type ", exec: " type ", exit: " type ", core: " type ", comm: " type \
	", "                                                                          \
	"clone: " type ", ptrce: " type ", uid: " type ", gid: " type ", sid: " type

#define EVENT_KINDS KINDS("int") ", process_end: int, nonzero_exit: int"

const struct sm_record sm_tool_records[] = {
	{"header", .keys = "source: bpf|perf|proc"},
	{"event", .columns = forkstat_columns, .n = C_N},
	{"rate", .keys = "time: time, interval_s: num, lost: int, "
			 "per_s: {fork?: num, exec?: num, exit?: num, core?: num, comm?: "
			 "num, "
			 "clone?: num, ptrce?: num, uid?: num, gid?: num, sid?: num}"},
	{"summary",
		.keys = "time: time, elapsed_s: num, received: int, filtered: int, "
			"events: {" EVENT_KINDS ", failed_exec?: int}, "
			"lost: {kernel: int, output: int, arguments: int, names: int, "
			"facts: int, status: int, truncated: int}, "
			"lifetime_s?: {count: int, p50?: num, p90?: num, p99?: num, "
			"max?: num}, "
			"cpu_s?: {count: int, unknown: int, total?: num}, "
			"signals?: [{signal: int, name: str, words: str, count: int, "
			"core: int}], "
			"programs?: [{name: str, " EVENT_KINDS
			", total: int, lifetime_s: num, "
			"cpu_s?: num, cpu_unknown?: int}]"},
	{0},
};
