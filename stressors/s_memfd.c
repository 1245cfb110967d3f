// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * After the contents are compared, a file gets a hole and seals.  Then operations that
 * seals or a mapping forbid are tried.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared/objects.h"

#define MB    UINT64_C(1048576)
#define FILES 4096u
#define LEAST 4u /* pages of a file: one before the hole, the hole, and two after it */
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

enum { BYTES, FDS };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "set the size of all files together",
		.min = MB, .max = UINT64_C(1) << 42, .normal = 256 * MB, .small = MB,
		.large = 1024 * MB},
	[FDS] = {"fds", STRESSOR_COUNT, "N", "keep N files at a time", .min = 8,
		.max = FILES, .normal = 256, .small = 8, .large = 1024},
	{0},
};

enum { RATE, PER_CREATE };

static const struct stressor_metric metrics[] = {
	[RATE] = {"files", "/s", .mean = MEAN_RATE, .headline = "files/s"},
	[PER_CREATE] = {"time per memfd_create", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

struct state {
	struct objects objects;
	uint64_t created, create_ns;
};

static int create(struct stress *s)
{
	struct state *t = s->data;
	uint64_t begin_ns = sm_clock_mono_ns();
	int fd = memfd_create("stressors", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -errno;
	t->create_ns += sm_clock_mono_ns() - begin_ns;
	t->created++;
	return fd;
}

/* --- holes and seals ---------------------------------------------------------------- */

static const struct objects *objects(const struct stress *s)
{
	const struct state *t = s->data;

	return &t->objects;
}

static int check_hole(struct stress *s, const struct object *o)
{
	const struct objects *t = objects(s);
	const size_t words = t->page / sizeof(*o->map);
	long long begin = (long long)t->page, end = 2 * begin;
	long long hole = lseek(o->fd, 0, SEEK_HOLE),
		  data = lseek(o->fd, begin, SEEK_DATA);

	if (hole != begin || data != end)
		return stress_fail(s, "a hole from %lld to %lld instead of %lld to %lld",
			hole, data, begin, end);
	if (o->map[words])
		return stress_fail(
			s, "%#llx in a hole", (unsigned long long)o->map[words]);
	return o->map[2 * words] == o->key + 2 * words
		       ? 0
		       : stress_fail(s, "the page after a hole has changed");
}

/* The hole is the second page. */
static int make_hole(struct stress *s, const struct object *o)
{
	const struct objects *t = objects(s);

	if (fallocate(o->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)t->page,
		    (off_t)t->page) == 0)
		return check_hole(s, o);
	return stress_error(s, STRESS_FAIL, errno, "fallocate of a hole");
}

static int must_be_refused(struct stress *s, long r, int error, const char *call)
{
	if (r < 0 && errno == error)
		return 0;
	return r < 0 ? stress_error(s, STRESS_FAIL, errno, "%s", call)
		     : stress_fail(s,
			       "%s succeeded, although a seal or a mapping forbids it",
			       call);
}

static int check_seals(struct stress *s, const struct object *o)
{
	const struct objects *t = objects(s);
	int seals = fcntl(o->fd, F_GET_SEALS), r;

	if (seals != SEALS)
		return stress_fail(s, "seals %#x instead of %#x", (unsigned int)seals,
			(unsigned int)SEALS);
	r = must_be_refused(s, pwrite(o->fd, "", 1, 0), EPERM, "a write");
	if (!r)
		r = must_be_refused(
			s, ftruncate(o->fd, (off_t)t->page), EPERM, "a smaller size");
	if (!r)
		r = must_be_refused(s, ftruncate(o->fd, (off_t)(2 * t->bytes)), EPERM,
			"a larger size");
	return r;
}

/* A file with a writable mapping cannot be sealed.  EBUSY without the mapping: the kernel
 * itself uses a page. */
static int seal(struct stress *s, struct object *o)
{
	const struct objects *t = objects(s);
	int r = must_be_refused(
		s, fcntl(o->fd, F_ADD_SEALS, SEALS), EBUSY, "a seal of what is mapped");

	munmap(o->map, t->bytes);
	o->map = NULL;
	if (r)
		return r;
	if (fcntl(o->fd, F_ADD_SEALS, SEALS) == 0)
		return check_seals(s, o);
	return errno == EBUSY ? 0 : stress_error(s, STRESS_FAIL, errno, "F_ADD_SEALS");
}

static int finish(struct stress *s, struct object *o)
{
	int r = make_hole(s, o);

	return r ? r : seal(s, o);
}

/* --- the stressor ------------------------------------------------------------------- */

static int run(struct stress *s)
{
	struct state *t = s->data;
	int r = objects_run(s, &t->objects);
	uint64_t now = sm_clock_mono_ns();

	if (now > s->go_ns)
		stress_metric(s, RATE,
			(double)t->objects.done * 1e9 / (double)(now - s->go_ns));
	if (t->created)
		stress_metric(s, PER_CREATE, (double)t->create_ns / (double)t->created);
	return r;
}

static uint64_t file_bytes(const struct stress *s)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t bytes = s->value[BYTES] / s->value[FDS] / page * page;

	return bytes > LEAST * page ? bytes : LEAST * page;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[FDS] * (file_bytes(s) + sizeof(struct object));
}

static int setup(struct stress *s)
{
	struct state *t = s->data;
	size_t n = s->value[FDS];

	t->objects = (struct objects){.page = (size_t)sysconf(_SC_PAGESIZE),
		.bytes = file_bytes(s),
		.most = (unsigned int)n,
		.call = "memfd_create",
		.create = create,
		.finish = finish};
	t->objects.object = stress_map(s, n * sizeof(*t->objects.object), 0);
	return t->objects.object ? 0 : -1;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_memfd_man[] =
	"--bytes: Each file gets an equal share, at least four pages.\n"
	"--fds: If there are not enough descriptors or memory, fewer files are "
	"created.\n"
	"A file is created with memfd_create(2), its pages are allocated, and it "
	"is mapped and filled.  Later it is mapped a second time and compared, its "
	"second page is replaced by a hole, and it is sealed with F_SEAL_SHRINK, "
	"F_SEAL_GROW and F_SEAL_WRITE.\n";

const struct stressor stressor_memfd = {
	.name = "memfd",
	.does = "create, fill, map and seal files in memory",
	.op = "one file is created, filled, mapped a second time, checked, "
	      "sealed and closed",
	.checks = "a word of each page is intact in the second mapping, the hole is "
		  "at its place and is zero, and operations that a mapping or seals "
		  "forbid fail",
	.classes = CLASS_OS | CLASS_MEMORY,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
