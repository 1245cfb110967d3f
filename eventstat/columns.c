// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"

#define MACHINE(k, j) .key = k, .json = j
#define LEFT(k, h, w, p, j) \
	MACHINE(k, j), .head = h, .width = w, .align = SM_ALIGN_LEFT, .priority = p
#define NUMBER(k, h, w, p, j) \
	MACHINE(k, j), .head = h, .width = w, .align = SM_ALIGN_RIGHT, .priority = p
#define RATE(k, h, p) NUMBER(k, h, 8, p, "num"), .decimals = 2, .machine_decimals = 3

#define TASK_WIDTH 20
#define TASK_LEAST 12
#define FUNC_MIN   8
#define FUNC_WIDTH 22 /* width of most callbacks */
#define FUNC_MORE  20 /* for longer ones, if there is room */

const struct sm_column eventstat_columns[C_N] = {
	[C_TIME] = {LEFT("time", "Timestamp", 9, 8, "time"), .help = "end of the sample"},
	[C_MONO] = {MACHINE("mono_ns", "int"),
		.help = "end of the sample, CLOCK_MONOTONIC in ns"},
	[C_DT] = {MACHINE("dt_s", "num"), .help = "length of the interval"},
	[C_RATE] = {RATE("starts_per_s", "Event/s", 0),
		.help = "timers armed per second"},
	[C_STARTS] = {MACHINE("starts", "int"), .help = "timers armed"},
	[C_EXPIRIES] = {MACHINE("expiries", "int"), .help = "timers that expired"},
	[C_IDLE] = {MACHINE("idle_expiries", "int"), .help = "expiries on an idle CPU"},
	[C_WOKEN_RATE] = {RATE("wakeups_per_s", "Wakeup/s", 0),
		.help = "wakeups of idle CPUs per second"},
	[C_WOKEN] = {MACHINE("wakeups", "int"), .help = "wakeups of idle CPUs"},
	[C_SHARE] = {NUMBER("share_pct", "Share", 6, 2, "?num"), .unit = "%",
		.decimals = 1, .machine_decimals = 3, .help = "share of all wakeups"},
	[C_SLEPT] = {MACHINE("slept_s", "num"),
		.help = "total length of the idle periods"},
	[C_SLEPT_MEAN] = {NUMBER("slept_mean_s", "Slept ms", 9, 3, "?num"), .scale = 1e3,
		.decimals = 3, .machine_decimals = 9,
		.help = "mean length of the idle periods"},
	[C_PID] = {NUMBER("tid", "PID", 5, 0, "?int"),
		.help = "thread; with -g process, the process"},
	[C_TGID] = {MACHINE("pid", "?int"), .help = "process"},
	[C_UID] = {MACHINE("uid", "?int"), .help = "real user id"},
	[C_CPU_PCT] = {NUMBER("cpu_pct", "%CPU", 5, 6, "?num"), .decimals = 1,
		.machine_decimals = 3, .help = "CPU time of the thread"},
	[C_PR] = {NUMBER("rtprio", "PR", 3, 4, "?int"),
		.help = "real-time priority; 0 if not real time"},
	[C_NI] = {NUMBER("nice", "NI", 3, 3, "?int"), .help = "nice value"},
	[C_MEMBERS] = {NUMBER("rows", "Rows", 4, 5, "?int"),
		.help = "number of rows in the group"},
	[C_WAKE_RATE] = {RATE("expiries_per_s", "Wake/s", 10),
		.help = "expiries per second"},
	[C_IDLE_RATE] = {RATE("idle_per_s", "Idle/s", 9),
		.help = "expiries on an idle CPU, per second"},
	[C_KIND] = {LEFT("kind", "T", 1, 7, "?hrtimer|wheel|deferrable"),
		.help = "kind of timer: H hrtimer, W wheel, D deferrable wheel"},
	[C_KTHREAD] = {MACHINE("kthread", NULL),
		.help = "true for a kernel thread or an interrupt"},
	[C_COMM] = {MACHINE("comm", "?text"),
		.help = "comm of the thread, or name of the group"},
	[C_CGROUP] = {MACHINE("cgroup", "?text"), .help = "cgroup, if it was read"},
	[C_ARGV] = {MACHINE("argv", "?argv"), .help = "arguments (JSON)"},
	[C_COMMAND] = {MACHINE("command", NULL), .help = "arguments (CSV)"},
	[C_TASK] = {LEFT(NULL, "Task", TASK_WIDTH, 0, NULL), .flags = SM_COLUMN_CUT,
		.help = "name of the task; see -l, -s and -d"},
	[C_CAUSE] = {LEFT("cause", "Cause", 10, 0,
			     "?hrtimer|wheel|irq|call|reschedule|flag|clock|vector|"
			     "limit|unknown"),
		.help = "cause of the wakeups: hrtimer or wheel (timers), irq (a "
			"device), call, reschedule or flag (another CPU), clock, vector "
			"or limit (the CPU itself), unknown"},
	[C_WOKE] = {LEFT("woke", "Woke", SM_TASK_COMM_LEN + 1, 4, "?text"),
		.flags = SM_COLUMN_CUT,
		.help = "task that ran first after the wakeups (--woke)"},
	[C_WOKE_KTHREAD] = {MACHINE("woke_kthread", "?bool"),
		.help = "true if that task is a kernel thread"},
	[C_IRQ] = {MACHINE("irq", "?int"), .help = "number of a device's interrupt"},
	[C_DEVICE] = {MACHINE("device", "?text"),
		.help = "devices of the interrupt, or purpose of the vector"},
	[C_TIMER] = {LEFT("timer_id", "Timer ID", 8, 1, "?str"),
		.help = "ID of the timer in this run: a hash of its address"},
	[C_WHAT] = {LEFT(NULL, "Callback or device", FUNC_MIN, 4, NULL),
		.flags = SM_COLUMN_LAST,
		.help = "callback of a timer, function called, or number and device "
			"of an interrupt"},
	[C_FUNC] = {LEFT("func", "Callback", FUNC_MIN, 0, "?str"),
		.flags = SM_COLUMN_LAST,
		.help = "kernel function that runs when the timer expires; work:NAME is "
			"the function of a delayed work"},
	[C_WORK] = {MACHINE("work", "?str"), .help = "function of a delayed work"},
};

