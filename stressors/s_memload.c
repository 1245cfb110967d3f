// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/capability.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "run/stress.h"
#include "memory/area.h"
#include "memory/fault.h"
#include "memory/rate.h"

#define PAGE_WORDS (MEMORY_PAGE / sizeof(uint64_t))
#define LINE_WORDS (64u / sizeof(uint64_t))
#define PAGE_LINES (PAGE_WORDS / LINE_WORDS)
/* Work at each wakeup: few wakeups, and few bytes at a time. */
#define CHUNK_NS    (5 * SM_NSEC_PER_MSEC)
#define CHUNK_BYTES (4u << 20)
/* Without touching, interval in which the instance checks for the end of the run. */
#define NAP_NS (20 * SM_NSEC_PER_MSEC)
/* Interval in which the kernel is queried for the resident pages. */
#define LOOK_NS	   SM_NSEC_PER_SEC
#define LOOK_PAGES 4096u
/* Duration of the last check, when the time is over. */
#define LAST_CHECK_NS (20 * SM_NSEC_PER_MSEC)
#define MB	      ((uint64_t)1 << 20)

enum { BYTES, TOUCH, LOCK };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "hold this amount of memory",
		.min = MEMORY_PAGE, .max = (uint64_t)1 << 42, .normal = 256 * MB,
		.small = 4 * MB, .large = 4096 * MB},
	[TOUCH] = {"touch", STRESSOR_COUNT, "N",
		"read and write one cache line per page in N MB of pages per "
		"second; 0: only hold the memory",
		.max = 100000, .normal = 100},
	[LOCK] = {"lock", STRESSOR_FLAG, NULL, "lock the memory", .max = 1},
	{0},
};

enum { RESIDENT, TOUCHED };

static const struct stressor_metric metrics[] = {
	[RESIDENT] = {"resident", "MB", .mean = MEAN_SUM, .headline = "MB resident"},
	[TOUCHED] = {"touched", "MB/s", .mean = MEAN_RATE},
	{0},
};

struct state {
	uint64_t *p;
	size_t pages, at; /* number of pages; the next one to touch */
	uint64_t passes;
	uint64_t bytes, rest; /* bytes touched; those that do not yet make up an op */
	uint64_t next_look;
};

static uint64_t memory(const struct stress *s)
{
	return s->value[BYTES];
}

/* Returns the value of all words of a page.  No two pages are equal, so they cannot be
 * merged. */
static uint64_t number(const struct stress *s, size_t page)
{
	return (s->seed + page) * 0x9e3779b97f4a7c15u;
}

static void fill(const struct stress *s, const struct state *st)
{
	for (size_t i = 0; i < st->pages; i++) {
		if (i % 64 == 0 && stress_stopped(s))
			return;
		memory_fill(st->p + i * PAGE_WORDS, PAGE_WORDS, number(s, i));
	}
	memory_fence();
}

static int setup(struct stress *s)
{
	struct state *st = s->data;

	st->pages = (size_t)s->value[BYTES] / MEMORY_PAGE;
	st->p = stress_map(s, st->pages * MEMORY_PAGE, MADV_HUGEPAGE);
	if (!st->p)
		return -1;
	fill(s, st);
	return s->value[LOCK] ? memory_lock(s, st->p, st->pages * MEMORY_PAGE) : 0;
}

static int check(
	struct stress *s, const struct state *st, size_t page, size_t first, size_t words)
{
	const uint64_t *p = st->p + page * PAGE_WORDS + first;
	uint64_t want = number(s, page);
	size_t at = memory_differs(p, words, want);

	if (at == words)
		return 0;
	return fault_word(s, "", (page * PAGE_WORDS + first + at) * sizeof(*p), p + at,
		p[at], want);
}

/* Touches another line in each pass. */
static int touch(struct stress *s, struct state *st, size_t n)
{
	size_t first = st->passes % PAGE_LINES * LINE_WORDS;

	for (size_t i = st->at; i < st->at + n; i++) {
		volatile uint64_t *p = st->p + i * PAGE_WORDS + first;

		if (check(s, st, i, first, LINE_WORDS))
			return -1;
		*p = number(s, i);
	}
	st->at += n;
	if (st->at == st->pages) {
		st->at = 0;
		st->passes++;
	}
	return 0;
}

