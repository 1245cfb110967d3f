/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value: formats one value, without padding.  Private to table.c.
 *
 * The caller checks sm_value_missing() first.
 */
#ifndef SM_VALUE_H
#define SM_VALUE_H

#include "format/table.h"

/* Returns true for no value, or a double that no format can represent (nan, inf). */
static inline bool sm_value_missing(const struct sm_value *v)
{
	return v->type == SM_VALUE_NONE ||
	       (v->type == SM_VALUE_DOUBLE && !__builtin_isfinite(v->d));
}
/* Returns true if the value is aligned right in an SM_ALIGN_AUTO column. */
bool sm_value_is_number(const struct sm_table *t, const struct sm_value *v);
/* These format all types except SM_VALUE_DOUBLE. */
void sm_value_human_other(struct sm_table *t, const struct sm_column *c,
	const struct sm_value *v, struct sm_buf *b);
void sm_value_csv_other(struct sm_table *t, const struct sm_value *v);
void sm_value_json_other(struct sm_table *t, struct sm_str name, const struct sm_value *v);

/* Inline, since most values are doubles. */
static inline void sm_value_add_double(
	struct sm_buf *b, const struct sm_value *v, double d, uint8_t decimals)
{
	sm_buf_double(b, d, decimals > v->scale ? decimals : v->scale);
}

/* Appends the value to b, without its suffix. */
static inline void sm_value_human(struct sm_table *t, const struct sm_column *c,
	const struct sm_value *v, struct sm_buf *b)
{
	if (v->type != SM_VALUE_DOUBLE) {
		sm_value_human_other(t, c, v, b);
		return;
	}
	sm_value_add_double(b, v, c->scale != 0 ? v->d * c->scale : v->d, c->decimals);
	if (c->unit)
		sm_buf_str(b, c->unit);
}

/* Appends the CSV field to t->row. */
static inline void sm_value_csv(
	struct sm_table *t, const struct sm_column *c, const struct sm_value *v)
{
	if (v->type == SM_VALUE_DOUBLE)
		sm_value_add_double(&t->row, v, v->d, c->machine_decimals);
	else
		sm_value_csv_other(t, v);
}

/* Appends the JSON value to t->row, without the key; name is for the key "<name>_b64" that may follow. */
static inline void sm_value_json(struct sm_table *t, const struct sm_column *c,
	struct sm_str name, const struct sm_value *v)
{
	if (v->type == SM_VALUE_DOUBLE)
		sm_value_add_double(&t->row, v, v->d, c->machine_decimals);
	else
		sm_value_json_other(t, name, v);
}

/* Appends STR, TEXT or ARGV as in the human table, with the suffix. */
void sm_value_put(const struct sm_value *v, unsigned int text_flags, struct sm_buf *b);
unsigned int sm_value_time_width(enum sm_time_style style, unsigned int decimals);

#endif
