// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/realtime.h"
#include "policy.h"
#include "stress.h"

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif
#ifndef SCHED_RESET_ON_FORK
#define SCHED_RESET_ON_FORK 0x40000000
#endif

/* The kernel accepts no shorter period (sched_deadline_period_min_us).  A longer one is
 * not needed: wake.c divides long sleeps into pieces, each of which uses its part of the
 * run time. */
#define PERIOD_MIN_NS (100 * UINT64_C(1000))
#define PERIOD_MAX_NS (10 * SM_NSEC_PER_MSEC)
#define RUNTIME_NS    (30 * UINT64_C(1000))

const char *const policy_names[] = {
	"other", "fifo", "rr", "deadline", "batch", "idle", NULL};

/* struct sched_attr of include/uapi/linux/sched/types.h, its first version. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

/* musl's sched_setscheduler() is a stub. */
static int set_policy(int policy, int prio)
{
	struct sched_param p = {.sched_priority = prio};

	return syscall(SYS_sched_setscheduler, 0, policy, &p) < 0 ? -errno : 0;
}

/* A task that needs more than its run time in a period is throttled until the next one,
 * which would be measured as a late wakeup. */
static int enter_deadline(uint64_t period_ns)
{
	uint64_t at_least = period_ns < PERIOD_MIN_NS ? PERIOD_MIN_NS : period_ns;
	uint64_t period = at_least > PERIOD_MAX_NS ? PERIOD_MAX_NS : at_least;
	struct attributes a = {
		.size = sizeof(a),
		.policy = SCHED_DEADLINE,
		.runtime = RUNTIME_NS,
		.deadline = period,
		.period = period,
	};

	return syscall(SYS_sched_setattr, 0, &a, 0) < 0 ? -errno : 0;
}

static int enter_realtime(enum policy policy, unsigned int prio)
{
	int r = sm_realtime_enter((int)prio);

	if (r < 0 || policy == POLICY_FIFO)
		return r;
	return set_policy(SCHED_RR | SCHED_RESET_ON_FORK, (int)prio);
}

static int enter(enum policy policy, unsigned int prio, uint64_t period_ns)
{
	switch (policy) {
	case POLICY_FIFO:
	case POLICY_RR:
		return enter_realtime(policy, prio);
	case POLICY_DEADLINE:
		return enter_deadline(period_ns);
	case POLICY_BATCH:
		return set_policy(SCHED_BATCH, 0);
	case POLICY_IDLE:
		return set_policy(SCHED_IDLE, 0);
	case POLICY_OTHER:
		break;
	}
	return 0;
}

int policy_set(enum policy policy, unsigned int prio)
{
	static const int of[] = {[POLICY_OTHER] = SCHED_OTHER,
		[POLICY_FIFO] = SCHED_FIFO,
		[POLICY_RR] = SCHED_RR,
		[POLICY_BATCH] = SCHED_BATCH,
		[POLICY_IDLE] = SCHED_IDLE};

	if (policy == POLICY_DEADLINE)
		return -EINVAL;
	return set_policy(of[policy], policy_realtime(policy) ? (int)prio : 0);
}

int policy_lead(void)
{
	return set_policy(SCHED_FIFO | SCHED_RESET_ON_FORK, POLICY_PRIO_MAX + 1);
}

bool policy_realtime(enum policy policy)
{
	return policy == POLICY_FIFO || policy == POLICY_RR;
}

int policy_enter(
	struct stress *s, enum policy policy, unsigned int prio, uint64_t period_ns)
{
	const char *name = policy_names[policy];
	int r = enter(policy, prio, period_ns);

	if (r == -EPERM && policy == POLICY_DEADLINE)
		return stress_skip(s, "policy deadline needs CAP_SYS_NICE, and all CPUs "
				      "(no --taskset)");
	if (r == -EPERM)
		return stress_skip(s, "policy %s needs CAP_SYS_NICE", name);
	if (r == -EBUSY)
		return stress_lacks(s, "policy %s: no CPU time is left to reserve", name);
	if (r < 0)
		return stress_error(s, STRESS_SKIP, -r, "policy %s", name);
	return 0;
}

/* Keeps the flag: clearing it, if it was set, would require CAP_SYS_NICE. */
void policy_leave(void)
{
	(void)set_policy(SCHED_OTHER | SCHED_RESET_ON_FORK, 0);
}

bool policy_lost(enum policy policy)
{
	return policy_realtime(policy) && sm_realtime_tripped();
}
