// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Data goes from /dev/zero through a pipe to /dev/null.  In one of CONDUIT_EVERY ops, a
 * file first replaces /dev/zero, and tee(2) duplicates its data into a second pipe,
 * where it is read and compared.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "device/mem.h"
#include "splice/conduit.h"

enum { BYTES };

static const struct stressor_opt opts[] = {
	{"bytes", STRESSOR_SIZE, "SIZE", "move N bytes in each op", .min = 1024,
		.max = UINT64_C(4) << 30, .normal = 65536, .small = 1024,
		.large = 1048576, .size = STRESSOR_OF_A_CALL},
	{0},
};

enum { THROUGHPUT };

static const struct stressor_metric metrics[] = {
	[THROUGHPUT] = {"throughput", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
	{0},
};

struct splice {
	struct conduit main, copy;
	int zero, file;
	uint64_t ops;
};

static int move_zeros(struct stress *s, struct splice *t)
{
	uint64_t left = s->value[BYTES];
	int r = 0;

	while (left && r == 0 && !stress_stopped(s)) {
		size_t most = left < t->main.holds ? (size_t)left : t->main.holds;
		loff_t at = 0;
		ssize_t n = splice(t->zero, &at, t->main.pipe[1], NULL, most, 0);

		r = conduit_judge(s, n, "splice from /dev/zero");
		if (r == 0)
			r = conduit_drain(s, &t->main, (size_t)n);
		left -= r == 0 ? (uint64_t)n : 0;
	}
	if (r == 0 && left == 0)
		stress_add(s, 1);
	return r;
}

/* Both pipes then contain the same data. */
static int compare(struct stress *s, struct splice *t)
{
	size_t most =
		s->value[BYTES] < t->main.holds ? (size_t)s->value[BYTES] : t->main.holds;
	loff_t at = 0;
	ssize_t n = splice(t->file, &at, t->main.pipe[1], NULL, most, 0), both;
	int r = conduit_judge(s, n, "splice from a file");

	if (r)
		return r;
	if (at != n)
		return stress_fail(
			s, "the offset is %lld after %zd bytes", (long long)at, n);
	both = tee(t->main.pipe[0], t->copy.pipe[1], (size_t)n, 0);
	r = conduit_judge(s, both, "tee");
	if (r == 0)
		r = conduit_drain(s, &t->main, (size_t)n);
	return r ? r : conduit_compare(s, &t->copy, (size_t)both);
}

static int run(struct stress *s)
{
	struct splice *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		if (t->ops++ % CONDUIT_EVERY == 0)
			r = compare(s, t);
		if (r == 0)
			r = move_zeros(s, t);
	}
	stress_metric(s, THROUGHPUT, conduit_rate(s, &t->main));
	return r;
}

/* Some kernels cannot splice from /dev/zero; a file is equivalent. */
static int choose_source(struct stress *s, struct splice *t)
{
	loff_t at = 0;
	ssize_t n = splice(t->zero, &at, t->main.pipe[1], NULL, t->main.holds, 0);

	if (n > 0)
		return conduit_drain(s, &t->main, (size_t)n);
	if (n == 0 || errno != EINVAL)
		return conduit_judge(s, n, "splice from /dev/zero");
	t->zero = t->file;
	stress_note(
		s, "this kernel cannot splice from /dev/zero; a file is used instead");
	return 0;
}

static const char *probe(const struct stress *s)
{
	const char *why = mem_device_lacks(MEM_ZERO);

	(void)s;
	return why ? why : mem_device_lacks(MEM_NULL);
}

static int setup(struct stress *s)
{
	struct splice *t = s->data;
	int r = conduit_set_up(s, &t->main);

	if (r == 0)
		r = conduit_set_up(s, &t->copy);
	if (r)
		return r;
	t->zero = mem_device_open(s, MEM_ZERO);
	t->file = t->zero < 0 ? -1 : conduit_file(s, &t->main, t->main.holds);
	return t->file < 0 ? -1 : choose_source(s, t);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_splice_man[] =
	"metric throughput: 1 MB is 10^6 bytes\n"
	"Once per 64 ops, data of a file goes through the pipe, is duplicated with "
	"tee(2), and is compared.\n";

const struct stressor stressor_splice = {
	.name = "splice",
	.does = "move data from /dev/zero through a pipe to /dev/null with "
		"splice(2) and tee(2)",
	.op = "--splice-bytes bytes are moved",
	.checks = "all bytes are moved, and file data is unchanged after the pipe",
	.needs = "/dev/zero and /dev/null",
	.classes = CLASS_PIPE | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.probe = probe,
	.state = sizeof(struct splice),
	.setup = setup,
	.run = run,
};
