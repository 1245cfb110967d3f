// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <sys/mman.h>

#include "run/stress.h"
#include "matrix/matrix.h"

/* Small matrices are processed several times between two readings of the clock: this many
 * elements. */
#define BATCH_ELEMENTS 16384u
/* Number of elements checked between two readings of the clock. */
#define CHECK_ELEMENTS 2048u
/* Checks take one part in this many of the time, independently of size and method. */
#define CHECK_SHARE 50u
/* Duration of the last check, when the time is over. */
#define LAST_CHECK_NS (10 * SM_NSEC_PER_MSEC)
/* Huge pages are requested from this size: at least two of 2 MB. */
#define HUGE_BYTES (4u << 20)

enum { METHOD, SIZE, YX };

static const char *const methods[] = {"all", "add", "copy", "div", "frobenius",
	"hadamard", "identity", "mean", "mult", "negate", "prod", "sub", "square",
	"trans", "zero", NULL};

static const struct stressor_opt opts[] = {
	[METHOD] = {"method", STRESSOR_CHOICE, "NAME",
		"select the computation; all: one op of each in turn",
		.max = MATRIX_METHODS, .choices = methods},
	[SIZE] = {"size", STRESSOR_COUNT, "N", "set the number of rows and columns",
		.min = 16, .max = 8192, .normal = 128, .small = 16, .large = 2048},
	[YX] = {"yx", STRESSOR_FLAG, NULL,
		"process the matrices column by column, so that each access is to "
		"another row",
		.max = 1},
	{0},
};

enum { PROD_FLOPS = MATRIX_METHODS, SQUARE_FLOPS };

#define RATE(n)                                                                \
	{                                                                      \
		n, "ops/s", .mean = MEAN_RATE, .yaml = n "-matrix-ops-per-sec" \
	}

static const struct stressor_metric metrics[] = {
	[MATRIX_ADD] = RATE("add"),
	[MATRIX_COPY] = RATE("copy"),
	[MATRIX_DIV] = RATE("div"),
	[MATRIX_FROBENIUS] = RATE("frobenius"),
	[MATRIX_HADAMARD] = RATE("hadamard"),
	[MATRIX_IDENTITY] = RATE("identity"),
	[MATRIX_MEAN] = RATE("mean"),
	[MATRIX_MULT] = RATE("mult"),
	[MATRIX_NEGATE] = RATE("negate"),
	[MATRIX_PROD] = RATE("prod"),
	[MATRIX_SUB] = RATE("sub"),
	[MATRIX_SQUARE] = RATE("square"),
	[MATRIX_TRANS] = RATE("trans"),
	[MATRIX_ZERO] = RATE("zero"),
	[PROD_FLOPS] = {"prod-flops", "GFLOP/s", .mean = MEAN_RATE,
		.headline = "GFLOP/s of products"},
	[SQUARE_FLOPS] = {"square-flops", "GFLOP/s", .mean = MEAN_RATE},
	{0},
};

_Static_assert(SM_ARRAY_SIZE(methods) == MATRIX_METHODS + 2, "a method without a name");

struct state {
	struct matrix m;
	size_t bytes; /* bytes of the whole mapping, which begins with this state */
	size_t next;  /* next row to check */
	uint64_t begin_ns;
	uint64_t check_ns; /* time spent in checks */
	uint64_t ops[MATRIX_METHODS], ns[MATRIX_METHODS];
	enum matrix_method
		last; /* method whose result is in r; MATRIX_METHODS: none is complete */
	bool spoiled;
};

/* ---- memory ---- */

static size_t stride_of(const struct stress *s)
{
	size_t n = (size_t)s->value[SIZE];

	return (n + MATRIX_ROUND - 1) / MATRIX_ROUND * MATRIX_ROUND;
}

static size_t matrix_bytes(size_t stride)
{
	return stride * stride * sizeof(float);
}

static size_t panel_bytes(void)
{
	return MATRIX_DEPTH * MATRIX_ROUND * sizeof(float);
}

/* Size of the state in whole cache lines, since vectors follow. */
static size_t state_bytes(void)
{
	return (sizeof(struct state) + 63) & ~(size_t)63;
}

static size_t all_bytes(size_t stride)
{
	return state_bytes() + 3 * matrix_bytes(stride) + panel_bytes() +
	       2 * stride * sizeof(double);
}

static uint64_t memory(const struct stress *s)
{
	return all_bytes(stride_of(s));
}

