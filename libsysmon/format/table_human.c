// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/table_human.h"
#include "format/value.h"
#include "base/text.h"

/* Returns the display columns of the column, including the separator after it. */
static unsigned int column_step(const struct sm_table_column *col)
{
	return col->width + (unsigned int)!!(col->c->flags & SM_COLUMN_MARK) +
	       !(col->c->flags & SM_COLUMN_GLUED);
}

unsigned int sm_table_human_width(const struct sm_table *t)
{
	unsigned int n = 0;

	for (unsigned int k = 0; k < t->nshown; k++)
		n += column_step(&t->col[t->shown[k]]);
	if (n && !(t->col[t->shown[t->nshown - 1]].c->flags & SM_COLUMN_GLUED))
		n--;
	return n;
}

static bool can_grow(const struct sm_table_column *col)
{
	return col->c->flags & SM_COLUMN_GROW && col->widest > col->width;
}

unsigned int sm_table_human_widest(const struct sm_table *t)
{
	unsigned int n = sm_table_human_width(t);

	for (unsigned int k = 0; k < t->nshown; k++) {
		const struct sm_table_column *col = &t->col[t->shown[k]];

		if (can_grow(col))
			n += (unsigned int)(col->widest - col->width);
	}
	return n;
}

/* --- the human line ---------------------------------------------------------------- */

/* Each column has its nominal place [start, start + width).  A value is put there, or at
 * the first free place after it.  Spaces are written only before a value, never after
 * one. */
struct line {
	size_t start;  /* nominal first column of the cell */
	size_t cursor; /* display columns written so far */
	bool glued;    /* no separator after the last value */
	bool final;    /* the cell is the last one */
};

static size_t display_width(const char *p, size_t n)
{
	return sm_text_clean_run(p, n) == n ? n : sm_text_width(p, n);
}

/* Returns the first display column that the next cell can use. */
static size_t line_free(const struct line *l)
{
	return l->cursor + (l->cursor && !l->glued);
}

/* Uses a loop, because a call costs more for the few spaces of most cells. */
static void blanks(struct sm_buf *b, size_t n)
{
	char *to = sm_buf_room(b, n + 1);

	if (!to)
		return;
	b->len += n;
	while (n--)
		*to++ = ' ';
}

/* Puts t->scratch, which takes `text` display columns, into its cell. */
static void place(struct sm_table *t, struct line *l, const struct sm_table_column *col,
	size_t text, bool right)
{
	size_t width = col->width, min = line_free(l), to = l->start;

	if (!t->scratch.len)
		return;
	if (right)
		to = to + width > text ? to + width - text : 0;
	to = to > min ? to : min;
	blanks(&t->row, to - l->cursor);
	sm_buf_add(&t->row, t->scratch.p, t->scratch.len);
	l->cursor = to + text;
	l->glued = col->c->flags & SM_COLUMN_GLUED;
}

/* On a terminal, truncates the text appended since `at` to `room` display columns. */
static void cut(struct sm_table *t, size_t at, size_t room)
{
	struct sm_buf *b = &t->row;
	size_t n = b->len - at;

	if (!t->fit || !t->columns || sm_buf_error(b))
		return;
	if (n <= room || display_width(b->p + at, n) <= room)
		return;
	sm_buf_reset(&t->scratch);
	sm_buf_add(&t->scratch, b->p + at, n);
	b->len = at;
	if (sm_buf_error(&t->scratch))
		b->err = sm_buf_error(&t->scratch);
	else
		sm_text_fit(b, t->scratch.p, n, room, t->text_flags);
}

/* Ends the line that begins at `begin`: removes blanks at its end, and truncates it at
 * the edge of the terminal, which the columns that are never dropped can exceed. */
static void line_end(struct sm_table *t, size_t begin)
{
	struct sm_buf *b = &t->row;

	while (b->len > begin && b->p[b->len - 1] == ' ')
		b->len--;
	cut(t, begin, t->columns);
	sm_buf_chr(b, '\n');
}

bool sm_table_right(const struct sm_table *t, unsigned int col, const struct sm_value *v)
{
	uint8_t align = t->col[col].c->align;

	if (align != SM_ALIGN_AUTO)
		return align == SM_ALIGN_RIGHT;
	return sm_value_is_number(t, v);
}

