// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "shortfall.h"

#define MACHINE(k, d, j) .key = k, .machine_decimals = d, .json = j
#define HUMAN(k, h, w, d)                                                        \
	.key = k, .head = h, .width = w, .align = SM_ALIGN_RIGHT, .decimals = d, \
	.machine_decimals = 3, .json = "?num"
#define POWER(k, h)                                                              \
	.key = k, .head = h, .width = 8, .align = SM_ALIGN_RIGHT, .decimals = 3, \
	.machine_decimals = 6, .json = "?num"
#define TEXT(k, h, w) .key = k, .head = h, .width = w, .align = SM_ALIGN_RIGHT

const struct sm_column power_calibrate_columns[C_N] = {
	[C_LOAD] = {TEXT(NULL, "CPU load", 10),
		.help = "load level of each loaded CPU, and number of loaded CPUs; in "
			"parentheses the busy CPUs of a load that got less CPU time"},
	[C_TIME] = {MACHINE("time", 0, "time"), .help = "end of the test"},
	[C_MONO] = {MACHINE("mono_ns", 0, "int"),
		.help = "end of the test in CLOCK_MONOTONIC nanoseconds"},
	[C_LEVEL] = {MACHINE("level_pct", 4, "num"), .help = "requested load level"},
	[C_CPUS] = {MACHINE("cpus", 0, "int"),
		.help = "number of loaded CPUs; 0 if idle"},
	[C_TYPE] = {.key = "cpu_type",
		.head = "Type",
		.width = 4,
		.align = SM_ALIGN_LEFT,
		.json = "?str",
		.help = "type of the loaded CPUs, or all (with --by=type)"},
	[C_BLOCK] = {MACHINE("block", 0, "int"),
		.help = "number of the block; each block contains all tests"},
	[C_READINGS] = {MACHINE("readings", 0, "int"),
		.help = "number of power readings in the test"},
	[C_SECONDS] = {MACHINE("measured_s", 6, "num"),
		.help = "time covered by the readings"},
	[C_OWN] = {MACHINE("own_cpus", 6, "?num"),
		.help = "CPU use of the load, in busy CPUs"},
	[C_OTHER] = {MACHINE("other_cpus", 6, "?num"),
		.help = "other CPU use, in busy CPUs"},
	[C_USER] = {HUMAN("user_pct", "User", 5, 1), .priority = 7,
		.help = "time in programs, percent of all CPUs"},
	[C_SYS] = {HUMAN("sys_pct", "Sys", 5, 1), .priority = 6,
		.help = "time in the kernel, percent of all CPUs"},
	[C_IDLE] = {HUMAN("idle_pct", "Idle", 5, 1), .priority = 8,
		.help = "idle time, percent of all CPUs"},
	[C_RUN] = {HUMAN("run", "Run", 5, 1), .priority = 1,
		.help = "running and runnable tasks"},
	[C_CTXT] = {TEXT(NULL, "Ctxt/s", 6), .priority = 3,
		.help = "context switches per second"},
	[C_IRQ] = {TEXT(NULL, "IRQ/s", 6), .priority = 2,
		.help = "interrupts per second"},
	[C_OPS] = {TEXT(NULL, "Ops/s", 6), .priority = 9,
		.help = "operations of the load (--op)"},
	[C_CYCLES] = {TEXT(NULL, "Cycl/s", 6), .priority = 5,
		.help = "CPU cycles of the load"},
	[C_INSTRUCTIONS] = {TEXT(NULL, "Inst/s", 6), .priority = 4,
		.help = "instructions of the load"},
	[C_CTXT_RATE] = {MACHINE("ctxt_per_s", 3, "?num"),
		.help = "context switches per second"},
	[C_IRQ_RATE] = {MACHINE("intr_per_s", 3, "?num"),
		.help = "interrupts per second"},
	[C_OPS_RATE] = {MACHINE("ops_per_s", 0, "?num"),
		.help = "operations of the load"},
	[C_CYCLES_RATE] = {MACHINE("cycles_per_s", 0, "?num"),
		.help = "CPU cycles of the load"},
	[C_INSTRUCTIONS_RATE] = {MACHINE("instructions_per_s", 0, "?num"),
		.help = "instructions of the load"},
	[C_REF_CYCLES_RATE] = {MACHINE("ref_cycles_per_s", 0, "?num"),
		.help = "cycles of the load at the constant rate of the time stamp "
			"counter"},
	[C_WATTS] = {POWER("watts", "Watts"), .help = "mean power"},
};

