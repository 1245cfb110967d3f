// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A large mapping is filled.  Then its pages are unmapped and mapped again in windows:
 * all pages of a window are unmapped in one random order and mapped again in another.
 * So the number of holes, each of which splits a mapping, never exceeds the size of a
 * window.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory/area.h"
#include "memory/fault.h"
#include "run/stress.h"
#include "run/trap.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* Linux 4.17 */
#endif

#define KB     UINT64_C(1024)
#define MB     (1024 * KB)
#define WINDOW 64u

enum { BYTES, FILE_BACKED, ASYNC, MADVISE, MPROTECT };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "set the size of the mapping",
		.min = 64 * KB, .max = (uint64_t)1 << 42, .normal = 256 * MB,
		.small = 1 * MB, .large = 4096 * MB},
	[FILE_BACKED] = {"file", STRESSOR_FLAG, NULL,
		"map a file in memory, shared, and write its pages back", .max = 1},
	[ASYNC] = {"async", STRESSOR_FLAG, NULL,
		"like --mmap-file, but do not wait until pages are written back",
		.max = 1},
	[MADVISE] = {"madvise", STRESSOR_FLAG, NULL,
		"give the kernel random advice for each page", .max = 1},
	[MPROTECT] = {"mprotect", STRESSOR_FLAG, NULL,
		"protect each page from writes, then from all accesses, which must fault",
		.max = 1},
	{0},
};

enum { PER_MAP, PER_UNMAP, CALLS };

