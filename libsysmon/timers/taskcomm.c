// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "proc/procpid.h"
#include "timers/taskcomm.h"

#define MAP_EXPECTED 256

int sm_taskcomm_init(struct sm_taskcomm *t, const struct sm_root *root)
{
	*t = (struct sm_taskcomm){.root = root, .foreign = sm_procpid_foreign(root)};
	t->entry = malloc(SM_TASKCOMM_MAX * sizeof(*t->entry));
	return t->entry ? sm_map_init(&t->map, MAP_EXPECTED) : -ENOMEM;
}

void sm_taskcomm_fini(struct sm_taskcomm *t)
{
	free(t->entry);
	sm_map_fini(&t->map);
	*t = (struct sm_taskcomm){0};
}

static struct sm_taskcomm_entry *find(const struct sm_taskcomm *t, pid_t tid)
{
	return sm_map_get(&t->map, (uint32_t)tid);
}

static void set_comm(struct sm_taskcomm_entry *e, const char *comm)
{
	memcpy(e->comm, comm, sizeof(e->comm));
	e->comm[sizeof(e->comm) - 1] = '\0';
}

/* --- storage ----------------------------------------------------------------------- */

/* Returns an unused entry, or NULL.  Its tgid is the index of the next one. */
static struct sm_taskcomm_entry *unused(const struct sm_taskcomm *t)
{
	if (t->unused)
		return &t->entry[t->unused - 1];
	return t->n < SM_TASKCOMM_MAX ? &t->entry[t->n] : NULL;
}

static void take(struct sm_taskcomm *t, const struct sm_taskcomm_entry *e)
{
	if (t->unused)
		t->unused = (uint32_t)e->tgid;
	else
		t->n++;
}

static void store(struct sm_taskcomm *t, const struct sm_taskcomm_entry *task)
{
	struct sm_taskcomm_entry *e = find(t, task->tid);

	if (!e) {
		e = unused(t);
		if (!e || sm_map_put(&t->map, (uint32_t)task->tid, e) < 0)
			return;
		take(t, e);
	}
	*e = *task;
}

/* Deletes the entry of a thread, unless another thread now has its TID. */
static void forget(struct sm_taskcomm *t, pid_t tid)
{
	struct sm_taskcomm_entry *e = find(t, tid);

	if (!e || !e->exited)
		return;
	sm_map_del(&t->map, (uint32_t)tid);
	e->tgid = (pid_t)t->unused;
	t->unused = (uint32_t)(e - t->entry) + 1;
}

void sm_taskcomm_exited(struct sm_taskcomm *t, pid_t tid)
{
	struct sm_taskcomm_entry *e = find(t, tid);
	uint32_t i = t->n_exited % SM_TASKCOMM_EXITED;

	if (!e || e->exited)
		return;
	if (t->n_exited++ >= SM_TASKCOMM_EXITED)
		forget(t, t->exited[i]);
	t->exited[i] = tid;
	e->exited = true;
}

/* --- tasks ------------------------------------------------------------------------- */

static void look(const struct sm_taskcomm *t, struct sm_taskcomm_entry *e)
{
	struct sm_pidcred cred;

	if (t->foreign)
		return;
	if (sm_procpid_read_comm(t->root, e->tid, e->comm, sizeof(e->comm)) < 0)
		e->comm[0] = '\0';
	if (sm_procpid_read_cred(t->root, e->tid, &cred) == 0)
		e->tgid = cred.tgid;
}

struct process {
	struct sm_taskcomm *t;
	pid_t tgid;
};

static int seed_thread(void *ctx, pid_t tid)
{
	const struct process *p = ctx;
	struct sm_taskcomm_entry e = {
		.tid = tid, .tgid = p->tgid, .birth = sm_clock_ns(CLOCK_BOOTTIME)};

	if (sm_procpid_read_comm(p->t->root, tid, e.comm, sizeof(e.comm)) >= 0)
		store(p->t, &e);
	return 0;
}

static int seed_process(void *ctx, pid_t pid)
{
	struct process p = {ctx, pid};

	(void)!sm_procpid_scan_threads(p.t->root, pid, seed_thread, &p);
	return 0;
}

void sm_taskcomm_seed(struct sm_taskcomm *t)
{
	if (!t->foreign)
		(void)!sm_procpid_scan(t->root, seed_process, t);
}

struct sm_taskcomm_entry sm_taskcomm_get(struct sm_taskcomm *t, pid_t tid)
{
	const struct sm_taskcomm_entry *known = find(t, tid);
	struct sm_taskcomm_entry e = {
		.tid = tid, .tgid = tid, .birth = sm_clock_ns(CLOCK_BOOTTIME)};

	if (known)
		return *known;
	look(t, &e);
	store(t, &e);
	return e;
}

void sm_taskcomm_made(
	struct sm_taskcomm *t, const struct sm_taskcomm_entry *task, pid_t parent)
{
	struct sm_taskcomm_entry e = *task;

	set_comm(&e, task->comm);
	if (!e.tgid || !e.comm[0]) {
		struct sm_taskcomm_entry from = sm_taskcomm_get(t, parent);

		e.tgid = e.tgid ? e.tgid : from.tgid;
		if (!e.comm[0])
			set_comm(&e, from.comm);
	}
	store(t, &e);
}

/* A name event does not contain the process, so an unknown thread is looked up. */
void sm_taskcomm_named(
	struct sm_taskcomm *t, pid_t tid, const char comm[SM_TASK_COMM_LEN])
{
	struct sm_taskcomm_entry e = sm_taskcomm_get(t, tid);

	set_comm(&e, comm);
	e.exited = false; /* execve(2) of another thread gave it this TID */
	store(t, &e);
}
