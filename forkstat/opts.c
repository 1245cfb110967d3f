// SPDX-License-Identifier: GPL-2.0-or-later
/* Only the option table, its values' parsers and the defaults: the completion generator
 * links this file. */
#include <errno.h>

#include "opt_value.h"
#include "opts.h"
#include "parse.h"
#include "sink.h"

static const char *const event_names[FS_NEVENTS] = {
	[FS_FORK] = "fork",
	[FS_EXEC] = "exec",
	[FS_EXIT] = "exit",
	[FS_CORE] = "core",
	[FS_COMM] = "comm",
	[FS_CLONE] = "clone",
	[FS_PTRCE] = "ptrce",
	[FS_UID] = "uid",
	[FS_GID] = "gid",
	[FS_SID] = "sid",
	[FS_LOST] = "lost",
};

const char *fs_event_name(enum fs_event e)
{
	return event_names[e];
}

const struct fs_opts fs_opts_default = {
	.time_style = SM_TIME_CLOCK,
	.limit = 20,
	.buffer_bytes = 64u << 20,
	.queue_bytes = SM_SINK_DEFAULT_MAX,
};

/* --- events ------------------------------------------------------------------------ */

static int one_event(void *ctx, struct sm_str s, struct sm_buf *why)
{
	struct fs_opts *o = ctx;

	for (enum fs_event e = 0; e < FS_NEVENTS; e++)
		if (sm_str_eq(s, event_names[e])) {
			o->events |= FS_BIT(e);
			return 0;
		}
	if (sm_str_eq(s, "all")) {
		o->events |= FS_EVENTS_ALL;
	} else if (sm_str_eq(s, "ptrace")) {
		o->events |= FS_BIT(FS_PTRCE);
	} else if (sm_str_eq(s, "nonzeroexit") || sm_str_eq(s, "exitnonzero")) {
		o->events |= FS_BIT(FS_EXIT);
		o->exit_filter = FS_EXIT_NONZERO;
	} else {
		sm_opt_complain(why, "unknown event", s);
		sm_buf_str(why, "; known are all");
		for (enum fs_event e = 0; e < FS_NEVENTS; e++)
			sm_buf_printf(why, ", %s", event_names[e]);
		sm_buf_str(why, ", nonzeroexit");
		return -EINVAL;
	}
	return 0;
}

static int call_events(void *cfg, const char *arg, struct sm_buf *why)
{
	struct fs_opts *o = cfg;

	o->events |= FS_BIT(FS_LOST); /* several -e add up, as in the original */
	return sm_opt_each(arg, one_event, o, why);
}

static int call_all_events(void *cfg, const char *arg, struct sm_buf *why)
{
	struct fs_opts *o = cfg;

	(void)arg;
	(void)why;
	o->events = FS_EVENTS_ALL;
	return 0;
}

static int call_fail(void *cfg, const char *arg, struct sm_buf *why)
{
	return call_events(cfg, arg ? arg : "nonzeroexit", why);
}

/* --- lists of numbers -------------------------------------------------------------- */

static int call_pids(void *cfg, const char *arg, struct sm_buf *why)
{
	return sm_opt_pids(arg, &((struct fs_opts *)cfg)->pids, why);
}

static int call_ppids(void *cfg, const char *arg, struct sm_buf *why)
{
	return sm_opt_pids(arg, &((struct fs_opts *)cfg)->ppids, why);
}

static int call_pgrps(void *cfg, const char *arg, struct sm_buf *why)
{
	return sm_opt_pids(arg, &((struct fs_opts *)cfg)->pgrps, why);
}

static int call_uids(void *cfg, const char *arg, struct sm_buf *why)
{
	return sm_opt_users(arg, &((struct fs_opts *)cfg)->uids, why);
}

/* --- options that mean more than one thing ------------------------------------------ */

static int call_comm(void *cfg, const char *arg, struct sm_buf *why)
{
	struct fs_opts *o = cfg;

	(void)why;
	if (arg)
		o->comm_glob = arg;
	else
		o->comm = true;
	return 0;
}

static int call_quiet(void *cfg, const char *arg, struct sm_buf *why)
{
	struct fs_opts *o = cfg;

	(void)arg;
	(void)why;
	o->quiet = o->summary = true;
	return 0;
}

static int call_everything(void *cfg, const char *arg, struct sm_buf *why)
{
	struct fs_opts *o = cfg;

	(void)arg;
	(void)why;
	o->events = FS_EVENTS_ALL;
	o->glyphs = o->realtime = o->summary = o->extra = true;
	return 0;
}

static int call_timestamp(void *cfg, const char *arg, struct sm_buf *why)
{
	struct fs_opts *o = cfg;

	return sm_opt_time_style(arg ? arg : "iso", &o->time_style, why);
}

static int call_usec(void *cfg, const char *arg, struct sm_buf *why)
{
	(void)arg;
	(void)why;
	((struct fs_opts *)cfg)->time_decimals = 6;
	return 0;
}

/* --- the table --------------------------------------------------------------------- */

