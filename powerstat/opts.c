// SPDX-License-Identifier: GPL-2.0-or-later
/* Option table, parsers and defaults only: the completion generator links this file. */
#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "cli/opt_value.h"
#include "opts.h"

#define MIN_INTERVAL (100 * SM_NSEC_PER_MSEC)
#define IDLE_DEFAULT 9800 /* 98 %, as in the original */
#define IDLE_MAX     9999

const struct opts opts_default = {
	.idle_centi_pct = IDLE_DEFAULT,
	.total = SM_RAPL_TOTAL_PKG_DRAM,
	.app = {.interval_min_ns = MIN_INTERVAL,
		.queue_bytes = SM_SINK_DEFAULT_MAX,
		.time_style = SM_TIME_ISO},
};

/* --- parsers ------------------------------------------------------------------------ */

#define CALL(name) static int call_##name(void *cfg, const char *arg, struct sm_buf *why)

CALL(all)
{
	struct opts *o = cfg;

	(void)arg;
	(void)why;
	o->cstates = o->freq = o->gpu = o->thermal = o->hist = true;
	return 0;
}

CALL(redo)
{
	struct opts *o = cfg;

	(void)arg;
	(void)why;
	o->redo_busy = o->redo_procs = true;
	return 0;
}

CALL(idle)
{
	struct opts *o = cfg;

	if (sm_units_percent(arg, &o->idle_centi_pct) < 0 || o->idle_centi_pct > IDLE_MAX)
		return sm_opt_refuse(why, arg, "must be from 0 to 99.99%");
	o->redo_busy = true;
	return 0;
}

CALL(delay)
{
	struct opts *o = cfg;

	if (sm_units_duration_ns(arg, &o->start_delay_ns) < 0 ||
		o->start_delay_ns > 30 * SM_APP_DAY_NS)
		return sm_opt_refuse(why, arg, "must be from 0s to 30d");
	o->have_start_delay = true;
	return 0;
}

CALL(baseline)
{
	struct opts *o = cfg;

	if (sm_units_duration_ns(arg, &o->idle_ns) < 0 || o->idle_ns < MIN_INTERVAL ||
		o->idle_ns > SM_APP_DAY_NS)
		return sm_opt_refuse(why, arg, "must be from 0.1s to 1d");
	return 0;
}

CALL(modules)
{
	(void)why;
	((struct opts *)cfg)->load_modules = arg ? arg : "";
	return 0;
}

static const char *const source_choices[] = {
	"auto", "battery", "rapl", "perf", "hwmon", "none", NULL};

CALL(source)
{
	struct opts *o = cfg;

	return sm_opt_source(arg, source_choices, &o->source, &o->sensors, why);
}

/* --- the table --------------------------------------------------------------------- */

static const char *const total_choices[] = {"pkg+dram", "pkg", "psys", NULL};

#define AT(field) .offset = offsetof(struct opts, field)

