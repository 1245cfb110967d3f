// SPDX-License-Identifier: GPL-2.0-or-later
/* The completion generator links this file, so it contains only the option table, parsers
 * and defaults. */
#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "cli/opt_value.h"
#include "opts.h"

#define MIN_INTERVAL (100 * SM_NSEC_PER_MSEC)
#define MIN_TEST     SM_NSEC_PER_SEC
#define MAX_LEVELS   101
#define TARGET_MAX   5000 /* hundredths of a percent */

const struct opts opts_default = {
	.levels = OPTS_LEVELS_DEFAULT,
	.seed = OPTS_SEED_DEFAULT,
	.total = SM_RAPL_TOTAL_PKG_DRAM,
	.app = {.interval_ns = SM_NSEC_PER_SEC,
		.interval_min_ns = MIN_INTERVAL,
		.count_min = 1,
		.queue_bytes = SM_SINK_DEFAULT_MAX,
		.time_style = SM_TIME_ISO},
};

/* --- parsers ------------------------------------------------------------------------ */

#define CALL(name) static int call_##name(void *cfg, const char *arg, struct sm_buf *why)

CALL(settle)
{
	struct opts *o = cfg;

	if (sm_units_duration_ns(arg, &o->settle_ns) < 0 || o->settle_ns > SM_APP_DAY_NS)
		return sm_opt_refuse(why, arg, "must be from 0s to 1d");
	o->have_settle = true;
	return 0;
}

CALL(target)
{
	struct opts *o = cfg;
	uint32_t centi;

	if (sm_units_percent(arg, &centi) < 0 || !centi || centi > TARGET_MAX)
		return sm_opt_refuse(why, arg, "must be from 0.01% to 50%");
	o->target_ci = (double)centi * 1e-4;
	return 0;
}

static const char *const source_choices[] = {
	"auto", "battery", "rapl", "perf", "hwmon", NULL};

CALL(source)
{
	struct opts *o = cfg;

	return sm_opt_source(arg, source_choices, &o->source, &o->sensors, why);
}

/* --- the table --------------------------------------------------------------------- */

static const char *const total_choices[] = {"pkg+dram", "pkg", "psys", NULL};
/* Same order as sm_ops_table; a test compares them. */
static const char *const op_choices[] = {
	"mwc", "int", "float", "double", "vector", "mem", "branchy", NULL};

const char *opts_source_name(const struct opts *o)
{
	return source_choices[o->source];
}

const char *opts_total_name(const struct opts *o)
{
	return total_choices[o->total];
}
/* Same order as enum opts_by. */
static const char *const by_choices[] = {"all", "type", NULL};

#define AT(field) .offset = offsetof(struct opts, field)

static const struct sm_opt table[] = {
	{.kind = SM_OPT_GROUP, .help = "The load"},
	{'n', "cpus", SM_OPT_STR, "LIST", AT(cpus),
		.help = "load these CPUs, in this order, such as 0-3,5 (default: all "
			"usable CPUs)"},
	{'s', "levels", SM_OPT_U64, "N", AT(levels), .min = 2, .max = MAX_LEVELS,
		.help = "use N load levels from 0 to 100% (default 5)"},
	{'e', "per-count", SM_OPT_FLAG, AT(per_count),
		.help = "load 1, 2, 3 ... CPUs (default: one, half and all) and report a "
			"result for each number"},
	{0, "by", SM_OPT_CHOICE, "WHAT", AT(by), .choices = by_choices,
		.help = "report all CPUs together (all, the default), or each type of "
			"CPUs (type)"},
	{0, "op", SM_OPT_CHOICE, "KERNEL", AT(op), .choices = op_choices,
		.help = "select the work of the load: mwc (default), int, float, double, "
			"vector, mem or branchy"},

	{.kind = SM_OPT_GROUP, .help = "Time"},
	{'r', "test-time", SM_OPT_DURATION, "SECS", AT(test_ns), .min = MIN_TEST,
		.max = SM_APP_DAY_NS,
		.help = "measure each level on each number of CPUs for SECS (default 20, "
			"on battery 120)"},
	{'d', "settle", SM_OPT_CALL, "SECS", .call = call_settle,
		.help = "wait SECS after each load change (default: until the power is "
			"stable; on battery 20)"},
	SM_APP_OPT_INTERVAL(0, MIN_INTERVAL,
		"take a reading every TIME, like DELAY (default 1 second; from 0.1)"),
	{0, "max-time", SM_OPT_DURATION, "TIME", AT(max_time_ns), .min = MIN_TEST,
		.max = SM_APP_LONGEST_NS,
		.help = "shorten the tests so that the run takes at most TIME"},
	{0, "target-ci", SM_OPT_CALL, "PERCENT", .call = call_target,
		.help = "measure until the 95% confidence interval is within PERCENT of "
			"the slope on both sides, or until --max-time (default 5 "
			"minutes)"},
	SM_APP_OPT_COUNT("stop after N tests, like COUNT"),
	SM_APP_OPT_DURATION(0),
	{0, "seed", SM_OPT_U64, "N", AT(seed), .min = 1,
		.help = "select a random order of the tests (default 1)"},

	{.kind = SM_OPT_GROUP, .help = "Where the power is read"},
	{'R', "rapl", SM_OPT_FLAG, AT(rapl),
		.help = "read the processor's energy counters (RAPL)"},
	{0, "source", SM_OPT_CALL, "SOURCE", .call = call_source,
		.choices = source_choices,
		.help = "select the power source: auto (default: discharging battery, "
			"else rapl, perf, hwmon), battery, rapl, perf, hwmon or "
			"hwmon:LABEL[,LABEL] (the sum of these sensors)"},
	{0, "total", SM_OPT_CHOICE, "RULE", AT(total), .choices = total_choices,
		.help = "add up these RAPL domains: pkg+dram (default), pkg or psys"},
	{0, "list", SM_OPT_FLAG, AT(list),
		.help = "list the power sources and the CPUs that can be loaded"},

	{.kind = SM_OPT_GROUP, .help = "Output"},
	{'o', "yaml", SM_OPT_STR, "FILE", AT(yaml), .complete = SM_COMPLETE_FILE,
		.help = "write the result to FILE as YAML"},
	{0, "gnuplot", SM_OPT_STR, "PREFIX", AT(gnuplot), .complete = SM_COMPLETE_FILE,
		.help = "write the readings to PREFIX.dat and a script that plots them "
			"to PREFIX.gp"},
	{'p', "progress", SM_OPT_FLAG, AT(progress),
		.help = "show progress on standard error even if it is not a terminal"},
	SM_APP_OPT_JSON(0),
	SM_APP_OPT_CSV,
	SM_APP_OPT_PROM,
	SM_APP_OPT_OUTPUT(0),
	SM_APP_OPT_SUMMARY('S', "print the number of rows and losses at the end"),
	SM_APP_OPT_QUIET('q'),
	SM_APP_OPT_LIMIT(
		0, "show only the first N domains and numbers of CPUs in the text"),
	SM_APP_OPT_LINE_BUFFERED(0, SM_APP_LINE_BUFFERED_ALWAYS),
	SM_APP_OPT_NO_HEADER,
	SM_APP_OPT_TIMESTAMP,
	SM_APP_OPT_COLOR,

	{.kind = SM_OPT_GROUP, .help = "The run"},
	SM_APP_OPT_REALTIME(0),
	SM_APP_OPT_STRICT,
	SM_APP_OPT_ROOT,
	SM_APP_OPT_DROP("for CPU hotplug"),
	SM_APP_OPT_HELP,
};

