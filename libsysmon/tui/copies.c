// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tui/copies.h"

static void *member(const struct sm_copies *c, size_t i, size_t offset)
{
	return (char *)c->rows + i * c->type->size + offset;
}

static const struct sm_poolstr *pooled(const struct sm_copies *c, size_t i, size_t k)
{
	return *(const struct sm_poolstr **)member(c, i, c->type->pooled[k]);
}

static void release(struct sm_copies *c)
{
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < SM_ARRAY_SIZE(c->type->pooled); k++)
			sm_strpool_put(c->names, pooled(c, i, k));
	c->n = 0;
}

void sm_copies_fini(struct sm_copies *c)
{
	release(c);
	sm_buf_fini(&c->text);
	free(c->rows);
}

static void add_texts(struct sm_copies *c, size_t i)
{
	for (unsigned int k = 0; k < c->type->ntexts; k++) {
		const struct sm_str *text = member(c, i, c->type->texts[k]);

		sm_buf_add(&c->text, text->p, text->n);
	}
	if (c->type->string) {
		const char *text = *(const char **)member(c, i, c->type->string);

		sm_buf_add(&c->text, text, strlen(text) + 1);
	}
}

/* Lets a row point to its texts at `at`.  Returns the place after them. */
static const char *set_texts(struct sm_copies *c, size_t i, const char *at)
{
	for (unsigned int k = 0; k < c->type->ntexts; k++) {
		struct sm_str *text = member(c, i, c->type->texts[k]);

		text->p = at;
		at += text->n;
	}
	if (c->type->string) {
		*(const char **)member(c, i, c->type->string) = at;
		at += strlen(at) + 1;
	}
	return at;
}

/* The buffer moves while it grows, so the pointers into it are set at the end. */
static int take_texts(struct sm_copies *c, size_t n)
{
	const char *at;

	sm_buf_reset(&c->text);
	for (size_t i = 0; i < n; i++)
		add_texts(c, i);
	if (sm_buf_error(&c->text))
		return -ENOMEM;
	at = c->text.p ? c->text.p : "";
	for (size_t i = 0; i < n; i++)
		at = set_texts(c, i, at);
	return 0;
}

int sm_copies_take(struct sm_copies *c, const void *rows, size_t n)
{
	release(c);
	if (sm_array_reserve(&c->rows, &c->cap, n, c->type->size))
		return -ENOMEM;
	if (n)
		memcpy(c->rows, rows, n * c->type->size);
	if (take_texts(c, n))
		return -ENOMEM;
	c->n = n;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < SM_ARRAY_SIZE(c->type->pooled); k++)
			(void)sm_strpool_ref(pooled(c, i, k));
	return 0;
}
