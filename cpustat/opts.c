// SPDX-License-Identifier: GPL-2.0-or-later
/* Only the option table, its values' parsers and the defaults: the completion generator
 * links this file. */
#include <errno.h>
#include <string.h>

#include "num.h"
#include "opt_value.h"
#include "opts.h"
#include "parse.h"

#define DAY_NS	     (86400 * SM_NSEC_PER_SEC)
#define TEN_YEARS_NS (3653 * DAY_NS)
#define MAX_TICKS    1000000u

const struct cs_opts cs_opts_default = {
	.interval_ns = SM_NSEC_PER_SEC,
	.time_style = SM_TIME_CLOCK,
};

/* --- lists ------------------------------------------------------------------------- */

static int call_pids(void *cfg, const char *arg, struct sm_buf *why)
{
	return sm_opt_pids(arg, &((struct cs_opts *)cfg)->pids, why);
}

static int call_users(void *cfg, const char *arg, struct sm_buf *why)
{
	return sm_opt_users(arg, &((struct cs_opts *)cfg)->uids, why);
}

/* --- options that mean more than one thing ------------------------------------------ */

static int call_comm(void *cfg, const char *arg, struct sm_buf *why)
{
	struct cs_opts *o = cfg;

	(void)why;
	if (arg)
		o->name_glob = arg;
	else
		o->comm = true;
	return 0;
}

static int call_timestamp(void *cfg, const char *arg, struct sm_buf *why)
{
	struct cs_opts *o = cfg;

	o->row_time = true;
	return sm_opt_time_style(arg ? arg : "iso", &o->time_style, why);
}

/* "12" or "0.5" ticks per second as the original has it, "5%" of a CPU. */
static int call_threshold(void *cfg, const char *arg, struct sm_buf *why)
{
	struct cs_opts *o = cfg;
	size_t n = strlen(arg);
	uint64_t ns;

	o->threshold_mticks = 0;
	o->threshold_centi_pct = 0;
	if (n && arg[n - 1] == '%' && sm_num_percent(arg, &o->threshold_centi_pct) == 0)
		return 0;
	/* A decimal number: that of a duration in seconds, without its units. */
	if (n && sm_isdigit(arg[n - 1]) && sm_num_duration_ns(arg, &ns) == 0 &&
		ns <= MAX_TICKS * SM_NSEC_PER_SEC) {
		o->threshold_mticks = ns / SM_NSEC_PER_MSEC;
		return 0;
	}
	sm_opt_complain(why,
		"not a number of ticks per second, or percent of a CPU (5%):",
		(struct sm_str){arg, n});
	return -EINVAL;
}

/* --- DELAY and COUNT ---------------------------------------------------------------- */

static int operand(void *cfg, unsigned int index, const char *arg, struct sm_buf *why)
{
	struct cs_opts *o = cfg;

	if (index == 0) {
		if (sm_num_duration_ns(arg, &o->delay_ns) == 0 &&
			o->delay_ns >= CS_INTERVAL_MIN_NS && o->delay_ns <= DAY_NS)
			return 0;
		sm_buf_str(why, "the delay is 0.01 seconds to 1d");
		return -EINVAL;
	}
	if (index == 1) {
		if (sm_num_u64(arg, &o->times) == 0 && o->times > 0)
			return 0;
		sm_buf_str(why, "the count is a whole number from 1");
		return -EINVAL;
	}
	sm_buf_str(why, "only DELAY and COUNT are taken");
	return -EINVAL;
}

/* --- the table --------------------------------------------------------------------- */

static const char *const group_choices[] = {
	"none", "comm", "user", "cgroup", "parent", NULL};
static const char *const sort_choices[] = {
	"cpu", "usr", "sys", "wait", "time", "pid", "name", NULL};
static const char *const source_choices[] = {"auto", "clock", "proc", NULL};

#define AT(field) .offset = offsetof(struct cs_opts, field)

