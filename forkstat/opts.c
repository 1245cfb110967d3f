// SPDX-License-Identifier: GPL-2.0-or-later
/* The option table, the parsers of its values, and the defaults.  This file holds nothing
 * else, because the completion generator links it. */
#include <errno.h>
#include <string.h>

#include "cli/opt_value.h"
#include "opts.h"
#include "base/parse.h"
#include "format/sink.h"

static const char *const event_names[EVENT_KINDS] = {
	[EVENT_FORK] = "fork",
	[EVENT_EXEC] = "exec",
	[EVENT_EXIT] = "exit",
	[EVENT_CORE] = "core",
	[EVENT_COMM] = "comm",
	[EVENT_CLONE] = "clone",
	[EVENT_PTRCE] = "ptrce",
	[EVENT_UID] = "uid",
	[EVENT_GID] = "gid",
	[EVENT_SID] = "sid",
	[EVENT_LOST] = "lost",
};

const char *event_name(enum event e)
{
	return event_names[e];
}

const struct opts opts_default = {
	.app = {.time_style = SM_TIME_CLOCK,
		.limit = 20,
		.count_min = 1,
		.queue_bytes = SM_SINK_DEFAULT_MAX},
	.buffer_bytes = 64u << 20,
};

/* --- events ------------------------------------------------------------------------ */

static int one_event(void *ctx, struct sm_str s, struct sm_buf *why)
{
	struct opts *o = ctx;

	for (enum event e = 0; e < EVENT_KINDS; e++)
		if (sm_parse_eq(s, event_names[e])) {
			o->events |= EVENT_BIT(e);
			return 0;
		}
	if (sm_parse_eq(s, "all")) {
		o->events |= EVENTS_ALL;
	} else if (sm_parse_eq(s, "ptrace")) {
		o->events |= EVENT_BIT(EVENT_PTRCE);
	} else if (sm_parse_eq(s, "nonzeroexit") || sm_parse_eq(s, "exitnonzero")) {
		o->events |= EVENT_BIT(EVENT_EXIT);
		o->exit_filter = EXIT_NONZERO;
	} else {
		sm_opt_complain(why, "unknown event", s);
		sm_buf_str(why, "; known are all");
		for (enum event e = 0; e < EVENT_KINDS; e++)
			sm_buf_printf(why, ", %s", event_names[e]);
		sm_buf_str(why, ", nonzeroexit");
		return -EINVAL;
	}
	return 0;
}

static int call_events(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;

	o->events |= EVENT_BIT(EVENT_LOST); /* several -e add up, as in the original */
	return sm_opt_each(arg, one_event, o, why);
}

static int call_all_events(void *cfg, const char *arg, struct sm_buf *why)
{
	return call_events(cfg, arg ? arg : "all", why);
}

static int call_fail(void *cfg, const char *arg, struct sm_buf *why)
{
	return call_events(cfg, arg ? arg : "nonzeroexit", why);
}

/* --- options that set several fields ------------------------------------------------ */

static int call_comm(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;

	(void)why;
	if (arg)
		o->comm_glob = arg;
	else
		o->comm = true;
	return 0;
}

static int call_cgroup(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;

	(void)why;
	if (arg)
		o->cgroup = arg;
	else
		o->facts |= 1u << FACT_CGROUP;
	return 0;
}

static int call_loginuid(void *cfg, const char *arg, struct sm_buf *why)
{
	(void)arg;
	(void)why;
	((struct opts *)cfg)->facts |= 1u << FACT_LOGINUID;
	return 0;
}

/* The name also becomes a column header, so it must be a plain word. */
static int call_env(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;

	o->env = arg;
	o->facts |= 1u << FACT_ENV;
	if (*arg &&
		!arg[strspn(arg, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				 "0123456789_")])
		return 0;
	sm_buf_printf(
		why, "'%s' must be the name of a variable: letters, digits and _", arg);
	return -EINVAL;
}

