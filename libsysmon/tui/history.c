// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/history.h"

#define NAME_WIDTH_MAX 24
#define RIGHT_WIDTH    11 /* of " max 1234.5"; the unit follows */

int sm_history_init(struct sm_history *h, size_t items)
{
	*h = (struct sm_history){.cap = items};
	h->items = calloc(items, sizeof(*h->items));
	return h->items ? sm_map_init(&h->map, items) : -ENOMEM;
}

void sm_history_fini(struct sm_history *h)
{
	sm_map_fini(&h->map);
	free(h->items);
	*h = (struct sm_history){0};
}

static void put(struct sm_history_item *item, uint64_t now, double v)
{
	uint64_t gap = now - item->last;

	if (gap > SM_HISTORY_LENGTH)
		gap = SM_HISTORY_LENGTH;
	for (uint64_t i = 1; i < gap; i++)
		item->v[(now - i) % SM_HISTORY_LENGTH] = 0;
	item->v[now % SM_HISTORY_LENGTH] = (float)v;
	item->last = now;
}

static void start(struct sm_history_item *item, uint64_t key, uint64_t now)
{
	item->key = key;
	item->first = now;
	item->last = now;
}

void sm_history_begin(struct sm_history *h, double whole)
{
	h->now++;
	if (!h->whole.first)
		start(&h->whole, 0, h->now);
	put(&h->whole, h->now, whole);
}

static struct sm_history_item *oldest(struct sm_history *h, uint64_t keep)
{
	struct sm_history_item *found = NULL;

	for (size_t i = 0; i < h->n; i++) {
		struct sm_history_item *item = &h->items[i];

		if (item->last < h->now && item->key != keep &&
			(!found || item->last < found->last))
			found = item;
	}
	return found;
}

static struct sm_history_item *new_item(struct sm_history *h, uint64_t key, uint64_t keep)
{
	struct sm_history_item *item;

	if (h->n < h->cap) {
		item = &h->items[h->n];
	} else {
		item = oldest(h, keep);
		if (!item)
			return NULL;
		(void)sm_map_del(&h->map, item->key);
		item->key = 0;
	}
	if (sm_map_put(&h->map, key, item) < 0)
		return NULL;
	if (h->n < h->cap)
		h->n++;
	start(item, key, h->now);
	return item;
}

void sm_history_add(struct sm_history *h, uint64_t key, double v, uint64_t keep)
{
	struct sm_history_item *item = sm_map_get(&h->map, key);

	if (!item)
		item = new_item(h, key, keep);
	if (item)
		put(item, h->now, v);
}

size_t sm_history_get(
	const struct sm_history *h, uint64_t key, double out[SM_HISTORY_LENGTH])
{
	const struct sm_history_item *item = key ? sm_map_get(&h->map, key) : &h->whole;
	uint64_t n;

	if (!item || !item->first)
		return 0;
	n = h->now - item->first + 1;
	if (n > SM_HISTORY_LENGTH)
		n = SM_HISTORY_LENGTH;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = h->now - n + 1 + i;

		out[i] = at <= item->last ? (double)item->v[at % SM_HISTORY_LENGTH] : 0;
	}
	return (size_t)n;
}

/* --- drawing ----------------------------------------------------------------------- */

void sm_history_cell(const struct sm_history *h, struct sm_tui *t, int row, int column,
	int width, uint64_t key, double max)
{
	double v[SM_HISTORY_LENGTH];
	size_t n = sm_history_get(h, key, v);

	sm_tui_spark(t, row, column, width, v, n, max, SM_TUI_ACCENT);
}

static double largest(const double *v, size_t n)
{
	double max = 0;

	for (size_t i = 0; i < n; i++)
		max = v[i] > max ? v[i] : max;
	return max;
}

/* The text at the right has room for 1234.5, or for a larger number and fewer values. */
void sm_history_line(const struct sm_history *h, struct sm_tui *t, int row, uint64_t key,
	double scale, struct sm_str name, const char *unit)
{
	double v[SM_HISTORY_LENGTH], max;
	size_t n = sm_history_get(h, key, v), shown;
	int width = t->columns / 3 < NAME_WIDTH_MAX ? t->columns / 3 : NAME_WIDTH_MAX;
	int right, text = RIGHT_WIDTH + (int)strlen(unit), room;

	(void)sm_tui_text(t, row, 0, width, SM_TUI_BOLD, name.p, name.n);
	for (size_t i = 0; i < n; i++)
		v[i] *= scale;
	do {
		right = text;
		room = t->columns - width - 1 - right;
		if (!n || room < 1)
			return;
		shown = n < (size_t)room ? n : (size_t)room;
		max = largest(v + n - shown, shown);
		text = snprintf(NULL, 0, " max %.1f%s", max, unit);
	} while (text > right);
	sm_tui_spark(t, row, width + 1, room, v, n, max, SM_TUI_ACCENT);
	(void)sm_tui_printf(
		t, row, t->columns - right, SM_TUI_DIM, " max %.1f%s", max, unit);
}
