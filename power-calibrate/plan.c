// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

#define FULL_PPM     1000000u
#define SLOT_GOOD_NS (5 * SM_NSEC_PER_SEC)
/* Number of orders tried for a block; lean (CPUs times places) that is small enough. */
#define ORDERS 64
#define LITTLE 0.01
/* Number of sets in a block of the usual length: one, half and all. */
#define BASIC_SETS 3
/* Dither: largest difference from a level, and its part of the distance of two levels. */
#define DITHER_PPM   50000.0
#define DITHER_PARTS 4

/* SplitMix64 (Steele, Lea, Flood 2014): equal on every machine. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Inserts a number in increasing order, unless it is present or there is no room. */
static void add_count(struct plan *p, unsigned int cpus)
{
	unsigned int at = p->counts;

	while (at && p->count[at - 1] > cpus)
		at--;
	if ((at && p->count[at - 1] == cpus) || p->counts == PLAN_COUNTS_MAX)
		return;
	memmove(&p->count[at + 1], &p->count[at], (p->counts - at) * sizeof(*p->count));
	p->count[at] = cpus;
	p->counts++;
}

static unsigned int tests_of_block(const struct plan_want *w, unsigned int sets)
{
	return 1 + (w->levels - 1) * sets;
}

/* --- sets by type ------------------------------------------------------------------- */

static void choose_types(struct plan *p, const struct plan_want *w)
{
	unsigned int first = 0;

	for (unsigned int i = 0; i < w->types; i++) {
		p->set[p->sets++] = (struct plan_set){first, w->type_cpus[i]};
		first += w->type_cpus[i];
	}
	p->set[p->sets++] = (struct plan_set){0, w->cpus};
	p->types = w->types;
	add_count(p, w->cpus);
	p->basic = p->sets < BASIC_SETS ? p->sets : BASIC_SETS;
}

bool plan_loads(const struct plan_test *t, unsigned int i)
{
	return i >= t->first && i - t->first < t->cpus;
}

unsigned int plan_type_of(const struct plan *p, unsigned int i)
{
	unsigned int type = 0;

	while (type + 1 < p->types && i >= p->set[type + 1].first)
		type++;
	return type;
}

int plan_only_type(const struct plan *p, const struct plan_test *t)
{
	if (!p->types || !t->cpus || t->cpus == p->set[p->types].cpus)
		return -1;
	return (int)plan_type_of(p, t->first);
}

/* --- counts ------------------------------------------------------------------------- */

static void choose_counts(struct plan *p, const struct plan_want *w)
{
	unsigned int steps = w->cpus < PLAN_COUNTS_MAX ? w->cpus : PLAN_COUNTS_MAX;

	if (!w->every_count) {
		add_count(p, 1);
		add_count(p, (w->cpus + 1) / 2);
		add_count(p, w->cpus);
		p->basic = p->counts;
		for (unsigned int i = 0; i < w->steps; i++)
			add_count(p, w->step[i]);
		return;
	}
	for (unsigned int i = 1; i <= steps; i++)
		add_count(p, 1 + (unsigned int)((uint64_t)(w->cpus - 1) * (i - 1) /
						(steps > 1 ? steps - 1 : 1)));
	p->basic = p->counts;
}

static void choose_sets(struct plan *p, const struct plan_want *w)
{
	if (w->types) {
		choose_types(p, w);
		return;
	}
	choose_counts(p, w);
	for (unsigned int i = 0; i < p->counts; i++)
		p->set[p->sets++] = (struct plan_set){0, p->count[i]};
}

/* --- times -------------------------------------------------------------------------- */

static uint64_t shortest_slot(const struct plan_want *w)
{
	uint64_t two = 2 * w->interval_ns + w->interval_ns / 2;

	two = two > PLAN_SLOT_MIN_NS ? two : PLAN_SLOT_MIN_NS;
	return w->settle_ns + (two > w->slow_ns ? two : w->slow_ns);
}

/* Chooses the number of blocks so that each test has a good length; a time requested by
 * the user is kept, however short. */
static void choose_times(struct plan *p, const struct plan_want *w)
{
	uint64_t good = SLOT_GOOD_NS, test_ns = w->test_ns;
	uint64_t blocks;

	if (w->keep_total)
		test_ns = test_ns * tests_of_block(w, p->basic) / p->per_block;
	if (good < 5 * w->interval_ns)
		good = 5 * w->interval_ns;
	if (good < 2 * w->slow_ns)
		good = 2 * w->slow_ns;
	blocks = test_ns / good;
	p->blocks = blocks < 1		       ? 1
		    : blocks > PLAN_BLOCKS_MAX ? PLAN_BLOCKS_MAX
					       : (unsigned int)blocks;
	p->settle_ns = w->settle_ns;
	p->slot_ns = w->settle_ns + test_ns / p->blocks;
}

static uint64_t time_of(const struct plan *p)
{
	return p->slot_ns * p->per_block * p->blocks;
}

