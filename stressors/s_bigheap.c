// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A heap is one block of memory that realloc(3) enlarges until it has --bigheap-bytes.
 * The first word of each of its pages contains the number of the page in the heap,
 * since each call may move the heap to another address.
 */
#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>

#include "memory/area.h"
#include "memory/fault.h"
#include "run/stress.h"

#define KB	   UINT64_C(1024)
#define MB	   (1024 * KB)
#define PAGE_WORDS (MEMORY_PAGE / sizeof(uint64_t))
/* glibc returns freed memory of this size to the kernel, and enlarges it with mremap(2).
 * Its default limit rises with the size of freed blocks. */
#define MMAP_BYTES (64 * 1024)
/* Number of pages checked after a move, other ones each time. */
#define LOOKS 64u
/* Number of pages written or checked before the end of the time is checked. */
#define PAGES_AT_ONCE 256u

enum { BYTES, GROWTH };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "grow each heap to this size",
		.min = 64 * KB, .max = (uint64_t)1 << 42, .normal = 256 * MB,
		.small = 4 * MB, .large = 4096 * MB},
	[GROWTH] = {"growth", STRESSOR_SIZE, "SIZE",
		"grow the heap by this size with each call", .min = 4 * KB,
		.max = 64 * MB, .normal = 64 * KB, .small = 4 * KB, .large = 64 * MB},
	{0},
};

enum { PER_CALL, LARGEST, MOVES };

static const struct stressor_metric metrics[] = {
	[PER_CALL] = {"time per realloc", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per realloc"},
	[LARGEST] = {"largest heap", "MB", .mean = MEAN_MAX},
	[MOVES] = {"moves", "%", .mean = MEAN_ARITHMETIC},
	{0},
};

struct state {
	uint64_t *p; /* the heap, or NULL */
	size_t pages,
		most;	/* pages that contain their number; pages of a complete heap */
	size_t largest; /* in pages */
	uint64_t heaps, looked;
	uint64_t calls, ns, moves;
};

static uint64_t number(const struct stress *s, const struct state *t, size_t page)
{
	return (s->seed + t->heaps + page) * UINT64_C(0x9e3779b97f4a7c15);
}

static bool is_pause(const struct stress *s, size_t page)
{
	return page % PAGES_AT_ONCE == 0 && stress_stopped(s);
}

/* --- checks ------------------------------------------------------------------------- */

static int check_page(struct stress *s, const struct state *t, size_t page)
{
	const uint64_t *p = t->p + page * PAGE_WORDS;

	if (*p == number(s, t, page))
		return 0;
	return fault_word(s, "heap: ", page * MEMORY_PAGE, p, *p, number(s, t, page));
}

static int check_all(struct stress *s, const struct state *t)
{
	int r = 0;

	for (size_t i = 0; i < t->pages && !r && !is_pause(s, i); i++)
		r = check_page(s, t, i);
	return r;
}

/* Checks some pages at equal distances. */
static int look(struct stress *s, struct state *t)
{
	size_t distance = t->pages / LOOKS + 1;
	int r = 0;

	for (size_t i = t->looked++ % distance; i < t->pages && !r; i += distance)
		r = check_page(s, t, i);
	return r;
}

static int check_move(struct stress *s, struct state *t, bool moved)
{
	if (t->pages && check_page(s, t, t->pages - 1))
		return -1;
	if (!moved)
		return 0;
	t->moves++;
	return s->verify ? check_all(s, t) : look(s, t);
}

/* --- the heap ----------------------------------------------------------------------- */

/* Returns 0 if there is not enough memory; the heap is then unchanged. */
static int enlarge(struct stress *s, struct state *t, size_t pages)
{
	uintptr_t was = (uintptr_t)t->p;
	uint64_t begin_ns = sm_clock_mono_ns();
	void *p = realloc(t->p, pages * MEMORY_PAGE);

	if (!p)
		return 0;
	t->ns += sm_clock_mono_ns() - begin_ns;
	t->calls++;
	t->p = p;
	return check_move(s, t, was && (uintptr_t)p != was) ? -1 : 1;
}

/* Returns false if the run ends. */
static bool fill(const struct stress *s, struct state *t, size_t pages)
{
	for (; t->pages < pages; t->pages++) {
		if (is_pause(s, t->pages))
			return false;
		t->p[t->pages * PAGE_WORDS] = number(s, t, t->pages);
	}
	if (t->largest < pages)
		t->largest = pages;
	return true;
}

/* Returns 0 if the heap does not grow further. */
static int grow(struct stress *s, struct state *t)
{
	size_t growth = s->value[GROWTH] / MEMORY_PAGE, left = t->most - t->pages;
	size_t pages = t->pages + (growth < left ? growth : left);
	int r = left ? enlarge(s, t, pages) : 0;

	if (r > 0 && fill(s, t, pages))
		stress_add(s, 1);
	return r;
}

static void release(struct state *t)
{
	free(t->p);
	t->p = NULL;
	t->pages = 0;
}

static int one_heap(struct stress *s, struct state *t)
{
	int r = 1;

	t->heaps++;
	while (r > 0 && stress_goes_on(s))
		r = grow(s, t);
	if (r == 0 && !t->p)
		return stress_lacks(
			s, "no memory for the first %" PRIu64 " bytes", s->value[GROWTH]);
	if (s->spoil && t->pages)
		t->p[t->pages / 2 * PAGE_WORDS] ^= 1;
	if (r >= 0)
		r = check_all(s, t);
	release(t);
	return r;
}

static void report(struct stress *s, const struct state *t)
{
	if (!t->calls)
		return;
	stress_metric(s, PER_CALL, (double)t->ns / (double)t->calls);
	stress_metric(s, LARGEST, (double)t->largest * MEMORY_PAGE / (double)MB);
	stress_metric(s, MOVES, 100 * (double)t->moves / (double)t->calls);
}

static int run(struct stress *s)
{
	struct state *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_heap(s, t);
	report(s, t);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[BYTES];
}

static int setup(struct stress *s)
{
	struct state *t = s->data;

#ifdef M_MMAP_THRESHOLD
	(void)mallopt(M_MMAP_THRESHOLD, MMAP_BYTES);
#endif
	t->most = s->value[BYTES] / MEMORY_PAGE;
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_bigheap_man[] =
	"metric moves: calls of realloc(3) that moved the heap to another address\n"
	"When the heap has reached --bigheap-bytes, or memory runs out "
	"(which is not a failure), the whole heap is checked and freed, and a new "
	"one is started.  After a move, 64 pages of the heap are checked; with "
	"--verify, all of them.\n";

const struct stressor stressor_bigheap = {
	.name = "bigheap",
	.letter = 'B',
	.does = "grow a heap with realloc(3) to its limit, again and again",
	.op = "one call of realloc(3); a number is written to each new page",
	.checks = "the numbers are intact: in some pages after a move, in all pages "
		  "when the heap is complete",
	.pagemap = true,
	.classes = CLASS_VM | CLASS_MEMORY | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
