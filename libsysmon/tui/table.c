// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tui/table.h"

#define HISTORY_WIDTH 20u
#define HISTORY_ROWS  512

static const struct sm_column history_column = {
	.head = "History", .align = SM_ALIGN_LEFT, .priority = 1};

static int init(struct sm_tui_table *w, const struct sm_column *cols, unsigned int ncols,
	unsigned int nvalues)
{
	sm_table_init(&w->table, SM_FORMAT_TABLE, cols, ncols, NULL, NULL);
	w->nvalues = nvalues;
	w->v = calloc(nvalues, sizeof(*w->v));
	w->orders = malloc(ncols + 1); /* malloc(0) may return NULL */
	if (!w->v || !w->orders)
		return -ENOMEM;
	memset(w->orders, -1, ncols);
	return sm_table_error(&w->table);
}

int sm_tui_table_init(
	struct sm_tui_table *w, const struct sm_column *cols, unsigned int ncols)
{
	*w = (struct sm_tui_table){.sorted = -1, .history = -1};
	return init(w, cols, ncols, ncols);
}

int sm_tui_table_init_samples(struct sm_tui_table *w, const struct sm_column *cols,
	unsigned int ncols, const struct sm_tui_place *places, unsigned int n)
{
	int err;

	*w = (struct sm_tui_table){
		.sorted = -1, .places = places, .seed = sm_map_hash_seed()};
	for (unsigned int k = 0; k < n; k++) {
		bool sparks = places[k].column == ncols;

		w->columns[k] = sparks ? history_column : cols[places[k].column];
		w->columns[k].width = places[k].width;
		w->history = sparks ? (int)k : w->history;
	}
	w->keys = calloc(SM_TUI_ROWS_MAX, sizeof(*w->keys));
	err = w->keys ? init(w, w->columns, n, ncols + 1) : -ENOMEM;
	for (unsigned int k = 0; k < n && !err; k++)
		w->orders[k] = places[k].order;
	return err ? err : sm_history_init(&w->values, HISTORY_ROWS);
}

void sm_tui_table_fini(struct sm_tui_table *w)
{
	sm_table_fini(&w->table);
	sm_buf_fini(&w->text);
	sm_buf_fini(&w->selected_name);
	sm_history_fini(&w->values);
	free(w->keys);
	free(w->v);
	free(w->orders);
}

/* --- columns ----------------------------------------------------------------------- */

/* Marks the first column of the order, if there is one. */
static void mark_order(struct sm_tui_table *w)
{
	for (unsigned int k = w->table.ncols; k-- > 0;)
		if (w->orders[k] == w->order)
			w->sorted = (int)k;
}

/* Until the column of sparklines has all its samples, other columns get the room. */
static void fit_history(struct sm_tui_table *w, int columns)
{
	unsigned int column = (unsigned int)w->history, least = strlen("History");
	uint64_t n = w->values.now;

	sm_table_show(&w->table, column, columns >= w->history_columns);
	sm_table_set_width(&w->table, column,
		n < least	    ? least
		: n < HISTORY_WIDTH ? (unsigned int)n
				    : HISTORY_WIDTH);
}

struct cell { /* place of a cell on the screen */
	struct sm_tui *t;
	unsigned int col;
	int line, at, width;
};

/* Advances to the next column shown.  The last one gets the rest of the line. */
static bool next_cell(struct sm_tui_table *w, struct cell *c, unsigned int *k)
{
	const uint16_t *cols;
	unsigned int n = sm_table_shown(&w->table, &cols);

	if (*k == n)
		return false;
	c->col = cols[*k];
	c->at += *k ? c->width + 1 : 0;
	c->width = (int)sm_table_width(&w->table, c->col);
	if (++*k == n)
		c->width = c->t->columns - c->at;
	return true;
}

static void prepare(struct sm_tui_table *w, struct sm_tui *t)
{
	struct cell c = {.t = t};
	unsigned int k = 0;

	if (w->prepare)
		w->prepare(w->ctx, t->columns);
	mark_order(w);
	if (w->places)
		fit_history(w, t->columns);
	w->table.text_flags = t->utf8 ? SM_TEXT_UTF8 : 0;
	sm_table_terminal(&w->table, (unsigned int)t->columns, 0, true);
	while (next_cell(w, &c, &k))
		;
	w->rest = c.width > 0 ? (unsigned int)c.width : 0;
}

/* --- cells ------------------------------------------------------------------------- */

/* Truncates a long text, but its suffix only if that needs more than half of the cell. */
static void draw_text(struct sm_tui_table *w, const struct cell *c, const char *suffix,
	enum sm_tui_style style)
{
	int n = suffix ? (int)strlen(suffix) : 0;
	int used, room = c->width > 2 * n ? c->width - n : c->width;

	used = sm_tui_text(c->t, c->line, c->at, room, style, w->text.p, w->text.len);
	if (n)
		(void)sm_tui_text(c->t, c->line, c->at + used, c->width - used, style,
			suffix, (size_t)n);
}

static void draw_value(struct sm_tui_table *w, const struct cell *c, struct sm_value v,
	enum sm_tui_style style)
{
	const char *suffix = v.suffix;
	bool right = sm_table_right(&w->table, c->col, &v);
	int n;

