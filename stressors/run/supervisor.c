// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/memfree.h"
#include "stall.h"
#include "supervisor.h"

#define MS	       (SM_NSEC_PER_SEC / 1000)
#define SETUP_LIMIT_NS (30 * SM_NSEC_PER_SEC)
#define SOFT_NS	       (300 * MS) /* then SIGTERM */
#define TERM_NS	       SM_NSEC_PER_SEC
#define KILL_NS	       (10 * SM_NSEC_PER_SEC) /* then it is left */
#define AGAIN_NS       SM_NSEC_PER_SEC
#define ORPHANS_NS     (200 * MS)

/* --- starting ----------------------------------------------------------------------- */

static uint64_t seed_of(const struct plan *p, const struct worker *w)
{
	uint64_t state = p->seed;

	for (const char *c = w->job->stressor->name; *c; c++)
		state = state * 31 + (unsigned char)*c;
	state += w->number;
	return stress_random(&state);
}

static _Noreturn void child(struct supervisor *v, struct worker *w)
{
	struct stress s = {
		.stressor = w->job->stressor,
		.value = w->job->value,
		.instance = w->number,
		.instances = w->job->instances,
		.ops_max = w->job->ops,
		.seed = seed_of(v->plan, w),
		.verify = v->plan->verify,
		.spoil = v->plan->spoil,
		.board = v->stage->board,
		.slot = w->slot,
		.histogram = w->histogram,
		.pagemap_fd = -1,
	};
	struct instance_start how = {
		.parent = v->pid,
		.ready_fd = v->ready_fd,
		.plan = v->plan,
		.perf = v->perf,
		.root = v->root,
	};

	instance_live(&s, &how);
}

static void start(struct supervisor *v, struct worker *w)
{
	pid_t pid;

	w->fork_ns = w->seen_ns = sm_clock_mono_ns();
	w->again_ns = 0;
	atomic_store(&w->slot->phase, PHASE_NONE);
	pid = fork();
	if (pid == 0)
		child(v, w);
	if (pid < 0) {
		w->start_err = -errno;
		return;
	}
	w->pid = pid;
	v->stage->alive++;
}

static size_t count_instances(const struct job *j, size_t n, bool with_histogram)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		if (!j[i].why_not && (!with_histogram || j[i].stressor->histogram))
			all += j[i].instances;
	return all;
}

