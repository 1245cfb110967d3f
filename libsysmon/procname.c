// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "procname.h"

#define SLAB_ENTRIES 64
#define SWEEP_SLACK  4096
/* A name that the budget refuses whole is kept this long. */
#define SHORT_NAME 256

struct sm_proc_slab {
	struct sm_proc_slab *next;
	struct sm_proc p[SLAB_ENTRIES];
};

int sm_procs_init(struct sm_procs *t, const struct sm_root *root, size_t max_name_bytes,
	bool want_creds)
{
	long hz = sysconf(_SC_CLK_TCK);
	int err;

	memset(t, 0, sizeof(*t));
	t->root = root;
	t->want_creds = want_creds;
	t->sweep_at = SWEEP_SLACK;
	t->tick_ns = SM_NSEC_PER_SEC / (uint64_t)(hz > 0 ? hz : 100);
	t->boot_offset_ns = sm_clock_boot_offset_ns();
	t->scratch = malloc(SM_NAME_MAX_BYTES + 1);
	if (!t->scratch)
		return -ENOMEM;
	err = sm_map_init(&t->map, 512);
	if (!err)
		err = sm_intern_new(&t->names, max_name_bytes);
	if (err)
		sm_procs_fini(t);
	return err;
}

void sm_procs_fini(struct sm_procs *t)
{
	struct sm_proc_slab *slab, *next;
	struct sm_proc *p;

	for (size_t i = 0; t->map.slots && (p = sm_map_next(&t->map, &i));)
		sm_intern_put(t->names, p->cmd);
	sm_map_fini(&t->map);
	if (t->names)
		sm_intern_free(t->names);
	for (slab = t->slabs; slab; slab = next) {
		next = slab->next;
		free(slab);
	}
	free(t->scratch);
	memset(t, 0, sizeof(*t));
}

static bool add_slab(struct sm_procs *t)
{
	struct sm_proc_slab *slab = malloc(sizeof(*slab));

	if (!slab)
		return false;
	slab->next = t->slabs;
	t->slabs = slab;
	for (size_t i = 0; i < SLAB_ENTRIES; i++) {
		memcpy(&slab->p[i].cmd, &t->free, sizeof(t->free));
		t->free = &slab->p[i];
	}
	return true;
}

static struct sm_proc *take(struct sm_procs *t)
{
	struct sm_proc *p;

	if (!t->free && !add_slab(t))
		return NULL;
	p = t->free;
	memcpy(&t->free, &p->cmd, sizeof(t->free));
	memset(p, 0, sizeof(*p));
	return p;
}

static void give_back(struct sm_procs *t, struct sm_proc *p)
{
	sm_intern_put(t->names, p->cmd);
	memcpy(&p->cmd, &t->free, sizeof(t->free));
	t->free = p;
}

static void drop(struct sm_procs *t, struct sm_proc *p)
{
	sm_map_del(&t->map, (uint64_t)p->pid);
	give_back(t, p);
}

struct sm_proc *sm_procs_fresh(struct sm_procs *t, pid_t pid, pid_t tgid)
{
	struct sm_proc *old = sm_map_get(&t->map, (uint64_t)pid);
	struct sm_proc *p;

	if (old)
		drop(t, old);
	p = take(t);
	if (!p)
		return NULL;
	p->pid = pid;
	p->tgid = tgid;
	p->epoch = t->epoch;
	if (sm_map_put(&t->map, (uint64_t)pid, p) < 0) {
		give_back(t, p);
		return NULL;
	}
	return p;
}

struct sm_proc *sm_procs_get(const struct sm_procs *t, pid_t pid)
{
	return sm_map_get(&t->map, (uint64_t)pid);
}

/* --- names ------------------------------------------------------------------------- */

struct sm_istr *sm_procs_intern(struct sm_procs *t, const char *p, size_t n, uint32_t tag)
{
	struct sm_istr *s;