	if (!right)
		v.suffix = NULL;
	sm_buf_reset(&w->text);
	sm_table_cell(&w->table, c->col, &v, &w->text);
	if (sm_buf_error(&w->text))
		return;
	n = (int)w->text.len;
	if (right)
		(void)sm_tui_put(c->t, c->line, c->at + c->width - n, n, style, w->text.p,
			w->text.len);
	else
		draw_text(w, c, suffix, style);
}

/* --- rows -------------------------------------------------------------------------- */

static void draw_row(struct sm_tui_table *w, struct sm_tui *t, int line, size_t i)
{
	uint64_t key = w->list.keys[i];
	bool selected = key == w->list.selected;
	struct cell c = {.t = t, .line = line};
	unsigned int k = 0;

	if (selected)
		sm_tui_fill(t, line, 0, t->columns, SM_TUI_SELECTED);
	memset(w->v, 0, w->nvalues * sizeof(*w->v));
	w->row(w->ctx, i, w->v);
	while (next_cell(w, &c, &k)) {
		unsigned int at = w->places ? w->places[c.col].column : c.col;
		enum sm_tui_style style =
			selected ? SM_TUI_SELECTED : w->style(w->ctx, i, at);

		if ((int)c.col == w->history)
			sm_history_cell(
				&w->values, t, line, c.at, c.width, key, w->history_max);
		else if (w->v[at].type != SM_VALUE_NONE)
			draw_value(w, &c, w->v[at], style);
	}
}

/* Returns the column before which there is room for headings. */
static int draw_range(struct sm_tui_table *w, struct sm_tui *t, int line)
{
	const struct sm_list *l = &w->list;
	size_t end = l->top + l->lines;
	char text[64];
	int n;

	if (l->n <= l->lines && w->matched <= l->n)
		return t->columns;
	n = snprintf(text, sizeof(text), " %zu-%zu/%zu", l->top + 1,
		end < l->n ? end : l->n, w->matched);
	(void)sm_tui_put(t, line, t->columns - n, n, SM_TUI_HEAD, text, (size_t)n);
	return t->columns - n;
}

static void draw_heading(struct sm_tui_table *w, struct sm_tui *t, int line)
{
	static const struct sm_value text = {.type = SM_VALUE_STR};
	struct cell c = {.t = t, .line = line};
	unsigned int k = 0;
	int end;

	sm_tui_fill(t, line, 0, t->columns, SM_TUI_HEAD);
	end = draw_range(w, t, line);
	while (next_cell(w, &c, &k)) {
		const char *head = sm_table_head(&w->table, c.col);
		int n = (int)strlen(head);
		bool right = sm_table_right(&w->table, c.col, &text);
		int at = right ? c.at + c.width - n : c.at;

		/* The range must not cut a heading. */
		if (end == t->columns || at + n <= end)
			(void)sm_tui_put(t, line, at, n,
				(int)c.col == w->sorted ? SM_TUI_SELECTED : SM_TUI_HEAD,
				head, (size_t)n);
	}
}

void sm_tui_table_draw(struct sm_tui_table *w, struct sm_tui *t, int line, int lines)
{
	size_t shown;

	w->line = line;
	w->lines = lines;
	if (lines < 1)
		return;
	prepare(w, t);
	sm_list_fit(&w->list, (size_t)(lines > 1 ? lines - 1 : 1));
	if (lines > 1)
		draw_heading(w, t, line++);
	shown = w->list.n - w->list.top;
	if (shown > w->list.lines)
		shown = w->list.lines;
	for (size_t i = 0; i < shown; i++)
		draw_row(w, t, line + (int)i, w->list.top + i);
	if (!w->list.n)
		(void)sm_tui_text(
			t, line, 0, t->columns, SM_TUI_DIM, w->none, strlen(w->none));
}

void sm_tui_table_take(struct sm_tui_table *w, size_t n, size_t matched)
{
	double value;

	if (n > SM_TUI_ROWS_MAX)
		n = SM_TUI_ROWS_MAX;
	for (size_t i = 0; i < n; i++) {
		w->keys[i] = w->key(w->ctx, i, &value);
		if (value >= 0)
			sm_history_add(&w->values, w->keys[i], value, w->list.selected);
	}
	w->matched = matched;
	sm_list_set(&w->list, w->keys, n);
}

/* --- the mouse --------------------------------------------------------------------- */

/* The space before a column belongs to it. */
static enum sm_tui_hit hit_head(struct sm_tui_table *w, struct sm_tui *t, int *order)
{
	struct cell c = {.t = t};
	unsigned int k = 0;

	while (next_cell(w, &c, &k))
		if (t->mouse_column < c.at + c.width) {
			*order = (int)w->orders[c.col];
			return *order < 0 ? SM_TUI_HIT_NOTHING : SM_TUI_HIT_HEAD;
		}
	return SM_TUI_HIT_NOTHING;
}

enum sm_tui_hit sm_tui_table_click(struct sm_tui_table *w, struct sm_tui *t, int *order)
{
	struct sm_list *l = &w->list;
	int head = w->lines > 1, line = t->mouse_row - w->line;
	size_t i;

	if (line < 0 || line >= w->lines)
		return SM_TUI_HIT_NOTHING;
	if (line < head)
		return hit_head(w, t, order);
	i = l->top + (size_t)(line - head);
	if (i >= l->n)
		return SM_TUI_HIT_NOTHING;
	if (l->present && l->at == i)
		return SM_TUI_HIT_SELECTED;
	sm_list_select(l, i);
	return SM_TUI_HIT_ROW;
}
