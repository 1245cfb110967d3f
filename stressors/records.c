// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/schema.h"
#include "result/columns.h"

#define WITHOUT(column) SM_COLUMN_BITS(column, column)
#define INTERVAL                                              \
	.columns = stressors_columns, .n = C_N,               \
	.without = WITHOUT(C_INSTANCES) | WITHOUT(C_STATUS) | \
		   SM_COLUMN_BITS(C_WALL, C_SYS) | SM_COLUMN_BITS(C_CPU_RATE, C_REASON)

static const char run[] =
	"time: time, timeout_s?: num, jobs: int, sequential: bool, "
	"seed: str (a string, because it has 64 bits), verify: bool, "
	"aggressive: bool, max_memory_bytes?: int, "
	"sched?: other|batch|idle|fifo|rr, sched_prio?: int, interval_s?: num, "
	"cpus: int, online_cpus: int, "
	"cpu_limit?: num (CPUs that the cgroup may use; missing: no limit), "
	"cpu_asked?: num (CPUs that the instances require, if there is a limit), "
	"memory_bytes: int, release: str, machine: str";

static const char coverage[] =
	"time: time, call: str (a system call of the instances and their descendants; "
	"its number, if the headers of the build lack the name), number: int, "
	"calls: int (calls that have begun), "
	"ok: int (calls that have returned without an error), "
	"errors: [{errno: str, n: int}]";

static const char summary[] =
	"time: time, wall_s: num, pass: int, fail: int, skip: int, no_resource: int, "
	"interrupted: int, exit: int, signal?: str, lost_rows: int, "
	"lost_calls?: int (--coverage: tasks and calls that were not counted)";

static const char metric[] =
	"name: str, value: num, unit: str, "
	"mean: sum|arithmetic|geometric|harmonic|max|min|of-max|merged, n: int, "
	"instance?: int";

static const char histogram[] =
	"of: str, count: int, bins: [{low_s: num, high_s?: num, count: int}], "
	"cpus?: [{cpu: int, count: int, max_s: num}]";

const struct sm_record sm_tool_records[] = {
	{.type = "header"},
	{"run", .keys = run},
	{"interval", INTERVAL},
	{"interim", INTERVAL},
	{"result", .columns = stressors_columns, .n = C_N,
		.without = WITHOUT(C_INSTANCE) | WITHOUT(C_T)},
	{"coverage", .keys = coverage},
	{"summary", .keys = summary},
	{"$metric", .keys = metric},
	{"$figure", .keys = "name: str, value: num, unit: str, per_s?: num, share: num"},
	{"$histogram", .keys = histogram},
	{0},
};
