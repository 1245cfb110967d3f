/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: powerstat's column table for all formats.
 *
 * The columns are set up at the start: the fixed columns (enum column), then a column for each power
 * domain or battery (-D: "pkg-0", key pkg_0_w) and each thermal zone (-t: "acpitz", key acpitz_c), then
 * the frequencies and events of throttling (-f, -g).  A source that cannot be read keeps its column.
 */
#ifndef POWERSTAT_COLUMNS_H
#define POWERSTAT_COLUMNS_H

#include "format/table.h"
#include "opts.h"
#include "power/source.h"
#include "power/thermal.h"
#include "sample.h"

/* The JSON names of the kinds of watts, in the order of enum sm_figure, with SEPARATOR between them. */
#define COLUMNS_KINDS(SEPARATOR)                                                    \
	"measured" SEPARATOR "averaged" SEPARATOR "fuel_gauge_rate" SEPARATOR "level" SEPARATOR \
	"estimate" SEPARATOR "absent"

struct columns {
	struct sm_columns list;
	unsigned int domain0, ndomains;   /* first column and number */
	unsigned int thermal0, nthermal;
	unsigned int freq0, nfreq;        /* geometric mean, minimum, maximum: kHz */
	unsigned int gpu;                 /* column in kHz; 0: not shown */
	unsigned int throttle;            /* column of the events of throttling; 0: not shown */
	struct sm_value *val;             /* buffer for a row */
};

extern const struct sm_column powerstat_columns[C_N];

struct columns_have { /* values that can be read */
	bool freq, throttle;              /* columns with -f */
	bool gpu;                         /* column with -g */
	bool events;                      /* forks, execs and exits */
};

/* Domains of power and of its secondary sources have columns with -D, zones of thermal (may be NULL)
 * with -t. */
int columns_init(struct columns *c, const struct opts *o, const struct sm_source *power,
	const struct sm_thermal *thermal, struct columns_have have) SM_MUST;
void columns_fini(struct columns *c);
/* Returns whether the column is included in CSV and JSON, and so in the statistics. */
bool columns_for_machines(const struct columns *c, unsigned int col);
/* Returns "measured", "fuel_gauge_rate", ... */
const char *columns_kind(enum sm_figure kind);
/* Fills and returns c->val, which points into the sample. */
const struct sm_value *columns_row(const struct columns *c, const struct sample *s);

/* Initialises a table without columns. */
void columns_set_up(struct sm_table *out, enum sm_format format, struct sm_sink *sink,
	const struct opts *o);
/* Adds the columns of the run.  Returns 0 or -ENOMEM. */
int columns_use(struct sm_table *out, const struct columns *c, const struct opts *o,
	uint64_t interval_ns) SM_MUST;
/* Fits the table to the current size of its terminal; returns false if it is not on a terminal. */
bool columns_fit(struct sm_table *out, const struct opts *o);

#endif
