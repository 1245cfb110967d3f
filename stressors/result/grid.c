// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "format/value.h"
#include "grid.h"

/* Width of a cell while it is measured: in a narrower one, a number would lose
 * decimals. */
#define WIDEST 4096

static void measure(struct grid *g, const struct sm_value *v)
{
	g->n_rows++;
	if (sm_table_error(&g->table))
		return;
	for (unsigned int i = 0; i < g->n; i++) {
		unsigned int width;

		if (!g->column[i].head || sm_value_missing(&v[i]))
			continue;
		sm_buf_reset(&g->cell);
		sm_table_cell(&g->table, i, &v[i], &g->cell);
		if (sm_buf_error(&g->cell) || !g->cell.len)
			continue;
		width = (unsigned int)sm_text_width(g->cell.p, g->cell.len);
		g->width[i] = width > g->width[i] ? width : g->width[i];
	}
}

void grid_row(struct grid *g, const struct sm_value *v)
{
	if (g->measuring)
		measure(g, v);
	else
		(void)sm_table_row(&g->table, v); /* grid_put() has the error */
}

static void begin(struct grid *g)
{
	memset(g->width, 0, sizeof(g->width));
	g->n_rows = 0;
	g->measuring = true;
	g->cell = (struct sm_buf){0};
	sm_table_init(&g->table, SM_FORMAT_TABLE, g->column, g->n, NULL, NULL);
	g->table.text_flags = g->text_flags;
	g->table.no_header = g->no_header;
	for (unsigned int i = 0; i < g->n; i++)
		sm_table_set_width(&g->table, i, WIDEST);
}

static void arrange(struct grid *g)
{
	for (unsigned int i = 0; i < g->n; i++) {
		const char *head = g->column[i].head;
		unsigned int least = head ? (unsigned int)strlen(head) : 0;

		if (!g->width[i] || g->hidden >> i & 1)
			sm_table_show(&g->table, i, false);
		sm_table_set_width(
			&g->table, i, g->width[i] > least ? g->width[i] : least);
	}
	sm_table_terminal(&g->table, g->columns, 0, g->columns > 0);
}

static int error_of(const struct grid *g)
{
	if (sm_table_error(&g->table))
		return sm_table_error(&g->table);
	if (sm_buf_error(&g->cell))
		return sm_buf_error(&g->cell);
	return sm_buf_error(&g->table.row);
}

void grid_put(struct grid *g, struct sm_buf *b)
{
	begin(g);
	g->rows(g, g->ctx);
	arrange(g);
	g->measuring = false;
	if (g->n_rows)
		g->rows(g, g->ctx);
	if (error_of(g))
		sm_buf_fail(b, error_of(g));
	else
		sm_buf_add(b, g->table.row.p, g->table.row.len);
	sm_table_fini(&g->table);
	sm_buf_fini(&g->cell);
}
