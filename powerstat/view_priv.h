/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_priv: what the files of the view share: lines of the table, records of JSON.
 */
#ifndef PS_VIEW_PRIV_H
#define PS_VIEW_PRIV_H

#include "view.h"

/* Appends to out->row, begun by view_row_begin(). */
void view_row_begin(struct sm_out *out);
void view_row_put(struct sm_out *out, unsigned int rows);
/* The heading if it is due, or now. */
void view_heading(struct view *v, struct sm_out *out, bool now);
/* Ends a line that the cursor stands behind. */
void view_line_end(struct view *v, struct sm_out *out);
/* A row of the table, its time aside. */
void view_human_row(struct view *v, struct sm_out *out, const struct ps_sample *s);
void view_stat_rows(struct view *v, struct sm_out *out, const struct ps_stats *stats);
/* "--- text ---" in the middle of the table's width. */
void view_centred(struct view *v, struct sm_out *out, const char *text);
void view_csv_heading(const struct view *v, struct sm_out *out);
void view_csv_row(const struct view *v, struct sm_out *out, const struct ps_sample *s);
void view_json_header(const struct view *v, struct sm_out *out, const struct view_run *run,
	uint64_t wall_ns);
void view_json_sample(const struct view *v, struct sm_out *out, const struct ps_sample *s);
void view_json_skipped(struct sm_out *out, const struct ps_sample *s, unsigned int reasons);
void view_json_text(struct sm_out *out, const char *type, const char *p, size_t n,
	uint64_t wall_ns);

#endif