	if (n > SM_NAME_MAX_BYTES) {
		n = SM_NAME_MAX_BYTES;
		tag |= SM_NAME_TRUNCATED;
	}
	s = sm_intern_get(t->names, p, n, tag);
	if (!s && n > SHORT_NAME)
		s = sm_intern_get(t->names, p, SHORT_NAME, tag | SM_NAME_TRUNCATED);
	return s;
}

struct sm_istr *sm_procs_read_cmdline(struct sm_procs *t, pid_t pid, size_t expect_len)
{
	ssize_t n = sm_pidcmdline_read(t->root, pid, t->scratch, SM_NAME_MAX_BYTES + 1);

	if (n <= 0)
		return NULL;
	if (expect_len && expect_len != (size_t)n &&
		!(expect_len > (size_t)n && n == SM_NAME_MAX_BYTES + 1))
		return NULL;
	return sm_procs_intern(t, t->scratch, (size_t)n, SM_NAME_PROC);
}

static void set_comm(struct sm_proc *p, const char *s, size_t n)
{
	if (n >= sizeof(p->comm))
		n = sizeof(p->comm) - 1;
	memcpy(p->comm, s, n);
	p->comm[n] = '\0';
}

/* --- from /proc -------------------------------------------------------------------- */

static uint64_t start_of(const struct sm_procs *t, const struct sm_pidstat *st)
{
	int64_t ns = (int64_t)(st->start_ticks * t->tick_ns) - t->boot_offset_ns;

	return ns > 0 ? (uint64_t)ns : 1;
}

static void apply_stat(struct sm_procs *t, struct sm_proc *p, const struct sm_pidstat *st)
{
	set_comm(p, st->comm, st->comm_len);
	p->ppid = st->ppid;
	p->pgrp = st->pgrp;
	p->tty_nr = st->tty_nr;
	if (!p->start_ns)
		p->start_ns = start_of(t, st);
	if (st->flags & SM_PF_KTHREAD)
		p->flags |= SM_TASK_KTHREAD;
}

static void read_creds(struct sm_procs *t, struct sm_proc *p)
{
	struct sm_pidcred c;

	if (sm_pidcred_read(t->root, p->pid, &c) < 0)
		return;
	p->uid = c.ruid;
	p->euid = c.euid;
	p->tgid = c.tgid;
	p->flags |= SM_TASK_CREDS;
}

static void read_name(struct sm_procs *t, struct sm_proc *p)
{
	if (p->flags & SM_TASK_KTHREAD)
		return;
	p->cmd = sm_procs_read_cmdline(t, p->pid, 0);
	if (!p->cmd && p->comm[0])
		p->cmd = sm_procs_intern(t, p->comm, strlen(p->comm), SM_NAME_COMM);
}

/* False when there is no such task; the entry then stays empty. */
static bool load(struct sm_procs *t, struct sm_proc *p)
{
	struct sm_pidstat st;

	if (sm_pidstat_read(t->root, p->pid, &st) < 0)
		return false;
	apply_stat(t, p, &st);
	read_name(t, p);
	if (t->want_creds || !p->tgid)
		read_creds(t, p);
	if (!p->tgid)
		p->tgid = p->pid;
	p->epoch = t->epoch;
	return true;
}

bool sm_procs_refresh(struct sm_procs *t, struct sm_proc *p)
{
	struct sm_pidstat st;

	if (sm_pidstat_read(t->root, p->pid, &st) < 0)
		return false;
	apply_stat(t, p, &st);
	return true;
}

static int seed_one(void *ctx, pid_t pid)
{
	struct sm_procs *t = ctx;
	struct sm_proc *p;

	if (sm_procs_get(t, pid))
		return 0;
	p = sm_procs_fresh(t, pid, pid);
	if (!p)
		return -ENOMEM;
	if (!load(t, p))
		drop(t, p);
	return 0;
}

