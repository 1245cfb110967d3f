// SPDX-License-Identifier: GPL-2.0-or-later
#include "space.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

int space_init_names(struct space *s, size_t names_bytes)
{
	*s = (struct space){.names_bytes = names_bytes,
		.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE)};
	return sm_strpool_new(&s->names, names_bytes);
}

void space_fini(struct space *s)
{
	sm_strpool_free(s->names);
	free(s->mappings);
	free(s->next);
	sm_buf_fini(&s->line);
	*s = (struct space){0};
}

/* Releases the name of a mapping.  Empty names are not in the pool. */
static void put_name(struct space *s, const struct mapping *m)
{
	if (m->name_len)
		sm_strpool_put(s->names,
			(const void *)(m->name - offsetof(struct sm_poolstr, s)));
}

static size_t names_room(const struct space *s)
{
	return s->names_bytes - sm_strpool_bytes(s->names);
}

/* Stores the name, truncated if the pool has no room for all of it. */
static int take_name(struct space *s, struct mapping *m, struct sm_str name)
{
	struct sm_poolstr *ref = NULL;

	m->name = "";
	if (!name.n)
		return 0;
	ref = sm_strpool_get(s->names, name.p, name.n, 0);
	if (!ref && name.n <= names_room(s))
		return -ENOMEM;
	if (!ref) {
		m->name_cut = 1;
		name.n = names_room(s);
		if (!name.n)
			return 0;
		ref = sm_strpool_get(s->names, name.p, name.n, 0);
		if (!ref)
			return -ENOMEM;
	}
	m->name = ref->s;
	m->name_len = ref->len;
	return 0;
}

/* Compares names.  A truncated name differs as soon as the pool has room for all of it.
 */
static bool same_name(const struct space *s, const struct mapping *m, struct sm_str name)
{
	if (m->name_cut ? name.n <= m->name_len || name.n <= names_room(s)
			: name.n != m->name_len)
		return false;
	return !m->name_len || memcmp(m->name, name.p, m->name_len) == 0;
}

static bool same(const struct space *s, const struct mapping *m, const struct sm_vma *v)
{
	return m->start == v->start && m->end == v->end && m->perms == v->perms &&
	       m->offset_bytes == v->offset_bytes && m->inode == v->inode &&
	       m->dev_major == v->dev_major && m->dev_minor == v->dev_minor &&
	       same_name(s, m, v->name);
}

/* Returns the ordinal after the mappings read so far. */
static uint64_t pages_so_far(const struct space *s)
{
	const struct mapping *last = NULL;

	if (s->next_n)
		last = &s->next[s->next_n - 1];
	else if (s->same)
		last = &s->mappings[s->same - 1];
	return last ? last->first + mapping_pages(s, last) : 0;
}

static int add(void *ctx, const struct sm_vma *v)
{
	struct space *s = ctx;
	struct mapping *m;
	int err;

	if (!s->next_n && s->same < s->n && same(s, &s->mappings[s->same], v)) {
		s->same++;
		return 0;
	}
	err = sm_array_reserve(&s->next, &s->next_cap, s->next_n + 1, sizeof(*s->next));
	if (err < 0)
		return err;
	m = &s->next[s->next_n];
	*m = (struct mapping){.start = v->start,
		.end = v->end,
		.first = pages_so_far(s),
		.offset_bytes = v->offset_bytes,
		.inode = v->inode,
		.dev_major = v->dev_major,
		.dev_minor = v->dev_minor,
		.perms = (uint8_t)v->perms};
	err = take_name(s, m, v->name);
	if (err < 0)
		return err;
	s->next_n++;
	return 0;
}

static void drop_next(struct space *s)
{
	for (size_t i = 0; i < s->next_n; i++)
		put_name(s, &s->next[i]);
	s->next_n = 0;
}

/* Replaces the mappings starting with number `same` by those in `next`. */
static int take_next(struct space *s)
{
	size_t n = s->same + s->next_n;
	int err = sm_array_reserve(&s->mappings, &s->cap, n, sizeof(*s->mappings));

	if (err < 0)
		return err;
	s->pages = pages_so_far(s);
	for (size_t i = s->same; i < s->n; i++)
		put_name(s, &s->mappings[i]);
	if (s->next_n)
		memcpy(&s->mappings[s->same], s->next, s->next_n * sizeof(*s->next));
	s->n = n;
	s->next_n = 0;
	s->names_cut = 0;
	for (size_t i = 0; i < n; i++)
		s->names_cut += s->mappings[i].name_cut;
	s->generation++;
	return 1;
}

int space_update(struct space *s, int maps_fd)
{
	int err;

	s->same = 0;
	err = sm_maps_read(maps_fd, &s->line, add, s);
	if (err == 0 && !s->next_n && s->same == s->n)
		return 0;
	if (err == 0)
		err = take_next(s);
	if (err < 0)
		drop_next(s);
	return err;
}

const struct mapping *space_of_page(const struct space *s, uint64_t ordinal)
{
	size_t low = 0, high = s->n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (s->mappings[middle].first <= ordinal)
			low = middle;
		else
			high = middle;
	}
	return &s->mappings[low];
}

const struct mapping *space_at_or_above(const struct space *s, uint64_t address)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->mappings[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->n ? &s->mappings[low] : NULL;
}

uint64_t space_address(const struct space *s, uint64_t ordinal)
{
	const struct mapping *m = space_of_page(s, ordinal);

	return m->start + (ordinal - m->first) * s->page_bytes;
}

uint64_t space_ordinal(const struct space *s, uint64_t address)
{
	const struct mapping *m = space_at_or_above(s, address);

	if (!m)
		return s->pages;
	return address <= m->start ? m->first
				   : m->first + (address - m->start) / s->page_bytes;
}
