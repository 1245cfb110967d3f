/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: the column table of power-calibrate's rows, for all formats.  A row is a test: one level on one
 * number of CPUs in one block.  Its values are the means of its readings; without a reading they are missing.
 */
#ifndef POWER_CALIBRATE_COLUMNS_H
#define POWER_CALIBRATE_COLUMNS_H

#include "format/table.h"
#include "plan.h"
#include "readings.h"

enum column {
	C_LOAD,      /* table only */
	C_TIME,      /* first column for machine formats only */
	C_MONO,
	C_LEVEL,
	C_CPUS,
	C_TYPE,      /* table and machine formats, with --by=type */
	C_BLOCK,
	C_READINGS,
	C_SECONDS,
	C_OWN,
	C_OTHER,     /* last column for machine formats only */
	C_USER,
	C_SYS,
	C_IDLE,
	C_RUN,
	C_CTXT,      /* first column for the table only */
	C_IRQ,
	C_OPS,
	C_CYCLES,
	C_INSTRUCTIONS, /* last column for the table only */
	C_CTXT_RATE, /* first column for machine formats only */
	C_IRQ_RATE,
	C_OPS_RATE,
	C_CYCLES_RATE,
	C_INSTRUCTIONS_RATE,
	C_REF_CYCLES_RATE, /* last column for machine formats only */
	C_WATTS,
	C_N
};

#define COLUMNS_TEXT 16

struct columns_row {
	struct sm_value v[C_N];
	char load[48];
	char rate[C_INSTRUCTIONS - C_CTXT + 1][COLUMNS_TEXT];
};

extern const struct sm_column power_calibrate_columns[C_N];

/* Fills a row.  mean: the mean of n readings of a test; block: number of its block, from 1. */
void columns_fill(struct columns_row *row, const struct reading *mean, size_t n, unsigned int block,
	uint64_t end_mono_ns, uint64_t end_wall_ns);
/* Sets the mean of a test without a reading, whose values are missing. */
void columns_no_reading(struct reading *mean, const struct plan_test *t);
/* Formats a number from 0 to 1e18 with four digits and the SI prefix, such as "652.3M"; "-" if unknown. */
void columns_si(char text[COLUMNS_TEXT], double v);

#endif