ssize_t sm_procs_seed(struct sm_procs *t)
{
	int err = sm_pid_scan(t->root, seed_one, t);

	return err < 0 ? err : (ssize_t)t->map.used;
}

/* After a loss: is the task with this pid still the one we knew? */
/* The same task, but an exec of it can be among what was lost: then comm tells, or, where
 * the name was only inherited, the command line that there is by now. */
static void verify_name(
	struct sm_procs *t, struct sm_proc *p, const struct sm_pidstat *st)
{
	bool renamed = strncmp(st->comm, p->comm, sizeof(p->comm) - 1) != 0;
	struct sm_istr *now;

	if ((p->flags & SM_TASK_KTHREAD) || !(renamed || (p->flags & SM_TASK_INHERITED)))
		return;
	set_comm(p, st->comm, st->comm_len);
	now = sm_procs_read_cmdline(t, p->pid, 0);
	if (!now && !renamed)
		return;
	sm_intern_put(t->names, p->cmd);
	p->cmd = now;
	p->flags &= (uint16_t)~SM_TASK_INHERITED;
	if (!now)
		read_name(t, p);
}

static bool verify(struct sm_procs *t, struct sm_proc *p)
{
	struct sm_pidstat st;
	uint64_t start;

	if (sm_pidstat_read(t->root, p->pid, &st) < 0)
		return false;
	start = start_of(t, &st);
	if (p->start_ns > start + 2 * t->tick_ns || start > p->start_ns + 2 * t->tick_ns)
		return false;
	verify_name(t, p, &st);
	p->epoch = t->epoch;
	return true;
}

static void name_as_leader(struct sm_procs *t, struct sm_proc *p)
{
	const struct sm_proc *leader = sm_procs_get(t, p->tgid);

	if (!leader || leader == p)
		return;
	p->cmd = sm_istr_ref(leader->cmd);
	p->ppid = leader->ppid;
	p->pgrp = leader->pgrp;
	p->uid = leader->uid;
	p->euid = leader->euid;
	p->tty_nr = leader->tty_nr;
	p->flags = leader->flags & (SM_TASK_CREDS | SM_TASK_KTHREAD);
	p->user = leader->user;
	set_comm(p, leader->comm, strlen(leader->comm));
}

/* A thread older than we are is met at its first event. */
static void count_thread(struct sm_procs *t, const struct sm_proc *p)
{
	struct sm_proc *leader = p->pid != p->tgid ? sm_procs_get(t, p->tgid) : NULL;

	if (leader)
		leader->threads++;
}

struct sm_proc *sm_procs_find(struct sm_procs *t, pid_t pid, pid_t tgid)
{
	struct sm_proc *p = sm_procs_get(t, pid);
	bool met = p;
	uint16_t user = 0;

	if (p && SM_LIKELY(p->epoch == t->epoch))
		return p;
	if (p && verify(t, p))
		return p;
	if (p)
		user = p->user;
	p = sm_procs_fresh(t, pid, tgid);
	if (!p)
		return NULL;
	if (!load(t, p)) {
		p->tgid = tgid ? tgid : pid;
		name_as_leader(t, p);
		p->user |=
			user; /* gone, so it is more likely the old task than a new one */
	}
	if (!met)
		count_thread(t, p);
	return p;
}

/* --- events ------------------------------------------------------------------------ */

static void inherit(struct sm_proc *p, const struct sm_proc *from)
{
	p->cmd = sm_istr_ref(from->cmd);
	memcpy(p->comm, from->comm, sizeof(p->comm));
	p->pgrp = from->pgrp;
	p->uid = from->uid;
	p->euid = from->euid;
	p->tty_nr = from->tty_nr;
	p->user = from->user;
	p->flags = from->flags & (SM_TASK_KTHREAD | SM_TASK_CREDS);
}

