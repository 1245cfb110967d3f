// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fcntl/fcntl.h"

/* Values of linux/fcntl.h, which cannot be included together with fcntl.h. */
#define SEAL_FUTURE_WRITE 0x10
#define SEAL_EXEC	  0x20
#define GET_RW_HINT	  1035
#define SET_RW_HINT	  1036
#define GET_FILE_RW_HINT  1037
#define SET_FILE_RW_HINT  1038
#define HINT_EXTREME	  5 /* the last of the hints, which begin with 0: not set */
#define NO_HINT		  1000

/* --- pipes -------------------------------------------------------------------------- */

static int has_pages(struct parts *p, int fd, size_t pages)
{
	size_t want = pages * fcntl_state(p)->page_bytes;
	int got = fcntl_get(fd, F_GETPIPE_SZ);

	if (got < 0)
		return got;
	return (size_t)got == want ? 0
				   : parts_wrong(p, "%d bytes instead of %zu", got, want);
}

/* Fills a pipe that has room for one more page. */
static int fill_page(struct parts *p, int fd)
{
	const struct fcntl_state *t = fcntl_state(p);
	ssize_t n = write(fd, t->page, t->page_bytes);

	if (n < 0)
		return -errno;
	if ((size_t)n != t->page_bytes)
		return parts_wrong(
			p, "%zd bytes were written instead of %zu", n, t->page_bytes);
	return parts_refused(p, write(fd, t->page, 1), EAGAIN, "write to a full pipe");
}

static int resize(struct parts *p, int fd)
{
	int page = (int)fcntl_state(p)->page_bytes, r = fcntl_set(fd, F_SETPIPE_SZ, page);

	if (r < 0)
		return r;
	r = has_pages(p, fd, 1);
	if (!r)
		r = fill_page(p, fd);
	if (r)
		return r;
	r = fcntl_set(fd, F_SETPIPE_SZ, 2 * page);
	/* The user's pipes have as much memory as is permitted (pipe(7)). */
	if (r == -EPERM)
		return 0;
	if (r < 0)
		return r;
	r = has_pages(p, fd, 2);
	if (!r)
		r = fill_page(p, fd);
	if (!r)
		r = parts_refused(p, fcntl(fd, F_SETPIPE_SZ, page), EBUSY,
			"a size below the content");
	return r;
}

int fcntl_pipe_size(struct parts *p)
{
	int fd[2], r;

	if (pipe2(fd, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	r = resize(p, fd[1]);
	close(fd[0]);
	close(fd[1]);
	return r;
}

/* --- seals -------------------------------------------------------------------------- */

/* Creates a file in memory, with one page and without seals. */
static int make_sealable(struct parts *p)
{
	int fd = memfd_create("stress-fcntl", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)fcntl_state(p)->page_bytes) < 0) {
		int err = -errno;

		close(fd);
		return err;
	}
	return fd;
}

static int add_seal(struct parts *p, int fd, int seal)
{
	int before = fcntl_get(fd, F_GET_SEALS), r, got;

	if (before < 0)
		return before;
	r = fcntl_set(fd, F_ADD_SEALS, seal);
	if (r < 0)
		return r;
	got = fcntl_get(fd, F_GET_SEALS);
	if (got < 0)
		return got;
	if (got != (before | seal))
		return parts_wrong(p, "seals %#x instead of %#x", got, before | seal);
	return 0;
}

static int seal_all(struct parts *p, int fd)
{
	const struct fcntl_state *t = fcntl_state(p);
	off_t bytes = (off_t)t->page_bytes;
	int r = add_seal(p, fd, F_SEAL_GROW);

	if (!r)
		r = parts_refused(
			p, ftruncate(fd, 2 * bytes), EPERM, "F_SEAL_GROW: growth");
	if (!r)
		r = add_seal(p, fd, F_SEAL_SHRINK);
	if (!r)
		r = parts_refused(p, ftruncate(fd, 0), EPERM, "F_SEAL_SHRINK: shrinking");
	if (!r)
		r = add_seal(p, fd, F_SEAL_WRITE);
	if (!r)
		r = parts_refused(
			p, pwrite(fd, t->page, 1, 0), EPERM, "F_SEAL_WRITE: write");
	if (!r)
		r = add_seal(p, fd, F_SEAL_SEAL);
	if (!r)
		r = parts_refused(p, fcntl(fd, F_ADD_SEALS, F_SEAL_GROW), EPERM,
			"F_SEAL_SEAL: a further seal");
	return r;
}

