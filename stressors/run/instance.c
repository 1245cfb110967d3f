// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/priv.h"
#include "instance.h"
#include "proc/memfree.h"
#include "proc/pagemap.h"
#include "scratch.h"

/* Blocks signals to the process group.  The supervisor handles them and decides when to
 * stop. */
static void set_signals(void)
{
	static const int group[] = {SIGINT, SIGQUIT, SIGHUP, SIGALRM, SIGUSR1, SIGUSR2};
	sigset_t blocked;

	signal(SIGTERM, SIG_DFL);
	sigemptyset(&blocked);
	for (size_t i = 0; i < SM_ARRAY_SIZE(group); i++)
		sigaddset(&blocked, group[i]);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
}

static void die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(STRESS_FAIL);
}

static void prepare(const struct stress *s, const struct instance_start *how)
{
	unsigned long slack = how->plan->timer_slack_ns;
	char name[32];

	die_with(how->parent);
	set_signals();
	if (!how->plan->keep_name) {
		snprintf(name, sizeof(name), "stress-%s", s->stressor->name);
		prctl(PR_SET_NAME, name);
	}
	prctl(PR_SET_TIMERSLACK, slack ? slack : 1, 0, 0, 0);
	/* If memory runs out, the kernel should kill this instance before the supervisor
	 * or another program.  If this fails, the instance is as likely a victim as they
	 * are. */
	(void)sm_memfree_end_first(how->root);
}

/* Applies --sched. */
static int enter_policy(struct stress *s, const struct plan *p)
{
	int r = p->has_sched ? policy_set(p->sched, p->sched_prio) : 0;

	if (r == -EPERM)
		return stress_skip(
			s, "--sched=%s: needs CAP_SYS_NICE", policy_names[p->sched]);
	if (r < 0)
		return stress_error(
			s, STRESS_SKIP, -r, "--sched=%s", policy_names[p->sched]);
	return 0;
}

/* Drops capabilities.  An open file in /proc keeps the privileges with which it was
 * opened. */
static int drop_caps(struct stress *s, const struct instance_start *how)
{
	int r;

	if (s->stressor->pagemap)
		s->pagemap_fd = sm_pagemap_open_self(how->root);
	r = sm_priv_keep(s->stressor->caps);
	return r < 0 ? stress_error(s, STRESS_SKIP, -r, "cannot drop privileges") : 0;
}

/* Changes to the calling user, who owns its files: under sudo(8), root without
 * capabilities could not create files in a directory of that user. */
static int become_owner(struct stress *s, const struct instance_start *how)
{
	int r;

	if (!s->stressor->scratch)
		return 0;
	r = sm_priv_become_invoker();
	/* The kernel clears the setting when the ids change. */
	die_with(how->parent);
	return r < 0 ? stress_error(
			       s, STRESS_SKIP, -r, "cannot change to the calling user")
		     : 0;
}

static int enter_scratch(struct stress *s, const struct instance_start *how)
{
	if (!s->stressor->scratch)
		return 0;
	s->scratch_fd = scratch_enter(how->scratch_fd, s->stressor->name, s->instance);
	return s->scratch_fd < 0 ? stress_error(s, STRESS_FAIL, -s->scratch_fd,
					   "cannot create a directory for its files")
				 : 0;
}

static void wait_for_go(struct stress *s, const struct instance_start *how)
{
	uint64_t one = 1;

	s->slot->ready_ns = sm_clock_mono_ns();
	atomic_store(&s->slot->phase, PHASE_READY);
	if (write(how->ready_fd, &one, sizeof(one)) < 0)
		_exit(STRESS_FAIL);
	while (!atomic_load(&s->board->go))
		(void)syscall(SYS_futex, &s->board->go, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static uint64_t ns_of(struct timeval t)
{
	return (uint64_t)t.tv_sec * SM_NSEC_PER_SEC + (uint64_t)t.tv_usec * 1000;
}

/* Reads user and system CPU time, in ns. */
static void cpu_ns(int who, uint64_t ns[2])
{
	struct rusage usage;

	getrusage(who, &usage);
	ns[0] = ns_of(usage.ru_utime);
	ns[1] = ns_of(usage.ru_stime);
}

static void add_cpu(struct stress_slot *slot, int who, const uint64_t before[2])
{
	uint64_t now[2];

	cpu_ns(who, now);
	slot->user_ns += now[0] - before[0];
	slot->sys_ns += now[1] - before[1];
}

static void say_perf(struct stress *s, int err)
{
	if (err)
		stress_note(s, "--perf: some events are not counted: %s", strerror(-err));
}

enum { CACHE_LINE = 64 };

/* Allocates the state, which is freed with the process, and calls setup. */
static int setup(struct stress *s)
{
	/* aligned_alloc(3) takes multiples of the alignment. */
	size_t bytes = (s->stressor->state + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;

	if (bytes) {
		s->data = aligned_alloc(CACHE_LINE, bytes);
		if (!s->data)
			return stress_lacks(s, "no memory");
		memset(s->data, 0, bytes);
	}
	return s->stressor->setup ? s->stressor->setup(s) : 0;
}

/* Runs the stressor and returns its result. */
static int run(struct stress *s, const struct instance_start *how, struct perf_fds *fds)
{
	static const uint64_t none[2];
	struct stress_slot *slot = s->slot;
	uint64_t before[2];
	int err;

	cpu_ns(RUSAGE_SELF, before);
	if (how->perf)
		perf_start(how->perf, fds);
	s->begin_ns = sm_clock_mono_ns();
	/* The time is 0 if the run ended before it began. */
	s->go_ns = s->board->go_ns ? s->board->go_ns : s->begin_ns;
	atomic_store(&slot->phase, PHASE_RUN);
	err = s->stressor->run(s);
	slot->end_ns = sm_clock_mono_ns();
	atomic_store(&slot->phase, PHASE_ENDED);
	if (how->perf)
		say_perf(s, perf_stop(how->perf, fds, &slot->perf));
	add_cpu(slot, RUSAGE_SELF, before);
	add_cpu(slot, RUSAGE_CHILDREN, none);
	return err;
}

_Noreturn void instance_live(struct stress *s, const struct instance_start *how)
{
	struct perf_fds fds;
	int err;

	prepare(s, how);
	atomic_store(&s->slot->phase, PHASE_SETUP);
	/* Called before setup, so that children that setup creates are also counted. */
	if (how->perf)
		say_perf(s, perf_open(how->perf, &fds));
	err = enter_policy(s, how->plan);
	/* Called before setup, which may start processes. */
	if (!err)
		err = become_owner(s, how);
	if (!err)
		err = drop_caps(s, how);
	if (!err)
		err = enter_scratch(s, how);
	if (!err)
		err = setup(s);
	if (!err) {
		wait_for_go(s, how);
		err = run(s, how, &fds);
	}
	if (err && s->slot->outcome == STRESS_PASS)
		stress_fail(s, "stopped before the end of the run");
	atomic_store(&s->slot->phase, PHASE_DONE);
	_exit((int)s->slot->outcome);
}
