// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text.h"
#include "cli/tty.h"
#include "columns.h"

/* A narrow terminal drops columns of low priority until the name has this width. */
#define NAME_MIN 8

#define MACHINE(k, j) .key = k, .json = j
#define LEFT(k, h, w, p, j) \
	MACHINE(k, j), .head = h, .width = w, .align = SM_ALIGN_LEFT, .priority = p
#define NUMBER(k, h, w, p, j) \
	MACHINE(k, j), .head = h, .width = w, .align = SM_ALIGN_RIGHT, .priority = p
#define PERCENT(k, h, p, j) NUMBER(k, h, 6, p, j), .decimals = 2, .machine_decimals = 4

/* On the screen, the history and then the user (C_UID) are dropped first. */
const struct sm_column cpustat_columns[C_N] = {
	[C_TIME] = {LEFT("time", "Timestamp", 9, 8, "time"), .help = "end of the sample"},
	[C_MONO] = {MACHINE("mono_ns", "int"),
		.help = "end of the sample, CLOCK_MONOTONIC, ns"},
	[C_DT] = {MACHINE("dt_s", "num"), .help = "interval of the percentages, s"},
	[C_KIND] = {MACHINE("kind",
			    "process|thread|exited|group|softirq|irq|unaccounted|others"),
		.help = "process, thread, exited (children), group, softirq, irq, "
			"unaccounted, others"},
	[C_CPU_PCT] = {PERCENT("cpu_pct", "%CPU", 0, "num"), .help = "CPU time used"},
	[C_USR_PCT] = {PERCENT("usr_pct", "%USR", 7, "num"),
		.help = "CPU time used in user space"},
	[C_SYS_PCT] = {PERCENT("sys_pct", "%SYS", 6, "num"),
		.help = "CPU time used in the kernel"},
	[C_PID] = {NUMBER("pid", "PID", 5, 14, "?int"),
		.help = "process; for a thread, the thread; for exited children, their "
			"parent"},
	[C_TGID] = {NUMBER("tgid", "PID", 5, 10, "?int"), .help = "process of the task"},
	[C_PPID] = {MACHINE("ppid", "?int"), .help = "parent of the process"},
	[C_UID] = {MACHINE("uid", "?int"), .priority = 2, .help = "real user id"},
	[C_STATE] = {LEFT("state", "S", 1, 5, "?str"),
		.help = "state: R running, S sleeping, D waiting for a device, Z zombie, "
			"..."},
	[C_CPU] = {NUMBER("cpu", "CPU", 4, 4, "?int"),
		.help = "CPU that the task ran on last"},
	[C_TOTAL] = {NUMBER("cpu_time_s", "Time", 7, 3, "?num"),
		.help = "CPU time since the start of the task"},
	[C_WAIT_PCT] = {PERCENT("wait_pct", "%WAIT", 13, "?num"),
		.help = "time waiting for a CPU"},
	[C_MIN_PCT] = {PERCENT("min_pct", "%MIN", 11, "?num"),
		.help = "minimum of the sub-samples"},
	[C_MAX_PCT] = {PERCENT("max_pct", "%MAX", 12, "?num"),
		.help = "maximum of the sub-samples"},
	[C_MEMBERS] = {NUMBER("tasks", "Tasks", 5, 9, "?int"),
		.help = "number of tasks in the group"},
	[C_USED] = {MACHINE("cpu_ns", "int"), .help = "CPU time used, ns"},
	[C_COMM] = {MACHINE("comm", "?text"), .help = "comm; for a group, its name"},
	[C_CGROUP] = {MACHINE("cgroup", "?text"), .help = "cgroup, if it was read"},
	[C_ARGV] = {MACHINE("argv", "?argv"), .help = "arguments"},
	[C_COMMAND] = {MACHINE("command", NULL),
		.help = "command line, in CSV instead of argv"},
	[C_TRUNCATED] = {MACHINE("truncated", "?bool"),
		.help = "the command line was truncated"},
	[C_EXITED] = {MACHINE("exited", "?[$program]"),
		.help = "programs of exited children"},
	[C_TASK] = {LEFT(NULL, "Task", NAME_MIN, 0, NULL), .flags = SM_COLUMN_LAST,
		.help = "name in the form selected by -c, -l, -s and -d"},
};

static void choose(struct sm_table *out, const struct opts *o)
{
	bool human = out->format == SM_FORMAT_TABLE;

	sm_table_show(out, C_TIME, !human || o->app.time_given);
	sm_table_show(out, C_TGID, !human || o->threads);
	sm_table_show(out, C_WAIT_PCT, o->wait);
	sm_table_show(out, C_MIN_PCT, o->subsamples > 1);
	sm_table_show(out, C_MAX_PCT, o->subsamples > 1);
	sm_table_show(out, C_MEMBERS, o->group != GROUP_NONE);
	sm_table_show(out, C_ARGV, out->format == SM_FORMAT_JSON);
	sm_table_show(out, C_EXITED, out->format == SM_FORMAT_JSON);
	sm_table_show(out, C_COMMAND, out->format == SM_FORMAT_CSV);
}

static unsigned int digits(uint32_t v)
{
	unsigned int n = 1;

	for (; v >= 10; v /= 10)
		n++;
	return n;
}

void columns_fit(struct sm_table *out, const struct opts *o)
{
	unsigned int columns, rows;

	if (o->no_cut || sm_tty_size(out->sink->fd, &columns, &rows) < 0)
		columns = 0;
	sm_table_terminal(out, columns, 0, true);
}

static void set_up_human(struct sm_table *out, const struct opts *o, uint32_t pid_max)
{
	unsigned int width = digits(pid_max > 0 ? pid_max - 1 : 0), columns, rows;

	if (width > cpustat_columns[C_PID].width) {
		sm_table_set_width(out, C_PID, width);
		sm_table_set_width(out, C_TGID, width);
	}
	if (o->threads)
		sm_table_set_head(out, C_PID, "TID");
	out->text_flags = SM_TEXT_UTF8;
	if (sm_tty_size(out->sink->fd, &columns, &rows) == 0 && !sm_tty_utf8())
		out->text_flags = 0;
	columns_fit(out, o);
}

void columns_set_up(struct sm_table *out, enum sm_format format, struct sm_sink *sink,
	const struct opts *o, uint32_t pid_max)
{
	sm_table_init(out, format, cpustat_columns, C_N, "task", sink);
	/* In whole seconds, several rows of a fast run would have one time. */
	sm_table_set_time(out, C_TIME, (enum sm_time_style)o->app.time_style,
		o->app.interval_ns % SM_NSEC_PER_SEC ? 3 : 0);
	out->no_header = o->app.no_header;
	choose(out, o);
	if (format == SM_FORMAT_TABLE)
		set_up_human(out, o, pid_max);
}
