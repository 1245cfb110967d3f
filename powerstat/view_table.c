// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of the table: heading, rows, statistic rows. */
#include <math.h>
#include <string.h>

#include "columns.h"
#include "out_value.h"
#include "text.h"
#include "view_priv.h"

#define HEADING_SGR "1"

/* A cell has its nominal place; a wider value takes the blanks before the next ones. */
struct line {
	struct sm_buf *b;
	size_t edge;   /* nominal right edge of the cells so far */
	size_t cursor; /* display columns written so far */
};

static void blanks(struct sm_buf *b, size_t n)
{
	char *to = sm_buf_room(b, n + 1);

	if (!to)
		return;
	b->len += n;
	while (n--)
		*to++ = ' ';
}

/* Text of n bytes that takes `columns`. */
static void put(
	struct line *l, size_t gap, size_t width, const char *p, size_t n, size_t columns)
{
	size_t to, min = l->cursor + gap;

	l->edge += gap + width;
	to = l->edge > columns ? l->edge - columns : 0;
	to = to > min ? to : min;
	blanks(l->b, to - l->cursor);
	sm_buf_add(l->b, p, n);
	l->cursor = to + columns;
}

static void line_end(struct sm_buf *b)
{
	while (b->len && b->p[b->len - 1] == ' ')
		b->len--;
	sm_buf_chr(b, '\n');
}

static void number(struct view *v, struct line *l, struct ps_col *c, double x,
	int decimals, char mark)
{
	struct sm_buf *cell = &v->cell;

	sm_buf_reset(cell);
	if (isfinite(x)) {
		sm_buf_double(cell, x * c->scale, decimals);
		sm_buf_str(cell, c->unit);
	} else {
		sm_buf_chr(cell, '-');
	}
	if (c->need < cell->len)
		c->need = (uint16_t)cell->len;
	put(l, c->gap, c->width, cell->p, cell->len, cell->len);
	l->edge += c->mark;
	if (c->mark && mark != ' ') {
		sm_buf_chr(l->b, mark);
		l->cursor++;
	}
}

/* --- heading ----------------------------------------------------------------------- */

static void head(
	struct view *v, const struct sm_out *out, struct line *l, const struct ps_col *c)
{
	sm_buf_reset(&v->cell);
	sm_text_human(&v->cell, c->head, c->head_len, out->text_flags);
	put(l, c->gap, c->width, v->cell.p, v->cell.len,
		sm_text_width(v->cell.p, v->cell.len));
	l->edge += c->mark;
}

/* "  Time  " as the original has it, the more to the right the wider the column. */
static void time_head(const struct view *v, struct line *l)
{
	static const char text[] = "  Time  ";

	put(l, 0, v->time_width, text, sizeof(text) - 1, sizeof(text) - 1);
}

/* Display columns that it takes. */
static size_t heading_line(struct view *v, struct sm_out *out)
{
	struct line l = {.b = &out->row};

	time_head(v, &l);
	for (unsigned int i = 0; i < v->table->n; i++) {
		struct ps_col *c = &v->table->col[i];

		c->width = c->need > c->width ? c->need : c->width;
		if (c->human)
			head(v, out, &l, c);
	}
	return l.cursor;
}

static size_t table_width(const struct view *v)
{
	size_t n = v->time_width;

	for (unsigned int i = 0; i < v->table->n; i++) {
		const struct ps_col *c = &v->table->col[i];

		if (c->human)
			n += (size_t)c->gap + c->width + c->mark;
	}
	return n;
}

/* Lines of the screen that so many display columns take. */
static unsigned int lines(const struct view *v, size_t width)
{
	if (!v->columns || width <= v->columns)
		return 1;
	return (unsigned int)((width + v->columns - 1) / v->columns);
}

/* Would the next row drive the heading off the screen?  One that takes more than a fifth
 * of it comes once: there would be half as many headings as rows. */
static bool scrolls_away(const struct view *v)
{
	unsigned int row;

	if (!v->rows || v->opts->no_header)
		return false;
	row = lines(v, table_width(v));
	return v->rows / row > 4 && v->since_heading + row > v->rows - 2;
}

void view_heading(struct view *v, struct sm_out *out, bool now)
{
	size_t width;

	if (v->opts->no_heading_at_all || v->opts->minmax)
		return;
	if (v->heading_done && !now && !scrolls_away(v))
		return;
	view_row_begin(out);
	if (v->color)
		sm_buf_str(&out->row, "\033[" HEADING_SGR "m");
	width = heading_line(v, out);
	while (out->row.len && out->row.p[out->row.len - 1] == ' ')
		out->row.len--;
	if (v->color)
		sm_buf_str(&out->row, "\033[0m");
	line_end(&out->row);
	view_row_put(out, 0);
	v->heading_done = true;
	v->since_heading = lines(v, width) - 1;
}

