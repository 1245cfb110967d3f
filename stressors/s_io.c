// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A block of a file is written, committed to the disk with one of several calls,
 * removed from the page cache and read again.  The file is small, so the commit takes
 * most of the time.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "disk/block.h"
#include "disk/file.h"
#include "disk/io.h"
#include "run/stress.h"

#define BLOCK_BYTES 4096u
#define BLOCKS	    64u

enum { METHOD };
enum method { ALL, FSYNC, FDATASYNC, RANGE, SYNCFS, SYNC, METHODS };

static const char *const methods[] = {[ALL] = "all",
	[FSYNC] = "fsync",
	[FDATASYNC] = "fdatasync",
	[RANGE] = "sync_file_range",
	[SYNCFS] = "syncfs",
	[SYNC] = "sync",
	[METHODS] = NULL};

static const struct stressor_opt opts[] = {
	[METHOD] = {"method", STRESSOR_CHOICE, "METHOD",
		"select the call that commits the data", .max = METHODS - 1,
		.choices = methods},
	{0},
};

#define TIME_PER(call)                                          \
	{                                                       \
		"time per " call, "ns", .mean = MEAN_ARITHMETIC \
	}

static const struct stressor_metric metrics[] = {
	[0] = {"commits", "/s", .mean = MEAN_RATE, .headline = "commits/s"},
	[FSYNC] = TIME_PER("fsync"),
	[FDATASYNC] = TIME_PER("fdatasync"),
	[RANGE] = TIME_PER("sync_file_range"),
	[SYNCFS] = TIME_PER("syncfs"),
	[SYNC] = TIME_PER("sync"),
	{0},
};

struct state {
	int fd;
	unsigned char *buf; /* a block */
	uint64_t done, calls[METHODS], ns[METHODS];
};

/* --- the calls ---------------------------------------------------------------------- */

static int commit_fsync(int fd, off_t at)
{
	(void)at;
	return fsync(fd);
}

static int commit_fdatasync(int fd, off_t at)
{
	(void)at;
	return fdatasync(fd);
}

static int commit_range(int fd, off_t at)
{
	return sync_file_range(fd, at, BLOCK_BYTES,
		SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
			SYNC_FILE_RANGE_WAIT_AFTER);
}

static int commit_syncfs(int fd, off_t at)
{
	(void)at;
	return syncfs(fd);
}

static int commit_sync(int fd, off_t at)
{
	(void)fd;
	(void)at;
	sync();
	return 0;
}

static int commit(struct stress *s, enum method method, uint64_t at)
{
	static int (*const calls[])(int fd, off_t at) = {
		[FSYNC] = commit_fsync,
		[FDATASYNC] = commit_fdatasync,
		[RANGE] = commit_range,
		[SYNCFS] = commit_syncfs,
		[SYNC] = commit_sync,
	};
	struct state *t = s->data;
	uint64_t begin_ns = sm_clock_mono_ns();

	if (calls[method](t->fd, (off_t)at) < 0)
		return stress_error(s, errno == ENOSYS ? STRESS_SKIP : STRESS_FAIL, errno,
			"%s", methods[method]);
	t->ns[method] += sm_clock_mono_ns() - begin_ns;
	t->calls[method]++;
	return 0;
}

/* --- an op -------------------------------------------------------------------------- */

/* Methods used by all: they commit no files of other file systems. */
static enum method method_of(const struct stress *s, uint64_t op)
{
	enum method asked = (enum method)s->value[METHOD];

	return asked == ALL ? (enum method)(FSYNC + op % (SYNCFS - FSYNC + 1)) : asked;
}

static int write_block(struct stress *s, uint64_t at, uint64_t key)
{
	const struct state *t = s->data;
	int r;

	disk_block_fill(t->buf, BLOCK_BYTES, key);
	if (s->spoil && t->done == 2)
		t->buf[0] ^= 1;
	r = disk_io_write(t->fd, 0, t->buf, BLOCK_BYTES, at);
	return r ? stress_error(s, STRESS_FAIL, -r, "write") : 0;
}

/* A clean page is removed from the page cache and read from the disk. */
static int check_block(struct stress *s, uint64_t at, uint64_t key)
{
	const struct state *t = s->data;
	int r = -posix_fadvise(t->fd, (off_t)at, BLOCK_BYTES, POSIX_FADV_DONTNEED);
	size_t wrong;

	if (r)
		return stress_error(s, STRESS_FAIL, -r, "posix_fadvise");
	r = disk_io_read(t->fd, 0, t->buf, BLOCK_BYTES, at);
	if (r)
		return stress_error(s, STRESS_FAIL, -r, "read");
	wrong = disk_block_check(t->buf, BLOCK_BYTES, key);
	if (wrong == BLOCK_BYTES)
		return 0;
	return stress_fail(s, "byte %llu of the file is not the one that was written",
		(unsigned long long)at + wrong);
}

static int op(struct stress *s)
{
	struct state *t = s->data;
	uint64_t block = t->done % BLOCKS, at = block * BLOCK_BYTES;
	uint64_t key = disk_block_key(s->seed, block, t->done);
	int r = write_block(s, at, key);

	if (!r)
		r = commit(s, method_of(s, t->done), at);
	if (!r)
		r = check_block(s, at, key);
	if (r)
		return r;
	t->done++;
	stress_add(s, 1);
	return 0;
}

/* --- the stressor ------------------------------------------------------------------- */

static void report(struct stress *s)
{
	const struct state *t = s->data;
	uint64_t now = sm_clock_mono_ns();

	if (now > s->go_ns)
		stress_metric(s, 0, (double)t->done * 1e9 / (double)(now - s->go_ns));
	for (unsigned int i = FSYNC; i < METHODS; i++)
		if (t->calls[i])
			stress_metric(s, i, (double)t->ns[i] / (double)t->calls[i]);
}

static int run(struct stress *s)
{
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = op(s);
	report(s);
	return r;
}

static int make_file(struct stress *s, struct state *t)
{
	int r;

	t->fd = disk_file_open(s->scratch_fd, 0);
	if (t->fd < 0)
		return stress_error(s, STRESS_FAIL, -t->fd, "open");
	r = disk_file_allocate(t->fd, BLOCKS * BLOCK_BYTES);
	return r ? stress_error(s, STRESS_FAIL, -r, "allocation of the file") : 0;
}

static int setup(struct stress *s)
{
	struct state *t = s->data;

	t->fd = -1;
	t->buf = stress_map(s, BLOCK_BYTES, 0);
	return t->buf ? make_file(s, t) : -1;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_io_man[] =
	"--method fsync, fdatasync: commit the file, or only its data\n"
	"--method sync_file_range: commits only the block, without the metadata of "
	"the file\n"
	"--method syncfs: commits all files on the file system of --temp-path, "
	"including those of other programs\n"
	"--method sync: commits all files on all file systems; an instance stops "
	"only when the call returns, which may take long\n"
	"--method all: uses each of these in turn, except sync\n";

const struct stressor stressor_io = {
	.name = "io",
	.letter = 'i',
	.does = "commit written data to the disk",
	.op = "one block of 4 KB is written, committed and read",
	.checks = "all bytes of each block, which the kernel reads from the disk again",
	.needs = "a directory in which files can be created (--temp-path)",
	.scratch = true,
	.classes = CLASS_IO | CLASS_FILESYSTEM | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
