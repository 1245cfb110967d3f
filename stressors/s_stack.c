// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A stack is a mapping that grows downwards in the way in which the kernel lets the
 * stack of a process grow (MAP_GROWSDOWN), in free address space, above a page without
 * access.  The stack of the process itself is not changed.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "memory/area.h"
#include "memory/fault.h"
#include "run/stress.h"
#include "run/trap.h"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21 /* Linux 5.4 */
#endif

#define KB UINT64_C(1024)
#define MB (1024 * KB)
/* Number of pages touched or checked before the end of the time is checked. */
#define PAGES_AT_ONCE 256

enum { BYTES, FILL, MLOCK, PAGEOUT, UNMAP };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "set the limit of each stack",
		.min = 64 * KB, .max = 1024 * MB, .normal = 8 * MB, .small = 256 * KB,
		.large = 64 * MB},
	[FILL] = {"fill", STRESSOR_FLAG, NULL,
		"write to all bytes, instead of one word per page", .max = 1},
	[MLOCK] = {"mlock", STRESSOR_FLAG, NULL, "lock the stack in memory", .max = 1},
	[PAGEOUT] = {"pageout", STRESSOR_FLAG, NULL,
		"advise the kernel to page the stack out before it is checked", .max = 1},
	[UNMAP] = {"unmap", STRESSOR_FLAG, NULL,
		"unmap a page in the middle, which grows again", .max = 1},
	{0},
};

enum { PER_PAGE };

