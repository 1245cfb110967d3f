// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "base/text.h"
#include "cli/tty.h"
#include "columns.h"
#include "facts.h"

#define HUMAN(k, h, w, a, f, j) \
	.key = k, .head = h, .width = w, .align = a, .flags = f, .json = j
#define MACHINE(k, j) .key = k, .json = j
#define BLANK	      SM_COLUMN_BLANK

const struct sm_column forkstat_columns[C_N] = {
	[C_TIME] = {HUMAN("time", "Time", 8, SM_ALIGN_LEFT, 0, "time"),
		.help = "time of the event"},
	[C_MONO] = {MACHINE("mono_ns", "int"),
		.help = "time of the event, CLOCK_MONOTONIC nanoseconds"},
	[C_EVENT] = {HUMAN("event", "Event", 5, SM_ALIGN_LEFT, 0,
			     "fork|exec|exit|core|comm|clone|ptrce|uid|gid|sid|lost"),
		.help = "kind of event"},
	[C_PID] = {HUMAN("pid", "PID", 5, SM_ALIGN_RIGHT, 0, "?int"),
		.help = "task; for a fork or clone, the new task"},
	[C_TGID] = {HUMAN("tgid", "TGID", 5, SM_ALIGN_RIGHT, BLANK, "?int"),
		.help = "process of the task"},
	[C_PPID] = {HUMAN("ppid", "PPID", 5, SM_ALIGN_RIGHT, BLANK, "?int"),
		.help = "parent of the process; for a clone, the process itself"},
	[C_UID] = {MACHINE("uid", "?int"), .help = "real user id"},
	[C_EUID] = {MACHINE("euid", "?int"), .help = "effective user id"},
	[C_USER] = {HUMAN(NULL, "UID", 7, SM_ALIGN_RIGHT, 0, NULL), .help = "real user"},
	[C_EUSER] = {HUMAN(NULL, "EUID", 7, SM_ALIGN_RIGHT, 0, NULL),
		.help = "effective user"},
	[C_TTY] = {HUMAN("tty", "TTY", 6, SM_ALIGN_RIGHT, SM_COLUMN_HEAD_LEFT, "?str"),
		.help = "terminal"},
	[C_PARENT] = {HUMAN("parent_comm", "Parent", 15, SM_ALIGN_LEFT, 0, "?text"),
		.help = "comm of the parent"},
	[C_CGROUP] =
		{HUMAN("cgroup", "Cgroup", 20, SM_ALIGN_LEFT, SM_COLUMN_CUT, "?text"),
			.help = "cgroup"},
	[C_LOGINUID] = {HUMAN("loginuid", "Login", 7, SM_ALIGN_RIGHT, 0, "?int"),
		.help = "the user who logged in"},
	[C_ENV] = {HUMAN("env", "Env", 12, SM_ALIGN_LEFT, SM_COLUMN_CUT, "?text"),
		.help = "value of the environment variable at the exec"},
	[C_SYMBOL] = {HUMAN(NULL, "", 1, SM_ALIGN_LEFT, BLANK | SM_COLUMN_GLUED, NULL),
		.help = "symbol of the event"},
	[C_INFO] = {HUMAN(NULL, "Info", 6, SM_ALIGN_AUTO, BLANK, NULL),
		.help = "parent, child, thread; exit status or signal; new id"},
	[C_DURATION] = {HUMAN("duration_s", "Duration", 8, SM_ALIGN_RIGHT, BLANK, "?num"),
		.help = "exit: lifetime"},
	[C_STATUS] = {MACHINE("status", "?int"), .help = "exit: status given to exit(2)"},
	[C_SIGNAL] = {MACHINE("signal", "?int"), .help = "exit: signal number, 0 = none"},
	[C_SIGNAME] = {MACHINE("signal_name", "?str"), .help = "exit: signal name"},
	[C_CORE] = {MACHINE("core", "?bool"), .help = "exit: whether core was dumped"},
	[C_PROCESS_END] = {MACHINE("process_end", "?bool"),
		.help = "exit: whether the process ended, not only a thread"},
	[C_ERROR] = {MACHINE("error", "?str"), .help = "failed exec: name of the error"},
	[C_TRACER] = {MACHINE("tracer_pid", "?int"),
		.help = "ptrce: the tracer, 0 = detached"},
	[C_SID] = {MACHINE("sid", "?int"), .help = "sid: the new session"},
	[C_RGID] = {MACHINE("gid", "?int"), .help = "gid: real group id"},
	[C_EGID] = {MACHINE("egid", "?int"), .help = "gid: effective group id"},
	[C_COUNT] = {MACHINE("count", "?int"), .help = "lost: number of losses"},
	[C_LOST_SOURCE] =
		{MACHINE("source",
			 "?kernel|output|arguments|names|facts|status|truncated"),
			.help = "lost: kernel, output, arguments, names, facts, status "
				"or "
				"truncated"},
	[C_COMM] = {MACHINE("comm", "?text"), .help = "comm of the task"},
	[C_OLD_COMM] = {MACHINE("old_comm", "?text"),
		.help = "comm: comm before the change"},
	[C_NAME_SOURCE] = {MACHINE("name_source", "?exec|proc|inherited|file|comm|none"),
		.help = "source of argv: exec, proc, inherited, file, comm or none"},
	[C_TRUNCATED] = {MACHINE("truncated", "?bool"),
		.help = "whether argv is truncated"},
	[C_FILE] = {MACHINE("file", "?text"),
		.help = "executed file, if the arguments are unknown"},
	[C_ARGV] = {MACHINE("argv", "?argv"), .help = "arguments"},
	[C_PROCESS] = {HUMAN("cmd", "Process", 7, SM_ALIGN_LEFT, SM_COLUMN_LAST, NULL),
		.help = "command line (CSV has it in place of argv)"},
};

