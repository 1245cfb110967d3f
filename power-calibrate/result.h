/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * result: prints the result of the run as text, as YAML, as a JSON record and for gnuplot.
 *
 * The text begins with the original's lines, which scripts parse; the YAML has the original's keys and more.
 */
#ifndef POWER_CALIBRATE_RESULT_H
#define POWER_CALIBRATE_RESULT_H

#include "model.h"
#include "opts.h"
#include "shortfall.h"
#include "format/json.h"
#include "state.h"

struct result {
	const struct opts *opts;
	const struct plan *plan;
	const struct readings *readings;
	const struct model *model;
	const struct sm_source *power;
	const struct state *state;
	struct shortfall shortfall;
	const struct sm_topology_types *types; /* of the loaded CPUs */
	const char *source;       /* its description, sanitised */
	unsigned int tests;       /* number of tests done */
	unsigned int failed_tests; /* tests without a reading */
	bool complete;            /* false: interrupted */
	bool reached;             /* --target-ci was reached */
	uint64_t start_wall_ns;
	uint64_t suspended;
};

/* Returns whether there is a result; if not, the reason is in *why. */
bool result_usable(const struct result *r, const char **why);
/* Returns whether the confidence intervals of the slopes of a usable result do not contain 0. */
bool result_certain(const struct result *r);
/* Returns whether there is drift: the confidence interval of its term does not contain 0. */
bool result_drifts(const struct model_line *l);
/* Prints the text, for sm_table_wrap(): with marks where a line may be split. */
void result_text(const struct result *r, struct sm_buf *b);
void result_json(const struct result *r, struct sm_json *j);
void result_yaml(const struct result *r, struct sm_buf *b);
/* Print the readings and the line with its band, and a script that plots them.  data: name of its file. */
void result_gnuplot_data(const struct result *r, struct sm_buf *b);
void result_gnuplot_script(const struct result *r, const char *data, struct sm_buf *b);

#endif
