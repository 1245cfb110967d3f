// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "proc/maps.h"
#include "state.h"
#include "format.h"

/* USAGE is the first column of --smaps, in the order of enum usage_key. */
enum column { ADDRESS, SIZE, RAM, SWAP, USAGE, PERM = USAGE + USAGE_KEYS, DENSITY, NAME };

/* The orders of the list, and their keys. */
enum order { BY_ADDRESS, BY_SIZE, BY_RAM, BY_SWAP, BY_NAME };
#define LETTERS "asrwn"

#define DENSITY_CELLS 10

#define USAGE_COLUMN(k, h, p) \
	[USAGE + (k)] = {.head = h, .width = 5, .align = SM_ALIGN_RIGHT, .priority = p}

static const struct sm_column columns[MAPPINGS_COLUMNS] = {
	[ADDRESS] = {.head = "Address", .width = 16, .align = SM_ALIGN_LEFT},
	[SIZE] = {.head = "Size", .width = 5, .align = SM_ALIGN_RIGHT, .priority = 5},
	[RAM] = {.head = "RAM", .width = 5, .align = SM_ALIGN_RIGHT, .priority = 6},
	[SWAP] = {.head = "Swap", .width = 5, .align = SM_ALIGN_RIGHT, .priority = 3},
	USAGE_COLUMN(USAGE_PSS, "Pss", 4),
	USAGE_COLUMN(USAGE_SWAP_PSS, "SwPss", 1),
	USAGE_COLUMN(USAGE_REFERENCED, "Ref", 1),
	USAGE_COLUMN(USAGE_LAZY_FREE, "Lazy", 2),
	USAGE_COLUMN(USAGE_LOCKED, "Lock", 1),
	USAGE_COLUMN(USAGE_DELETED, "Del", 1),
	[PERM] = {.head = "Perm", .width = 4, .align = SM_ALIGN_LEFT, .priority = 2},
	[DENSITY] = {.head = "In RAM",
		.width = DENSITY_CELLS,
		.align = SM_ALIGN_LEFT,
		.priority = 1},
	[NAME] = {.head = "Name",
		.width = 8,
		.align = SM_ALIGN_LEFT,
		.flags = SM_COLUMN_LAST},
};

/* --- rows --------------------------------------------------------------------------- */

static struct sm_value of_buf(struct sm_buf *b)
{
	return sm_value_bytes(SM_VALUE_STR, b->p, b->len);
}

static struct sm_value size_value(struct mappings *m, enum column c, uint64_t bytes)
{
	return sm_value_str(format_size(bytes, m->text[c]));
}

/* Returns the present pages that use memory. */
static uint64_t in_ram(const struct counts *c)
{
	return c->present - c->zero;
}

/* Returns the number of the bar's cells for this number of pages: at least 1 if not 0. */
static unsigned int share(uint64_t n, uint64_t pages)
{
	double cells = (double)n * DENSITY_CELLS / (double)pages;

	if (!n)
		return 0;
	return cells < 1	       ? 1
	       : cells > DENSITY_CELLS ? DENSITY_CELLS
				       : (unsigned int)cells;
}

static struct sm_value density(struct screen *s, const struct counts *c, uint64_t pages)
{
	const char *const marks[] = {"\xe2\x96\x88", "\xe2\x96\x91", "\xc2\xb7"};
	const char *const ascii[] = {"#", "s", "."};
	unsigned int present = share(in_ram(c), pages), swapped;
	struct sm_buf *b = &s->text;

	swapped = share(c->swapped, pages);
	if (present + swapped > DENSITY_CELLS)
		present = DENSITY_CELLS - swapped;
	sm_buf_reset(b);
	for (unsigned int i = 0; i < DENSITY_CELLS; i++) {
		int kind = i < present ? 0 : i < present + swapped ? 1 : 2;

		sm_buf_str(b, s->base.tui.utf8 ? marks[kind] : ascii[kind]);
	}
	return of_buf(b);
}

static void put_usage(struct screen *s, size_t i, struct sm_value *v)
{
	const struct usage *u = s->in.usages ? usages_of(s->in.usages, i) : NULL;

	for (enum usage_key k = 0; u && k < USAGE_KEYS; k++)
		if (u->known >> k & 1)
			v[USAGE + k] =
				size_value(&s->mappings, USAGE + k, u->kb[k] * 1024);
}

