// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/signame.h"
#include "load/worker.h"
#include "team.h"

#define LOOK_NS	    (5 * SM_NSEC_PER_MSEC)
#define END_MOST    20u /* TEAM_END that a process of a failed team gets before SIGKILL */
#define STACK_BYTES 131072u /* of a thread */

struct member {
	_Alignas(64) struct stress s;
	const struct team_plan *plan;
	const struct stress_board *stage; /* on whose futex the instance sleeps */
	unsigned int number;
	pid_t pid;
	pthread_t thread;
	bool runs;	     /* it has not been joined yet */
	unsigned int killed; /* number of signals by which the instance ended it */
};

/* The members, and a board with a slot for each, are in memory that all of them share. */
struct team {
	struct stress *s;
	const struct team_plan *plan;
	struct stress_board *board;
	struct member *member;
	size_t bytes;
	uint64_t added;	    /* ops of the members that were added to the instance's */
	uint64_t signal_ns; /* at the end: time of the next signal to the members */
	unsigned int running;
	bool failed;
};

/* --- a member ----------------------------------------------------------------------- */

static uint32_t *futex_of(const _Atomic uint32_t *word)
{
	return (uint32_t *)(uintptr_t)word;
}

static void wait_for_go(const struct stress_board *board)
{
	while (!atomic_load(&board->go))
		sm_worker_wait(futex_of(&board->go), 0, UINT64_MAX);
}

static enum stress_outcome work(struct member *m)
{
	struct stress *s = &m->s;
	int r;

	wait_for_go(s->board);
	s->begin_ns = sm_clock_mono_ns();
	r = m->plan->function(s, m->number, m->plan->data);
	if (r && s->slot->outcome == STRESS_PASS)
		stress_fail(s, "stopped before the end of the run");
	s->slot->end_ns = sm_clock_mono_ns();
	atomic_store(&s->slot->phase, PHASE_DONE);
	sm_worker_wake(futex_of(&m->stage->stop)); /* where the instance waits */
	return s->slot->outcome;
}

static void *work_as_thread(void *member)
{
	(void)work(member);
	return NULL;
}

static _Noreturn void work_as_process(struct member *m)
{
	sigset_t from_instance;

	sigemptyset(&from_instance);
	sigaddset(&from_instance, TEAM_SIGNAL);
	sigaddset(&from_instance, TEAM_END);
	sigprocmask(SIG_UNBLOCK, &from_instance, NULL);
	_exit((int)work(m));
}

/* --- the start ---------------------------------------------------------------------- */

/* Returns the part of member i in the ops that are left. */
static uint64_t part(const struct stress *s, unsigned int n, unsigned int i)
{
	uint64_t left =
		s->ops_max - atomic_load_explicit(&s->slot->ops, memory_order_relaxed);

	return s->ops_max == UINT64_MAX ? UINT64_MAX : left / n + (i < left % n);
}

static void prepare(const struct team *t, unsigned int i)
{
	const struct stress *s = t->s;
	struct member *m = &t->member[i];
	unsigned int n = t->plan->n;

	*m = (struct member){
		.s = *s,
		.plan = t->plan,
		.stage = s->board,
		.number = i,
	};
	m->s.instance = s->instance * n + i;
	m->s.instances = s->instances * n;
	m->s.ops_max = part(s, n, i);
	m->s.seed = s->seed + i;
	m->s.board = t->board;
	m->s.slot = &t->board->slot[i];
	m->s.histogram = NULL;
}

void *team_memory(struct stress *s, size_t bytes)
{
	void *p = mmap(
		NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p != MAP_FAILED)
		return p;
	stress_lacks(s, "%zu bytes of shared memory: %s", bytes, strerror(errno));
	return NULL;
}

static int make_memory(struct team *t)
{
	unsigned int n = t->plan->n;
	size_t slots = sizeof(*t->board) + n * sizeof(struct stress_slot);

	t->bytes = slots + n * sizeof(struct member);
	t->board = team_memory(t->s, t->bytes);
	if (!t->board)
		return -1;
	t->board->go_ns = t->s->go_ns;
	t->member = (struct member *)(void *)&t->board->slot[n];
	for (unsigned int i = 0; i < n; i++)
		prepare(t, i);
	return 0;
}

static int start_thread(struct stress *s, struct member *m)
{
	pthread_attr_t attr;
	int err = pthread_attr_init(&attr);

	if (err)
		return stress_lacks(s, "thread: %s", strerror(err));
	err = pthread_attr_setstacksize(&attr, STACK_BYTES);
	if (!err)
		err = pthread_create(&m->thread, &attr, work_as_thread, m);
	(void)pthread_attr_destroy(&attr);
	return err ? stress_error(s, STRESS_FAIL, err, "thread %u", m->number + 1) : 0;
}

static int start_process(struct stress *s, struct member *m)
{
	pid_t pid = stress_partner(s);

	if (pid == 0)
		work_as_process(m);
	m->pid = pid; /* the memory is the child's too */
	return pid < 0 ? -1 : 0;
}

/* Starts all members before any of them works: working members would leave little CPU
 * time to start the others. */
