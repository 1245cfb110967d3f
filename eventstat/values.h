/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values: converts a row of a sample to the values of the columns, for outputs and the screen.
 */
#ifndef EVENTSTAT_VALUES_H
#define EVENTSTAT_VALUES_H

#include "rows/event.h"
#include "format/value.h"
#include "opts.h"
#include "proc/ksyms.h"

/* Data that all rows of a table have in common. */
struct span {
	uint64_t t_ns, wall_ns, dt_ns;
	uint64_t wakeups; /* number in all rows, of which each row has a share */
};

/* Texts that the values of a row borrow, in addition to the row. */
struct values_text {
	char brackets[SM_TASK_COMM_LEN + 2], woke[SM_TASK_COMM_LEN + 2];
	char func[sizeof(EVENT_WORK_PREFIX) + SM_KSYM_NAME_MAX], timer[9], device[128];
};

struct span values_span(const struct sample *s);
double values_per_second(uint64_t n, uint64_t dt_ns);
/* Returns the mean idle period; NAN if there were no wakeups. */
double values_mean_sleep_s(uint64_t slept_ns, uint64_t wakeups);
/* Returns the selected form of names: SM_TASKNAME_... */
unsigned int values_form(const struct opts *o);
struct sm_value values_name(unsigned int form, const struct event *e, struct values_text *text);
/* Returns the callback or its address, or no value for a group of several; a delayed work is marked. */
struct sm_value values_func(const struct event *e, struct values_text *text);
/* Sets the values of all columns.  human: in the form of the table and the screen. */
void values_row(const struct opts *o, const struct span *span, const struct event *e, bool human,
	struct values_text *text, struct sm_value *val);
/* Sets the values of the CSV row for a sample without rows: its times, and counts of 0. */
void values_empty(const struct span *span, struct sm_value *val);

#endif