/* Shortens the tests, and then reduces the number of blocks. */
static int fit(struct plan *p, const struct plan_want *w)
{
	uint64_t least = shortest_slot(w);

	if (!w->limit_ns || time_of(p) <= w->limit_ns)
		return 0;
	p->shortened = true;
	least = p->slot_ns < least ? p->slot_ns : least;
	for (; p->blocks; p->blocks--) {
		uint64_t slot = w->limit_ns / p->per_block / p->blocks;

		if (slot < least)
			continue;
		p->slot_ns = slot < p->slot_ns ? slot : p->slot_ns;
		return 0;
	}
	p->total_ns = least * p->per_block;
	return -E2BIG;
}

static void fill_up(struct plan *p, const struct plan_want *w)
{
	uint64_t blocks = w->limit_ns / (p->slot_ns * p->per_block);

	if (w->until_good && blocks > p->blocks)
		p->blocks = (unsigned int)(blocks < 10000 ? blocks : 10000);
}

/* --- the order ---------------------------------------------------------------------- */

static void shuffle(struct plan_test *t, unsigned int n, uint64_t *random)
{
	for (unsigned int i = n; i > 1; i--) {
		unsigned int j = (unsigned int)(next_random(random) % i);
		struct plan_test other = t[j];

		t[j] = t[i - 1];
		t[i - 1] = other;
	}
}

static void fill_block(const struct plan *p, const struct plan_want *w,
	unsigned int block, uint64_t random)
{
	struct plan_test *t = p->test + (size_t)block * p->per_block;
	unsigned int n = 0;

	t[n++] = (struct plan_test){.block = block};
	for (unsigned int i = 1; i < w->levels; i++)
		for (unsigned int c = 0; c < p->sets; c++)
			t[n++] =
				(struct plan_test){.ppm = (uint32_t)((uint64_t)FULL_PPM *
								     i / (w->levels - 1)),
					.cpus = p->set[c].cpus,
					.first = p->set[c].first,
					.block = block};
	shuffle(t, n, &random);
}

/* Returns the covariation of the load of a block with time: 0 if it leans to neither end.
 */
static double lean_of(const struct plan *p, unsigned int block)
{
	const struct plan_test *t = p->test + (size_t)block * p->per_block;
	double sum = 0;

	for (unsigned int i = 0; i < p->per_block; i++)
		sum += t[i].ppm * 1e-6 * t[i].cpus * (i - (p->per_block - 1) / 2.0);
	return sum;
}

/* Chooses, from several random orders, the one with which the blocks so far lean least;
 * the blocks have equal loads, so their leans add up. */
static double choose_order(struct plan *p, const struct plan_want *w, unsigned int block,
	double before, uint64_t *random)
{
	double least = INFINITY;
	uint64_t best = 0;

	for (unsigned int i = 0; i < ORDERS && fabs(least) > LITTLE; i++) {
		uint64_t state = next_random(random);
		double lean;

		fill_block(p, w, block, state);
		lean = before + lean_of(p, block);
		if (fabs(lean) >= fabs(least))
			continue;
		least = lean;
		best = state;
	}
	fill_block(p, w, block, best);
	return least;
}

int plan_make(struct plan *p, const struct plan_want *w)
{
	uint64_t random = w->seed;
	double lean = 0;
	int err;

	memset(p, 0, sizeof(*p));
	p->levels = w->levels;
	choose_sets(p, w);
	p->per_block = tests_of_block(w, p->sets);
	choose_times(p, w);
	err = fit(p, w);
	if (err)
		return err;
	fill_up(p, w);
	p->n = p->blocks * p->per_block;
	p->total_ns = time_of(p);
	p->test = calloc(p->n, sizeof(*p->test));
	if (!p->test)
		return -ENOMEM;
	for (unsigned int i = 0; i < p->blocks; i++)
		lean = choose_order(p, w, i, lean, &random);
	return 0;
}

void plan_fini(struct plan *p)
{
	free(p->test);
	memset(p, 0, sizeof(*p));
}

/* --- the loads ---------------------------------------------------------------------- */

/* Returns number n of a sequence in [0, 1) of which any successive numbers are spread
 * evenly: the fractions of the multiples of the golden ratio. */
static double even(unsigned int n)
{
	double x = n * 0.6180339887498949;

	return x - floor(x);
}

static unsigned int index_of(const struct plan *p, const struct plan_test *t)
{
	unsigned int i = 0;

	while (i + 1 < p->sets &&
		(p->set[i].first != t->first || p->set[i].cpus != t->cpus))
		i++;
	return i;
}

uint32_t plan_load(const struct plan *p, const struct plan_test *t)
{
	double most = fmin((double)FULL_PPM / (p->levels - 1) / DITHER_PARTS, DITHER_PPM);

	if (!t->ppm)
		return 0;
	if (t->ppm == FULL_PPM)
		return FULL_PPM - (uint32_t)(most * even(t->block));
	/* Each set of CPUs of a level has its own load. */
	return (uint32_t)(t->ppm +
			  most * (2 * even(t->block * p->sets + index_of(p, t)) - 1));
}