static const struct sm_opt table[] = {
	{.kind = SM_OPT_GROUP, .help = "What to show"},
	{'a', "all-cpus", SM_OPT_FLAG, AT(all_cpus),
		.help = "percent of all CPUs instead of one"},
	{'T', "total", SM_OPT_FLAG, AT(total), .help = "a line with the total"},
	{'x', "system", SM_OPT_FLAG, AT(system),
		.help = "load average, CPU frequency, context switches, interrupts, new "
			"tasks"},
	{'W', "wait", SM_OPT_FLAG, AT(wait),
		.help = "add the time spent waiting for a CPU (%WAIT)"},
	{'m', "subsample", SM_OPT_U64, "N", AT(subsamples), .min = 1, .max = 1000,
		.help = "N samples in each interval, with the least and the most of "
			"them (%MIN, %MAX)"},
	{'g', "summary", SM_OPT_FLAG, AT(summary),
		.help = "at the end: each task's total of the run"},
	{0, "grand-total", SM_OPT_FLAG, .hidden = true, AT(summary)},
	{'D', "distribution", SM_OPT_FLAG, AT(distribution),
		.help = "at the end: how the CPU use was distributed, by task and by "
			"CPU"},
	{'S', "show-time", SM_OPT_FLAG, AT(heading_time),
		.help = "the time of day in each heading"},
	{0, "timestamp", SM_OPT_CALL, "FMT", .arg_optional = true, .call = call_timestamp,
		.choices = sm_opt_time_styles,
		.help = "the time on every row: clock, iso (default), epoch, mono or "
			"delta"},
	{'X', "tui", SM_OPT_FLAG, AT(tui), .help = "full screen, with keys (h for help)"},

	{.kind = SM_OPT_GROUP, .help = "Names"},
	{'c', "comm", SM_OPT_CALL, "GLOB", .arg_optional = true, .call = call_comm,
		.help = "show the short name of the task (comm); with =GLOB only tasks "
			"whose name matches"},
	{'l', "full-command", SM_OPT_FLAG, AT(full_command),
		.help = "show the whole command line"},
	{'s', "short-name", SM_OPT_FLAG, AT(short_name),
		.help = "show the command up to its first blank"},
	{'d', "strip-path", SM_OPT_FLAG, AT(strip_path),
		.help = "strip the directory from the command"},
	{'w', "no-cut", SM_OPT_FLAG, AT(no_cut),
		.help = "never cut a line at the width of the terminal"},

	{.kind = SM_OPT_GROUP, .help = "Which tasks"},
	{'p', "pid", SM_OPT_CALL, "LIST", .call = call_pids, .complete = SM_COMPLETE_PID,
		.help = "only these processes"},
	{'C', "name", SM_OPT_STR, "GLOB", AT(name_glob),
		.help = "only tasks whose comm or command's base name matches (* ? "
			"[a-z])"},
	{'u', "user", SM_OPT_CALL, "LIST", .call = call_users,
		.complete = SM_COMPLETE_USER,
		.help = "only tasks of these users (name or number)"},
	{0, "uid", SM_OPT_CALL, "LIST", .hidden = true, .call = call_users},
	{'k', "cgroup", SM_OPT_STR, "PREFIX", AT(cgroup),
		.help = "only tasks in this cgroup and below (/system.slice)"},
	{'i', "ignore-self", SM_OPT_FLAG, AT(ignore_self),
		.help = "leave out cpustat itself"},
	{'t', "threshold", SM_OPT_CALL, "T", .call = call_threshold,
		.help = "only tasks that used at least T clock ticks per second, or T% "
			"of a CPU"},
	{'n', "limit", SM_OPT_U64, "N", AT(limit), .min = 1, .max = 1000000,
		.help = "only the first N tasks"},
	{'H', "threads", SM_OPT_FLAG, AT(threads), .help = "a row for each thread"},
	{'G', "group", SM_OPT_CHOICE, "KEY", AT(group), .choices = group_choices,
		.help = "add up tasks of the same comm, user, cgroup or parent"},
	{'o', "sort", SM_OPT_CHOICE, "KEY", AT(sort), .choices = sort_choices,
		.help = "order by cpu (default), usr, sys, wait (implies -W), "
			"time, pid or name"},

	{.kind = SM_OPT_GROUP, .help = "Output"},
	{'j', "json", SM_OPT_TO, "FILE", .arg_optional = true, AT(json),
		.complete = SM_COMPLETE_FILE,
		.help = "JSON lines instead of the table; with =FILE beside it"},
	{0, "csv", SM_OPT_TO, "FILE", .arg_optional = true, AT(csv),
		.complete = SM_COMPLETE_FILE,
		.help = "CSV, a line for each row, instead of the table; with =FILE "
			"beside it"},
	{'r', "report", SM_OPT_STR, "FILE", AT(wide_csv), .complete = SM_COMPLETE_FILE,
		.help = "at the end write a CSV file with a column for each task"},
	{0, "prom", SM_OPT_STR, "FILE", AT(prom), .complete = SM_COMPLETE_FILE,
		.help = "keep totals in FILE in Prometheus text format"},
	{0, "output", SM_OPT_STR, "FILE", AT(output), .complete = SM_COMPLETE_FILE,
		.help = "write to FILE instead of standard output"},
	{'q', "quiet", SM_OPT_FLAG, AT(quiet),
		.help = "nothing but what comes at the end"},
	{'N', "no-header", SM_OPT_FLAG, AT(no_header), .help = "no headings"},
	{0, "no-heading", SM_OPT_FLAG, .hidden = true, AT(no_header)},
	{0, "line-buffered", SM_OPT_FLAG, AT(line_buffered),
		.help = "write each sample at once (it is never late without it either)"},
	{0, "color", SM_OPT_CHOICE, "WHEN", AT(color), .choices = sm_opt_colors,
		.help = "auto, always or never"},

	{.kind = SM_OPT_GROUP, .help = "The run"},
	{0, "interval", SM_OPT_DURATION, "TIME", AT(option_interval_ns),
		.min = CS_INTERVAL_MIN_NS, .max = DAY_NS,
		.help = "the same as DELAY (default 1 second; from 10ms)"},
	{0, "count", SM_OPT_U64, "N", AT(option_count), .min = 1,
		.help = "the same as COUNT"},
	{0, "duration", SM_OPT_DURATION, "TIME", AT(duration_ns), .min = 1,
		.max = TEN_YEARS_NS, .help = "stop after this time"},
	{0, "source", SM_OPT_CHOICE, "WHERE", AT(source), .choices = source_choices,
		.help = "CPU time from clock (process clocks, exact), proc (/proc, "
			"ticks) or auto"},
	{0, "realtime", SM_OPT_FLAG, AT(realtime),
		.help = "real-time scheduling, guarded so that it cannot hang the "
			"machine"},
	{0, "strict", SM_OPT_FLAG, AT(strict),
		.help = "exit status 5 if rows were lost to a slow reader"},
	{0, "root", SM_OPT_STR, "DIR", AT(root), .complete = SM_COMPLETE_DIR,
		.help = "read DIR/proc and DIR/sys instead of /proc and /sys"},
	{0, "keep-privileges", SM_OPT_FLAG, AT(keep_privileges),
		.help = "do not drop privileges after the start"},
	{'h', "help", SM_OPT_HELP, .help = "show this help"},
	{'V', "version", SM_OPT_VERSION, .help = "show the version"},
};

