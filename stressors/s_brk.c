// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The break moves up page by page to the limit, then down again.  A round starts and
 * ends where the C library has set the break.  The library does not move it in the
 * meantime, because nothing is allocated in a round.  The system call is used directly,
 * since brk(3) of musl always fails.
 */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "memory/area.h"
#include "memory/fault.h"
#include "run/stress.h"

#define KB UINT64_C(1024)
#define MB (1024 * KB)

enum { BYTES, MLOCK, NOTOUCH };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "move the break by at most this size",
		.min = 64 * KB, .max = (uint64_t)1 << 42, .normal = 64 * MB,
		.small = 1 * MB, .large = 1024 * MB},
	[MLOCK] = {"mlock", STRESSOR_FLAG, NULL, "lock all new pages in memory",
		.max = 1},
	[NOTOUCH] = {"notouch", STRESSOR_FLAG, NULL,
		"do not touch the new pages; only the position of the break is "
		"then checked",
		.max = 1},
	{0},
};

enum { PER_GROWTH, PER_SHRINK };

static const struct stressor_metric metrics[] = {
	[PER_GROWTH] = {"time per growth", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per growth", .yaml = "nanosecs-per-sbrk-page-expand"},
	[PER_SHRINK] = {"time per shrink", "ns", .mean = MEAN_ARITHMETIC,
		.yaml = "nanosecs-per-sbrk-page-shrink"},
	{0},
};

struct state {
	uintptr_t was;	   /* the break before the first round */
	uintptr_t begin;   /* address of the first page above the break */
	size_t page, most; /* bytes per page; pages per round */
	uint64_t rounds;
	uint64_t calls[2], ns[2]; /* indexed by metric */
};

/* Returns the break, which has not moved if the kernel cannot move it. */
static uintptr_t move_break(uintptr_t to)
{
	return (uintptr_t)syscall(SYS_brk, to);
}

static uintptr_t address_of(const struct state *t, size_t page)
{
	return t->begin + page * t->page;
}

static uint64_t *words_of(const struct state *t, size_t page)
{
	return (uint64_t *)address_of(t, page); /* NOLINT(performance-no-int-to-ptr) */
}

/* Returns the contents of a page; no two pages of a round are equal. */
static uint64_t number(const struct stress *s, const struct state *t, size_t page)
{
	return (s->seed + t->rounds + page) * UINT64_C(0x9e3779b97f4a7c15);
}

static int check(struct stress *s, const struct state *t, size_t page, uint64_t want)
{
	const uint64_t *p = words_of(t, page);
	size_t words = t->page / sizeof(*p), at = memory_differs(p, words, want);

	if (at == words)
		return 0;
	return fault_word(
		s, "heap: ", page * t->page + at * sizeof(*p), p + at, p[at], want);
}

/* Moves the break by one page.  Returns 1 if done, 0 if there is not enough memory. */
static int step(
	struct stress *s, struct state *t, size_t from, size_t to, unsigned int kind)
{
	uintptr_t was = move_break(0), is;
	uint64_t begin_ns = sm_clock_mono_ns();

	is = move_break(address_of(t, to));
	t->ns[kind] += sm_clock_mono_ns() - begin_ns;
	t->calls[kind]++;
	if (was != address_of(t, from))
		return stress_fail(s, "the break is at %#lx instead of %#lx",
			(unsigned long)was, (unsigned long)address_of(t, from));
	if (is == address_of(t, to))
		return 1;
	if (is == was && to > from)
		return 0;
	return stress_fail(s, "the break was moved to %#lx instead of %#lx",
		(unsigned long)is, (unsigned long)address_of(t, to));
}

static int grow(struct stress *s, struct state *t, size_t page)
{
	int r = step(s, t, page, page + 1, PER_GROWTH);

	if (r <= 0)
		return r;
	if (!s->value[NOTOUCH]) {
		if (check(s, t, page, 0))
			return -1;
		memory_fill(words_of(t, page), t->page / sizeof(uint64_t),
			number(s, t, page));
		memory_fence();
	}
	stress_add(s, 1);
	return 1;
}

static int shrink(struct stress *s, struct state *t, size_t page)
{
	int r = 0;

	if (!s->value[NOTOUCH])
		r = check(s, t, page, number(s, t, page));
	if (r || step(s, t, page + 1, page, PER_SHRINK) < 0)
		return -1;
	stress_add(s, 1);
	return 0;
}

static void spoil(const struct stress *s, const struct state *t, size_t pages)
{
	if (!s->spoil || !pages || t->rounds > 1)
		return;
	if (s->value[NOTOUCH])
		(void)move_break(address_of(t, pages) - 1);
	else
		*words_of(t, pages / 2) ^= 1;
}

static int one_round(struct stress *s, struct state *t)
{
	size_t n = 0;
	int r = 1;

	t->rounds++;
	while (n < t->most && r > 0 && stress_goes_on(s)) {
		r = grow(s, t, n);
		n += r > 0;
	}
	if (r == 0 && n == 0)
		return stress_lacks(s, "no memory for one page");
	spoil(s, t, n);
	for (; r >= 0 && n > 0 && stress_goes_on(s); n--)
		r = shrink(s, t, n - 1);
	return r < 0 ? r : 0;
}

static int run(struct stress *s)
{
	struct state *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_round(s, t);
	for (unsigned int i = 0; i < SM_ARRAY_SIZE(t->calls); i++)
		if (t->calls[i])
			stress_metric(s, i, (double)t->ns[i] / (double)t->calls[i]);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[NOTOUCH] ? 0 : s->value[BYTES];
}

/* Uses whole pages, starting with the next one. */
static int begin_at(struct stress *s, struct state *t)
{
	t->was = move_break(0);
	t->begin = (t->was + t->page - 1) / t->page * t->page;
	if (move_break(t->begin) != t->begin)
		return stress_lacks(s, "the break cannot be moved");
	return 0;
}

static int setup(struct stress *s)
{
	struct state *t = s->data;

	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->most = s->value[BYTES] / t->page;
	if (s->value[MLOCK] && mlockall(MCL_FUTURE) < 0)
		return stress_lacks(s, "new pages cannot be locked: %s", strerror(errno));
	return begin_at(s, t);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_brk_man[] =
	"metric time per shrink: brk(2) alone, without the check of the page\n"
	"An instance moves the break up until it has moved by --brk-bytes or "
	"memory runs out (which is not a failure), and then down again.\n"
	"--mlock: The pages are locked with mlockall(2) and MCL_FUTURE; the break "
	"moves no further than RLIMIT_MEMLOCK permits.\n";

const struct stressor stressor_brk = {
	.name = "brk",
	.does = "move the program break up and down, page by page",
	.op = "the break is moved by one page",
	.checks = "the break is at the expected address, new pages are zero, and "
		  "pages keep their contents until they are removed",
	.caps = STRESSOR_CAP(CAP_IPC_LOCK),
	.pagemap = true,
	.classes = CLASS_VM | CLASS_MEMORY | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