static const struct stressor_metric metrics[] = {
	[PER_PAGE] = {"time per page", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per page"},
	{0},
};

struct state {
	struct stress *s;
	size_t page, limit; /* page size and limit in bytes */
	char *base, *end;   /* address space of the current stack */
	char *volatile low; /* the lowest touched page */
	size_t words;	    /* words written to each page */
	uint64_t stacks, pages, ns;
};

/* --- a stack ------------------------------------------------------------------------ */

/* A page without access, space for the limit and for the page that exceeds it. */
static size_t space(const struct state *t)
{
	return t->limit + 2 * t->page;
}

/* Maps the whole space first: if there is not enough memory, this call fails rather than
 * the growth, which would look like an error of the kernel. */
static int make(struct stress *s, struct state *t)
{
	void *top;

	t->base = mmap(NULL, space(t), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (t->base == MAP_FAILED) {
		t->base = NULL;
		return stress_error(s, STRESS_FAIL, errno, "mmap of %zu bytes", space(t));
	}
	t->end = t->low = t->base + space(t);
	if (mprotect(t->base, t->page, PROT_NONE) < 0 ||
		munmap(t->base + t->page, space(t) - t->page) < 0)
		return stress_error(s, STRESS_FAIL, errno, "the page below the stack");
	top = mmap(t->end - t->page, t->page, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_GROWSDOWN | MAP_STACK, -1,
		0);
	if (top == MAP_FAILED)
		return stress_error(s, STRESS_FAIL, errno, "mmap with MAP_GROWSDOWN");
	return 0;
}

static void destroy(struct state *t)
{
	if (t->base)
		munmap(t->base, space(t));
	t->base = NULL;
}

static uint64_t *words_of(const struct state *t, size_t i)
{
	return (uint64_t *)(void *)(t->end - (i + 1) * t->page);
}

/* Returns the value of the words of page i, counted downwards. */
static uint64_t number(const struct state *t, size_t i)
{
	return (t->s->seed + t->stacks + i) * UINT64_C(0x9e3779b97f4a7c15);
}

static bool is_pause(const struct state *t, size_t i)
{
	return i % PAGES_AT_ONCE == 0 && stress_stopped(t->s);
}

/* Touches page after page, until one faults. */
static void grow(void *arg)
{
	struct state *t = arg;

	for (size_t i = 0; !is_pause(t, i); i++) {
		volatile uint64_t *p = words_of(t, i);

		for (size_t w = 0; w < t->words; w++)
			p[w] = number(t, i);
		t->low = (char *)(uintptr_t)p;
	}
}

/* Returns 1 if the stack has grown to its limit, 0 if the run ends. */
static int grow_to_limit(struct stress *s, struct state *t)
{
	char *limit = t->end - t->limit;
	uint64_t begin_ns = sm_clock_mono_ns();
	struct trap_fault f;

	if (!trap_run(t->base, space(t), grow, t, &f))
		return 0;
	t->ns += sm_clock_mono_ns() - begin_ns;
	t->pages += (size_t)(t->end - t->low) / t->page;
	if (f.signo == SIGSEGV && f.code == SEGV_MAPERR && t->low == limit &&
		f.address / t->page == (uintptr_t)limit / t->page - 1)
		return 1;
	return stress_fail(s,
		"signal %d with code %d when the stack had %zu bytes, not %d with code "
		"%d when it had %zu",
		f.signo, f.code, (size_t)(t->end - t->low), SIGSEGV, SEGV_MAPERR,
		t->limit);
}

/* --- operations on a stack ---------------------------------------------------------- */

static int check_page(struct stress *s, const struct state *t, size_t i, uint64_t want)
{
	const uint64_t *p = words_of(t, i);
	size_t at = 0;

	while (at < t->words && p[at] == want)
		at++;
	if (at == t->words)
		return 0;
	return fault_word(s, "stack: ", (size_t)((const char *)(p + at) - t->low), p + at,
		p[at], want);
}

static int check(struct stress *s, const struct state *t)
{
	size_t pages = t->limit / t->page;
	int r = 0;

	for (size_t i = 0; i < pages && !r && !is_pause(t, i); i++)
		r = check_page(s, t, i, number(t, i));
	return r;
}

/* The mapping above the hole grows into it, with a page of zeros. */
static int unmap_one(struct stress *s, const struct state *t)
{
	size_t i = t->limit / t->page / 2;
	volatile uint64_t *p = words_of(t, i);
	int r;

	if (munmap((void *)(uintptr_t)p, t->page) < 0)
		return stress_error(s, STRESS_FAIL, errno, "munmap of a page");
	r = check_page(s, t, i, 0);
	for (size_t w = 0; w < t->words && !r; w++)
		p[w] = number(t, i);
	return r;
}

static int treat(struct stress *s, const struct state *t)
{
	int r = 0;

	if (s->spoil && t->stacks == 2)
		*words_of(t, 1) ^= 1;
	if (s->value[UNMAP])
		r = unmap_one(s, t);
	if (!r && s->value[MLOCK])
		r = memory_lock(s, t->low, t->limit);
	if (!r && s->value[PAGEOUT])
		memory_advise(s, t->low, t->limit, MADV_PAGEOUT);
	return r ? r : check(s, t);
}

/* --- the run ------------------------------------------------------------------------ */

static int one_stack(struct stress *s, struct state *t)
{
	int r = make(s, t), grown = 0;

	t->stacks++;
	if (!r) {
		grown = grow_to_limit(s, t);
		r = grown > 0 ? treat(s, t) : grown;
	}
	destroy(t);
	if (!r && grown && !stress_stopped(s))
		stress_add(s, 1);
	return r;
}

static int run(struct stress *s)
{
	struct state *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_stack(s, t);
	if (t->pages)
		stress_metric(s, PER_PAGE, (double)t->ns / (double)t->pages);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[BYTES];
}

static const char *probe(const struct stress *s)
{
	(void)s;
#if defined(__hppa__)
	return "stacks of this processor grow upwards";
#else
	return NULL;
#endif
}

/* The limit applies to each stack of the process; its own has grown before. */
static int set_limit(struct stress *s, struct state *t)
{
	struct rlimit is;

	if (getrlimit(RLIMIT_STACK, &is) < 0)
		return stress_error(s, STRESS_FAIL, errno, "getrlimit");
	t->limit = s->value[BYTES] < is.rlim_max ? s->value[BYTES] : is.rlim_max;
	t->limit = t->limit / t->page * t->page;
	if (t->limit < 2 * t->page)
		return stress_skip(s, "the hard limit of a stack is %zu bytes", t->limit);
	is.rlim_cur = t->limit;
	if (setrlimit(RLIMIT_STACK, &is) < 0)
		return stress_error(s, STRESS_FAIL, errno, "setrlimit");
	return 0;
}

static int setup(struct stress *s)
{
	struct state *t = s->data;
	int r;

	t->s = s;
	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->words = s->value[FILL] ? t->page / sizeof(uint64_t) : 1;
	r = set_limit(s, t);
	if (r)
		return r;
	r = trap_open();
	return r ? stress_error(s, STRESS_FAIL, -r, "sigaltstack") : 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_stack_man[] =
	"metric time per page: starting with the first touch, including the fault "
	"at the limit\n"
	"A stack is created with mmap(2) and MAP_GROWSDOWN, and grows like that of "
	"a process.  setrlimit(2) sets the limit for the instance alone, at most "
	"to its hard limit.\n"
	"--pageout: This requires swap space.\n"
	"--unmap: The mapping above the hole grows into it, with a page of zeros.\n";

const struct stressor stressor_stack = {
	.name = "stack",
	.does = "grow stacks to their limit, page by page, until an access faults",
	.op = "one stack is grown to its limit and checked",
	.checks = "the first page beyond the limit faults and no other page does, "
		  "and each page has its contents",
	.caps = STRESSOR_CAP(CAP_IPC_LOCK),
	.pagemap = true,
	.classes = CLASS_VM | CLASS_MEMORY,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.probe = probe,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
