// SPDX-License-Identifier: GPL-2.0-or-later
/* The option table, the parsers of its values, and the defaults.  The completion
 * generator links this file, so it must not have other code. */
#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "cli/opt_value.h"
#include "opts.h"
#include "base/parse.h"

#define MAX_TICKS 1000000u

const struct opts opts_default = {
	.app = SM_APP_OPTS_SAMPLES(INTERVAL_MIN_NS),
};

/* --- options that mean more than one thing ---------------------------------------- */

static int call_comm(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;

	(void)why;
	if (arg)
		o->name_glob = arg;
	else
		o->comm = true;
	return 0;
}

/* Parses "12" or "0.5", ticks per second as in the original, or "5%" of a CPU. */
static int call_threshold(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;
	size_t n = strlen(arg);
	uint64_t ns;

	o->threshold_mticks = 0;
	o->threshold_centi_pct = 0;
	if (n && arg[n - 1] == '%' && sm_units_percent(arg, &o->threshold_centi_pct) == 0)
		return 0;
	/* A decimal number is parsed as a duration in seconds; units are not allowed. */
	if (n && sm_parse_is_digit(arg[n - 1]) && sm_units_duration_ns(arg, &ns) == 0 &&
		ns <= MAX_TICKS * SM_NSEC_PER_SEC) {
		o->threshold_mticks = ns / SM_NSEC_PER_MSEC;
		return 0;
	}
	sm_buf_chr(why, '\'');
	sm_buf_str(why, arg);
	sm_buf_str(why, "' must be a number of clock ticks per second, or a percentage "
			"(5%) of a CPU");
	return -EINVAL;
}

/* --- the table -------------------------------------------------------------------- */

static const char *const group_choices[] = {
	"none", "comm", "user", "cgroup", "parent", NULL};
static const char *const sort_choices[] = {
	"cpu", "usr", "sys", "wait", "time", "pid", "name", NULL};
static const char *const source_choices[] = {"auto", "bpf", "clock", "proc", NULL};

#define AT(field) .offset = offsetof(struct opts, field)

