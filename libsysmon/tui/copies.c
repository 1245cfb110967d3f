// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tui/copies.h"

struct sm_copies_names {
	char name[2][SM_COPIES_NAME_BYTES];
};

static void *row_at(const struct sm_copies *c, size_t i)
{
	return (char *)c->rows + i * c->type->size;
}

static struct sm_str *name_of(const struct sm_copies *c, void *row, size_t k)
{
	return (struct sm_str *)((char *)row + c->type->names[k]);
}

static const struct sm_poolstr *pooled(
	const struct sm_copies *c, const void *row, size_t k)
{
	return *(
		const struct sm_poolstr *const *)((const char *)row + c->type->pooled[k]);
}

static void put_strings(struct sm_copies *c, const void *row)
{
	for (size_t k = 0; k < SM_ARRAY_SIZE(c->type->pooled); k++)
		sm_strpool_put(c->pool, pooled(c, row, k));
}

static void release(struct sm_copies *c)
{
	for (size_t i = 0; i < c->n; i++)
		put_strings(c, row_at(c, i));
	c->n = 0;
}

void sm_copies_fini(struct sm_copies *c)
{
	release(c);
	free(c->names);
	free(c->rows);
}

static void hold_strings(const struct sm_copies *c, const void *row)
{
	for (size_t k = 0; k < SM_ARRAY_SIZE(c->type->pooled); k++)
		(void)sm_strpool_ref(pooled(c, row, k));
}

static void copy_names(const struct sm_copies *c, void *row, struct sm_copies_names *to)
{
	for (size_t k = 0; k < c->type->nnames; k++) {
		struct sm_str *name = name_of(c, row, k);

		if (name->n > SM_COPIES_NAME_BYTES)
			name->n = SM_COPIES_NAME_BYTES;
		if (name->n)
			memmove(to->name[k], name->p, name->n);
		name->p = to->name[k];
	}
}

int sm_copies_take(struct sm_copies *c, const void *rows, size_t n)
{
	release(c);
	if (sm_array_reserve(&c->rows, &c->cap, n, c->type->size) ||
		sm_array_reserve(&c->names, &c->names_cap, n, sizeof(*c->names)))
		return -ENOMEM;
	if (n)
		memcpy(c->rows, rows, n * c->type->size);
	for (size_t i = 0; i < n; i++) {
		hold_strings(c, row_at(c, i));
		copy_names(c, row_at(c, i), &c->names[i]);
	}
	c->n = n;
	return 0;
}

void sm_copies_renew(struct sm_copies *c, void *row, const void *from)
{
	/* The first name shows which names are the row's: rows may have been exchanged.
	 */
	size_t i =
		(size_t)(name_of(c, row, 0)->p - c->names[0].name[0]) / sizeof(*c->names);

	hold_strings(c, from);
	put_strings(c, row);
	memcpy(row, from, c->type->size);
	copy_names(c, row, &c->names[i]);
}
