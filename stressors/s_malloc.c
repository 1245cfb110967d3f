// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A slot is chosen at random.  An empty slot gets a block from one of the malloc(3)
 * functions; the block of a used slot is freed or resized.  About half of the slots are
 * therefore in use, on average with half of the largest size; no more memory than that
 * is allocated.
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "device/mem.h"
#include "memory/area.h"
#include "run/team.h"

#define KB	      UINT64_C(1024)
#define MB	      (1024 * KB)
#define THREADS	      32u
#define SLOTS_MAX     (256 * KB)
#define ZERO_BYTES    (64 * KB) /* bytes at both ends that must be zero */
#define ALIGN_LEAST   16u
#define ALIGN_KINDS   8u
#define TRIM_EVERY    4096u /* in allocations */
#define TIMED_EVERY   8u    /* in allocations; reading the clock takes as long as one */
#define PAGES_AT_ONCE 256u
/* The allocator holds at most this many quarters of the allocated memory. */
#define HEAP_QUARTERS 6u

enum { BYTES, MOST, PTHREADS, THRESH, TOUCH, TRIM, ZEROFREE };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "limit the size of a block", .min = KB,
		.max = UINT64_C(1) << 42, .normal = 64 * KB, .small = KB, .large = MB},
	[MOST] = {"max", STRESSOR_COUNT, "N", "use N slots for blocks", .min = 32,
		.max = SLOTS_MAX, .normal = 8192, .small = 256, .large = 65536},
	[PTHREADS] = {"pthreads", STRESSOR_COUNT, "N",
		"use N threads, each with its own slots; 0: no threads", .max = THREADS,
		.large = 4},
	[THRESH] = {"thresh", STRESSOR_SIZE, "SIZE",
		"use a separate mapping for blocks of at least this size; 0: the C "
		"library decides",
		.max = UINT64_C(1) << 40, .size = STRESSOR_OF_A_CALL},
	[TOUCH] = {"touch", STRESSOR_FLAG, NULL, "write to each page of a block",
		.max = 1},
	[TRIM] = {"trim", STRESSOR_FLAG, NULL,
		"return free memory to the kernel from time to time", .max = 1},
	[ZEROFREE] = {"zerofree", STRESSOR_FLAG, NULL,
		"fill a block with zeros before it is freed", .max = 1},
	{0},
};

enum { RATE, PER_CALL };