struct sm_proc *sm_procs_fork(
	struct sm_procs *t, pid_t pid, pid_t tgid, pid_t parent_tgid, uint64_t time_ns)
{
	bool thread = pid != tgid;
	struct sm_proc *from = sm_procs_find(t, thread ? tgid : parent_tgid, 0);
	struct sm_proc *p = sm_procs_fresh(t, pid, tgid);

	if (!p)
		return NULL;
	if (from)
		inherit(p, from);
	p->start_ns = time_ns;
	p->ppid = parent_tgid;
	p->flags |= SM_TASK_INHERITED;
	if (parent_tgid == 2 && from && (from->flags & SM_TASK_KTHREAD))
		p->flags |= SM_TASK_KCHILD;
	if (thread && from)
		from->threads++;
	return p;
}

typedef bool (*drop_fn)(
	const struct sm_procs *t, const struct sm_proc *p, const void *ctx);

/* Drops what fn says; deletion moves slots, so victims are collected first. */
static void drop_if(struct sm_procs *t, drop_fn fn, const void *ctx)
{
	struct sm_proc *victims[128], *p;
	size_t n;

	do {
		n = 0;
		for (size_t i = 0;
			n < SM_ARRAY_SIZE(victims) && (p = sm_map_next(&t->map, &i));)
			if (fn(t, p, ctx))
				victims[n++] = p;
		for (size_t i = 0; i < n; i++)
			drop(t, victims[i]);
	} while (n == SM_ARRAY_SIZE(victims));
}

static bool is_thread_of(
	const struct sm_procs *t, const struct sm_proc *p, const void *ctx)
{
	const struct sm_proc *leader = ctx;

	(void)t;
	return p->tgid == leader->pid && p != leader;
}

void sm_procs_exec(
	struct sm_procs *t, struct sm_proc *p, struct sm_istr *cmd, struct sm_str file)
{
	const char *base = file.n ? memrchr(file.p, '/', file.n) : NULL;

	sm_intern_put(t->names, p->cmd);
	p->cmd = cmd;
	p->flags &= (uint16_t) ~(
		SM_TASK_INHERITED | SM_TASK_KTHREAD | SM_TASK_KCHILD | SM_TASK_DEAD);
	if (p->threads) /* an exec leaves one thread, which takes the leader's pid */
		drop_if(t, is_thread_of, p);
	p->threads = 0;
	if (file.n) {
		base = base ? base + 1 : file.p;
		set_comm(p, base, (size_t)(file.p + file.n - base));
		return;
	}
	p->comm[0] = '\0';
	if (sm_pidcomm_read(t->root, p->pid, p->comm, sizeof(p->comm)) < 0)
		p->comm[0] = '\0';
}

void sm_procs_comm(struct sm_proc *p, const char *comm)
{
	set_comm(p, comm, strnlen(comm, SM_TASK_COMM_LEN));
}

void sm_procs_exit(struct sm_procs *t, struct sm_proc *p)
{
	struct sm_proc *leader;

	if (p->pid == p->tgid && p->threads) {
		p->flags |= SM_TASK_DEAD; /* the other threads still need its name */
		return;
	}
	if (p->pid != p->tgid) {
		leader = sm_procs_get(t, p->tgid);
		if (leader && leader->threads && --leader->threads == 0 &&
			(leader->flags & SM_TASK_DEAD))
			drop(t, leader);
	}
	drop(t, p);
}

static bool is_gone(const struct sm_procs *t, const struct sm_proc *p, const void *ctx)
{
	struct sm_pidstat st;

	(void)ctx;
	return p->epoch != t->epoch && sm_pidstat_read(t->root, p->pid, &st) < 0;
}

void sm_procs_suspect(struct sm_procs *t)
{
	t->epoch++;
	if (t->map.used < t->sweep_at)
		return;
	/* Exits among the lost events would leave entries for ever. */
	drop_if(t, is_gone, NULL);
	t->sweep_at = t->map.used * 2 + SWEEP_SLACK;
}