static int make_stage(struct stage *g, struct job *j, size_t n)
{
	struct sm_loghist *histogram;
	struct worker *w;

	*g = (struct stage){.job = j, .n_jobs = n, .n = count_instances(j, n, false)};
	g->board_bytes = sizeof(*g->board) + g->n * sizeof(struct stress_slot) +
			 count_instances(j, n, true) * sizeof(*histogram);
	g->board = mmap(NULL, g->board_bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (g->board == MAP_FAILED) {
		g->board = NULL;
		return -ENOMEM;
	}
	g->worker = w = calloc(g->n + 1, sizeof(*w));
	if (!w)
		return -ENOMEM;
	histogram = (struct sm_loghist *)(void *)&g->board->slot[g->n];
	for (size_t i = 0; i < n; i++)
		for (unsigned int k = 0; !j[i].why_not && k < j[i].instances; k++, w++) {
			w->job = &j[i];
			w->number = k;
			w->slot = &g->board->slot[w - g->worker];
			w->histogram = j[i].stressor->histogram ? histogram++ : NULL;
		}
	g->n = (size_t)(w - g->worker);
	return 0;
}

/* --- what ended --------------------------------------------------------------------- */

/* Was it the kernel, for lack of memory, that sent it SIGKILL? */
static bool was_oom(struct supervisor *v, const struct worker *w)
{
	struct stage *g = v->stage;

	if (w->forced || !WIFSIGNALED(w->wstatus) || WTERMSIG(w->wstatus) != SIGKILL)
		return false;
	if (sm_memfree_kills(v->root) <= g->oom_kills)
		return false;
	g->oom_kills++; /* of one instance: others may have ended meanwhile */
	return true;
}

static void ended(
	struct supervisor *v, struct worker *w, int wstatus, const struct rusage *u)
{
	struct stage *g = v->stage;

	w->pid = 0;
	w->wstatus = wstatus;
	w->end_ns = sm_clock_mono_ns();
	w->usage = *u;
	g->alive--;
	if (!was_oom(v, w))
		return;
	w->oom_kills++;
	if (!v->plan->oomable && !g->stop_ns)
		w->again_ns = w->end_ns + AGAIN_NS;
}

static void reap(struct supervisor *v)
{
	struct stage *g = v->stage;
	struct rusage usage;
	int wstatus;
	pid_t pid;

	while ((pid = wait4(-1, &wstatus, WNOHANG, &usage)) > 0)
		for (size_t i = 0; i < g->n; i++)
			if (g->worker[i].pid == pid)
				ended(v, &g->worker[i], wstatus, &usage);
}

static bool has_failed(const struct worker *w)
{
	return !w->pid && w->end_ns && !w->again_ns && !w->forced &&
	       (WIFSIGNALED(w->wstatus) || WEXITSTATUS(w->wstatus) == STRESS_FAIL);
}

static bool a_failure(const struct stage *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (has_failed(&g->worker[i]))
			return true;
	return false;
}

/* --- waiting ------------------------------------------------------------------------ */

static void send_all(struct stage *g, int signo)
{
	for (size_t i = 0; i < g->n; i++) {
		struct worker *w = &g->worker[i];

		/* One that has seen the flag only frees what it has. */
		if (!w->pid || (signo == SIGTERM && w->slot->phase >= PHASE_TEARDOWN))
			continue;
		w->forced = signo;
		kill(w->pid, signo);
	}
}

static void wake_all(struct stage *g)
{
	(void)syscall(SYS_futex, &g->board->go, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static void take_signals(struct supervisor *v)
{
	uint64_t got = sm_loop_take(&v->loop, NULL);
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR2};
	bool again = v->signal != 0;

	if (got & SM_SIGBIT(SIGCHLD))
		reap(v);
	v->asked |= (got & SM_SIGBIT(SIGUSR1)) != 0;
	for (size_t i = 0; i < SM_ARRAY_SIZE(ends); i++) {
		if (!(got & SM_SIGBIT(ends[i])))
			continue;
		if (again)
			send_all(v->stage, SIGKILL);
		else
			v->signal = ends[i];
	}
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Starts again what the kernel ended; returns when the next is due. */
static uint64_t start_again(struct supervisor *v, uint64_t now)
{
	struct stage *g = v->stage;
	uint64_t next = SM_LOOP_FOREVER;

	for (size_t i = 0; i < g->n; i++) {
		struct worker *w = &g->worker[i];

		if (w->again_ns && w->again_ns <= now)
			start(v, w);
		else if (w->again_ns)
			next = earlier(next, w->again_ns);
	}
	return next;
}

static bool is_over(const struct stage *g)
{
	if (g->alive)
		return false;
	for (size_t i = 0; i < g->n; i++)
		if (g->worker[i].again_ns)
			return false;
	return true;
}

static int wait_once(struct supervisor *v, uint64_t deadline)
{
	int got = sm_loop_wait(&v->loop, deadline);

	if (got < 0)
		return got;
	take_signals(v);
	return 0;
}

/* It only wakes the supervisor, which looks at the phases. */
static void on_ready(void *ctx, short revents)
{
	struct supervisor *v = ctx;
	uint64_t n;

	(void)revents;
	if (read(v->ready_fd, &n, sizeof(n)) < 0)
		return;
}

/* Something ends the run before its time. */
static bool is_cut(const struct supervisor *v)
{
	return v->signal || v->cancel;
}

/* Until all are set up or have ended. */
static int settle(struct supervisor *v)
{
	struct stage *g = v->stage;
	uint64_t deadline = sm_clock_mono_ns() + SETUP_LIMIT_NS;
	int err = 0;

	while (!err && !is_cut(v) && g->alive > 0 && sm_clock_mono_ns() < deadline) {
		size_t waiting = 0;

		for (size_t i = 0; i < g->n; i++)
			waiting += g->worker[i].pid &&
				   atomic_load(&g->worker[i].slot->phase) < PHASE_READY;
		if (!waiting)
			return 0;
		err = wait_once(v, deadline);
	}
	for (size_t i = 0; !is_cut(v) && i < g->n; i++) {
		struct worker *w = &g->worker[i];

		w->too_slow = w->pid && atomic_load(&w->slot->phase) < PHASE_READY;
		if (w->too_slow)
			kill(w->pid, SIGKILL);
	}
	return err;
}

static void go(struct supervisor *v)
{
	struct stage *g = v->stage;

	if (v->watch && v->watch->go)
		v->watch->go(v->watch->ctx, g);
	g->go_ns = sm_clock_mono_ns();
	g->board->go_ns = g->go_ns;
	stall_begin(g);
	atomic_store(&g->board->go, 1);
	wake_all(g);
}

static void answer(struct supervisor *v, uint64_t now_ns)
{
	if (v->asked && v->watch && v->watch->asked)
		v->watch->asked(v->watch->ctx, v->stage, now_ns);
	v->asked = false;
}

static int wait_for_end(struct supervisor *v)
{
	const struct supervisor_watch *t = v->watch;
	struct stage *g = v->stage;
	uint64_t time_ns = v->plan->time_ns, now = g->go_ns;
	uint64_t end = time_ns > UINT64_MAX - now ? UINT64_MAX : now + time_ns;
	uint64_t every = t && t->tick && t->every_ns ? t->every_ns : 0;
	uint64_t tick = every ? now + every : SM_LOOP_FOREVER;
	int err = 0;

	while (!err && !is_cut(v) && !is_over(g) && now < end) {
		uint64_t next = earlier(start_again(v, now), g->look_ns);

		v->aborted = v->plan->abort && a_failure(g);
		if (v->aborted)
			break;
		err = wait_once(v, earlier(earlier(end, tick), next));
		now = sm_clock_mono_ns();
		stall_look(g, now);
		answer(v, now);
		if (!every || now < tick)
			continue;
		t->tick(t->ctx, g, now);
		while (tick <= now)
			tick += every;
	}
	return err;
}

/* Until none is alive or the deadline. */
static void wait_dead(struct supervisor *v, uint64_t limit_ns)
{
	uint64_t deadline = sm_clock_mono_ns() + limit_ns;

	while (v->stage->alive && sm_clock_mono_ns() < deadline)
		if (wait_once(v, deadline) < 0)
			return;
}

static void end(struct supervisor *v)
{
	struct stage *g = v->stage;

	g->stop_ns = sm_clock_mono_ns();
	atomic_store(&g->board->stop, 1);
	/* An instance may have asked for both flags, and not yet wait for the start: the
	 * value of the futex has to change. */
	atomic_store(&g->board->go, 1);
	if (g->alive)
		wake_all(g);
	stall_stop(g);
	wait_dead(v, SOFT_NS);
	if (g->alive) {
		stall_judge(g, v->root);
		send_all(g, SIGTERM);
		wait_dead(v, TERM_NS);
	}
	if (g->alive) {
		stall_judge(g, v->root);
		send_all(g, SIGKILL);
		wait_dead(v, KILL_NS);
	}
}

/* Children of instances that had to be killed die with them, and become this process's.
 */
static void reap_orphans(void)
{
	uint64_t deadline = sm_clock_mono_ns() + ORPHANS_NS;
	static const struct timespec step = {.tv_nsec = 1000000};

	while (waitpid(-1, NULL, WNOHANG) >= 0 && sm_clock_mono_ns() < deadline)
		nanosleep(&step, NULL);
}

int supervisor_run(struct supervisor *v, struct stage *g, struct job *j, size_t n)
{
	int err = make_stage(g, j, n);

	if (err || !g->n)
		return err;
	v->stage = g;
	g->oom_kills = sm_memfree_kills(v->root);
	for (size_t i = 0; i < g->n; i++)
		start(v, &g->worker[i]);
	err = settle(v);
	if (!err && !is_cut(v)) {
		go(v);
		err = wait_for_end(v);
	}
	end(v);
	reap_orphans();
	v->stage = NULL;
	return err;
}

void supervisor_free(struct stage *g)
{
	if (g->board)
		munmap(g->board, g->board_bytes);
	free(g->worker);
}

int supervisor_open(struct supervisor *v)
{
	static const int signals[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGCHLD, 0};
	int err = sm_loop_init(&v->loop);

	if (!err)
		err = sm_loop_signals(&v->loop, signals);
	if (err)
		return err;
	v->pid = getpid();
	v->ready_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (v->ready_fd < 0)
		return -errno;
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	err = sm_loop_add(&v->loop, v->ready_fd, POLLIN, on_ready, v);
	return err < 0 ? err : 0;
}

void supervisor_close(struct supervisor *v)
{
	if (v->ready_fd >= 0)
		close(v->ready_fd);
	sm_loop_fini(&v->loop);
}
