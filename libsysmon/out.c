// SPDX-License-Identifier: GPL-2.0-or-later
#include "out.h"
#include "out_value.h"
#include "text.h"

/* Columns that the face has at all. */
static uint64_t face_columns(const struct sm_out *o)
{
	uint64_t bits = 0;

	for (unsigned int i = 0; i < o->ncols; i++) {
		const struct sm_col *c = &o->cols[i];

		if (o->face == SM_FACE_HUMAN ? c->head != NULL : c->key != NULL)
			bits |= UINT64_C(1) << i;
	}
	return bits;
}

void sm_out_init(struct sm_out *o, enum sm_face face, const struct sm_col *cols,
	unsigned int ncols, const char *record, struct sm_sink *sink)
{
	memset(o, 0, sizeof(*o));
	o->face = face;
	o->cols = cols;
	o->ncols = ncols < SM_ARRAY_SIZE(o->width) ? ncols : SM_ARRAY_SIZE(o->width);
	o->show = o->ncols == 64 ? UINT64_MAX : (UINT64_C(1) << o->ncols) - 1;
	for (unsigned int i = 0; i < o->ncols; i++)
		o->width[i] = cols[i].width;
	o->in_face = face_columns(o);
	o->record = record;
	o->sink = sink;
	o->cached_sec = UINT64_MAX;
}

void sm_out_fini(struct sm_out *o)
{
	sm_buf_fini(&o->row);
	sm_buf_fini(&o->scratch);
}

void sm_out_show(struct sm_out *o, unsigned int col, bool on)
{
	uint64_t bit;

	if (col >= o->ncols)
		return;
	bit = UINT64_C(1) << col;
	o->show = on ? o->show | bit : o->show & ~bit;
}

/* A row that could not be built is a row that was not printed. */
static bool put_row(struct sm_out *o, unsigned int rows)
{
	if (SM_UNLIKELY(sm_buf_error(&o->row))) {
		o->sink->dropped += rows;
		return false;
	}
	return sm_sink_put(o->sink, o->row.p, o->row.len, rows);
}

/*
 * The human line.  Each column has its nominal place [start, start + width); a value goes
 * there, or as near to it as what stands before allows.  Blanks are only written before a
 * value, never after one.
 */
struct line {
	size_t start;  /* nominal first column of the cell */
	size_t cursor; /* display columns written so far */
	bool glued;    /* the last value written wants no separator after it */
};

static size_t display_width(const char *p, size_t n)
{
	return sm_text_clean_run(p, n) == n ? n : sm_text_width(p, n);
}

/* Moves the bytes from `at` on to the right and puts n blanks before them. */
static void insert_blanks(struct sm_buf *b, size_t at, size_t n)
{
	if (n == 0 || !sm_buf_room(b, n))
		return;
	memmove(b->p + at + n, b->p + at, b->len - at);
	memset(b->p + at, ' ', n);
	b->len += n;
}

/* Places what was appended to the row since `at` into the cell of column `col`. */
static void place(
	struct sm_out *o, struct line *l, unsigned int col, size_t at, bool right)
{
	struct sm_buf *b = &o->row;
	size_t width = o->width[col];
	size_t text, to, min;

	if (sm_buf_error(b) || b->len == at)
		return;
	text = display_width(b->p + at, b->len - at);
	to = l->start;
	if (right && text < width)
		to += width - text;
	else if (right && l->start + width >= text)
		to = l->start + width - text;
	else if (right)
		to = 0;
	min = l->cursor + (l->cursor && !l->glued);
	to = to > min ? to : min;
	insert_blanks(b, at, to - l->cursor);
	l->cursor = to + text;
	l->glued = o->cols[col].flags & SM_COL_GLUED;
}

static void line_next(struct sm_out *o, struct line *l, unsigned int col)
{
	l->start += o->width[col] + !(o->cols[col].flags & SM_COL_GLUED);
}

static void line_end(struct sm_out *o)
{
	struct sm_buf *b = &o->row;

	while (b->len && b->p[b->len - 1] == ' ')
		b->len--;
	sm_buf_chr(b, '\n');
}

static bool value_right(const struct sm_out *o, unsigned int col, const struct sm_val *v)
{
	if (o->cols[col].align != SM_ALIGN_AUTO)
		return o->cols[col].align == SM_ALIGN_RIGHT;
	return sm_out_is_number(o, v);
}

/* A few blanks at the end of the row: cheaper than a call for most. */
static void blanks(struct sm_buf *b, size_t n)
{
	char *to = sm_buf_room(b, n + 1);

	if (!to)
		return;
	b->len += n;
	while (n--)
		*to++ = ' ';
}

/* Left-aligned: the blanks can go before the value at once. */
static void left_cell(struct sm_out *o, struct line *l, unsigned int col,
	const struct sm_val *v, size_t max_text)
{
	struct sm_buf *b = &o->row;
	size_t min = l->cursor + (l->cursor && !l->glued);
	size_t to = l->start > min ? l->start : min;
	size_t at = b->len + (to - l->cursor);

	blanks(b, to - l->cursor);
	sm_out_human_value(o, v, max_text);
	if (sm_buf_error(b))
		return;
	if (b->len == at) { /* an empty text leaves its place to the next one */
		b->len -= to - l->cursor;
		return;
	}
	/* Nothing follows the last column: its width is nobody's business. */
	l->cursor = to + (o->cols[col].flags & SM_COL_LAST
					 ? b->len - at
					 : display_width(b->p + at, b->len - at));
	l->glued = o->cols[col].flags & SM_COL_GLUED;
}

