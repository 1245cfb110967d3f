// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/map.h"
#include "event.h"

uint64_t event_woke_key(const struct event *e, uint64_t seed)
{
	return e->woke ? sm_map_hash_bytes(
				 e->woke_comm, sizeof(e->woke_comm), seed + e->woke)
		       : seed;
}

uint64_t event_key(const struct event *e, uint64_t seed)
{
	/* A row of all tasks of a user has neither ID nor birth. */
	uint64_t whose = e->tgid < 0 && e->flags & EVENT_HAS_UID ? e->uid : e->birth;
	uint64_t part[] = {(uint32_t)e->tid, (uint32_t)e->tgid, whose, e->func, e->kind,
		e->flags & (EVENT_KTHREAD | EVENT_INTERRUPT),
		(uint64_t)e->irq << 32 | e->timer_id};
	uint64_t key = sm_map_hash_bytes(part, sizeof(part), seed);

	key = event_woke_key(e, key);
	if (e->flags & EVENT_GROUP && e->tid < 0)
		key = sm_map_hash_bytes(e->comm.p, e->comm.n, key);
	return key ? key : 1;
}

const char *event_cause_name(uint32_t cause)
{
	static const char *const names[SM_WAKE_CAUSES] = {
		[SM_WAKE_UNKNOWN] = "unknown",
		[SM_WAKE_CLOCK] = "clock",
		[SM_WAKE_IRQ] = "irq",
		[SM_WAKE_HRTIMER] = "hrtimer",
		[SM_WAKE_WHEEL] = "wheel",
		[SM_WAKE_CALL] = "call",
		[SM_WAKE_RESCHEDULE] = "reschedule",
		[SM_WAKE_FLAG] = "flag",
		[SM_WAKE_VECTOR] = "vector",
		[SM_WAKE_LIMIT] = "limit",
	};

	return cause < SM_WAKE_CAUSES ? names[cause] : "";
}

bool event_is_by_timer(uint32_t cause)
{
	return cause == SM_WAKE_HRTIMER || cause == SM_WAKE_WHEEL;
}

bool event_has_sender(uint32_t cause)
{
	return cause == SM_WAKE_CALL || cause == SM_WAKE_RESCHEDULE ||
	       cause == SM_WAKE_FLAG;
}

bool event_has_task(const struct event *e)
{
	if (e->type == EVENT_TIMER || e->kind == EVENT_SEVERAL ||
		event_is_by_timer(e->kind))
		return true;
	return event_has_sender(e->kind) && e->tid != 0;
}