void sm_table_human_text(struct sm_table *t, const struct sm_table_column *col,
	const struct sm_value *v, struct sm_buf *b)
{
	unsigned int flags = col->c->flags;

	if (SM_UNLIKELY(flags & SM_COLUMN_INLINE)) {
		sm_buf_str(b, col->head);
		sm_buf_chr(b, ' ');
	}
	sm_value_human(t, col->c, v, b);
	if (v->suffix && !(flags & SM_COLUMN_MARK))
		sm_buf_str(b, v->suffix);
}

/* Makes the text that was appended since `at` one word, unless it ends the line: if the
 * output is not a terminal, programs split its lines at spaces. */
static void join_words(const struct sm_table *t, const struct line *l,
	const struct sm_value *v, struct sm_buf *b, size_t at)
{
	size_t spaces = 0;
	char *from, *to;

	if (t->columns || l->final || v->type < SM_VALUE_TEXT || sm_buf_error(b))
		return;
	if (b->len == at)
		sm_buf_chr(b, '-');
	for (size_t i = at; i < b->len; i++)
		spaces += b->p[i] == ' ';
	if (!spaces || !sm_buf_room(b, 3 * spaces))
		return;
	from = b->p + b->len;
	b->len += 3 * spaces;
	for (to = b->p + b->len; to > from;) {
		if (*--from == ' ')
			memcpy(to -= 4, "\\x20", 4);
		else
			*--to = *from;
	}
}

/* Writes a left-aligned cell: its leading spaces do not depend on the width of the
 * value. */
static void left_cell(struct sm_table *t, struct line *l,
	const struct sm_table_column *col, const struct sm_value *v, bool rest)
{
	struct sm_buf *b = &t->row;
	size_t min = line_free(l);
	size_t to = l->start > min ? l->start : min;
	size_t at = b->len + (to - l->cursor);

	blanks(b, to - l->cursor);
	sm_table_human_text(t, col, v, b);
	join_words(t, l, v, b, at);
	if (rest)
		cut(t, at, t->columns > to ? t->columns - to : 0);
	else if (col->c->flags & SM_COLUMN_CUT)
		cut(t, at, col->width);
	if (sm_buf_error(b))
		return;
	if (b->len == at) { /* an empty text takes no place */
		b->len -= to - l->cursor;
		return;
	}
	/* The width of the last column matters only on a terminal whose lines are
	 * counted. */
	l->cursor = to + (rest && !t->rows ? b->len - at
					   : display_width(b->p + at, b->len - at));
	l->glued = col->c->flags & SM_COLUMN_GLUED;
}

/* Returns true for numbers and times, which are ASCII. */
static bool is_ascii(const struct sm_column *c, const struct sm_value *v)
{
	return v->type < SM_VALUE_STR && !c->unit && !v->suffix;
}

static void right_cell(struct sm_table *t, struct line *l, struct sm_table_column *col,
	const struct sm_value *v)
{
	struct sm_buf *cell = &t->scratch;
	size_t text;

	sm_buf_reset(cell);
	sm_table_human_text(t, col, v, cell);
	join_words(t, l, v, cell, 0);
	if (SM_UNLIKELY(sm_buf_error(cell))) {
		t->row.err = sm_buf_error(cell);
		return;
	}
	text = is_ascii(col->c, v) ? cell->len : display_width(cell->p, cell->len);
	place(t, l, col, text, true);
	if (text > col->widest)
		col->widest = (uint16_t)text;
	if (v->suffix && col->c->flags & SM_COLUMN_MARK) {
		sm_buf_str(&t->row, v->suffix);
		l->cursor++;
	}
}

static void human_cell(
	struct sm_table *t, struct line *l, unsigned int i, const struct sm_value *v)
{
	static const struct sm_value dash = {.type = SM_VALUE_STR, .s = {"-", 1}};
	struct sm_table_column *col = &t->col[i];
	bool rest = l->final && col->c->flags & SM_COLUMN_LAST;
	bool right = !rest && sm_table_right(t, i, v);

