// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "load/cpus.h"
#include "load/duty.h"
#include "load/worker.h"

/* CPU time that a kernel runs between checks of the clock and of commands. */
#define CHUNK_NS      (250 * UINT64_C(1000))
#define CHUNK_FULL_NS SM_NSEC_PER_MSEC
#define FIRST_OPS     16u
#define GROWTH	      4u /* most operations of a chunk, as a multiple of the last chunk's */

#ifndef SYS_futex
#define SYS_futex SYS_futex_time64 /* 32-bit architectures without the old call */
#endif

struct life {
	const struct sm_worker_plan *plan;
	struct sm_worker_slot *slot;
	struct sm_worker_command order;
	uint32_t turn; /* turn of the order */
	struct sm_duty duty;
	const struct sm_ops *op;
	struct sm_ops_state state, mem;
	uint64_t ops, cpu_ns, last_n;
	double ops_per_ns;
};

/* ---- values and futexes in shared memory ---- */

void sm_worker_put(void *pair, uint32_t *turn, const void *value, size_t size)
{
	uint32_t next = *turn + 1;

	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy((char *)pair + (next & 1) * size, value, size);
	__atomic_store_n(turn, next, __ATOMIC_RELEASE);
}

uint32_t sm_worker_get(const void *pair, const uint32_t *turn, void *value, size_t size)
{
	uint32_t before, after;

	do {
		before = __atomic_load_n(turn, __ATOMIC_ACQUIRE);
		memcpy(value, (const char *)pair + (before & 1) * size, size);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		after = __atomic_load_n(turn, __ATOMIC_RELAXED);
	} while (after != before);
	return before;
}

/* A C library whose time_t is longer than the kernel's long has a different call for
 * it. */
static long futex_call(const struct timespec *ts)
{
#ifdef SYS_futex_time64
	if (ts && sizeof(ts->tv_sec) > sizeof(long))
		return SYS_futex_time64;
#endif
	(void)ts;
	return SYS_futex;
}

void sm_worker_wait(uint32_t *word, uint32_t value, uint64_t until_ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(until_ns / SM_NSEC_PER_SEC),
		.tv_nsec = (long)(until_ns % SM_NSEC_PER_SEC),
	};
	const struct timespec *end = until_ns == UINT64_MAX ? NULL : &ts;

	syscall(futex_call(end), word, FUTEX_WAIT_BITSET, value, end, NULL,
		FUTEX_BITSET_MATCH_ANY);
}

void sm_worker_wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* ---- the start ---- */

static void arrive(const struct sm_worker_plan *p, enum sm_worker_state state, int err)
{
	__atomic_store_n(&p->slot->err, err, __ATOMIC_RELAXED);
	__atomic_store_n(&p->slot->state, state, __ATOMIC_RELEASE);
	__atomic_fetch_add(p->arrivals, 1, __ATOMIC_RELEASE);
	sm_worker_wake(p->arrivals);
}

static void __attribute__((noreturn))
fail(const struct sm_worker_plan *p, enum sm_worker_state state, int err)
{
	arrive(p, state, err);
	_exit(1);
}

/* Signals sent to the parent's process group, by a terminal, timeout(1) or a service
 * manager, concern the parent, which ends the workers.  Handlers of the parent do not run
 * here. */
static void default_signals(void)
{
	static const int ignored[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1,
		SIGUSR2, SIGALRM, SIGWINCH};
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	for (size_t i = 0; i < SM_ARRAY_SIZE(ignored); i++)
		signal(ignored[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A change of the user ID clears this setting.  The parent may have exited before the
 * call. */
static void die_with_parent(const struct sm_worker_plan *p)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != p->parent)
		fail(p, SM_WORKER_ORPHAN, -ESRCH);
}

static void close_all_but(int fd)
{
	if (fd > 0)
		sm_base_close_range(0, (unsigned int)fd - 1);
	sm_base_close_range((unsigned int)fd + 1, ~0u);
}

/* Children inherit the policy of a parent with real-time scheduling. */
static void ordinary_scheduling(void)
{
	struct sched_param param = {0};

	syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &param);
	prctl(PR_SET_TIMERSLACK, 1);
}

static void check_kernels(const struct sm_worker_plan *p)
{
	for (unsigned int i = 0; i < sm_ops_count; i++) {
		int r = sm_ops_check(&sm_ops_table[i]);

		if (r == -EILSEQ)
			fail(p, SM_WORKER_WRONG, (int)i);
		if (r < 0)
			fail(p, SM_WORKER_NO_SETUP, r);
	}
}

static int map_memory(struct life *l)
{
	int mem = sm_ops_find("mem");

	if (mem < 0 || l->plan->mem_bytes == 0)
		return 0;
	return sm_ops_init(&l->mem, &sm_ops_table[mem], l->plan->mem_bytes);
}

