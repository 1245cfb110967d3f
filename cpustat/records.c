// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"
#include "format/schema.h"

#define TABLE .columns = cpustat_columns, .n = C_N
#define STAMP "time: time, mono_ns: int, "

const struct sm_record sm_tool_records[] = {
	{"header", .keys = NULL},
	{"task", TABLE},
	{"sample",
		.keys = STAMP
		"dt_s: num, sample: int, partial: bool, source: bpf|clock|proc, "
		"procs: int, processes_created?: int, processes_exited?: int, "
		"unreadable: int, matched: int, shown: int, "
		"total_pct: num, total_usr_pct: num, total_sys_pct: num, "
		"total_wait_pct?: num, tasks_pct: num, exited_pct: num, self_pct: num, "
		"busy_pct?: num, irq_pct?: num, softirq_pct?: num, "
		"unaccounted_pct?: num, capacity_cpus: num, lost_rows: int, "
		"load1?: num, load5?: num, load15?: num, freq_mean_khz?: num, "
		"cpus_online?: int, cpu_limit?: num, ctxt_per_s?: num, "
		"intr_per_s?: num, softirq_per_s?: num, new_tasks_per_s?: num, "
		"running?: int, blocked?: int"},
	{"total", TABLE},
	{"grand_total", .keys = STAMP
			"samples: int, span_s: num, shown: int, total_pct?: num, "
			"total_usr_pct?: num, total_sys_pct?: num, total_wait_pct?: num"},
	{"distribution",
		.keys = "tasks: int, bins: [{low_pct: num, high_pct: num, count: int}], "
			"cpus: [{cpu: int, usr_pct?: num, sys_pct?: num}]"},
	{"summary",
		.keys = "time: time, samples: int, span_s: num, processes_created?: int, "
			"processes_exited?: int, missed_samples: int, lost_rows: int, "
			"lost_names: int, lost_exit_names: int"},
	{"$program", .keys = "comm: str, count: int, cpu_ns: int"},
	{0},
};
