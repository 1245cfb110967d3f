// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of a buffer that is as large as a cache are read, compared and written,
 * each once per pass, in an order in which successive lines are far apart.  The
 * contents of a line follow from its place and the pass in which it was written.
 */
#include <sched.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "load/cpus.h"
#include "memory/area.h"
#include "memory/fault.h"
#include "proc/cpucache.h"

#define MB	   (UINT64_C(1) << 20)
#define LEVELS	   3u
#define LINE_WORDS 8u
#define OP_LINES   1024u
#define MOVE_OPS   64u
#define STRIDE	   UINT64_C(2654435761) /* a prime: no multiple of the number of lines */
#define KEY_LINE   UINT64_C(0x9e3779b97f4a7c15)
#define KEY_PASS   UINT64_C(0xbf58476d1ce4e5b9)

/* The values of instructions are also bit numbers. */
enum {
	FENCE,
	SFENCE,
	PREFETCH,
	FLUSH,
	CLFLUSHOPT,
	CLWB,
	CLDEMOTE,
	INSTRUCTIONS,
	ENABLE_ALL = INSTRUCTIONS,
	LEVEL,
	WAYS,
	SIZE,
	NO_AFFINITY,
};

static const struct stressor_opt opts[] = {
	[FENCE] = {"fence", STRESSOR_FLAG, NULL,
		"execute a full memory fence after each line", .max = 1},
	[SFENCE] = {"sfence", STRESSOR_FLAG, NULL,
		"execute a store fence after each line", .max = 1},
	[PREFETCH] = {"prefetch", STRESSOR_FLAG, NULL,
		"prefetch the next line before one is read", .max = 1},
	[FLUSH] = {"flush", STRESSOR_FLAG, NULL,
		"flush each written line from all caches", .max = 1},
	[CLFLUSHOPT] = {"clflushopt", STRESSOR_FLAG, NULL,
		"flush each written line with the instruction clflushopt", .max = 1},
	[CLWB] = {"clwb", STRESSOR_FLAG, NULL,
		"write each line back to memory with the instruction clwb", .max = 1},
	[CLDEMOTE] = {"cldemote", STRESSOR_FLAG, NULL,
		"move each line to a more distant cache with the instruction "
		"cldemote",
		.max = 1},
	[ENABLE_ALL] = {"enable-all", STRESSOR_FLAG, NULL,
		"enable all of the above that the processor supports", .max = 1},
	[LEVEL] = {"level", STRESSOR_COUNT, "N",
		"use the size of the cache of this level", .min = 1, .max = UINT32_MAX,
		.normal = LEVELS, .low = true, .most = LEVELS},
	[WAYS] = {"ways", STRESSOR_COUNT, "N",
		"use the size of N ways of the cache; 0: of all ways", .max = UINT32_MAX},
	[SIZE] = {"size", STRESSOR_SIZE, "SIZE", "limit the size of the buffer",
		.min = 4096, .max = UINT64_C(1) << 42, .normal = 64 * MB,
		.small = 64 * 1024, .large = 1024 * MB},
	[NO_AFFINITY] = {"no-affinity", STRESSOR_FLAG, NULL,
		"do not move from CPU to CPU", .max = 1},
	{0},
};

_Static_assert(SM_ARRAY_SIZE(opts) == NO_AFFINITY + 2, "an option without a row");

enum { RATE, PER_LINE };

