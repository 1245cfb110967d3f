// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"
#include "format/schema.h"

/* Each row of timers has kthread; a row of wakeups has it if a task caused them. */
#define TIMERS                                                                 \
	.columns = eventstat_columns, .n = C_N, .without = COLUMNS_OF_WAKEUPS, \
	.keys = "kthread: bool"
#define WAKEUPS                                                               \
	.columns = eventstat_columns, .n = C_N, .without = COLUMNS_OF_TIMERS, \
	.keys = "kthread?: bool"

#define SAMPLE                                                              \
	"time: time, mono_ns: int, dt_s: num, sample: int, partial: bool, " \
	"matched: int, shown: int, "
#define WOKEN "wakeups: int, idle_exits: int, unknown: int, slept_s: num"
#define LOST  "lost_events: int, lost_owners: int, lost_rows: int"

const struct sm_record sm_tool_records[] = {
	{"header", .keys = "source?: bpf|perf"},
	{"timers", TIMERS},
	{"sample", .keys = SAMPLE
		   "starts: int, kernel_starts: int, expiries: int, idle_expiries: int, "
		   "tick_expiries: int, self_starts: int, lost_cpus: int, " LOST},
	{"total", TIMERS},
	{"wakeups", WAKEUPS},
	{"wakeup_sample",
		.keys = SAMPLE WOKEN
		", causes: {unknown: int, clock: int, irq: int, "
		"hrtimer: int, wheel: int, call: int, reschedule: int, flag: int, "
		"vector: int, limit: int}, cpus: [{cpu: int, " WOKEN "}], "
		"without_task: int, " LOST},
	{"wakeup_total", WAKEUPS},
	{"sleeps", .keys = "time: time, count: int, "
			   "bins: [{low_s: num, high_s?: num, count: int}]"},
	{"summary",
		.keys = "time: time, samples?: int, span_s?: num, missed_samples?: int, "
			"wakeups?: int, starts?: int, expiries?: int, "
			"idle_expiries?: int, rows: int, without_task?: int, "
			"lost_cpus?: int, " LOST},
	{0},
};
