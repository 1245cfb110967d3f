// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads lock the same mutexes of several kinds.  The words protected by a mutex are
 * changed one after the other without atomic operations.  They are equal when no change
 * is in progress, and at the end each equals the number of all locks.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "load/cpus.h"
#include "run/team.h"

enum { AFFINITY, PROCS };

#define THREADS 64u

static const struct stressor_opt opts[] = {
	[AFFINITY] = {"affinity", STRESSOR_FLAG, NULL,
		"move to a random CPU while a mutex is locked", .max = 1},
	[PROCS] = {"procs", STRESSOR_COUNT, "N",
		"use N threads that lock the same mutexes", .min = 2, .max = THREADS,
		.normal = 2, .small = 2, .large = THREADS},
	{0},
};

enum { LOCKS, PER_LOCK, REFUSED };

static const struct stressor_metric metrics[] = {
	[LOCKS] = {"locks", "/s", .mean = MEAN_RATE, .headline = "locks/s"},
	[PER_LOCK] = {"time per lock", "ns", .mean = MEAN_ARITHMETIC},
	[REFUSED] = {"tries that were refused", "%", .mean = MEAN_ARITHMETIC},
	{0},
};

static const struct kind {
	const char *name;
	int type, protocol;
	int again; /* expected result of a second lock by the owner */
} kinds[] = {
	{"normal", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE,
		EBUSY}, /* pthread_mutex_trylock() */
	{"error-checking", PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, EDEADLK},
	{"recursive", PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, 0},
	{"priority-inheriting", PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_INHERIT, EDEADLK},
};

#define KINDS	    SM_ARRAY_SIZE(kinds)
#define WORDS	    16u
#define TRY_EVERY   4u	/* in locks */
#define AGAIN_EVERY 16u /* in locks, of which one is taken a second time */

struct guarded {
	_Alignas(64) pthread_mutex_t mutex;
	bool exists;
	_Alignas(64) volatile uint64_t word[WORDS];
};

/* State of one thread. */
struct own {
	_Alignas(64) uint64_t locks[KINDS];
	uint64_t all, tries, refused, random;
};

struct mutex {
	struct guarded guarded[KINDS];
	struct own own[THREADS];
	uint16_t cpu[CPU_SETSIZE]; /* CPUs that the instance may use */
	unsigned int cpus;
};

/* --- protected data ----------------------------------------------------------------- */

static int change(struct stress *s, struct guarded *g, const struct kind *kind)
{
	uint64_t first = g->word[0], bad = 0;

	for (unsigned int i = 0; i < WORDS; i++) {
		bad |= g->word[i] ^ first;
		g->word[i] = first + 1;
	}
	return bad ? stress_fail(s, "two threads held the same %s mutex", kind->name) : 0;
}

static int lock_again(struct stress *s, struct guarded *g, const struct kind *kind)
{
	int error = kind->again == EBUSY ? pthread_mutex_trylock(&g->mutex)
					 : pthread_mutex_lock(&g->mutex);

	if (!error)
		error = pthread_mutex_unlock(&g->mutex);
	if (error == kind->again)
		return 0;
	return stress_fail(s, "a second lock of a %s mutex: %s instead of: %s",
		kind->name, strerror(error), strerror(kind->again));
}

/* Moves to another CPU.  An administrator may remove CPUs. */
static int move(struct stress *s, const struct mutex *m, uint64_t random)
{
	unsigned int cpu = m->cpu[random % m->cpus];
	int r = sm_cpus_pin(cpu), is;

	if (r == -EINVAL)
		return 0;
	if (r < 0)
		return stress_error(s, STRESS_FAIL, -r, "sched_setaffinity");
	is = sched_getcpu();
	return is == (int)cpu ? 0 : stress_fail(s, "on CPU %d instead of %u", is, cpu);
}

static int use(struct stress *s, struct mutex *m, struct own *own, size_t k)
{
	int r = change(s, &m->guarded[k], &kinds[k]);

	if (s->spoil && own == m->own && own->all == 2)
		m->guarded[k].word[WORDS - 1]++;
	if (!r && own->all % AGAIN_EVERY < KINDS)
		r = lock_again(s, &m->guarded[k], &kinds[k]);
	if (!r && s->value[AFFINITY])
		r = move(s, m, stress_random(&own->random));
	return r;
}

/* --- locks -------------------------------------------------------------------------- */

/* Returns 0 or an error number. */
static int take(struct own *own, pthread_mutex_t *mutex)
{
	int error;

	if (own->all % TRY_EVERY)
		return pthread_mutex_lock(mutex);
	own->tries++;
	error = pthread_mutex_trylock(mutex);
	if (error != EBUSY)
		return error;
	own->refused++;
	return pthread_mutex_lock(mutex);
}