void columns_si(char text[COLUMNS_TEXT], double v)
{
	static const char prefix[] = " kMGTPE";
	size_t i = 0;

	if (!isfinite(v)) {
		snprintf(text, COLUMNS_TEXT, "-");
		return;
	}
	/* 999.95 would be printed as 1000.0. */
	for (; fabs(v) >= 999.95 && i < strlen(prefix) - 1; i++)
		v /= 1000;
	if (i)
		snprintf(text, COLUMNS_TEXT, "%.1f%c", v, prefix[i]);
	else
		snprintf(text, COLUMNS_TEXT, "%.1f", v);
}

/* Appends the own load if it is short: "100% x 2 (0.4)".  Two decimals are used if one
 * does not show the difference. */
static void put_own(char *text, size_t cap, const struct reading *mean)
{
	double own = mean->v[F_OWN], requested = shortfall_requested(mean);
	size_t n = strlen(text);

	if (shortfall_is_short(mean))
		snprintf(text + n, cap - n, " (%.*f)",
			lround(own * 10) == lround(requested * 10) ? 2 : 1, own);
}

static void put_load(struct columns_row *row, const struct reading *mean)
{
	double percent = mean->ppm / 1e4;

	/* Print 12.5%, but 50% without decimals, like the original. */
	snprintf(row->load, sizeof(row->load), "%.*f%% x %u", mean->ppm % 10000 ? 1 : 0,
		percent, mean->cpus);
	put_own(row->load, sizeof(row->load), mean);
	row->v[C_LOAD] = sm_value_str(row->load);
	row->v[C_LEVEL] = sm_value_double(percent);
	row->v[C_CPUS] = sm_value_u64(mean->cpus);
}

static void put_rates(struct columns_row *row, const struct reading *mean)
{
	for (unsigned int i = 0; i <= C_INSTRUCTIONS - C_CTXT; i++) {
		columns_si(row->rate[i], mean->v[F_CTXT + i]);
		row->v[C_CTXT + i] = sm_value_str(row->rate[i]);
		row->v[C_CTXT_RATE + i] = sm_value_double(mean->v[F_CTXT + i]);
	}
	row->v[C_REF_CYCLES_RATE] = sm_value_double(mean->v[F_REF_CYCLES]);
}

void columns_no_reading(struct reading *mean, const struct plan_test *t)
{
	*mean = (struct reading){.ppm = t->ppm, .cpus = t->cpus};
	for (unsigned int f = 0; f < F_N; f++)
		mean->v[f] = NAN;
}

void columns_fill(struct columns_row *row, const struct reading *mean, size_t n,
	unsigned int block, uint64_t end_mono_ns, uint64_t end_wall_ns)
{
	memset(row, 0, sizeof(*row));
	put_load(row, mean);
	put_rates(row, mean);
	row->v[C_TIME] = sm_value_time(end_wall_ns);
	row->v[C_MONO] = sm_value_u64(end_mono_ns);
	row->v[C_BLOCK] = sm_value_u64(block);
	row->v[C_READINGS] = sm_value_u64(n);
	row->v[C_SECONDS] = sm_value_double(mean->dt_s);
	row->v[C_OWN] = sm_value_double(mean->v[F_OWN]);
	row->v[C_OTHER] = sm_value_double(mean->v[F_OTHER]);
	for (unsigned int i = 0; i <= F_RUN - F_USER; i++)
		row->v[C_USER + i] = sm_value_double(mean->v[F_USER + i]);
	row->v[C_WATTS] = sm_value_double(mean->v[F_WATTS]);
}
