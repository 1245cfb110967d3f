// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"

#define LEFT(k, h, w, p) \
	.key = k, .head = h, .width = w, .align = SM_ALIGN_LEFT, .priority = p
#define NUMBER(k, h, w, p) \
	.key = k, .head = h, .width = w, .align = SM_ALIGN_RIGHT, .priority = p
#define RATE(k, h, p) NUMBER(k, h, 8, p), .decimals = 2, .machine_decimals = 3
#define MACHINE(k)    .key = k

#define TASK_WIDTH 20
#define TASK_LEAST 12
#define FUNC_MIN   8
#define FUNC_WIDTH 22 /* width of most callbacks */
#define FUNC_MORE  20 /* for longer ones, if there is room */

const struct sm_column eventstat_columns[C_N] = {
	[C_TIME] = {LEFT("time", "Timestamp", 9, 8), .help = "end of the sample"},
	[C_MONO] = {MACHINE("mono_ns"),
		.help = "end of the sample, CLOCK_MONOTONIC in ns"},
	[C_DT] = {MACHINE("dt_s"), .help = "length of the interval"},
	[C_RATE] = {RATE("starts_per_s", "Event/s", 0),
		.help = "timers armed per second"},
	[C_STARTS] = {MACHINE("starts"), .help = "timers armed"},
	[C_EXPIRIES] = {MACHINE("expiries"), .help = "timers that expired"},
	[C_IDLE] = {MACHINE("idle_expiries"), .help = "expiries on an idle CPU"},
	[C_WOKEN_RATE] = {RATE("wakeups_per_s", "Wakeup/s", 0),
		.help = "wakeups of idle CPUs per second"},
	[C_WOKEN] = {MACHINE("wakeups"), .help = "wakeups of idle CPUs"},
	[C_SHARE] = {NUMBER("share_pct", "Share", 6, 2), .unit = "%", .decimals = 1,
		.machine_decimals = 3, .help = "share of all wakeups"},
	[C_SLEPT] = {MACHINE("slept_s"), .help = "total length of the idle periods"},
	[C_SLEPT_MEAN] = {NUMBER("slept_mean_s", "Slept ms", 9, 3), .scale = 1e3,
		.decimals = 3, .machine_decimals = 9,
		.help = "mean length of the idle periods"},
	[C_PID] = {NUMBER("tid", "PID", 5, 0),
		.help = "thread; with -g process, the process"},
	[C_TGID] = {MACHINE("pid"), .help = "process"},
	[C_UID] = {MACHINE("uid"), .help = "real user id"},
	[C_CPU_PCT] = {NUMBER("cpu_pct", "%CPU", 5, 6), .decimals = 1,
		.machine_decimals = 3, .help = "CPU time of the thread"},
	[C_PR] = {NUMBER("rtprio", "PR", 3, 4),
		.help = "real-time priority; 0 if not real time"},
	[C_NI] = {NUMBER("nice", "NI", 3, 3), .help = "nice value"},
	[C_MEMBERS] = {NUMBER("rows", "Rows", 4, 5),
		.help = "number of rows in the group"},
	[C_WAKE_RATE] = {RATE("expiries_per_s", "Wake/s", 10),
		.help = "expiries per second"},
	[C_IDLE_RATE] = {RATE("idle_per_s", "Idle/s", 9),
		.help = "expiries on an idle CPU, per second"},
	[C_KIND] = {LEFT("kind", "T", 1, 7),
		.help = "kind of timer: H hrtimer, W wheel, D deferrable wheel"},
	[C_KTHREAD] = {MACHINE("kthread"),
		.help = "true for a kernel thread or an interrupt"},
	[C_COMM] = {MACHINE("comm"), .help = "comm of the thread, or name of the group"},
	[C_CGROUP] = {MACHINE("cgroup"), .help = "cgroup, if it was read"},
	[C_ARGV] = {MACHINE("argv"), .help = "arguments (JSON)"},
	[C_COMMAND] = {MACHINE("command"), .help = "arguments (CSV)"},
	[C_TASK] = {LEFT(NULL, "Task", TASK_WIDTH, 0), .flags = SM_COLUMN_CUT,
		.help = "name of the task; see -l, -s and -d"},
	[C_CAUSE] = {LEFT("cause", "Cause", 10, 0),
		.help = "cause of the wakeups: hrtimer or wheel (timers), irq (a "
			"device), call, reschedule or flag (another CPU), clock, vector "
			"or limit (the CPU itself), unknown"},
	[C_WOKE] = {LEFT("woke", "Woke", SM_TASK_COMM_LEN + 1, 4), .flags = SM_COLUMN_CUT,
		.help = "task that ran first after the wakeups (--woke)"},
	[C_WOKE_KTHREAD] = {MACHINE("woke_kthread"),
		.help = "true if that task is a kernel thread"},
	[C_IRQ] = {MACHINE("irq"), .help = "number of a device's interrupt"},
	[C_DEVICE] = {MACHINE("device"),
		.help = "devices of the interrupt, or purpose of the vector"},
	[C_TIMER] = {LEFT("timer_id", "Timer ID", 8, 1),
		.help = "ID of the timer in this run: a hash of its address"},
	[C_WHAT] = {LEFT(NULL, "Callback or device", FUNC_MIN, 4),
		.flags = SM_COLUMN_LAST,
		.help = "callback of a timer, function called, or number and device "
			"of an interrupt"},
	[C_FUNC] = {LEFT("func", "Callback", FUNC_MIN, 0), .flags = SM_COLUMN_LAST,
		.help = "kernel function that runs when the timer expires; work:NAME is "
			"the function of a delayed work"},
	[C_WORK] = {MACHINE("work"), .help = "function of a delayed work"},
};

/* Shows the columns of wakeups, or those of timers; the others are common to both. */
static void choose_wakeups(struct sm_table *out, const struct opts *o)
{
	static const uint8_t timers[] = {C_RATE, C_STARTS, C_EXPIRIES, C_IDLE, C_CPU_PCT,
		C_PR, C_NI, C_WAKE_RATE, C_IDLE_RATE, C_KIND};
	static const uint8_t wakeups[] = {C_WOKEN_RATE, C_WOKEN, C_SHARE, C_SLEPT,
		C_SLEPT_MEAN, C_CAUSE, C_IRQ, C_DEVICE, C_WHAT};

	for (size_t i = 0; i < SM_ARRAY_SIZE(wakeups); i++)
		sm_table_show(out, wakeups[i], o->wakeups);
	sm_table_show(out, C_WOKE, o->woke);
	sm_table_show(out, C_WOKE_KTHREAD, o->woke);
	if (!o->wakeups)
		return;
	for (size_t i = 0; i < SM_ARRAY_SIZE(timers); i++)
		sm_table_show(out, timers[i], false);
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
