// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A round creates threads, all of which wait; then they exit together and are joined.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "load/worker.h"
#include "run/stress.h"

enum { MAX };

static const struct stressor_opt opts[] = {
	[MAX] = {"max", STRESSOR_COUNT, "N", "keep N threads at a time", .min = 1,
		.max = 30000, .normal = 128, .small = 8, .large = 1024},
	{0},
};

enum { THREADS, PER_THREAD, CALL, FAILED };

static const struct stressor_metric metrics[] = {
	[THREADS] = {"threads", "/s", .mean = MEAN_RATE},
	[PER_THREAD] = {"time per thread", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per thread"},
	[CALL] = {"time of the call", "ns", .mean = MEAN_ARITHMETIC},
	[FAILED] = {"failed calls", "", .mean = MEAN_SUM},
	{0},
};

#define STACK_BYTES ((size_t)128 << 10) /* the minimum on some machines */
/* Memory of a thread: the stack pages that it touches, and its kernel stack. */
#define THREAD_BYTES UINT64_C(40960)
#define RETRY_NS     SM_NSEC_PER_MSEC
#define SPOILT_AT    3u /* number of the thread that is spoilt */

struct pool;

struct one {
	struct pool *pool;
	pthread_t id;
	uint64_t number; /* number of the thread in the instance */
	uint64_t found;	 /* value of its thread-local data */
};

struct pool {
	pthread_attr_t attr;
	struct one *one;
	uint32_t release; /* futex; 0 while threads wait */
	bool spoil;
	unsigned int n; /* number of running threads */
	uint64_t created, joined, failed, call_ns;
	int error; /* errno of the last failed creation */
};

static _Thread_local volatile uint64_t own;

static void *live(void *arg)
{
	struct one *o = arg;
	uint32_t *release = &o->pool->release;

	own = o->number;
	while (!__atomic_load_n(release, __ATOMIC_ACQUIRE))
		sm_worker_wait(release, 0, UINT64_MAX);
	if (o->pool->spoil && o->number == SPOILT_AT)
		own++;
	o->found = own;
	return o;
}

/* --- a round ------------------------------------------------------------------------ */

static bool create_one(struct pool *p)
{
	struct one *o = &p->one[p->n];
	uint64_t begin_ns = sm_clock_mono_ns();
	int error;

	*o = (struct one){.pool = p, .number = p->created};
	error = pthread_create(&o->id, &p->attr, live, o);
	if (error) {
		p->error = error;
		p->failed++;
		return false;
	}
	p->call_ns += sm_clock_mono_ns() - begin_ns;
	p->created++;
	p->n++;
	return true;
}

static void release(struct pool *p)
{
	__atomic_store_n(&p->release, 1, __ATOMIC_RELEASE);
	sm_worker_wake(&p->release);
}

static int join_one(struct stress *s, struct pool *p, const struct one *o)
{
	void *value = NULL;
	int error = pthread_join(o->id, &value);

	if (error)
		return stress_fail(s, "pthread_join: %s", strerror(error));
	p->joined++;
	if (value != o)
		return stress_fail(s, "thread %llu returned %p instead of %p",
			(unsigned long long)o->number, value, (const void *)o);
	if (o->found != o->number)
		return stress_fail(s, "thread %llu found the data of thread %llu",
			(unsigned long long)o->number, (unsigned long long)o->found);
	stress_add(s, 1);
	return 0;
}

/* Joins all threads and returns the first result. */
static int join_all(struct stress *s, struct pool *p)
{
	int r = 0;

	for (unsigned int i = 0; i < p->n; i++) {
		int one = join_one(s, p, &p->one[i]);

		r = r ? r : one;
	}
	p->n = 0;
	return r;
}

/* Threads count when they are joined, so no more are created than ops are left. */
static bool wants_more(const struct stress *s, const struct pool *p)
{
	uint64_t ops = atomic_load_explicit(&s->slot->ops, memory_order_relaxed);

	return p->n < s->value[MAX] && ops + p->n < s->ops_max && !stress_stopped(s);
}

static int one_round(struct stress *s, struct pool *p)
{
	static const struct timespec retry = {.tv_nsec = RETRY_NS};
	bool ok = true;

	p->release = 0;
	while (ok && wants_more(s, p))
		ok = create_one(p);
	if (p->n == 0 && !ok)
		nanosleep(&retry, NULL);
	release(p);
	return join_all(s, p);
}

/* --- the run ------------------------------------------------------------------------ */

static void report(struct stress *s, const struct pool *p)
{
	uint64_t now = sm_clock_mono_ns();
	double n = (double)p->joined;

	stress_metric(s, FAILED, (double)p->failed);
	if (p->joined == 0 || now == s->begin_ns)
		return;
	stress_metric(s, THREADS, n * 1e9 / (double)(now - s->go_ns));
	stress_metric(s, PER_THREAD, (double)(now - s->begin_ns) / n);
	stress_metric(s, CALL, (double)p->call_ns / (double)p->created);
}

static int run(struct stress *s)
{
	struct pool *p = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_round(s, p);
	report(s, p);
	if (r || !p->error)
		return r;
	if (p->joined == 0)
		return stress_error(s, STRESS_FAIL, p->error, "pthread_create");
	stress_note(s, "pthread_create failed %llu times: %s",
		(unsigned long long)p->failed, strerror(p->error));
	return 0;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[MAX] * (THREAD_BYTES + sizeof(struct one));
}

static int setup(struct stress *s)
{
	struct pool *p = s->data;
	int error = pthread_attr_init(&p->attr);

	if (!error)
		error = pthread_attr_setstacksize(&p->attr, STACK_BYTES);
	if (error)
		return stress_error(s, STRESS_FAIL, error, "attributes of a thread");
	p->spoil = s->spoil;
	p->one = calloc(s->value[MAX], sizeof(*p->one));
	return p->one ? 0 : stress_lacks(s, "no memory");
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_pthread_man[] =
	"metric time per thread: from one thread to the next, including its exit\n"
	"metric time of the call: pthread_create(3)\n"
	"metric failed calls: calls that created no thread for lack of a resource\n"
	"--max: The threads of a round wait for one another and then exit.\n";

const struct stressor stressor_pthread = {
	.name = "pthread",
	.does = "create threads and join them",
	.op = "one thread is created, exits and is joined",
	.checks = "each thread has its own argument, return value and thread-local "
		  "data",
	.classes = CLASS_SCHEDULER | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct pool),
	.setup = setup,
	.run = run,
};
