// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A file is read in pieces of odd sizes from its beginning, then at odd offsets.
 * Contents that change cannot be checked.  Some files are constant until the process
 * exits; pieces of them must equal the data that setup has read in one call.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/root.h"
#include "procfs/draw.h"

#define PIECE	       4096u  /* largest piece; rarely a whole number of records */
#define FILE_BYTES     65536u /* most bytes read from a file */
#define OFFSETS	       4
#define CONSTANTS      6
#define CONSTANT_BYTES 8192u
#define CONSTANT_SHARE 8 /* one file in this many is constant */
#define GUARD	       ((char)0xa5)
#define MB	       1048576.0

enum { FILES, BYTES, REFUSED };

static const struct stressor_metric metrics[] = {
	[FILES] = {"files", "/s", .mean = MEAN_RATE, .headline = "files/s"},
	[BYTES] = {"read", "MB/s", .mean = MEAN_RATE},
	[REFUSED] = {"refused files", "", .mean = MEAN_SUM},
	{0},
};

struct constant {
	size_t bytes; /* 0: the file cannot be read here */
	char text[CONSTANT_BYTES];
};

struct procfs {
	struct procfs_tree tree;
	struct constant constant[CONSTANTS];
	uint64_t files, bytes, refused;
	bool spoilt;
	char buf[PIECE + 1];
};

static const char *const constants[CONSTANTS] = {"cmdline", "version", "self/auxv",
	"sys/kernel/osrelease", "sys/kernel/ostype", "sys/kernel/random/boot_id"};

/* --- reading ------------------------------------------------------------------------ */

/* Returns whether the error means that the file vanished, is not readable, or currently
 * has no data. */
static bool is_harmless(int error)
{
	static const int harmless[] = {EACCES, EAGAIN, EBUSY, EINTR, EINVAL, EIO, ENODATA,
		ENODEV, ENOENT, ENOTDIR, ENXIO, EOPNOTSUPP, EOVERFLOW, EPERM, ESPIPE,
		ESRCH};

	for (size_t i = 0; i < SM_ARRAY_SIZE(harmless); i++)
		if (error == harmless[i])
			return true;
	return false;
}

static size_t odd_size(struct procfs *t)
{
	uint64_t random = stress_random(&t->tree.random);

	/* Half of the pieces are small. */
	return (size_t)(random & 1 ? random >> 1 & 63 : (random >> 1) % PIECE) + 1;
}

/* Reads a piece into the buffer, at the file's own offset if `at` is -1.  Returns the
 * number of bytes, -1 after stress_fail() or stress_lacks(), or -errno of a harmless
 * error.  EPERM is -1 as well, so it is returned as EACCES. */
static ssize_t read_piece(
	struct stress *s, int fd, const char *path, size_t size, off_t at)
{
	struct procfs *t = s->data;
	ssize_t n;

	t->buf[size] = GUARD;
	n = at < 0 ? read(fd, t->buf, size) : pread(fd, t->buf, size, at);
	if (n < 0 && is_harmless(errno))
		return errno == EPERM ? -EACCES : -errno;
	if (n < 0)
		return stress_error(s, STRESS_FAIL, errno, "read of %s", path);
	if ((size_t)n > size || t->buf[size] != GUARD)
		return stress_fail(
			s, "%s: %zd bytes were read instead of %zu", path, n, size);
	t->bytes += (uint64_t)n;
	return n;
}

/* Returns the number of bytes read, or like read_piece(). */
static ssize_t read_in_order(struct stress *s, int fd, const char *path)
{
	size_t total = 0;
	ssize_t n = 1;

	while (n > 0 && total < FILE_BYTES && !stress_stopped(s)) {
		n = read_piece(s, fd, path, odd_size(s->data), -1);
		if (n < 0)
			return total && n != -1 ? (ssize_t)total : n;
		total += (size_t)n;
	}
	return (ssize_t)total;
}

/* Reads at offsets within and after the data read before. */
static int read_at_offsets(struct stress *s, int fd, const char *path, size_t total)
{
	struct procfs *t = s->data;

	for (unsigned int i = 0; i < OFFSETS && !stress_stopped(s); i++) {
		off_t at = (off_t)(stress_random(&t->tree.random) % (total + PIECE));
		bool seeks = i % 2 == 0 && lseek(fd, at, SEEK_SET) == at;

		if (read_piece(s, fd, path, odd_size(t), seeks ? -1 : at) == -1)
			return -1;
	}
	return 0;
}

static int read_file(struct stress *s, int fd, const char *path)
{
	struct procfs *t = s->data;
	ssize_t n = read_in_order(s, fd, path);

	if (n == -1)
		return -1;
	if (n < 0) {
		t->refused++;
		return 0;
	}
	if (read_at_offsets(s, fd, path, (size_t)n) < 0)
		return -1;
	t->files++;
	stress_add(s, 1);
	return 0;
}

static int one_file(struct stress *s)
{
	struct procfs *t = s->data;
	uint64_t place = stress_random(&t->tree.random) % PROCFS_PLACES;
	char path[PROCFS_PATH];
	int fd = procfs_draw(&t->tree, s, (enum procfs_place)place, path), r;

	if (fd < 0 && is_harmless(-fd)) {
		t->refused += fd != -ENOENT;
		return 0;
	}
	if (fd < 0)
		return stress_error(s, STRESS_FAIL, -fd, "%s", path);
	r = read_file(s, fd, path);
	close(fd);
	return r;
}

/* --- constant files ----------------------------------------------------------------- */

