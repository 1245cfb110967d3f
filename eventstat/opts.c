// SPDX-License-Identifier: GPL-2.0-or-later
/* The option table, parsers of its values and the defaults.  The completion generator
 * links this file, so nothing else may be in it. */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/opt_value.h"
#include "opts.h"
#include "source.h"

#define MAX_RATE 100000000u /* events per second; call_threshold() names it */

const struct opts opts_default = {
	.app = SM_APP_OPTS_SAMPLES(SM_APP_SHORTEST_NS),
	.kinds = KIND_ALL,
};

/* Sets the reason to "'s' text", with s sanitized.  Returns -EINVAL. */
static int refuse(struct sm_buf *why, struct sm_str s, const char *text)
{
	sm_buf_chr(why, '\'');
	sm_text_human(why, s.p, s.n, SM_TEXT_UTF8);
	sm_buf_str(why, "' ");
	sm_buf_str(why, text);
	return -EINVAL;
}

static int add_kind(void *ctx, struct sm_str s, struct sm_buf *why)
{
	unsigned int *kinds = ctx;

	if (sm_parse_eq(s, "hrtimer"))
		*kinds |= KIND_HRTIMER;
	else if (sm_parse_eq(s, "timer"))
		*kinds |= KIND_WHEEL;
	else
		return refuse(why, s, "must be hrtimer or timer");
	return 0;
}

static int call_kinds(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;

	o->kinds = 0;
	return sm_opt_each(arg, add_kind, &o->kinds, why);
}

/* Parses a decimal number, as a duration in seconds without a unit. */
static int call_threshold(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;
	size_t n = strlen(arg);
	uint64_t ns;

	if (n && sm_parse_is_digit(arg[n - 1]) && sm_units_duration_ns(arg, &ns) == 0 &&
		ns <= MAX_RATE * SM_NSEC_PER_SEC) {
		o->threshold_milli = ns / SM_NSEC_PER_MSEC;
		return 0;
	}
	return refuse(
		why, (struct sm_str){arg, n}, "must be a number from 0 to 100000000");
}

/* --- the table --------------------------------------------------------------------- */

static const char *const group_choices[] = {
	"thread", "process", "comm", "function", "cgroup", NULL};
static const char *const sort_choices[] = {
	"events", "wake", "idle", "cpu", "pid", "name", NULL};

static const char *const method_choices[] = {"auto", "bpf", "perf", NULL};
static const char *const former_methods[] = {
	"tracefs", "the method was removed; use bpf or perf", NULL};

#define AT(field) .offset = offsetof(struct opts, field)

static const struct sm_opt table[] = {
	{.kind = SM_OPT_GROUP, .help = "What to show"},
	{'b', "brief", SM_OPT_FLAG, AT(brief),
		.help = "show only the rate, PID and name"},
	{'x', "extended", SM_OPT_FLAG, AT(extended),
		.help = "add expiries, expiries on an idle CPU, and the kind of timer"},
	{0, "wakeups", SM_OPT_FLAG, AT(wakeups),
		.help = "show what ended each idle period of a CPU: a timer, an "
			"interrupt, or a task on another CPU"},
	{0, "woke", SM_OPT_FLAG, AT(woke),
		.help = "add the task that runs first after each idle period (with "
			"--wakeups)"},
	{0, "histogram", SM_OPT_FLAG, AT(histogram),
		.help = "at the end, print a histogram of the lengths of idle periods "
			"(with --wakeups)"},
	{'c', "cumulative", SM_OPT_FLAG, AT(cumulative),
		.help = "show the number of events since the start instead of rates"},
	{'i', "timer-id", SM_OPT_FLAG, AT(timer_id),
		.help = "show a row for each timer, with an ID that is valid in this "
			"run"},
	{0, "tick", SM_OPT_FLAG, AT(tick),
		.help = "also show rows of the tick (by default, -x shows only its "
			"rate)"},
	{0, "self", SM_OPT_FLAG, AT(self),
		.help = "also show the timers of eventstat itself"},
	{'w', "sample-time", SM_OPT_FLAG, AT(stamp),
		.help = "print a line with the time after each sample"},
	{'T', "tui", SM_OPT_FLAG, AT(tui),
		.help = "show a full screen, with keys (h for help)"},
	SM_APP_OPT_SUMMARY(0, "at the end, print the total of each row over the run"),
	SM_APP_OPT_TIMESTAMP,

	{.kind = SM_OPT_GROUP, .help = "Names"},
	{'l', "full-command", SM_OPT_FLAG, AT(full_command),
		.help = "show the whole command line instead of the comm"},
	{'s', "short-name", SM_OPT_FLAG, AT(short_name),
		.help = "show the command without its arguments instead of the comm"},
	{'d', "strip-path", SM_OPT_FLAG, AT(strip_path),
		.help = "strip the directory from the command"},

	{.kind = SM_OPT_GROUP, .help = "Which events"},
	{'k', "kernel", SM_OPT_FLAG, AT(kernel),
		.help = "show only kernel threads and interrupts"},
	{'u', "user", SM_OPT_FLAG, AT(user),
		.help = "show only tasks other than kernel threads"},
	{'p', "pid", SM_OPT_PIDS, "LIST", AT(pids), .complete = SM_COMPLETE_PID,
		.help = "show only these processes or threads"},
	{0, "uid", SM_OPT_USERS, "LIST", AT(uids), .complete = SM_COMPLETE_USER,
		.help = "show only tasks of these users (name or number)"},
	{0, "comm", SM_OPT_STR, "GLOB", AT(name_glob), .complete = SM_COMPLETE_COMM,
		.help = "show only tasks whose comm or command's base name matches (* "
			"? [a-z])"},
	{0, "func", SM_OPT_STR, "GLOB", AT(func_glob),
		.help = "show only timers whose callback matches"},
	{'e', "events", SM_OPT_CALL, "LIST", .call = call_kinds,
		.help = "show only these kinds of timers: hrtimer, timer (the timer "
			"wheel); default both"},
	{'t', "threshold", SM_OPT_CALL, "RATE", .call = call_threshold,
		.help = "show only rows with at least RATE events per second"},
	SM_APP_OPT_LIMIT('n', "show only the first N rows"),
	{'g', "group", SM_OPT_CHOICE, "KEY", AT(group), .choices = group_choices,
		.help = "show a row for each thread (default), process, comm, function "
			"or cgroup"},
	{'o', "sort", SM_OPT_CHOICE, "KEY", AT(sort), .choices = sort_choices,
		.help = "sort by events (default), wake, idle, cpu, pid or name"},

	{.kind = SM_OPT_GROUP, .help = "Output"},
	SM_APP_OPT_JSON('j'),
	SM_APP_OPT_CSV,
	{'r', "report", SM_OPT_STR, "FILE", AT(report), .complete = SM_COMPLETE_FILE,
		.help = "at the end, write a CSV file with a column for each task and "
			"callback"},
	{'C', "counts", SM_OPT_FLAG, AT(counts),
		.help = "write counts instead of rates to that file"},
	{'S', "statistics", SM_OPT_FLAG, AT(statistics),
		.help = "add minimum, maximum, mean and standard deviation to that file"},
	SM_APP_OPT_PROM,
	SM_APP_OPT_OUTPUT(0),
	SM_APP_OPT_QUIET('q'),
	SM_APP_OPT_NO_HEADER,
	SM_APP_OPT_LINE_BUFFERED(0, SM_APP_LINE_BUFFERED_ALWAYS),
	SM_APP_OPT_COLOR,

	{.kind = SM_OPT_GROUP, .help = "The run"},
	SM_APP_OPT_INTERVAL(0, SM_APP_SHORTEST_NS,
		"take a sample every TIME, like DELAY (default 1s; at least 100ms)"),
	SM_APP_OPT_COUNT("stop after N samples, like COUNT"),
	SM_APP_OPT_DURATION(0),
	{0, "method", SM_OPT_CHOICE, "METHOD", AT(method), .choices = method_choices,
		.former = former_methods,
		.help = "count timers with bpf, perf or auto (default: the first of them "
			"that can be used)"},
	{'v', "verbose", SM_OPT_FLAG, AT(verbose),
		.help = "report which method is used and why the others are not"},
	SM_APP_OPT_REALTIME(0),
	SM_APP_OPT_STRICT,
	SM_APP_OPT_ROOT,
	SM_APP_OPT_KEEP_PRIVILEGES("for /proc with hidepid"),
	SM_APP_OPT_HELP,
};