static const char *const event_choices[] = {"all", "fork", "exec", "exit", "core", "comm",
	"clone", "ptrce", "uid", "gid", "sid", "lost", "nonzeroexit", NULL};
static const char *const exit_choices[] = {
	"any", "nonzero", "zero", "signal", "core", NULL};
static const char *const source_choices[] = {"auto", "bpf", "perf", "proc", NULL};

#define AT(field)    .offset = offsetof(struct fs_opts, field)
#define DAY_NS	     (86400 * SM_NSEC_PER_SEC)
#define TEN_YEARS_NS (3653 * DAY_NS)

static const struct sm_opt table[] = {
	{.kind = SM_OPT_GROUP, .help = "What to show"},
	{'e', "events", SM_OPT_CALL, "LIST", .call = call_events,
		.choices = event_choices, .complete = SM_COMPLETE_LIST,
		.help = "comma-separated events: fork exec exit core comm clone ptrce "
			"uid gid sid, "
			"nonzeroexit, all (default: fork,exec,exit,clone,ptrce)"},
	{'E', "all-events", SM_OPT_CALL, .call = call_all_events, .help = "all events"},
	{'x', "extra", SM_OPT_FLAG, AT(extra),
		.help = "add user, effective user and terminal"},
	{'i', "show-ppid", SM_OPT_FLAG, AT(show_ppid),
		.help = "add the parent's process id"},
	{0, "show-tid", SM_OPT_FLAG, AT(show_tid), .help = "add the thread group's id"},
	{'g', "glyphs", SM_OPT_FLAG, AT(glyphs),
		.help = "draw a glyph for each kind of event"},
	{'c', "comm", SM_OPT_CALL, "GLOB", .arg_optional = true, .call = call_comm,
		.help = "show the 15-byte comm instead of the command line; with =GLOB "
			"only tasks whose comm matches"},
	{'s', "short-name", SM_OPT_FLAG, AT(short_name),
		.help = "show only the command, no arguments"},
	{'d', "strip-path", SM_OPT_FLAG, AT(strip_path),
		.help = "strip the directory from the command"},
	{0, "full-command", SM_OPT_FLAG, AT(full_command),
		.help = "on a terminal, do not shorten very long command lines"},
	{'t', "time", SM_OPT_CALL, "FMT", .call = call_timestamp,
		.choices = sm_opt_time_styles,
		.help = "time as clock (default), iso, epoch, mono (seconds since the "
			"boot) "
			"or delta (since the row before)"},
	{0, "timestamp", SM_OPT_CALL, "FMT", .arg_optional = true, .call = call_timestamp,
		.choices = sm_opt_time_styles, .help = "the same; without a value iso"},
	{0, "usec", SM_OPT_CALL, .call = call_usec,
		.help = "microseconds in the time column"},
	{'X', "everything", SM_OPT_CALL, .call = call_everything,
		.help = "the same as -E -g -r -S -x"},

	{.kind = SM_OPT_GROUP, .help = "Which processes"},
	{'P', "pid", SM_OPT_CALL, "LIST", .call = call_pids, .complete = SM_COMPLETE_PID,
		.help = "only these processes"},
	{'T', "ppid", SM_OPT_CALL, "LIST", .call = call_ppids,
		.complete = SM_COMPLETE_PID,
		.help = "only these processes and all their descendants"},
	{0, "tree", SM_OPT_CALL, "LIST", .hidden = true, .call = call_ppids},
	{'p', "pgrp", SM_OPT_CALL, "LIST", .call = call_pgrps,
		.help = "only these process groups"},
	{'u', "uid", SM_OPT_CALL, "LIST", .call = call_uids, .complete = SM_COMPLETE_USER,
		.help = "only processes of these users (name or number)"},
	{0, "user", SM_OPT_CALL, "LIST", .hidden = true, .call = call_uids},
	{'n', "name", SM_OPT_STR, "GLOB", AT(name_glob),
		.help = "only commands whose base name matches the pattern (* ? [a-z])"},
	{0, "exit", SM_OPT_CHOICE, "WHICH", AT(exit_filter), .choices = exit_choices,
		.help = "only exits that are nonzero, zero, by signal or with a core "
			"dump; "
			"without -e only exit rows"},
	{0, "fail", SM_OPT_CALL, .hidden = true, .call = call_fail},
	{0, "min-duration", SM_OPT_DURATION, "TIME", AT(min_duration_ns),
		.max = TEN_YEARS_NS,
		.help = "only exits after at least this lifetime; without -e only exit "
			"rows"},
	{0, "max-duration", SM_OPT_DURATION, "TIME", AT(max_duration_ns),
		.max = TEN_YEARS_NS, .help = "only exits after at most this lifetime"},

	{.kind = SM_OPT_GROUP, .help = "Output"},
	{'j', "json", SM_OPT_TO, "FILE", .arg_optional = true, AT(json),
		.complete = SM_COMPLETE_FILE,
		.help = "JSON lines instead of the table; with =FILE beside it"},
	{0, "csv", SM_OPT_TO, "FILE", .arg_optional = true, AT(csv),
		.complete = SM_COMPLETE_FILE,
		.help = "CSV instead of the table; with =FILE beside it"},
	{0, "prom", SM_OPT_STR, "FILE", AT(prom), .complete = SM_COMPLETE_FILE,
		.help = "keep totals in FILE in Prometheus text format"},
	{'o', "output", SM_OPT_STR, "FILE", AT(output), .complete = SM_COMPLETE_FILE,
		.help = "write to FILE instead of standard output"},
	{'S', "summary", SM_OPT_FLAG, AT(summary), .help = "statistics at the end"},
	{'q', "quiet", SM_OPT_CALL, .call = call_quiet,
		.help = "no rows, only the statistics"},
	{0, "limit", SM_OPT_U64, "N", AT(limit), .min = 1, .max = 1000000,
		.help = "programs in each list of the statistics (default 20)"},
	{'R', "interval", SM_OPT_DURATION, "TIME", AT(interval_ns),
		.min = 10 * SM_NSEC_PER_MSEC, .max = DAY_NS,
		.help = "a row of rates each interval"},
	{'l', "line-buffered", SM_OPT_FLAG, AT(line_buffered),
		.help = "write each batch of rows at once (they are never late without "
			"it either)"},
	{'N', "no-header", SM_OPT_FLAG, AT(no_header), .help = "no heading"},
	{0, "no-heading", SM_OPT_FLAG, .hidden = true, AT(no_header)},
	{0, "color", SM_OPT_CHOICE, "WHEN", AT(color), .choices = sm_opt_colors,
		.help = "auto, always or never"},

	{.kind = SM_OPT_GROUP, .help = "The run"},
	{'D', "duration", SM_OPT_DURATION, "TIME", AT(duration_ns), .min = 1,
		.max = TEN_YEARS_NS,
		.help = "stop after this time (seconds, or 200ms, 1.5m, 2h)"},
	{0, "count", SM_OPT_U64, "N", AT(count), .min = 1,
		.help = "stop after N events shown"},
	{'r', "realtime", SM_OPT_FLAG, AT(realtime),
		.help = "real-time scheduling, guarded so that it cannot hang the "
			"machine"},
	{'b', "buffer", SM_OPT_SIZE, "SIZE", AT(buffer_bytes), .min = 1, .max = 1u << 30,
		.help = "socket receive buffer (default 64M, taken only as it fills)"},
	{0, "ring", SM_OPT_SIZE, "SIZE", AT(ring_bytes), .min = 4096, .max = 1u << 30,
		.help = "memory of the rings that catch arguments (default: bpf 512K, "
			"perf 8M)"},
	{0, "queue", SM_OPT_SIZE, "SIZE", AT(queue_bytes), .min = 65536,
		.max = UINT64_C(1) << (sizeof(size_t) > 4 ? 34 : 30),
		.help = "rows held for a slow reader (default 64M)"},
	{0, "source", SM_OPT_CHOICE, "WHERE", AT(source), .choices = source_choices,
		.help = "where arguments come from: bpf or perf (at the exec), proc "
			"(/proc, afterwards), "
			"auto (default: the first of these that is allowed)"},
	{0, "strict", SM_OPT_FLAG, AT(strict),
		.help = "exit status 5 if anything was lost"},
	{0, "root", SM_OPT_STR, "DIR", AT(root), .complete = SM_COMPLETE_DIR,
		.help = "read DIR/proc and DIR/sys instead of /proc and /sys"},
	{0, "keep-privileges", SM_OPT_FLAG, AT(keep_privileges),
		.help = "do not drop privileges after the start (for /proc with "
			"hidepid)"},
	{'h', "help", SM_OPT_HELP, .help = "show this help"},
	{'V', "version", SM_OPT_VERSION, .help = "show the version"},
};