static int call_everything(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;

	(void)arg;
	o->events = EVENTS_ALL;
	o->glyphs = o->app.summary = o->extra = true;
	return sm_app_opts_realtime(cfg, NULL, why);
}

static int call_summary(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;

	o->app.summary = true;
	o->by_command = arg && strcmp(arg, "command") == 0;
	if (!arg || o->by_command || strcmp(arg, "program") == 0)
		return 0;
	sm_buf_printf(why, "'%s' must be program or command", arg);
	return -EINVAL;
}

/* --- the table --------------------------------------------------------------------- */

static const char *const event_choices[] = {"all", "fork", "exec", "exit", "core", "comm",
	"clone", "ptrce", "uid", "gid", "sid", "lost", "nonzeroexit", NULL};
static const char *const exit_choices[] = {
	"any", "nonzero", "zero", "signal", "core", NULL};
/* Parses WHICH: a word, or a status as a shell reports it. */
static int call_exit(void *cfg, const char *arg, struct sm_buf *why)
{
	struct opts *o = cfg;
	uint64_t status;

	for (int i = 0; exit_choices[i]; i++)
		if (strcmp(arg, exit_choices[i]) == 0) {
			o->exit_filter = i;
			return 0;
		}
	if (!sm_parse_whole_u64((struct sm_str){arg, strlen(arg)}, &status) ||
		status > UINT8_MAX) {
		sm_buf_printf(why,
			"'%s' must be nonzero, zero, signal, core, any or a status from "
			"0 to 255",
			arg);
		return -EINVAL;
	}
	o->exit_filter = EXIT_STATUS;
	o->exit_status = (unsigned int)status;
	return 0;
}

static const char *const source_choices[] = {"auto", "bpf", "perf", "proc", NULL};

static const char *const summary_choices[] = {"program", "command", NULL};

#define AT(field) .offset = offsetof(struct opts, field)

