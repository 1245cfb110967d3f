/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: powerstat's columns that do not depend on the machine.  table.h adds those of power
 * domains ("pkg-0", key pkg_0_w) and thermal zones ("acpitz", key acpitz_c).
 */
#ifndef PS_COLUMNS_H
#define PS_COLUMNS_H

#include "sample.h"

enum ps_column {
	/* About the sample; all but the time in the machine faces only. */
	C_TIME, C_MONO, C_DT, C_KIND, C_INCOMPLETE, C_WINDOW, C_LOST,
	/* In the order of enum ps_fixed. */
	C_USER, C_NICE, C_SYS, C_IDLE, C_IO, C_IRQ, C_SOFTIRQ, C_STEAL, C_RUN, C_CTXT, C_INTR,
	C_FORK, C_EXEC, C_EXIT, C_WATTS, C_JOULES,
	/* With -f and -g. */
	C_FREQ, C_FREQ_MIN, C_FREQ_MAX, C_GPU,
	C_N
};

struct ps_coldef {
	const char *key;
	const char *head;          /* NULL: machine faces only */
	uint8_t width;             /* human */
	uint8_t group;             /* enum ps_group */
	uint8_t decimals, stat_decimals, machine_decimals;
	const char *help;
};

extern const struct ps_coldef ps_columns[C_N];

#endif
