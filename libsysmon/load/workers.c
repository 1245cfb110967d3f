// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/signame.h"
#include "load/worker.h"
#include "load/workers.h"

#define LOOK_NS	       (50 * SM_NSEC_PER_MSEC) /* a worker may die before it is ready */
#define START_LIMIT_NS (120 * SM_NSEC_PER_SEC) /* an emulated machine took 30 s */
#define END_MS	       300   /* for a worker to read the order; a chunk of work is 1 ms */
#define KILLED_MS      30000 /* for the kernel to end a killed worker on a busy machine */
#define REFUSED_MS     2000  /* for one that may not be signalled to read the order */

struct shared {
	uint32_t arrivals;
	struct sm_worker_slot slot[];
};

static struct shared *shared(const struct sm_workers *w)
{
	return w->shared;
}

static struct sm_worker_slot *slot(const struct sm_workers *w, unsigned int i)
{
	return &shared(w)->slot[i];
}

/* ---- faults ---- */

static int blame(const struct sm_workers *w, unsigned int i, enum sm_workers_what what,
	int err, struct sm_workers_fault *why)
{
	*why = (struct sm_workers_fault){w->one[i].cpu, what, err};
	return 1;
}

/* Reports the fault that a worker recorded before it exited, or how it was ended. */
static int blame_ended(const struct sm_workers *w, unsigned int i, const siginfo_t *how,
	struct sm_workers_fault *why)
{
	const struct sm_worker_slot *s = slot(w, i);

	if (how->si_code != CLD_EXITED)
		return blame(w, i, SM_WORKERS_KILLED, how->si_status, why);
	switch (s->state) {
	case SM_WORKER_NO_CPU:
		return blame(w, i, SM_WORKERS_NO_CPU, s->err, why);
	case SM_WORKER_NO_SETUP:
		return blame(w, i, SM_WORKERS_SETUP, s->err, why);
	case SM_WORKER_WRONG:
		return blame(w, i, SM_WORKERS_WRONG, s->err, why);
	default:
		return blame(w, i, SM_WORKERS_EXITED, how->si_status, why);
	}
}

/* A worker that has recorded a fault is about to exit, so its status arrives soon.  A
 * process that was started with SIGCHLD ignored never gets one (ECHILD). */
static bool has_ended(struct sm_workers_one *one, uint32_t state, siginfo_t *how)
{
	int flags = WEXITED | (state < SM_WORKER_NO_CPU ? WNOHANG : 0);
	int r;

	how->si_pid = 0;
	do
		r = waitid(P_PID, (id_t)one->pid, how, flags);
	while (r < 0 && errno == EINTR);
	if (r < 0 && errno == ECHILD)
		*how = (siginfo_t){.si_code = CLD_EXITED};
	else if (r < 0 || how->si_pid != one->pid)
		return false;
	one->pid = 0;
	return true;
}

static bool is_offline(const struct sm_workers *w, unsigned int i)
{
	unsigned int cpu = w->one[i].cpu;

	return w->online.n > 0 && (cpu >= w->online.n || !w->online.online[cpu]);
}

static int check_one(struct sm_workers *w, unsigned int i, struct sm_workers_fault *why)
{
	const struct sm_worker_slot *s = slot(w, i);
	uint32_t state = __atomic_load_n(&s->state, __ATOMIC_ACQUIRE);
	siginfo_t how;

	if (w->one[i].pid == 0)
		return blame(w, i, SM_WORKERS_EXITED, 0, why);
	if (has_ended(&w->one[i], state, &how))
		return blame_ended(w, i, &how, why);
	if (is_offline(w, i))
		return blame(w, i, SM_WORKERS_OFFLINE, 0, why);
	if (state == SM_WORKER_AWAY)
		return blame(w, i, SM_WORKERS_AWAY, s->err, why);
	return 0;
}

int sm_workers_check(struct sm_workers *w, struct sm_workers_fault *why)
{
	if (w->online.file.fd >= 0 && sm_cpulist_read(&w->online) < 0)
		w->online.n = 0;
	for (unsigned int i = 0; i < w->n; i++)
		if (check_one(w, i, why))
			return 1;
	return 0;
}

/* ---- the start ---- */

