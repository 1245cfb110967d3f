// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "proc/smaps.h"
#include "usage.h"

static const enum sm_smaps_figure figure[USAGE_DELETED] = {
	[USAGE_PSS] = SM_SMAPS_PSS,
	[USAGE_SWAP_PSS] = SM_SMAPS_SWAP_PSS,
	[USAGE_REFERENCED] = SM_SMAPS_REFERENCED,
	[USAGE_LAZY_FREE] = SM_SMAPS_LAZY_FREE,
	[USAGE_LOCKED] = SM_SMAPS_LOCKED,
};

static void add(struct usage *u, enum usage_key key, uint64_t kb)
{
	u->known |= 1u << key;
	u->kb[key] += kb;
}

/* Returns the usage of this mapping, or NULL if it has changed since maps was read. */
static struct usage *find(struct usages *u, uint64_t start, uint64_t end)
{
	const struct mapping *m = u->space->mappings;

	while (u->at < u->space->n && m[u->at].start < start)
		u->at++;
	if (u->at == u->space->n || m[u->at].start != start || m[u->at].end != end)
		return NULL;
	return &u->each[u->at];
}

static int take(void *ctx, uint64_t start, uint64_t end, const struct sm_smaps *s)
{
	struct usages *u = ctx;
	struct usage *one = find(u, start, end);
	uint64_t kb;

	for (enum usage_key k = 0; k < USAGE_DELETED; k++) {
		if (sm_smaps_get(s, figure[k], &kb) < 0)
			continue;
		add(&u->total, k, kb);
		if (one)
			add(one, k, kb);
	}
	return 0;
}

static bool is_odd(const struct usages *u, const struct mapping *m)
{
	for (size_t i = 0; i < u->nodd; i++)
		if (u->odd[i].inode == m->inode && u->odd[i].name_len == m->name_len)
			return true;
	return false;
}

/* Returns whether the file was deleted.  Without memory for u->odd, it is looked up
 * again. */
static bool is_deleted(struct usages *u, const struct mapping *m)
{
	const struct sm_vma v = {.inode = m->inode,
		.dev_major = m->dev_major,
		.dev_minor = m->dev_minor,
		.name = {m->name, m->name_len}};
	int r = is_odd(u, m) ? 0 : sm_maps_deleted(&v);

	if (r == -EEXIST &&
		!sm_array_reserve(&u->odd, &u->odd_cap, u->nodd + 1, sizeof(*u->odd)))
		u->odd[u->nodd++] = (struct usage_odd){m->inode, m->name_len};
	return r == 1;
}

static void add_deleted(struct usages *u, size_t i)
{
	const struct mapping *m = &u->space->mappings[i];
	uint64_t kb = is_deleted(u, m) ? (m->end - m->start) / 1024 : 0;

	add(&u->total, USAGE_DELETED, kb);
	add(&u->each[i], USAGE_DELETED, kb);
}

int usages_read(struct usages *u, int smaps_fd, int maps_fd, const struct space *space)
{
	int err = sm_array_reserve(&u->each, &u->cap, space->n, sizeof(*u->each));

	if (err < 0)
		return err;
	u->space = space;
	u->generation = space->generation;
	u->at = 0;
	u->total = (struct usage){0};
	if (space->n)
		memset(u->each, 0, space->n * sizeof(*u->each));
	err = sm_smaps_read(smaps_fd, maps_fd, &u->line, take, u);
	for (size_t i = 0; !err && i < space->n; i++)
		add_deleted(u, i);
	return err;
}

void usages_fini(struct usages *u)
{
	sm_buf_fini(&u->line);
	free(u->each);
	free(u->odd);
}
