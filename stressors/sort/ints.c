// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "../run/stress.h"
#include "ints.h"

enum { SIZE };

const struct stressor_opt sort_ints_opts[] = {
	{"size", STRESSOR_COUNT, "N", "sort N 32-bit integers", .min = 1024,
		.max = 4194304, .normal = 262144, .small = 1024, .large = 4194304},
	{0},
};

enum { COMPARISONS, PER_ITEM, ELEMENTS };

const struct stressor_metric sort_ints_metrics[] = {
	[COMPARISONS] = {"comparisons", "/s", .mean = MEAN_RATE,
		.yaml = "@-comparisons-per-sec"},
	[PER_ITEM] = {"comparisons per item", "", .mean = MEAN_ARITHMETIC,
		.yaml = "@-comparisons-per-item"},
	[ELEMENTS] = {"elements", "/s", .mean = MEAN_RATE, .headline = "elements/s"},
	{0},
};

/* A sum over all elements that does not depend on their order. */
struct sums {
	uint64_t values, squares;
};

struct ints {
	sort_function *sort;
	unsigned int sorts;
	int32_t *data;
	size_t n;
	struct sums sums; /* sums that data must have */
	uint64_t random;
	bool spoilt;
	uint64_t done, compared, ns; /* complete sorts, their comparisons, their time */
};

/* ---- comparison ---- */

/* Comparisons between two checks of the stop flag: about 10 us. */
#define LEASE 4096u

/* A comparison function receives only the elements, so its state is global. */
static struct {
	uint32_t left; /* of the lease */
	uint64_t leases;
	const struct stress *s;
	jmp_buf out;
} meter;

static void renew(void)
{
	meter.leases++;
	meter.left = LEASE;
	if (stress_stopped(meter.s))
		longjmp(meter.out, 1);
}

static inline int order(int32_t x, int32_t y)
{
	return (x > y) - (x < y);
}

static __attribute__((noinline, cold)) int order_late(int32_t x, int32_t y)
{
	renew();
	return order(x, y);
}

/* The call is the last thing to be done, so that a comparison needs no stack. */
static inline int count_and_order(int32_t x, int32_t y)
{
	return SM_UNLIKELY(--meter.left == 0) ? order_late(x, y) : order(x, y);
}

static int ascending(const void *a, const void *b)
{
	return count_and_order(*(const int32_t *)a, *(const int32_t *)b);
}

static int descending(const void *a, const void *b)
{
	return count_and_order(*(const int32_t *)b, *(const int32_t *)a);
}

static uint64_t compared(void)
{
	return meter.leases * LEASE + LEASE - meter.left;
}

/* ---- data ---- */

#define RUN 64u /* loops of known length are unrolled, or become vectors */

static inline void add(struct sums *m, const int32_t *data, size_t n)
{
	struct sums sum = {0};

	for (size_t i = 0; i < n; i++) {
		uint64_t v = (uint32_t)data[i];

		sum.values += v;
		sum.squares += v * v;
	}
	m->values += sum.values;
	m->squares += sum.squares;
}

static struct sums sums_of(const int32_t *data, size_t n)
{
	struct sums m = {0};

	for (; n >= RUN; n -= RUN, data += RUN)
		add(&m, data, RUN);
	add(&m, data, n);
	return m;
}

static bool same(const struct sums *a, const struct sums *b)
{
	return a->values == b->values && a->squares == b->squares;
}

static void replace_all(struct ints *t)
{
	uint64_t r = 0;

	for (size_t i = 0; i < t->n; i++) {
		r = i & 1 ? r >> 32 : stress_random(&t->random);
		t->data[i] = (int32_t)r;
	}
	t->sums = sums_of(t->data, t->n);
}

static void change_low_bits(struct ints *t)
{
	uint32_t mix = (uint32_t)stress_random(&t->random);

	for (size_t i = 0; i < t->n; i++) {
		mix += 0x9e3779b1u;
		t->data[i] ^= (int32_t)(mix >> 24);
	}
	t->sums = sums_of(t->data, t->n);
}

static void keep(struct ints *t)
{
	(void)t;
}

static inline bool run_in_order(const int32_t *data, size_t n, bool forward)
{
	unsigned int up = 0, down = 0;

	for (size_t i = 0; i < n; i++) {
		up |= data[i] < data[i + 1];
		down |= data[i] > data[i + 1];
	}
	return !(forward ? down : up);
}

