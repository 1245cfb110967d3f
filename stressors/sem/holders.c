// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>

enum { PROCS };

const struct stressor_opt holders_opts[] = {
	[PROCS] = {"procs", STRESSOR_COUNT, "N",
		"use N processes, half of which can hold the semaphore", .min = 2,
		.max = HOLDERS_MAX, .normal = 4, .small = 2, .large = HOLDERS_MAX},
	{0},
};

enum { WAITS, PER_WAIT, REFUSED };

const struct stressor_metric holders_metrics[] = {
	[WAITS] = {"waits", "/s", .mean = MEAN_RATE, .headline = "waits/s"},
	[PER_WAIT] = {"time per wait", "ns", .mean = MEAN_ARITHMETIC},
	[REFUSED] = {"tries that were refused", "%", .mean = MEAN_ARITHMETIC},
	{0},
};

#define TRY_EVERY   4u /* waits */
#define TIMED_AT    2u /* of those: the wait with a time limit */
#define YIELD_EVERY 16u

/* The counts of one process. */
struct own {
	_Alignas(64) uint64_t waits;
	uint64_t tries, refused;
};

struct holders_shared {
	_Alignas(64) _Atomic unsigned int holders;
	struct own own[HOLDERS_MAX];
};

/* Takes the semaphore.  0, or -errno as in struct holders_way. */
static int take(struct holders *h, struct own *own)
{
	uint64_t turn = own->waits % TRY_EVERY;

	if (turn == 0) {
		int r = h->way->take(h->sem, HOLDERS_TRY);

		own->tries++;
		if (r != -EAGAIN)
			return r;
		own->refused++;
	}
	return h->way->take(h->sem, turn == TIMED_AT ? HOLDERS_TIMED : HOLDERS_WAIT);
}

static int use(struct stress *s, struct holders *h, const struct own *own)
{
	unsigned int n = atomic_fetch_add(&h->shared->holders, 1) + 1;

	if (own->waits % YIELD_EVERY == 0)
		(void)sched_yield(); /* so that others find it taken */
	atomic_fetch_sub(&h->shared->holders, 1);
	if (n <= h->value)
		return 0;
	return stress_fail(
		s, "%u processes hold a semaphore with the value %u", n, h->value);
}

static int one_wait(struct stress *s, struct holders *h, struct own *own)
{
	int r = take(h, own), error;

	if (r == -EINTR || r == -ETIMEDOUT)
		return 0;
	if (r < 0)
		return stress_error(s, STRESS_FAIL, -r, "%s", h->way->name);
	r = use(s, h, own);
	error = h->way->post(h->sem);
	if (error < 0)
		return stress_error(s, STRESS_FAIL, -error, "post");
	own->waits++;
	if (!r)
		stress_add(s, 1);
	return r;
}

static int work(struct stress *s, unsigned int number, void *data)
{
	struct holders *h = data;
	struct own *own = &h->shared->own[number];
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		if (s->spoil && number == 0 && own->waits == 1)
			atomic_fetch_add(&h->shared->holders, h->value);
		r = one_wait(s, h, own);
	}
	return r;
}

static int check_end(struct stress *s, const struct holders *h)
{
	unsigned int left = atomic_load(&h->shared->holders);
	int value = h->way->value(h->sem);

	if (value < 0)
		return stress_error(s, STRESS_FAIL, -value, "value of the semaphore");
	if (value == (int)h->value && !left)
		return 0;
	return stress_fail(s,
		"at the end %u processes hold the semaphore, and its value is %d instead "
		"of %u",
		left, value, h->value);
}

static void report(struct stress *s, const struct holders *h)
{
	uint64_t now = sm_clock_mono_ns(), waits = 0, tries = 0, refused = 0;

	for (unsigned int i = 0; i < h->processes; i++) {
		const struct own *own = &h->shared->own[i];

		waits += own->waits;
		tries += own->tries;
		refused += own->refused;
	}
	if (!waits || !tries || now == s->go_ns)
		return;
	stress_metric(s, WAITS, (double)waits * 1e9 / (double)(now - s->go_ns));
	stress_metric(s, PER_WAIT, (double)(now - s->begin_ns) / (double)waits);
	stress_metric(s, REFUSED, 100 * (double)refused / (double)tries);
}

int holders_run(struct stress *s, struct holders *h)
{
	const struct team_plan plan = {TEAM_PROCESSES, h->processes, work, h};
	int r = team_run(s, &plan);

	report(s, h);
	return r ? r : check_end(s, h);
}

double holders_cpus(const struct stress *s)
{
	return (double)s->value[PROCS] / 2;
}

int holders_begin(
	struct stress *s, struct holders *h, const struct holders_way *way, void *sem)
{
	h->way = way;
	h->sem = sem;
	h->processes = (unsigned int)s->value[PROCS];
	h->value = h->processes / 2;
	h->shared = team_memory(s, sizeof(*h->shared));
	return h->shared ? 0 : -1;
}
