// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "proc/tasktable.h"
#include "proc/taskwalk.h"

#define SLAB_ENTRIES 64
#define SWEEP_SLACK  4096
/* Suspends are longer; shorter delays occur on a busy machine. */
#define SUSPEND_NS ((int64_t)(50 * SM_NSEC_PER_MSEC))
/* A count takes about 20 us per process with several threads. */
#define RECOUNT_NS (100 * SM_NSEC_PER_MSEC)

struct sm_task_slab {
	struct sm_task_slab *next;
	struct sm_task p[SLAB_ENTRIES];
};

int sm_tasktable_init(struct sm_tasktable *t, const struct sm_root *root,
	size_t max_name_bytes, bool want_creds)
{
	long hz = sysconf(_SC_CLK_TCK);
	int err;

	memset(t, 0, sizeof(*t));
	t->root = root;
	t->want_creds = want_creds;
	t->names_max_bytes = max_name_bytes;
	t->sweep_at = SWEEP_SLACK;
	t->tick_ns = SM_NSEC_PER_SEC / (uint64_t)(hz > 0 ? hz : 100);
	t->boot_offset_ns = sm_clock_boot_offset_ns();
	t->scratch = malloc(SM_NAME_MAX_BYTES + 1);
	if (!t->scratch)
		return -ENOMEM;
	err = sm_map_init(&t->map, 512);
	if (!err)
		err = sm_strpool_new(&t->names, SIZE_MAX);
	if (err)
		sm_tasktable_fini(t);
	return err;
}

static void put_strings(struct sm_tasktable *t, struct sm_task *p)
{
	sm_strpool_put(t->names, p->cmd);
	sm_strpool_put(t->names, p->data);
}

void sm_tasktable_fini(struct sm_tasktable *t)
{
	struct sm_task_slab *slab, *next;
	struct sm_task *p;

	for (size_t i = 0; t->map.slots && (p = sm_map_next(&t->map, &i));)
		put_strings(t, p);
	sm_map_fini(&t->map);
	if (t->names)
		sm_strpool_free(t->names);
	for (slab = t->slabs; slab; slab = next) {
		next = slab->next;
		free(slab);
	}
	free(t->scratch);
	memset(t, 0, sizeof(*t));
}