static void start(struct team *t)
{
	for (unsigned int i = 0; i < t->plan->n && !t->failed && !stress_stopped(t->s);
		i++) {
		struct member *m = &t->member[i];
		int r = t->plan->kind == TEAM_THREADS ? start_thread(t->s, m)
						      : start_process(t->s, m);

		m->runs = r == 0;
		t->running += m->runs;
		t->failed = r != 0;
	}
	atomic_store(&t->board->go, 1);
	sm_worker_wake(futex_of(&t->board->go));
}

/* --- the end ------------------------------------------------------------------------ */

/* Sets the result of a process whose end does not match its outcome.  SIGKILL comes from
 * elsewhere, unless TEAM_END did not help before, and explains failures that other
 * processes may have found earlier. */
static void judge(const struct team *t, const struct member *m, int status)
{
	struct stress_slot *slot = m->s.slot;
	char name[SM_SIGNAME_MAX];
	struct stress s = m->s;

	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && m->killed <= END_MOST)
		(void)raise(SIGKILL);
	if (m->killed || (WIFEXITED(status) && WEXITSTATUS(status) == (int)slot->outcome))
		return;
	slot->end_ns = sm_clock_mono_ns();
	slot->outcome = STRESS_PASS;
	if (WIFSIGNALED(status))
		stress_fail(&s, "process %u of %u was killed by %s", m->number + 1,
			t->plan->n, sm_signame(WTERMSIG(status), name));
	else
		stress_fail(&s, "process %u of %u exited with status %d", m->number + 1,
			t->plan->n, WEXITSTATUS(status));
}

static bool join_process(const struct team *t, const struct member *m)
{
	int status = 0;
	pid_t pid = waitpid(m->pid, &status, WNOHANG);

	if (pid == m->pid)
		judge(t, m, status);
	return pid == m->pid || (pid < 0 && errno != EINTR);
}

static bool join_thread(const struct member *m)
{
	return atomic_load(&m->s.slot->phase) == PHASE_DONE &&
	       pthread_join(m->thread, NULL) == 0;
}

static void join(struct team *t)
{
	for (unsigned int i = 0; i < t->plan->n; i++) {
		struct member *m = &t->member[i];

		if (!m->runs)
			continue;
		m->runs = t->plan->kind == TEAM_THREADS ? !join_thread(m)
							: !join_process(t, m);
		t->running -= !m->runs;
	}
}

/* Returns the slot of the member that failed first, among those that have been joined. */
static const struct stress_slot *first_failure(const struct team *t)
{
	const struct stress_slot *first = NULL;

	for (unsigned int i = 0; i < t->plan->n; i++) {
		const struct stress_slot *slot = &t->board->slot[i];

		if (t->member[i].runs || slot->outcome == STRESS_PASS)
			continue;
		if (!first || slot->end_ns < first->end_ns)
			first = slot;
	}
	return first;
}

static void take_failure(struct team *t)
{
	const struct stress_slot *slot = first_failure(t);

	if (!slot)
		return;
	t->failed = true;
	if (slot->outcome == STRESS_LACKS)
		stress_lacks(t->s, "%s", slot->reason);
	else if (slot->outcome == STRESS_SKIP)
		stress_skip(t->s, "%s", slot->reason);
	else
		stress_fail(t->s, "%s", slot->reason);
}

static void end_member(const struct team *t, struct member *m)
{
	if (t->plan->kind == TEAM_THREADS) {
		(void)pthread_kill(m->thread, TEAM_SIGNAL);
		return;
	}
	if (!t->failed) {
		(void)kill(m->pid, TEAM_SIGNAL);
		return;
	}
	(void)kill(m->pid, ++m->killed > END_MOST ? SIGKILL : TEAM_END);
}

/* Signals the members every 5 ms, not whenever one of them has ended. */
static void end(struct team *t)
{
	uint64_t now = sm_clock_mono_ns();

	atomic_store(&t->board->stop, 1);
	if (now < t->signal_ns)
		return;
	t->signal_ns = now + LOOK_NS;
	for (unsigned int i = 0; i < t->plan->n; i++)
		if (t->member[i].runs)
			end_member(t, &t->member[i]);
}

/* --- while the members work --------------------------------------------------------- */

static void add_up(struct team *t)
{
	uint64_t all = 0;

	for (unsigned int i = 0; i < t->plan->n; i++)
		all += atomic_load_explicit(&t->board->slot[i].ops, memory_order_relaxed);
	stress_add(t->s, all - t->added);
	t->added = all;
}

static void watch(struct team *t)
{
	struct stress_board *stage = t->s->board;

	while (t->running) {
		uint32_t stop = atomic_load(&stage->stop);

		join(t);
		add_up(t);
		take_failure(t);
		if (stop || t->failed)
			end(t);
		if (t->running)
			sm_worker_wait(futex_of(&stage->stop), stop,
				sm_clock_mono_ns() + LOOK_NS);
	}
}

static void interrupted(int signo)
{
	(void)signo;
}

int team_run(struct stress *s, const struct team_plan *p)
{
	struct team t = {.s = s, .plan = p};
	struct sigaction now = {.sa_handler = interrupted}, before;
	int r = make_memory(&t);

	if (r)
		return r;
	sigaction(TEAM_SIGNAL, &now, &before);
	start(&t);
	watch(&t);
	sigaction(TEAM_SIGNAL, &before, NULL);
	munmap(t.board, t.bytes);
	return t.failed ? -1 : 0;
}