static void choose(struct sm_table *out, const struct opts *o)
{
	sm_table_show(out, C_PARENT, o->parent);
	for (enum fact i = 0; i < FACTS; i++)
		sm_table_show(out, facts_columns[i].column, o->facts & 1u << i);
	if (o->env)
		sm_table_set_head(out, C_ENV, o->env);
	if (out->format != SM_FORMAT_TABLE) {
		sm_table_show(out, C_TTY, o->extra);
		sm_table_show(out, C_ERROR, o->failed);
		/* JSON has the argument list, CSV the command line. */
		sm_table_show(out, C_FILE, out->format == SM_FORMAT_JSON);
		sm_table_show(out, C_ARGV, out->format == SM_FORMAT_JSON);
		sm_table_show(out, C_PROCESS, out->format == SM_FORMAT_CSV);
		return;
	}
	sm_table_show(out, C_TGID, o->show_tid);
	sm_table_show(out, C_PPID, o->show_ppid);
	sm_table_show(out, C_USER, o->extra);
	sm_table_show(out, C_EUSER, o->extra);
	sm_table_show(out, C_TTY, o->extra);
	sm_table_show(out, C_SYMBOL, o->glyphs);
}

static void set_up_human(struct sm_table *out, const struct opts *o, uint32_t pid_max)
{
	static const uint8_t pids[] = {C_PID, C_TGID, C_PPID};
	int width = snprintf(NULL, 0, "%u", pid_max > 0 ? pid_max - 1 : 0);

	for (size_t i = 0; i < SM_ARRAY_SIZE(pids); i++)
		if (width > (int)forkstat_columns[pids[i]].width)
			sm_table_set_width(out, pids[i], (unsigned int)width);
	out->text_flags = SM_TEXT_UTF8;
	columns_fit(out, o);
}

void columns_fit(struct sm_table *out, const struct opts *o)
{
	unsigned int columns, rows;

	if (out->format != SM_FORMAT_TABLE ||
		sm_tty_size(out->sink->fd, &columns, &rows) < 0)
		return;
	if (!sm_tty_utf8())
		out->text_flags = 0;
	sm_table_terminal(out, columns, rows, !o->full_command);
}

void columns_set_up(struct sm_table *out, enum sm_format format, struct sm_sink *sink,
	const struct opts *o, uint32_t pid_max)
{
	sm_table_init(out, format, forkstat_columns, C_N, "event", sink);
	sm_table_set_time(
		out, C_TIME, (enum sm_time_style)o->app.time_style, o->usec ? 6 : 0);
	out->no_header = o->app.no_header;
	choose(out, o);
	if (format == SM_FORMAT_TABLE)
		set_up_human(out, o, pid_max);
}
