/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: the one column table of power-calibrate's rows, for all formats.  A row is a test: one level
 * on one number of CPUs in one block; its figures are the means of its readings.
 */
#ifndef POWER_CALIBRATE_COLUMNS_H
#define POWER_CALIBRATE_COLUMNS_H

#include "out/table.h"
#include "readings.h"

enum column {
	C_LOAD,      /* human: CPU load */
	C_TIME,      /* machine, from here */
	C_MONO,
	C_LEVEL,
	C_CPUS,
	C_BLOCK,
	C_READINGS,
	C_SECONDS,
	C_OWN,
	C_OTHER,     /* to here */
	C_USER,
	C_SYS,
	C_IDLE,
	C_RUN,
	C_CTXT,      /* human, from here */
	C_IRQ,
	C_OPS,
	C_CYCLES,
	C_INSTRUCTIONS, /* to here */
	C_CTXT_RATE, /* machine, from here */
	C_IRQ_RATE,
	C_OPS_RATE,
	C_CYCLES_RATE,
	C_INSTRUCTIONS_RATE,
	C_REF_CYCLES_RATE, /* to here */
	C_WATTS,
	C_N
};

#define COLUMNS_TEXT 16

struct columns_row {
	struct sm_value v[C_N];
	char load[24];
	char rate[C_INSTRUCTIONS - C_CTXT + 1][COLUMNS_TEXT];
};

extern const struct sm_column power_calibrate_columns[C_N];

/* mean: of n readings of a test in that block (from 1). */
void columns_fill(struct columns_row *row, const struct reading *mean, size_t n, unsigned int block,
	uint64_t end_mono_ns, uint64_t end_wall_ns);
/* "652.3M": four digits and the SI prefix, for numbers from 0 to 1e18; "-" for what is not known. */
void columns_si(char text[COLUMNS_TEXT], double v);

#endif