static const char *const examples[] = {"forkstat",
	"every fork, exec, exit and clone, as it happens", "forkstat -- make -j4",
	"run a command and follow just its tree", "forkstat --exit nonzero",
	"only what failed, with its arguments",
	"forkstat -j -e exec | jq -r '.argv // empty | @sh'",
	"the arguments of every program", NULL};

/* Filters on how a process ended speak of exits only. */
static int finish(void *cfg, struct sm_buf *why)
{
	struct fs_opts *o = cfg;

	if (!o->events && (o->exit_filter || o->min_duration_ns || o->max_duration_ns))
		o->events = FS_BIT(FS_EXIT) | FS_BIT(FS_LOST);
	if (!o->events)
		o->events = FS_EVENTS_DEFAULT;
	if (o->json.here && o->csv.here) {
		sm_buf_str(why, "--json and --csv both want the standard output; give "
				"one a =FILE");
		return -EINVAL;
	}
	if (o->max_duration_ns && o->max_duration_ns < o->min_duration_ns) {
		sm_buf_str(why, "--max-duration is less than --min-duration");
		return -EINVAL;
	}
	return 0;
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
	.exit_notes = "Exit status: 0 ok, 1 error, 2 usage, 3 no process events here, 4 "
		      "not permitted, "
		      "5 events lost with --strict; with COMMAND, its own.",
};

const struct sm_opt_spec *sm_tool_spec(void)
{
	return &spec;
}