/* --- rows -------------------------------------------------------------------------- */

static void time_cell(
	struct view *v, struct sm_out *out, struct line *l, uint64_t wall_ns)
{
	const struct sm_val t = {.type = SM_VAL_TIME, .u = wall_ns};
	struct sm_buf *b = &out->row;
	size_t n, pad;

	sm_out_human_value(out, &t, 0);
	if (sm_buf_error(b))
		return;
	n = b->len;
	pad = v->time_width > n ? v->time_width - n : 0;
	blanks(b, pad);
	if (pad && !sm_buf_error(b)) {
		memmove(b->p + pad, b->p, n);
		memset(b->p, ' ', pad);
	}
	l->edge = v->time_width;
	l->cursor = n + pad;
}

static char mark_of(const struct ps_sample *s)
{
	if (!isfinite(s->v[PS_WATTS]))
		return ' ';
	if (s->kind == PS_ESTIMATE)
		return 'E';
	return s->incomplete ? '*' : ' ';
}

void view_human_row(struct view *v, struct sm_out *out, const struct ps_sample *s)
{
	struct line l = {.b = &out->row};
	char mark = mark_of(s);

	view_heading(v, out, false);
	view_row_begin(out);
	time_cell(v, out, &l, s->wall_ns);
	for (unsigned int i = 0; i < v->table->n; i++) {
		struct ps_col *c = &v->table->col[i];

		if (c->human)
			number(v, &l, c, s->v[i], c->decimals, mark);
	}
	line_end(&out->row);
	view_row_put(out, 1);
	v->since_heading += lines(v, l.cursor);
}

/* --- statistic rows ---------------------------------------------------------------- */

static void dashes(struct view *v, struct sm_out *out)
{
	struct sm_buf *b = &out->row;

	view_row_begin(out);
	sm_buf_fill(b, '-', v->time_width);
	for (unsigned int i = 0; i < v->table->n; i++) {
		const struct ps_col *c = &v->table->col[i];

		if (!c->human)
			continue;
		sm_buf_fill(b, ' ', c->gap);
		sm_buf_fill(b, '-', c->width);
		sm_buf_fill(b, ' ', c->mark);
	}
	line_end(b);
	view_row_put(out, 0);
}

static void stat_row(struct view *v, struct sm_out *out, const struct ps_stats *stats,
	enum ps_stat what, const char *name)
{
	struct line l = {.b = &out->row};

	view_row_begin(out);
	put(&l, 0, v->time_width, name, strlen(name), strlen(name));
	for (unsigned int i = 0; i < v->table->n; i++) {
		struct ps_col *c = &v->table->col[i];

		if (c->human)
			number(v, &l, c, ps_stats_get(stats, i, what), c->stat_decimals,
				' ');
	}
	line_end(&out->row);
	view_row_put(out, 1);
}

void view_stat_rows(struct view *v, struct sm_out *out, const struct ps_stats *stats)
{
	dashes(v, out);
	stat_row(v, out, stats, PS_STAT_AVERAGE, "Average");
	stat_row(v, out, stats, PS_STAT_GEOMEAN, "GeoMean");
	stat_row(v, out, stats, PS_STAT_STDDEV, "StdDev");
	dashes(v, out);
	stat_row(v, out, stats, PS_STAT_MIN, "Minimum");
	stat_row(v, out, stats, PS_STAT_MAX, "Maximum");
	dashes(v, out);
}

/* --- lines between the rows -------------------------------------------------------- */

void view_centred(struct view *v, struct sm_out *out, const char *text)
{
	static const char left[] = "--- ", right[] = " ---\n";
	size_t n = strlen(text) + sizeof(left) + sizeof(right) - 3, width, pad;

	width = table_width(v);
	if (v->columns && width > v->columns)
		width = v->columns;
	pad = width > n ? (width - n) / 2 : 0;
	view_line_end(v, out);
	view_row_begin(out);
	sm_buf_fill(&out->row, ' ', pad);
	sm_buf_str(&out->row, left);
	sm_buf_str(&out->row, text);
	sm_buf_str(&out->row, right);
	view_row_put(out, 0);
	v->since_heading += lines(v, pad + n);
}
