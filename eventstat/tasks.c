// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "counters.h"
#include "proc/cgroup.h"
#include "proc/procpid.h"
#include "proc/procstat.h"
#include "tasks.h"

#define SCRATCH_BYTES (16u << 10)
#define FRESH_S	      5u
#define FORGET_AFTER  16u  /* samples */
#define FORGET_MAX    512u /* per sample */

int tasks_init(struct tasks *t, const struct sm_root *root, struct sm_strpool *names)
{
	*t = (struct tasks){.root = root, .names = names};
	t->own_pids = sm_root_initial_pidns(root);
	t->foreign = sm_procpid_foreign(root);
	t->scratch = malloc(SCRATCH_BYTES);
	return t->scratch ? sm_map_init(&t->map, 64) : -ENOMEM;
}

static void free_task(struct tasks *t, struct task *k)
{
	sm_strpool_put(t->names, k->cmd);
	sm_strpool_put(t->names, k->cgroup);
	free(k);
}

void tasks_fini(struct tasks *t)
{
	struct task *k;

	for (size_t i = 0; (k = sm_map_next(&t->map, &i)) != NULL;)
		free_task(t, k);
	sm_map_fini(&t->map);
	free(t->scratch);
}

/* --- data from /proc ---------------------------------------------------------------- */

/* Returns the thread that represents the owner; the main thread of a process. */
static pid_t thread_of(struct sm_timer_owner owner)
{
	return sm_timer_is_process(owner) ? sm_timer_tgid(owner) : sm_timer_tid(owner);
}

/* True if the task in /proc is the owner: it started no later than the owner's birth.  No
 * other task had the thread ID between the owner's start and birth. */
static bool is_owner(struct sm_timer_owner owner, const struct sm_pidstat *st)
{
	const uint64_t tick_ns = SM_NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);

	return !owner.birth || st->start_ticks <= owner.birth / tick_ns;
}

int tasks_read_stat(
	const struct sm_root *root, struct sm_timer_owner owner, struct sm_pidstat *st)
{
	int err = sm_procpid_read_thread_stat(
		root, sm_timer_tgid(owner), thread_of(owner), st);

	return err || is_owner(owner, st) ? err : -ENOENT;
}

static void replace(struct tasks *t, struct sm_poolstr **at, ssize_t n)
{
	struct sm_poolstr *new =
		n > 0 ? sm_strpool_get(t->names, t->scratch, (size_t)n, 0) : NULL;

	if (!new)
		return;
	sm_strpool_put(t->names, *at);
	*at = new;
}

static void read_cgroup(struct tasks *t, struct task *k)
{
	replace(t, &k->cgroup,
		sm_cgroup_read(t->root, thread_of(k->owner), t->scratch, SCRATCH_BYTES));
}

/* Reads the cgroup in each sample, because a task can be moved at any time. */
static void follow_cgroup(struct tasks *t, struct task *k)
{
	struct sm_pidstat st;

	if (!k->gone && tasks_read_stat(t->root, k->owner, &st) == 0)
		read_cgroup(t, k);
}

static void read_names(struct tasks *t, struct task *k, pid_t tid)
{
	struct sm_pidcred cred;

	if (t->want_cmd && !(k->flags & EVENT_KTHREAD))
		replace(t, &k->cmd,
			sm_procpid_read_cmdline(t->root, tid, t->scratch, SCRATCH_BYTES));
	if (t->want_cgroup && !t->follow_cgroup)
		read_cgroup(t, k);
	if (t->want_uid && sm_procpid_read_cred(t->root, tid, &cred) == 0) {
		k->uid = cred.ruid;
		k->flags |= EVENT_HAS_UID;
	}
}

static void read_priority(struct task *k, pid_t tid)
{
	struct sched_param param;
	int nice;

	errno = 0;
	nice = getpriority(PRIO_PROCESS, (id_t)tid);
	if ((nice == -1 && errno) || sched_getparam(tid, &param) < 0)
		return;
	k->nice = (int16_t)nice;
	k->rtprio = (uint8_t)param.sched_priority;
	k->flags |= EVENT_HAS_PRIO;
}

/* Reads the process's comm.  The task is alive, so its process ID has not been reused. */
static void read_process(struct tasks *t, struct task *k)
{
	char comm[SM_TASK_COMM_LEN];

	if (sm_procpid_read_comm(t->root, sm_timer_tgid(k->owner), comm, sizeof(comm)) >
		0)
		memcpy(k->process, comm, sizeof(comm));
}

static void look(struct tasks *t, struct task *k)
{
	uint32_t now_s = (uint32_t)(t->now_ns / SM_NSEC_PER_SEC);
	pid_t tid = thread_of(k->owner);
	struct sm_pidstat st;

	if (k->gone || (k->read_s && now_s - k->read_s < FRESH_S))
		return;
	if (t->foreign || tasks_read_stat(t->root, k->owner, &st) < 0) {
		k->gone = true;
		return;
	}
	k->read_s = now_s;
	k->named_ns = t->now_ns;
	if (st.comm_len < sizeof(k->comm))
		memcpy(k->comm, st.comm, st.comm_len + 1);
	read_process(t, k);
	if (st.flags & SM_PF_KTHREAD)
		k->flags |= EVENT_KTHREAD;
	read_names(t, k, tid);
	if (t->own_pids && t->want_use)
		read_priority(k, tid);
}