static void fill_row(void *ctx, size_t i, struct sm_value *v)
{
	struct screen *s = ctx;
	struct mappings *m = &s->mappings;
	size_t number = m->list.rows[i].number;
	const struct mapping *map = &s->in.space->mappings[number];
	const struct counts *c = state_counts(s, number);
	uint64_t page = s->in.space->page_bytes;

	snprintf(m->text[ADDRESS], sizeof(m->text[ADDRESS]), "%016llx",
		(unsigned long long)map->start);
	v[ADDRESS] = sm_value_str(m->text[ADDRESS]);
	v[SIZE] = size_value(m, SIZE, map->end - map->start);
	if (c) {
		v[RAM] = size_value(m, RAM, in_ram(c) * page);
		v[SWAP] = size_value(m, SWAP, c->swapped * page);
		v[DENSITY] = density(s, c, mapping_pages(s->in.space, map));
	}
	put_usage(s, number, v);
	sm_maps_perms(map->perms, m->text[PERM]);
	v[PERM] = sm_value_str(m->text[PERM]);
	sm_buf_reset(&s->name);
	format_name(&s->name, state_name(map), m->list.table.rest, s->base.tui.utf8);
	v[NAME] = of_buf(&s->name);
}

static enum sm_tui_style style(void *ctx, size_t i, unsigned int col)
{
	(void)ctx;
	(void)i;
	return col == ADDRESS || col == DENSITY ? SM_TUI_ACCENT : SM_TUI_NORMAL;
}

/* --- order -------------------------------------------------------------------------- */

static uint64_t value_of(const struct screen *s, size_t i)
{
	const struct mapping *m = &s->in.space->mappings[i];
	const struct counts *c = state_counts(s, i);

	switch (s->mappings.list.table.order) {
	case BY_SIZE:
		return m->end - m->start;
	case BY_RAM:
		return c ? in_ram(c) : 0;
	case BY_SWAP:
		return c ? c->swapped : 0;
	default:
		return 0;
	}
}

/* The key of a mapping, which is not 0. */
static uint64_t key_of(const struct mapping *m)
{
	return m->start + 1;
}

static void arrange(void *screen)
{
	struct screen *s = screen;
	struct rowlist *l = &s->mappings.list;
	const struct space *space = s->in.space;
	bool by_name = l->table.order == BY_NAME;
	size_t n = rowlist_begin(l, space ? space->n : 0);

	for (unsigned int k = 0; k < USAGE_KEYS; k++)
		sm_table_show(&l->table.table, USAGE + k, s->in.usages != NULL);
	for (size_t i = 0; i < n; i++) {
		const struct mapping *m = &space->mappings[i];

		l->rows[l->n++] = (struct rowlist_row){value_of(s, i),
			by_name ? state_name(m) : SM_STR(""), key_of(m), i};
	}
	rowlist_sort(l);
}

/* --- keys --------------------------------------------------------------------------- */

void mappings_open(struct screen *s)
{
	const struct mapping *m = state_mapping(s);

	s->view = VIEW_MAPPINGS;
	s->mappings.list.table.list.selected = m ? key_of(m) : 0;
	arrange(s);
}

/* Closes the list, with the cursor on the selected mapping. */
static void go(void *screen)
{
	struct screen *s = screen;
	const struct rowlist *l = &s->mappings.list;
	size_t i = l->table.list.present ? l->rows[l->table.list.at].number : SIZE_MAX;

	if (s->in.space && i < s->in.space->n)
		state_set_cursor(s, s->in.space->mappings[i].first);
	s->view = VIEW_MAP;
}

/* --- the table ---------------------------------------------------------------------- */

int mappings_init(struct screen *s)
{
	static const int8_t orders[MAPPINGS_COLUMNS] = {[ADDRESS] = BY_ADDRESS,
		[SIZE] = BY_SIZE,
		[RAM] = BY_RAM,
		[SWAP] = BY_SWAP,
		[USAGE... PERM] = -1,
		[DENSITY] = BY_RAM,
		[NAME] = BY_NAME};
	struct rowlist *l = &s->mappings.list;
	int err = rowlist_init(l, columns, orders, MAPPINGS_COLUMNS);

	l->table.row = fill_row;
	l->table.style = style;
	l->table.ctx = s;
	l->table.none = "there are no mappings";
	l->letters = LETTERS;
	l->arrange = arrange;
	l->enter = go;
	return err;
}
