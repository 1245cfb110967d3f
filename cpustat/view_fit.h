/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_fit: how the lines of the table fit the width of the terminal.  Private to the view.
 */
#ifndef CS_VIEW_FIT_H
#define CS_VIEW_FIT_H

#include "view.h"

/* Leaves columns out, those of least use first, until a name has room; what was shown before,
 * which is for out->show when the table is done. */
uint64_t view_narrow(const struct view *v, struct sm_out *out);
/* A row, its name cut; false when the sink refused it. */
bool view_put_row(struct view *v, struct sm_out *out, struct sm_val *val);
/* Whole lines of text, each cut. */
void view_put_text(struct view *v, struct sm_out *out, const struct sm_buf *b);

#endif
