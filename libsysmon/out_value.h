/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out_value: how one value looks in each face.  For out.c and tools with their own rows.
 *
 * Each function appends to o->row.  Who calls has asked sm_out_missing() first.
 */
#ifndef SM_OUT_VALUE_H
#define SM_OUT_VALUE_H

#include "out.h"

/* No value, or a double that no format can hold (nan, inf). */
bool sm_out_missing(const struct sm_val *v);
/* Does it stand right in an AUTO column? */
bool sm_out_is_number(const struct sm_out *o, const struct sm_val *v);
/* max_text: longest TEXT or ARGV in bytes, 0 = any.  Without padding. */
void sm_out_human_value(struct sm_out *o, const struct sm_val *v, size_t max_text);
void sm_out_csv_value(struct sm_out *o, const struct sm_val *v);
/* With ,"key": before it. */
void sm_out_json_value(struct sm_out *o, const char *key, const struct sm_val *v);

#endif
