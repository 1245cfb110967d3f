// SPDX-License-Identifier: GPL-2.0-or-later
#include "turns.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { PASSED, PER_NUMBER };

const struct stressor_metric turns_metrics[] = {
	[PASSED] = {"messages", "/s", .mean = MEAN_RATE, .headline = "messages/s"},
	[PER_NUMBER] = {"time per message", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

/* Bits of a number: the lowest one is set, so that it is not 0, the next one marks the
 * last number of a turn, and the others count. */
#define LAST	 2u
#define COUNT_AT 2
#define COUNTS	 (UINT32_C(1) << 28)

#define ALL_DONE ((1u << TURNS_SIDES) - 1)
#define SPOILT	 2 /* this number is put twice */

struct shared {
	_Atomic uint32_t done; /* a bit for each side that has done its ops */
};

struct turns {
	const struct turns_way *way;
	void *ctx;
	struct shared *shared;
};

/* One of the two sides. */
struct side {
	const struct turns *t;
	unsigned int number;
	uint32_t put, taken; /* so far */
};

static uint32_t number_of(uint32_t n, bool last)
{
	return (n % COUNTS) << COUNT_AT | (last ? LAST : 0) | 1;
}

static int put(struct stress *s, struct side *e, bool last)
{
	const struct turns_way *way = e->t->way;
	uint32_t n = e->put++;
	int r;

	if (s->spoil && e->number == 0 && n == SPOILT)
		n++;
	r = way->put(e->t->ctx, e->number, number_of(n, last));
	return r < 0 ? stress_error(s, STRESS_FAIL, -r, "%s", way->put_name) : 0;
}

/* Takes a number. 1: taken; 0: the run has ended; -1: a result was set. */
static int take(struct stress *s, struct side *e, bool *last)
{
	const struct turns_way *way = e->t->way;
	uint32_t number = 0, want;
	int r;

	do {
		r = way->take(e->t->ctx, e->number, &number);
	} while (r == -EINTR && !stress_stopped(s));
	if (r == -EINTR)
		return 0;
	if (r < 0)
		return stress_error(s, STRESS_FAIL, -r, "%s", way->take_name);
	*last = (number & LAST) != 0;
	want = number_of(e->taken++, *last);
	if (number == want)
		return 1;
	return stress_fail(s, "received message %u instead of %u", number >> COUNT_AT,
		want >> COUNT_AT);
}

static int take_turn(struct stress *s, struct side *e)
{
	bool last = false;
	int r = 1;

	while (r > 0 && !last)
		r = take(s, e, &last);
	return r;
}

/* Puts the numbers of a turn: at most as many as ops are left, or a single one that does
 * not count. */
static int put_turn(struct stress *s, struct side *e)
{
	bool counts = stress_goes_on(s), last = false;
	int r = 0;

	if (!counts)
		atomic_fetch_or(&e->t->shared->done, 1u << e->number);
	for (unsigned int n = 1; !last && !r; n++) {
		uint64_t ops = atomic_load_explicit(&s->slot->ops, memory_order_relaxed);

		last = !counts || n == e->t->way->at_once || ops + 1 >= s->ops_max;
		r = put(s, e, last);
		if (counts && !r)
			stress_add(s, 1);
	}
	return r;
}

static bool all_done(const struct side *e)
{
	return atomic_load(&e->t->shared->done) == ALL_DONE;
}

/* The side that is the last to do its ops informs the other one by its next number. */
static int work(struct stress *s, unsigned int number, void *data)
{
	struct side e = {.t = data, .number = number};
	int r;

	for (bool first = number == 0; !all_done(&e); first = false) {
		r = first ? 1 : take_turn(s, &e);
		if (r <= 0)
			return r;
		if (all_done(&e))
			break;
		if (put_turn(s, &e))
			return -1;
	}
	return 0;
}

static void report(struct stress *s)
{
	uint64_t ops = atomic_load_explicit(&s->slot->ops, memory_order_relaxed);
	uint64_t now = sm_clock_mono_ns();

	if (!ops || now == s->go_ns)
		return;
	stress_metric(s, PASSED, (double)ops * 1e9 / (double)(now - s->go_ns));
	stress_metric(s, PER_NUMBER, (double)(now - s->begin_ns) / (double)ops);
}

int turns_run(struct stress *s, const struct turns_way *way, void *ctx)
{
	struct turns t = {way, ctx, team_memory(s, sizeof(*t.shared))};
	const struct team_plan plan = {way->kind, TURNS_SIDES, work, &t};
	int r;

	if (!t.shared)
		return -1;
	r = team_run(s, &plan);
	munmap(t.shared, sizeof(*t.shared));
	report(s);
	return r;
}