static int map_shared(struct sm_workers *w)
{
	size_t bytes = sizeof(struct shared) + w->n * sizeof(struct sm_worker_slot);
	void *p = mmap(
		NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -ENOMEM;
	w->shared = p;
	w->shared_bytes = bytes;
	return 0;
}

static int make_room(struct sm_workers *w, const unsigned int *cpu)
{
	w->one = calloc(w->n, sizeof(*w->one));
	if (!w->one)
		return -ENOMEM;
	for (unsigned int i = 0; i < w->n; i++)
		w->one[i].cpu = cpu[i];
	return map_shared(w);
}

/* The signals are blocked, so no handler of the parent runs in the child. */
static int fork_one(struct sm_workers *w, unsigned int i, struct sm_worker_plan *p)
{
	sigset_t all, old;
	pid_t pid;
	int err;

	p->slot = slot(w, i);
	p->cpu = w->one[i].cpu;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	pid = fork();
	err = errno;
	if (pid == 0)
		sm_worker_live(p);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (pid < 0)
		return -err;
	w->one[i].pid = pid;
	return 0;
}

/* Checks the workers while it waits, because a worker that has died never arrives. */
static int wait_until_ready(struct sm_workers *w, struct sm_workers_fault *why)
{
	uint64_t now = sm_clock_mono_ns(), end = now + START_LIMIT_NS;
	uint32_t *arrivals = &shared(w)->arrivals, there;

	while ((there = __atomic_load_n(arrivals, __ATOMIC_ACQUIRE)) < w->n) {
		if (now >= end) {
			blame(w, 0, SM_WORKERS_SETUP, -ETIMEDOUT, why);
			return -ETIMEDOUT;
		}
		sm_worker_wait(arrivals, there, now + LOOK_NS);
		now = sm_clock_mono_ns();
		if (sm_workers_check(w, why))
			return -ECHILD;
	}
	return sm_workers_check(w, why) ? -ECHILD : 0;
}

static int start_all(
	struct sm_workers *w, struct sm_worker_plan *p, struct sm_workers_fault *why)
{
	p->arrivals = &shared(w)->arrivals;
	p->parent = getpid();
	for (unsigned int i = 0; i < w->n; i++) {
		int r = fork_one(w, i, p);

		if (r < 0) {
			blame(w, i, SM_WORKERS_FORK, r, why);
			return r;
		}
	}
	return 0;
}

/* The pipe shows when the last worker has exited: only the workers hold its write end. */
static int start_and_wait(struct sm_workers *w, const struct sm_workers_config *c,
	struct sm_workers_fault *why)
{
	struct sm_worker_plan p = {
		.mem_bytes = c->mem_bytes,
		.prepare = c->prepare,
		.prepare_ctx = c->prepare_ctx,
	};
	int life[2], r;

	if (pipe2(life, O_CLOEXEC) < 0)
		return -errno;
	w->life_fd = life[0];
	p.life_fd = life[1];
	r = start_all(w, &p, why);
	close(life[1]);
	return r < 0 ? r : wait_until_ready(w, why);
}

int sm_workers_open(struct sm_workers *w, const unsigned int *cpu, unsigned int n,
	const struct sm_workers_config *c, struct sm_workers_fault *why)
{
	int r;

	*w = (struct sm_workers){.n = n,
		.life_fd = -1,
		.period_ns = c->period_ns,
		.online = SM_CPULIST_INIT};
	if (n == 0)
		return -EINVAL;
	*why = (struct sm_workers_fault){cpu[0], SM_WORKERS_FORK, -ENOMEM};
	r = make_room(w, cpu);
	if (r == 0 && c->root && sm_cpulist_open(&w->online, c->root) < 0)
		sm_cpulist_close(&w->online);
	if (r == 0)
		r = start_and_wait(w, c, why);
	if (r < 0)
		sm_workers_close(w);
	return r;
}

/* ---- orders and readings ---- */

void sm_workers_set(struct sm_workers *w, unsigned int i, unsigned int op, uint32_t ppm)
{
	struct sm_workers_one *o = &w->one[i];

	o->next_op = (uint16_t)op;
	o->next_ppm = ppm < SM_DUTY_FULL ? ppm : SM_DUTY_FULL;
	o->changed = true;
}

static void send(const struct sm_workers *w, unsigned int i, bool stop)
{
	const struct sm_workers_one *o = &w->one[i];
	struct sm_worker_slot *s = slot(w, i);
	struct sm_worker_command c = {
		.from_ns = o->from_ns,
		.period_ns = w->period_ns,
		.ppm = o->ppm,
		.op = o->op,
		.stop = stop,
	};

	sm_worker_put(s->command, &s->command_turn, &c, sizeof(c));
	sm_worker_wake(&s->command_turn);
}

static uint64_t asked_ns(const struct sm_workers_one *o, uint64_t at_ns)
{
	uint64_t elapsed = at_ns > o->from_ns ? at_ns - o->from_ns : 0;

	return o->asked_before_ns + sm_duty_share_ns(elapsed, o->ppm);
}

uint64_t sm_workers_go(struct sm_workers *w)
{
	uint64_t now = sm_clock_mono_ns();

	for (unsigned int i = 0; i < w->n; i++) {
		struct sm_workers_one *o = &w->one[i];

		if (!o->changed)
			continue;
		o->asked_before_ns = asked_ns(o, now);
		o->from_ns = now;
		o->ppm = o->next_ppm;
		o->op = o->next_op;
		o->changed = false;
		send(w, i, false);
	}
	return now;
}

void sm_workers_read(
	const struct sm_workers *w, unsigned int i, struct sm_workers_reading *out)
{
	const struct sm_worker_slot *s = slot(w, i);
	uint64_t now = sm_clock_mono_ns();
	struct sm_worker_report r;

	sm_worker_get(s->report, &s->report_turn, &r, sizeof(r));
	out->at_ns = r.until_ns < now ? r.until_ns : now;
	out->asked_ns = asked_ns(&w->one[i], out->at_ns);
	out->given_ns = r.cpu_ns;
	out->ops = r.ops;
	out->follows = __atomic_load_n(&s->follows, __ATOMIC_ACQUIRE) == s->command_turn;
}

pid_t sm_workers_pid(const struct sm_workers *w, unsigned int i)
{
	return w->one[i].pid;
}

/* ---- the end ---- */

static bool all_gone(const struct sm_workers *w, int limit_ms)
{
	uint64_t end = sm_clock_mono_ns() + (uint64_t)limit_ms * SM_NSEC_PER_MSEC;
	struct pollfd p = {.fd = w->life_fd};

	for (;;) {
		uint64_t now = sm_clock_mono_ns();
		int ms = now < end ? (int)((end - now) / SM_NSEC_PER_MSEC) : 0;
		int r = poll(&p, 1, ms);

		if (r > 0)
			return true;
		if (r == 0 || errno != EINTR)
			return false;
	}
}

/* Returns false if this process may not signal one of the workers. */
static bool kill_all(const struct sm_workers *w)
{
	bool sent = true;

	for (unsigned int i = 0; i < w->n; i++)
		if (w->one[i].pid > 0 && kill(w->one[i].pid, SIGKILL) < 0)
			sent = false;
	return sent;
}

/* wait: the workers have closed the pipe, so they become zombies at once. */
static unsigned int reap(struct sm_workers *w, bool wait)
{
	unsigned int left = 0;

	for (unsigned int i = 0; i < w->n; i++) {
		pid_t got = 0;

		if (w->one[i].pid <= 0)
			continue;
		do
			got = waitpid(w->one[i].pid, NULL, wait ? 0 : WNOHANG);
		while (got < 0 && errno == EINTR);
		left += got == 0;
	}
	return left;
}

static unsigned int end_all(struct sm_workers *w)
{
	bool gone;

	for (unsigned int i = 0; i < w->n; i++)
		send(w, i, true);
	gone = all_gone(w, END_MS);
	if (!gone)
		gone = all_gone(w, kill_all(w) ? KILLED_MS : REFUSED_MS);
	return reap(w, gone);
}

unsigned int sm_workers_close(struct sm_workers *w)
{
	unsigned int left = 0;

	if (w->life_fd >= 0) {
		left = end_all(w);
		close(w->life_fd);
	}
	if (w->shared)
		munmap(w->shared, w->shared_bytes);
	free(w->one);
	sm_cpulist_close(&w->online);
	*w = (struct sm_workers){.life_fd = -1, .online = SM_CPULIST_INIT};
	return left;
}

/* --- reasons --------------------------------------------------------------------- */

static const char *kernel_name(int op)
{
	return op >= 0 && (unsigned int)op < sm_ops_count ? sm_ops_table[op].name : "?";
}

void sm_workers_reason(const struct sm_workers_fault *why, char *buf, size_t cap)
{
	char name[SM_SIGNAME_MAX];
	int n = snprintf(buf, cap, "the load of CPU %u ", why->cpu);

	if (n < 0 || (size_t)n >= cap)
		return;
	buf += n;
	cap -= (size_t)n;
	switch (why->what) {
	case SM_WORKERS_FORK:
		snprintf(buf, cap, "cannot be started: %s", strerror(-why->err));
		break;
	case SM_WORKERS_NO_CPU:
		snprintf(buf, cap, "cannot run there: %s", strerror(-why->err));
		break;
	case SM_WORKERS_SETUP:
		snprintf(buf, cap, "cannot be set up: %s", strerror(-why->err));
		break;
	case SM_WORKERS_WRONG:
		snprintf(buf, cap, "computes wrong results: %s", kernel_name(why->err));
		break;
	case SM_WORKERS_EXITED:
		snprintf(buf, cap, "exited with status %d", why->err);
		break;
	case SM_WORKERS_KILLED:
		snprintf(buf, cap, "was killed by %s", sm_signame(why->err, name));
		break;
	case SM_WORKERS_AWAY:
		snprintf(buf, cap, "was moved to CPU %d", why->err);
		break;
	case SM_WORKERS_OFFLINE:
		snprintf(buf, cap, "has lost its CPU, which went offline");
		break;
	}
}