static const char *const examples[] = {"eventstat", "show what arms timers, every second",
	"eventstat -x -n 10 5",
	"show the ten most frequent rows with their expiries, every 5 seconds",
	"eventstat --wakeups 10", "show what ends idle periods, every 10 seconds",
	"eventstat -- make", "show the timers of the machine while a command runs",
	"eventstat --csv 1 60 > events.csv", "record a minute as CSV", NULL};

/* Returns an error for an option that applies only to timers, or NULL. */
static const char *no_wakeups(const struct opts *o)
{
	if (o->extended || o->timer_id)
		return "-x and -i cannot be used with --wakeups";
	if (o->kinds != KIND_ALL)
		return "-e and --wakeups cannot be used together";
	if (o->tick || o->self)
		return "--tick and --self cannot be used with --wakeups, which always "
		       "includes both";
	if (o->sort == SORT_CPU)
		return "--sort=cpu and --wakeups cannot be used together";
	if (o->method != METHOD_AUTO && o->method != METHOD_BPF)
		return "--wakeups needs --method=bpf";
	if (o->report || o->counts || o->statistics)
		return "-r, -C and -S cannot be used with --wakeups";
	return NULL;
}

static const char *conflict(const struct opts *o)
{
	if (o->kernel && o->user)
		return "-k and -u cannot be used together";
	if (o->full_command && o->short_name)
		return "-l and -s cannot be used together";
	if (o->tui && o->app.output)
		return "--tui and --output cannot be used together; use --json=FILE or "
		       "--csv=FILE";
	if (o->wakeups)
		return no_wakeups(o);
	if (o->histogram || o->woke)
		return o->woke ? "--woke needs --wakeups" : "--histogram needs --wakeups";
	if ((o->counts || o->statistics) && !o->report)
		return "-C and -S need -r FILE";
	return NULL;
}

static int finish(void *cfg, struct sm_buf *why)
{
	struct opts *o = cfg;
	const struct sm_opt_file report = {
		"--report", o->report, "/dev/stdout is standard output"};
	int err = sm_app_opts_check(&o->app, &report, 1, o->tui ? "--tui" : NULL, why);
	const char *text = err ? NULL : conflict(o);

	if (!text)
		return err;
	sm_buf_str(why, text);
	return -EINVAL;
}

static const struct sm_opt_spec spec = {
	SM_APP_SPEC("eventstat", "Show which tasks arm timers and what wakes the CPUs",
		table),
	.finish = finish,
	.examples = examples,
};

const struct sm_opt_spec *sm_tool_spec(void)
{
	return &spec;
}
