// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "timers/timerfeed.h"

int sm_timerfeed_init(
	struct sm_timerfeed *f, const struct sm_root *root, unsigned int sources)
{
	int err;

	*f = (struct sm_timerfeed){.n = sources};
	err = sm_timermodel_init(&f->model);
	if (!err)
		err = sm_taskcomm_init(&f->tasks, root);
	if (err)
		return err;
	f->next = calloc(sources ? sources : 1, sizeof(*f->next));
	f->time_ns = calloc(sources ? sources : 1, sizeof(*f->time_ns));
	if (!f->next || !f->time_ns)
		return -ENOMEM;
	for (unsigned int i = 0; i < sources; i++)
		f->time_ns[i] = SM_TIMERFEED_NONE;
	return 0;
}

void sm_timerfeed_fini(struct sm_timerfeed *f)
{
	sm_timermodel_fini(&f->model);
	sm_taskcomm_fini(&f->tasks);
	free(f->next);
	free(f->time_ns);
	*f = (struct sm_timerfeed){0};
}

/* --- one event --------------------------------------------------------------------- */

/* Notes the name of the current task, which may have changed. */
static void name_owner(
	struct sm_timerfeed *f, const struct sm_timer_event *e, struct sm_timer_counts *c)
{
	char comm[SM_TASK_COMM_LEN] = "";

	if (e->tid == 0)
		snprintf(comm, sizeof(comm), "swapper/%u", e->cpu);
	else
		memcpy(comm, sm_taskcomm_get(&f->tasks, e->tid).comm, sizeof(comm));
	if (strncmp(comm, c->comm, sizeof(comm)) == 0)
		return;
	memcpy(c->comm, comm, sizeof(comm));
	if (e->tgid)
		memcpy(c->process, sm_taskcomm_get(&f->tasks, e->tgid).comm,
			sizeof(c->process));
	c->named_ns = e->time_ns;
}

/* Sets process and birth of the current task; the idle tasks of all CPUs are one. */
static void set_task(struct sm_timerfeed *f, struct sm_timer_event *e)
{
	struct sm_taskcomm_entry task;

	if (!e->tid)
		return;
	task = sm_taskcomm_get(&f->tasks, e->tid);
	e->birth = task.birth;
	if (!e->tgid)
		e->tgid = task.tgid;
}

static void count(struct sm_timerfeed *f, const struct sm_timer_event *event)
{
	struct sm_timer_event e = *event;
	struct sm_timer_counts *armed;

	set_task(f, &e);
	armed = sm_timermodel_add(&f->model, &e);
	if (armed)
		name_owner(f, &e, armed);
}

static uint64_t boot_ns(uint64_t mono_ns)
{
	return mono_ns + (uint64_t)sm_clock_boot_offset_ns();
}

static void add_task(struct sm_timerfeed *f, const struct sm_timer_event *e)
{
	struct sm_taskcomm_entry task = {
		.tid = e->tid, .tgid = e->tgid, .birth = boot_ns(e->time_ns)};

	memcpy(task.comm, e->comm, sizeof(task.comm));
	sm_taskcomm_made(&f->tasks, &task, e->parent);
}

static void give(struct sm_timerfeed *f, const struct sm_timer_event *e)
{
	switch (e->type) {
	case SM_TIMER_TASK_NEW:
		add_task(f, e);
		break;
	case SM_TIMER_TASK_NAME:
		sm_taskcomm_named(&f->tasks, e->tid, e->comm);
		break;
	case SM_TIMER_TASK_EXIT:
		sm_taskcomm_exited(&f->tasks, e->tid);
		break;
	default:
		count(f, e);
	}
}

/* --- order ------------------------------------------------------------------------- */

static void fetch(struct sm_timerfeed *f, sm_timerfeed_fn fn, void *ctx, unsigned int i)
{
	bool there = fn(ctx, i, &f->next[i]);

	f->time_ns[i] = there ? f->next[i].time_ns : SM_TIMERFEED_NONE;
}

static unsigned int first(const struct sm_timerfeed *f)
{
	unsigned int best = 0;

	for (unsigned int i = 1; i < f->n; i++)
		if (f->time_ns[i] < f->time_ns[best])
			best = i;
	return best;
}

void sm_timerfeed_run(
	struct sm_timerfeed *f, sm_timerfeed_fn fn, void *ctx, uint64_t until_ns)
{
	if (until_ns == SM_TIMERFEED_NONE)
		until_ns--;
	for (unsigned int i = 0; i < f->n; i++)
		if (f->time_ns[i] == SM_TIMERFEED_NONE)
			fetch(f, fn, ctx, i);
	for (unsigned int i = 0; f->n;) {
		i = first(f);
		if (f->time_ns[i] > until_ns)
			break;
		give(f, &f->next[i]);
		fetch(f, fn, ctx, i);
	}
}
