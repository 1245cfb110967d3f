// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "kernel/maps.h"
#include "state.h"
#include "words.h"

/* USAGE is the first column of --smaps, in the order of enum usage_key. */
enum column { ADDRESS, SIZE, RAM, SWAP, USAGE, PERM = USAGE + USAGE_KEYS, DENSITY, NAME };

#define DENSITY_CELLS 10
#define NO_SORT	      (-1)

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
	return sm_value_str(words_size(bytes, m->text[c]));
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

static struct sm_value density(const struct screen *s, struct mappings *m,
	const struct counts *c, uint64_t pages)
{
	const char *const marks[] = {"\xe2\x96\x88", "\xe2\x96\x91", "\xc2\xb7"};
	const char *const ascii[] = {"#", "s", "."};
	unsigned int present = share(in_ram(c), pages), swapped;
	struct sm_buf *b = &m->density;

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
	const struct mapping *map = &s->in.space->mappings[m->order[i].number];
	const struct counts *c = state_counts(s, m->order[i].number);
	uint64_t page = s->in.space->page_bytes;

	snprintf(m->text[ADDRESS], sizeof(m->text[ADDRESS]), "%016llx",
		(unsigned long long)map->start);
	v[ADDRESS] = sm_value_str(m->text[ADDRESS]);
	v[SIZE] = size_value(m, SIZE, map->end - map->start);
	if (c) {
		v[RAM] = size_value(m, RAM, in_ram(c) * page);
		v[SWAP] = size_value(m, SWAP, c->swapped * page);
		v[DENSITY] = density(s, m, c, mapping_pages(s->in.space, map));
	}
	put_usage(s, m->order[i].number, v);
	sm_maps_perms(map->perms, m->text[PERM]);
	v[PERM] = sm_value_str(m->text[PERM]);
	sm_buf_reset(&m->name);
	words_name(&m->name, state_name(map), m->table.rest, s->base.tui.utf8);
	v[NAME] = of_buf(&m->name);
}

static enum sm_tui_style style(void *ctx, size_t i, unsigned int col)
{
	(void)ctx;
	(void)i;
	return col == ADDRESS || col == DENSITY ? SM_TUI_ACCENT : SM_TUI_NORMAL;
}

/* --- order -------------------------------------------------------------------------- */