static const struct stressor_metric metrics[] = {
	[RATE] = {"lines", "M/s", .mean = MEAN_RATE},
	[PER_LINE] = {"time per line", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per line"},
	{0},
};

struct line {
	_Alignas(64) uint64_t word[LINE_WORDS];
};

struct cache {
	struct line *lines;
	size_t n, step;	   /* number of lines; distance to the next one */
	size_t at, done;   /* the next line; number of lines done in this pass */
	uint64_t pass;	   /* pass in which the next line was written */
	unsigned int uses; /* bit set of instructions */
	cpu_set_t cpus;	   /* CPUs to which it moves; empty: it does not move */
	unsigned int cpu;
	uint64_t ops, ns;
};

/* --- instructions ------------------------------------------------------------------- */

#define BIT(i) (1u << (i))

#if defined(__x86_64__)

/* Intel SDM, CPUID, leaf 7. */
#define EBX_CLFLUSHOPT (1u << 23)
#define EBX_CLWB       (1u << 24)
#define ECX_CLDEMOTE   (1u << 25)

static unsigned int known_instructions(void)
{
	unsigned int a, b, c, d;
	unsigned int known = BIT(FENCE) | BIT(SFENCE) | BIT(PREFETCH) | BIT(FLUSH);

	if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
		return known;
	return known | (b & EBX_CLFLUSHOPT ? BIT(CLFLUSHOPT) : 0) |
	       (b & EBX_CLWB ? BIT(CLWB) : 0) | (c & ECX_CLDEMOTE ? BIT(CLDEMOTE) : 0);
}

static void after_store(struct line *p, unsigned int uses)
{
	if (uses & BIT(FLUSH))
		__asm__ volatile("clflush %0" : "+m"(*p));
	if (uses & BIT(CLFLUSHOPT))
		__asm__ volatile("clflushopt %0" : "+m"(*p));
	if (uses & BIT(CLWB))
		__asm__ volatile("clwb %0" : "+m"(*p));
	if (uses & BIT(CLDEMOTE))
		__asm__ volatile("cldemote %0" : "+m"(*p));
	if (uses & BIT(SFENCE))
		__asm__ volatile("sfence" : : : "memory");
	if (uses & BIT(FENCE))
		__asm__ volatile("mfence" : : : "memory");
}

#elif defined(__aarch64__)

static unsigned int known_instructions(void)
{
	return BIT(FENCE) | BIT(SFENCE) | BIT(PREFETCH) | BIT(FLUSH);
}

static void after_store(struct line *p, unsigned int uses)
{
	if (uses & BIT(FLUSH))
		__asm__ volatile("dc civac, %0" : : "r"(p) : "memory");
	if (uses & BIT(SFENCE))
		__asm__ volatile("dsb ishst" : : : "memory");
	if (uses & BIT(FENCE))
		__asm__ volatile("dsb ish" : : : "memory");
}

#else

static unsigned int known_instructions(void)
{
	return BIT(FENCE) | BIT(PREFETCH);
}

static void after_store(struct line *p, unsigned int uses)
{
	(void)p;
	if (uses & BIT(FENCE))
		atomic_thread_fence(memory_order_seq_cst);
}

#endif

static unsigned int choose_instructions(struct stress *s)
{
	unsigned int known = known_instructions(), wanted = 0;

	for (unsigned int i = 0; i < INSTRUCTIONS; i++)
		wanted |= s->value[i] ? BIT(i) : 0;
	for (unsigned int i = 0; i < INSTRUCTIONS; i++)
		if (wanted & ~known & BIT(i))
			stress_note(s,
				"--cache-%s is not used: this processor does not have "
				"the "
				"instruction",
				opts[i].name);
	return (s->value[ENABLE_ALL] ? UINT32_MAX : wanted) & known;
}

/* --- lines -------------------------------------------------------------------------- */

/* Returns the first word of a line; the other words count up from it. */
static uint64_t key_of(const struct stress *s, size_t at, uint64_t pass)
{
	return s->seed + at * KEY_LINE + pass * KEY_PASS;
}

static void fill(struct line *p, uint64_t key)
{
	for (unsigned int i = 0; i < LINE_WORDS; i++)
		p->word[i] = key + i;
}

static bool is_wrong(const struct line *p, uint64_t key)
{
	uint64_t any = 0;

	for (unsigned int i = 0; i < LINE_WORDS; i++)
		any |= p->word[i] ^ (key + i);
	return any;
}

static int wrong(struct stress *s, size_t at, uint64_t key)
{
	const struct cache *t = s->data;
	const uint64_t *p = t->lines[at].word;
	unsigned int i = 0;

	while (i + 1 < LINE_WORDS && p[i] == key + i)
		i++;
	return fault_word(
		s, "", (at * LINE_WORDS + i) * sizeof(*p), p + i, p[i], key + i);
}

static size_t next_of(const struct cache *t, size_t at)
{
	size_t left = t->n - at;

	return t->step < left ? at + t->step : t->step - left;
}

static int use_line(struct stress *s, struct cache *t)
{
	struct line *p = &t->lines[t->at];
	size_t next = next_of(t, t->at);
	uint64_t key = key_of(s, t->at, t->pass);

	if (t->uses & BIT(PREFETCH))
		__builtin_prefetch(&t->lines[next], 1);
	if (is_wrong(p, key))
		return wrong(s, t->at, key);
	fill(p, key + KEY_PASS);
	after_store(p, t->uses);
	t->at = next;
	if (++t->done == t->n) {
		t->done = 0;
		t->pass++;
	}
	return 0;
}

static int one_op(struct stress *s, struct cache *t)
{
	uint64_t begin_ns = sm_clock_mono_ns();
	int r = 0;

	if (s->spoil && t->ops == 2)
		t->lines[t->at].word[LINE_WORDS / 2] ^= 1;
	for (unsigned int i = 0; i < OP_LINES && !r; i++)
		r = use_line(s, t);
	t->ns += sm_clock_mono_ns() - begin_ns;
	t->ops++;
	return r;
}

/* Moves to the next CPU.  If a CPU may no longer be used, moves end. */
static void move(struct stress *s, struct cache *t)
{
	int r;

	do {
		t->cpu = (t->cpu + 1) % CPU_SETSIZE;
	} while (!CPU_ISSET(t->cpu, &t->cpus));
	r = sm_cpus_pin(t->cpu);
	if (r == 0)
		return;
	stress_note(s, "not moved to CPU %u: %s", t->cpu, strerror(-r));
	CPU_ZERO(&t->cpus);
}

static void report(struct stress *s, const struct cache *t)
{
	uint64_t now = sm_clock_mono_ns();

	if (now > s->go_ns)
		stress_metric(s, RATE,
			(double)t->ops * OP_LINES * 1e3 / (double)(now - s->go_ns));
	if (t->ops)
		stress_metric(s, PER_LINE, (double)t->ns / ((double)t->ops * OP_LINES));
}

static int run(struct stress *s)
{
	struct cache *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		if (t->ops % MOVE_OPS == 0 && CPU_COUNT(&t->cpus) > 1)
			move(s, t);
		r = one_op(s, t);
		if (r == 0)
			stress_add(s, 1);
	}
	report(s, t);
	return r;
}