/* Hides the columns of timers, or those of wakeups. */
static void choose_wakeups(struct sm_table *out, const struct opts *o)
{
	uint64_t without = o->wakeups ? COLUMNS_OF_TIMERS : COLUMNS_OF_WAKEUPS;

	for (unsigned int c = 0; c < C_N; c++)
		if (without >> c & 1)
			sm_table_show(out, c, false);
	if (!o->wakeups)
		return;
	sm_table_show(out, C_WOKE, o->woke);
	sm_table_show(out, C_WOKE_KTHREAD, o->woke);
	if (out->format != SM_FORMAT_TABLE)
		return;
	sm_table_show(out, C_SHARE, !o->brief);
	sm_table_show(out, C_SLEPT_MEAN, !o->brief);
	sm_table_show(out, C_FUNC, false);
	sm_table_show(out, C_WHAT, !o->brief);
}

static void choose(struct sm_table *out, const struct opts *o)
{
	bool human = out->format == SM_FORMAT_TABLE, wide = !human || !o->brief;

	sm_table_show(out, C_TIME, !human || o->app.time_given);
	sm_table_show(out, C_CPU_PCT, wide);
	sm_table_show(out, C_PR, wide);
	sm_table_show(out, C_NI, wide);
	sm_table_show(out, C_TIMER, o->timer_id);
	sm_table_show(out, C_FUNC, wide);
	sm_table_show(out, C_MEMBERS, o->group != GROUP_THREAD);
	sm_table_show(out, C_WAKE_RATE, !human || o->extended);
	sm_table_show(out, C_IDLE_RATE, !human || o->extended);
	sm_table_show(out, C_KIND, !human || o->extended);
	sm_table_show(out, C_ARGV, out->format == SM_FORMAT_JSON);
	sm_table_show(out, C_COMMAND, out->format == SM_FORMAT_CSV);
}

void columns_set_up(struct sm_table *out, enum sm_format format, struct sm_sink *sink,
	const struct opts *o)
{
	sm_table_init(out, format, eventstat_columns, C_N,
		o->wakeups ? "wakeups" : "timers", sink);
	choose(out, o);
	choose_wakeups(out, o);
	if (format != SM_FORMAT_TABLE || !o->cumulative)
		return;
	sm_table_set_head(out, C_RATE, "Events");
	sm_table_set_head(out, C_WOKEN_RATE, "Wakeups");
}

void columns_fit(struct sm_table *out)
{
	const uint16_t *shown;
	unsigned int n = sm_table_shown(out, &shown);
	bool func = n && (shown[n - 1] == C_FUNC || shown[n - 1] == C_WHAT);
	int width = TASK_WIDTH - (func ? FUNC_WIDTH - FUNC_MIN : 0), more;

	if (!out->columns)
		return;
	width += (int)out->columns - (int)sm_table_full_width(out);
	more = (width - TASK_WIDTH) / 2;
	if (func && more > 0)
		width -= more < FUNC_MORE ? more : FUNC_MORE;
	sm_table_set_width(
		out, C_TASK, width < TASK_LEAST ? TASK_LEAST : (unsigned int)width);
}
