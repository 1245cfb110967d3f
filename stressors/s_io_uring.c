// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A round writes all blocks of the file with requests that are submitted together, and
 * then reads them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "disk/block.h"
#include "disk/file.h"
#include "run/stress.h"
#include "uring/uring.h"

enum { ENTRIES };

static const struct stressor_opt opts[] = {
	{"entries", STRESSOR_COUNT, "N", "submit N requests together", .min = 1,
		.max = 1024, .normal = 64, .small = 1, .large = 1024},
	{0},
};

enum { RATE, PER_WRITE, PER_READ };

static const struct stressor_metric metrics[] = {
	[RATE] = {"requests", "/s", .mean = MEAN_RATE, .headline = "requests/s"},
	[PER_WRITE] = {"time per write", "ns", .mean = MEAN_ARITHMETIC},
	[PER_READ] = {"time per read", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

#define BLOCK_BYTES 4096u
#define SPOILT	    1 /* in rounds */

struct io_uring {
	struct uring ring;
	int fd;
	unsigned int n; /* number of blocks */
	char *buf;
	struct iovec *block; /* blocks in buf */
	uint64_t *seen;	     /* last round in which the request had a result */
	uint64_t rounds, ns[2];
};

static uint64_t key_of(const struct stress *s, const struct io_uring *t, unsigned int i)
{
	return disk_block_key(s->seed, i, t->rounds);
}

static void prepare(struct io_uring *t, unsigned int i, uint8_t call)
{
	struct io_uring_sqe *q = uring_prepare(&t->ring);

	q->opcode = call;
	q->fd = t->fd;
	q->off = (uint64_t)i * BLOCK_BYTES;
	q->addr = (uint64_t)(uintptr_t)&t->block[i];
	q->len = 1;
	q->user_data = i;
}

static int check_result(struct stress *s, struct io_uring *t,
	const struct io_uring_cqe *c, const char *name, uint64_t phase)
{
	if (c->user_data >= t->n)
		return stress_fail(s, "a result of request %llu, which was not submitted",
			(unsigned long long)c->user_data);
	if (t->seen[c->user_data] == phase)
		return stress_fail(s, "two results of %s %llu", name,
			(unsigned long long)c->user_data);
	t->seen[c->user_data] = phase;
	/* Nothing cancels requests: the kernel could create no thread for this one
	 * (RLIMIT_NPROC). */
	if (c->res == -ECANCELED)
		return stress_lacks(s, "%s: %s", name, strerror(ECANCELED));
	if (c->res < 0)
		return stress_error(s, STRESS_FAIL, -c->res, "%s", name);
	return c->res == (int)BLOCK_BYTES ? 0
					  : stress_fail(s, "%s: %d bytes instead of %u",
						    name, c->res, BLOCK_BYTES);
}

/* Submits one request for each block; phase is a number that is used only once. */
static int submit(struct stress *s, struct io_uring *t, uint8_t call, const char *name,
	uint64_t phase)
{
	uint64_t begin_ns = sm_clock_mono_ns();
	struct io_uring_cqe c;
	unsigned int n = 0;
	int r;

	for (unsigned int i = 0; i < t->n; i++)
		prepare(t, i, call);
	r = uring_submit(&t->ring);
	if (r)
		return stress_error(s, STRESS_FAIL, -r, "io_uring_enter");
	t->ns[call == IORING_OP_READV] += sm_clock_mono_ns() - begin_ns;
	while (r == 0 && uring_take(&t->ring, &c)) {
		r = check_result(s, t, &c, name, phase);
		n++;
	}
	if (r == 0 && n != t->n)
		r = stress_fail(s, "%u results of %u requests", n, t->n);
	return r;
}

static int write_all(struct stress *s, struct io_uring *t)
{
	for (unsigned int i = 0; i < t->n; i++)
		disk_block_fill(t->block[i].iov_base, BLOCK_BYTES, key_of(s, t, i));
	return submit(s, t, IORING_OP_WRITEV, "write", 2 * t->rounds + 1);
}

static int read_all(struct stress *s, struct io_uring *t)
{
	int r;

	memset(t->buf, 0, (size_t)t->n * BLOCK_BYTES);
	r = submit(s, t, IORING_OP_READV, "read", 2 * t->rounds + 2);
	if (r)
		return r;
	if (s->spoil && t->rounds == SPOILT)
		t->buf[BLOCK_BYTES / 2] ^= 1;
	for (unsigned int i = 0; i < t->n; i++) {
		size_t wrong = disk_block_check(
			t->block[i].iov_base, BLOCK_BYTES, key_of(s, t, i));

		if (wrong < BLOCK_BYTES)
			return stress_fail(s,
				"block %u, byte %zu is not as it was written", i, wrong);
	}
	return 0;
}

static void report(struct stress *s, const struct io_uring *t)
{
	double requests = (double)t->rounds * t->n;
	uint64_t now = sm_clock_mono_ns();

	if (!t->rounds)
		return;
	stress_metric(s, RATE, 2 * requests * 1e9 / (double)(now - s->go_ns));
	stress_metric(s, PER_WRITE, (double)t->ns[0] / requests);
	stress_metric(s, PER_READ, (double)t->ns[1] / requests);
}

static int run(struct stress *s)
{
	struct io_uring *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		r = write_all(s, t);
		if (r || stress_stopped(s))
			break;
		r = read_all(s, t);
		t->rounds++;
		if (r == 0)
			stress_add(s, 1);
	}
	report(s, t);
	return r;
}

static uint64_t disk(const struct stress *s)
{
	return s->value[ENTRIES] * BLOCK_BYTES;
}

/* Rings and buffers. */
static uint64_t memory(const struct stress *s)
{
	return s->value[ENTRIES] * 2 * BLOCK_BYTES + 1048576;
}

static const char *probe(const struct stress *s)
{
	int r = uring_try();

	(void)s;
	if (r == -ENOSYS)
		return "this kernel has no io_uring (CONFIG_IO_URING), or it is filtered "
		       "here";
	return r == -EPERM || r == -EACCES
		       ? "io_uring is not permitted here (kernel.io_uring_disabled)"
		       : NULL;
}

static int make_blocks(struct stress *s, struct io_uring *t)
{
	t->n = (unsigned int)s->value[ENTRIES];
	t->block = calloc(t->n, sizeof(*t->block));
	t->seen = calloc(t->n, sizeof(*t->seen));
	if (!t->block || !t->seen)
		return stress_lacks(s, "no memory");
	t->buf = stress_map(s, (size_t)t->n * BLOCK_BYTES, 0);
	if (!t->buf)
		return -1;
	for (unsigned int i = 0; i < t->n; i++)
		t->block[i] =
			(struct iovec){t->buf + (size_t)i * BLOCK_BYTES, BLOCK_BYTES};
	return 0;
}

static int setup(struct stress *s)
{
	struct io_uring *t = s->data;
	int r = make_blocks(s, t);

	if (r)
		return r;
	t->fd = disk_file_open(s->scratch_fd, 0);
	if (t->fd < 0)
		return stress_error(s, STRESS_FAIL, -t->fd, "the file");
	r = disk_file_allocate(t->fd, (uint64_t)t->n * BLOCK_BYTES);
	if (r < 0)
		return stress_error(s, STRESS_FAIL, -r, "allocation of the file");
	r = uring_open(&t->ring, t->n);
	return r < 0 ? stress_error(s, STRESS_SKIP, -r, "the rings") : 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_io_uring_man[] =
	"metric time per write: time until all requests submitted together have "
	"completed, divided by their number\n"
	"Each request transfers a block of 4096 bytes.  The file has as many "
	"blocks as there are entries.\n";

const struct stressor stressor_io_uring = {
	.name = "io-uring",
	.does = "write and read a file with requests in io_uring(7) rings",
	.op = "one round: all blocks of the file are written, then read",
	.checks = "each request has exactly one result with the right size, and each "
		  "block has the right bytes",
	.needs = "io_uring (CONFIG_IO_URING), and a directory for its file (--temp-path)",
	.scratch = true,
	.classes = CLASS_IO | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.disk = disk,
	.probe = probe,
	.state = sizeof(struct io_uring),
	.setup = setup,
	.run = run,
};
