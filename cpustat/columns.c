// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"

#define HUMAN(k, h, w, a, f) .key = k, .head = h, .width = w, .align = a, .flags = f
#define NUMBER(k, h, w)	     HUMAN(k, h, w, SM_ALIGN_RIGHT, 0)
#define MACHINE(k)	     .key = k

const struct sm_col cs_columns[C_N] = {
	[C_TIME] = {HUMAN("time", "Timestamp", 9, SM_ALIGN_LEFT, 0),
		"when the sample ended"},
	[C_MONO] = {MACHINE("mono_ns"),
		.help = "the same in CLOCK_MONOTONIC nanoseconds"},
	[C_DT] = {MACHINE("dt_s"), .help = "the time that the percentages are of"},
	[C_KIND] = {MACHINE("kind"),
		.help = "process, thread, exited (children), group, softirq, irq, "
			"unaccounted, others"},
	[C_CPU_PCT] = {NUMBER("cpu_pct", "%CPU", 6), "CPU time used"},
	[C_USR_PCT] = {NUMBER("usr_pct", "%USR", 6), "of it in the program"},
	[C_SYS_PCT] = {NUMBER("sys_pct", "%SYS", 6), "of it in the kernel"},
	[C_PID] = {NUMBER("pid", "PID", 5),
		"task; of exited children, their parent; of a thread, the thread"},
	[C_TGID] = {NUMBER("tgid", "PID", 5), "its process"},
	[C_PPID] = {MACHINE("ppid"), .help = "parent of its process"},
	[C_UID] = {MACHINE("uid"), .help = "real user id"},
	[C_STATE] = {HUMAN("state", "S", 1, SM_ALIGN_LEFT, 0),
		"state: R running, S sleeping, D waiting for a device, Z zombie, ..."},
	[C_CPU] = {NUMBER("cpu", "CPU", 4), "the CPU that it ran on last"},
	[C_TOTAL] = {NUMBER("cpu_time_s", "Time", 7), "CPU time since its birth"},
	[C_WAIT_PCT] = {NUMBER("wait_pct", "%WAIT", 6), "waiting for a CPU"},
	[C_MIN_PCT] = {NUMBER("min_pct", "%MIN", 6), "least of the sub-samples"},
	[C_MAX_PCT] = {NUMBER("max_pct", "%MAX", 6), "most of the sub-samples"},
	[C_MEMBERS] = {NUMBER("tasks", "Tasks", 5), "tasks in the group"},
	[C_USED] = {MACHINE("cpu_ns"), .help = "CPU time used, exactly"},
	[C_COMM] = {MACHINE("comm"), .help = "short name; of a group, its name"},
	[C_CGROUP] = {MACHINE("cgroup"), .help = "control group, where it was read"},
	[C_ARGV] = {MACHINE("argv"), .help = "arguments"},
	[C_COMMAND] = {MACHINE("command"), .help = "in CSV in place of argv"},
	[C_TRUNCATED] = {MACHINE("truncated"), .help = "there were more arguments"},
	[C_TASK] = {HUMAN(NULL, "Task", 4, SM_ALIGN_LEFT, SM_COL_LAST),
		"name: see -c, -l, -s and -d"},
};