static const struct sm_opt table[] = {
	{.kind = SM_OPT_GROUP, .help = "What to show"},
	{'e', "events", SM_OPT_CALL, "LIST", .call = call_events,
		.choices = event_choices, .complete = SM_COMPLETE_LIST,
		.help = "show these events, a comma-separated list of fork exec exit "
			"core comm clone ptrce uid gid sid, "
			"nonzeroexit, all (default: fork,exec,exit,clone,ptrce)"},
	{'E', "all-events", SM_OPT_CALL, .call = call_all_events,
		.help = "show all events"},
	{0, "failed", SM_OPT_FLAG, AT(failed),
		.help = "also show failed execs, with the error and the file (as "
			"execsnoop -x)"},
	{0, "fails", SM_OPT_FLAG, AT(failed), .hidden = true},
	{'x', "extra", SM_OPT_FLAG, AT(extra),
		.help = "add the real user, the effective user and the terminal"},
	{'i', "show-ppid", SM_OPT_FLAG, AT(show_ppid),
		.help = "add the parent's process id"},
	{0, "show-tid", SM_OPT_FLAG, AT(show_tid),
		.help = "add the process that a thread belongs to"},
	{0, "parent", SM_OPT_FLAG, AT(parent), .help = "add the parent's comm"},
	{'k', "cgroup", SM_OPT_CALL, "PREFIX", .arg_optional = true, .call = call_cgroup,
		.help = "add the cgroup; with =PREFIX, show only tasks in that cgroup "
			"and its descendants (/system.slice)"},
	{0, "loginuid", SM_OPT_CALL, .call = call_loginuid,
		.help = "add the user who logged in"},
	{0, "env", SM_OPT_CALL, "NAME", .call = call_env,
		.help = "add this environment variable, with its value at the exec"},
	{'g', "glyphs", SM_OPT_FLAG, AT(glyphs),
		.help = "draw a symbol for each kind of event"},
	{'c', "comm", SM_OPT_CALL, "GLOB", .arg_optional = true, .call = call_comm,
		.complete = SM_COMPLETE_COMM,
		.help = "show the 15-byte comm instead of the command line; with =GLOB, "
			"show only tasks whose comm matches"},
	{'s', "short-name", SM_OPT_FLAG, AT(short_name),
		.help = "show only the command, without arguments"},
	{'d', "strip-path", SM_OPT_FLAG, AT(strip_path),
		.help = "strip the directory from the command"},
	{'Q', "quote", SM_OPT_FLAG, AT(quote),
		.help = "quote the arguments, so that a command can be pasted into a "
			"shell"},
	{0, "full-command", SM_OPT_FLAG, AT(full_command),
		.help = "on a terminal, show whole command lines instead of truncating "
			"each row to one line"},
	{'t', "time", SM_OPT_CALL, "FMT", .call = sm_app_opts_timestamp,
		.choices = sm_opt_time_styles,
		.help = "show times as clock (default), iso, epoch, mono or delta"},
	SM_APP_OPT_TIMESTAMP,
	{0, "usec", SM_OPT_FLAG, AT(usec),
		.help = "show microseconds in the time column"},
	{'X', "everything", SM_OPT_CALL, .call = call_everything,
		.help = "select -E -g -r -S -x"},

	{.kind = SM_OPT_GROUP, .help = "Which processes"},
	{'P', "pid", SM_OPT_PIDS, "LIST", AT(pids), .complete = SM_COMPLETE_PID,
		.help = "show only these processes"},
	{'T', "ppid", SM_OPT_PIDS, "LIST", AT(ppids), .complete = SM_COMPLETE_PID,
		.help = "show only these processes and all their descendants"},
	{0, "tree", SM_OPT_PIDS, "LIST", .hidden = true, AT(ppids)},
	{'p', "pgrp", SM_OPT_PIDS, "LIST", AT(pgrps),
		.help = "show only these process groups"},
	{'u', "uid", SM_OPT_USERS, "LIST", AT(uids), .complete = SM_COMPLETE_USER,
		.help = "show only processes of these users (name or number)"},
	{0, "user", SM_OPT_USERS, "LIST", .hidden = true, AT(uids)},
	{'n', "name", SM_OPT_STR, "GLOB", AT(name_glob), .complete = SM_COMPLETE_COMM,
		.help = "show only commands whose base name matches the pattern (* ? "
			"[a-z])"},
	{0, "args", SM_OPT_STR, "GLOB", AT(args_glob),
		.help = "show only commands whose arguments, joined by spaces, match the "
			"pattern ('*.conf*')"},
	{0, "exit", SM_OPT_CALL, "WHICH", .call = call_exit, .choices = exit_choices,
		.help = "show only exits of processes with this status: nonzero, zero, "
			"signal, core, or a number as a shell reports it (137: signal "
			"9); without -e, show only exit rows"},
	{0, "fail", SM_OPT_CALL, .hidden = true, .call = call_fail},
	{0, "min-duration", SM_OPT_DURATION, "TIME", AT(min_duration_ns),
		.max = SM_APP_LONGEST_NS,
		.help = "show only exits after at least this lifetime; without -e, show "
			"only exit rows"},
	{0, "max-duration", SM_OPT_DURATION, "TIME", AT(max_duration_ns),
		.max = SM_APP_LONGEST_NS,
		.help = "show only exits after at most this lifetime; without -e, show "
			"only exit rows"},

	{.kind = SM_OPT_GROUP, .help = "Output"},
	SM_APP_OPT_JSON('j'),
	SM_APP_OPT_CSV,
	SM_APP_OPT_PROM,
	SM_APP_OPT_OUTPUT('o'),
	{'S', "summary", SM_OPT_CALL, "BY", .arg_optional = true, .call = call_summary,
		.choices = summary_choices,
		.help = "print statistics at the end (CPU times need privileges), by "
			"program (default) or by whole command line (=command)"},
	SM_APP_OPT_QUIET('q'),
	SM_APP_OPT_LIMIT(
		0, "list N programs in each part of the statistics (default 20)"),
	SM_APP_OPT_INTERVAL(
		'R', 10 * SM_NSEC_PER_MSEC, "print a row of rates each interval"),
	SM_APP_OPT_LINE_BUFFERED('l',
		"write rows immediately; by default, rows written to a file or pipe are "
		"delayed by up to 10 ms at high event rates"),
	SM_APP_OPT_NO_HEADER,
	SM_APP_OPT_COLOR,

	{.kind = SM_OPT_GROUP, .help = "The run"},
	SM_APP_OPT_DURATION('D'),
	SM_APP_OPT_COUNT("stop after N events were shown"),
	SM_APP_OPT_REALTIME('r'),
	{'b', "buffer", SM_OPT_SIZE, "SIZE", AT(buffer_bytes), .min = 1, .max = 1u << 30,
		.help = "limit the socket receive buffer (default 64M; allocated only "
			"as it fills)"},
	{0, "ring", SM_OPT_SIZE, "SIZE", AT(ring_bytes), .min = 4096, .max = 1u << 30,
		.help = "set the memory of the ring buffers for arguments (default: bpf "
			"512K per CPU up to 4M, perf 8M)"},
	{0, "queue", SM_OPT_SIZE, "SIZE", SM_APP_AT(queue_bytes), .min = 65536,
		.max = UINT64_C(1) << (sizeof(size_t) > 4 ? 34 : 30),
		.help = "limit the memory for rows that wait for a slow reader (default "
			"64M)"},
	{0, "source", SM_OPT_CHOICE, "WHERE", AT(source), .choices = source_choices,
		.help = "capture arguments with bpf or perf (during the exec) or proc "
			"(from /proc, after the exec); auto (default) uses the first of "
			"these that is permitted"},
	SM_APP_OPT_STRICT,
	SM_APP_OPT_ROOT,
	SM_APP_OPT_KEEP_PRIVILEGES("for /proc with hidepid"),
	SM_APP_OPT_HELP,
};

