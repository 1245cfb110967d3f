// SPDX-License-Identifier: GPL-2.0-or-later
/* Only the option table, its values' parsers and the defaults: the completion generator
 * links this file. */
#include <errno.h>
#include <string.h>

#include "num.h"
#include "opt_value.h"
#include "opts.h"

#define DAY_NS	     (86400 * SM_NSEC_PER_SEC)
#define TEN_YEARS_NS (3653 * DAY_NS)
#define MIN_INTERVAL (100 * SM_NSEC_PER_MSEC)
#define IDLE_DEFAULT 9800 /* the original's: 98 % */
#define IDLE_MAX     9999

const struct ps_opts ps_opts_default = {
	.idle_centi_pct = IDLE_DEFAULT,
	.total = SM_RAPL_TOTAL_PKG_DRAM,
	.time_style = SM_TIME_ISO,
	.rt_priority = 10,
};

/* --- options that mean more than one thing ------------------------------------------ */

#define CALL(name) static int call_##name(void *cfg, const char *arg, struct sm_buf *why)

/* The parser names the option and makes it harmless. */
static int refuse(struct sm_buf *why, const char *arg, const char *text)
{
	sm_buf_chr(why, '\'');
	sm_buf_str(why, arg);
	sm_buf_str(why, "': ");
	sm_buf_str(why, text);
	return -EINVAL;
}

CALL(all)
{
	struct ps_opts *o = cfg;

	(void)arg;
	(void)why;
	o->cstates = o->freq = o->gpu = o->thermal = o->hist = true;
	return 0;
}

CALL(redo)
{
	struct ps_opts *o = cfg;

	(void)arg;
	(void)why;
	o->redo_busy = o->redo_procs = true;
	return 0;
}

CALL(idle)
{
	struct ps_opts *o = cfg;

	if (sm_num_percent(arg, &o->idle_centi_pct) < 0 || o->idle_centi_pct > IDLE_MAX)
		return refuse(why, arg, "the idle threshold is 0 to 99.99 percent");
	o->redo_busy = true;
	return 0;
}

CALL(rapl)
{
	struct ps_opts *o = cfg;

	(void)arg;
	(void)why;
	o->rapl = true;
	return 0;
}

CALL(delay)
{
	struct ps_opts *o = cfg;

	if (sm_num_duration_ns(arg, &o->start_delay_ns) < 0 ||
		o->start_delay_ns > 30 * DAY_NS)
		return refuse(why, arg, "the start delay is 0 seconds to 30d");
	o->have_start_delay = true;
	return 0;
}

CALL(timestamp)
{
	struct ps_opts *o = cfg;

	o->row_time = true;
	return sm_opt_time_style(arg ? arg : "iso", &o->time_style, why);
}

CALL(realtime)
{
	struct ps_opts *o = cfg;

	o->realtime = true;
	if (!arg)
		return 0;
	if (sm_num_u64(arg, &o->rt_priority) == 0 && o->rt_priority >= 1 &&
		o->rt_priority <= 99)
		return 0;
	return refuse(why, arg, "the real-time priority is 1 to 99");
}

CALL(modules)
{
	(void)why;
	((struct ps_opts *)cfg)->load_modules = arg ? arg : "";
	return 0;
}

CALL(procs)
{
	(void)arg;
	(void)why;
	((struct ps_opts *)cfg)->procs |= PS_PROCS_YES;
	return 0;
}

CALL(no_procs)
{
	(void)arg;
	(void)why;
	((struct ps_opts *)cfg)->procs |= PS_PROCS_NO;
	return 0;
}

#define COUNT_IS "the count is a whole number; 0 goes on until stopped"

CALL(count)
{
	struct ps_opts *o = cfg;

	o->have_count = sm_num_u64(arg, &o->count) == 0;
	return o->have_count ? 0 : refuse(why, arg, COUNT_IS);
}

/* --- DELAY and COUNT ---------------------------------------------------------------- */

static int operand(void *cfg, unsigned int index, const char *arg, struct sm_buf *why)
{
	struct ps_opts *o = cfg;

	if (index == 1) {
		o->have_second = sm_num_u64(arg, &o->second) == 0;
		if (o->have_second)
			return 0;
		sm_buf_str(why, COUNT_IS);
		return -EINVAL;
	}
	if (index > 1) {
		sm_buf_str(why, "only DELAY and COUNT are taken");
		return -EINVAL;
	}
	if (sm_num_duration_ns(arg, &o->first_ns) == 0 && o->first_ns >= MIN_INTERVAL &&
		o->first_ns <= DAY_NS)
		return 0;
	sm_buf_str(why, "the delay is 0.1 seconds to 1d");
	return -EINVAL;
}

/* --- the table --------------------------------------------------------------------- */

static const char *const source_choices[] = {
	"auto", "battery", "rapl", "perf", "hwmon", "none", NULL};
static const char *const total_choices[] = {"pkg+dram", "pkg", "psys", NULL};