static void divide(struct state *st, unsigned char *p, size_t stride)
{
	struct matrix *m = &st->m;

	p += state_bytes();
	m->a = (float *)(void *)p;
	m->b = m->a + stride * stride;
	m->r = m->b + stride * stride;
	m->panel = m->r + stride * stride;
	m->sum_a = (double *)(void *)((unsigned char *)m->panel + panel_bytes());
	m->sum_b = m->sum_a + stride;
}

/* ---- setup ---- */

/* Fills a row with integers from 1 to 31 or their negatives, one per random byte. */
static void fill_row(float *row, size_t n, uint64_t *random)
{
	uint64_t z = 0;

	for (size_t j = 0; j < n; j++) {
		z = j % 8 ? z >> 8 : stress_random(random);
		row[j] = (float)(1 + z % 128 % 31) * (z & 128 ? -1.0f : 1.0f);
	}
}

static int64_t products(const float *x, const float *y, size_t n)
{
	int64_t sum = 0;

	for (size_t j = 0; j < n; j++)
		sum += (int)x[j] * (int)y[j];
	return sum;
}

/* Sets elements beyond the last row and column of b to 1, since they are divisors. */
static void ones(float *row, size_t from, size_t to)
{
	for (size_t j = from; j < to; j++)
		row[j] = 1.0f;
}

static void fill(const struct stress *s, struct matrix *m)
{
	uint64_t random = s->seed;
	int64_t sum = 0;

	for (size_t i = 0; i < m->n && !stress_stopped(s); i++) {
		float *a = matrix_row(m, m->a, i), *b = matrix_row(m, m->b, i);

		fill_row(a, m->n, &random);
		fill_row(b, m->n, &random);
		ones(b, m->n, m->stride);
		m->sum_a[i] = matrix_sum(a, m->n);
		m->sum_b[i] = matrix_sum(b, m->n);
		sum += products(a, b, m->n);
		memset(matrix_row(m, m->r, i), 0, m->stride * sizeof(float));
	}
	m->frobenius_expected = (double)sum;
}

static int setup(struct stress *s)
{
	size_t stride = stride_of(s), bytes = all_bytes(stride);
	void *p = stress_map(s, bytes, bytes >= HUGE_BYTES ? MADV_HUGEPAGE : 0);
	struct state *st = p;

	if (!p)
		return STRESS_LACKS;
	s->data = st;
	st->bytes = bytes;
	st->last = MATRIX_METHODS;
	st->m.s = s;
	st->m.n = (size_t)s->value[SIZE];
	st->m.stride = stride;
	st->m.code = matrix_code();
	divide(st, p, stride);
	fill(s, &st->m);
	return 0;
}

/* ---- checks ---- */

/* Flips a bit of an element that the next check reads: in a result or in an operand. */
static void spoil(struct stress *s, struct state *st)
{
	struct matrix *m = &st->m;
	float *at = matrix_row(m, s->instance % 2 ? m->b : m->r, st->next);
	uint32_t bits;

	if (!s->spoil || st->spoiled)
		return;
	st->spoiled = true;
	if (st->last == MATRIX_FROBENIUS)
		m->frobenius += 1;
	memcpy(&bits, at + m->n / 2, sizeof(bits));
	bits ^= 1u << 30; /* changes any value by more than a sum can hide */
	memcpy(at + m->n / 2, &bits, sizeof(bits));
}

static int check_rows(struct stress *s, struct state *st, size_t rows)
{
	int r = 0;

	for (size_t k = 0; k < rows && r == 0; k++) {
		r = matrix_check(s, &st->m, st->last, st->next);
		st->next = (st->next + 1) % st->m.n;
	}
	return r;
}

static size_t rows_at_once(const struct state *st)
{
	size_t rows = CHECK_ELEMENTS / st->m.n;

	return rows ? rows : 1;
}

static bool is_due(const struct stress *s, const struct state *st, uint64_t now)
{
	return s->verify || st->check_ns * CHECK_SHARE <= now - st->begin_ns;
}

/* Checks rows, starting where the last check ended, as far as its share of the time
 * permits. */
static int check(struct stress *s, struct state *st, uint64_t now)
{
	size_t rows = rows_at_once(st);
	uint64_t then;
	int r = 0;

	spoil(s, st);
	for (size_t done = 0; done < st->m.n && r == 0 && is_due(s, st, now);
		done += rows) {
		if (stress_stopped(s))
			break;
		r = check_rows(s, st, rows);
		then = now;
		now = sm_clock_mono_ns();
		st->check_ns += now - then;
	}
	return r;
}

