// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "task.h"
#include "threads.h"

#define SPLIT_TICKS 4u /* enough to tell */

void tasks_init(struct tasks *t, struct sm_intern *names)
{
	*t = (struct tasks){.names = names, .top = 1};
}

static void drop_names(struct tasks *t, struct task *k)
{
	sm_intern_put(t->names, k->cmd);
	sm_intern_put(t->names, k->cgroup);
	threads_free(k->threads);
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
	if (t->nblocks == t->blocks_cap) {
		size_t cap = t->blocks_cap ? 2 * t->blocks_cap : 8;
		struct task **v = reallocarray(t->block, cap, sizeof(*v));

		if (!v)
			return false;
		t->block = v;
		t->blocks_cap = cap;
	}
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
	t->state = st->state;
	t->cpu = st->processor;
	t->ppid = st->ppid;
	t->start_ticks = st->start_ticks;
	t->utime_ticks = st->utime_ticks;
	t->stime_ticks = st->stime_ticks;
	t->num_threads = st->num_threads;
}

void split_begin(struct split *p, uint64_t usr, uint64_t sys)
{
	*p = (struct split){.usr = usr, .sys = sys};
}

double split_share(struct split *p, uint64_t usr, uint64_t sys, bool kernel)
{
	uint64_t du = usr > p->usr ? usr - p->usr : 0;
	uint64_t ds = sys > p->sys ? sys - p->sys : 0;

	if (du >= SPLIT_TICKS || ds >= SPLIT_TICKS || du + ds >= SPLIT_TICKS) {
		p->usr = usr;
		p->sys = sys;
		p->share = split_ratio(du, ds);
		p->known = true;
	}
	if (p->known)
		return p->share;
	return !usr && !sys && kernel ? 0 : split_ratio(usr, sys);
}
