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

#include "proc/memfree.h"
#include "stall.h"
#include "supervisor.h"

#define MS	       (SM_NSEC_PER_SEC / 1000)
#define SETUP_LIMIT_NS (30 * SM_NSEC_PER_SEC)
#define SOFT_NS	       (300 * MS) /* then SIGTERM */
#define TERM_NS	       SM_NSEC_PER_SEC
#define KILL_NS	       (10 * SM_NSEC_PER_SEC) /* then it is abandoned */
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
		.scratch_fd = -1,
	};
	struct instance_start how = {
		.parent = v->pid,
		.ready_fd = v->ready_fd,
		.scratch_fd = v->scratch_fd,
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

/* --- instances that have ended ------------------------------------------------------ */

/* Returns true if the kernel sent it SIGKILL for lack of memory. */
static bool was_oom(struct supervisor *v, const struct worker *w)
{
	struct stage *g = v->stage;

	if (w->forced || !WIFSIGNALED(w->wstatus) || WTERMSIG(w->wstatus) != SIGKILL)
		return false;
	if (sm_memfree_kills(v->root) <= g->oom_kills)
		return false;
	g->oom_kills++; /* this kill only: others may belong to other instances */
	return true;
}

static void ended(
	struct supervisor *v, struct worker *w, int wstatus, const struct rusage *u)
{
	struct stage *g = v->stage;

	(void)sysv_sweep(&w->slot->sysv, w->pid);
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

/* --- phases ------------------------------------------------------------------------- */

static void enter(struct supervisor *v, enum supervisor_phase phase, uint64_t until_ns)
{
	v->phase = phase;
	v->until_ns = until_ns;
}

static void send_all(struct stage *g, int signo)
{
	for (size_t i = 0; i < g->n; i++) {
		struct worker *w = &g->worker[i];

		/* An instance that has seen the flag is only releasing memory. */
		if (!w->pid || (signo == SIGTERM && w->slot->phase >= PHASE_ENDED))
			continue;
		w->forced = true;
		kill(w->pid, signo);
	}
}

static void wake_all(_Atomic uint32_t *flag)
{
	(void)syscall(SYS_futex, flag, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* Shows the rest of the interval at the end, if it is at least half an interval long. */
static void tick_rest(struct supervisor *v, uint64_t now)
{
	if (v->tick_ns != SM_LOOP_FOREVER && v->tick_ns <= now + v->watch->every_ns / 2)
		v->watch->tick(v->watch->ctx, v->stage, now);
	v->tick_ns = SM_LOOP_FOREVER;
}

/* Begins to stop the stage: the flag comes first, then SIGTERM, then SIGKILL. */
static void set_flag(struct supervisor *v, uint64_t now)
{
	struct stage *g = v->stage;

	if (v->phase == SUPERVISOR_RUNS)
		tick_rest(v, now);
	g->stop_ns = now;
	atomic_store(&g->board->stop, 1);
	/* An instance may have read both flags but not yet be waiting for the start, so
	 * the value of its futex must change. */
	atomic_store(&g->board->go, 1);
	if (g->alive) {
		wake_all(&g->board->go);
		wake_all(&g->board->stop);
	}
	stall_stop(g);
	enter(v, SUPERVISOR_STOPS, now + SOFT_NS);
}

static void terminate(struct supervisor *v, uint64_t now)
{
	stall_find_stalled(v->stage, v->root);
	send_all(v->stage, SIGTERM);
	enter(v, SUPERVISOR_TERMINATES, now + TERM_NS);
}

static void kill_all(struct supervisor *v, uint64_t now)
{
	send_all(v->stage, SIGKILL);
	enter(v, SUPERVISOR_KILLS, now + KILL_NS);
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
	wake_all(&g->board->go);
	v->tick_ns = v->watch && v->watch->tick && v->watch->every_ns
			     ? g->go_ns + v->watch->every_ns
			     : SM_LOOP_FOREVER;
	enter(v, SUPERVISOR_RUNS,
		v->plan->time_ns > UINT64_MAX - g->go_ns ? UINT64_MAX
							 : g->go_ns + v->plan->time_ns);
}

static bool is_setting_up(const struct worker *w)
{
	return w->pid && atomic_load(&w->slot->phase) < PHASE_READY;
}

static size_t count_setting_up(const struct stage *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		n += is_setting_up(&g->worker[i]);
	return n;
}

/* Starts the stage when all instances are set up, or at the time limit with those that
 * are. */
static void settle(struct supervisor *v, uint64_t now)
{
	struct stage *g = v->stage;

	if (count_setting_up(g) && now < v->until_ns)
		return;
	for (size_t i = 0; i < g->n; i++) {
		struct worker *w = &g->worker[i];

		w->too_slow = is_setting_up(w);
		if (w->too_slow)
			kill(w->pid, SIGKILL);
	}
	go(v);
}

/* Restarts instances that the kernel killed, and returns the time of the next restart. */
static uint64_t start_again(struct supervisor *v, uint64_t now)
{
	struct stage *g = v->stage;
	uint64_t next = SM_LOOP_FOREVER;

	for (size_t i = 0; i < g->n; i++) {
		struct worker *w = &g->worker[i];

		if (w->again_ns && w->again_ns <= now)
			start(v, w);
		else if (w->again_ns && w->again_ns < next)
			next = w->again_ns;
	}
	return next;
}

static bool has_ended(const struct stage *g)
{
	if (g->alive)
		return false;
	for (size_t i = 0; i < g->n; i++)
		if (g->worker[i].again_ns)
			return false;
	return true;
}

static void tick(struct supervisor *v, uint64_t now)
{
	if (now < v->tick_ns)
		return;
	v->watch->tick(v->watch->ctx, v->stage, now);
	while (v->tick_ns <= now)
		v->tick_ns += v->watch->every_ns;
}

static void watch_run(struct supervisor *v, uint64_t now)
{
	struct stage *g = v->stage;

	stall_look(g, now);
	tick(v, now);
	v->again_ns = start_again(v, now);
	v->aborted = v->plan->abort && a_failure(g);
	if (now >= v->until_ns || has_ended(g) || v->aborted)
		set_flag(v, now);
}

/* Reaps children.  Those that a killed instance leaves die with it and are adopted by
 * this process.  Returns true while there are any. */
static bool has_children(void)
{
	pid_t pid;

	do
		pid = waitpid(-1, NULL, WNOHANG);
	while (pid > 0);
	return pid == 0;
}

static void wait_for_orphans(struct supervisor *v, uint64_t now)
{
	if (!has_children() || now >= v->until_ns)
		enter(v, SUPERVISOR_IS_OVER, SM_LOOP_FOREVER);
}

static bool is_ending(const struct supervisor *v)
{
	return v->phase >= SUPERVISOR_STOPS && v->phase <= SUPERVISOR_KILLS;
}

static void end(struct supervisor *v, uint64_t now)
{
	if (now < v->until_ns)
		return;
	if (v->phase == SUPERVISOR_STOPS) {
		terminate(v, now);
	} else if (v->phase == SUPERVISOR_TERMINATES) {
		stall_find_starved(v->stage, v->root);
		kill_all(v, now);
	} else {
		enter(v, SUPERVISOR_REAPS, now + ORPHANS_NS);
	}
}

void supervisor_step(struct supervisor *v, uint64_t now_ns)
{
	if (v->phase == SUPERVISOR_IS_OVER)
		return;
	reap(v);
	if (v->phase == SUPERVISOR_SETTLES)
		settle(v, now_ns);
	if (v->phase == SUPERVISOR_RUNS)
		watch_run(v, now_ns);
	if (is_ending(v) && !v->stage->alive)
		enter(v, SUPERVISOR_REAPS, now_ns + ORPHANS_NS);
	else if (is_ending(v))
		end(v, now_ns);
	if (v->phase == SUPERVISOR_REAPS)
		wait_for_orphans(v, now_ns);
}

uint64_t supervisor_next(const struct supervisor *v)
{
	uint64_t next = v->until_ns;

	/* If no instance could be started, no event would follow. */
	if (v->phase == SUPERVISOR_SETTLES && !count_setting_up(v->stage))
		return 0;
	if (v->phase != SUPERVISOR_RUNS)
		return next;
	next = v->tick_ns < next ? v->tick_ns : next;
	next = v->again_ns < next ? v->again_ns : next;
	return v->stage->look_ns < next ? v->stage->look_ns : next;
}

/* Kills all instances.  It is then unknown why one did not stop, so it is not reported as
 * stalled. */
static void kill_at_once(struct supervisor *v, uint64_t now)
{
	for (size_t i = 0; i < v->stage->n; i++)
		v->stage->worker[i].stalled = false;
	kill_all(v, now);
}

void supervisor_stop(struct supervisor *v, bool at_once, uint64_t now_ns)
{
	v->cut = true;
	if (v->phase == SUPERVISOR_SETTLES || v->phase == SUPERVISOR_RUNS)
		set_flag(v, now_ns);
	if (at_once && is_ending(v) && v->phase != SUPERVISOR_KILLS)
		kill_at_once(v, now_ns);
}

int supervisor_start(struct supervisor *v, struct stage *g, struct job *j, size_t n)
{
	uint64_t now = sm_clock_mono_ns();
	int err = make_stage(g, j, n);

	if (err || !g->n)
		return err;
	v->stage = g;
	g->oom_kills = sm_memfree_kills(v->root);
	for (size_t i = 0; i < g->n; i++)
		start(v, &g->worker[i]);
	v->again_ns = SM_LOOP_FOREVER;
	enter(v, SUPERVISOR_SETTLES, now + SETUP_LIMIT_NS);
	return 0;
}

void supervisor_free(struct stage *g)
{
	if (g->board)
		munmap(g->board, g->board_bytes);
	free(g->worker);
}

/* Clears the event, whose only purpose is to wake the supervisor, which then checks the
 * phases. */
static void on_ready(void *ctx, short revents)
{
	struct supervisor *v = ctx;
	uint64_t n;

	(void)revents;
	if (read(v->ready_fd, &n, sizeof(n)) < 0)
		return;
}

int supervisor_open(struct supervisor *v, struct sm_loop *loop)
{
	int err;

	v->phase = SUPERVISOR_IS_OVER;
	v->until_ns = SM_LOOP_FOREVER;
	v->pid = getpid();
	v->ready_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (v->ready_fd < 0)
		return -errno;
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	err = sm_loop_add(loop, v->ready_fd, POLLIN, on_ready, v);
	return err < 0 ? err : 0;
}

void supervisor_close(struct supervisor *v)
{
	if (v->ready_fd >= 0)
		close(v->ready_fd);
}
