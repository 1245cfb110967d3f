// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/capability.h>
#include <string.h>

#include "run/stress.h"
#include "memory/area.h"
#include "memory/fault.h"
#include "memory/stream.h"

/* Bytes of an array processed between two checks for the end of the run; access through
 * indices is slower. */
#define CHUNK_BYTES   ((size_t)1 << 20)
#define INDEXED_BYTES ((size_t)128 << 10)
/* Distance of prefetches. */
#define AHEAD_BYTES ((size_t)4 << 10)
#define LINE_BYTES  64u
/* Each round checks one part in this many of array a. */
#define CHECK_PARTS	16u
#define CHECK_PARTS_ALL 4u /* with --verify */
/* Duration of the last check, when the time is over. */
#define LAST_CHECK_NS (20 * SM_NSEC_PER_MSEC)
/* Arrays begin at different offsets in a 4 KB page: if the lowest 12 bits of two
 * addresses are equal, a CPU may take a load for one of data that was just stored. */
#define STAGGER (65536u + 1344u)

/*
 * b = 3 a and a = b - c / 2 restore a without rounding, since the last three bits of
 * VALUE are 0.  A flipped bit of a therefore persists, and one of b or c that is still
 * needed is passed on to a.
 */
#define VALUE	0x1.3c0ca4283de18p+0
#define SCALE_K 3.0
#define TRIAD_K -0.5

enum { L3_SIZE, MADVISE, INDEX, MLOCK, PREFETCH };

static const char *const advices[] = {
	"hugepage", "nohugepage", "collapse", "normal", NULL};

static const struct stressor_opt opts[] = {
	[L3_SIZE] = {"l3-size", STRESSOR_SIZE, "SIZE",
		"set the size of each of the three arrays", .min = 4 << 10,
		.max = (uint64_t)32 << 30, .normal = 64 << 20, .small = 1 << 20,
		.large = 1 << 30},
	[MADVISE] = {"madvise", STRESSOR_CHOICE, "ADVICE",
		"select the page size of the arrays with madvise(2)", .max = 3,
		.choices = advices},
	[INDEX] = {"index", STRESSOR_COUNT, "N",
		"access the arrays through N index arrays; 0: directly", .max = 3},
	[MLOCK] = {"mlock", STRESSOR_FLAG, NULL, "lock the arrays in memory", .max = 1},
	[PREFETCH] = {"prefetch", STRESSOR_FLAG, NULL,
		"prefetch data before it is read; not with indices", .max = 1},
	{0},
};

enum { RATE, READ, WRITE, FLOPS };