/* Checks that a mapping made before the seal can still be written, but the file
 * cannot. */
static int seal_future(struct parts *p, int fd)
{
	const struct fcntl_state *t = fcntl_state(p);
	char *map = mmap(NULL, t->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	char byte = 0;
	int r;

	if (map == MAP_FAILED)
		return -errno;
	r = add_seal(p, fd, SEAL_FUTURE_WRITE);
	*map = 'x';
	munmap(map, t->page_bytes);
	if (!r)
		r = parts_refused(p, pwrite(fd, t->page, 1, 0), EPERM, "write");
	if (!r && pread(fd, &byte, 1, 0) < 0)
		r = -errno;
	if (!r && byte != 'x')
		r = parts_wrong(p, "a write to an earlier mapping is lost");
	return r;
}

static int seal_mode(struct parts *p, int fd)
{
	int r = (int)parts_result(fchmod(fd, 0600));

	if (!r)
		r = add_seal(p, fd, SEAL_EXEC);
	return r ? r : parts_refused(p, fchmod(fd, 0700), EPERM, "chmod");
}

static int with_sealable(struct parts *p, int (*use)(struct parts *p, int fd))
{
	int fd = make_sealable(p), r;

	if (fd < 0)
		return fd;
	r = use(p, fd);
	close(fd);
	return r;
}

int fcntl_seals(struct parts *p)
{
	return with_sealable(p, seal_all);
}

int fcntl_seal_future_write(struct parts *p)
{
	return with_sealable(p, seal_future);
}

int fcntl_seal_exec(struct parts *p)
{
	return with_sealable(p, seal_mode);
}

/* --- hints -------------------------------------------------------------------------- */

struct hint {
	int set, get;
	bool of_inode; /* other open files of the inode also have it */
};

static int reads_hint(struct parts *p, int fd, int command, uint64_t want)
{
	uint64_t got = NO_HINT;

	if (fcntl(fd, command, &got) < 0)
		return -errno;
	if (got != want)
		return parts_wrong(p, "hint %llu instead of %llu",
			(unsigned long long)got, (unsigned long long)want);
	return 0;
}

static int set_hint(struct parts *p, const struct hint *h, uint64_t value)
{
	const struct fcntl_state *t = fcntl_state(p);
	int r;

	if (fcntl(t->a, h->set, &value) < 0)
		return -errno;
	r = reads_hint(p, t->a, h->get, value);
	return r ? r : reads_hint(p, t->b, h->get, h->of_inode ? value : 0);
}

/* Sets all hints, and at last the one that means "not set". */
static int set_hints(struct parts *p, const struct hint *h)
{
	uint64_t bad = NO_HINT;
	int r = 0;

	for (uint64_t i = 0; i <= HINT_EXTREME && !r; i++)
		r = set_hint(p, h, HINT_EXTREME - i);
	if (!r)
		r = parts_refused(
			p, fcntl(fcntl_state(p)->a, h->set, &bad), EINVAL, "a bad hint");
	return r;
}

int fcntl_rw_hint(struct parts *p)
{
	static const struct hint hint = {SET_RW_HINT, GET_RW_HINT, .of_inode = true};

	return set_hints(p, &hint);
}

int fcntl_file_rw_hint(struct parts *p)
{
	static const struct hint hint = {SET_FILE_RW_HINT, GET_FILE_RW_HINT, false};

	return set_hints(p, &hint);
}
