// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A round creates the directories, looks up each of them, reads all entries and removes
 * the directories.  The supervisor removes those of a round that was cut off.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "run/stress.h"

enum { DIRS };

static const struct stressor_opt opts[] = {
	{"dirs", STRESSOR_COUNT, "N", "keep N directories at a time", .min = 64,
		.max = 65536, .normal = 1024, .small = 64, .large = 8192},
	{0},
};

enum { RATE, PER_STEP };
enum step { MAKE, LOOK_UP, READ, REMOVE, STEPS };

static const struct stressor_metric metrics[] = {
	[RATE] = {"directories", "/s", .mean = MEAN_RATE, .headline = "directories/s"},
	[PER_STEP + MAKE] = {"time per mkdir", "ns", .mean = MEAN_ARITHMETIC},
	[PER_STEP + LOOK_UP] = {"time per lookup", "ns", .mean = MEAN_ARITHMETIC},
	[PER_STEP + READ] = {"time per entry", "ns", .mean = MEAN_ARITHMETIC},
	[PER_STEP + REMOVE] = {"time per rmdir", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

#define DISK_BYTES   UINT64_C(4096) /* disk space of a directory, in most file systems */
#define MEMORY_BYTES UINT64_C(1024) /* memory of a directory in the kernel's caches */
#define READ_BYTES   32768u
#define NAME_SIZE    16u

/* Identity of a directory at its creation, and the round in which it was read. */
struct made {
	uint64_t inode;
	uint64_t read_in;
};

struct dirs {
	struct made *made;
	unsigned int n; /* number of directories in this round */
	uint64_t round;
	uint64_t done[STEPS], ns[STEPS];
	char *buf;
};

static const char *name_of(unsigned int i, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "%08x", i);
	return name;
}

/* Returns the number in a name, or UINT32_MAX for another name. */
static uint32_t number_of(const char *name)
{
	char *end;
	unsigned long v = strtoul(name, &end, 16);

	return strlen(name) == 8 && !*end && v < UINT32_MAX ? (uint32_t)v : UINT32_MAX;
}

/* --- the steps ---------------------------------------------------------------------- */

typedef int step_function(struct stress *s, struct dirs *d, unsigned int i);

static int make_one(struct stress *s, struct dirs *d, unsigned int i)
{
	char name[NAME_SIZE];
	struct stat st;

	if (mkdirat(s->scratch_fd, name_of(i, name), 0700) < 0)
		return stress_error(s, errno == EMLINK ? STRESS_SKIP : STRESS_FAIL, errno,
			"mkdir of directory %u", i);
	if (fstatat(s->scratch_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return stress_error(s, STRESS_FAIL, errno, "directory %u was created", i);
	d->made[i].inode = st.st_ino;
	return 0;
}

static int look_up_one(struct stress *s, struct dirs *d, unsigned int i)
{
	char name[NAME_SIZE];
	struct stat st;

	if (fstatat(s->scratch_fd, name_of(i, name), &st, AT_SYMLINK_NOFOLLOW) < 0)
		return stress_error(s, STRESS_FAIL, errno,
			"directory %u was created but not removed", i);
	if (S_ISDIR(st.st_mode) && st.st_ino == d->made[i].inode)
		return 0;
	return stress_fail(s,
		"directory %u is a different one: inode %llu instead of %llu, mode "
		"%o",
		i, (unsigned long long)st.st_ino, (unsigned long long)d->made[i].inode,
		st.st_mode);
}

static int remove_one(struct stress *s, struct dirs *d, unsigned int i)
{
	char name[NAME_SIZE];
	struct stat st;

	(void)d;
	if (unlinkat(s->scratch_fd, name_of(i, name), AT_REMOVEDIR) < 0)
		return stress_error(s, STRESS_FAIL, errno, "rmdir of directory %u", i);
	if (fstatat(s->scratch_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return stress_fail(s, "directory %u still exists after its removal", i);
	stress_add(s, 1);
	return 0;
}

static int each(struct stress *s, struct dirs *d, enum step step, step_function *function)
{
	uint64_t begin_ns = sm_clock_mono_ns();
	unsigned int i;
	int r = 0;

	for (i = 0; i < d->n && r == 0 && !stress_stopped(s); i++)
		r = function(s, d, i);
	d->ns[step] += sm_clock_mono_ns() - begin_ns;
	d->done[step] += i;
	return r;
}

/* Returns how many of the directories were found, or -1. */
static int read_entries(struct stress *s, struct dirs *d, struct sm_dir *dir)
{
	const char *name;
	int n = 0;

	while (!stress_stopped(s) && (name = sm_dir_next(dir)) != NULL) {
		uint32_t i = number_of(name);

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		if (i >= d->n)
			return stress_fail(s, "unexpected entry: %.32s", name);
		if (d->made[i].read_in == d->round)
			return stress_fail(s, "directory %u was read twice", i);
		d->made[i].read_in = d->round;
		n++;
	}
	if (dir->err)
		return stress_error(
			s, STRESS_FAIL, -dir->err, "reading of the directory");
	return n;
}

static int read_all(struct stress *s, struct dirs *d)
{
	uint64_t begin_ns = sm_clock_mono_ns();
	struct sm_dir dir;
	int n, r = sm_dir_open(&dir, sm_at_fd(s->scratch_fd), ".", d->buf, READ_BYTES);

	if (r < 0)
		return stress_error(s, STRESS_FAIL, -r, "opening of the directory");
	n = read_entries(s, d, &dir);
	sm_dir_close(&dir);
	if (n < 0)
		return n;
	d->ns[READ] += sm_clock_mono_ns() - begin_ns;
	d->done[READ] += (unsigned int)n;
	if ((unsigned int)n == d->n || stress_stopped(s))
		return 0;
	return stress_fail(s, "%d of %u directories were read", n, d->n);
}

/* --- rounds ------------------------------------------------------------------------- */

static void spoil(struct stress *s, const struct dirs *d)
{
	char name[NAME_SIZE];

	if (s->spoil && d->round == 2)
		(void)unlinkat(s->scratch_fd, name_of(d->n / 2, name), AT_REMOVEDIR);
}

/* Creates no more directories than ops are left. */
static unsigned int size_of_round(const struct stress *s)
{
	uint64_t left =
		s->ops_max - atomic_load_explicit(&s->slot->ops, memory_order_relaxed);

	return (unsigned int)(left < s->value[DIRS] ? left : s->value[DIRS]);
}

static int one_round(struct stress *s, struct dirs *d)
{
	int r;

	d->n = size_of_round(s);
	d->round++;
	r = each(s, d, MAKE, make_one);
	if (r == 0)
		spoil(s, d);
	if (r == 0)
		r = each(s, d, LOOK_UP, look_up_one);
	if (r == 0 && !stress_stopped(s))
		r = read_all(s, d);
	if (r == 0)
		r = each(s, d, REMOVE, remove_one);
	return r;
}

static void report(struct stress *s, const struct dirs *d)
{
	uint64_t now = sm_clock_mono_ns();

	if (now > s->go_ns)
		stress_metric(s, RATE,
			(double)d->done[REMOVE] * 1e9 / (double)(now - s->go_ns));
	for (unsigned int i = 0; i < STEPS; i++)
		if (d->done[i])
			stress_metric(
				s, PER_STEP + i, (double)d->ns[i] / (double)d->done[i]);
}

static int run(struct stress *s)
{
	struct dirs *d = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = one_round(s, d);
	report(s, d);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[DIRS] * (MEMORY_BYTES + sizeof(struct made));
}

static uint64_t disk(const struct stress *s)
{
	return s->value[DIRS] * DISK_BYTES;
}

static int setup(struct stress *s)
{
	struct dirs *d = s->data;

	d->made = calloc(s->value[DIRS], sizeof(*d->made));
	d->buf = malloc(READ_BYTES);
	return d->made && d->buf ? 0 : stress_lacks(s, "no memory");
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_dir_man[] =
	"metric time per mkdir: each call with the check of its effect\n"
	"An instance performs each step for all its directories before the next "
	"step, so the time of a step depends on the number of directories.  The "
	"directories of the last round are removed when the time is over.\n";

const struct stressor stressor_dir = {
	.name = "dir",
	.does = "create, look up, read and remove directories",
	.op = "one directory is created, looked up, read as an entry and removed",
	.checks = "each directory is found with the identity that it was created "
		  "with, is read exactly once, and is gone after its removal",
	.needs = "a directory in which others can be created (--temp-path)",
	.scratch = true,
	.classes = CLASS_FILESYSTEM | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.disk = disk,
	.state = sizeof(struct dirs),
	.setup = setup,
	.run = run,
};
