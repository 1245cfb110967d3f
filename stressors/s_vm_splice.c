// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pipe refers to the pages of the instance, which never change and can therefore be
 * reused immediately.
 */
#include <fcntl.h>
#include <sys/uio.h>

#include "device/mem.h"
#include "splice/conduit.h"

enum { BYTES };

static const struct stressor_opt opts[] = {
	{"bytes", STRESSOR_SIZE, "SIZE", "move N bytes in each op", .min = 4096,
		.max = UINT64_C(4) << 30, .normal = 65536, .small = 4096,
		.large = 1048576, .size = STRESSOR_OF_A_CALL},
	{0},
};

enum { THROUGHPUT };

static const struct stressor_metric metrics[] = {
	[THROUGHPUT] = {"throughput", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
	{0},
};

struct vm_splice {
	struct conduit conduit;
	uint64_t ops;
};

/* Passes up to `most` bytes from the start of the pattern. */
static ssize_t give(struct vm_splice *t, size_t most)
{
	struct iovec v = {t->conduit.pattern, most};

	return vmsplice(t->conduit.pipe[1], &v, 1, 0);
}

static int compare(struct stress *s, struct vm_splice *t)
{
	ssize_t n = give(t, t->conduit.holds);
	int r = conduit_judge(s, n, "vmsplice");

	return r ? r : conduit_compare(s, &t->conduit, (size_t)n);
}

static int move(struct stress *s, struct vm_splice *t)
{
	uint64_t left = s->value[BYTES];
	int r = 0;

	while (left && r == 0 && !stress_stopped(s)) {
		size_t holds = t->conduit.holds;
		ssize_t n = give(t, left < holds ? (size_t)left : holds);

		r = conduit_judge(s, n, "vmsplice");
		if (r == 0)
			r = conduit_drain(s, &t->conduit, (size_t)n);
		left -= r == 0 ? (uint64_t)n : 0;
	}
	if (r == 0 && left == 0)
		stress_add(s, 1);
	return r;
}

static int run(struct stress *s)
{
	struct vm_splice *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		if (t->ops++ % CONDUIT_EVERY == 0)
			r = compare(s, t);
		if (r == 0)
			r = move(s, t);
	}
	stress_metric(s, THROUGHPUT, conduit_rate(s, &t->conduit));
	return r;
}

static const char *probe(const struct stress *s)
{
	(void)s;
	return mem_device_lacks(MEM_NULL);
}

static int setup(struct stress *s)
{
	struct vm_splice *t = s->data;

	return conduit_set_up(s, &t->conduit);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_vm_splice_man[] =
	"metric throughput: 1 MB is 10^6 bytes\n"
	"Once per 64 ops, the data is read from the pipe and compared.\n";

const struct stressor stressor_vm_splice = {
	.name = "vm-splice",
	.does = "move memory through a pipe to /dev/null with vmsplice(2) and "
		"splice(2)",
	.op = "--vm-splice-bytes bytes are moved",
	.checks = "all bytes are moved, and the pipe returns the contents of the "
		  "memory",
	.needs = "/dev/null",
	.classes = CLASS_VM | CLASS_PIPE | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.probe = probe,
	.state = sizeof(struct vm_splice),
	.setup = setup,
	.run = run,
};