	if (sm_value_missing(v)) {
		if (col->c->flags & SM_COLUMN_BLANK)
			return;
		v = &dash;
	}
	if (right)
		right_cell(t, l, col, v);
	else
		left_cell(t, l, col, v, rest);
}

/* Adds colour to the finished line, so that it does not count in widths. */
static void colour(struct sm_table *t, const char *sgr)
{
	size_t n = t->row.len - 1; /* excluding the newline */

	sm_buf_printf(&t->row, "\033[0m\n");
	if (sm_buf_error(&t->row))
		return;
	memmove(t->row.p + n, t->row.p + n + 1, t->row.len - n - 1);
	t->row.len--;
	sm_buf_reset(&t->scratch);
	sm_buf_printf(&t->scratch, "\033[%sm", sgr);
	if (!sm_buf_room(&t->row, t->scratch.len))
		return;
	memmove(t->row.p + t->scratch.len, t->row.p, t->row.len);
	memcpy(t->row.p, t->scratch.p, t->scratch.len);
	t->row.len += t->scratch.len;
}

unsigned int sm_table_human_lines(const struct sm_table *t, size_t width)
{
	if (!t->columns || t->fit || width <= t->columns)
		return 1;
	return (unsigned int)((width + t->columns - 1) / t->columns);
}

bool sm_table_human_grow(struct sm_table *t)
{
	bool grown = false;

	for (unsigned int k = 0; k < t->nshown; k++) {
		struct sm_table_column *col = &t->col[t->shown[k]];

		if (!can_grow(col))
			continue;
		col->width = col->widest;
		grown = true;
	}
	return grown;
}

size_t sm_table_human_row(struct sm_table *t, const struct sm_value *vals)
{
	size_t begin = t->row.len;
	struct line l = {0};

	for (unsigned int k = 0; k < t->nshown; k++) {
		unsigned int i = t->shown[k];

		l.final = k + 1 == t->nshown;
		human_cell(t, &l, i, &vals[i]);
		l.start += column_step(&t->col[i]);
	}
	line_end(t, begin);
	t->since_header += sm_table_human_lines(t, l.cursor);
	if (t->sgr)
		colour(t, t->sgr);
	return l.cursor;
}

static void head_cell(
	struct sm_table *t, struct line *l, struct sm_table_column *col, bool rest)
{
	const struct sm_column *c = col->c;
	struct sm_buf *cell = &t->scratch;
	size_t at = l->start > line_free(l) ? l->start : line_free(l);
	size_t room = t->columns > at ? t->columns - at : 0;
	bool left = c->align != SM_ALIGN_RIGHT ||
		    c->flags & (SM_COLUMN_HEAD_LEFT | SM_COLUMN_LAST);

	sm_buf_reset(cell);
	if (rest && t->fit && t->columns)
		sm_text_fit(cell, col->head, strlen(col->head), room, t->text_flags);
	else if (t->text_flags & SM_TEXT_UTF8)
		sm_buf_str(cell, col->head);
	else
		sm_text_human(cell, col->head, strlen(col->head), 0);
	if (sm_buf_error(cell))
		t->row.err = sm_buf_error(cell);
	else
		place(t, l, col, cell->len ? display_width(cell->p, cell->len) : 0,
			!left);
	l->start += column_step(col);
}

void sm_table_human_heading(struct sm_table *t)
{
	size_t begin = t->row.len;
	struct line l = {0};

	for (unsigned int k = 0; k < t->nshown; k++) {
		struct sm_table_column *col = &t->col[t->shown[k]];

		head_cell(
			t, &l, col, k + 1 == t->nshown && col->c->flags & SM_COLUMN_LAST);
	}
	line_end(t, begin);
	t->since_header = sm_table_human_lines(t, l.cursor) - 1;
	if (t->head_sgr)
		colour(t, t->head_sgr);
}

void sm_table_human_rule(struct sm_table *t)
{
	size_t begin = t->row.len;

	for (unsigned int k = 0; k < t->nshown; k++) {
		const struct sm_table_column *col = &t->col[t->shown[k]];

		sm_buf_fill(&t->row, '-', col->width);
		sm_buf_fill(&t->row, ' ', column_step(col) - col->width);
	}
	line_end(t, begin);
}

