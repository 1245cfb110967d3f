/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_name: what a row is called, as a value of the human table.  Private to the view.
 */
#ifndef CS_VIEW_NAME_H
#define CS_VIEW_NAME_H

#include "opts.h"
#include "out.h"
#include "sample.h"

/* A comm of the kernel's between brackets. */
#define VIEW_BRACKETS_MAX (SM_PIDSTAT_COMM_MAX + 2)

/* The value borrows from the row and from brackets. */
struct sm_val view_name_value(const struct cs_opts *o, const struct cs_row *row,
	char brackets[VIEW_BRACKETS_MAX]);
/* Appends what sm_out would print of such a value, for those who need to know its width. */
void view_name_put(const struct sm_val *v, unsigned int text_flags, struct sm_buf *b);

#endif
