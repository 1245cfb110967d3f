// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes map overlapping parts of one file: each process maps each page of it four
 * times.  To write a page back, the kernel has to find all these mappings.
 *
 * A page has a mark of each process, with a rising number.  A process records in shared
 * memory which number it is about to write, and which it has written to each page.  A
 * mark seen by others must lie between these two.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "disk/file.h"
#include "run/team.h"

#define PROCESSES  16u
#define MAPPINGS   64u
#define PAGES	   4u /* pages of a mapping, which begins one page after the previous one */
#define GAP	   1u /* address space between two mappings, in pages */
#define FILE_PAGES (MAPPINGS + PAGES - 1)
#define MARK_BYTES 64u
#define SYNC_EVERY 256u /* in ops of a process */
/* Page tables and private pages of a process. */
#define PROCESS_BYTES UINT64_C(131072)

enum { RATE, PER_SYNC };

static const struct stressor_metric metrics[] = {
	[RATE] = {"mappings", "/s", .mean = MEAN_RATE, .headline = "mappings/s"},
	[PER_SYNC] = {"time per msync", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

/* Data written by one process. */
struct own {
	_Alignas(64) _Atomic uint64_t next; /* number it is about to write */
	_Atomic uint64_t written[FILE_PAGES];
	uint64_t syncs, ns;
};

struct common {
	atomic_flag syncs; /* set while a process is in msync(2) */
	struct own own[PROCESSES];
};

struct rmap {
	struct common *common;
	size_t page; /* bytes per page */
	char *base;  /* address of the first mapping */
	int fd;
};

typedef _Atomic uint64_t mark;

static mark *mark_at(const struct rmap *t, unsigned int mapping, unsigned int page,
	unsigned int process)
{
	char *p = t->base + (size_t)mapping * (PAGES + GAP) * t->page;

	return (mark *)(void *)(p + (page - mapping) * t->page + process * MARK_BYTES);
}

static uint64_t mark_of(uint64_t number, unsigned int page, unsigned int process)
{
	return (number * FILE_PAGES + page) * PROCESSES + process;
}

/* --- checks ------------------------------------------------------------------------- */

static int check_mark(struct stress *s, const struct rmap *t, unsigned int mapping,
	unsigned int page, unsigned int process)
{
	const struct own *own = &t->common->own[process];
	uint64_t low = atomic_load_explicit(&own->written[page], memory_order_acquire);
	uint64_t is = atomic_load_explicit(
		mark_at(t, mapping, page, process), memory_order_acquire);
	uint64_t high = atomic_load_explicit(&own->next, memory_order_relaxed);
	uint64_t number = is / PROCESSES / FILE_PAGES;

	if (number >= low && number <= high &&
		is == (number ? mark_of(number, page, process) : 0))
		return 0;
	return stress_fail(s,
		"page %u: mark %#llx instead of one of process %u from number %llu to "
		"%llu",
		page, (unsigned long long)is, process, (unsigned long long)low,
		(unsigned long long)high);
}

/* Checks all marks of a page, through any mapping that contains it. */
static int check_page(
	struct stress *s, const struct rmap *t, unsigned int page, uint64_t *random)
{
	unsigned int first = page < PAGES ? 0 : page - PAGES + 1;
	unsigned int last = page < MAPPINGS ? page : MAPPINGS - 1;
	unsigned int mapping =
		first + (unsigned int)(stress_random(random) % (last - first + 1));
	int r = 0;

	for (unsigned int i = 0; i < PROCESSES && !r; i++)
		r = check_mark(s, t, mapping, page, i);
	return r;
}

/* Checks that the file contains the last mark written by this process. */
static int check_file(struct stress *s, const struct rmap *t, unsigned int page,
	unsigned int number, uint64_t want)
{
	uint64_t is = 0;
	ssize_t n = pread(
		t->fd, &is, sizeof(is), (off_t)(page * t->page + number * MARK_BYTES));

	if (n < 0)
		return stress_error(s, STRESS_FAIL, errno, "pread");
	if (n == (ssize_t)sizeof(is) && is == want)
		return 0;
	return stress_fail(s, "page %u of the file: mark %#llx instead of %#llx", page,
		(unsigned long long)is, (unsigned long long)want);
}

/* --- a process ---------------------------------------------------------------------- */

static uint64_t write_page(const struct stress *s, const struct rmap *t,
	unsigned int mapping, unsigned int page, unsigned int number)
{
	struct own *own = &t->common->own[number];
	uint64_t next = atomic_load_explicit(&own->next, memory_order_relaxed) + 1;
	uint64_t is = mark_of(next, page, number);

	atomic_store_explicit(&own->next, next, memory_order_relaxed);
	if (s->spoil && number == 0 && next > PAGES)
		is++;
	atomic_store_explicit(
		mark_at(t, mapping, page, number), is, memory_order_release);
	atomic_store_explicit(&own->written[page], next, memory_order_release);
	return mark_of(next, page, number);
}

static int write_mapping(struct stress *s, const struct rmap *t, unsigned int mapping,
	unsigned int number, uint64_t *random)
{
	int r = 0;

	for (unsigned int i = 0; i < PAGES && !r; i++) {
		(void)write_page(s, t, mapping, mapping + i, number);
		r = check_page(s, t, mapping + i, random);
	}
	return r;
}

/* Only one process at a time calls msync(2), so the end of the run waits for at most one
 * call. */
static int sync_mapping(
	struct stress *s, const struct rmap *t, unsigned int mapping, unsigned int number)
{
	struct own *own = &t->common->own[number];
	uint64_t begin_ns, is;
	int r;

	if (atomic_flag_test_and_set(&t->common->syncs))
		return 0;
	is = write_page(s, t, mapping, mapping, number);
	begin_ns = sm_clock_mono_ns();
	r = msync(t->base + (size_t)mapping * (PAGES + GAP) * t->page, PAGES * t->page,
		MS_SYNC);
	r = r < 0 ? stress_error(s, STRESS_FAIL, errno, "msync") : 0;
	own->ns += sm_clock_mono_ns() - begin_ns;
	own->syncs++;
	atomic_flag_clear(&t->common->syncs);
	return r ? r : check_file(s, t, mapping, number, is);
}

static int work(struct stress *s, unsigned int number, void *data)
{
	const struct rmap *t = data;
	uint64_t random = s->seed;
	int r = 0;

	for (uint64_t i = 0; !r && stress_goes_on(s); i++) {
		unsigned int mapping = (unsigned int)(stress_random(&random) % MAPPINGS);

		r = write_mapping(s, t, mapping, number, &random);
		if (!r && i % SYNC_EVERY == number)
			r = sync_mapping(s, t, mapping, number);
		if (!r)
			stress_add(s, 1);
	}
	return r;
}

/* --- the stressor ------------------------------------------------------------------- */

static int run(struct stress *s)
{
	struct rmap *t = s->data;
	const struct team_plan plan = {TEAM_PROCESSES, PROCESSES, work, t};
	int r = team_run(s, &plan);
	uint64_t now = sm_clock_mono_ns(), syncs = 0, ns = 0;

	for (unsigned int i = 0; i < PROCESSES; i++) {
		syncs += t->common->own[i].syncs;
		ns += t->common->own[i].ns;
	}
	if (now > s->go_ns)
		stress_metric(s, RATE,
			(double)atomic_load(&s->slot->ops) * 1e9 /
				(double)(now - s->go_ns));
	if (syncs)
		stress_metric(s, PER_SYNC, (double)ns / (double)syncs);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	(void)s;
	return FILE_PAGES * (uint64_t)sysconf(_SC_PAGESIZE) + PROCESSES * PROCESS_BYTES;
}

/* Maps at a reserved address, or anywhere. */
static void *map(struct stress *s, void *at, size_t bytes, int prot, int flags, int fd,
	off_t offset)
{
	void *p = mmap(at, bytes, prot, flags, fd, offset);

	if (p != MAP_FAILED)
		return p;
	stress_error(s, errno == ENODEV ? STRESS_SKIP : STRESS_FAIL, errno, "mmap");
	return NULL;
}

static int map_file(struct stress *s, struct rmap *t)
{
	const size_t distance = (PAGES + GAP) * t->page;

	t->base = map(s, NULL, MAPPINGS * distance, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!t->base)
		return -1;
	for (unsigned int i = 0; i < MAPPINGS; i++)
		if (!map(s, t->base + i * distance, PAGES * t->page,
			    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, t->fd,
			    (off_t)(i * t->page)))
			return -1;
	return 0;
}

static int setup(struct stress *s)
{
	struct rmap *t = s->data;
	int r;

	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->fd = disk_file_open(s->scratch_fd, 0);
	if (t->fd < 0)
		return stress_error(s, STRESS_FAIL, -t->fd, "open");
	r = disk_file_allocate(t->fd, FILE_PAGES * t->page);
	if (r)
		return stress_error(s, STRESS_FAIL, -r, "allocation of the file");
	t->common = map(s, NULL, sizeof(*t->common), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return t->common ? map_file(s, t) : -1;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_rmap_man[] =
	"metric time per msync: four pages, with MS_SYNC\n"
	"An instance has 16 processes, which share 64 mappings of a file of 67 "
	"pages.  Each mapping has four pages and begins one page after the "
	"previous one.  A process writes its mark to each page of a mapping and "
	"checks the marks of all processes there through another mapping.  After "
	"every 256 mappings it calls msync(2), unless another process is in this "
	"call; so the end of the run waits for at most one call.\n";

const struct stressor stressor_rmap = {
	.name = "rmap",
	.does = "write to overlapping mappings of a file from several processes",
	.op = "four pages are written in one mapping and seen in another",
	.checks = "each page has the marks of all processes, and the file has them "
		  "after msync(2)",
	.needs = "a directory in which files can be created (--temp-path)",
	.scratch = true,
	.classes = CLASS_OS | CLASS_MEMORY,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct rmap),
	.setup = setup,
	.run = run,
};
