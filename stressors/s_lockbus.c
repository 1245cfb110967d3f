// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads add to the same words with atomic operations, word by word in a cache line,
 * so that the lines move from CPU to CPU.  After a tenth of a second, the threads exit,
 * and the sum of all words is compared with the number of additions.
 *
 * No word crosses the end of a line: a lock on such a word stops all CPUs of a machine,
 * and the kernel slows the process down or kills it (split_lock_detect).
 */

#include "run/team.h"

enum { NO_SPLIT };

static const struct stressor_opt opts[] = {
	[NO_SPLIT] = {"nosplit", STRESSOR_FLAG, NULL,
		"use no words that cross a cache line boundary; always in effect",
		.max = 1},
	{0},
};

enum { ADDITIONS, PER_ADDITION };

static const struct stressor_metric metrics[] = {
	[ADDITIONS] = {"locked additions", "M/s", .mean = MEAN_RATE,
		.headline = "million locked additions/s"},
	[PER_ADDITION] = {"time per addition", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

#define THREADS	   2u
#define LINE_BYTES 64u
#define AREA_BYTES (UINT64_C(4) << 20)
#define LINES	   (AREA_BYTES / LINE_BYTES)
#define OP_LINES   32u /* random lines per op, in addition to the first line */
#define ROUND_NS   (100 * SM_NSEC_PER_MSEC)

typedef _Atomic unsigned long word;
#define LINE_WORDS (LINE_BYTES / sizeof(word))
#define WORDS	   (LINES * LINE_WORDS)

/* State of one thread. */
struct own {
	_Alignas(LINE_BYTES) uint64_t added; /* number of additions to all words */
	uint64_t ops, ns, state;
};

struct lockbus {
	word *area;
	struct own own[THREADS];
};

/* Adds 1 to each word, in turn with both kinds of atomic operations. */
static void add_to_line(word *line)
{
	for (unsigned int i = 0; i < LINE_WORDS; i += 2) {
		unsigned long v =
			atomic_load_explicit(&line[i + 1], memory_order_relaxed);

		atomic_fetch_add(&line[i], 1);
		while (!atomic_compare_exchange_weak(&line[i + 1], &v, v + 1))
			;
	}
}

/* Uses random lines, each followed by the first line, which is the most contended one. */
static void one_op(struct lockbus *b, struct own *own)
{
	uint64_t begin_ns = sm_clock_mono_ns();

	for (unsigned int i = 0; i < OP_LINES; i++) {
		uint64_t line = stress_random(&own->state) % LINES;

		add_to_line(b->area + line * LINE_WORDS);
		add_to_line(b->area);
	}
	own->ns += sm_clock_mono_ns() - begin_ns;
	own->added += UINT64_C(2) * OP_LINES * LINE_WORDS;
	own->ops++;
}

static int work(struct stress *s, unsigned int number, void *data)
{
	struct lockbus *b = data;
	struct own *own = &b->own[number];
	uint64_t end_ns = sm_clock_mono_ns() + ROUND_NS;

	while (stress_goes_on(s) && sm_clock_mono_ns() < end_ns) {
		one_op(b, own);
		if (s->spoil && number == 0 && own->ops == 2)
			atomic_fetch_add(&b->area[0], 1);
		stress_add(s, 1);
	}
	return 0;
}

static int check(struct stress *s, const struct lockbus *b)
{
	unsigned long sum = 0, added = 0;

	for (size_t i = 0; i < WORDS; i++)
		sum += atomic_load_explicit(&b->area[i], memory_order_relaxed);
	for (unsigned int i = 0; i < THREADS; i++)
		added += (unsigned long)b->own[i].added;
	if (sum == added)
		return 0;
	return stress_fail(s, "the sum of all words is %lu instead of %lu", sum, added);
}

static void report(struct stress *s, const struct lockbus *b)
{
	uint64_t now = sm_clock_mono_ns(), added = 0, ns = 0;

	for (unsigned int i = 0; i < THREADS; i++) {
		added += b->own[i].added;
		ns += b->own[i].ns;
	}
	if (now > s->go_ns)
		stress_metric(
			s, ADDITIONS, (double)added * 1e3 / (double)(now - s->go_ns));
	if (added)
		stress_metric(s, PER_ADDITION, (double)ns / (double)added);
}

static int run(struct stress *s)
{
	struct lockbus *b = s->data;
	const struct team_plan plan = {TEAM_THREADS, THREADS, work, b};
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		r = team_run(s, &plan);
		if (r == 0)
			r = check(s, b);
	}
	report(s, b);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	(void)s;
	return AREA_BYTES;
}

static double cpus(const struct stress *s)
{
	(void)s;
	return THREADS;
}

static int setup(struct stress *s)
{
	struct lockbus *b = s->data;

	b->area = stress_map(s, AREA_BYTES, 0);
	if (!b->area)
		return -1;
	for (unsigned int i = 0; i < THREADS; i++)
		b->own[i].state = s->seed + i;
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_lockbus_man[] =
	"metric time per addition: includes the wait for the cache line; 1 M/s is "
	"10^6 additions per second\n"
	"An instance has two threads and 4 MB of memory.  Half of the additions go "
	"to eight words in one cache line, the others to random lines; every "
	"second addition is a compare-and-swap.\n"
	"No locked access crosses a cache line boundary, as with --lockbus-nosplit "
	"in stress-ng: such an access would stall all other CPUs, and the kernel "
	"may slow the process down or kill it (split_lock_detect).\n";

const struct stressor stressor_lockbus = {
	.name = "lockbus",
	.does = "add to words in shared cache lines with locked instructions",
	.op = "each word of 32 random cache lines is incremented once, and each "
	      "word of one cache line 32 times",
	.checks = "ten times a second, the sum of all words equals the number of "
		  "additions",
	.classes = CLASS_CPU_CACHE | CLASS_MEMORY,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.cpus = cpus,
	.state = sizeof(struct lockbus),
	.setup = setup,
	.run = run,
};
