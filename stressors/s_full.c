// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "device/mem.h"
#include "run/parts.h"

#define BYTES 65536u
#define FILL  0xa5

struct full {
	struct parts parts;
	int fd;
	uint64_t random;
	char *buf;
};

static struct full *state_of(const struct parts *p)
{
	return p->s->data;
}

/* Returns a random number from 1 to BYTES. */
static size_t some_bytes(struct full *t)
{
	return (size_t)(stress_random(&t->random) % BYTES) + 1;
}

/* Splits the buffer into two pieces. */
static void split(struct full *t, size_t bytes, struct iovec v[2])
{
	size_t first = (size_t)(stress_random(&t->random) % bytes);

	v[0] = (struct iovec){t->buf, first};
	v[1] = (struct iovec){t->buf + first, bytes - first};
}

/* --- writing ------------------------------------------------------------------------ */

static int write_some(struct parts *p)
{
	struct full *t = state_of(p);

	return parts_refused(
		p, write(t->fd, t->buf, some_bytes(t)), ENOSPC, "write to the device");
}

static int writev_some(struct parts *p)
{
	struct full *t = state_of(p);
	struct iovec v[2];

	split(t, some_bytes(t), v);
	return parts_refused(p, writev(t->fd, v, 2), ENOSPC, "writev to the device");
}

static int pwrite_some(struct parts *p)
{
	struct full *t = state_of(p);
	off_t at = (off_t)some_bytes(t);

	return parts_refused(p, pwrite(t->fd, t->buf, some_bytes(t), at), ENOSPC,
		"pwrite to the device");
}

/* --- reading ------------------------------------------------------------------------ */

/* Checks that the bytes read are zero and the byte after them is unchanged. */
static int check_read(struct parts *p, ssize_t got, size_t bytes)
{
	struct full *t = state_of(p);

	if (got < 0)
		return -errno;
	if ((size_t)got != bytes)
		return parts_wrong(p, "%zd bytes instead of %zu", got, bytes);
	if (parts_spoil(p))
		t->buf[bytes / 2] ^= 1;
	if (!mem_is_zero(t->buf, bytes))
		return parts_wrong(p, "%zu bytes are not all zero", bytes);
	if ((unsigned char)t->buf[bytes] != FILL)
		return parts_wrong(
			p, "more than %zu bytes were written to memory", bytes);
	return 0;
}

/* Fills the buffer with nonzero bytes and returns the number of bytes to read. */
static size_t prepare(struct full *t)
{
	size_t bytes = some_bytes(t);

	memset(t->buf, FILL, bytes + 1);
	return bytes;
}

static int read_some(struct parts *p)
{
	struct full *t = state_of(p);
	size_t bytes = prepare(t);

	return check_read(p, read(t->fd, t->buf, bytes), bytes);
}

static int readv_some(struct parts *p)
{
	struct full *t = state_of(p);
	size_t bytes = prepare(t);
	struct iovec v[2];

	split(t, bytes, v);
	return check_read(p, readv(t->fd, v, 2), bytes);
}

static int pread_some(struct parts *p)
{
	struct full *t = state_of(p);
	size_t bytes = prepare(t);

	return check_read(p, pread(t->fd, t->buf, bytes, (off_t)bytes), bytes);
}

/* --- the rest ----------------------------------------------------------------------- */

/* Seeks always succeed (full(4)). */
static int seek(struct parts *p)
{
	static const int whences[] = {SEEK_SET, SEEK_CUR, SEEK_END};
	struct full *t = state_of(p);

	for (size_t i = 0; i < SM_ARRAY_SIZE(whences); i++)
		if (lseek(t->fd, (off_t)some_bytes(t), whences[i]) < 0)
			return -errno;
	return 0;
}

/* poll(2) never waits. */
static int poll_both(struct parts *p)
{
	struct pollfd f = {.fd = state_of(p)->fd, .events = POLLIN | POLLOUT};
	int n = poll(&f, 1, 0);

	if (n < 0)
		return -errno;
	if (n != 1 || f.revents != (POLLIN | POLLOUT))
		return parts_wrong(p, "%d ready, events %#x", n, (unsigned int)f.revents);
	return 0;
}

/* If the device can be mapped, the mapping is zero, and written data is private. */
static int map(struct parts *p)
{
	int fd = state_of(p)->fd;
	char *m = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	bool zero;

	if (m == MAP_FAILED)
		return errno == ENODEV ? 0 : -errno;
	zero = mem_is_zero(m, BYTES);
	munmap(m, BYTES);
	return zero ? 0 : parts_wrong(p, "a mapping is not zero");
}

static const struct part table[] = {
	{"write", write_some, .absent = {0}},
	{"writev", writev_some, .absent = {0}},
	{"pwrite", pwrite_some, .absent = {0}},
	{"read", read_some, .absent = {0}},
	{"readv", readv_some, .absent = {0}},
	{"pread", pread_some, .absent = {0}},
	{"lseek", seek, .absent = {0}},
	{"poll", poll_both, .absent = {0}},
	{"mmap", map, .absent = {0}},
	{0},
};

static int run(struct stress *s)
{
	struct full *t = s->data;

	return parts_run(&t->parts);
}

static const char *probe(const struct stress *s)
{
	(void)s;
	return mem_device_lacks(MEM_FULL);
}

static int setup(struct stress *s)
{
	struct full *t = s->data;

	t->random = s->seed;
	t->buf = calloc(1, BYTES + 1);
	t->fd = t->buf ? mem_device_open(s, MEM_FULL) : stress_lacks(s, "no memory");
	if (t->fd < 0)
		return -1;
	parts_init(&t->parts, s, table);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_full_man[] =
	"metric time per part: one call with the check of its result\n"
	"metric parts: calls that work on this machine\n"
	"Reads and writes have 1 to 65536 bytes.  If the kernel cannot map the "
	"device, it must return ENODEV.\n";

const struct stressor stressor_full = {
	.name = "full",
	.does = "read, write, seek and map /dev/full",
	.op = "one round of all calls",
	.checks = "each write fails with ENOSPC, data that is read or mapped is "
		  "zero, seeks succeed, and the device is always ready",
	.needs = "/dev/full",
	.classes = CLASS_DEVICE | CLASS_MEMORY | CLASS_OS,
	.metrics = parts_metrics,
	.probe = probe,
	.state = sizeof(struct full),
	.setup = setup,
	.run = run,
};