static const char *const examples[] = {"cpustat", "who uses the CPU, each second",
	"cpustat -T -n 10 5", "the ten busiest tasks and the total, every 5 seconds",
	"cpustat -- make -j4", "the CPU use of a command and of all that it starts",
	"cpustat --csv 0.1 600 > cpu.csv", "a minute, ten samples a second, as CSV",
	NULL};

/* Two things that both want the same place. */
static const char *conflict(const struct cs_opts *o)
{
	if (o->json.here && o->csv.here)
		return "--json and --csv both want the standard output; give one a =FILE";
	if (o->tui && (o->json.here || o->csv.here || o->output))
		return "--tui wants the terminal; give --json or --csv a =FILE";
	if (o->comm + o->full_command + o->short_name > 1)
		return "only one of -c, -l and -s can be given";
	if (o->subsamples > 1 && o->interval_ns / o->subsamples < CS_INTERVAL_MIN_NS)
		return "--subsample would sample more often than every 10ms";
	return NULL;
}

/* One file is written by one option. */
static int check_files(const struct cs_opts *o, struct sm_buf *why)
{
	const struct sm_opt_file files[] = {
		{"--json", o->json.file, SM_OPT_STDOUT_TO},
		{"--csv", o->csv.file, SM_OPT_STDOUT_TO},
		{"--report", o->wide_csv, "/dev/stdout is standard output"},
		{"--prom", o->prom, NULL},
		{"--output", o->output, SM_OPT_STDOUT_OUTPUT},
	};

	return sm_opt_files(files, SM_ARRAY_SIZE(files), why);
}

/* The operands, or the options that are the same. */
static const char *take_times(struct cs_opts *o)
{
	if (o->delay_ns && o->option_interval_ns)
		return "--interval and DELAY are the same; only one of them can be given";
	if (o->times && o->option_count)
		return "--count and COUNT are the same; only one of them can be given";
	if (o->delay_ns || o->option_interval_ns)
		o->interval_ns = o->delay_ns + o->option_interval_ns;
	if (o->times || o->option_count)
		o->count = o->times + o->option_count;
	return NULL;
}

static int finish(void *cfg, struct sm_buf *why)
{
	struct cs_opts *o = cfg;
	const char *text = take_times(o);

	if (o->sort == CS_SORT_WAIT)
		o->wait = true;
	if (!text)
		text = conflict(o);
	if (!text)
		return check_files(o, why);
	sm_buf_str(why, text);
	return -EINVAL;
}

static const struct sm_opt_spec spec = {
	.tool = "cpustat",
	.version = SM_VERSION,
	.summary = "Show which processes use the CPU",
	.synopsis = "[OPTION]... [DELAY [COUNT]] [-- COMMAND [ARG]...]",
	.opts = table,
	.nopts = SM_ARRAY_SIZE(table),
	.rest = SM_REST_BOTH,
	.operand = operand,
	.finish = finish,
	.examples = examples,
	.exit_notes = "Exit status: 0 ok, 1 error, 2 usage, 3 feature absent, 4 not "
		      "permitted, "
		      "5 rows lost with --strict; with COMMAND, its own.",
};

const struct sm_opt_spec *sm_tool_spec(void)
{
	return &spec;
}