static void set_up(struct life *l)
{
	const struct sm_worker_plan *p = l->plan;
	int r;

	die_with_parent(p);
	default_signals();
	ordinary_scheduling();
	r = sm_cpus_pin(p->cpu);
	if (r < 0)
		fail(p, SM_WORKER_NO_CPU, r);
	r = p->prepare ? p->prepare(p->prepare_ctx) : 0;
	if (r < 0)
		fail(p, SM_WORKER_NO_SETUP, r);
	die_with_parent(p);
	close_all_but(p->life_fd);
	r = map_memory(l);
	if (r < 0)
		fail(p, SM_WORKER_NO_SETUP, r);
	check_kernels(p);
}

/* ---- the work ---- */

static void publish(struct life *l, uint64_t until_ns)
{
	struct sm_worker_report r = {l->ops, l->cpu_ns, until_ns};

	sm_worker_put(l->slot->report, &l->slot->report_turn, &r, sizeof(r));
}

static void look_at_clock(struct life *l)
{
	l->cpu_ns = sm_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void change_kernel(struct life *l, const struct sm_ops *op)
{
	if (op == l->op)
		return;
	l->op = op;
	l->ops_per_ns = 0;
	l->last_n = FIRST_OPS;
	if (!op->needs_mem)
		(void)!sm_ops_init(&l->state, op, 0);
}

static void take_order(struct life *l)
{
	struct sm_worker_slot *s = l->slot;

	l->turn =
		sm_worker_get(s->command, &s->command_turn, &l->order, sizeof(l->order));
	if (l->order.stop)
		_exit(0);
	change_kernel(l, &sm_ops_table[l->order.op % sm_ops_count]);
	look_at_clock(l);
	sm_duty_start(
		&l->duty, l->order.ppm, l->order.period_ns, l->order.from_ns, l->cpu_ns);
	__atomic_store_n(&s->follows, l->turn, __ATOMIC_RELEASE);
}

static void sleep_until(struct life *l, uint64_t until_ns)
{
	publish(l, until_ns);
	sm_worker_wait(&l->slot->command_turn, l->turn, until_ns);
}

/* Returns the number of operations for that much CPU time, at the rate of the last
 * chunk. */
static uint64_t ops_for(const struct life *l, uint64_t ns)
{
	double n = l->ops_per_ns * (double)ns;
	double most = (double)(l->last_n * GROWTH);

	return l->ops_per_ns == 0 ? FIRST_OPS
	       : n < 1		  ? 1
				  : (uint64_t)(n < most ? n : most);
}

static void run_chunk(struct life *l, uint64_t ns)
{
	uint64_t before = l->cpu_ns, n = ops_for(l, ns);

	l->op->run(l->op->needs_mem ? &l->mem : &l->state, n);
	l->ops += n;
	l->last_n = n;
	look_at_clock(l);
	if (l->cpu_ns > before)
		l->ops_per_ns = (double)n / (double)(l->cpu_ns - before);
	publish(l, sm_clock_mono_ns());
}

/* The kernel moves a worker whose CPU goes offline or leaves its cpuset; such a worker
 * must not load another CPU. */
static bool is_away(const struct life *l)
{
	int cpu = sched_getcpu();
	bool away = cpu >= 0 && (unsigned int)cpu != l->plan->cpu;
	uint32_t state = away ? SM_WORKER_AWAY : SM_WORKER_READY;

	if (l->slot->state != state) {
		__atomic_store_n(&l->slot->err, cpu, __ATOMIC_RELAXED);
		__atomic_store_n(&l->slot->state, state, __ATOMIC_RELEASE);
	}
	return away;
}

static void work(struct life *l)
{
	uint64_t ns, until = SM_DUTY_NEVER;

	if (is_away(l)) {
		sleep_until(l, SM_DUTY_NEVER);
		return;
	}
	if (l->order.ppm == SM_DUTY_FULL) {
		run_chunk(l, CHUNK_FULL_NS);
		return;
	}
	ns = sm_duty_next(&l->duty, sm_clock_mono_ns(), l->cpu_ns, &until);
	if (ns)
		run_chunk(l, ns < CHUNK_NS ? ns : CHUNK_NS);
	else
		sleep_until(l, until);
}

void sm_worker_live(const struct sm_worker_plan *p)
{
	struct life l = {.plan = p, .slot = p->slot};

	set_up(&l);
	take_order(&l);
	publish(&l, SM_DUTY_NEVER);
	arrive(p, SM_WORKER_READY, 0);
	for (;;) {
		if (__atomic_load_n(&l.slot->command_turn, __ATOMIC_ACQUIRE) != l.turn)
			take_order(&l);
		work(&l);
	}
}
