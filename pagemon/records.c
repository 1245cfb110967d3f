// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"
#include "format/schema.h"

#define EVENT "time: time, pid: int, comm?: text"

const struct sm_record sm_tool_records[] = {
	{"header", .keys = "source: scan|read"},
	{"process", .columns = pagemon_columns, .n = C_N,
		.without = COLUMNS_NOT_OF_PROCESS},
	{"mapping", .columns = pagemon_columns, .n = C_N,
		.without = COLUMNS_NOT_OF_MAPPING},
	{"run", .columns = pagemon_columns, .n = C_N, .without = COLUMNS_NOT_OF_RUN},
	{"sample", .keys = "time: time, mono_ns: int, sample: int, processes: int, "
			   "left_out?: int, matched: int, shown: int, cpu_s: num, "
			   "missed_samples: int, names_cut: int, lost_rows: int"},
	{"exec", .keys = EVENT},
	{"exited", .keys = EVENT ", peak_kb?: int"},
	{"lost", .keys = EVENT},
	{"waiting", .keys = EVENT},
	{"summary", .keys = "time: time, samples: int, missed_samples: int, "
			    "names_cut: int, rows: int, lost_rows: int"},
	{0},
};
