/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stressors_stage_rig: a stage of stressors that a test has made, from its start to its results.
 *
 * A test that depends on what an instance has done before a time waits for it, however long that takes, and
 * then passes that time to the supervisor itself (pass_time()).
 */
#ifndef STRESSORS_STAGE_RIG_H
#define STRESSORS_STAGE_RIG_H

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "cli/loop.h"
#include "proc/procpid.h"
#include "stressors/run/outcome.h"
#include "stressors/run/supervisor.h"
#include "unit.h"

#define MS   (SM_NSEC_PER_SEC / 1000)
#define JOBS 8

static struct sm_root root;
static struct plan plan;
static struct supervisor sup;
static struct sm_loop loop;
static struct stage g;
static struct job job[JOBS];
static struct result r[JOBS];

static inline void begin(uint64_t time_ns)
{
	memset(job, 0, sizeof(job));
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	plan = (struct plan){.job = job, .time_ns = time_ns, .keep_name = true};
	loop = (struct sm_loop)SM_LOOP_INIT;
	ck_assert_int_eq(sm_loop_init(&loop), 0);
	ck_assert_int_eq(sm_loop_signals(&loop, (const int[]){SIGCHLD, SIGINT, 0}), 0);
	sup = (struct supervisor){.plan = &plan, .root = &root, .ready_fd = -1};
	ck_assert_int_eq(supervisor_open(&sup, &loop), 0);
}

static inline const struct job *add(const struct stressor *s, unsigned int instances)
{
	job[plan.n] =
		(struct job){.stressor = s, .instances = instances, .ops = UINT64_MAX};
	return &job[plan.n++];
}

static inline void start_stage(void)
{
	ck_assert_int_eq(supervisor_start(&sup, &g, job, plan.n), 0);
}

static inline void run_until(enum supervisor_phase phase)
{
	uint64_t now;

	while (sup.phase != phase) {
		ck_assert_int_ge(sm_loop_wait(&loop, supervisor_next(&sup)), 0);
		now = sm_clock_mono_ns();
		if (sm_loop_take(&loop, NULL) & SM_SIGBIT(SIGINT))
			supervisor_stop(&sup, false, now);
		if (sup.phase != phase)
			supervisor_step(&sup, now);
	}
}

/* The latest end of the phase comes, whatever the time is. */
static inline void pass_time(void)
{
	supervisor_step(&sup, sup.until_ns);
}

static inline void finish_stage(void)
{
	run_until(SUPERVISOR_IS_OVER);
	ck_assert_int_eq(outcome_results(&sup, &g, r), 0);
}

static inline void run_stage(void)
{
	start_stage();
	finish_stage();
}

static inline void end(void)
{
	for (size_t i = 0; i < plan.n; i++)
		outcome_free(&r[i]);
	supervisor_free(&g);
	supervisor_close(&sup);
	sm_loop_fini(&loop);
	sm_root_close(&root);
}

static inline void nap(uint64_t ns)
{
	struct timespec ts = {.tv_nsec = (long)ns};

	nanosleep(&ts, NULL);
}

static inline char state_of(pid_t pid)
{
	struct sm_pidstat st;

	return sm_procpid_read_stat(&root, pid, &st) == 0 ? st.state : 0;
}

static inline void await_state(pid_t pid, char state)
{
	while (state_of(pid) != state)
		nap(MS / 10);
}

static inline void await_metric(size_t i, unsigned int metric)
{
	const volatile uint32_t *has = g.worker[i].slot->has_metric;

	while (!(has[0] >> metric & 1))
		nap(MS / 10);
}

/* The supervisor reaps it later. */
static inline void await_death(size_t i)
{
	siginfo_t info;

	ck_assert_int_eq(waitid(P_PID, (id_t)g.worker[i].pid, &info, WEXITED | WNOWAIT), 0);
}

static inline void is_status(size_t i, enum result_status status, const char *reason)
{
	ck_assert_msg(r[i].status == status, "%s: %s: %s", job[i].stressor->name,
		result_status_names[r[i].status], r[i].reason);
	ck_assert_str_eq(r[i].reason ? r[i].reason : "", reason);
}

#endif
