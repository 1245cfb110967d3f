// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/mem.h"

#define BYTES	   65536u
#define READ_EVERY 64 /* in ops */

enum { PER_WRITE };

static const struct stressor_metric metrics[] = {
	[PER_WRITE] = {"time per write", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per write"},
	{0},
};

struct null {
	int fd;
	uint64_t random, writes, ns;
	char *buf;
};

/* Writes 1 to BYTES bytes.  A spoilt write is one byte shorter than expected. */
static int write_once(struct stress *s)
{
	struct null *t = s->data;
	size_t bytes = (size_t)(stress_random(&t->random) % BYTES) + 1;
	uint64_t begin_ns = sm_clock_mono_ns();
	ssize_t n = write(t->fd, t->buf, bytes - (s->spoil && t->writes == 1));

	if (n < 0)
		return stress_error(s, STRESS_FAIL, errno, "write");
	t->ns += sm_clock_mono_ns() - begin_ns;
	t->writes++;
	return (size_t)n == bytes
		       ? 0
		       : stress_fail(
				 s, "%zd bytes were written instead of %zu", n, bytes);
}

/* There must be nothing to read. */
static int read_once(struct stress *s)
{
	const struct null *t = s->data;
	ssize_t n = read(t->fd, t->buf, BYTES);

	if (n < 0)
		return stress_error(s, STRESS_FAIL, errno, "read");
	return n ? stress_fail(s, "%zd bytes were read instead of none", n) : 0;
}

static int run(struct stress *s)
{
	struct null *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		r = write_once(s);
		if (r == 0 && t->writes % READ_EVERY == 1)
			r = read_once(s);
		if (r == 0)
			stress_add(s, 1);
	}
	if (t->writes)
		stress_metric(s, PER_WRITE, (double)t->ns / (double)t->writes);
	return r;
}

static const char *probe(const struct stress *s)
{
	(void)s;
	return mem_device_lacks(MEM_NULL);
}

static int setup(struct stress *s)
{
	struct null *t = s->data;

	t->random = s->seed;
	t->buf = calloc(1, BYTES);
	t->fd = t->buf ? mem_device_open(s, MEM_NULL) : stress_lacks(s, "no memory");
	return t->fd < 0 ? -1 : 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_null_man[] =
	"metric time per write: 1 to 65536 bytes, which the device does not read\n"
	"The device is also read, once per 64 ops.\n";

const struct stressor stressor_null = {
	.name = "null",
	.does = "write to /dev/null",
	.op = "one write of 1 to 65536 bytes",
	.checks = "all written data is accepted, and there is nothing to read",
	.needs = "/dev/null",
	.classes = CLASS_DEVICE | CLASS_MEMORY | CLASS_OS,
	.metrics = metrics,
	.probe = probe,
	.state = sizeof(struct null),
	.setup = setup,
	.run = run,
};
