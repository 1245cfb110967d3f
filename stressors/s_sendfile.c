// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file is in memory, and all its parts of the size of a pipe are equal.  From time
 * to time, one of them is sent to a pipe and compared.
 */
#include <sys/sendfile.h>

#include "device/mem.h"
#include "splice/conduit.h"

enum { SIZE };

static const struct stressor_opt opts[] = {
	{"size", STRESSOR_SIZE, "SIZE",
		"send N bytes in each op; also the size of the file", .min = 1024,
		.max = UINT64_C(1) << 30, .normal = 4194304, .small = 1024,
		.large = 16777216},
	{0},
};

enum { THROUGHPUT };

static const struct stressor_metric metrics[] = {
	[THROUGHPUT] = {"throughput", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
	{0},
};

/* A call that sends this many bytes takes less than 5 ms. */
#define CALL_BYTES 4194304u

struct sendfile {
	struct conduit conduit;
	int file;
	uint64_t ops;
};

static int send_all(struct stress *s, struct sendfile *t)
{
	off_t at = 0, end = (off_t)s->value[SIZE];
	int r = 0;

	while (at < end && r == 0 && !stress_stopped(s)) {
		off_t before = at, left = end - at;
		ssize_t n = sendfile(t->conduit.null, t->file, &at,
			left < (off_t)CALL_BYTES ? (size_t)left : CALL_BYTES);

		r = conduit_judge(s, n, "sendfile to /dev/null");
		if (r == 0 && at != before + n)
			r = stress_fail(s, "the offset is %lld instead of %lld",
				(long long)at, (long long)before + n);
		t->conduit.bytes += r == 0 ? (uint64_t)n : 0;
	}
	if (r == 0 && at >= end)
		stress_add(s, 1);
	return r;
}

/* Sends a part of the file, or all of it if it is smaller. */
static int compare(struct stress *s, struct sendfile *t)
{
	size_t holds = t->conduit.holds;
	uint64_t parts = s->value[SIZE] / holds;
	off_t at = parts ? (off_t)(t->ops % parts * holds) : 0;
	ssize_t n = sendfile(
		t->conduit.pipe[1], t->file, &at, parts ? holds : (size_t)s->value[SIZE]);
	int r = conduit_judge(s, n, "sendfile to a pipe");

	return r ? r : conduit_compare(s, &t->conduit, (size_t)n);
}

static int run(struct stress *s)
{
	struct sendfile *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		if (t->ops++ % CONDUIT_EVERY == 0)
			r = compare(s, t);
		if (r == 0)
			r = send_all(s, t);
	}
	stress_metric(s, THROUGHPUT, conduit_rate(s, &t->conduit));
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[SIZE] + 1048576;
}

static const char *probe(const struct stress *s)
{
	(void)s;
	return mem_device_lacks(MEM_NULL);
}

static int setup(struct stress *s)
{
	struct sendfile *t = s->data;
	int r = conduit_set_up(s, &t->conduit);

	if (r)
		return r;
	t->file = conduit_file(s, &t->conduit, s->value[SIZE]);
	return t->file < 0 ? -1 : 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_sendfile_man[] =
	"metric throughput: 1 MB is 10^6 bytes\n"
	"The file is in memory.  Once per 64 ops, a part of it is sent to a pipe "
	"and compared.\n";

const struct stressor stressor_sendfile = {
	.name = "sendfile",
	.does = "send a file to /dev/null with sendfile(2)",
	.op = "--sendfile-size bytes are sent",
	.checks = "all bytes are sent, the offset advances, and a pipe receives the "
		  "contents of the file",
	.needs = "/dev/null",
	.classes = CLASS_PIPE | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.probe = probe,
	.state = sizeof(struct sendfile),
	.setup = setup,
	.run = run,
};