static size_t resident_bytes(void *p, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), found = 0;
	size_t n = (bytes + page - 1) / page;
	unsigned char in[LOOK_PAGES];

	if (mincore(p, bytes, in) < 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		found += in[i] & 1;
	return found * page < bytes ? found * page : bytes;
}

/* Counts resident pages; swapped pages are not resident. */
static void look(struct stress *s, struct state *st, uint64_t now)
{
	size_t found = 0, n;

	if (now < st->next_look)
		return;
	st->next_look = now + LOOK_NS;
	for (size_t i = 0; i < st->pages && !stress_stopped(s); i += n) {
		n = st->pages - i < LOOK_PAGES ? st->pages - i : LOOK_PAGES;
		found += resident_bytes(st->p + i * PAGE_WORDS, n * MEMORY_PAGE);
	}
	if (stress_stopped(s))
		return;
	stress_metric(s, RESIDENT, (double)found / (double)MB);
	if (s->value[TOUCH] == 0)
		stress_add(s, 1);
}

static void count(struct stress *s, struct state *st, uint64_t bytes)
{
	st->bytes += bytes;
	st->rest += bytes;
	if (st->rest >= MB)
		stress_add(s, st->rest / MB);
	st->rest %= MB;
}

/* Touches at most one chunk of pages. */
static int touch_chunk(struct stress *s, struct state *st, uint64_t bytes)
{
	size_t n = (size_t)bytes / MEMORY_PAGE, left = st->pages - st->at;
	int r;

	n = n < left ? n : left;
	r = touch(s, st, n);
	count(s, st, n * MEMORY_PAGE);
	return r;
}

static int touch_all_the_time(struct stress *s, struct state *st)
{
	uint64_t begin = sm_clock_mono_ns(), now = begin, chunk, before;
	struct rate rate;
	int r = 0;

	rate_init(&rate, s->value[TOUCH]);
	rate_begin(&rate, begin);
	chunk = rate_chunk(&rate, CHUNK_NS, MEMORY_PAGE, CHUNK_BYTES);
	while (r == 0 && stress_goes_on(s)) {
		look(s, st, now);
		before = st->bytes;
		r = touch_chunk(s, st, chunk);
		rate_done(&rate, st->bytes - before);
		if (!stress_goes_on(s))
			break;
		rate_wait(&rate);
		now = sm_clock_mono_ns();
	}
	now = sm_clock_mono_ns();
	now = now > rate.due ? now : rate.due;
	stress_metric(s, TOUCHED,
		(double)st->bytes / (double)MB / ((double)(now - s->go_ns) / 1e9));
	return r;
}

static void hold(struct stress *s, struct state *st)
{
	const struct timespec nap = {0, NAP_NS};

	while (stress_goes_on(s)) {
		look(s, st, sm_clock_mono_ns());
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
	}
	stress_metric(s, TOUCHED, 0);
}

/* Checks all pages until the deadline, starting with those that were not touched for the
 * longest time. */
static int last_check(struct stress *s, const struct state *st)
{
	uint64_t deadline = sm_clock_mono_ns() + LAST_CHECK_NS;
	int r = 0;

	for (size_t i = 0; r == 0 && i < st->pages; i++) {
		if (i % 64 == 0 && sm_clock_mono_ns() > deadline)
			break;
		r = check(s, st, (st->at + i) % st->pages, 0, PAGE_WORDS);
	}
	return r;
}

static int run(struct stress *s)
{
	struct state *st = s->data;
	int r = 0;

	/* The setup may have been cut short. */
	if (!stress_goes_on(s))
		return 0;
	if (s->spoil)
		st->p[st->pages / 2 * PAGE_WORDS] ^= 1;
	if (s->value[TOUCH])
		r = touch_all_the_time(s, st);
	else
		hold(s, st);
	return r ? r : last_check(s, st);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_memload_man[] =
	"metric resident: amount of resident memory, measured with mincore(2)\n"
	"All pages have different contents, so the kernel cannot merge them.  "
	"The check at the end takes at most 20 ms.\n"
	"--bytes: Each instance has its own memory.\n";

const struct stressor stressor_memload = {
	.name = "memload",
	.does = "hold memory and touch it at a given rate, with little CPU load",
	.op = "1 MB of pages is touched; otherwise one second in which the "
	      "memory is held",
	.checks = "the contents of touched memory, and of all memory at the end",
	.caps = STRESSOR_CAP(CAP_IPC_LOCK),
	.pagemap = true,
	.classes = CLASS_MEMORY | CLASS_VM,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