static const char *const examples[] = {"power-calibrate -R",
	"measure the power of a busy CPU with the processor's energy counters",
	"power-calibrate -R --target-ci 1% --max-time 10m",
	"measure until the result is within 1 percent",
	"power-calibrate -R -n 0-3 -e -s 11 -r 30",
	"load one to four CPUs and report each number of CPUs",
	"power-calibrate -R -o watts.yaml --gnuplot watts",
	"write the result and a plot to files", NULL};

static const char *conflict(const struct opts *o)
{
	if (o->rapl && o->source != SM_SOURCE_AUTO && o->source != SM_SOURCE_RAPL)
		return "-R and a --source other than rapl cannot be used together";
	if (o->per_count && o->by == OPTS_BY_TYPE)
		return "-e and --by=type cannot be used together";
	if (o->test_ns && o->test_ns < 2 * o->app.interval_ns)
		return "the test time (-r) must be at least twice the reading interval "
		       "(DELAY)";
	return NULL;
}

static bool is_plot(const char *file, const char *prefix)
{
	size_t n = strlen(prefix);

	return file && strncmp(file, prefix, n) == 0 &&
	       (strcmp(file + n, ".dat") == 0 || strcmp(file + n, ".gp") == 0);
}

/* The two files of --gnuplot; by name, as sm_opt_files() compares. */
static const char *clashes_with_plot(const struct opts *o)
{
	const char *const file[] = {
		o->yaml, o->app.json.file, o->app.csv.file, o->app.prom, o->app.output};

	for (size_t i = 0; o->gnuplot && i < SM_ARRAY_SIZE(file); i++)
		if (is_plot(file[i], o->gnuplot))
			return "--gnuplot and another option write to the same file";
	return NULL;
}

static int finish(void *cfg, struct sm_buf *why)
{
	struct opts *o = cfg;
	const struct sm_opt_file own = {"-o", o->yaml, NULL};
	int err = sm_app_opts_check(&o->app, &own, 1, NULL, why);
	const char *text = err ? NULL : conflict(o);

	if (!err && !text)
		text = clashes_with_plot(o);
	if (text) {
		sm_buf_str(why, text);
		return -EINVAL;
	}
	if (o->rapl)
		o->source = SM_SOURCE_RAPL;
	return err;
}

static const struct sm_opt_spec spec = {
	.tool = "power-calibrate",
	.version = SM_VERSION,
	.summary = "Measure the power cost of CPU load",
	.synopsis = "[OPTION]... [DELAY [COUNT]]",
	.opts = table,
	.nopts = SM_ARRAY_SIZE(table),
	.rest = SM_REST_OPERANDS,
	.operand = sm_app_opts_operand,
	.finish = finish,
	.examples = examples,
	.exit_notes =
		"Exit status: 0 ok, 1 error or no result, 2 usage, 3 not available on "
		"this machine, 4 not permitted, 5 something was lost and --strict; "
		"128 + n after signal n, with the result of what was measured.",
};

const struct sm_opt_spec *sm_tool_spec(void)
{
	return &spec;
}