#define AT(field) .offset = offsetof(struct ps_opts, field)

static const struct sm_opt table[] = {
	{.kind = SM_OPT_GROUP, .help = "Where the power is read"},
	{'P', "power", SM_OPT_CHOICE, "SOURCE", AT(source), .choices = source_choices,
		.help = "auto (default: discharging battery, else rapl, perf, hwmon), "
			"battery, rapl, perf, hwmon or none"},
	{'R', "rapl", SM_OPT_CALL, .call = call_rapl,
		.help = "the processor's energy counters (RAPL)"},
	{0, "total", SM_OPT_CHOICE, "RULE", AT(total), .choices = total_choices,
		.help = "what RAPL's Watts add up: pkg+dram (default), pkg or psys"},
	{'S', "from-start", SM_OPT_FLAG, AT(from_start),
		.help = "estimate from a battery's level over the whole run, not the "
			"last "
			"120 seconds"},
	{'z', "no-power", SM_OPT_FLAG, AT(no_power),
		.help = "go on without a power source"},
	{'l', "list", SM_OPT_FLAG, AT(list),
		.help = "list the power sources, what can be read and what would be "
			"added "
			"up"},
	{0, "load-modules", SM_OPT_CALL, "LIST", .arg_optional = true,
		.call = call_modules,
		.help = "load kernel modules first (default intel_rapl_msr,msr)"},

	{.kind = SM_OPT_GROUP, .help = "What to show besides"},
	{'a', "all", SM_OPT_CALL, .call = call_all, .help = "the same as -c -f -g -t -H"},
	{'D', "domains", SM_OPT_FLAG, AT(domains),
		.help = "a column for each power domain or battery (implies -R without a "
			"battery)"},
	{'J', "joules", SM_OPT_FLAG, AT(joules),
		.help = "a column with the energy, and the total"},
	{'c', "cstates", SM_OPT_FLAG, AT(cstates),
		.help = "at the end: residency in the processors' idle states"},
	{'f', "frequency", SM_OPT_FLAG, AT(freq), .help = "the CPUs' frequency"},
	{'g', "gpu", SM_OPT_FLAG, AT(gpu), .help = "the GPU's frequency"},
	{'t', "thermal", SM_OPT_FLAG, AT(thermal),
		.help = "the temperatures of all thermal zones"},
	{'H', "histogram", SM_OPT_FLAG, AT(hist), .help = "histograms at the end"},
	{'s', "process-log", SM_OPT_FLAG, AT(proc_log),
		.help = "a log of fork, exec and exit at the end"},
	{0, "procs", SM_OPT_CALL, .call = call_procs,
		.help = "the Fork, Exec and Exit columns, or an error if they cannot be "
			"had"},
	{0, "no-procs", SM_OPT_CALL, .call = call_no_procs,
		.help = "never watch fork, exec and exit"},

	{.kind = SM_OPT_GROUP, .help = "Which samples count"},
	{'b', "redo-busy", SM_OPT_FLAG, AT(redo_busy),
		.help = "discard a sample when the CPUs were less than 98% idle"},
	{'i', "idle", SM_OPT_CALL, "PERCENT", .call = call_idle,
		.help = "the same with another threshold"},
	{'p', "redo-processes", SM_OPT_FLAG, AT(redo_procs),
		.help = "discard a sample in which a process began, exec'ed or ended"},
	{'r', "redo", SM_OPT_CALL, .call = call_redo, .help = "the same as -b -p"},

	{.kind = SM_OPT_GROUP, .help = "Output"},
	{'m', "minmax", SM_OPT_FLAG, AT(minmax),
		.help = "one line, refreshed: now, least, most and mean"},
	{'j', "json", SM_OPT_TO, "FILE", .arg_optional = true, AT(json),
		.complete = SM_COMPLETE_FILE,
		.help = "JSON lines instead of the table; with =FILE beside it"},
	{0, "csv", SM_OPT_TO, "FILE", .arg_optional = true, AT(csv),
		.complete = SM_COMPLETE_FILE,
		.help = "CSV instead of the table; with =FILE beside it"},
	{0, "prom", SM_OPT_STR, "FILE", AT(prom), .complete = SM_COMPLETE_FILE,
		.help = "keep the figures in FILE in Prometheus text format"},
	{'o', "output", SM_OPT_STR, "FILE", AT(output), .complete = SM_COMPLETE_FILE,
		.help = "write to FILE instead of standard output"},
	{'n', "no-repeat", SM_OPT_FLAG, AT(no_header),
		.help = "do not repeat the heading"},
	{'N', "no-header", SM_OPT_FLAG, AT(no_heading_at_all),
		.help = "no heading at all"},
	{0, "no-heading", SM_OPT_FLAG, .hidden = true, AT(no_heading_at_all)},
	{0, "timestamp", SM_OPT_CALL, "FMT", .arg_optional = true, .call = call_timestamp,
		.choices = sm_opt_time_styles,
		.help = "the time of rows: clock (the table's), iso, epoch, mono or "
			"delta"},
	{0, "color", SM_OPT_CHOICE, "WHEN", AT(color), .choices = sm_opt_colors,
		.help = "auto, always or never"},

	{.kind = SM_OPT_GROUP, .help = "The run"},
	{'d', "start-delay", SM_OPT_CALL, "SECS", .call = call_delay,
		.help = "wait before the first sample (default 180 on battery, else 0)"},
	{0, "interval", SM_OPT_DURATION, "TIME", AT(interval_ns), .min = MIN_INTERVAL,
		.max = DAY_NS,
		.help = "the same as DELAY (default 10 seconds, with RAPL 1; from 0.1)"},
	{0, "count", SM_OPT_CALL, "N", .call = call_count,
		.help = "the same as COUNT; 0 goes on until stopped"},
	{0, "duration", SM_OPT_DURATION, "TIME", AT(duration_ns), .min = 1,
		.max = TEN_YEARS_NS, .help = "stop after this time of measuring"},
	{0, "rt", SM_OPT_CALL, "PRIO", .arg_optional = true, .call = call_realtime,
		.help = "real-time scheduling (default priority 10), guarded"},
	{0, "realtime", SM_OPT_CALL, .hidden = true, .call = call_realtime},
	{0, "strict", SM_OPT_FLAG, AT(strict),
		.help = "exit status 5 if events or rows were lost"},
	{0, "root", SM_OPT_STR, "DIR", AT(root), .complete = SM_COMPLETE_DIR,
		.help = "read DIR/proc and DIR/sys instead of /proc and /sys"},
	{0, "keep-privileges", SM_OPT_FLAG, AT(keep_privileges),
		.help = "do not drop privileges after the start (for CPU hotplug with "
			"-D)"},
	{'h', "help", SM_OPT_HELP, .help = "show this help"},
	{'V', "version", SM_OPT_VERSION, .help = "show the version"},
};

