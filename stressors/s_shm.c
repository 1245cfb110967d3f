// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The name of an object is removed as soon as there is a descriptor, so that its memory
 * ends with the process.  All objects of an instance have the same name: if an instance
 * was killed between the two calls, the next one removes the name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/objects.h"

#define MB	UINT64_C(1048576)
#define OBJECTS 131072u
#define TRIES	100u /* attempts while another run of the user has the name */

enum { BYTES, OBJS };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "set the size of each object",
		.min = 64 * 1024, .max = UINT64_C(1) << 42, .normal = 8 * MB,
		.small = 64 * 1024, .large = 64 * MB},
	[OBJS] = {"objs", STRESSOR_COUNT, "N", "keep N objects at a time", .min = 1,
		.max = OBJECTS, .normal = 32, .small = 2, .large = 128},
	{0},
};

enum { RATE, PER_OPEN, PER_UNLINK };

static const struct stressor_metric metrics[] = {
	[RATE] = {"objects", "/s", .mean = MEAN_RATE, .headline = "objects/s"},
	[PER_OPEN] = {"time per shm_open", "ns", .mean = MEAN_ARITHMETIC},
	[PER_UNLINK] = {"time per shm_unlink", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

struct state {
	struct objects objects;
	char name[48];
	uint64_t open_ns, unlink_ns;
};

static int open_new(const struct state *t)
{
	int fd = -1;

	for (unsigned int i = 0; i < TRIES && fd < 0; i++) {
		fd = shm_open(t->name, O_RDWR | O_CREAT | O_EXCL, 0600);
		if (fd < 0 &&
			(errno != EEXIST || (shm_unlink(t->name) < 0 && errno != ENOENT)))
			break;
	}
	return fd;
}

/* Creates an object and removes its name. */
static int create(struct stress *s)
{
	struct state *t = s->data;
	uint64_t begin_ns = sm_clock_mono_ns(), open_ns;
	int fd = open_new(t);

	if (fd < 0)
		return -errno;
	open_ns = sm_clock_mono_ns();
	/* Another run of the user may have removed the name. */
	if (shm_unlink(t->name) < 0 && errno != ENOENT)
		return stress_error(s, STRESS_FAIL, errno, "shm_unlink");
	t->open_ns += open_ns - begin_ns;
	t->unlink_ns += sm_clock_mono_ns() - open_ns;
	return fd;
}

static int check_state(struct stress *s, struct object *o)
{
	const struct state *t = s->data;
	struct stat is;

	if (fstat(o->fd, &is) < 0)
		return stress_error(s, STRESS_FAIL, errno, "fstat");
	if ((size_t)is.st_size == t->objects.bytes && is.st_nlink == 0)
		return 0;
	return stress_fail(s, "an object has %lld bytes and %lu names",
		(long long)is.st_size, (unsigned long)is.st_nlink);
}

static int run(struct stress *s)
{
	struct state *t = s->data;
	int r = objects_run(s, &t->objects);
	double made = (double)t->objects.made, done = (double)t->objects.done;
	uint64_t now = sm_clock_mono_ns();

	if (now > s->go_ns)
		stress_metric(s, RATE, done * 1e9 / (double)(now - s->go_ns));
	if (t->objects.made) {
		stress_metric(s, PER_OPEN, (double)t->open_ns / made);
		stress_metric(s, PER_UNLINK, (double)t->unlink_ns / made);
	}
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[OBJS] * (s->value[BYTES] + sizeof(struct object));
}

static int setup(struct stress *s)
{
	struct state *t = s->data;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	t->objects = (struct objects){.page = page,
		.bytes = s->value[BYTES] / page * page,
		.most = (unsigned int)s->value[OBJS],
		.call = "shm_open",
		.create = create,
		.finish = check_state};
	snprintf(t->name, sizeof(t->name), "/stressors-shm-%u-%u",
		(unsigned int)geteuid(), s->instance);
	t->objects.object = stress_map(s, s->value[OBJS] * sizeof(*t->objects.object), 0);
	return t->objects.object ? 0 : -1;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_shm_man[] =
	"metric time per shm_open: with O_CREAT\n"
	"--objs: If there is not enough memory, as in a small /dev/shm, fewer "
	"objects are created.\n"
	"The name of an object, stressors-shm-UID-INSTANCE, is removed as soon as "
	"the object is open.  An instance that is killed between these two calls "
	"leaves an empty file in /dev/shm, which the next run removes.\n";

const struct stressor stressor_shm = {
	.name = "shm",
	.does = "create, fill, map and remove POSIX shared memory",
	.op = "one object is created, filled, mapped a second time, checked and "
	      "removed",
	.checks = "a word of each page is intact in the second mapping, the size is "
		  "right, and no name remains",
	.needs = "/dev/shm",
	.classes = CLASS_VM | CLASS_OS | CLASS_IPC,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