static const char *const examples[] = {"forkstat",
	"show every fork, exec, exit and clone as it happens", "forkstat -- make -j4",
	"run a command and show only its process tree", "forkstat --exit nonzero",
	"show only processes that fail, with their arguments",
	"forkstat -j -e exec | jq -r '.argv // empty | @sh'",
	"print the arguments of every program", NULL};

/* Filters that apply only to exit rows select these rows, unless -e is given. */
static int finish(void *cfg, struct sm_buf *why)
{
	struct opts *o = cfg;

	if (!o->events && (o->exit_filter || o->min_duration_ns || o->max_duration_ns))
		o->events = EVENT_BIT(EVENT_EXIT) | EVENT_BIT(EVENT_LOST);
	if (!o->events)
		o->events = EVENTS_DEFAULT;
	if (o->app.quiet)
		o->app.summary = true;
	if (o->failed && !(o->events & EVENT_BIT(EVENT_EXEC))) {
		sm_buf_str(why, "--failed requires the event exec; add exec to --events");
		return -EINVAL;
	}
	if (o->max_duration_ns && o->max_duration_ns < o->min_duration_ns) {
		sm_buf_str(why, "--max-duration must be at least --min-duration");
		return -EINVAL;
	}
	return sm_app_opts_check(&o->app, NULL, 0, NULL, why);
}

static const struct sm_opt_spec spec = {
	.tool = "forkstat",
	.version = SM_VERSION,
	.summary = "Show process fork, exec and exit activity as it happens",
	.synopsis = "[OPTION]... [-- COMMAND [ARG]...]",
	.opts = table,
	.nopts = SM_ARRAY_SIZE(table),
	.rest = SM_REST_COMMAND,
	.finish = finish,
	.examples = examples,
	.exit_notes = SM_APP_EXIT_NOTES,
};

const struct sm_opt_spec *sm_tool_spec(void)
{
	return &spec;
}
