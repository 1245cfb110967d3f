// SPDX-License-Identifier: GPL-2.0-or-later
#include "columns.h"

_Static_assert(C_JOULES - C_USER == PS_JOULES, "the order of enum ps_fixed");

#define META(k)	   .key = k
#define TIME(k, h) .key = k, .head = h, .width = 8
#define PERCENT(k, h)                                                      \
	.key = k, .head = h, .width = 5, .group = PS_G_CPU, .decimals = 1, \
	.stat_decimals = 1, .machine_decimals = 3
#define MACHINE(k) .key = k, .group = PS_G_CPU, .machine_decimals = 3
#define RATE(k, h, w, m)                                                         \
	.key = k, .head = h, .width = w, .group = PS_G_RATE, .stat_decimals = 1, \
	.machine_decimals = m
#define COUNT(k, h) \
	.key = k, .head = h, .width = 4, .group = PS_G_PROCS, .stat_decimals = 1
#define POWER(k, h)                                                          \
	.key = k, .head = h, .width = 6, .group = PS_G_POWER, .decimals = 2, \
	.stat_decimals = 2, .machine_decimals = 6
#define HERTZ(k, h)                                                         \
	.key = k, .head = h, .width = 9, .group = PS_G_FREQ, .decimals = 2, \
	.stat_decimals = 2

const struct ps_coldef ps_columns[C_N] = {
	[C_TIME] = {TIME("time", "Time"), .help = "when the sample ended"},
	[C_MONO] = {META("mono_ns"), .help = "the same in CLOCK_MONOTONIC nanoseconds"},
	[C_DT] = {META("dt_s"), .help = "the time that the rates are of"},
	[C_KIND] = {META("kind"),
		.help = "of the watts: measured, gauge_rate, level, estimate, absent"},
	[C_INCOMPLETE] = {META("incomplete"),
		.help = "something that belongs to the watts could not be read"},
	[C_WINDOW] = {META("window_s"),
		.help = "level, estimate: the time that the slope covers"},
	[C_LOST] = {META("lost"), .help = "fork, exec and exit events lost"},
	[C_USER] = {PERCENT("user_pct", "User"), .help = "programs"},
	[C_NICE] = {PERCENT("nice_pct", "Nice"), .help = "programs of low priority"},
	[C_SYS] = {PERCENT("sys_pct", "Sys"), .help = "the kernel"},
	[C_IDLE] = {PERCENT("idle_pct", "Idle"), .help = "nothing to do"},
	[C_IO] = {PERCENT("iowait_pct", "IO"), .help = "idle, waiting for a device"},
	[C_IRQ] = {MACHINE("irq_pct"), .help = "interrupts"},
	[C_SOFTIRQ] = {MACHINE("softirq_pct"), .help = "soft interrupts"},
	[C_STEAL] = {MACHINE("steal_pct"), .help = "taken by the hypervisor"},
	[C_RUN] = {RATE("run", "Run", 4, 0), .help = "tasks that run or could"},
	[C_CTXT] = {RATE("ctxt_per_s", "Ctxt/s", 6, 3), .help = "context switches"},
	[C_INTR] = {RATE("intr_per_s", "IRQ/s", 6, 3), .help = "interrupts"},
	[C_FORK] = {COUNT("fork", "Fork"), .help = "processes begun in the interval"},
	[C_EXEC] = {COUNT("exec", "Exec"), .help = "programs started in them"},
	[C_EXIT] = {COUNT("exit", "Exit"), .help = "processes ended"},
	[C_WATTS] = {POWER("watts", "Watts"), .help = "the power"},
	[C_JOULES] = {POWER("joules", "Joules"), .help = "the energy of the interval"},
	[C_FREQ] = {HERTZ("cpu_freq_khz", "CPU Freq"),
		.help = "geometric mean of the CPUs' frequencies"},
	[C_FREQ_MIN] = {HERTZ("cpu_freq_min_khz", "Freq Min"), .help = "the least"},
	[C_FREQ_MAX] = {HERTZ("cpu_freq_max_khz", "Freq Max"), .help = "the greatest"},
	[C_GPU] = {HERTZ("gpu_freq_khz", "GPU Freq"), .help = "of the first GPU"},
};