static const struct stressor_metric metrics[] = {
	[RATE] = {"memory rate", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
	[READ] = {"read", "MB/s", .mean = MEAN_RATE,
		.yaml = "mb-per-sec-memory-read-rate"},
	[WRITE] = {"write", "MB/s", .mean = MEAN_RATE,
		.yaml = "mb-per-sec-memory-write-rate"},
	[FLOPS] = {"flops", "Mflop/s", .mean = MEAN_RATE,
		.yaml = "mflop-per-sec-double-precision-compute-rate"},
	{0},
};

enum array { A, B, C, ARRAYS };

static const struct step {
	enum array to, x, y;
	double k;
	unsigned int reads, flops; /* per element */
} steps[STREAM_KERNELS] = {
	[STREAM_COPY] = {C, A, A, 0, 1, 0},
	[STREAM_SCALE] = {B, C, C, SCALE_K, 1, 1},
	[STREAM_ADD] = {C, A, B, 0, 2, 1},
	[STREAM_TRIAD] = {A, B, C, TRIAD_K, 2, 2},
};

/* Values at the end of each round; a and b also have them within it. */
static const double values[ARRAYS] = {VALUE, VALUE *SCALE_K, VALUE *(1 + SCALE_K)};

struct state {
	const struct stream_variant *variant;
	double *array[ARRAYS];
	uint32_t *index[3]; /* indices of the array written, and of the first and second
			       array read */
	size_t n;	    /* elements in each array */
	size_t checked;	    /* element of a at which the next check starts */
	uint64_t reads, writes, flops; /* elements; operations */
	uint64_t ns;
	void *map;
	size_t bytes;
};

static size_t elements(const struct stress *s)
{
	return (size_t)(s->value[L3_SIZE] / 64 * 8);
}

static size_t array_bytes(size_t n)
{
	return n * sizeof(double) + STAGGER;
}

static size_t map_bytes(const struct stress *s)
{
	size_t n = elements(s);

	return ARRAYS * array_bytes(n) + s->value[INDEX] * n * sizeof(uint32_t);
}

static uint64_t memory(const struct stress *s)
{
	return map_bytes(s);
}

static uint64_t bits(double d)
{
	uint64_t u;

	memcpy(&u, &d, sizeof(u));
	return u;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Fills index with a random permutation of 0 to n - 1. */
static void shuffle(const struct stress *s, uint32_t *index, size_t n, uint64_t seed)
{
	for (size_t i = 0; i < n; i++) {
		size_t j = (size_t)((stress_random(&seed) >> 32) * (i + 1) >> 32);

		if (i % 65536 == 0 && stress_stopped(s))
			return;
		index[i] = index[j];
		index[j] = (uint32_t)i;
	}
}

static void fill(const struct stress *s, const struct state *st, enum array array)
{
	uint64_t *p = (uint64_t *)(void *)st->array[array];
	size_t words = CHUNK_BYTES / sizeof(*p);

	for (size_t i = 0; i < st->n && !stress_stopped(s); i += words)
		memory_fill(p + i, least(words, st->n - i), bits(values[array]));
}

/* With fewer than three index arrays, some are used for two arrays. */
static void make_indices(const struct stress *s, struct state *st, uint32_t *first)
{
	unsigned int n = (unsigned int)s->value[INDEX];

	for (unsigned int i = 0; i < n; i++)
		shuffle(s, first + i * st->n, st->n, s->seed + i);
	for (unsigned int i = 0; n && i < SM_ARRAY_SIZE(st->index); i++)
		st->index[i] = first + i % n * st->n;
}

static int setup(struct stress *s)
{
	int advice = memory_advice(advices[s->value[MADVISE]]);
	bool late = strcmp(advices[s->value[MADVISE]], "collapse") == 0;
	struct state *st = s->data;
	char *p;

	st->n = elements(s);
	st->variant = stream_variant();
	st->bytes = map_bytes(s);
	st->map = p = stress_map(s, st->bytes, late ? 0 : advice);
	if (!p)
		return -1;
	for (int i = 0; i < ARRAYS; i++, p += array_bytes(st->n))
		st->array[i] = (double *)(void *)p;
	for (int i = 0; i < ARRAYS; i++)
		fill(s, st, (enum array)i);
	make_indices(s, st, (uint32_t *)(void *)p);
	if (late)
		memory_advise(s, st->map, st->bytes, advice);
	return s->value[MLOCK] ? memory_lock(s, st->map, st->bytes) : 0;
}

/* Has no effect past the end of the arrays. */
static void prefetch(const double *from, size_t n)
{
	const char *at = (const char *)from, *end = (const char *)(from + n);

	for (; at < end; at += LINE_BYTES)
		__builtin_prefetch(at);
}

/* Returns the number of elements between two checks for the end of the run. */
static size_t step_size(const struct stress *s)
{
	if (s->value[INDEX])
		return INDEXED_BYTES / sizeof(double);
	return (s->value[PREFETCH] ? AHEAD_BYTES : CHUNK_BYTES) / sizeof(double);
}

/* Returns false if the run is over. */
static bool kernel(const struct stress *s, struct state *st, enum stream_kernel k)
{
	const struct step *step = &steps[k];
	double *to = st->array[step->to];
	const double *x = st->array[step->x], *y = st->array[step->y];
	const uint32_t *const index[3] = {st->index[0], st->index[1], st->index[2]};
	size_t most = step_size(s), n;

	for (size_t i = 0; i < st->n; i += n) {
		if (stress_stopped(s))
			return false;
		n = least(most, st->n - i);
		if (s->value[PREFETCH] && !index[0]) {
			prefetch(x + i + n, n);
			prefetch(y + i + n, n);
		}
		if (index[0])
			stream_indexed(k, to, x, y, step->k, index, i, n);
		else
			st->variant->kernel[k](to + i, x + i, y + i, step->k, n);
		st->reads += step->reads * n;
		st->writes += n;
		st->flops += step->flops * n;
	}
	return true;
}

/* Returns the number of completed rounds.  Small arrays are processed several times
 * between two readings of the clock. */
static unsigned int rounds(const struct stress *s, struct state *st)
{
	uint64_t begin = sm_clock_mono_ns(), left = s->ops_max - s->slot->ops;
	size_t n = 1 + CHUNK_BYTES / (st->n * sizeof(double));
	unsigned int done = 0;
	bool on = true;

	while (on && done < n && done < left) {
		for (int k = 0; on && k < STREAM_KERNELS; k++)
			on = kernel(s, st, (enum stream_kernel)k);
		done += on;
	}
	memory_fence();
	st->ns += sm_clock_mono_ns() - begin;
	return done;
}

/* Checks the elements `from` to `to` in parts, until deadline or, if that is 0, the end
 * of the run. */
static int check(struct stress *s, const struct state *st, enum array array, size_t from,
	size_t to, uint64_t deadline)
{
	static const char *const names[] = {"array a: ", "array b: ", "array c: "};
	const uint64_t *p = (const uint64_t *)(const void *)st->array[array];
	size_t part = MEMORY_PART / sizeof(*p), n, at;

	for (size_t i = from; i < to; i += n) {
		if (deadline ? sm_clock_mono_ns() > deadline : stress_stopped(s))
			return 0;
		n = least(part, to - i);
		at = memory_differs(p + i, n, bits(values[array]));
		if (at < n)
			return fault_word(s, names[array], (i + at) * sizeof(*p),
				p + i + at, p[i + at], bits(values[array]));
	}
	return 0;
}

/* Checks one part of a; all parts in turn. */
static int check_part(struct stress *s, struct state *st)
{
	size_t parts = s->verify ? CHECK_PARTS_ALL : CHECK_PARTS;
	size_t n = st->n / parts / 8 * 8 + 8, from = st->checked;
	size_t to = least(from + n, st->n);

	st->checked = to == st->n ? 0 : to;
	return check(s, st, A, from, to, 0);
}

static int last_check(struct stress *s, struct state *st)
{
	uint64_t deadline = sm_clock_mono_ns() + LAST_CHECK_NS;
	int r = check(s, st, A, st->checked, st->n, deadline);

	if (r == 0)
		r = check(s, st, A, 0, st->checked, deadline);
	return r ? r : check(s, st, B, 0, st->n, deadline);
}

static void report(struct stress *s, const struct state *st)
{
	double seconds = (double)st->ns / 1e9, mb = sizeof(double) / 1048576.0;
	double share = stress_share(s, 0);

	if (st->ns == 0)
		return;
	stress_metric(s, RATE, share * (double)(st->reads + st->writes) * mb / seconds);
	stress_metric(s, READ, share * (double)st->reads * mb / seconds);
	stress_metric(s, WRITE, share * (double)st->writes * mb / seconds);
	stress_metric(s, FLOPS, share * (double)st->flops / 1e6 / seconds);
}

static void spoil(const struct state *st)
{
	((volatile unsigned char *)st->array[A])[st->n * sizeof(double) / 3] ^= 0x10;
}

static int run(struct stress *s)
{
	struct state *st = s->data;
	int r = 0;

	/* The setup may have been cut short. */
	if (!stress_goes_on(s))
		return 0;
	if (s->spoil)
		spoil(st);
	while (r == 0 && stress_goes_on(s)) {
		stress_add(s, rounds(s, st));
		r = check_part(s, st);
		report(s, st);
	}
	return r ? r : last_check(s, st);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_stream_man[] =
	"metric memory rate: the memory rate is the sum of both\n"
	"metric flops: 10^6 floating point operations per second\n"
	"After each round, a sixteenth of an array is checked; with --verify, a "
	"quarter.  The check at the end takes at most 20 ms.  The rates are not "
	"those that the benchmark STREAM prints: they cover all four kernels "
	"together, and must not be published as STREAM results.\n"
	"--l3-size: To measure the rate of memory, the arrays must be larger than "
	"the caches.\n"
	"--madvise hugepage, nohugepage: with or without huge pages\n"
	"--madvise collapse: small pages are collapsed to huge pages before the "
	"start\n"
	"--madvise normal: the system's setting\n"
	"--index: The indices are in random order.\n"
	"--prefetch: The prefetch distance is 4 KB.\n";

const struct stressor stressor_stream = {
	.name = "stream",
	.does = "run the kernels copy, scale, add and triad of STREAM on arrays of "
		"doubles",
	.op = "one round of the four kernels",
	.checks = "the values of the arrays: parts of them after each round, all of "
		  "them at the end",
	.caps = STRESSOR_CAP(CAP_IPC_LOCK),
	.pagemap = true,
	.classes = CLASS_CPU | CLASS_CPU_CACHE | CLASS_MEMORY,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