/* --- setup -------------------------------------------------------------------------- */

/* Returns the size of the cache of that level or the next lower existing one; 0 if none
 * is known. */
static uint64_t cache_bytes(const struct stress *s, const struct sm_root *root)
{
	uint64_t bytes = 0, ways = 0, use = s->value[WAYS];
	unsigned int level = (unsigned int)s->value[LEVEL];

	while (level && sm_cpucache_bytes(root, 0, level, &bytes) < 0)
		level--;
	if (level && use && sm_cpucache_ways(root, 0, level, &ways) == 0 && use < ways)
		bytes = bytes / ways * use;
	return bytes;
}

static uint64_t buffer_bytes(const struct stress *s)
{
	struct sm_root root = SM_ROOT_INIT;
	uint64_t bytes = 0, most = s->value[SIZE];

	if (sm_root_open(&root, NULL) == 0)
		bytes = cache_bytes(s, &root);
	sm_root_close(&root);
	return bytes && bytes < most ? bytes : most;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[SIZE];
}

static void fill_all(const struct stress *s, struct cache *t)
{
	for (size_t i = 0; i < t->n && (i % OP_LINES || !stress_stopped(s)); i++)
		fill(&t->lines[i], key_of(s, i, 0));
}

static int setup(struct stress *s)
{
	struct cache *t = s->data;
	size_t bytes = buffer_bytes(s) / MEMORY_PAGE * MEMORY_PAGE;

	t->n = bytes / sizeof(struct line);
	t->step = STRIDE % t->n;
	t->uses = choose_instructions(s);
	t->cpu = s->instance % CPU_SETSIZE;
	if (s->value[NO_AFFINITY] || sched_getaffinity(0, sizeof(t->cpus), &t->cpus) < 0)
		CPU_ZERO(&t->cpus);
	t->lines = stress_map(s, bytes, 0);
	if (!t->lines)
		return -1;
	fill_all(s, t);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_cache_man[] =
	"metric lines: 1 M/s is 10^6 lines per second\n"
	"metric time per line: one line of 64 bytes is read, compared and written\n"
	"--level: If there is no such cache, the next lower level is used.\n"
	"--size: If the size of the cache is unknown, the buffer has this size.\n"
	"Each instance has its own buffer.  After every 64 ops it moves to the "
	"next CPU, unless --cache-no-affinity is given; the buffer is then loaded "
	"from the caches of the previous CPU.  If the processor does not support a "
	"requested instruction, the instruction is not used, and the result "
	"reports this.\n";

const struct stressor stressor_cache = {
	.name = "cache",
	.letter = 'C',
	.does = "read and write the lines of a buffer that is as large as a cache",
	.op = "1024 lines are read, compared and written",
	.checks = "each line has the contents that were written to it",
	.classes = CLASS_CPU_CACHE,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct cache),
	.setup = setup,
	.run = run,
};
