// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads on different CPUs read the pages of all threads, so that each CPU has them in
 * its TLB.  Each thread changes the mapping of its own pages; the kernel interrupts the
 * other CPUs, which must drop their TLB entries.
 *
 * A page has versions.  Before a page is discarded, its owner writes a version into
 * it.  Afterwards the page is zero, and the owner records that older versions must no
 * longer be seen.  A CPU that sees one has kept a TLB entry.
 */
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/interrupts.h"
#include "run/team.h"

#define CPUS_MIN  2u
#define CPUS_MAX  16u
#define PAGES	  8u /* pages per thread */
#define ALL_PAGES (CPUS_MAX * PAGES)

enum { SHOOTDOWNS, PER_CHANGE };

static const struct stressor_metric metrics[] = {
	[SHOOTDOWNS] = {"shootdowns", "/s", .mean = MEAN_MAX, .headline = "shootdowns/s"},
	[PER_CHANGE] = {"time per change", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

/* Data written by one thread. */
struct own {
	_Alignas(64) _Atomic uint64_t oldest; /* oldest version that its pages may have */
	uint64_t changes, ns;
};

struct shootdown {
	struct own own[CPUS_MAX];
	struct sm_root root;
	size_t page;
	char *map;
	unsigned int threads;
};

/* --- the pages ---------------------------------------------------------------------- */

static _Atomic uint64_t *word_of(const struct shootdown *d, unsigned int page)
{
	return (_Atomic uint64_t *)(void *)(d->map + page * d->page);
}

static uint64_t value_of(uint64_t version, unsigned int page)
{
	return version * ALL_PAGES + page;
}

static void write_pages(struct stress *s, unsigned int number, uint64_t version)
{
	const struct shootdown *d = s->data;

	for (unsigned int i = number * PAGES; i < (number + 1) * PAGES; i++)
		atomic_store_explicit(
			word_of(d, i), value_of(version, i), memory_order_relaxed);
	if (s->spoil && number == 0 && version == 2)
		atomic_store(word_of(d, 0), value_of(version - 1, 0));
}

static int check_page(struct stress *s, unsigned int page)
{
	const struct shootdown *d = s->data;
	const struct own *own = &d->own[page / PAGES];
	uint64_t oldest = atomic_load_explicit(&own->oldest, memory_order_acquire);
	uint64_t value = atomic_load_explicit(word_of(d, page), memory_order_acquire);
	uint64_t newest = atomic_load_explicit(&own->oldest, memory_order_relaxed);

	if (value == 0 || (value % ALL_PAGES == page && value / ALL_PAGES >= oldest &&
				  value / ALL_PAGES <= newest))
		return 0;
	return stress_fail(s,
		"page %u contains %#llx instead of 0 or version %llu to %llu", page,
		(unsigned long long)value, (unsigned long long)oldest,
		(unsigned long long)newest);
}

static int check_all(struct stress *s)
{
	const struct shootdown *d = s->data;
	int r = 0;

	for (unsigned int i = 0; i < d->threads * PAGES && !r; i++)
		r = check_page(s, i);
	return r;
}

/* Checks the contents that the owner sees. */
static int check_own(struct stress *s, unsigned int number, uint64_t version)
{
	const struct shootdown *d = s->data;

	for (unsigned int i = number * PAGES; i < (number + 1) * PAGES; i++) {
		uint64_t value = atomic_load(word_of(d, i));
		uint64_t want = version ? value_of(version, i) : 0;

		if (value != want)
			return stress_fail(s, "page %u contains %#llx instead of %#llx",
				i, (unsigned long long)value, (unsigned long long)want);
	}
	return 0;
}

/* --- changes of mappings ------------------------------------------------------------ */

/* Returns 0, or -1 with errno. */
typedef int change_function(void *p, size_t bytes);

static int protect(void *p, size_t bytes)
{
	if (mprotect(p, bytes, PROT_READ) < 0)
		return -1;
	return mprotect(p, bytes, PROT_READ | PROT_WRITE);
}

static int discard(void *p, size_t bytes)
{
	return madvise(p, bytes, MADV_DONTNEED);
}

/* Replaces the mapping in one step, so that the pages are always mapped for the other
 * threads. */
static int replace(void *p, size_t bytes)
{
	void *now = mmap(p, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);

	return now == p ? 0 : -1;
}

/* Changes that keep the contents, before which the pages are written, alternate with
 * changes that do not. */
static const struct change {
	const char *name;
	change_function *function;
	bool keeps; /* whether the contents remain */
} changes[] = {
	{"mprotect", protect, true},
	{"madvise", discard, false},
	{"mprotect", protect, true},
	{"mmap", replace, false},
};

static int change(struct stress *s, unsigned int number, const struct change *c)
{
	struct shootdown *d = s->data;
	struct own *own = &d->own[number];
	uint64_t version = atomic_load_explicit(&own->oldest, memory_order_relaxed);
	uint64_t begin_ns = sm_clock_mono_ns();

	if (c->function(d->map + number * PAGES * d->page, PAGES * d->page) < 0)
		return stress_error(s, STRESS_FAIL, errno, "%s", c->name);
	own->ns += sm_clock_mono_ns() - begin_ns;
	own->changes++;
	if (c->keeps)
		return check_own(s, number, version);
	atomic_store_explicit(&own->oldest, version + 1, memory_order_release);
	return check_own(s, number, 0);
}

/* --- threads ------------------------------------------------------------------------ */

static int work(struct stress *s, unsigned int number, void *data)
{
	struct shootdown *d = data;
	int r = stress_pin(s);

	for (uint64_t i = 0; !r && stress_goes_on(s); i++) {
		const struct change *c = &changes[i % SM_ARRAY_SIZE(changes)];

		if (c->keeps)
			write_pages(s, number, atomic_load(&d->own[number].oldest));
		r = check_all(s);
		if (!r)
			r = change(s, number, c);
		if (!r)
			stress_add(s, 1);
	}
	return r;
}

static unsigned int count_cpus(void)
{
	cpu_set_t set;
	unsigned int n;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return CPUS_MIN; /* more CPUs than a set can hold */
	n = (unsigned int)CPU_COUNT(&set);
	return n < CPUS_MAX ? n : CPUS_MAX;
}

static void report(struct stress *s, const struct shootdown *d, uint64_t before)
{
	uint64_t now = sm_clock_mono_ns(), n = 0, ns = 0, after;

	if (before != UINT64_MAX && now > s->go_ns &&
		sm_interrupts_read(&d->root, "TLB", &after) == 0)
		stress_metric(s, SHOOTDOWNS,
			(double)(after - before) * 1e9 / (double)(now - s->go_ns));
	for (unsigned int i = 0; i < d->threads; i++) {
		n += d->own[i].changes;
		ns += d->own[i].ns;
	}
	if (n)
		stress_metric(s, PER_CHANGE, (double)ns / (double)n);
}

static int run(struct stress *s)
{
	struct shootdown *d = s->data;
	const struct team_plan plan = {TEAM_THREADS, d->threads, work, d};
	uint64_t before;
	int r;

	if (sm_interrupts_read(&d->root, "TLB", &before) < 0)
		before = UINT64_MAX;
	r = team_run(s, &plan);
	report(s, d, before);
	return r;
}

static double cpus(const struct stress *s)
{
	(void)s;
	return count_cpus();
}

static const char *probe(const struct stress *s)
{
	(void)s;
	return count_cpus() < CPUS_MIN ? "needs two usable CPUs (--taskset)" : NULL;
}

static int setup(struct stress *s)
{
	struct shootdown *d = s->data;

	*d = (struct shootdown){.threads = count_cpus(),
		.page = (size_t)sysconf(_SC_PAGESIZE),
		.root = SM_ROOT_INIT};
	for (unsigned int i = 0; i < CPUS_MAX; i++)
		d->own[i].oldest = 1;
	d->map = stress_map(s, ALL_PAGES * d->page, MADV_NOHUGEPAGE);
	/* Without /proc, the metric is missing. */
	if (d->map && sm_root_open(&d->root, NULL) < 0)
		d->root = (struct sm_root)SM_ROOT_INIT;
	return d->map ? 0 : -1;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_tlb_shootdown_man[] =
	"metric shootdowns: interrupts in the line TLB of /proc/interrupts, which "
	"covers the whole machine; missing if the kernel has no such line\n"
	"metric time per change: one call, including the wait for the other CPUs\n"
	"An instance has one thread on each CPU that it may use, at most 16.  Each "
	"thread has eight pages, which all threads read.  The calls are, in turn, "
	"mprotect(2) to read-only and back, madvise(2) with MADV_DONTNEED, and "
	"mmap(2) with MAP_FIXED.  If the processor itself broadcasts invalidations "
	"(arm64 and some AMD processors), there are no interrupts to count.\n";

const struct stressor stressor_tlb_shootdown = {
	.name = "tlb-shootdown",
	.does = "change mappings of pages that other CPUs have in their TLBs",
	.op = "the mapping of eight pages is changed once",
	.checks = "each page has the right contents, and no CPU reads those of a "
		  "discarded page",
	.needs = "two CPUs",
	.classes = CLASS_OS | CLASS_MEMORY | CLASS_CPU_CACHE,
	.metrics = metrics,
	.cpus = cpus,
	.probe = probe,
	.state = sizeof(struct shootdown),
	.setup = setup,
	.run = run,
};