static const struct stressor_metric metrics[] = {
	[RATE] = {"allocations", "/s", .mean = MEAN_RATE},
	[PER_CALL] = {"time per allocation", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per allocation"},
	{0},
};

struct block {
	char *p; /* NULL: the slot is empty */
	size_t bytes;
	unsigned char mark;
};

/* State of one thread. */
struct worker {
	_Alignas(64) struct block *slot;
	uint64_t held, may_hold; /* bytes */
	uint64_t random, used, done, timed, ns;
};

struct state {
	struct worker worker[THREADS];
	unsigned int threads;
};

/* --- marks -------------------------------------------------------------------------- */

enum access { PUT, CHECK };

/* Most bytes of a mark. */
#define MARK_BYTES 8u

static bool mark(const struct block *b, size_t at, size_t n, enum access access)
{
	unsigned char bytes[MARK_BYTES];

	memset(bytes, b->mark, n);
	if (access == CHECK)
		return memcmp(b->p + at, bytes, n) == 0;
	memcpy(b->p + at, bytes, n);
	return true;
}

/* Writes or checks the marks: at the start, in each page if requested, and at the end. */
static bool marks(const struct stress *s, const struct block *b, enum access access)
{
	size_t n = b->bytes < MARK_BYTES ? b->bytes : MARK_BYTES;
	size_t step = s->value[TOUCH] ? MEMORY_PAGE : b->bytes;
	bool right = true;

	for (size_t at = 0; at + n <= b->bytes && right; at += step) {
		right = mark(b, at, n, access);
		if (at % (PAGES_AT_ONCE * MEMORY_PAGE) == 0 && stress_stopped(s))
			return right;
	}
	return right && mark(b, b->bytes - n, n, access);
}

static int check(struct stress *s, const struct block *b, const char *when)
{
	if (marks(s, b, CHECK))
		return 0;
	return stress_fail(s, "a block of %zu bytes has changed, %s", b->bytes, when);
}

/* Checks memory from calloc(3). */
static bool is_zero(const char *p, size_t bytes)
{
	size_t n = bytes < ZERO_BYTES ? bytes : ZERO_BYTES;

	return mem_is_zero(p, n) && mem_is_zero(p + bytes - n, n);
}

/* --- allocation --------------------------------------------------------------------- */

/* The last two get an alignment. */
enum kind { MALLOC, CALLOC, POSIX_MEMALIGN, ALIGNED_ALLOC, KINDS };

static void *allocate(enum kind kind, size_t bytes, size_t align)
{
	void *p = NULL;

	switch (kind) {
	case CALLOC:
		return calloc(1, bytes);
	case POSIX_MEMALIGN:
		return posix_memalign(&p, align, bytes) == 0 ? p : NULL;
	case ALIGNED_ALLOC:
		return aligned_alloc(align, bytes);
	default:
		return malloc(bytes);
	}
}

/* Counts a block.  Lack of memory is not a failure if there are other blocks. */
static int take(
	struct stress *s, struct worker *w, struct block *b, void *p, size_t bytes)
{
	if (!p)
		return w->used ? 0 : stress_lacks(s, "no memory for %zu bytes", bytes);
	w->held += bytes - b->bytes;
	*b = (struct block){p, bytes, (unsigned char)(1 + w->done++ % UINT8_MAX)};
	(void)marks(s, b, PUT);
	if (s->spoil && w->done > TRIM_EVERY / 2)
		*b->p ^= 1;
	stress_add(s, 1);
	return 0;
}

static size_t choose_size(const struct stress *s, struct worker *w)
{
	return 1 + (size_t)(stress_random(&w->random) % s->value[BYTES]);
}

static int make(struct stress *s, struct worker *w, struct block *b)
{
	uint64_t random = stress_random(&w->random);
	enum kind kind = (enum kind)(random % KINDS);
	size_t align = (size_t)ALIGN_LEAST << (random / KINDS % ALIGN_KINDS);
	size_t bytes = choose_size(s, w);
	uint64_t begin_ns = 0;

	if (kind == ALIGNED_ALLOC)
		bytes = (bytes + align - 1) / align * align;
	if (w->held + bytes > w->may_hold)
		return 0;
	if (w->done % TIMED_EVERY == 0)
		begin_ns = sm_clock_mono_ns();
	b->p = allocate(kind, bytes, align);
	if (begin_ns) {
		w->ns += sm_clock_mono_ns() - begin_ns;
		w->timed++;
	}
	if (b->p && kind == CALLOC && !is_zero(b->p, bytes))
		return stress_fail(s, "%zu bytes of calloc are not zero", bytes);
	if (kind >= POSIX_MEMALIGN && (uintptr_t)b->p % align)
		return stress_fail(s, "a block at %p, which is not a multiple of %zu",
			(void *)b->p, align);
	w->used += b->p != NULL;
	return take(s, w, b, b->p, bytes);
}

static int release(struct stress *s, struct worker *w, struct block *b)
{
	int r = check(s, b, "before it is freed");

	if (r)
		return r;
	if (s->value[ZEROFREE])
		explicit_bzero(b->p, b->bytes);
	free(b->p);
	w->held -= b->bytes;
	w->used--;
	*b = (struct block){0};
	return 0;
}

static int resize(struct stress *s, struct worker *w, struct block *b)
{
	size_t bytes = choose_size(s, w);
	struct block kept = *b;
	void *p;
	int r = check(s, b, "before realloc");

	if (r || w->held - b->bytes + bytes > w->may_hold)
		return r;
	p = realloc(b->p, bytes);
	if (!p)
		return 0;
	kept.p = p;
	if (bytes < kept.bytes)
		kept.bytes = bytes < MARK_BYTES ? bytes : MARK_BYTES;
	r = check(s, &kept, "after realloc");
	return r ? r : take(s, w, b, p, bytes);
}

static int one_step(struct stress *s, struct worker *w)
{
	uint64_t random = stress_random(&w->random);
	struct block *b = &w->slot[random % s->value[MOST]];

	if (!b->p)
		return make(s, w, b);
	return random >> 32 & 1 ? resize(s, w, b) : release(s, w, b);
}

static void trim(const struct stress *s, const struct worker *w)
{
#ifdef __GLIBC__
	if (s->value[TRIM] && w->done % TRIM_EVERY == 0)
		(void)malloc_trim(0);
#else
	(void)s, (void)w;
#endif
}

static int work(struct stress *s, unsigned int number, void *data)
{
	struct state *t = data;
	struct worker *w = &t->worker[number];
	int r = 0;

	w->random = s->seed;
	while (r == 0 && stress_goes_on(s)) {
		r = one_step(s, w);
		trim(s, w);
	}
	return r;
}

/* --- the stressor ------------------------------------------------------------------- */

static void report(struct stress *s, const struct state *t)
{
	uint64_t now = sm_clock_mono_ns(), done = 0, timed = 0, ns = 0;

	for (unsigned int i = 0; i < t->threads; i++) {
		done += t->worker[i].done;
		timed += t->worker[i].timed;
		ns += t->worker[i].ns;
	}
	if (now > s->go_ns)
		stress_metric(s, RATE, (double)done * 1e9 / (double)(now - s->go_ns));
	if (timed)
		stress_metric(s, PER_CALL, (double)ns / (double)timed);
}

static int run(struct stress *s)
{
	struct state *t = s->data;
	const struct team_plan plan = {TEAM_THREADS, t->threads, work, t};
	int r = s->value[PTHREADS] ? team_run(s, &plan) : work(s, 0, t);

	report(s, t);
	return r;
}

static unsigned int threads_of(const struct stress *s)
{
	return s->value[PTHREADS] ? (unsigned int)s->value[PTHREADS] : 1;
}

static uint64_t may_hold(const struct stress *s)
{
	return s->value[MOST] * s->value[BYTES] / 4 + s->value[BYTES];
}

static uint64_t memory(const struct stress *s)
{
	return threads_of(s) *
	       (may_hold(s) / 4 * HEAP_QUARTERS + s->value[MOST] * sizeof(struct block));
}

static double cpus(const struct stress *s)
{
	return threads_of(s);
}

static void set_threshold(struct stress *s)
{
#ifdef M_MMAP_THRESHOLD
	uint64_t bytes = s->value[THRESH];

	if (bytes && (bytes > INT32_MAX || !mallopt(M_MMAP_THRESHOLD, (int)bytes)))
		stress_note(s, "the C library does not support --malloc-thresh");
#else
	if (s->value[THRESH])
		stress_note(s, "the C library does not support --malloc-thresh");
#endif
}

static int setup(struct stress *s)
{
	struct state *t = s->data;

	set_threshold(s);
	t->threads = threads_of(s);
	for (unsigned int i = 0; i < t->threads; i++) {
		struct worker *w = &t->worker[i];

		w->may_hold = may_hold(s);
		w->slot = stress_map(s, s->value[MOST] * sizeof(*w->slot), 0);
		if (!w->slot)
			return -1;
	}
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_malloc_man[] =
	"metric time per allocation: measured for one in eight calls, except those "
	"of realloc(3)\n"
	"--max: About half of the slots contain a block.\n"
	"--pthreads: With threads, the instance itself does not allocate.\n"
	"--trim: malloc_trim(3) is called after every 4096 allocations; glibc only.\n"
	"Blocks are allocated randomly with malloc(3), calloc(3), "
	"posix_memalign(3) and aligned_alloc(3), with sizes from 1 byte to "
	"--malloc-bytes.  A block has a mark at its start and at its end and, with "
	"--malloc-touch, in each of its pages.  If there is not enough memory for "
	"a block, other blocks are freed.\n";

const struct stressor stressor_malloc = {
	.name = "malloc",
	.does = "allocate, resize and free memory blocks of random sizes",
	.op = "one block is allocated or resized",
	.checks = "marks in a block are intact before it is resized or freed and "
		  "after it is resized, the alignment is right, and memory from "
		  "calloc(3) is zero",
	.classes = CLASS_CPU_CACHE | CLASS_MEMORY | CLASS_VM | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.cpus = cpus,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