static int compare(struct stress *s, unsigned int i, size_t at, ssize_t n, size_t size)
{
	struct procfs *t = s->data;
	const struct constant *c = &t->constant[i];
	size_t left = c->bytes - at, want = size < left ? size : left;

	if (s->spoil && !t->spoilt && n > 0) {
		t->buf[0] ^= 1;
		t->spoilt = true;
	}
	/* A read may return less than requested, but not nothing. */
	if (n == 0 || (size_t)n > want)
		return stress_fail(s, "%s: %zd bytes at %zu instead of %zu", constants[i],
			n, at, want);
	if (memcmp(t->buf, c->text + at, (size_t)n) != 0)
		return stress_fail(s,
			"%s: the %zd bytes at %zu differ from those of the setup",
			constants[i], n, at);
	return 0;
}

static int check_pieces(struct stress *s, unsigned int i, int fd)
{
	struct procfs *t = s->data;

	for (unsigned int k = 0; k < OFFSETS; k++) {
		size_t size = odd_size(t);
		size_t at =
			(size_t)(stress_random(&t->tree.random) % t->constant[i].bytes);
		ssize_t n = read_piece(s, fd, constants[i], size, (off_t)at);

		if (n == -1)
			return -1;
		if (n < 0)
			return stress_error(
				s, STRESS_FAIL, (int)-n, "read of %s", constants[i]);
		if (compare(s, i, at, n, size) < 0)
			return -1;
	}
	t->files++;
	stress_add(s, 1);
	return 0;
}

static int one_constant(struct stress *s)
{
	struct procfs *t = s->data;
	unsigned int i = (unsigned int)(stress_random(&t->tree.random) % CONSTANTS);
	int fd, r;

	if (!t->constant[i].bytes)
		return 0;
	fd = sm_at_open(sm_at_fd(t->tree.fd), constants[i], 0);
	if (fd < 0)
		return stress_error(s, STRESS_FAIL, -fd, "%s", constants[i]);
	r = check_pieces(s, i, fd);
	close(fd);
	return r;
}

/* --- the run ------------------------------------------------------------------------ */

static int run(struct stress *s)
{
	struct procfs *t = s->data;
	uint64_t now;
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = stress_random(&t->tree.random) % CONSTANT_SHARE ? one_file(s)
								    : one_constant(s);
	now = sm_clock_mono_ns();
	if (now > s->go_ns) {
		double seconds = (double)(now - s->go_ns) / 1e9;

		stress_metric(s, FILES, (double)t->files / seconds);
		stress_metric(s, BYTES, (double)t->bytes / MB / seconds);
	}
	stress_metric(s, REFUSED, (double)t->refused);
	return r;
}

static const char *probe(const struct stress *s)
{
	struct sm_root root;
	bool has;

	(void)s;
	if (sm_root_open(&root, NULL) < 0)
		return "there is no /proc";
	has = root.real_proc;
	sm_root_close(&root);
	return has ? NULL : "/proc is not a procfs";
}

/* A file that is not readable or too long is not compared. */
static void read_constants(struct procfs *t)
{
	for (unsigned int i = 0; i < CONSTANTS; i++) {
		struct constant *c = &t->constant[i];
		ssize_t n = sm_file_slurp_bytes(
			sm_at_fd(t->tree.fd), constants[i], c->text, CONSTANT_BYTES);

		if (n > 0 && n < CONSTANT_BYTES)
			c->bytes = (size_t)n;
	}
}

static int open_tree(struct stress *s, struct procfs_tree *t)
{
	struct sm_root root;
	struct stat st;
	int r = sm_root_open(&root, NULL);

	if (r < 0)
		return stress_error(s, STRESS_SKIP, -r, "/proc");
	t->fd = sm_root_open_proc(&root, ".", O_DIRECTORY);
	sm_root_close(&root);
	if (t->fd < 0 || fstat(t->fd, &st) < 0)
		return stress_error(s, STRESS_SKIP, t->fd < 0 ? -t->fd : errno, "/proc");
	t->device = st.st_dev;
	t->random = s->seed;
	return 0;
}

static int setup(struct stress *s)
{
	struct procfs *t = s->data;
	int r;

	t->tree.fd = -1;
	t->tree.buf = malloc(PROCFS_BUF);
	r = t->tree.buf ? open_tree(s, &t->tree) : stress_lacks(s, "no memory");
	if (r)
		return r;
	read_constants(t);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_procfs_man[] =
	"metric refused files: files that vanish, are not readable, or return an "
	"error\n"
	"Files are drawn from /proc, /proc/sys, the instance's own process and "
	"other processes.  At most 64 KiB of each file are read.  The following "
	"files are not read: links; files that are mounted below /proc; files "
	"without read permission for any user; files whose read waits or has an "
	"effect, which are those named mem, kcore, vmcore, kmsg, event, channel, "
	"pagetypeinfo and stat_refresh, and those that end with _pipe; files in "
	"directories of drivers and file systems, which are all directories of "
	"/proc except irq, pressure, sys, sysvipc and those of processes; and "
	"files of other processes that make the process wait, which are all except "
	"cgroup, comm, io, limits, oom_score, sched, schedstat, stat, statm and "
	"status.\n";

const struct stressor stressor_procfs = {
	.name = "procfs",
	.does = "read files in /proc in pieces of odd sizes and at odd offsets",
	.op = "one file is read",
	.checks = "pieces of constant files equal the data read at the start; no "
		  "read returns more than requested; errors occur only for files "
		  "that vanish or are not readable",
	.needs = "/proc",
	.classes = CLASS_FILESYSTEM | CLASS_OS,
	.metrics = metrics,
	.probe = probe,
	.state = sizeof(struct procfs),
	.setup = setup,
	.run = run,
};