static const struct sm_opt table[] = {
	{.kind = SM_OPT_GROUP, .help = "What to show"},
	{'a', "all-cpus", SM_OPT_FLAG, AT(all_cpus),
		.help = "show percentages of all CPUs instead of one"},
	{'T', "total", SM_OPT_FLAG, AT(total), .help = "print a line with the total"},
	{'x', "system", SM_OPT_FLAG, AT(system),
		.help = "print load averages, CPU frequency, context switches, "
			"interrupts and new tasks"},
	{'W', "wait", SM_OPT_FLAG, AT(wait),
		.help = "add the time spent waiting for a CPU (%WAIT)"},
	{'m', "subsample", SM_OPT_U64, "N", AT(subsamples), .min = 1, .max = 1000,
		.help = "take N samples in each interval and show their minimum and "
			"maximum (%MIN, %MAX)"},
	SM_APP_OPT_SUMMARY('g', "print the total of each task at the end"),
	{0, "grand-total", SM_OPT_FLAG, .hidden = true, SM_APP_AT(summary)},
	{'D', "distribution", SM_OPT_FLAG, AT(distribution),
		.help = "print the distribution of CPU use at the end, by task and by "
			"CPU"},
	{'S', "show-time", SM_OPT_FLAG, AT(heading_time),
		.help = "print the time of day in each header"},
	SM_APP_OPT_TIMESTAMP,
	{'X', "tui", SM_OPT_FLAG, AT(tui),
		.help = "use the full screen, with keys (h for help)"},

	{.kind = SM_OPT_GROUP, .help = "Names"},
	{'c', "comm", SM_OPT_CALL, "GLOB", .arg_optional = true, .call = call_comm,
		.complete = SM_COMPLETE_COMM,
		.help = "show the comm of each task; with =GLOB, show only tasks that "
			"match, by their usual names"},
	{'l', "full-command", SM_OPT_FLAG, AT(full_command),
		.help = "show the whole command line"},
	{'s', "short-name", SM_OPT_FLAG, AT(short_name),
		.help = "show the command up to its first space"},
	{'d', "strip-path", SM_OPT_FLAG, AT(strip_path),
		.help = "strip the directory from the command"},
	{'w', "no-cut", SM_OPT_FLAG, AT(no_cut),
		.help = "do not truncate lines at the width of the terminal"},

	{.kind = SM_OPT_GROUP, .help = "Which tasks"},
	{'p', "pid", SM_OPT_PIDS, "LIST", AT(pids), .complete = SM_COMPLETE_PID,
		.help = "show only these processes"},
	{'C', "name", SM_OPT_STR, "GLOB", AT(name_glob), .complete = SM_COMPLETE_COMM,
		.help = "show only tasks whose comm or command's base name matches (* ? "
			"[a-z])"},
	{'u', "user", SM_OPT_USERS, "LIST", AT(uids), .complete = SM_COMPLETE_USER,
		.help = "show only tasks of these users (name or number)"},
	{0, "uid", SM_OPT_USERS, "LIST", .hidden = true, AT(uids)},
	{'k', "cgroup", SM_OPT_STR, "PREFIX", AT(cgroup),
		.help = "show only tasks in this cgroup (/system.slice) and its "
			"descendants"},
	{'i', "ignore-self", SM_OPT_FLAG, AT(ignore_self),
		.help = "exclude cpustat itself"},
	{'t', "threshold", SM_OPT_CALL, "T", .call = call_threshold,
		.help = "show only tasks that used at least T clock ticks per second, or "
			"T% of a CPU"},
	SM_APP_OPT_LIMIT('n', "show only the first N tasks"),
	{'H', "threads", SM_OPT_FLAG, AT(threads), .help = "show a row for each thread"},
	{'G', "group", SM_OPT_CHOICE, "KEY", AT(group), .choices = group_choices,
		.help = "add up tasks of the same comm, user, cgroup or parent"},
	{'o', "sort", SM_OPT_CHOICE, "KEY", AT(sort), .choices = sort_choices,
		.help = "order by cpu (default), usr, sys, wait (implies -W), "
			"time, pid or name"},

	{.kind = SM_OPT_GROUP, .help = "Output"},
	SM_APP_OPT_JSON('j'),
	SM_APP_OPT_CSV,
	{'r', "report", SM_OPT_STR, "FILE", AT(report), .complete = SM_COMPLETE_FILE,
		.help = "write a CSV file at the end, with a column for each task"},
	SM_APP_OPT_PROM,
	SM_APP_OPT_OUTPUT(0),
	SM_APP_OPT_QUIET('q'),
	SM_APP_OPT_NO_HEADER,
	SM_APP_OPT_LINE_BUFFERED(0, SM_APP_LINE_BUFFERED_ALWAYS),
	SM_APP_OPT_COLOR,

	{.kind = SM_OPT_GROUP, .help = "The run"},
	SM_APP_OPT_INTERVAL(0, INTERVAL_MIN_NS,
		"set the interval, like DELAY (default 1s, at least 10ms)"),
	SM_APP_OPT_COUNT("stop after N samples, like COUNT"),
	SM_APP_OPT_DURATION(0),
	{0, "source", SM_OPT_CHOICE, "WHERE", AT(source), .choices = source_choices,
		.help = "read CPU time with bpf (all at once), from clock (process "
			"clocks), "
			"proc (/proc, ticks) or auto (default)"},
	SM_APP_OPT_REALTIME(0),
	SM_APP_OPT_STRICT,
	SM_APP_OPT_ROOT,
	SM_APP_OPT_KEEP_PRIVILEGES("for /proc with hidepid"),
	SM_APP_OPT_HELP,
};

static const char *const examples[] = {"cpustat",
	"the tasks that use the CPU, every second", "cpustat -T -n 10 5",
	"the ten busiest tasks and the total, every 5 seconds", "cpustat -- make -j4",
	"the CPU use of a command and of all processes it starts",
	"cpustat --csv 0.1 600 > cpu.csv", "a minute, ten samples a second, as CSV",
	NULL};

static const char *conflict(const struct opts *o)
{
	if (o->tui && o->app.output)
		return "--tui and --output cannot be used together; use --json=FILE or "
		       "--csv=FILE";
	if (o->comm + o->full_command + o->short_name > 1)
		return "-c, -l and -s cannot be used together";
	if (o->subsamples > 1 && o->app.interval_ns / o->subsamples < INTERVAL_MIN_NS)
		return "--subsample: DELAY divided by N must be at least 10ms";
	return NULL;
}

static int finish(void *cfg, struct sm_buf *why)
{
	struct opts *o = cfg;
	const struct sm_opt_file report = {
		"--report", o->report, "/dev/stdout is standard output"};
	const char *text;
	int err;

	if (o->sort == SORT_WAIT)
		o->wait = true;
	err = sm_app_opts_check(&o->app, &report, 1, o->tui ? "--tui" : NULL, why);
	text = err ? NULL : conflict(o);
	if (!text)
		return err;
	sm_buf_str(why, text);
	return -EINVAL;
}

static const struct sm_opt_spec spec = {
	SM_APP_SPEC("cpustat", "Show which processes use the CPU", table),
	.finish = finish,
	.examples = examples,
};

const struct sm_opt_spec *sm_tool_spec(void)
{
	return &spec;
}
