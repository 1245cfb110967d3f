// SPDX-License-Identifier: GPL-2.0-or-later
#include "timers/timertick.h"
#include "bpf/bpf_kern.h"

struct sm_timertick found;

/* Callbacks of the tick: since Linux 6.9, in Linux 6.8, and before.  Before Linux 6.8,
 * another function of the clock had the first name. */
FUNCTION(tick_nohz_handler);
FUNCTION(tick_nohz_highres_handler);
FUNCTION(tick_sched_timer);
FUNCTION(nohz_csd_func);
FUNCTION(hrtimer_wakeup);
FUNCTION(process_timeout);

/* The programs are not attached; the reader runs one of them once. */
SEC("raw_tp/sched_switch") int find_functions(void *ctx)
{
	uint64_t before = (uint64_t)tick_sched_timer;

	(void)ctx;
	if (!before)
		before = (uint64_t)tick_nohz_highres_handler;
	found.tick = before ? before : (uint64_t)tick_nohz_handler;
	found.balance = (uint64_t)nohz_csd_func;
	found.hrtimer_wakeup = (uint64_t)hrtimer_wakeup;
	found.process_timeout = (uint64_t)process_timeout;
	found.ids = bpf_get_current_pid_tgid();
	return 0;
}

PERCPU(struct tick_sched, tick_cpu_sched);
PERCPU(struct rq, runqueues);

SEC("raw_tp/sched_switch") int find_tick(void *ctx)
{
	const struct tick_sched *tick = bpf_this_cpu_ptr(&tick_cpu_sched);
	const struct rq *rq = bpf_this_cpu_ptr(&runqueues);
	void *func;

	(void)ctx;
	READ(func, tick->sched_timer.function);
	found.tick = (uint64_t)func;
	if (HAS(rq->nohz_csd.func)) {
		READ(func, rq->nohz_csd.func);
		found.balance = (uint64_t)func;
	}
	found.ids = bpf_get_current_pid_tgid();
	return 0;
}