static void read_cpu(const struct tasks *t, struct task *k)
{
	uint64_t run_ns, wait_ns, now_ns = t->now_ns;

	k->cpu_pct = NAN;
	if (!t->want_use || k->gone || sm_timer_is_process(k->owner) ||
		sm_procpid_read_schedstat(t->root, sm_timer_tgid(k->owner),
			sm_timer_tid(k->owner), &run_ns, &wait_ns) < 0)
		return;
	if (k->run_t_ns && now_ns > k->run_t_ns && run_ns >= k->run_ns &&
		run_ns - k->run_ns <= sm_procstat_most_ns(1, now_ns - k->run_t_ns))
		k->cpu_pct = (float)(100.0 * (double)(run_ns - k->run_ns) /
				     (double)(now_ns - k->run_t_ns));
	k->run_ns = run_ns;
	k->run_t_ns = now_ns;
}

/* --- the table ---------------------------------------------------------------------- */

static uint64_t hash_of(const struct tasks *t, struct sm_timer_owner owner)
{
	return sm_map_hash_bytes(&owner, sizeof(owner), t->map.seed);
}

static struct task *find(const struct tasks *t, struct sm_timer_owner owner)
{
	return sm_map_get(&t->map, hash_of(t, owner));
}

static struct task *find_or_add(struct tasks *t, struct sm_timer_owner owner)
{
	struct task *k = find(t, owner);

	if (k)
		return k;
	k = calloc(1, sizeof(*k));
	if (!k || sm_map_put(&t->map, hash_of(t, owner), k) < 0) {
		free(k);
		return NULL;
	}
	k->owner = owner;
	return k;
}

static void remember(struct task *k, const struct counter *c)
{
	if (c->kthread)
		k->flags |= EVENT_KTHREAD;
	if (c->comm[0] && c->named_ns >= k->named_ns) {
		memcpy(k->comm, c->comm, sizeof(k->comm));
		memcpy(k->process, c->process, sizeof(k->process));
		k->named_ns = c->named_ns;
	}
	if (c->cpu_ns && !k->run_t_ns) {
		k->run_ns = c->cpu_ns;
		k->run_t_ns = c->seen_ns;
	}
}

void tasks_learn(struct tasks *t, const struct counter *c)
{
	struct task *k = find_or_add(t, c->key.owner);

	if (k)
		remember(k, c);
}

void tasks_begin(struct tasks *t, uint64_t now_ns)
{
	struct task *k, *old[FORGET_MAX];
	size_t n = 0;

	for (size_t i = 0; n < FORGET_MAX && (k = sm_map_next(&t->map, &i)) != NULL;)
		if (t->number - k->number > FORGET_AFTER)
			old[n++] = k;
	for (size_t i = 0; i < n; i++) {
		sm_map_del(&t->map, hash_of(t, old[i]->owner));
		free_task(t, old[i]);
	}
	t->number++;
	t->now_ns = now_ns;
}

void tasks_refresh(struct tasks *t, struct task *k)
{
	if (k->looked == t->number)
		return;
	k->looked = t->number;
	look(t, k);
	if (t->follow_cgroup)
		follow_cgroup(t, k);
	read_cpu(t, k);
}

struct task *tasks_get(struct tasks *t, const struct counter *c)
{
	struct task *k = find_or_add(t, c->key.owner);

	if (k && !k->named_ns)
		remember(k, c);
	if (k)
		k->number = t->number;
	return k;
}

struct task *tasks_of(struct tasks *t, struct sm_timer_owner owner, const char *comm)
{
	struct task *k = find_or_add(t, owner);

	if (k && !k->comm[0])
		memcpy(k->comm, comm, sizeof(k->comm));
	if (k)
		k->number = t->number;
	return k;
}

void tasks_describe(const struct task *k, struct event *e)
{
	e->flags |= k->flags;
	e->nice = k->nice;
	e->rtprio = k->rtprio;
	e->uid = k->uid;
	e->cpu_pct = k->cpu_pct;
	e->cmd = k->cmd;
	e->cgroup = k->cgroup;
	e->process = (struct sm_str){k->process, strnlen(k->process, sizeof(k->process))};
	e->comm = (struct sm_str){k->comm, strnlen(k->comm, sizeof(k->comm))};
}

static void look_row(struct tasks *t, struct event *e)
{
	const struct sm_timer_owner owner = {
		sm_timer_ids(e->tgid, e->tid < 0 ? 0 : e->tid), e->birth};
	struct task *k = e->tgid > 0 ? find(t, owner) : NULL;

	if (!k || e->flags & EVENT_GROUP)
		return;
	tasks_refresh(t, k);
	tasks_describe(k, e);
	e->flags |= EVENT_LOOKED;
}

void tasks_look(struct tasks *t, struct event *rows, size_t n)
{
	for (size_t i = 0; i < n && t; i++)
		if (!(rows[i].flags & EVENT_LOOKED))
			look_row(t, &rows[i]);
}
