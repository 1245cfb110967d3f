// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/mem.h"

#define BYTES	  65536u
#define STEP	  512u /* greatest distance between marks */
#define MARK	  ((char)0xa5)
#define MAP_EVERY 64 /* in ops */

enum { RATE, PER_READ };

static const struct stressor_metric metrics[] = {
	[RATE] = {"read", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
	[PER_READ] = {"time per read", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

struct zero {
	int fd;
	uint64_t reads, ns;
	char *buf;
};

/* Writes marks to the buffer, which the read must overwrite. */
static void mark(char *buf)
{
	for (size_t i = 0; i < BYTES; i += STEP)
		buf[i] = MARK;
	buf[BYTES - 1] = MARK;
}

static int read_once(struct stress *s)
{
	struct zero *t = s->data;
	uint64_t begin_ns, end_ns;
	ssize_t n;

	mark(t->buf);
	begin_ns = sm_clock_mono_ns();
	n = read(t->fd, t->buf, BYTES);
	end_ns = sm_clock_mono_ns();
	if (n < 0)
		return stress_error(s, STRESS_FAIL, errno, "read");
	if (n != BYTES)
		return stress_fail(s, "%zd bytes were read instead of %u", n, BYTES);
	t->ns += end_ns - begin_ns;
	t->reads++;
	stress_step(s, end_ns, 0);
	if (s->spoil && t->reads == 2)
		t->buf[BYTES / 2] ^= 1;
	return mem_is_zero(t->buf, BYTES)
		       ? 0
		       : stress_fail(s, "%u bytes are not all zero", BYTES);
}

/* Data written to an earlier mapping is not visible in this one. */
static int map_once(struct stress *s)
{
	const struct zero *t = s->data;
	char *m = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, t->fd, 0);
	bool zero;

	if (m == MAP_FAILED)
		return stress_error(s, STRESS_FAIL, errno, "mmap");
	zero = mem_is_zero(m, BYTES);
	mark(m);
	munmap(m, BYTES);
	return zero ? 0 : stress_fail(s, "a mapping is not all zero");
}

/* All data is accepted and has no effect. */
static int write_once(struct stress *s)
{
	const struct zero *t = s->data;
	ssize_t n = write(t->fd, t->buf, BYTES);

	if (n < 0)
		return stress_error(s, STRESS_FAIL, errno, "write");
	return n == BYTES
		       ? 0
		       : stress_fail(s, "%zd bytes were written instead of %u", n, BYTES);
}

static int run(struct stress *s)
{
	struct zero *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		if (t->reads % MAP_EVERY == 0)
			r = map_once(s);
		if (r == 0 && t->reads % MAP_EVERY == 0)
			r = write_once(s);
		if (r == 0)
			r = read_once(s);
		if (r == 0)
			stress_add(s, 1);
	}
	if (t->ns) {
		stress_metric(s, RATE,
			(double)t->reads * BYTES * 1e3 / (double)t->ns *
				stress_share(s, 0));
		stress_metric(s, PER_READ, (double)t->ns / (double)t->reads);
	}
	return r;
}

static const char *probe(const struct stress *s)
{
	(void)s;
	return mem_device_lacks(MEM_ZERO);
}

static int setup(struct stress *s)
{
	struct zero *t = s->data;

	t->buf = calloc(1, BYTES);
	t->fd = t->buf ? mem_device_open(s, MEM_ZERO) : stress_lacks(s, "no memory");
	return t->fd < 0 ? -1 : 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_zero_man[] =
	"metric read: measured over the time of the reads; 1 MB is 10^6 bytes\n"
	"metric time per read: one read of 65536 bytes\n"
	"The device is also mapped and written, once per 64 ops.\n";

const struct stressor stressor_zero = {
	.name = "zero",
	.does = "read, map and write /dev/zero",
	.op = "one read of 65536 bytes",
	.checks = "all data that is read or mapped is zero, and all written data is "
		  "accepted",
	.needs = "/dev/zero",
	.classes = CLASS_DEVICE | CLASS_MEMORY | CLASS_OS,
	.metrics = metrics,
	.probe = probe,
	.state = sizeof(struct zero),
	.setup = setup,
	.run = run,
};
