// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines that fit the terminal. */
#include <string.h>

#include "columns.h"
#include "text.h"
#include "view_fit.h"
#include "view_name.h"

/* Columns that the name has at least, for which others are left out. */
#define NAME_MIN 8

static struct sm_val bytes(const struct sm_buf *b)
{
	return (struct sm_val){.type = SM_VAL_STR, .s = {b->p, b->len}};
}

static size_t digits(uint64_t v)
{
	size_t n = 1;

	for (; v >= 10; v /= 10)
		n++;
	return n;
}

/* Of the values that can be wider than their column; 0: of the others. */
static size_t wide(const struct sm_val *v)
{
	if (v->type == SM_VAL_U64)
		return digits(v->u);
	if (v->type == SM_VAL_DOUBLE && v->d >= 0 && v->d < 1e15)
		return digits((uint64_t)(v->d + 0.005)) + 1 + v->scale;
	return 0;
}

/* Columns that are left for the name, as if wide numbers found no blanks to push away. */
static size_t room_for_name(
	const struct view *v, const struct sm_out *out, const struct sm_val *val)
{
	size_t used = 0;

	for (unsigned int i = 0; i < C_TASK; i++) {
		size_t w = wide(&val[i]);

		if (out->show & out->in_face & (UINT64_C(1) << i))
			used += (w > out->width[i] ? w : out->width[i]) + 1;
	}
	return v->columns > used ? v->columns - used : 0;
}

static void fit_name(struct view *v, const struct sm_out *out, struct sm_val *val)
{
	sm_buf_reset(&v->line);
	sm_buf_reset(&v->cut);
	view_name_put(&val[C_TASK], out->text_flags, &v->line);
	sm_text_fit(&v->cut, v->line.p, v->line.len, room_for_name(v, out, val),
		out->text_flags);
	if (!sm_buf_error(&v->line) && !sm_buf_error(&v->cut))
		val[C_TASK] = bytes(&v->cut);
}

bool view_put_row(struct view *v, struct sm_out *out, struct sm_val *val)
{
	if (out->face == SM_FACE_HUMAN && v->columns)
		fit_name(v, out, val);
	return sm_out_row(out, val);
}

void view_put_text(struct view *v, struct sm_out *out, const struct sm_buf *b)
{
	const char *p = b->p, *end = b->p + b->len, *nl;

	if (!v->columns || sm_buf_error(b)) {
		sm_out_text(out, b, 0);
		return;
	}
	sm_buf_reset(&v->cut);
	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		sm_text_fit(&v->cut, p, (size_t)(nl - p), v->columns, out->text_flags);
		sm_buf_chr(&v->cut, '\n');
	}
	sm_out_text(out, &v->cut, 0);
}

/* Of the columns before the name. */
static size_t columns_used(const struct sm_out *out)
{
	uint64_t shown = out->show & out->in_face;
	size_t used = 0;

	for (unsigned int i = 0; i < C_TASK; i++)
		if (shown & (UINT64_C(1) << i))
			used += out->width[i] + 1u;
	return used;
}

uint64_t view_narrow(const struct view *v, struct sm_out *out)
{
	static const uint8_t least_first[] = {C_TOTAL, C_CPU, C_STATE, C_SYS_PCT,
		C_USR_PCT, C_TIME, C_MEMBERS, C_TGID, C_MIN_PCT, C_MAX_PCT, C_WAIT_PCT,
		C_PID};
	uint64_t shown = out->show;

	for (size_t i = 0; v->columns && i < SM_ARRAY_SIZE(least_first) &&
			   columns_used(out) + NAME_MIN > v->columns;
		i++)
		sm_out_show(out, least_first[i], false);
	return shown;
}
