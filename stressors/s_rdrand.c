// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random numbers of the processor: RDRAND and RDSEED of x86.  Each instruction reports
 * whether it returned a number; it is repeated until it does.
 *
 * Two successive equal 64-bit numbers do not occur by chance, nor does a number with
 * all bits set, which some processors return after a suspend.
 */

#include "run/stress.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

enum { SEED };

static const struct stressor_opt opts[] = {
	[SEED] = {"seed", STRESSOR_FLAG, NULL, "use RDSEED instead of RDRAND", .max = 1},
	{0},
};

enum { BITS, RETRIES };

static const struct stressor_metric metrics[] = {
	[BITS] = {"random bits", "Mbit/s", .mean = MEAN_RATE, .headline = "Mbit/s"},
	[RETRIES] = {"retries", "", .mean = MEAN_SUM},
	{0},
};

#define OP_NUMBERS 32u	     /* 2048 bits */
#define TRIES_MAX  10000000u /* tries without a number: more than a second */

typedef bool draw_function(uint64_t *number); /* returns false if there was no number */

struct source {
	draw_function *draw;
	const char *name;
	uint64_t last, drawn, retries;
};

#ifdef __x86_64__
#define LEAF_FEATURES	   1u
#define LEAF_MORE_FEATURES 7u
#define HAS_RDRAND	   (1u << 30) /* ecx */
#define HAS_RDSEED	   (1u << 18) /* ebx */

static bool has_rdrand(void)
{
	unsigned int a, b, c = 0, d;

	return __get_cpuid(LEAF_FEATURES, &a, &b, &c, &d) && c & HAS_RDRAND;
}

static bool has_rdseed(void)
{
	unsigned int a, b = 0, c, d;

	return __get_cpuid_count(LEAF_MORE_FEATURES, 0, &a, &b, &c, &d) && b & HAS_RDSEED;
}

static bool rdrand(uint64_t *number)
{
	bool ok;

	__asm__ volatile("rdrand %0" : "=r"(*number), "=@ccc"(ok));
	return ok;
}

static bool rdseed(uint64_t *number)
{
	bool ok;

	__asm__ volatile("rdseed %0" : "=r"(*number), "=@ccc"(ok));
	return ok;
}

static const struct source rdrand_source = {.draw = rdrand, .name = "RDRAND"},
			   rdseed_source = {.draw = rdseed, .name = "RDSEED"};

/* Returns NULL if this machine does not support the instruction. */
static const struct source *find_source(const struct stress *s)
{
	if (s->value[SEED])
		return has_rdseed() ? &rdseed_source : NULL;
	return has_rdrand() ? &rdrand_source : NULL;
}
#else
static const struct source *find_source(const struct stress *s)
{
	(void)s;
	return NULL;
}
#endif

/* Returns 1 if the time is over. */
static int draw(struct stress *s, struct source *src, uint64_t *number)
{
	for (unsigned int i = 0; i < TRIES_MAX; i++) {
		if (src->draw(number))
			return 0;
		if (stress_stopped(s))
			return 1;
		src->retries++;
	}
	return stress_fail(s, "%s had no number in %u tries", src->name, TRIES_MAX);
}

static int draw_and_check(struct stress *s, struct source *src)
{
	uint64_t number;
	int r = draw(s, src, &number);

	if (r)
		return r;
	if (s->spoil && src->drawn == 2)
		number = src->last;
	if (number == UINT64_MAX || (src->drawn && number == src->last))
		return stress_fail(s,
			"number %llu of %s is %#llx, which equals the previous one or "
			"has "
			"all bits set",
			(unsigned long long)src->drawn, src->name,
			(unsigned long long)number);
	src->last = number;
	src->drawn++;
	return 0;
}

static int one_op(struct stress *s, struct source *src)
{
	int r = 0;

	for (unsigned int i = 0; i < OP_NUMBERS && !r; i++)
		r = draw_and_check(s, src);
	if (!r)
		stress_add(s, 1);
	return r;
}

static int run(struct stress *s)
{
	struct source *src = s->data;
	uint64_t now;
	int r = 0;

	while (!r && stress_goes_on(s))
		r = one_op(s, src);
	now = sm_clock_mono_ns();
	if (now > s->go_ns)
		stress_metric(s, BITS,
			(double)src->drawn * 64 * 1e3 / (double)(now - s->go_ns));
	stress_metric(s, RETRIES, (double)src->retries);
	return r < 0 ? r : 0;
}

static const char *probe(const struct stress *s)
{
	if (find_source(s))
		return NULL;
	return s->value[SEED] ? "this CPU has no RDSEED" : "this CPU has no RDRAND";
}

static int setup(struct stress *s)
{
	const struct source *found = find_source(s);
	struct source *src = s->data;

	if (!found)
		return stress_skip(s, "%s", probe(s));
	*src = *found;
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_rdrand_man[] =
	"metric random bits: 1 Mbit/s is 10^6 bits per second\n"
	"metric retries: instructions that returned no number\n"
	"--seed: RDSEED reads the entropy source itself, which is slower.\n";

const struct stressor stressor_rdrand = {
	.name = "rdrand",
	.does = "read random numbers from the processor",
	.op = "2048 random bits",
	.checks = "no number equals the previous one or has all bits set, and a "
		  "number arrives within ten million tries",
	.needs = "RDRAND or RDSEED (x86 processors)",
	.classes = CLASS_CPU,
	.opts = opts,
	.metrics = metrics,
	.probe = probe,
	.state = sizeof(struct source),
	.setup = setup,
	.run = run,
};
