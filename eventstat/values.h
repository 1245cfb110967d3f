/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values: a row of a sample as values of the columns, for outputs and the screen.
 */
#ifndef EVENTSTAT_VALUES_H
#define EVENTSTAT_VALUES_H

#include "event.h"
#include "opts.h"
#include "out/value.h"

/* What the values of a row borrow besides the row. */
struct values_text {
	char brackets[SM_TASK_COMM_LEN + 2], address[20], timer[9];
};

double values_per_second(uint64_t n, uint64_t dt_ns);
/* The form of names that was asked for: SM_TASKNAME_... */
unsigned int values_form(const struct opts *o);
struct sm_value values_name(unsigned int form, const struct event *e, struct values_text *text);
/* All columns about a row's task but C_TASK. */
void values_task(const struct event *e, struct sm_value *val);
/* The callback, or its address; none: of a group of several. */
struct sm_value values_func(const struct event *e, struct values_text *text);
/* All columns; human: as the table and the screen show them. */
void values_row(const struct opts *o, const struct sample *s, const struct event *e, bool human,
	struct values_text *text, struct sm_value *val);

#endif
