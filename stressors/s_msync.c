// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pages of a mapped file are written in random order, each once per pass: first in
 * the file, then in memory.  The expected contents of a page follow from its place and
 * the pass in which it was last written.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "disk/block.h"
#include "disk/file.h"
#include "disk/io.h"
#include "disk/order.h"
#include "run/stress.h"

#define MB (UINT64_C(1) << 20)
/* Number of other pages checked in each op; after a slow op, more are checked for a part
 * of its time.  A change in a page is thus found long before the page is written. */
#define LOOK	  4u
#define LOOK_PART 8u
#define LOOK_NS	  (2 * SM_NSEC_PER_MSEC)

enum { BYTES };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE",
		"set the size of the file and of its mapping", .min = 64 * 1024,
		.max = UINT64_C(1) << 42, .normal = 256 * MB, .small = MB,
		.large = 1024 * MB, .size = STRESSOR_OF_BOTH},
	{0},
};

enum { RATE, PER_CALL };
enum call { SYNC, INVALIDATE, CALLS };

static const struct stressor_metric metrics[] = {
	[RATE] = {"pages", "/s", .mean = MEAN_RATE, .headline = "pages/s"},
	[PER_CALL + SYNC] = {"time per MS_SYNC", "ns", .mean = MEAN_ARITHMETIC},
	[PER_CALL +
		INVALIDATE] = {"time per MS_INVALIDATE", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

struct state {
	int fd;
	unsigned char *map, *buf; /* buf has one page */
	size_t page;
	uint64_t pages; /* pages in the file */
	struct disk_order order;
	uint64_t pass, place; /* pass and place of the next op */
	uint64_t looked;      /* next page to check */
	uint64_t done, ns[CALLS];
};

/* --- page contents ------------------------------------------------------------------ */

enum written { IN_FILE, IN_MEMORY };

static uint64_t key_of(
	const struct stress *s, uint64_t page, uint64_t pass, enum written last)
{
	return disk_block_key(s->seed, page, 2 * pass + last);
}

static int page_is_wrong(struct stress *s, uint64_t page, size_t at, const char *where)
{
	const struct state *t = s->data;

	return stress_fail(s, "byte %llu of %s is not the one that was written",
		(unsigned long long)page * t->page + at, where);
}

static int check(
	struct stress *s, const void *p, uint64_t page, uint64_t key, const char *where)
{
	const struct state *t = s->data;
	size_t at = disk_block_check(p, t->page, key);

	return at == t->page ? 0 : page_is_wrong(s, page, at, where);
}

/* Checks a page between its ops; before the first op, it is zero. */
static int check_kept(struct stress *s, uint64_t page)
{
	const struct state *t = s->data;
	const unsigned char *p = t->map + page * t->page;
	bool is_done = disk_order_of(&t->order, page) < t->place;
	uint64_t pass = is_done ? t->pass : t->pass - 1;
	size_t at;

	if (pass)
		return check(s, p, page, key_of(s, page, pass, IN_MEMORY), "the mapping");
	at = disk_block_check_zero(p, t->page);
	return at == t->page ? 0 : page_is_wrong(s, page, at, "the mapping");
}

static int look_at(struct stress *s, unsigned int pages)
{
	struct state *t = s->data;
	int r = 0;

	for (unsigned int i = 0; i < pages && !r; i++) {
		r = check_kept(s, t->looked);
		t->looked = (t->looked + 1) % t->pages;
	}
	return r;
}

/* Checks other pages after an op of this duration. */
static int look_around(struct stress *s, uint64_t op_ns)
{
	uint64_t ns = op_ns / LOOK_PART < LOOK_NS ? op_ns / LOOK_PART : LOOK_NS;
	uint64_t end_ns = sm_clock_mono_ns() + ns;
	int r;

	do {
		r = look_at(s, LOOK);
	} while (!r && sm_clock_mono_ns() < end_ns);
	return r;
}

/* --- an op -------------------------------------------------------------------------- */

static int call(struct stress *s, uint64_t page, enum call which)
{
	static const int flags[] = {[SYNC] = MS_SYNC, [INVALIDATE] = MS_INVALIDATE};
	static const char *const names[] = {
		[SYNC] = "MS_SYNC", [INVALIDATE] = "MS_INVALIDATE"};
	struct state *t = s->data;
	uint64_t begin_ns = sm_clock_mono_ns();

	if (msync(t->map + page * t->page, t->page, flags[which]) < 0)
		return stress_error(s, STRESS_FAIL, errno, "msync with %s", names[which]);
	t->ns[which] += sm_clock_mono_ns() - begin_ns;
	return 0;
}

/* Writes first to the file: on a full disk this fails, while a store to the mapping would
 * cause SIGBUS. */
static int file_to_memory(struct stress *s, uint64_t page)
{
	const struct state *t = s->data;
	uint64_t key = key_of(s, page, t->pass, IN_FILE);
	int r;

	disk_block_fill(t->buf, t->page, key);
	r = disk_io_write(t->fd, 0, t->buf, t->page, page * t->page);
	if (r)
		return stress_error(s, STRESS_FAIL, -r, "write");
	r = call(s, page, INVALIDATE);
	return r ? r : check(s, t->map + page * t->page, page, key, "the mapping");
}

static int memory_to_file(struct stress *s, uint64_t page)
{
	const struct state *t = s->data;
	unsigned char *p = t->map + page * t->page;
	uint64_t key = key_of(s, page, t->pass, IN_MEMORY);
	int r;

	disk_block_fill(p, t->page, key);
	if (s->spoil && t->done == 2)
		*p ^= 1;
	r = call(s, page, SYNC);
	if (r)
		return r;
	r = disk_io_read(t->fd, 0, t->buf, t->page, page * t->page);
	if (r)
		return stress_error(s, STRESS_FAIL, -r, "read");
	return check(s, t->buf, page, key, "the file");
}

static int op(struct stress *s)
{
	struct state *t = s->data;
	uint64_t page = disk_order_at(&t->order, t->place);
	uint64_t begin_ns = sm_clock_mono_ns();
	int r = check_kept(s, page);

	if (!r)
		r = file_to_memory(s, page);
	if (!r)
		r = memory_to_file(s, page);
	if (r)
		return r;
	t->place++;
	t->done++;
	stress_add(s, 1);
	return look_around(s, sm_clock_mono_ns() - begin_ns);
}

/* --- the stressor ------------------------------------------------------------------- */

static void report(struct stress *s)
{
	const struct state *t = s->data;
	uint64_t now = sm_clock_mono_ns();

	if (now > s->go_ns)
		stress_metric(s, RATE, (double)t->done * 1e9 / (double)(now - s->go_ns));
	for (unsigned int i = 0; i < CALLS && t->done; i++)
		stress_metric(s, PER_CALL + i, (double)t->ns[i] / (double)t->done);
}

static int run(struct stress *s)
{
	struct state *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		if (t->place == t->pages) {
			t->place = 0;
			t->pass++;
		}
		r = op(s);
	}
	report(s);
	return r;
}

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static uint64_t disk(const struct stress *s)
{
	return s->value[BYTES];
}

static uint64_t memory(const struct stress *s)
{
	return s->value[BYTES] + page_bytes();
}

static int map_file(struct stress *s, struct state *t)
{
	size_t bytes = t->pages * t->page;
	void *p;
	int r;

	t->fd = disk_file_open(s->scratch_fd, 0);
	if (t->fd < 0)
		return stress_error(s, STRESS_FAIL, -t->fd, "open");
	r = disk_file_allocate(t->fd, bytes);
	if (r)
		return stress_error(s, STRESS_FAIL, -r, "allocation of the file");
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, t->fd, 0);
	if (p == MAP_FAILED)
		return stress_error(s, errno == ENODEV ? STRESS_SKIP : STRESS_FAIL, errno,
			"mmap of the file");
	t->map = p;
	return 0;
}

static int setup(struct stress *s)
{
	struct state *t = s->data;

	t->fd = -1;
	t->page = page_bytes();
	t->pages = s->value[BYTES] / t->page;
	t->pass = 1;
	disk_order_init(&t->order, t->pages, s->seed);
	t->buf = stress_map(s, t->page, 0);
	return t->buf ? map_file(s, t) : -1;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_msync_man[] =
	"metric time per MS_SYNC: one page\n"
	"A page is written to the file, msync(2) is called with MS_INVALIDATE, and "
	"the mapping is compared.  Then the page is written in the mapping, "
	"msync(2) is called with MS_SYNC, and the file is read and compared.  To "
	"find bits that change in the meantime, the page is also checked before "
	"these steps, and four other pages after them (more if the op took long).\n";

const struct stressor stressor_msync = {
	.name = "msync",
	.does = "write pages of a mapped file, in turn through the file and the "
		"mapping",
	.op = "one page is written to the file, seen in memory, written in "
	      "memory and read from the file",
	.checks = "the page has the right contents in each step, and it and other "
		  "pages have not changed since they were written",
	.needs = "a directory in which files can be created (--temp-path)",
	.scratch = true,
	.classes = CLASS_VM | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.disk = disk,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