void sm_table_human_count(struct sm_table *t, const struct sm_buf *b)
{
	const char *p = b->p, *end = b->p + b->len, *nl;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			return;
		t->since_header +=
			sm_table_human_lines(t, display_width(p, (size_t)(nl - p)));
	}
}

void sm_table_human_cut(struct sm_table *t, const struct sm_buf *b)
{
	const char *p = b->p, *end = b->p + b->len, *nl;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		sm_text_fit(&t->row, p, (size_t)(nl - p), t->columns, t->text_flags);
		sm_buf_chr(&t->row, '\n');
	}
}

/* --- wrapped text ------------------------------------------------------------------ */

#define CONTINUE_BY 2 /* blanks before a continued line, in addition to its indent */

/* Places where a line may be split, the best ones first. */
static const char split_after[] = {SM_TABLE_MAY_BREAK[0], SM_TABLE_MIGHT_BREAK[0], ' '};

struct wrapped {
	struct sm_buf *to;
	size_t columns; /* 0: unlimited */
	size_t indent, cursor;
};

static bool is_mark(char c)
{
	return c == SM_TABLE_MAY_BREAK[0] || c == SM_TABLE_MIGHT_BREAK[0];
}

/* Returns the end of the text before the next mark. */
static const char *unmarked(const char *p, const char *end)
{
	while (p < end && !is_mark(*p))
		p++;
	return p;
}

static const char *after_blanks(const char *p, const char *end)
{
	while (p < end && *p == ' ')
		p++;
	return p;
}

/* Appends the text without its marks; to == NULL: returns its width only. */
static size_t put_text(struct sm_buf *to, const char *p, const char *end)
{
	size_t columns = 0;
	const char *next;

	for (; p < end; p = next + (next < end)) {
		next = unmarked(p, end);
		columns += display_width(p, (size_t)(next - p));
		if (to)
			sm_buf_add(to, p, (size_t)(next - p));
	}
	return columns;
}

static bool fits(const struct wrapped *w, const char *p, const char *end)
{
	while (end > p && (end[-1] == ' ' || is_mark(end[-1])))
		end--;
	return !w->columns || w->cursor + put_text(NULL, p, end) <= w->columns;
}

static void next_line(struct wrapped *w)
{
	struct sm_buf *b = w->to;

	while (b->len && b->p[b->len - 1] == ' ')
		b->len--;
	sm_buf_chr(b, '\n');
	blanks(b, w->indent);
	w->cursor = w->indent;
}

/* Returns the end of the first part of the text, including the blanks after it. */
static const char *part_end(const char *p, const char *end, char mark)
{
	const char *at = after_blanks(p, end);

	at = memchr(at, mark, (size_t)(end - at));
	return at ? after_blanks(at + 1, end) : end;
}

/* Puts a part in the rest of the line, or in a new line; splits it if it is wider. */
static void put_part(struct wrapped *w, const char *p, const char *end, size_t level)
{
	const char *next;

	if (!fits(w, p, end) && w->cursor > w->indent) {
		next_line(w);
		p = after_blanks(p, end);
	}
	if (level == sizeof(split_after) || fits(w, p, end)) {
		w->cursor += put_text(w->to, p, end);
		return;
	}
	for (; p < end; p = next) {
		next = part_end(p, end, split_after[level]);
		put_part(w, p, next, level + 1);
	}
}

void sm_table_human_wrap(
	unsigned int columns, const struct sm_buf *from, struct sm_buf *to)
{
	const char *p, *end, *nl;

	if (sm_buf_error(from))
		to->err = sm_buf_error(from);
	if (!from->len) /* p may be NULL */
		return;
	end = from->p + from->len;
	for (p = from->p; p < end; p = nl < end ? nl + 1 : end) {
		struct wrapped w = {.to = to, .columns = columns};

		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		w.indent = (size_t)(after_blanks(p, nl) - p) + CONTINUE_BY;
		put_part(&w, p, nl, 0);
		sm_buf_chr(to, '\n');
	}
}