static const char *const examples[] = {"powerstat -R -D 1 60",
	"a minute of the processor's power, by domain", "powerstat -d 0 5 120",
	"ten minutes on battery, without the pause at the start",
	"powerstat -R -J -- make -j4", "the energy that a command took", "powerstat -l",
	"which sources of power figures there are", NULL};

static const char *conflict(const struct ps_opts *o)
{
	if (o->json.here && o->csv.here)
		return "--json and --csv both want the standard output; give one a =FILE";
	if (o->minmax && (o->json.here || o->csv.here))
		return "--minmax wants the standard output; give --json or --csv a =FILE";
	if (o->rapl && o->source != PS_AUTO && o->source != PS_RAPL)
		return "-R and --power name different sources";
	if (o->procs == PS_PROCS_NO && (o->redo_procs || o->proc_log))
		return "--no-procs leaves nothing to -p, -r and -s";
	if (o->procs == (PS_PROCS_YES | PS_PROCS_NO))
		return "--procs and --no-procs contradict each other";
	if (o->interval_ns && o->first_ns)
		return "--interval and the operand DELAY say the same; give one of them";
	if (o->have_count && o->have_second)
		return "--count and the operand COUNT say the same; give one of them";
	return NULL;
}

static int files(const struct ps_opts *o, struct sm_buf *why)
{
	const struct sm_opt_file f[] = {
		{"--output", o->output, SM_OPT_STDOUT_OUTPUT},
		{"--json", o->json.file, SM_OPT_STDOUT_TO},
		{"--csv", o->csv.file, SM_OPT_STDOUT_TO},
		{"--prom", o->prom, NULL},
	};

	return sm_opt_files(f, SM_ARRAY_SIZE(f), why);
}

static void settle(struct ps_opts *o)
{
	if (o->rapl)
		o->source = PS_RAPL;
	if (o->first_ns)
		o->interval_ns = o->first_ns;
	if (o->have_second)
		o->count = o->second;
	o->have_count |= o->have_second;
}

static int finish(void *cfg, struct sm_buf *why)
{
	struct ps_opts *o = cfg;
	const char *text = conflict(o);

	if (text) {
		sm_buf_str(why, text);
		return -EINVAL;
	}
	settle(o);
	return files(o, why);
}

static const struct sm_opt_spec spec = {
	.tool = "powerstat",
	.version = SM_VERSION,
	.summary = "Measure the power that the machine draws",
	.synopsis = "[OPTION]... [DELAY [COUNT]] [-- COMMAND [ARG]...]",
	.opts = table,
	.nopts = SM_ARRAY_SIZE(table),
	.rest = SM_REST_BOTH,
	.operand = operand,
	.finish = finish,
	.examples = examples,
	.exit_notes = "Exit status: 0 ok or stopped, 1 error before the first sample, 2 "
		      "usage, 3 source lost in mid run, 5 losses with --strict; with "
		      "COMMAND, its own.",
};

const struct sm_opt_spec *sm_tool_spec(void)
{
	return &spec;
}
