// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "proc/threads.h"
#include "task.h"

void tasks_init(struct tasks *t, struct sm_strpool *names)
{
	*t = (struct tasks){.names = names, .top = 1};
}

static void drop_names(struct tasks *t, struct task *k)
{
	sm_strpool_put(t->names, k->cmd);
	sm_strpool_put(t->names, k->cgroup);
	sm_threads_free(k->threads);
	k->cmd = k->cgroup = NULL;
	k->threads = NULL;
}

void tasks_fini(struct tasks *t)
{
	for (uint32_t i = 1; i < t->top; i++)
		drop_names(t, task_at(t, i));
	for (size_t i = 0; i < t->nblocks; i++)
		free(t->block[i]);
	free(t->block);
	*t = (struct tasks){0};
}

static bool add_block(struct tasks *t)
{
	if (sm_array_reserve(
		    &t->block, &t->blocks_cap, t->nblocks + 1, sizeof(*t->block)))
		return false;
	t->block[t->nblocks] = calloc(TASKS_BLOCK, sizeof(struct task));
	if (!t->block[t->nblocks])
		return false;
	t->nblocks++;
	return true;
}

uint32_t tasks_new(struct tasks *t, pid_t pid)
{
	uint32_t id = t->free;

	if (id) {
		t->free = task_at(t, id)->next;
	} else {
		if (t->top >= t->nblocks * TASKS_BLOCK && !add_block(t))
			return 0;
		id = (uint32_t)t->top++;
	}
	*task_at(t, id) = (struct task){.pid = pid, .cpu = -1};
	return id;
}

void tasks_retire(struct tasks *t, uint32_t id)
{
	if (!id)
		return;
	task_at(t, id)->next = t->retired;
	t->retired = id;
}

void tasks_reclaim(struct tasks *t)
{
	while (t->retired) {
		uint32_t id = t->retired;
		struct task *k = task_at(t, id);

		t->retired = k->next;
		drop_names(t, k);
		k->next = t->free;
		t->free = id;
	}
}

void task_update(struct task *t, const struct sm_pidstat *st)
{
	if (t->comm_len != st->comm_len || memcmp(t->comm, st->comm, st->comm_len) != 0) {
		memcpy(t->comm, st->comm, st->comm_len + 1);
		t->comm_len = (uint8_t)st->comm_len;
		t->flags &= (uint8_t) ~(TASK_NAMED | TASK_CREDS);
	}
	if (st->flags & SM_PF_KTHREAD)
		t->flags |= TASK_KTHREAD;
	t->ppid = st->ppid;
	t->start_ticks = st->start_ticks;
	t->utime_ticks = st->utime_ticks;
	t->stime_ticks = st->stime_ticks;
	t->num_threads = st->num_threads;
}
