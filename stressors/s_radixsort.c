// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * radixsort has no comparison function from which it could be interrupted: more than
 * BLOCK strings are sorted block by block, each of which takes some 15 ms.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "run/stress.h"
#include "sort/bsd.h"

#define BLOCK 262144u

enum { SIZE };

static const struct stressor_opt opts[] = {
	{"size", STRESSOR_COUNT, "N", "sort N strings, in blocks of at most 256k",
		.min = 1024, .max = 4194304, .normal = 262144, .small = 1024,
		.large = 4194304},
	{0},
};

enum { ELEMENTS };

static const struct stressor_metric metrics[] = {
	[ELEMENTS] = {"elements", "/s", .mean = MEAN_RATE, .headline = "elements/s"},
	{0},
};

/* Sums over all strings that do not depend on their order. */
struct sums {
	uint64_t values, squares;
};

struct strings {
	struct sort_bsd bsd;
	uint64_t *text;		  /* strings of seven letters and a NUL; an additional one
				     terminates them */
	const unsigned char **at; /* pointers that are sorted */
	size_t n;
	struct sums sums; /* expected sums of the text */
	uint64_t random;
	bool spoilt;
	unsigned char
		backward[256]; /* weights; the terminating byte must have 0 or 255 */
	uint64_t sorted, ns;   /* number of strings sorted, and the time */
};

static inline void add(struct sums *m, uint64_t v)
{
	m->values += v;
	m->squares += v * v;
}

static bool same(const struct sums *a, const struct sums *b)
{
	return a->values == b->values && a->squares == b->squares;
}

static uint64_t new_text(uint64_t *random)
{
	uint64_t letters = stress_random(random) & UINT64_C(0x003f3f3f3f3f3f3f);

	return htole64(letters + UINT64_C(0x0030303030303030)); /* '0' to 'o' */
}

/* Replaces all strings and checks the old ones. */
static bool replace_all(struct strings *t)
{
	struct sums old = {0}, new = {0};
	bool unchanged;

	for (size_t i = 0; i < t->n; i++) {
		add(&old, t->text[i]);
		t->text[i] = new_text(&t->random);
		add(&new, t->text[i]);
		t->at[i] = (const unsigned char *)&t->text[i];
	}
	unchanged = same(&old, &t->sums);
	t->sums = new;
	return unchanged;
}

static size_t block_of(const struct strings *t, size_t from)
{
	return t->n - from < BLOCK ? t->n - from : BLOCK;
}

static bool points_to_one(const struct strings *t, const unsigned char *at)
{
	uintptr_t offset = (uintptr_t)at - (uintptr_t)t->text;

	return offset < t->n * sizeof(*t->text) && offset % sizeof(*t->text) == 0;
}

/* Returns NULL or a description of the error. */
static const char *check_block(
	const struct strings *t, size_t from, bool forward, struct sums *m)
{
	uint64_t last = forward ? 0 : UINT64_MAX;

	for (size_t i = from; i < from + block_of(t, from); i++) {
		uint64_t text, order;

		if (!points_to_one(t, t->at[i]))
			return "a pointer is not one of the original ones";
		memcpy(&text, t->at[i], sizeof(text));
		add(m, text);
		order = be64toh(text);
		if (forward ? order < last : order > last)
			return "the strings are not in order";
		last = order;
	}
	return NULL;
}

static int check(struct stress *s, const struct strings *t, bool forward)
{
	const char *way = forward ? "forward" : "backward", *wrong = NULL;
	struct sums found = {0};

	for (size_t i = 0; i < t->n && !wrong; i += BLOCK)
		wrong = check_block(t, i, forward, &found);
	if (!wrong && !same(&found, &t->sums))
		wrong = "the strings are not those of before";
	return wrong ? stress_fail(s, "sorted %s, %s", way, wrong) : 0;
}

/* Sets *left if it returned early because the time is over. */
static int sort_all(struct stress *s, struct strings *t, bool forward, bool *left)
{
	uint64_t begin_ns = sm_clock_mono_ns(), end_ns;
	const unsigned char *weights = forward ? NULL : t->backward;

	for (size_t i = 0; i < t->n; i += BLOCK) {
		*left = stress_stopped(s);
		if (*left)
			return 0;
		if (t->bsd.radixsort(&t->at[i], (int)block_of(t, i), weights, 0) < 0)
			return stress_lacks(s, "radixsort: %s", strerror(errno));
	}
	end_ns = sm_clock_mono_ns();
	t->ns += end_ns - begin_ns;
	stress_step(s, end_ns, 0);
	t->sorted += t->n;
	return 0;
}

static int one_sort(struct stress *s, struct strings *t, bool forward, bool *left)
{
	int r = sort_all(s, t, forward, left);

	if (r != 0 || *left)
		return r;
	if (s->spoil && !t->spoilt) {
		t->text[t->n / 2] ^= 1;
		t->spoilt = true;
	}
	return check(s, t, forward);
}

static int one_round(struct stress *s, struct strings *t, bool *left)
{
	int r;

	if (!replace_all(t))
		return stress_fail(s, "strings changed after they were sorted");
	r = one_sort(s, t, true, left);
	return r || *left ? r : one_sort(s, t, false, left);
}

static uint64_t memory(const struct stress *s)
{
	return s->value[SIZE] * (sizeof(uint64_t) + sizeof(char *));
}

static int set_up_data(struct stress *s, struct strings *t)
{
	t->n = (size_t)s->value[SIZE];
	t->random = s->seed;
	for (unsigned int i = 0; i < 256; i++)
		t->backward[i] = (unsigned char)(255 - i);
	t->text = stress_map(s, (t->n + 1) * sizeof(*t->text), 0);
	if (!t->text)
		return STRESS_LACKS;
	t->at = stress_map(s, t->n * sizeof(*t->at), 0);
	if (!t->at)
		return STRESS_LACKS;
	(void)replace_all(t); /* touches the memory */
	return 0;
}

static int setup(struct stress *s)
{
	struct strings *t = s->data;
	int r = sort_bsd_setup(s, &t->bsd);

	return r ? r : set_up_data(s, t);
}

static int run(struct stress *s)
{
	struct strings *t = s->data;
	bool left = false;
	int r = 0;

	while (r == 0 && !left && stress_goes_on(s)) {
		r = one_round(s, t, &left);
		if (r == 0 && !left)
			stress_add(s, 1);
	}
	if (t->ns)
		stress_metric(s, ELEMENTS,
			stress_share(s, 0) * (double)t->sorted * 1e9 / (double)t->ns);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_radixsort_man[] =
	"metric elements: strings, measured over the time of the sorts alone\n";

const struct stressor stressor_radixsort = {
	.name = "radixsort",
	.does = "sort 8-byte strings with radixsort(3) of libbsd",
	.op = "one round of two sorts: random strings forward and backward",
	.checks = "the order after each sort is right, and no string has changed",
	.needs = "libbsd",
	.classes = CLASS_CPU | CLASS_CPU_CACHE | CLASS_MEMORY,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.probe = sort_bsd_probe,
	.state = sizeof(struct strings),
	.setup = setup,
	.run = run,
};