/* Checks all rows or, when the time is over, as many as possible in a short time. */
static int last_check(struct stress *s, struct state *st)
{
	uint64_t begin = sm_clock_mono_ns();
	size_t rows = rows_at_once(st);
	int r = 0;

	if (atomic_load_explicit(&s->slot->ops, memory_order_relaxed) == 0)
		return 0;
	for (size_t done = 0; done < st->m.n && r == 0; done += rows) {
		if (stress_stopped(s) && sm_clock_mono_ns() - begin > LAST_CHECK_NS)
			break;
		r = check_rows(s, st, rows);
	}
	return r;
}

/* ---- run ---- */

/* Returns the number of completed ops; if the last one was cut short, st->last shows
 * this. */
static uint64_t work(struct stress *s, struct state *st, enum matrix_method how)
{
	uint64_t done = 0, most = BATCH_ELEMENTS / (st->m.n * st->m.n);

	do {
		st->last = MATRIX_METHODS;
		if (!(s->value[YX] ? matrix_by_columns : matrix_by_rows)(&st->m, how))
			break;
		st->last = how;
		stress_add(s, 1);
	} while (++done < most && stress_goes_on(s));
	return done;
}

/* Runs a round: ops, and a check if one is due. */
static int round_of(struct stress *s, struct state *st, enum matrix_method how)
{
	uint64_t before = sm_clock_mono_ns(), done = work(s, st, how);
	uint64_t now = sm_clock_mono_ns();

	if (st->last == MATRIX_METHODS)
		return 0;
	st->ops[how] += done;
	st->ns[how] += now - before;
	stress_step(s, now, 0);
	return check(s, st, now);
}

static void report(struct stress *s, const struct state *st)
{
	double n = (double)st->m.n, flops = 2 * n * n * n, rate;
	double share = stress_share(s, 0);

	for (unsigned int i = 0; i < MATRIX_METHODS; i++) {
		if (st->ops[i] == 0 || st->ns[i] == 0)
			continue;
		rate = share * (double)st->ops[i] * 1e9 / (double)st->ns[i];
		stress_metric(s, i, rate);
		if (i == MATRIX_PROD)
			stress_metric(s, PROD_FLOPS, rate * flops / 1e9);
		if (i == MATRIX_SQUARE)
			stress_metric(s, SQUARE_FLOPS, rate * flops / 1e9);
	}
}

static int run(struct stress *s)
{
	bool all = s->value[METHOD] == 0;
	enum matrix_method how = all ? 0 : (enum matrix_method)(s->value[METHOD] - 1);
	struct state *st = s->data;
	int r = 0;

	st->begin_ns = sm_clock_mono_ns();
	while (r == 0 && stress_goes_on(s)) {
		r = round_of(s, st, how);
		if (all)
			how = (how + 1) % MATRIX_METHODS;
	}
	if (r == 0)
		r = last_check(s, st);
	report(s, st);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_matrix_man[] =
	"metric add: the rate of each method that ran, measured over the time in "
	"which it ran\n"
	"metric prod-flops: 10^9 floating point operations per second; one product "
	"needs 2n^3\n"
	"Checks take 2% of the time: rows are checked in turn, and at the end as "
	"many as can be checked in 10 ms.  With --verify, all rows are checked "
	"after each op.  All elements are small integers, so results are exact and "
	"equal on each CPU.\n"
	"--method: r is the result of a and b:\n"
	"--method add, sub: add or subtract the matrices\n"
	"--method hadamard, div: multiply or divide the elements\n"
	"--method mean: computes half of the sum\n"
	"--method mult: multiplies a by a number\n"
	"--method negate, copy, trans: negate, copy or transpose a\n"
	"--method prod, square: compute the products ab or aa\n"
	"--method frobenius: sums up the products of the elements\n"
	"--method identity, zero: write a constant matrix\n"
	"--method all: runs each of these in turn\n";

const struct stressor stressor_matrix = {
	.name = "matrix",
	.does = "compute with square matrices of single precision numbers",
	.op = "one method is applied to matrices of the given size",
	.checks = "the operands have the right row sums, and results equal those "
		  "computed in another way",
	.classes = CLASS_CPU | CLASS_CPU_CACHE | CLASS_MEMORY,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.setup = setup,
	.run = run,
};