static void human_cell(struct sm_out *o, struct line *l, unsigned int col,
	const struct sm_val *v, bool final)
{
	static const struct sm_val dash = {.type = SM_VAL_STR, .s = {"-", 1}};
	unsigned int flags = o->cols[col].flags;
	bool last = flags & SM_COL_LAST;
	bool right = !(last && final) && value_right(o, col, v);
	size_t at = o->row.len;

	if (sm_out_missing(v)) {
		if (flags & SM_COL_BLANK)
			return;
		v = &dash;
	}
	if (!right) {
		left_cell(o, l, col, v, last ? o->max_text : 0);
		return;
	}
	sm_out_human_value(o, v, last ? o->max_text : 0);
	place(o, l, col, at, true);
}

/* Colour is put around the finished line, so that it counts in no width. */
static void colour(struct sm_out *o)
{
	size_t n = o->row.len - 1; /* without the newline */

	sm_buf_printf(&o->row, "\033[0m\n");
	if (sm_buf_error(&o->row))
		return;
	memmove(o->row.p + n, o->row.p + n + 1, o->row.len - n - 1);
	o->row.len--;
	sm_buf_reset(&o->scratch);
	sm_buf_printf(&o->scratch, "\033[%sm", o->sgr);
	if (!sm_buf_room(&o->row, o->scratch.len))
		return;
	memmove(o->row.p + o->scratch.len, o->row.p, o->row.len);
	memcpy(o->row.p, o->scratch.p, o->scratch.len);
	o->row.len += o->scratch.len;
}

static void human_row(struct sm_out *o, const struct sm_val *vals, uint64_t bits)
{
	struct line l = {0};

	while (bits) {
		unsigned int i = (unsigned int)__builtin_ctzll(bits);

		bits &= bits - 1;
		human_cell(o, &l, i, &vals[i], bits == 0);
		line_next(o, &l, i);
	}
	line_end(o);
	if (o->sgr)
		colour(o);
}

static void human_heading(struct sm_out *o, uint64_t bits)
{
	struct line l = {0};

	for (; bits; bits &= bits - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(bits);
		const struct sm_col *c = &o->cols[i];
		size_t at = o->row.len;

		sm_buf_str(&o->row, c->head);
		place(o, &l, i, at,
			c->align == SM_ALIGN_RIGHT &&
				!(c->flags & (SM_COL_HEAD_LEFT | SM_COL_LAST)));
		line_next(o, &l, i);
	}
	line_end(o);
}

static void csv_row(struct sm_out *o, const struct sm_val *vals, uint64_t bits)
{
	for (; bits; bits &= bits - 1) {
		const struct sm_val *v = &vals[__builtin_ctzll(bits)];

		if (!sm_out_missing(v))
			sm_out_csv_value(o, v);
		sm_buf_chr(&o->row, bits & (bits - 1) ? ',' : '\n');
	}
}

static void csv_heading(struct sm_out *o, uint64_t bits)
{
	for (; bits; bits &= bits - 1) {
		sm_buf_str(&o->row, o->cols[__builtin_ctzll(bits)].key);
		sm_buf_chr(&o->row, bits & (bits - 1) ? ',' : '\n');
	}
}

static void json_row(struct sm_out *o, const struct sm_val *vals, uint64_t bits)
{
	struct sm_json j;

	sm_json_open(&j, &o->row, o->record);
	for (; bits; bits &= bits - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(bits);

		if (!sm_out_missing(&vals[i]))
			sm_out_json_value(o, o->cols[i].key, &vals[i]);
	}
	sm_json_close(&j);
}

void sm_out_header(struct sm_out *o)
{
	if (o->no_header || o->face == SM_FACE_JSON)
		return;
	sm_buf_reset(&o->row);
	if (o->face == SM_FACE_HUMAN)
		human_heading(o, o->in_face & o->show);
	else
		csv_heading(o, o->in_face & o->show);
	o->header_done = put_row(o, 0);
	o->since_header = 0;
}

static bool header_due(const struct sm_out *o)
{
	if (!o->header_done)
		return true;
	return o->face == SM_FACE_HUMAN && o->repeat_rows &&
	       o->since_header >= o->repeat_rows;
}

bool sm_out_row(struct sm_out *o, const struct sm_val *vals)
{
	uint64_t bits = o->in_face & o->show;

	if (header_due(o))
		sm_out_header(o);
	sm_buf_reset(&o->row);
	if (o->face == SM_FACE_HUMAN)
		human_row(o, vals, bits);
	else if (o->face == SM_FACE_CSV)
		csv_row(o, vals, bits);
	else
		json_row(o, vals, bits);
	o->since_header++;
	return put_row(o, 1);
}

void sm_out_json_header(struct sm_out *o, const char *tool, const char *version,
	const char *boot_id, uint64_t start_wall_ns)
{
	struct sm_json j;

	if (o->face != SM_FACE_JSON)
		return;
	sm_buf_reset(&o->row);
	sm_json_open(&j, &o->row, "header");
	sm_json_text(&j, "tool", tool, strlen(tool));
	sm_json_text(&j, "version", version, strlen(version));
	sm_json_u64(&j, "schema", 1);
	if (boot_id)
		sm_json_text(&j, "boot_id", boot_id, strlen(boot_id));
	sm_json_time(&j, "start", start_wall_ns);
	sm_json_close(&j);
	put_row(o, 0);
}

bool sm_out_text(struct sm_out *o, const struct sm_buf *b, unsigned int rows)
{
	if (o->face != SM_FACE_HUMAN)
		return true;
	if (!sm_buf_error(b))
		return sm_sink_put(o->sink, b->p, b->len, rows);
	o->sink->dropped += rows;
	return false;
}
