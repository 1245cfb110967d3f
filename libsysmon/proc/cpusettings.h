/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpusettings: the model of the CPUs, and the settings of the kernel that change their speed and power.
 *
 *	model     /proc/cpuinfo: "model name" or the key of another architecture; arm64: the part
 *	driver    cpuN/cpufreq/scaling_driver in /sys/devices/system/cpu, like the following files
 *	governor  cpuN/cpufreq/scaling_governor
 *	epp       cpuN/cpufreq/energy_performance_preference
 *	turbo     intel_pstate/no_turbo, otherwise cpufreq/boost; cpuN/cpufreq/boost of each CPU
 *
 * (Documentation/admin-guide/pm/cpufreq.rst, intel_pstate.rst and amd-pstate.rst.)  If the online CPUs
 * differ, a text contains each value once, in the order of the CPUs: "performance, powersave".  A text
 * without a value is empty.  Texts are bytes of the kernel and not yet sanitised.
 */
#ifndef SM_CPUSETTINGS_H
#define SM_CPUSETTINGS_H

#include "base/base.h"
#include "base/root.h"

#define SM_CPUSETTINGS_TEXT 160

enum sm_turbo { SM_TURBO_UNKNOWN, SM_TURBO_OFF, SM_TURBO_ON, SM_TURBO_MIXED };

struct sm_cpusettings {
	char model[SM_CPUSETTINGS_TEXT], driver[SM_CPUSETTINGS_TEXT];
	char governor[SM_CPUSETTINGS_TEXT], epp[SM_CPUSETTINGS_TEXT];
	enum sm_turbo turbo; /* MIXED: on for some CPUs only */
};

/* Reads all settings once.  Missing files and errors leave a setting unknown. */
void sm_cpusettings_read(struct sm_cpusettings *s, const struct sm_root *root);
/* Returns "off", "on" or "mixed"; NULL: unknown. */
const char *sm_cpusettings_turbo(const struct sm_cpusettings *s);

#endif
