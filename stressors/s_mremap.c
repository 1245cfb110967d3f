// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A mapping initially has one page.  It is moved to another address with doubled size
 * until it has --mremap-bytes, then with halved size until it has one page again.  The
 * first word of each page is its number.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory/area.h"
#include "memory/fault.h"
#include "run/stress.h"
#include "run/trap.h"

#define KB UINT64_C(1024)
#define MB (1024 * KB)
/* Number of pages written or checked before the end of the time is checked. */
#define PAGES_AT_ONCE 256u

enum { BYTES, MLOCK };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "limit the size of the mapping",
		.min = 64 * KB, .max = (uint64_t)1 << 42, .normal = 256 * MB,
		.small = 1 * MB, .large = 4096 * MB},
	[MLOCK] = {"mlock", STRESSOR_FLAG, NULL, "lock the mapping in memory", .max = 1},
	{0},
};

enum { PER_CALL };

static const struct stressor_metric metrics[] = {
	[PER_CALL] = {"time per mremap", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per mremap", .yaml = "nanosecs-per-mremap-call"},
	{0},
};

struct state {
	size_t page; /* bytes per page */
	size_t pages, most;
	char *base; /* the mapping, or NULL */
	uint64_t calls, ns;
};

/* --- contents ----------------------------------------------------------------------- */

static uint64_t *word_of(const struct state *t, size_t page)
{
	return (uint64_t *)(void *)(t->base + page * t->page);
}

static uint64_t number(const struct stress *s, size_t page)
{
	return (s->seed + page) * UINT64_C(0x9e3779b97f4a7c15);
}

static int check_word(struct stress *s, const struct state *t, size_t page, uint64_t want)
{
	const uint64_t *p = word_of(t, page);

	if (*p == want)
		return 0;
	return fault_word(s, "mapping: ", page * t->page, p, *p, want);
}

/* Checks that old pages have their numbers and new pages are zero, and writes numbers to
 * these.  Returns 1 if done, 0 if the run ends. */
static int check_and_fill(struct stress *s, const struct state *t, size_t old)
{
	for (size_t i = 0; i < t->pages; i++) {
		if (i % PAGES_AT_ONCE == 0 && stress_stopped(s))
			return 0;
		if (check_word(s, t, i, i < old ? number(s, i) : 0))
			return -1;
		*word_of(t, i) = number(s, i);
	}
	return 1;
}

/* --- moves -------------------------------------------------------------------------- */

/* Returns a free address, to which the mapping is then moved. */
static void *reserve(const struct state *t, size_t pages)
{
	return mmap(NULL, pages * t->page, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* Returns 1 if done, 0 if there is not enough memory; the mapping is then at its old
 * address. */
static int move(struct stress *s, struct state *t, size_t pages)
{
	void *to = reserve(t, pages), *is;
	uint64_t begin_ns = sm_clock_mono_ns();
	int err;

	if (to == MAP_FAILED)
		return stress_is_lack(errno)
			       ? 0
			       : stress_error(s, STRESS_FAIL, errno, "mmap");
	is = mremap(t->base, t->pages * t->page, pages * t->page,
		MREMAP_MAYMOVE | MREMAP_FIXED, to);
	err = errno;
	if (is == MAP_FAILED) {
		/* The kernel may have removed the reservation. */
		(void)munmap(to, pages * t->page);
		return stress_is_lack(err) && pages > t->pages
			       ? 0
			       : stress_error(s, STRESS_FAIL, err, "mremap of %zu bytes",
					 pages * t->page);
	}
	t->ns += sm_clock_mono_ns() - begin_ns;
	t->calls++;
	t->base = is;
	if (is == to)
		return 1;
	return stress_fail(s, "mremap to %p instead of %p", is, to);
}

/* Checks that the old address is unmapped. */
static int check_old(struct stress *s, const void *old)
{
	struct trap_fault f;

	if (!trap_read(old, &f))
		return stress_fail(s, "the old address can be read after a move");
	if (f.signo == SIGSEGV && f.code == SEGV_MAPERR)
		return 0;
	return stress_fail(s, "the old address: signal %d with code %d", f.signo, f.code);
}

/* Returns 1 if done, 0 if there is not enough memory or the run ends. */
static int step(struct stress *s, struct state *t, size_t pages)
{
	size_t old_pages = t->pages, kept = pages < old_pages ? pages : old_pages;
	const void *old = t->base;
	int r = move(s, t, pages);

	if (r <= 0)
		return r;
	t->pages = pages;
	if (s->spoil && t->pages == t->most)
		*word_of(t, t->pages / 4) ^= 1;
	r = check_old(s, old);
	if (!r)
		r = check_and_fill(s, t, kept);
	if (r > 0)
		stress_add(s, 1);
	return r;
}

static size_t doubled(const struct state *t)
{
	return t->pages * 2 < t->most ? t->pages * 2 : t->most;
}

static int one_round(struct stress *s, struct state *t)
{
	int r = 1;

	while (r > 0 && t->pages < t->most && stress_goes_on(s))
		r = step(s, t, doubled(t));
	if (r < 0)
		return r;
	/* Less memory than permitted is not a failure. */
	r = t->pages > 1;
	while (r > 0 && t->pages > 1 && stress_goes_on(s))
		r = step(s, t, (t->pages + 1) / 2);
	if (r == 0 && !stress_stopped(s))
		return stress_lacks(s, "no memory or address space for a move");
	return r < 0 ? r : 0;
}

/* --- the run ------------------------------------------------------------------------ */

static int map_first(struct stress *s, struct state *t)
{
	t->base = stress_map(s, t->page, 0);
	if (!t->base)
		return -1;
	t->pages = 1;
	*word_of(t, 0) = number(s, 0);
	/* Locked memory remains locked when it is moved, and grows by locked pages. */
	return s->value[MLOCK] ? memory_lock(s, t->base, t->page) : 0;
}

static int run(struct stress *s)
{
	struct state *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_round(s, t);
	if (t->calls)
		stress_metric(s, PER_CALL, (double)t->ns / (double)t->calls);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[BYTES];
}

static int setup(struct stress *s)
{
	struct state *t = s->data;
	int r;

	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->most = s->value[BYTES] / t->page;
	r = trap_open();
	return r ? stress_error(s, STRESS_FAIL, -r, "sigaltstack") : map_first(s, t);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_mremap_man[] =
	"metric time per mremap: the system call alone\n"
	"The mapping starts with one page.  Each call moves it to another address "
	"and doubles its size, until the size is --mremap-bytes or memory "
	"runs out (which is not a failure).  Then each call halves the size, "
	"down to one page.\n"
	"--mlock: The mapping grows no further than RLIMIT_MEMLOCK permits.\n";

const struct stressor stressor_mremap = {
	.name = "mremap",
	.does = "move memory to other addresses, and double and halve its size",
	.op = "one call of mremap(2), after which a word of each page is checked",
	.checks = "the mapping is at its new address, the old address faults, new "
		  "pages are zero, and a word of each page is intact",
	.caps = STRESSOR_CAP(CAP_IPC_LOCK),
	.pagemap = true,
	.classes = CLASS_VM | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
