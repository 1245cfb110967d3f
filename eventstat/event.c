// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/map.h"
#include "event.h"

uint64_t event_key(const struct event *e, uint64_t seed)
{
	uint64_t part[] = {(uint32_t)e->tid, (uint32_t)e->tgid, e->func, e->kind,
		e->flags & EVENT_KTHREAD, e->timer_id};
	uint64_t key = sm_map_hash_bytes(part, sizeof(part), seed);

	if (e->flags & EVENT_GROUP && e->tid < 0)
		key = sm_map_hash_bytes(e->comm.p, e->comm.n, key);
	return key ? key : 1;
}
