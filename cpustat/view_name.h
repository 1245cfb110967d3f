/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_name: the name of a row, as a value of the table.  Private to the view.
 */
#ifndef CPUSTAT_VIEW_NAME_H
#define CPUSTAT_VIEW_NAME_H

#include "kernel/taskname.h"
#include "opts.h"
#include "out/table.h"
#include "sample.h"

/* A comm in brackets, for kernel threads. */
#define VIEW_BRACKETS_MAX (SM_PIDSTAT_COMM_MAX + 2)

/* Forms of a name, beside SM_TASKNAME_*. */
#define VIEW_NAME_COMM 8u

/* By -c, -l, -s and -d. */
unsigned int view_name_form(const struct opts *o);
/* What a value borrows from beside its row; at first zero but text_flags. */
struct view_scratch {
	unsigned int text_flags;   /* SM_TEXT_*: of the programs of exited children */
	char brackets[VIEW_BRACKETS_MAX];
	struct sm_buf exited;
};

struct sm_value view_name_value(
	unsigned int form, const struct row *row, struct view_scratch *scratch);
/* The value of C_EXITED, borrowed from b. */
struct sm_value view_name_exited(const struct row *row, struct sm_buf *b);

#endif