static bool in_order(const int32_t *data, size_t n, bool forward)
{
	bool ordered = true;

	for (; n > RUN; n -= RUN, data += RUN)
		ordered &= run_in_order(data, RUN, forward);
	return ordered && run_in_order(data, n - 1, forward);
}

/* ---- a round ---- */

struct step {
	void (*before)(struct ints *t);
	bool forward;
};

static const struct step steps[] = {
	{replace_all, true},
	{keep, false},
	{change_low_bits, true},
	{keep, false},
};

enum sorted { SORTED, LEFT, NO_MEMORY };

static enum sorted sort_once(struct ints *t, bool forward)
{
	if (setjmp(meter.out))
		return LEFT;
	if (t->sort(t->data, t->n, sizeof(*t->data), forward ? ascending : descending) <
		0)
		return NO_MEMORY;
	return SORTED;
}

static enum sorted sort_timed(struct stress *s, struct ints *t, bool forward)
{
	uint64_t before = compared(), begin_ns = sm_clock_mono_ns(), end_ns;
	enum sorted r = sort_once(t, forward);

	if (r != SORTED)
		return r;
	end_ns = sm_clock_mono_ns();
	t->ns += end_ns - begin_ns;
	stress_step(s, end_ns, 0);
	t->compared += compared() - before;
	t->done++;
	return SORTED;
}

static void spoil(struct ints *t)
{
	t->data[t->n / 2] ^= 1 << 16;
	t->spoilt = true;
}

static int check(struct stress *s, const struct ints *t, bool forward)
{
	const char *way = forward ? "forward" : "backward";
	struct sums found = sums_of(t->data, t->n);

	if (!same(&found, &t->sums))
		return stress_fail(s,
			"sorted %s, the integers differ from those before the sort", way);
	if (!in_order(t->data, t->n, forward))
		return stress_fail(s, "sorted %s, the integers are not in order", way);
	return 0;
}

static int one_sort(
	struct stress *s, struct ints *t, const struct step *step, enum sorted *sorted)
{
	step->before(t);
	*sorted = sort_timed(s, t, step->forward);
	if (*sorted == NO_MEMORY)
		return stress_lacks(s, "no memory to sort: %s", strerror(errno));
	if (*sorted == LEFT)
		return 0;
	if (s->spoil && !t->spoilt)
		spoil(t);
	return check(s, t, step->forward);
}

static int one_round(struct stress *s, struct ints *t, enum sorted *sorted)
{
	int r = 0;

	for (unsigned int i = 0; i < t->sorts && r == 0 && *sorted == SORTED; i++)
		r = one_sort(s, t, &steps[i], sorted);
	return r;
}

/* ---- the stressor's functions ---- */

uint64_t sort_ints_memory(const struct stress *s)
{
	/* The integers, and a copy that a sort by merging makes. */
	return 2 * s->value[SIZE] * sizeof(int32_t);
}

int sort_ints_setup(struct stress *s, sort_function *sort, unsigned int sorts)
{
	struct ints *t = calloc(1, sizeof(*t));

	if (!t)
		return stress_lacks(s, "no memory");
	s->data = t;
	t->sort = sort;
	t->sorts = sorts;
	t->n = (size_t)s->value[SIZE];
	t->random = s->seed;
	meter.left = LEASE;
	meter.s = s;
	t->data = stress_map(s, t->n * sizeof(*t->data), 0);
	if (!t->data)
		return STRESS_LACKS;
	replace_all(t); /* touches it */
	return 0;
}

static void report(struct stress *s, const struct ints *t)
{
	double seconds = (double)t->ns / 1e9, share = stress_share(s, 0);
	double elements = (double)t->done * (double)t->n;

	if (t->ns == 0)
		return;
	stress_metric(s, COMPARISONS, share * (double)t->compared / seconds);
	stress_metric(s, PER_ITEM, (double)t->compared / elements);
	stress_metric(s, ELEMENTS, share * elements / seconds);
}

int sort_ints_run(struct stress *s)
{
	struct ints *t = s->data;
	enum sorted sorted = SORTED;
	int r = 0;

	while (r == 0 && sorted == SORTED && stress_goes_on(s)) {
		r = one_round(s, t, &sorted);
		if (r == 0 && sorted == SORTED)
			stress_add(s, 1);
	}
	report(s, t);
	return r;
}