static int one_lock(struct stress *s, struct mutex *m, struct own *own, size_t k)
{
	struct guarded *g = &m->guarded[k];
	int error = take(own, &g->mutex), r;

	if (error)
		return stress_error(
			s, STRESS_FAIL, error, "lock of a %s mutex", kinds[k].name);
	r = use(s, m, own, k);
	error = pthread_mutex_unlock(&g->mutex);
	if (error)
		return stress_error(
			s, STRESS_FAIL, error, "unlock of a %s mutex", kinds[k].name);
	own->locks[k]++;
	own->all++;
	if (!r)
		stress_add(s, 1);
	return r;
}

static int work(struct stress *s, unsigned int number, void *data)
{
	struct mutex *m = data;
	struct own *own = &m->own[number];
	int r = 0;

	own->random = s->seed;
	for (size_t k = 0; !r && stress_goes_on(s); k = (k + 1) % KINDS) {
		if (!m->guarded[k].exists)
			continue;
		r = one_lock(s, m, own, k);
	}
	return r;
}

/* --- the instance ------------------------------------------------------------------- */

static int check_sums(struct stress *s, const struct mutex *m)
{
	for (size_t k = 0; k < KINDS; k++) {
		uint64_t locks = 0, word = m->guarded[k].word[0];

		for (unsigned int i = 0; i < THREADS; i++)
			locks += m->own[i].locks[k];
		if (word != locks)
			return stress_fail(s, "a %s mutex protected %llu of %llu changes",
				kinds[k].name, (unsigned long long)word,
				(unsigned long long)locks);
	}
	return 0;
}

static void report(struct stress *s, const struct mutex *m)
{
	uint64_t now = sm_clock_mono_ns(), all = 0, tries = 0, refused = 0;

	for (unsigned int i = 0; i < THREADS; i++) {
		all += m->own[i].all;
		tries += m->own[i].tries;
		refused += m->own[i].refused;
	}
	if (!tries || now == s->go_ns)
		return;
	stress_metric(s, LOCKS, (double)all * 1e9 / (double)(now - s->go_ns));
	stress_metric(s, PER_LOCK, (double)(now - s->begin_ns) / (double)all);
	stress_metric(s, REFUSED, 100 * (double)refused / (double)tries);
}

static int run(struct stress *s)
{
	struct mutex *m = s->data;
	const struct team_plan plan = {
		TEAM_THREADS, (unsigned int)s->value[PROCS], work, m};
	int r = team_run(s, &plan);

	report(s, m);
	return r ? r : check_sums(s, m);
}

static double cpus(const struct stress *s)
{
	return (double)s->value[PROCS];
}

/* ENOTSUP: the kernel does not support such mutexes. */
static int make_mutex(struct stress *s, struct guarded *g, const struct kind *kind)
{
	pthread_mutexattr_t attr;
	int error = pthread_mutexattr_init(&attr);

	if (!error)
		error = pthread_mutexattr_settype(&attr, kind->type);
	if (!error)
		error = pthread_mutexattr_setprotocol(&attr, kind->protocol);
	if (!error)
		error = pthread_mutex_init(&g->mutex, &attr);
	g->exists = !error;
	if (!error || error == ENOTSUP)
		return 0;
	return stress_error(s, STRESS_FAIL, error, "a %s mutex", kind->name);
}

static void list_cpus(struct mutex *m)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		CPU_ZERO(&set); /* more CPUs than the set can hold */
	for (unsigned int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			m->cpu[m->cpus++] = (uint16_t)i;
}

static int setup(struct stress *s)
{
	struct mutex *m = s->data;
	int r = 0;

	list_cpus(m);
	if (s->value[AFFINITY] && !m->cpus)
		return stress_skip(s, "cannot determine the usable CPUs");
	for (size_t k = 0; k < KINDS && !r; k++)
		r = make_mutex(s, &m->guarded[k], &kinds[k]);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_mutex_man[] =
	"metric time per lock: all threads together\n"
	"metric tries that were refused: attempts with pthread_mutex_trylock(3) "
	"that failed because another thread held the mutex\n"
	"The threads lock in turn a normal, an error-checking, a recursive and a "
	"priority-inheriting mutex.  For every fourth lock they try "
	"pthread_mutex_trylock(3) first.\n";

const struct stressor stressor_mutex = {
	.name = "mutex",
	.does = "lock and unlock mutexes in several threads",
	.op = "one lock and unlock",
	.checks = "numbers that are changed only under a mutex are consistent, the "
		  "number of all changes is right, and a second lock by the same "
		  "thread has the right result",
	.classes = CLASS_SCHEDULER | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.cpus = cpus,
	.state = sizeof(struct mutex),
	.setup = setup,
	.run = run,
};
