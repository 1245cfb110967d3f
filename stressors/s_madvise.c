// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two regions, anonymous private memory and a shared file in memory, have a number in
 * the first word of each page.  Advice is given for a few pages; afterwards they must
 * have the contents that the advice leaves: their numbers or zero.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory/fault.h"
#include "run/stress.h"
#include "run/trap.h"

/* Constants of Linux 5.4 to 6.13 that headers may not define. */
#ifndef MADV_COLD
#define MADV_COLD 20
#endif
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24
#endif
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif
#ifndef MADV_GUARD_REMOVE
#define MADV_GUARD_REMOVE 103
#endif

#define KB UINT64_C(1024)
#define MB (1024 * KB)
/* Most pages of one call. */
#define PAGES 16u

enum { BYTES };

/* Each page may become a mapping of its own; a process may have 65530 mappings. */
static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE",
		"set the size of each of the two regions", .min = 64 * KB, .max = 64 * MB,
		.normal = 4 * MB, .small = 256 * KB, .large = 64 * MB},
	{0},
};

enum { PER_CALL };

static const struct stressor_metric metrics[] = {
	[PER_CALL] = {"time per madvise", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per madvise"},
	{0},
};

enum { ANONYMOUS, SHARED, REGIONS };

/* State of a page after the advice. */
enum effect {
	KEEPS,
	ZEROES,
	MAY_ZERO, /* the kernel may zero it later, until it is written to */
	FORBIDS,  /* any access faults until MADV_GUARD_REMOVE, which leaves zeros */
	IMPOSSIBLE,
};

struct advice {
	const char *name;
	int advice;
	enum effect effect[REGIONS];
};

static const struct advice advices[] = {
	{"normal", MADV_NORMAL, {KEEPS, KEEPS}},
	{"random", MADV_RANDOM, {KEEPS, KEEPS}},
	{"sequential", MADV_SEQUENTIAL, {KEEPS, KEEPS}},
	{"willneed", MADV_WILLNEED, {KEEPS, KEEPS}},
	{"dontneed", MADV_DONTNEED, {ZEROES, KEEPS}},
	{"dontneed_locked", MADV_DONTNEED_LOCKED, {ZEROES, KEEPS}},
	{"free", MADV_FREE, {MAY_ZERO, IMPOSSIBLE}},
	{"remove", MADV_REMOVE, {IMPOSSIBLE, ZEROES}},
	{"dontfork", MADV_DONTFORK, {KEEPS, KEEPS}},
	{"dofork", MADV_DOFORK, {KEEPS, KEEPS}},
	{"wipeonfork", MADV_WIPEONFORK, {KEEPS, IMPOSSIBLE}},
	{"keeponfork", MADV_KEEPONFORK, {KEEPS, IMPOSSIBLE}},
	{"dontdump", MADV_DONTDUMP, {KEEPS, KEEPS}},
	{"dodump", MADV_DODUMP, {KEEPS, KEEPS}},
	{"mergeable", MADV_MERGEABLE, {KEEPS, KEEPS}},
	{"unmergeable", MADV_UNMERGEABLE, {KEEPS, KEEPS}},
	{"hugepage", MADV_HUGEPAGE, {KEEPS, KEEPS}},
	{"nohugepage", MADV_NOHUGEPAGE, {KEEPS, KEEPS}},
	{"cold", MADV_COLD, {KEEPS, KEEPS}},
	{"pageout", MADV_PAGEOUT, {KEEPS, KEEPS}},
	{"populate_read", MADV_POPULATE_READ, {KEEPS, KEEPS}},
	{"populate_write", MADV_POPULATE_WRITE, {KEEPS, KEEPS}},
	{"guard_install", MADV_GUARD_INSTALL, {FORBIDS, IMPOSSIBLE}},
};

struct state {
	char *region[REGIONS];
	uint64_t *written[REGIONS]; /* the number of each page */
	size_t page, pages;	    /* bytes per page; pages per region */
	bool unknown[SM_ARRAY_SIZE(advices)];
	uint64_t random, tries, calls, ns;
};

/* The pages of an op. */
struct range {
	unsigned int region;
	size_t first, n;
};

static char *start_of(const struct state *t, const struct range *r)
{
	return t->region[r->region] + r->first * t->page;
}

static uint64_t *word_of(const struct state *t, unsigned int region, size_t page)
{
	return (uint64_t *)(void *)(t->region[region] + page * t->page);
}

static void write_page(struct state *t, unsigned int region, size_t page)
{
	uint64_t n = stress_random(&t->random) | 1; /* not 0 */

	t->written[region][page] = n;
	*word_of(t, region, page) = n;
}

/* --- checks ------------------------------------------------------------------------- */

static int check(struct stress *s, const struct state *t, const struct range *r,
	enum effect effect, const char *after)
{
	for (size_t i = r->first; i < r->first + r->n; i++) {
		const uint64_t *p = word_of(t, r->region, i);
		uint64_t want = effect == ZEROES ? 0 : t->written[r->region][i], got = *p;

		if (got == want || (effect == MAY_ZERO && got == 0))
			continue;
		return fault_word(s, after, i * t->page, p, got, want);
	}
	return 0;
}

/* Each page must fault until the guard is removed. */
static int check_guard(struct stress *s, const struct state *t, const struct range *r)
{
	char *p = start_of(t, r);
	struct trap_fault f;

	for (size_t i = 0; i < r->n; i++)
		if (!trap_read(p + i * t->page, &f) || f.signo != SIGSEGV)
			return stress_fail(
				s, "a page does not fault after MADV_GUARD_INSTALL");
	if (madvise(p, r->n * t->page, MADV_GUARD_REMOVE) < 0)
		return stress_error(s, STRESS_FAIL, errno, "madvise: guard_remove");
	return check(s, t, r, ZEROES, "after guard_remove: ");
}

static int check_effect(struct stress *s, const struct state *t, const struct range *r,
	const struct advice *a)
{
	enum effect effect = a->effect[r->region];
	char after[48];

	if (effect == FORBIDS)
		return check_guard(s, t, r);
	snprintf(after, sizeof(after), "after %s: ", a->name);
	return check(s, t, r, effect, after);
}

/* --- ops ---------------------------------------------------------------------------- */

/* Returns 1 if the advice was given, 0 if the kernel does not support it. */
static int advise(
	struct stress *s, struct state *t, const struct range *r, const struct advice *a)
{
	uint64_t begin_ns = sm_clock_mono_ns();
	int err = madvise(start_of(t, r), r->n * t->page, a->advice) < 0 ? errno : 0;

	t->ns += sm_clock_mono_ns() - begin_ns;
	t->calls++;
	if (!err)
		return 1;
	/* EBADF: willneed if the kernel has no swap support.  All kernels support normal.
	 */
	if (a->advice != MADV_NORMAL && (err == EINVAL || err == EBADF)) {
		t->unknown[a - advices] = true;
		return 0;
	}
	return stress_error(s, STRESS_FAIL, err, "madvise: %s", a->name);
}

static const struct advice *choose(struct state *t, unsigned int region)
{
	size_t i;

	do
		i = stress_random(&t->random) % SM_ARRAY_SIZE(advices);
	while (t->unknown[i] || advices[i].effect[region] == IMPOSSIBLE);
	return &advices[i];
}

static struct range choose_range(struct state *t)
{
	struct range r = {.region = stress_random(&t->random) % REGIONS};

	r.n = stress_random(&t->random) % PAGES + 1;
	r.first = stress_random(&t->random) % (t->pages - r.n + 1);
	return r;
}

static int one_advice(struct stress *s, struct state *t)
{
	struct range r = choose_range(t);
	const struct advice *a = choose(t, r.region);
	int given;

	if (s->spoil && t->tries++ == 1)
		*word_of(t, r.region, r.first) ^= 2;
	if (check(s, t, &r, KEEPS, "before an advice: "))
		return -1;
	given = advise(s, t, &r, a);
	if (given < 0 || (given && check_effect(s, t, &r, a)) ||
		(!given && check(s, t, &r, KEEPS, "after an error: ")))
		return -1;
	for (size_t i = r.first; i < r.first + r.n; i++)
		write_page(t, r.region, i);
	if (given)
		stress_add(s, 1);
	return 0;
}

static int run(struct stress *s)
{
	struct state *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_advice(s, t);
	if (t->calls)
		stress_metric(s, PER_CALL, (double)t->ns / (double)t->calls);
	return r;
}

/* --- setup -------------------------------------------------------------------------- */

static const char *probe(const struct stress *s)
{
	(void)s;
	if (madvise(NULL, 0, MADV_NORMAL) < 0 && errno == ENOSYS)
		return "this kernel has no madvise(2) (CONFIG_ADVISE_SYSCALLS)";
	return NULL;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[BYTES] * REGIONS;
}

/* The mapping keeps the file alive. */
static void *map_file(struct stress *s, size_t bytes)
{
	int fd = memfd_create("stress-madvise", MFD_CLOEXEC), err = 0;
	void *p = NULL;

	if (fd < 0) {
		stress_error(s, STRESS_SKIP, errno, "memfd_create");
		return NULL;
	}
	if (ftruncate(fd, (off_t)bytes) == 0)
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	err = errno;
	close(fd);
	if (p && p != MAP_FAILED)
		return p;
	stress_error(s, STRESS_FAIL, err, "a file of %zu bytes", bytes);
	return NULL;
}

static int make_regions(struct stress *s, struct state *t)
{
	size_t bytes = t->pages * t->page;

	t->region[ANONYMOUS] = stress_map(s, bytes, 0);
	if (!t->region[ANONYMOUS])
		return -1;
	t->region[SHARED] = map_file(s, bytes);
	if (!t->region[SHARED])
		return -1;
	for (unsigned int i = 0; i < REGIONS; i++) {
		t->written[i] = calloc(t->pages, sizeof(*t->written[i]));
		if (!t->written[i])
			return stress_lacks(s, "no memory");
		for (size_t page = 0; page < t->pages; page++)
			write_page(t, i, page);
	}
	return 0;
}

static int setup(struct stress *s)
{
	struct state *t = s->data;
	int r;

	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->pages = s->value[BYTES] / t->page;
	t->random = s->seed;
	r = trap_open();
	return r ? stress_error(s, STRESS_FAIL, -r, "sigaltstack") : make_regions(s, t);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_madvise_man[] =
	"One region is anonymous private memory, the other an unnamed file that is "
	"created with memfd_create(2) and mapped shared.  Advice that the kernel "
	"does not support is not given again.\n";

const struct stressor stressor_madvise = {
	.name = "madvise",
	.does = "give the kernel random advice on the use of memory",
	.op = "one advice is given for 1 to 16 pages, which are then checked and "
	      "written to",
	.checks = "pages keep their contents, are zero, or fault, as the advice "
		  "requires",
	.pagemap = true,
	.classes = CLASS_VM | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.probe = probe,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