static const struct stressor_metric metrics[] = {
	[PER_MAP] = {"time per mmap", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per mmap"},
	[PER_UNMAP] = {"time per munmap", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

struct state {
	int fd;			   /* -1: the pages are anonymous */
	size_t page, pages, words; /* bytes per page; pages; words per page */
	char *base;		   /* the mapping, or NULL */
	uint64_t round, windows, random;
	uint64_t calls[CALLS], ns[CALLS];
};

/* --- contents ----------------------------------------------------------------------- */

static uint64_t *words_of(const struct state *t, size_t page)
{
	return (uint64_t *)(void *)(t->base + page * t->page);
}

/* Returns the contents of a page before or after it was mapped again. */
static uint64_t number(
	const struct stress *s, const struct state *t, size_t page, bool again)
{
	return (s->seed + 2 * t->round + again + page) * UINT64_C(0x9e3779b97f4a7c15);
}

static void fill(const struct state *t, size_t page, uint64_t value)
{
	memory_fill(words_of(t, page), t->words, value);
	memory_fence();
}

static int check(struct stress *s, const struct state *t, size_t page, uint64_t want)
{
	const uint64_t *p = words_of(t, page);
	size_t at = memory_differs(p, t->words, want);

	if (at == t->words)
		return 0;
	return fault_word(
		s, "mapping: ", page * t->page + at * sizeof(*p), p + at, p[at], want);
}

/* --- system calls ------------------------------------------------------------------- */

static void count(struct state *t, unsigned int call, uint64_t begin_ns)
{
	t->ns[call] += sm_clock_mono_ns() - begin_ns;
	t->calls[call]++;
}

static void *map_at(const struct state *t, void *at, size_t page, size_t pages)
{
	int fixed = at ? MAP_FIXED_NOREPLACE : 0;
	int kind = t->fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;

	return mmap(at, pages * t->page, PROT_READ | PROT_WRITE, kind | fixed, t->fd,
		t->fd < 0 ? 0 : (off_t)(page * t->page));
}

static int map_all(struct stress *s, struct state *t)
{
	void *p = map_at(t, NULL, 0, t->pages);

	if (p == MAP_FAILED)
		return stress_error(
			s, STRESS_FAIL, errno, "mmap of %zu bytes", t->pages * t->page);
	t->base = p;
	return 0;
}

static void unmap_all(struct state *t)
{
	if (t->base)
		munmap(t->base, t->pages * t->page);
	t->base = NULL;
}

/* --- a page ------------------------------------------------------------------------- */

static int expect_fault(struct stress *s, bool faulted, const struct trap_fault *f,
	int code, const char *what)
{
	if (faulted && f->signo == SIGSEGV && f->code == code)
		return 0;
	if (!faulted)
		return stress_fail(s, "%s does not fault", what);
	return stress_fail(s, "%s: signal %d with code %d instead of %d with %d", what,
		f->signo, f->code, SIGSEGV, code);
}

static int unmap_page(struct stress *s, struct state *t, size_t page)
{
	struct trap_fault f;
	uint64_t begin_ns;
	bool faulted;

	if (check(s, t, page, number(s, t, page, false)))
		return -1;
	begin_ns = sm_clock_mono_ns();
	if (munmap(words_of(t, page), t->page) < 0)
		return stress_error(s, STRESS_FAIL, errno, "munmap of a page");
	count(t, PER_UNMAP, begin_ns);
	faulted = trap_read(words_of(t, page), &f);
	return expect_fault(
		s, faulted, &f, SEGV_MAPERR, "a read of a page that was unmapped");
}

static int protect(struct stress *s, struct state *t, size_t page, int protection)
{
	if (mprotect(words_of(t, page), t->page, protection) < 0)
		return stress_error(s, STRESS_FAIL, errno, "mprotect of a page");
	return 0;
}

static int protect_page(struct stress *s, struct state *t, size_t page)
{
	struct trap_fault f;
	int r = protect(s, t, page, PROT_READ);

	if (!r)
		r = check(s, t, page, number(s, t, page, true));
	if (!r)
		r = expect_fault(s, trap_write(words_of(t, page), &f), &f, SEGV_ACCERR,
			"a write to a page that may only be read");
	if (!r)
		r = protect(s, t, page, PROT_NONE);
	if (!r)
		r = expect_fault(s, trap_read(words_of(t, page), &f), &f, SEGV_ACCERR,
			"a read of a page without access");
	return r ? r : protect(s, t, page, PROT_READ | PROT_WRITE);
}

/* Gives random advice that keeps the contents. */
static void advise_page(struct stress *s, struct state *t, size_t page)
{
	static const char *const advices[] = {"hugepage", "mergeable", "nohugepage",
		"random", "sequential", "unmergeable", "willneed"};
	uint64_t which = stress_random(&t->random) % SM_ARRAY_SIZE(advices);

	memory_advise(s, words_of(t, page), t->page, memory_advice(advices[which]));
}

/* Writes a page back and checks that a read of the file returns its contents. */
static int write_back(struct stress *s, const struct state *t, size_t page)
{
	uint64_t want = number(s, t, page, true), got = 0;
	ssize_t n;

	if (msync(words_of(t, page), t->page, s->value[ASYNC] ? MS_ASYNC : MS_SYNC) < 0)
		return stress_error(s, STRESS_FAIL, errno, "msync of a page");
	n = pread(t->fd, &got, sizeof(got), (off_t)(page * t->page));
	if (n < 0)
		return stress_error(s, STRESS_FAIL, errno, "read of the file");
	if (n == sizeof(got) && got == want)
		return 0;
	return stress_fail(s, "file: byte %zu: %016llx instead of %016llx",
		page * t->page, (unsigned long long)got, (unsigned long long)want);
}

static int treat_page(struct stress *s, struct state *t, size_t page)
{
	int r = 0;

	if (s->value[MADVISE])
		advise_page(s, t, page);
	if (s->value[MPROTECT])
		r = protect_page(s, t, page);
	if (!r && t->fd >= 0)
		r = write_back(s, t, page);
	return r ? r : check(s, t, page, number(s, t, page, true));
}

static int map_page(struct stress *s, struct state *t, size_t page)
{
	void *at = words_of(t, page), *p;
	uint64_t begin_ns = sm_clock_mono_ns();

	p = map_at(t, at, page, 1);
	if (p == MAP_FAILED)
		return stress_error(s, STRESS_FAIL, errno, "mmap of a page");
	count(t, PER_MAP, begin_ns);
	if (p != at)
		return stress_fail(s, "mmap: the page is at %p instead of %p", p, at);
	if (check(s, t, page, t->fd < 0 ? 0 : number(s, t, page, false)))
		return -1;
	fill(t, page, number(s, t, page, true));
	return treat_page(s, t, page);
}

/* --- rounds ------------------------------------------------------------------------- */

static void shuffle(struct state *t, size_t *page, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t other = stress_random(&t->random) % i, kept = page[i - 1];

		page[i - 1] = page[other];
		page[other] = kept;
	}
}

typedef int page_function(struct stress *s, struct state *t, size_t page);

static int each(struct stress *s, struct state *t, size_t *page, size_t n,
	page_function *function)
{
	int r = 0;

	shuffle(t, page, n);
	for (size_t i = 0; i < n && !r && !stress_stopped(s); i++) {
		r = function(s, t, page[i]);
		if (!r && function == map_page)
			stress_add(s, 1);
	}
	return r;
}

/* Pages with different advice cannot share a mapping, and a process may have a limited
 * number of mappings. */
static int map_window_again(struct stress *s, struct state *t, size_t first, size_t n)
{
	void *at = words_of(t, first);

	if (munmap(at, n * t->page) < 0 || map_at(t, at, first, n) != at)
		return stress_error(s, STRESS_FAIL, errno, "mmap of %zu pages", n);
	for (size_t i = first; i < first + n; i++)
		fill(t, i, number(s, t, i, true));
	return 0;
}

/* The window starts with page `first`. */
static int one_window(struct stress *s, struct state *t, size_t first, size_t n)
{
	size_t page[WINDOW];
	int r;

	for (size_t i = 0; i < n; i++) {
		page[i] = first + i;
		fill(t, page[i], number(s, t, page[i], false));
	}
	t->windows++;
	if (s->spoil && t->windows == 2)
		*words_of(t, first) ^= 1;
	r = each(s, t, page, n, unmap_page);
	if (!r && !stress_stopped(s))
		r = each(s, t, page, n, map_page);
	if (!r && s->value[MADVISE] && !stress_stopped(s))
		r = map_window_again(s, t, first, n);
	return r;
}

/* Uses no more pages than ops are left. */
static size_t size_of_window(const struct stress *s, const struct state *t, size_t first)
{
	uint64_t left =
		s->ops_max - atomic_load_explicit(&s->slot->ops, memory_order_relaxed);
	size_t n = t->pages - first < WINDOW ? t->pages - first : WINDOW;

	return left < n ? (size_t)left : n;
}

/* Checks the state that the windows have left. */
static int check_all(struct stress *s, const struct state *t, size_t pages)
{
	int r = 0;

	for (size_t i = 0; i < pages && !r && !stress_stopped(s); i++)
		r = check(s, t, i, number(s, t, i, true));
	return r;
}

static int one_round(struct stress *s, struct state *t)
{
	int r = map_all(s, t);
	size_t first = 0, n;

	for (; first < t->pages && !r && stress_goes_on(s); first += n) {
		n = size_of_window(s, t, first);
		r = one_window(s, t, first, n);
	}
	if (!r)
		r = check_all(s, t, first);
	unmap_all(t);
	t->round++;
	return r;
}

static int run(struct stress *s)
{
	struct state *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_round(s, t);
	for (unsigned int i = 0; i < CALLS; i++)
		if (t->calls[i])
			stress_metric(s, i, (double)t->ns[i] / (double)t->calls[i]);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[BYTES];
}

/* Allocates all pages of the file before the run. */
static int open_file(struct stress *s, struct state *t)
{
	t->fd = memfd_create("stress-mmap", MFD_CLOEXEC);
	if (t->fd < 0)
		return stress_error(s, STRESS_SKIP, errno, "memfd_create");
	/* RLIMIT_FSIZE causes an error instead of a signal. */
	signal(SIGXFSZ, SIG_IGN);
	if (fallocate(t->fd, 0, 0, (off_t)(t->pages * t->page)) == 0)
		return 0;
	if (errno == EFBIG)
		return stress_lacks(s, "a file of %zu bytes exceeds RLIMIT_FSIZE",
			t->pages * t->page);
	return stress_error(
		s, STRESS_FAIL, errno, "a file of %zu bytes", t->pages * t->page);
}

static int setup(struct stress *s)
{
	struct state *t = s->data;
	int r;

	t->fd = -1;
	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->pages = s->value[BYTES] / t->page;
	t->words = t->page / sizeof(uint64_t);
	t->random = s->seed;
	r = trap_open();
	if (r)
		return stress_error(s, STRESS_FAIL, -r, "sigaltstack");
	return s->value[FILE_BACKED] || s->value[ASYNC] ? open_file(s, t) : 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_mmap_man[] =
	"metric time per munmap: the system call alone, for one page\n"
	"The whole mapping is filled first.  Then its pages are unmapped and "
	"mapped again in random order, 64 at a time.  At the end the whole mapping "
	"is removed.\n"
	"--file: The unnamed file is created with memfd_create(2); msync(2) is "
	"called for each page.\n"
	"--madvise: Only advice that keeps the contents is given; advice that the "
	"kernel does not support is ignored.\n";

const struct stressor stressor_mmap = {
	.name = "mmap",
	.does = "map memory, and unmap and map each of its pages again",
	.op = "one page is unmapped, mapped again and checked",
	.checks = "an unmapped page faults, a new page is zero or has the contents "
		  "of the file, and other contents are intact before and after that",
	.pagemap = true,
	.classes = CLASS_VM | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
