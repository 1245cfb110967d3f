/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: powerstat's column table for all formats.
 *
 * The columns are set up at the start: the fixed ones (enum column), then one for each power domain
 * or battery (-D: "pkg-0", key pkg_0_w) and each thermal zone (-t: "acpitz", key acpitz_c), then
 * the frequencies (-f, -g).  A source that cannot be read keeps its column.
 */
#ifndef POWERSTAT_COLUMNS_H
#define POWERSTAT_COLUMNS_H

#include "out/table.h"
#include "opts.h"
#include "power/source.h"
#include "power/thermal.h"
#include "sample.h"

struct columns {
	struct sm_columns list;
	unsigned int domain0, ndomains;   /* first column and number */
	unsigned int thermal0, nthermal;
	unsigned int freq0, nfreq;        /* geometric mean, minimum, maximum: kHz */
	unsigned int gpu;                 /* column, 0 = none: kHz */
	struct sm_value *val;             /* work space: a row */
};

extern const struct sm_column powerstat_columns[C_N];

/* power: its domains and those of the sources beside it (columns with -D).  thermal: NULL if there
 * are no zones (columns with -t).  have_freq, have_gpu: they can be read (columns with -f, -g).
 * events: forks, execs and exits can be counted. */
int columns_init(struct columns *c, const struct opts *o, const struct sm_source *power,
	const struct sm_thermal *thermal, bool have_freq, bool have_gpu, bool events) SM_MUST;
void columns_fini(struct columns *c);
/* Is it in CSV and JSON, and so in the statistics? */
bool columns_for_machines(const struct columns *c, unsigned int col);
/* "measured", "fuel_gauge_rate", ... */
const char *columns_kind(enum sm_figure kind);
/* Fills c->val, which points into the sample. */
const struct sm_value *columns_row(const struct columns *c, const struct sample *s);

/* Initialises a table without columns. */
void columns_set_up(struct sm_table *out, enum sm_format format, struct sm_sink *sink,
	const struct opts *o);
/* Adds the columns of the run; 0 or -ENOMEM. */
int columns_use(struct sm_table *out, const struct columns *c, const struct opts *o,
	uint64_t interval_ns) SM_MUST;
/* Fits the table to the current size of its terminal; false if it is not on a terminal. */
bool columns_fit(struct sm_table *out, const struct opts *o);

#endif
