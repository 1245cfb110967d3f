// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of a wide CSV file; exited tasks share them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/widecsv_table.h"

/* A row also has two fields of time and "(others)". */
#define PLACES_MAX (SM_WIDECSV_COLUMNS_MAX - 3)
/* A search for exited tasks that makes less room is not repeated in the sample. */
#define ROOM_MIN (PLACES_MAX / 16)

uint64_t sm_widecsv_seed(const struct sm_widecsv *w)
{
	return w->columns.seed;
}

int sm_widecsv_find(const struct sm_widecsv *w, uint64_t key, uint32_t *column)
{
	uintptr_t known = (uintptr_t)sm_map_get(&w->columns, key);

	*column = (uint32_t)known - 1;
	return known ? 0 : -ENOENT;
}

void sm_widecsv_free_columns(struct sm_widecsv *w)
{
	for (uint32_t i = 0; i < w->n; i++)
		free(w->column[i].name);
	free(w->column);
	sm_map_fini(&w->columns);
}

/* --- places ------------------------------------------------------------------------- */

static void put_place(struct sm_widecsv *w, uint32_t id, uint32_t place)
{
	int err = sm_widecsv_save(
		w->places, &place, sizeof(place), (uint64_t)id * sizeof(place));

	if (!w->err)
		w->err = err;
}

static void free_place(struct sm_widecsv *w, uint32_t place)
{
	struct sm_widecsv_column *c = &w->column[place];

	free(c->name);
	*c = (struct sm_widecsv_column){.id = w->free};
	w->free = place + 1;
}

static bool is_full(const struct sm_widecsv *w)
{
	return !w->free && w->n == PLACES_MAX;
}

static size_t used_places(const struct sm_widecsv *w)
{
	return w->columns.used;
}

/* Each search reads a file per column, so the next one waits for a sample unless this one
 * made room for many columns. */
static void make_room(struct sm_widecsv *w)
{
	size_t before = used_places(w);

	if (w->crowded)
		return;
	sm_widecsv_share(w, true);
	w->crowded = before - used_places(w) < ROOM_MIN;
}

/* Returns a free place, or -ENOSPC. */
static int64_t new_place(struct sm_widecsv *w)
{
	uint32_t place = w->free - 1;

	if (w->free) {
		w->free = w->column[place].id;
		return place;
	}
	if (w->n == PLACES_MAX ||
		sm_array_reserve(&w->column, &w->cap, w->n + 1, sizeof(*w->column)) < 0)
		return -ENOSPC;
	return w->n++;
}

static char *copy_names(const struct sm_widecsv_name *name)
{
	const char *second = name->second ? name->second : "";
	char *text = malloc(name->name.n + strlen(second) + 2);

	if (!text)
		return NULL;
	if (name->name.n)
		memcpy(text, name->name.p, name->name.n);
	text[name->name.n] = '\0';
	strcpy(text + name->name.n + 1, second);
	return text;
}

uint32_t sm_widecsv_column(
	struct sm_widecsv *w, uint64_t key, const struct sm_widecsv_name *name)
{
	int64_t place;

	if (is_full(w))
		make_room(w);
	place = w->ids < SM_WIDECSV_OTHERS ? new_place(w) : -ENOSPC;
	if (place < 0)
		return SM_WIDECSV_OTHERS;
	w->column[place] = (struct sm_widecsv_column){.key = key,
		.sample = w->samples,
		.task = name->task,
		.id = w->ids,
		.name = copy_names(name),
		.n = name->name.n};
	if (!w->column[place].name ||
		sm_map_put(&w->columns, key, (void *)(uintptr_t)(place + 1)) < 0) {
		free_place(w, (uint32_t)place);
		return SM_WIDECSV_OTHERS;
	}
	put_place(w, w->ids++, (uint32_t)place);
	return (uint32_t)place;
}

/* --- exited tasks ------------------------------------------------------------------- */

static uint64_t shared_key(const struct sm_widecsv *w, const struct sm_widecsv_column *c)
{
	size_t n = c->n + 1 + strlen(sm_widecsv_second(c));
	uint64_t key = sm_map_hash_bytes(c->name, n, ~w->columns.seed);

	return key ? key : 1;
}

static void add_to(struct sm_widecsv_column *to, const struct sm_widecsv_column *c)
{
	to->amount += c->amount;
	if (to->task.tid != c->task.tid || to->task.tgid != c->task.tgid)
		to->task = (struct sm_widecsv_task){-1, -1, 0};
}

/* The first exited task of these names keeps its place. */
static void share(struct sm_widecsv *w, uint32_t place)
{
	struct sm_widecsv_column *c = &w->column[place];
	uint64_t key = shared_key(w, c);
	uint32_t shared;

	if (sm_widecsv_find(w, key, &shared) < 0) {
		if (sm_map_put(&w->columns, key, (void *)(uintptr_t)(place + 1)) < 0)
			return;
		(void)sm_map_del(&w->columns, c->key);
		c->key = key;
		c->shared = true;
		return;
	}
	add_to(&w->column[shared], c);
	put_place(w, c->id, shared);
	(void)sm_map_del(&w->columns, c->key);
	free_place(w, place);
}

/* Searching after 1, 2, 4, 8 ... samples costs little for tasks that sleep long. */
static bool is_due(const struct sm_widecsv *w, const struct sm_widecsv_column *c)
{
	uint64_t idle = w->samples - c->sample;

	return idle && (idle & (idle - 1)) == 0;
}

void sm_widecsv_share(struct sm_widecsv *w, bool all)
{
	for (uint32_t i = 0; i < w->n && w->want.exited; i++) {
		const struct sm_widecsv_column *c = &w->column[i];

		if (c->key && !c->shared && c->task.tgid > 0 && (all || is_due(w, c)) &&
			w->want.exited(w->want.ctx, &c->task))
			share(w, i);
	}
}
