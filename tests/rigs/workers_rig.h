/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers_rig: workers that load CPUs, their orders and their states.
 */
#ifndef WORKERS_RIG_H
#define WORKERS_RIG_H

#include <sys/wait.h>

#include "base/clock.h"
#include "proc/procpid.h"
#include "load/cpus.h"
#include "load/workers.h"
#include "fixroot_rig.h"

#define MS     SM_NSEC_PER_MSEC
#define PPM(p) ((uint32_t)((p)*10000.0 + 0.5))

static struct sm_root live;
static struct sm_workers w;
static struct sm_workers_config config;
static struct sm_workers_fault why;
static unsigned int *cpu, n_cpu;

static inline void setup(void)
{
	struct sm_cpus cpus;
	unsigned int bad;
	int n;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	ck_assert_int_eq(sm_cpus_open(&cpus, &live), 0);
	n = sm_cpus_select(&cpus, NULL, &cpu, &bad);
	ck_assert_int_gt(n, 0);
	n_cpu = (unsigned int)n;
	sm_cpus_close(&cpus);
}

static inline void teardown(void)
{
	sm_root_close(&live);
	free(cpu);
}

static inline void start(unsigned int n)
{
	char reason[128] = "";
	int r = sm_workers_open(&w, cpu, n, &config, &why);

	if (r < 0)
		sm_workers_reason(&why, reason, sizeof(reason));
	ck_assert_msg(r == 0, "%d: %s", r, reason);
}

static inline void nap(uint64_t ns)
{
	struct timespec ts = {
		(time_t)(ns / SM_NSEC_PER_SEC), (long)(ns % SM_NSEC_PER_SEC)};

	nanosleep(&ts, NULL);
}

static inline void order(unsigned int i, const char *op, double percent)
{
	struct sm_workers_reading r;

	sm_workers_set(&w, i, (unsigned int)sm_ops_find(op), PPM(percent));
	sm_workers_go(&w);
	do {
		nap(MS / 10);
		sm_workers_read(&w, i, &r);
	} while (!r.follows);
}

static inline uint64_t ops_of(unsigned int i)
{
	struct sm_workers_reading r;

	sm_workers_read(&w, i, &r);
	return r.ops;
}

static inline void wait_for_ops(unsigned int i)
{
	uint64_t before = ops_of(i);

	while (ops_of(i) == before)
		nap(MS / 10);
}

static inline char state_of(pid_t pid)
{
	struct sm_pidstat st;

	ck_assert_int_eq(sm_procpid_read_stat(&live, pid, &st), 0);
	return st.state;
}

static inline bool check_faults(void)
{
	int r = sm_workers_check(&w, &why);

	ck_assert_int_ge(r, 0);
	return r;
}

static inline void no_child_is_left(void)
{
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}

#endif
