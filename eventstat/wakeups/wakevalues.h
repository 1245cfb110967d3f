/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakevalues: a row of wake-ups as values of the columns, for outputs and the screen.
 */
#ifndef EVENTSTAT_WAKEVALUES_H
#define EVENTSTAT_WAKEVALUES_H

#include "values.h"
#include "event.h"

/* What the rows of a table have in common. */
struct wake_span {
	uint64_t t_ns, wall_ns, dt_ns;
	uint64_t all; /* wake-ups of which they are a share */
};

/* What the values of a row borrow besides the row. */
struct wakevalues_text {
	struct values_text values;
	char what[128];
};

/* The mean sleep; NAN: without wake-ups. */
double wakevalues_mean_s(uint64_t slept_ns, uint64_t wakeups);
/* form: SM_TASKNAME_... */
struct sm_value wakevalues_name(unsigned int form, const struct event *w, struct values_text *text);
/* All columns; human: as the table and the screen show them. */
void wakevalues_row(const struct opts *o, const struct wake_span *r, const struct event *w, bool human,
	struct wakevalues_text *text, struct sm_value *val);

#endif
