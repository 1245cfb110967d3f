/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_name: the name of a row, as a value of the table.  Private to the view.
 */
#ifndef CPUSTAT_VIEW_NAME_H
#define CPUSTAT_VIEW_NAME_H

#include "format/table.h"
#include "opts.h"
#include "proc/taskname.h"
#include "rows/sample.h"

/* Size of the name of a kernel thread: a comm in brackets. */
#define VIEW_BRACKETS_MAX (SM_PIDSTAT_COMM_MAX + 2)

/* Forms of a name, in addition to SM_TASKNAME_*. */
#define VIEW_NAME_COMM 8u

/* Returns the form of names that -c, -l, -s and -d select. */
unsigned int view_name_form(const struct opts *o);
/* Memory that a value borrows in addition to its row.  Initially zero, except text_flags. */
struct view_scratch {
	unsigned int text_flags;   /* SM_TEXT_* for the programs of exited children */
	char brackets[VIEW_BRACKETS_MAX];
	struct sm_buf exited;
};

struct sm_value view_name_value(
	unsigned int form, const struct row *row, struct view_scratch *scratch);
/* Returns the value of C_EXITED, which borrows from b. */
struct sm_value view_name_exited(const struct row *row, struct sm_buf *b);

#endif