static bool add_slab(struct sm_tasktable *t)
{
	struct sm_task_slab *slab = malloc(sizeof(*slab));

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

static struct sm_task *take(struct sm_tasktable *t)
{
	struct sm_task *p;

	if (!t->free && !add_slab(t))
		return NULL;
	p = t->free;
	memcpy(&t->free, &p->cmd, sizeof(t->free));
	memset(p, 0, sizeof(*p));
	return p;
}

static void give_back(struct sm_tasktable *t, struct sm_task *p)
{
	put_strings(t, p);
	memcpy(&p->cmd, &t->free, sizeof(t->free));
	t->free = p;
}

static bool is_leader(const struct sm_task *p)
{
	return p->pid == p->tgid;
}

/* Returns the entry of another thread's leader; NULL: p is the leader, or no entry. */
static struct sm_task *leader_of(const struct sm_tasktable *t, const struct sm_task *p)
{
	return is_leader(p) ? NULL : sm_tasktable_get(t, p->tgid);
}

static void join(struct sm_tasktable *t, const struct sm_task *p)
{
	struct sm_task *leader = leader_of(t, p);

	if (leader)
		leader->threads++;
}

static void drop(struct sm_tasktable *t, struct sm_task *p)
{
	struct sm_task *leader = leader_of(t, p);

	if (leader && leader->threads)
		leader->threads--;
	sm_map_del(&t->map, (uint64_t)p->pid);
	give_back(t, p);
}

typedef bool (*drop_fn)(
	const struct sm_tasktable *t, const struct sm_task *p, const void *ctx);

/* Drops the entries that fn selects, collected first because deletion moves slots. */
static void drop_if(struct sm_tasktable *t, drop_fn fn, const void *ctx)
{
	struct sm_task *victims[128], *p;
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
	const struct sm_tasktable *t, const struct sm_task *p, const void *ctx)
{
	const struct sm_task *leader = ctx;

	(void)t;
	return p->tgid == leader->pid && p != leader;
}

static void drop_threads(struct sm_tasktable *t, struct sm_task *leader)
{
	if (leader->threads)
		drop_if(t, is_thread_of, leader);
	leader->threads = 0;
	leader->unlisted = false;
}

/* Like sm_tasktable_fresh(), but does not count the entry as a thread of its process. */
static struct sm_task *make(struct sm_tasktable *t, pid_t pid, pid_t tgid)
{
	struct sm_task *old = sm_map_get(&t->map, (uint64_t)pid);
	struct sm_task *p;

	if (old) {
		drop_threads(t, old); /* another process, whose exits were lost */
		drop(t, old);
	}
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

struct sm_task *sm_tasktable_fresh(struct sm_tasktable *t, pid_t pid, pid_t tgid)
{
	struct sm_task *p = make(t, pid, tgid);

	if (p)
		join(t, p);
	return p;
}

struct sm_task *sm_tasktable_get(const struct sm_tasktable *t, pid_t pid)
{
	return sm_map_get(&t->map, (uint64_t)pid);
}

bool sm_tasktable_resumed(struct sm_tasktable *t, uint64_t mono_ns)
{
	int64_t offset = (int64_t)(sm_clock_ns(CLOCK_BOOTTIME) - mono_ns);

	if (offset < t->boot_offset_ns + SUSPEND_NS)
		return false;
	t->boot_offset_ns = sm_clock_boot_offset_ns();
	return true;
}

static void set_comm(struct sm_task *p, const char *s, size_t n)
{
	if (n >= sizeof(p->comm))
		n = sizeof(p->comm) - 1;
	memcpy(p->comm, s, n);
	p->comm[n] = '\0';
}

/* --- from /proc -------------------------------------------------------------------- */

static uint64_t start_of(const struct sm_tasktable *t, const struct sm_pidstat *st)
{
	return st->start_ticks ? st->start_ticks * t->tick_ns : 1;
}

/* True for a leader that has exited: it is a zombie as long as other threads live. */
static bool outlived(const struct sm_pidstat *st)
{
	return st->num_threads > 1 && (st->state == 'Z' || st->state == 'X');
}

static void apply_stat(
	struct sm_tasktable *t, struct sm_task *p, const struct sm_pidstat *st)
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

static void read_creds(struct sm_tasktable *t, struct sm_task *p)
{
	struct sm_pidcred c;

	if (sm_procpid_read_cred(t->root, p->pid, &c) < 0)
		return;
	p->uid = c.ruid;
	p->euid = c.euid;
	p->tgid = c.tgid;
	p->flags |= SM_TASK_CREDS;
}

static void read_rest(struct sm_tasktable *t, struct sm_task *p)
{
	if (!p->cmd && !(p->flags & SM_TASK_KTHREAD)) {
		p->cmd = sm_tasktable_read_cmdline(t, p->pid, 0);
		sm_tasktable_keep(t, p);
	}
	if (t->want_creds || !p->tgid)
		read_creds(t, p);
}

bool sm_tasktable_refresh(struct sm_tasktable *t, struct sm_task *p)
{
	struct sm_pidstat st;

	if (sm_procpid_read_stat(t->root, p->pid, &st) < 0)
		return false;
	apply_stat(t, p, &st);
	return true;
}

struct listing {
	struct sm_tasktable *t;
	struct sm_task *leader;
	uint32_t n;
};

static int list_one(void *ctx, pid_t tid)
{
	struct listing *l = ctx;
	struct sm_task *p = sm_tasktable_get(l->t, tid);

	if (tid == l->leader->pid)
		return 0;
	if (!p || p->tgid != l->leader->pid) {
		p = sm_tasktable_fresh(l->t, tid, l->leader->pid);
		if (!p)
			return -ENOMEM;
		p->flags |= SM_TASK_LISTED;
	}
	p->listing = l->t->listings;
	l->n++;
	return 0;
}

static bool is_unlisted(
	const struct sm_tasktable *t, const struct sm_task *p, const void *ctx)
{
	return is_thread_of(t, p, ctx) && p->listing != t->listings;
}

/* Replaces the threads of a process by those that /proc shows. */
static void list_threads(
	struct sm_tasktable *t, struct sm_task *leader, const struct sm_pidstat *st)
{
	struct listing l = {t, leader, 0};

	leader->flags &= (uint16_t)~SM_TASK_DEAD;
	leader->flags |= outlived(st) ? SM_TASK_DEAD : 0;
	t->listings++;
	if (sm_procpid_scan_threads(t->root, leader->pid, list_one, &l) < 0)
		return;
	if (leader->threads > l.n)
		drop_if(t, is_unlisted, leader);
	leader->threads = l.n;
	leader->unlisted = false;
}

/* Fills an entry from /proc; false if there is no such task. */
static bool load(struct sm_tasktable *t, struct sm_task *p)
{
	struct sm_pidstat st;

	if (sm_procpid_read_stat(t->root, p->pid, &st) < 0)
		return false;
	apply_stat(t, p, &st);
	read_rest(t, p);
	if (!p->tgid)
		p->tgid = p->pid;
	p->epoch = t->epoch;
	if (is_leader(p) && st.num_threads > 1)
		list_threads(t, p, &st);
	return true;
}

static int seed_one(void *ctx, pid_t pid)
{
	struct sm_tasktable *t = ctx;
	struct sm_task *p = sm_tasktable_get(t, pid);

	if (p) {
		read_rest(t, p);
		return 0;
	}
	p = sm_tasktable_fresh(t, pid, pid);
	if (!p)
		return -ENOMEM;
	if (!load(t, p))
		drop(t, p);
	return 0;
}

ssize_t sm_tasktable_seed(struct sm_tasktable *t)
{
	int err = sm_procpid_scan(t->root, seed_one, t);

	return err < 0 ? err : (ssize_t)t->map.used;
}

/* A changed comm or, for an inherited name, the command line reveals a lost exec. */
static void verify_name(
	struct sm_tasktable *t, struct sm_task *p, const struct sm_pidstat *st)
{
	bool renamed = strncmp(st->comm, p->comm, sizeof(p->comm) - 1) != 0;
	struct sm_poolstr *now;

	if ((p->flags & SM_TASK_KTHREAD) || !(renamed || (p->flags & SM_TASK_INHERITED)))
		return;
	set_comm(p, st->comm, st->comm_len);
	now = sm_tasktable_read_cmdline(t, p->pid, 0);
	if (!now && !renamed)
		return;
	sm_strpool_put(t->names, p->cmd);
	p->cmd = now;
	p->flags &= (uint16_t)~SM_TASK_INHERITED;
	sm_tasktable_keep(t, p);
}

/* True if, after a loss, the PID still belongs to the task of this entry. */
static bool verify(struct sm_tasktable *t, struct sm_task *p)
{
	struct sm_pidstat st;
	uint64_t start;

	if (sm_procpid_read_stat(t->root, p->pid, &st) < 0)
		return false;
	start = start_of(t, &st);
	if (p->start_ns > start + 2 * t->tick_ns || start > p->start_ns + 2 * t->tick_ns)
		return false;
	verify_name(t, p, &st);
	sm_strpool_put(t->names, p->data);
	p->data = NULL;
	p->epoch = t->epoch;
	if (is_leader(p) && (st.num_threads > 1 || p->threads || p->unlisted))
		list_threads(t, p, &st);
	return true;
}

static void inherit(struct sm_task *p, const struct sm_task *from)
{
	p->cmd = sm_strpool_ref(from->cmd);
	p->data = sm_strpool_ref(from->data);
	memcpy(p->comm, from->comm, sizeof(p->comm));
	p->pgrp = from->pgrp;
	p->uid = from->uid;
	p->euid = from->euid;
	p->tty_nr = from->tty_nr;
	p->user = from->user;
	p->flags = from->flags & (SM_TASK_KTHREAD | SM_TASK_CREDS);
}

static void name_as_leader(struct sm_tasktable *t, struct sm_task *p)
{
	const struct sm_task *leader = sm_tasktable_get(t, p->tgid);

	if (!leader || leader == p)
		return;
	inherit(p, leader);
	p->ppid = leader->ppid;
}

/* Counts a thread that was not listed and enters the table at its first event. */
static void found_thread(struct sm_tasktable *t, struct sm_task *p)
{
	struct sm_task *leader = leader_of(t, p);

	if (!leader)
		return;
	leader->threads++;
	p->user |= leader->user;
}

struct sm_task *sm_tasktable_find(struct sm_tasktable *t, pid_t pid, pid_t tgid)
{
	struct sm_task *p = sm_tasktable_get(t, pid);
	bool listed = p && (p->flags & SM_TASK_LISTED);
	uint16_t user = p ? p->user : 0;

	if (p && !listed && SM_LIKELY(p->epoch == t->epoch))
		return p;
	if (p && !listed && verify(t, p))
		return p;
	if (listed)
		tgid = p->tgid;
	p = make(t, pid, tgid);
	if (!p)
		return NULL;
	if (!load(t, p)) {
		p->tgid = tgid ? tgid : pid;
		name_as_leader(t, p);
		/* The exited task is more likely the old one than a new one. */
		p->user |= user;
	}
	found_thread(t, p);
	return p;
}

struct sm_task *sm_tasktable_leader(struct sm_tasktable *t, struct sm_task *p)
{
	struct sm_task *leader = is_leader(p) ? p : leader_of(t, p);

	if (leader)
		return leader;
	leader = sm_tasktable_find(t, p->tgid, p->tgid);
	if (leader && !p->listing) /* /proc no longer shows p */
		leader->threads++;
	return leader;
}

/* --- events ------------------------------------------------------------------------ */

struct sm_task *sm_tasktable_fork(struct sm_tasktable *t, pid_t pid, pid_t tgid,
	pid_t parent_tgid, uint64_t time_ns)
{
	bool thread = pid != tgid;
	struct sm_task *from = sm_tasktable_find(t, thread ? tgid : parent_tgid, 0);
	struct sm_task *p = sm_tasktable_fresh(t, pid, tgid);

	if (!p)
		return NULL;
	if (from)
		inherit(p, from);
	else
		t->names_lost++;
	p->start_ns = time_ns + (uint64_t)t->boot_offset_ns;
	p->ppid = parent_tgid;
	p->flags |= SM_TASK_INHERITED;
	if (parent_tgid == 2 && from && (from->flags & SM_TASK_KTHREAD))
		p->flags |= SM_TASK_KCHILD;
	return p;
}

void sm_tasktable_exec(struct sm_tasktable *t, struct sm_task *p, struct sm_poolstr *cmd,
	struct sm_str file)
{
	const char *base = file.n ? memrchr(file.p, '/', file.n) : NULL;

	sm_strpool_put(t->names, p->cmd);
	p->cmd = cmd;
	p->flags &= (uint16_t) ~(
		SM_TASK_INHERITED | SM_TASK_KTHREAD | SM_TASK_KCHILD | SM_TASK_DEAD);
	/* An exec leaves one thread, which takes the leader's pid. */
	drop_threads(t, p);
	p->exit_code = p->exit_bits = 0;
	p->exit_ns = 0;
	base = base ? base + 1 : file.p;
	set_comm(p, base, (size_t)(file.p + file.n - base));
}

void sm_tasktable_comm(struct sm_task *p, const char *comm)
{
	set_comm(p, comm, strnlen(comm, SM_TASK_COMM_LEN));
}

static uint32_t live_threads(const struct sm_task *leader)
{
	return leader->threads + leader->unlisted;
}

bool sm_tasktable_ends(const struct sm_tasktable *t, const struct sm_task *p)
{
	const struct sm_task *leader = leader_of(t, p);

	if (is_leader(p))
		return live_threads(p) == 0;
	return leader && (leader->flags & SM_TASK_DEAD) && live_threads(leader) == 1;
}

void sm_tasktable_exit(struct sm_tasktable *t, struct sm_task *p)
{
	struct sm_task *leader = leader_of(t, p);

	if (is_leader(p) && live_threads(p)) {
		p->flags |= SM_TASK_DEAD; /* the other threads still need its name */
		return;
	}
	drop(t, p);
	if (leader && (leader->flags & SM_TASK_DEAD) && !live_threads(leader))
		drop(t, leader);
}

static bool has_exited(
	const struct sm_tasktable *t, const struct sm_task *p, const void *ctx)
{
	struct sm_pidstat st;

	(void)ctx;
	return p->epoch != t->epoch && sm_procpid_read_stat(t->root, p->pid, &st) < 0;
}

void sm_tasktable_suspect(struct sm_tasktable *t)
{
	t->epoch++;
	t->recount = true;
	if (t->map.used < t->sweep_at)
		return;
	/* Otherwise entries whose exit event was lost would stay forever. */
	drop_if(t, has_exited, NULL);
	t->sweep_at = t->map.used * 2 + SWEEP_SLACK;
}

/* True for a process with several threads that was not verified since the last loss. */
static bool is_uncounted(const struct sm_tasktable *t, const struct sm_task *p)
{
	return is_leader(p) && live_threads(p) && p->epoch != t->epoch;
}

void sm_tasktable_recount(struct sm_tasktable *t, uint64_t mono_ns)
{
	struct sm_task *found[128], *p;
	size_t n;

	if (!t->recount || mono_ns - t->recounted_ns < RECOUNT_NS)
		return;
	t->recount = false;
	t->recounted_ns = mono_ns;
	do {
		n = 0;
		for (size_t i = 0;
			n < SM_ARRAY_SIZE(found) && (p = sm_map_next(&t->map, &i));)
			if (is_uncounted(t, p))
				found[n++] = p;
		for (size_t i = 0; i < n; i++)
			if (!verify(t, found[i]))
				drop_threads(t, found[i]);
	} while (n == SM_ARRAY_SIZE(found));
}

/* --- command lines --------------------------------------------------------------- */

struct sm_poolstr *sm_tasktable_intern(
	struct sm_tasktable *t, const char *p, size_t n, uint32_t tag)
{
	if (n > SM_NAME_MAX_BYTES) {
		n = SM_NAME_MAX_BYTES;
		tag |= SM_NAME_TRUNCATED;
	}
	return sm_strpool_get(t->names, p, n, tag);
}

void sm_tasktable_keep(struct sm_tasktable *t, struct sm_task *p)
{
	struct sm_poolstr *whole = p->cmd;

	if (!whole || whole->len <= SM_NAME_KEPT_BYTES ||
		sm_strpool_bytes(t->names) <= t->names_max_bytes)
		return;
	p->cmd = sm_strpool_get(
		t->names, whole->s, SM_NAME_KEPT_BYTES, whole->tag | SM_NAME_TRUNCATED);
	t->names_lost += !p->cmd;
	sm_strpool_put(t->names, whole);
}

struct sm_poolstr *sm_tasktable_read_cmdline(
	struct sm_tasktable *t, pid_t pid, size_t expect_len)
{
	ssize_t n =
		sm_procpid_read_cmdline(t->root, pid, t->scratch, SM_NAME_MAX_BYTES + 1);
	struct sm_poolstr *name;

	if (n <= 0)
		return NULL;
	if (expect_len && expect_len != (size_t)n &&
		!(expect_len > (size_t)n && n == SM_NAME_MAX_BYTES + 1))
		return NULL;
	name = sm_tasktable_intern(t, t->scratch, (size_t)n, SM_NAME_PROC);
	t->names_lost += !name;
	return name;
}

/* --- all processes from taskwalk ------------------------------------------------- */

/* A process with several threads, whose threads must be listed, and one whose record
 * lacks something are left to sm_tasktable_seed(). */
static int enter(struct sm_tasktable *t, const struct sm_taskwalk_raw *r)
{
	struct sm_pidstat st;
	struct sm_task *p;

	if (!sm_taskwalk_stat(r, &st))
		return 0;
	p = sm_tasktable_fresh(t, r->pid, r->pid);
	if (!p)
		return -ENOMEM;
	sm_tasktable_comm(p, st.comm);
	p->ppid = r->ppid;
	p->start_ns = r->start_ns;
	p->flags |= r->flags & SM_PF_KTHREAD ? SM_TASK_KTHREAD : 0;
	return 0;
}

int sm_tasktable_walk(struct sm_tasktable *t)
{
	SM_CLEANUP(sm_taskwalk_close) struct sm_taskwalk w = {.prog_fd = -1};
	int err;

	if (!t->root->live || !sm_root_initial_pidns(t->root) ||
		!sm_root_initial_timens(t->root))
		return -ENOTSUP;
	err = sm_taskwalk_open(&w, t->root, SM_TASKWALK_MAX, NULL);
	if (!err)
		err = sm_taskwalk_run(&w);
	for (uint32_t i = 0; !err && i < sm_taskwalk_head(&w)->n; i++)
		err = enter(t, &sm_taskwalk_records(&w)[i]);
	return err;
}
