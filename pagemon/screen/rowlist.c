// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "rowlist.h"

int rowlist_init(struct rowlist *l, const struct sm_column *columns, const int8_t *orders,
	unsigned int n)
{
	int err = sm_tui_table_init(&l->table, columns, n);

	if (!err)
		memcpy(l->table.orders, orders, n);
	return err;
}

void rowlist_fini(struct rowlist *l)
{
	sm_tui_table_fini(&l->table);
	free(l->rows);
	free(l->keys);
}

/* --- rows --------------------------------------------------------------------------- */

size_t rowlist_begin(struct rowlist *l, size_t n)
{
	l->n = 0;
	if (sm_array_reserve(&l->rows, &l->cap, n, sizeof(*l->rows)) ||
		sm_array_reserve(&l->keys, &l->keys_cap, n, sizeof(*l->keys)))
		return 0;
	return n;
}

static int compare_names(struct sm_str a, struct sm_str b)
{
	int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);

	return order ? order : (a.n > b.n) - (a.n < b.n);
}

static int compare(const void *x, const void *y)
{
	const struct rowlist_row *a = x, *b = y;
	int order = a->value < b->value ? 1 : -1;

	if (a->value == b->value)
		order = compare_names(a->name, b->name);
	return order ? order : a->key < b->key ? -1 : 1;
}

void rowlist_sort(struct rowlist *l)
{
	if (l->n)
		qsort(l->rows, l->n, sizeof(*l->rows), compare);
	for (size_t i = 0; i < l->n; i++)
		l->keys[i] = l->rows[i].key;
	sm_list_set(&l->table.list, l->keys, l->n);
	l->table.matched = l->n;
}

/* --- keys --------------------------------------------------------------------------- */

static void sort_by(struct rowlist *l, int order)
{
	l->table.order = order;
	l->arrange(l->table.ctx);
}

bool rowlist_key(struct rowlist *l, int key)
{
	const char *letter = key > 0 && key < 128 ? strchr(l->letters, key) : NULL;

	if (key == SM_KEY_ENTER)
		l->enter(l->table.ctx);
	else if (!letter)
		return sm_list_key(&l->table.list, key);
	else
		sort_by(l, (int)(letter - l->letters));
	return true;
}

bool rowlist_click(struct rowlist *l, struct sm_tui *t)
{
	int order;
	enum sm_tui_hit hit = sm_tui_table_click(&l->table, t, &order);

	if (hit == SM_TUI_HIT_HEAD)
		sort_by(l, order);
	return hit == SM_TUI_HIT_SELECTED;
}
