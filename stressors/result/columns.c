// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "columns.h"
#include "facts.h"
#include "number.h"

#define CSV(k, d)	 .key = k, .machine_decimals = d
#define MACHINE(k, d, j) CSV(k, d), .json = j
#define HUMAN(k, h, d, p, j)                                         \
	.key = k, .head = h, .align = SM_ALIGN_RIGHT, .decimals = d, \
	.machine_decimals = 6, .priority = p, .json = j

const struct sm_column stressors_columns[C_N] = {
	[C_TIME] = {MACHINE("time", 0, "time"), .help = "time of the row"},
	[C_TYPE] = {CSV("type", 0), .help = "result, metric, figure, bin, cpu, call, "
					    "error, interval or interim"},
	[C_STRESSOR] = {.key = "stressor",
		.head = "Stressor",
		.align = SM_ALIGN_LEFT,
		.json = "str",
		.help = "name of the stressor"},
	[C_JOB] = {MACHINE("job", 0, "int"),
		.help = "number of the job, from 0; a stressor may have several jobs"},
	[C_INSTANCE] = {MACHINE("instance", 0, "?int"),
		.help = "number of the instance, from 0"},
	[C_INSTANCES] = {HUMAN("instances", "Instances", 0, 4, "int"),
		.help = "number of instances that were started"},
	[C_T] = {MACHINE("t_s", 6, "num"),
		.help = "time since the start of the stressors"},
	[C_STATUS] = {MACHINE("status", 0, "pass|fail|skip|no-resource|interrupted"),
		.help = "pass, fail, skip, no-resource or interrupted"},
	[C_OPS] = {HUMAN("ops", "Ops", 0, 0, "int"), .help = "ops of all instances"},
	[C_WALL] = {HUMAN("wall_s", "Real s", 2, 7,
			    "?num (time from the start of the stage to the end of the "
			    "last instance)"),
		.help = "real time, from the start of the stage to the end of the last "
			"instance"},
	[C_USER] = {HUMAN("user_s", "User s", 2, 5, "?num"),
		.help = "CPU time in user mode, of all instances"},
	[C_SYS] = {HUMAN("sys_s", "System s", 2, 5, "?num"),
		.help = "CPU time in the kernel, of all instances"},
	[C_RATE] = {HUMAN("ops_per_s", "Ops/s real", 2, 0,
			    "?num (ops divided by the real time)"),
		.help = "ops divided by the real time"},
	[C_CPU_RATE] = {HUMAN("ops_per_cpu_s", "Ops/s CPU", 2, 6, "?num"),
		.help = "ops divided by the CPU time"},
	[C_CPU] = {HUMAN("cpu_pct", "CPU %", 1, 3, "?num"),
		.help = "CPU use of all instances, in percent of one CPU"},
	[C_RSS] = {HUMAN("maxrss_kb", "RSS KiB", 0, 2, "?int"),
		.help = "largest resident set of an instance, in KiB"},
	[C_SETUP] = {MACHINE("setup_s", 6, "?num"), .help = "time of the longest setup"},
	[C_OOM_KILLS] = {MACHINE("oom_kills", 0, "int"),
		.help = "instances killed for lack of memory and restarted"},
	[C_FORCED] = {MACHINE("forced", 0, "int"),
		.help = "instances killed by the supervisor"},
	[C_METRICS] = {MACHINE("metrics", 0, "?[$metric]"), .help = "JSON: the metrics"},
	[C_FIGURES] = {MACHINE("figures", 0, "?[$figure]"), .help = "JSON: the figures"},
	[C_HISTOGRAM] = {MACHINE("histogram", 0, "?$histogram"),
		.help = "JSON: the bins that have values"},
	[C_NAME] = {CSV("name", 0),
		.help = "name of the metric, figure, histogram or system call"},
	[C_VALUE] = {CSV("value", 0), .help = "value of all instances"},
	[C_UNIT] = {CSV("unit", 0), .help = "unit of the value; empty for a count"},
	[C_MEAN] = {CSV("mean", 0),
		.help = "how the values of the instances were combined"},
	[C_COUNTED] = {CSV("n", 0),
		.help = "instances that have the metric; values in the bin"},
	[C_PER_S] = {CSV("per_s", 0),
		.help = "the figure divided by the real time of the stressor"},
	[C_SHARE] = {CSV("share", 6),
		.help = "share of the time in which the event was counted"},
	[C_LOW] = {CSV("low_s", 9), .help = "lowest value of the bin"},
	[C_HIGH] = {CSV("high_s", 9), .help = "upper limit of the bin, exclusive"},
	[C_ON_CPU] = {CSV("cpu", 0),
		.help = "number of the CPU to which the instances were pinned"},
	[C_REASON] = {MACHINE("reason", 0, "?text"),
		.help = "reason why the job did not pass"},
};

/* Returns a rate with two decimals, or more if it is nearly zero. */
static struct sm_value rate(double per_s)
{
	struct sm_value v = sm_value_double(per_s);

	v.scale = fabs(per_s) < 1 ? number_decimals(per_s) : 0;
	return v;
}

static void put_times(struct sm_value v[C_N], const struct result *r)
{
	v[C_WALL] = sm_value_double(r->wall_s);
	v[C_USER] = sm_value_double(r->user_s);
	v[C_SYS] = sm_value_double(r->sys_s);
	v[C_RATE] = rate(result_rate(r));
	v[C_CPU_RATE] = rate(result_cpu_rate(r));
	v[C_CPU] = sm_value_double(result_cpu_percent(r));
	v[C_RSS] = sm_value_u64(r->maxrss_kb);
	v[C_SETUP] = sm_value_double(r->setup_s);
}

void columns_result(struct sm_value v[C_N], const struct result *r)
{
	const char *reason = facts_reason(r);

	memset(v, 0, C_N * sizeof(*v));
	v[C_TYPE] = sm_value_str("result");
	v[C_STRESSOR] = sm_value_str(r->job->stressor->name);
	v[C_JOB] = sm_value_u64(r->job->number);
	v[C_INSTANCES] = sm_value_u64(r->n);
	v[C_STATUS] = sm_value_str(result_status_names[r->status]);
	v[C_OPS] = sm_value_u64(r->ops);
	if (r->n)
		put_times(v, r);
	v[C_OOM_KILLS] = sm_value_u64(r->oom_kills);
	v[C_FORCED] = sm_value_u64(r->forced);
	if (reason)
		v[C_REASON] = sm_value_text(reason, strlen(reason));
}

bool columns_per_second(
	const struct result *r, const struct result_figure *f, double *value)
{
	*value = f->value / r->wall_s;
	return (!*f->unit || strcmp(f->unit, "J") == 0 || strcmp(f->unit, "ns") == 0) &&
	       r->wall_s > 0 && isfinite(*value);
}
