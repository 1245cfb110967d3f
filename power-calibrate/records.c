// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"
#include "format/schema.h"

#define SETTINGS "source: str, machine: $machine, options: $options"

/* A regression line without its slope and base; all is missing if it has an error. */
#define LINE                                                                    \
	"error?: str, other_w_per_cpu?: $estimate, drift_w_per_h?: $estimate, " \
	"r2?: num, adjusted_r2?: num, rms_w?: num, worst_w?: num, used?: int, " \
	"rejected?: int, misfit?: bool, step_w?: num"

#define LOAD_LINE "w_per_cpu?: $estimate, base_w?: $estimate, " LINE

static const char reading[] =
	"time: time, t_s: num, dt_s: num, test: int, level_pct: num, cpus: int, "
	"cpu_type?: str, own_cpus_by_type?: {*: num}, own_cpus: num, "
	"other_cpus: num, ops_per_s?: num, cycles_per_s?: num, "
	"instructions_per_s?: num, ref_cycles_per_s?: num, watts: num";

static const char result[] =
	"time: time, complete: bool, tests: int, failed_tests: int, readings: int, "
	"failed_readings?: int, online_cpus?: int, op: str, " SETTINGS ", "
	"target_reached?: bool, meter_lag_s?: num, meter_average_s?: num, "
	"load_shortfall?: {tests: int, requested_cpus: num, own_cpus: num}, "
	"load: {w_per_cpu: $estimate, base_w: $estimate, " LINE ", "
	"bend_p?: num, bend_share?: num, linear?: bool}, "
	"energy: {op: $energy_line, cycle?: $energy_line, instruction?: $energy_line, "
	"ref_cycle?: $energy_line}, "
	"types?: [{cpu_type: str, cpus: int, " LOAD_LINE "}], "
	"counts?: [{cpus: int, " LOAD_LINE "}], "
	"domains?: [{name: text, added: bool, " LOAD_LINE "}], "
	"mhz?: $begin_end, full_load_mhz?: $begin_end, "
	"temperatures?: [{zone: text, c?: $begin_end}], "
	"core_throttles?: int, package_throttles?: int";

static const char machine[] =
	"cpu_model?: str, scaling_driver?: str, governor?: str, epp?: str, "
	"turbo?: off|on|mixed, cpu_limit?: num";

static const char options[] =
	"cpus?: str, op: str, levels: int, per_count: bool, test_time_s?: num, "
	"settle_s?: num, interval_s: num, max_time_s?: num, target_ci_pct?: num, "
	"count?: int, duration_s?: num, seed: int, "
	"source: auto|battery|rapl|perf|hwmon, total: pkg+dram|pkg|psys, "
	"realtime?: int";

const struct sm_record sm_tool_records[] = {
	{"header", .keys = SETTINGS},
	{"reading", .keys = reading},
	{"test", .columns = power_calibrate_columns, .n = C_N},
	{"result", .keys = result},
	{"summary", .keys = "time: time, rows: int, lost_rows: int"},
	{"$machine", .keys = machine},
	{"$options", .keys = options},
	{"$estimate", .keys = "value: num, se: num, low: num, high: num"},
	{"$energy_line", .keys = "nj?: $estimate, base_w?: $estimate, " LINE
				 ", method: counted|perf|tsc|computed"},
	{"$begin_end", .keys = "begin: num, end: num"},
	{0},
};
