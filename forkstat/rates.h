/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rates: a row of rates each --interval.
 *
 * The rows are a second table, which shares the sink and the time style of the table of events.
 */
#ifndef FORKSTAT_RATES_H
#define FORKSTAT_RATES_H

#include "base/clock.h"
#include "base/ticker.h"
#include "cli/app.h"
#include "summary.h"
#include "view.h"

enum rates_column { R_TIME, R_NAME, R_INTERVAL, R_EVENTS, R_LOST = R_EVENTS + EVENT_LOST, R_N };

struct rates {
	const struct opts *opts;
	struct view *view;
	struct sm_ticker ticker;   /* interval_ns 0: no interval */
	uint64_t last_ns;
	uint64_t count[EVENT_KINDS], lost;
	struct sm_column column[R_N];
	struct sm_value val[R_N];
	struct sm_table table[SM_OUTPUTS_MAX]; /* one for each table of events, with its sink */
};

/* Starts the first interval; the outputs of the view must be open.  Returns 0 or -ENOMEM. */
int rates_start(struct rates *r, const struct opts *o, struct view *v, uint64_t now_ns) SM_MUST;
uint64_t rates_next(const struct rates *r); /* SM_LOOP_FOREVER without an interval */
/* Shows the row if it is due; called at each pass of the loop. */
void rates_iterate(struct rates *r, const struct summary *s, uint64_t now_ns);
/* Shows the rest of the interval at the end of the run, if it is long enough (cli/app.h). */
void rates_last(struct rates *r, const struct summary *s, const struct sm_app *a, uint64_t now_ns);
void rates_fini(struct rates *r);

#endif
