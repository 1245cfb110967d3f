/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: the table of the results, for the report, CSV and JSON.
 *
 * JSON has a record of each result, which contains its metrics, figures and histogram.  In CSV each of these,
 * and each bin of the histogram, is a separate row after the row of the result, with the name of its
 * stressor.
 */
#ifndef STRESSORS_RESULT_COLUMNS_H
#define STRESSORS_RESULT_COLUMNS_H

#include "format/table.h"
#include "result.h"

enum {
	C_TIME,
	C_TYPE,
	C_STRESSOR,
	C_JOB,
	C_INSTANCE,
	C_INSTANCES,
	C_T,
	C_STATUS,
	C_OPS,
	C_WALL,
	C_USER,
	C_SYS,
	C_RATE,
	C_CPU_RATE,
	C_CPU,
	C_RSS,
	C_SETUP,
	C_OOM_KILLS,
	C_FORCED,
	C_METRICS,
	C_FIGURES,
	C_HISTOGRAM,
	C_NAME,
	C_VALUE,
	C_UNIT,
	C_MEAN,
	C_COUNTED,
	C_PER_S,
	C_SHARE,
	C_LOW,
	C_HIGH,
	C_ON_CPU,
	C_REASON,
	C_N
};

extern const struct sm_column stressors_columns[C_N];

/* Fills the columns of a result, without its metrics and figures.  The values borrow its strings. */
void columns_result(struct sm_value v[C_N], const struct result *r);

/* Computes a count, a time or an energy per second of real time; false: the figure has another unit. */
bool columns_per_second(const struct result *r, const struct result_figure *f, double *value) SM_MUST;

#endif
