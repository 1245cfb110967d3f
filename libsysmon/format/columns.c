// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "format/columns.h"

static int room(struct sm_columns *list, unsigned int n)
{
	unsigned int cap = list->cap ? list->cap : 32;
	struct sm_column *col;

	while (cap - list->n < n)
		cap *= 2;
	if (cap == list->cap)
		return 0;
	col = realloc(list->col, cap * sizeof(*col));
	if (!col)
		return -ENOMEM;
	list->col = col;
	list->cap = cap;
	return 0;
}

int sm_columns_add(struct sm_columns *list, const struct sm_column *col, unsigned int n)
{
	int err = room(list, n);

	if (err)
		return err;
	memcpy(list->col + list->n, col, n * sizeof(*col));
	list->n += n;
	return 0;
}

/* --- names from a label ------------------------------------------------------------ */

enum name { KEY, HEAD, MEMBER };

static const char *name_of(const struct sm_column *c, enum name which)
{
	if (which == KEY)
		return c->key;
	if (which == HEAD)
		return c->head;
	return c->member ? c->member : c->key;
}

static bool same_group(const struct sm_column *a, const struct sm_column *b)
{
	return a->group == b->group ||
	       (a->group && b->group && strcmp(a->group, b->group) == 0);
}

/* Returns true if the name is in use: keys by any column, other names in that group. */
static bool taken(const struct sm_columns *list, const struct sm_column *like,
	enum name which, const char *name)
{
	for (unsigned int i = 0; i < list->n; i++) {
		const char *other = name_of(&list->col[i], which);

		if ((which == KEY || same_group(&list->col[i], like)) && other &&
			strcmp(other, name) == 0)
			return true;
	}
	return false;
}

static void put_key(struct sm_buf *b, const char *label)
{
	for (const char *p = label; *p; p++) {
		char ch = *p;

		if (ch >= 'A' && ch <= 'Z')
			ch = (char)(ch - 'A' + 'a');
		if (!((ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9')))
			ch = '_';
		sm_buf_chr(b, ch);
	}
	if (!*label)
		sm_buf_chr(b, '_');
}

static void put_head(struct sm_buf *b, const char *label)
{
	size_t start = b->len;

	sm_text_human(b, label, strlen(label), SM_TEXT_UTF8);
	for (size_t i = start; i < b->len; i++) /* spaces separate columns */
		if (b->p[i] == ' ')
			b->p[i] = '_';
	if (!*label) /* an empty header would shift the others */
		sm_buf_chr(b, '-');
}

/* Appends the label escaped, without quotes. */
static void put_member(struct sm_buf *b, const char *label)
{
	bool lossy = false;

	sm_text_json(b, label, strlen(label), &lossy);
	if (sm_buf_error(b))
		return;
	b->len -= 2;
	memmove(b->p, b->p + 1, b->len);
}

/* Copies b into a string that the list owns; NULL: out of memory. */
static char *keep(struct sm_columns *list, struct sm_buf *b)
{
	unsigned int cap = list->texts_cap ? 2 * list->texts_cap : 32;
	char **texts = list->text, *s;

	if (list->ntexts == list->texts_cap) {
		texts = realloc(list->text, cap * sizeof(*texts));
		if (!texts)
			return NULL;
		list->text = texts;
		list->texts_cap = cap;
	}
	s = sm_buf_error(b) ? NULL : strdup(b->p);
	if (s)
		texts[list->ntexts++] = s;
	return s;
}

/* Returns LABEL [-N] suffix, with the lowest N >= 2 that makes it unique. */
static char *unique(struct sm_columns *list, const struct sm_column *like,
	enum name which, const char *label, const char *suffix)
{
	static void (*const put[])(struct sm_buf *, const char *) = {
		[KEY] = put_key, [HEAD] = put_head, [MEMBER] = put_member};
	struct sm_buf b = {0};
	char *s;

	for (unsigned int number = 1;; number++) {
		sm_buf_reset(&b);
		put[which](&b, label);
		if (number > 1) {
			sm_buf_chr(&b, which == KEY ? '_' : '-');
			sm_buf_u64(&b, number);
		}
		sm_buf_str(&b, suffix);
		sm_buf_chr(&b, '\0');
		if (sm_buf_error(&b) || !taken(list, like, which, b.p))
			break;
	}
	s = keep(list, &b);
	sm_buf_fini(&b);
	return s;
}

int sm_columns_label(struct sm_columns *list, const struct sm_column *like,
	const char *label, const char *key_suffix)
{
	struct sm_column c = *like;
	size_t width;

	c.key = unique(list, like, KEY, label, key_suffix);
	c.member = unique(list, like, MEMBER, label, "");
	if (!c.head)
		c.head = unique(list, like, HEAD, label, "");
	if (!c.key || !c.member || !c.head)
		return -ENOMEM;
	width = sm_text_width(c.head, strlen(c.head));
	if (c.width < width)
		c.width = (uint16_t)(width < UINT16_MAX ? width : UINT16_MAX);
	return sm_columns_add(list, &c, 1);
}

void sm_columns_fini(struct sm_columns *list)
{
	for (unsigned int i = 0; i < list->ntexts; i++)
		free(list->text[i]);
	free(list->text);
	free(list->col);
	memset(list, 0, sizeof(*list));
}