static int descending(uint64_t a, uint64_t b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

/* Computes the sort key of each mapping once, instead of at each comparison. */
static uint64_t value_of(const struct screen *s, uint32_t i)
{
	const struct mapping *m = &s->in.space->mappings[i];
	const struct counts *c;

	switch (s->mappings.sort) {
	case MAPPINGS_BY_SIZE:
		return m->end - m->start;
	case MAPPINGS_BY_RAM:
		c = state_counts(s, i);
		return c ? in_ram(c) : 0;
	case MAPPINGS_BY_SWAP:
		c = state_counts(s, i);
		return c ? c->swapped : 0;
	default:
		return 0;
	}
}

static int compare(const void *x, const void *y, void *ctx)
{
	const struct screen *s = ctx;
	const struct mappings_row *a = x, *b = y;
	const struct mapping *all = s->in.space->mappings;
	int order = descending(a->value, b->value);

	if (s->mappings.sort == MAPPINGS_BY_NAME)
		order = words_compare(
			state_name(&all[a->number]), state_name(&all[b->number]));
	/* The numbers are in order of address. */
	return order ? order : a->number < b->number ? -1 : 1;
}

void mappings_arrange(struct screen *s)
{
	struct mappings *m = &s->mappings;
	const struct space *space = s->in.space;
	size_t n = space ? space->n : 0;

	m->n = 0;
	if (!sm_array_reserve(&m->order, &m->order_cap, n, sizeof(*m->order)) &&
		!sm_array_reserve(&m->keys, &m->keys_cap, n, sizeof(*m->keys)))
		m->n = n;
	for (size_t i = 0; i < m->n; i++)
		m->order[i] = (struct mappings_row){
			.value = value_of(s, (uint32_t)i), .number = (uint32_t)i};
	if (m->n && m->sort != MAPPINGS_BY_ADDRESS)
		qsort_r(m->order, m->n, sizeof(*m->order), compare, s);
	for (size_t i = 0; space && i < m->n; i++)
		m->keys[i] = space->mappings[m->order[i].number].start + 1;
	sm_list_set(&m->table.list, m->keys, m->n);
	m->table.matched = m->n;
}

/* --- keys --------------------------------------------------------------------------- */

static const struct mapping *selected(struct screen *s)
{
	struct mappings *m = &s->mappings;

	if (!m->table.list.present || m->table.list.at >= m->n || !s->in.space ||
		m->order[m->table.list.at].number >= s->in.space->n)
		return NULL;
	return &s->in.space->mappings[m->order[m->table.list.at].number];
}

void mappings_open(struct screen *s)
{
	const struct mapping *m = state_mapping(s);

	s->view = VIEW_MAPPINGS;
	s->mappings.table.list.selected = m ? m->start + 1 : 0;
	mappings_arrange(s);
}

static bool sort_by(struct screen *s, enum mappings_sort sort)
{
	s->mappings.sort = sort;
	mappings_arrange(s);
	return true;
}

bool mappings_key(struct screen *s, int key)
{
	const struct mapping *m;

	switch (key) {
	case 's':
		return sort_by(s, MAPPINGS_BY_SIZE);
	case 'r':
		return sort_by(s, MAPPINGS_BY_RAM);
	case 'w':
		return sort_by(s, MAPPINGS_BY_SWAP);
	case 'a':
		return sort_by(s, MAPPINGS_BY_ADDRESS);
	case 'n':
		return sort_by(s, MAPPINGS_BY_NAME);
	case SM_KEY_ENTER:
		m = selected(s);
		if (m)
			state_set_cursor(s, m->first);
		s->view = VIEW_MAP;
		return true;
	}
	return sm_list_key(&s->mappings.table.list, key);
}

void mappings_click(struct screen *s)
{
	static const int sort[] = {[ADDRESS] = MAPPINGS_BY_ADDRESS,
		[SIZE] = MAPPINGS_BY_SIZE,
		[RAM] = MAPPINGS_BY_RAM,
		[SWAP] = MAPPINGS_BY_SWAP,
		[USAGE... PERM] = NO_SORT,
		[DENSITY] = MAPPINGS_BY_RAM,
		[NAME] = MAPPINGS_BY_NAME};
	unsigned int col;

	if (sm_tui_table_click(&s->mappings.table, &s->base.tui, &col) ==
			SM_TUI_HIT_HEAD &&
		sort[col] != NO_SORT)
		sort_by(s, sort[col]);
}

/* --- the table ---------------------------------------------------------------------- */

int mappings_init(struct screen *s)
{
	struct mappings *m = &s->mappings;
	int err;

	memcpy(m->columns, columns, sizeof(columns));
	err = sm_tui_table_init(&m->table, m->columns, MAPPINGS_COLUMNS);
	m->table.row = fill_row;
	m->table.style = style;
	m->table.ctx = s;
	m->table.none = "there are no mappings";
	return err;
}

void mappings_fini(struct mappings *m)
{
	sm_tui_table_fini(&m->table);
	sm_buf_fini(&m->density);
	sm_buf_fini(&m->name);
	free(m->order);
	free(m->keys);
}

void mappings_draw(struct screen *s, int row, int lines)
{
	static const int sorted[] = {[MAPPINGS_BY_ADDRESS] = ADDRESS,
		[MAPPINGS_BY_SIZE] = SIZE,
		[MAPPINGS_BY_RAM] = RAM,
		[MAPPINGS_BY_SWAP] = SWAP,
		[MAPPINGS_BY_NAME] = NAME};

	for (unsigned int k = 0; k < USAGE_KEYS; k++)
		sm_table_show(&s->mappings.table.table, USAGE + k, s->in.usages != NULL);
	s->mappings.table.sorted = sorted[s->mappings.sort];
	sm_tui_table_draw(&s->mappings.table, &s->base.tui, row, lines);
}