static const struct sm_opt table[] = {
	{.kind = SM_OPT_GROUP, .help = "Where the power is read"},
	{'P', "power", SM_OPT_CALL, "SOURCE", .call = call_source,
		.choices = source_choices,
		.help = "read the power from SOURCE: auto (default: a discharging "
			"battery, else rapl, perf, hwmon), battery, rapl, perf, hwmon, "
			"hwmon:LABEL[,LABEL] (the sum of these sensors) or none"},
	{'R', "rapl", SM_OPT_FLAG, AT(rapl),
		.help = "read the processor's energy counters (RAPL)"},
	{0, "total", SM_OPT_CHOICE, "RULE", AT(total), .choices = total_choices,
		.help = "select the RAPL domains to add up: pkg+dram (default), pkg or "
			"psys"},
	{'S', "from-start", SM_OPT_FLAG, AT(from_start),
		.help = "estimate the power from a battery's level over the whole run, "
			"not over the last 120 seconds"},
	{'z', "no-power", SM_OPT_FLAG, AT(no_power),
		.help = "run even if no power source is found"},
	{'l', "list", SM_OPT_FLAG, AT(list),
		.help = "list the power sources, whether they can be read, and which "
			"domains are added up"},
	{0, "load-modules", SM_OPT_CALL, "LIST", .arg_optional = true,
		.call = call_modules,
		.help = "load the kernel modules of LIST first (default "
			"intel_rapl_msr,msr)"},

	{.kind = SM_OPT_GROUP, .help = "Additional data"},
	{'a', "all", SM_OPT_CALL, .call = call_all, .help = "enable -c -f -g -t -H"},
	{'D', "domains", SM_OPT_FLAG, AT(domains),
		.help = "show a column for each power domain; without -P and -R, also "
			"for the domains of other sources"},
	{'J', "joules", SM_OPT_FLAG, AT(joules),
		.help = "show a column with the energy, and the total at the end"},
	{0, "baseline", SM_OPT_CALL, "TIME", .call = call_baseline,
		.help = "measure the idle machine for TIME before COMMAND, and report "
			"the joules above idle"},
	{0, "repeat", SM_OPT_U64, "N", AT(repeat), .min = 1, .max = 1000,
		.help = "run COMMAND N times; report the mean and the standard "
			"deviation of the runs"},
	{'c', "cstates", SM_OPT_FLAG, AT(cstates),
		.help = "print the residency in CPU idle states at the end"},
	{'f', "frequency", SM_OPT_FLAG, AT(freq),
		.help = "show CPU frequency and throttling"},
	{'g', "gpu", SM_OPT_FLAG, AT(gpu), .help = "show the GPU frequency"},
	{'t', "thermal", SM_OPT_FLAG, AT(thermal),
		.help = "show the temperature of each thermal zone"},
	{'H', "histogram", SM_OPT_FLAG, AT(hist), .help = "print histograms at the end"},
	{'s', "process-log", SM_OPT_FLAG, AT(proc_log),
		.help = "print a log of fork, exec and exit events at the end"},
	{0, "procs", SM_OPT_FLAG, AT(procs),
		.help = "show the columns Fork, Exec and Exit; fail if they are "
			"unavailable"},
	{0, "no-procs", SM_OPT_FLAG, AT(no_procs),
		.help = "never count fork, exec and exit events"},

	{.kind = SM_OPT_GROUP, .help = "Discarding samples"},
	{'b', "redo-busy", SM_OPT_FLAG, AT(redo_busy),
		.help = "discard samples in which the CPUs were less than 98% idle"},
	{'i', "idle", SM_OPT_CALL, "PERCENT", .call = call_idle,
		.help = "discard samples in which the CPUs were less than PERCENT idle"},
	{'p', "redo-processes", SM_OPT_FLAG, AT(redo_procs),
		.help = "discard samples in which a process forked, executed a program "
			"or exited"},
	{'r', "redo", SM_OPT_CALL, .call = call_redo, .help = "enable -b -p"},

	{.kind = SM_OPT_GROUP, .help = "Output"},
	{'m', "minmax", SM_OPT_FLAG, AT(minmax),
		.help = "show one line instead of the table: current power, minimum, "
			"maximum and mean"},
	SM_APP_OPT_JSON('j'),
	SM_APP_OPT_CSV,
	SM_APP_OPT_PROM,
	SM_APP_OPT_OUTPUT('o'),
	SM_APP_OPT_QUIET('q'),
	SM_APP_OPT_SUMMARY(0, "print the statistics at the end (always done)"),
	SM_APP_OPT_LIMIT(0, "keep at most N lines of the process log"),
	SM_APP_OPT_LINE_BUFFERED(0, SM_APP_LINE_BUFFERED_ALWAYS),
	{'n', "no-repeat", SM_OPT_FLAG, AT(no_repeat),
		.help = "do not repeat the header"},
	SM_APP_OPT_NO_HEADER,
	SM_APP_OPT_TIMESTAMP,
	SM_APP_OPT_COLOR,

	{.kind = SM_OPT_GROUP, .help = "The run"},
	{'d', "start-delay", SM_OPT_CALL, "SECS", .call = call_delay,
		.help = "wait SECS before the first sample (default 180 on battery, "
			"else 0)"},
	SM_APP_OPT_INTERVAL(0, MIN_INTERVAL,
		"take a sample every TIME, like DELAY (default 1 second; 10 on "
		"battery or without a source; from 0.1)"),
	SM_APP_OPT_COUNT("stop after N samples, like COUNT; 0 runs until interrupted"),
	SM_APP_OPT_DURATION(0),
	SM_APP_OPT_REALTIME(0),
	{0, "rt", SM_OPT_CALL, "PRIO", .arg_optional = true, .hidden = true,
		.call = sm_app_opts_realtime},
	SM_APP_OPT_STRICT,
	SM_APP_OPT_ROOT,
	SM_APP_OPT_KEEP_PRIVILEGES("to reopen RAPL zones"),
	SM_APP_OPT_HELP,
};

static const char *const examples[] = {"powerstat -R -D 1 60",
	"measure the processor for a minute, by domain", "powerstat -d 0 5 120",
	"measure ten minutes on battery, without the start delay",
	"powerstat -R -J -- make -j4", "measure the energy used while a command runs",
	"powerstat -l", "list the power sources", NULL};

static const char *conflict(const struct opts *o)
{
	if (o->rapl && o->source != SM_SOURCE_AUTO && o->source != SM_SOURCE_RAPL)
		return "-R and --power select different sources";
	if (o->no_procs && !o->procs && (o->redo_procs || o->proc_log))
		return "--no-procs and -p, -r or -s cannot be used together";
	if (o->no_procs && o->procs)
		return "--procs and --no-procs cannot be used together";
	return NULL;
}

static int finish(void *cfg, struct sm_buf *why)
{
	struct opts *o = cfg;
	const char *text = conflict(o);

	if (text) {
		sm_buf_str(why, text);
		return -EINVAL;
	}
	if (o->rapl)
		o->source = SM_SOURCE_RAPL;
	return sm_app_opts_check(&o->app, NULL, 0, o->minmax ? "--minmax" : NULL, why);
}

static const struct sm_opt_spec spec = {
	SM_APP_SPEC("powerstat", "Measure the power that the machine draws", table),
	.finish = finish,
	.examples = examples,
};

const struct sm_opt_spec *sm_tool_spec(void)
{
	return &spec;
}
