// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "groups.h"

/* A birth whose event was lost is dropped after this time. */
#define WAIT_NS (2 * SM_NSEC_PER_SEC)
#define SWEEP	1024
/* See CLOCK_SLACK_NS in capture.c. */
#define CLOCK_SLACK_NS UINT64_C(20000)

int groups_init(struct groups *g, struct sm_strpool *pool)
{
	int err = sm_map_init(&g->moves, 16);

	if (!err)
		err = sm_map_init(&g->births, 16);
	return err ? err : sm_cgroup_names_init(&g->names, pool);
}

static void drop_notes(struct groups *g, struct group_note *n)
{
	struct group_note *older;

	for (; n; n = older) {
		older = n->older;
		sm_strpool_put(g->names.pool, n->path);
		free(n);
	}
}

/* Drops births whose fork event was lost.  Moves are kept for the next event of their
 * process. */
static void sweep_births(struct groups *g)
{
	struct group_note *n;

	for (size_t i = 0; i < g->births.cap; i++)
		while ((n = g->births.slots[i].val) && n->time_ns + WAIT_NS < g->asked_ns)
			drop_notes(g, sm_map_del(&g->births, g->births.slots[i].key));
}

static struct group_note *newest_note(const struct sm_map *map, pid_t pid)
{
	return map->used ? sm_map_get(map, (uint64_t)pid) : NULL;
}

void groups_note(
	struct groups *g, const struct execbpf_group *record, int64_t clock_offset_ns)
{
	struct sm_map *map = record->born ? &g->births : &g->moves;
	struct group_note *n = malloc(sizeof(*n));

	if (!n)
		return;
	n->time_ns = record->time_ns + (uint64_t)clock_offset_ns;
	n->path = sm_strpool_ref(sm_cgroup_names_get(&g->names, record->cgroup));
	n->older = newest_note(map, record->pid);
	if (sm_map_put(map, (uint64_t)record->pid, n) < 0) {
		n->older = NULL;
		drop_notes(g, n);
	} else if (record->born && map->used >= SWEEP && map->used % SWEEP == 0) {
		sweep_births(g);
	}
}

/* Removes the note *link and all older ones from the chain of the pid.  Returns a new
 * reference to its path. */
static struct sm_poolstr *take_note(
	struct groups *g, struct sm_map *map, pid_t pid, struct group_note **link)
{
	struct group_note *n = *link;
	struct sm_poolstr *path = sm_strpool_ref(n->path);

	if (n == newest_note(map, pid))
		sm_map_del(map, (uint64_t)pid);
	*link = NULL;
	drop_notes(g, n);
	return path;
}

bool groups_moved(struct groups *g, pid_t pid, uint64_t time_ns, struct sm_poolstr **path)
{
	struct group_note *newest = newest_note(&g->moves, pid);
	struct group_note **link = &newest;

	while (*link && (*link)->time_ns > time_ns)
		link = &(*link)->older;
	if (!*link)
		return false;
	*path = take_note(g, &g->moves, pid, link);
	return true;
}

/* Was the birth recorded after the fork event?  The stamp of the event can be ahead. */
static bool is_birth(const struct group_note *n, uint64_t time_ns)
{
	return n && n->time_ns + CLOCK_SLACK_NS >= time_ns;
}

bool groups_has_born(const struct groups *g, pid_t pid, uint64_t time_ns)
{
	return is_birth(newest_note(&g->births, pid), time_ns);
}

bool groups_born(struct groups *g, pid_t pid, uint64_t time_ns, struct sm_poolstr **path)
{
	struct group_note *newest = newest_note(&g->births, pid);
	struct group_note **link = &newest;

	if (time_ns > g->asked_ns)
		g->asked_ns = time_ns;
	if (!is_birth(newest, time_ns))
		return false;
	while (is_birth((*link)->older, time_ns))
		link = &(*link)->older;
	*path = take_note(g, &g->births, pid, link);
	return true;
}

static void close_notes(struct groups *g, struct sm_map *map)
{
	struct group_note *n;

	for (size_t i = 0; map->slots && (n = sm_map_next(map, &i));)
		drop_notes(g, n);
	sm_map_fini(map);
}

void groups_fini(struct groups *g)
{
	close_notes(g, &g->moves);
	close_notes(g, &g->births);
	sm_cgroup_names_fini(&g->names);
}
