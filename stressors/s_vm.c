// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/capability.h>
#include <string.h>
#include <time.h>

#include "run/stress.h"
#include "vm/vm.h"

/* Interval in which the end of the run is checked during a hang. */
#define NAP_NS (20 * SM_NSEC_PER_MSEC)
#define LEAST  ((uint64_t)MEMORY_PAGE)
#define MB     ((uint64_t)1 << 20)
/* Longer than any run. */
#define FOR_EVER (UINT64_MAX / 4)

enum { BYTES, METHOD, MADVISE, KEEP, HANG, LOCKED, POPULATE };

/* all, followed by the methods in the order of vm_methods. */
static const char *const methods[] = {"all", "flip", "galpat-0", "galpat-1", "gray",
	"inc-nybble", "rand-set", "rand-sum", "read64", "ror", "swap", "move-inv",
	"modulo-x", "checkerboard", "prime-0", "prime-1", "walk-0d", "walk-1d", "walk-0a",
	"walk-1a", "write64", "write64nt", "zero-one", "one-zero", "cache-lines", NULL};

static const struct stressor_lacks lacks[] = {
	{"cache-stripe fwdrev", "cache-lines", false},
	{"grayflip", "gray", false},
	{"incdec prime-incdec", "inc-nybble", false},
	{"lfsr32", "rand-set", false},
	{"mscan", "read64", false},
	{"prime-gray-0", "prime-0", false},
	{"prime-gray-1", "prime-1", false},
	{"rowhammer", "flip", false},
	{"write1024v", "write64", false},
	{"wrrd128nt", "write64nt", false},
	{0},
};

static const char *const advices[] = {"hugepage", "nohugepage", "collapse", "dontneed",
	"mergeable", "normal", "random", "sequential", "unmergeable", "willneed", NULL};

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "set the memory of each instance",
		.min = LEAST, .max = (uint64_t)1 << 42, .normal = 256 * MB,
		.small = 4 * MB, .large = 4096 * MB},
	[METHOD] = {"method", STRESSOR_CHOICE, "NAME",
		"select how memory is filled and checked; all: each in turn",
		.max = SM_ARRAY_SIZE(methods) - 2, .choices = methods, .lacks = lacks},
	[MADVISE] = {"madvise", STRESSOR_CHOICE, "ADVICE",
		"give this advice for the memory with madvise(2)",
		.max = SM_ARRAY_SIZE(advices) - 2, .choices = advices},
	[KEEP] = {"keep", STRESSOR_FLAG, NULL,
		"do not unmap and map the memory again after each op", .max = 1},
	[HANG] = {"hang", STRESSOR_TIME, "TIME",
		"sleep this long after each op and hold the memory; a given 0: "
		"until the end",
		.max = 86400 * SM_NSEC_PER_SEC, .zero = FOR_EVER},
	[LOCKED] = {"locked", STRESSOR_FLAG, NULL, "lock the memory", .max = 1},
	[POPULATE] = {"populate", STRESSOR_FLAG, NULL,
		"make all pages resident before they are used", .max = 1},
	{0},
};

enum { THROUGHPUT };

static const struct stressor_metric metrics[] = {
	[THROUGHPUT] = {"throughput", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
	{0},
};

struct state {
	struct vm vm;
	uint64_t ns; /* time spent in methods */
};

static size_t bytes(const struct stress *s)
{
	uint64_t n = s->value[BYTES];

	return (size_t)((n < LEAST ? LEAST : n) / MEMORY_PAGE * MEMORY_PAGE);
}

static uint64_t memory(const struct stress *s)
{
	return bytes(s);
}

static int map(struct stress *s, struct vm *v)
{
	const char *name = advices[s->value[MADVISE]];
	bool late = strcmp(name, "collapse") == 0;
	int advice = memory_advice(name);
	size_t n = bytes(s);

	v->p = stress_map(s, n, late ? 0 : advice);
	if (!v->p)
		return -1;
	v->words = n / sizeof(*v->p);
	if (s->value[POPULATE] || late)
		memory_populate(s, v->p, n);
	if (late)
		memory_advise(s, v->p, n, advice);
	return s->value[LOCKED] ? memory_lock(s, v->p, n) : 0;
}

static void unmap(struct vm *v)
{
	stress_unmap(v->p, v->words * sizeof(*v->p));
	v->p = NULL;
}

static int setup(struct stress *s)
{
	struct state *st = s->data;

	vm_init(&st->vm, s);
	return map(s, &st->vm);
}

static void hang(const struct stress *s)
{
	uint64_t end = sm_clock_mono_ns() + s->value[HANG], now;

	while ((now = sm_clock_mono_ns()) < end && stress_goes_on(s)) {
		struct timespec t = {0, (long)(end - now < NAP_NS ? end - now : NAP_NS)};

		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	}
}

static void report(struct stress *s, const struct state *st)
{
	double moved = (double)(st->vm.loads + st->vm.stores) * sizeof(uint64_t);

	if (st->ns > 0)
		stress_metric(s, THROUGHPUT,
			stress_share(s, 0) * moved / (double)MB / ((double)st->ns / 1e9));
}

/* -1: a word is wrong. */
static int method(struct stress *s, struct state *st, const struct vm_method *m)
{
	uint64_t begin = sm_clock_mono_ns();
	bool done = m->run(&st->vm);

	st->ns += sm_clock_mono_ns() - begin;
	report(s, st);
	if (st->vm.failed)
		return -1;
	/* With much memory and little time, the first op may be cut short; it counts as
	 * one. */
	stress_add(s, done || s->slot->ops == 0);
	return 0;
}

static int run(struct stress *s)
{
	struct state *st = s->data;
	uint64_t which = s->value[METHOD], turn = 0;
	int r = 0;

	for (; r == 0 && stress_goes_on(s); turn++) {
		uint64_t i = which ? which - 1 : turn % vm_method_count;

		st->vm.seed = s->seed + turn * vm_method_count;
		if (!st->vm.p)
			r = map(s, &st->vm);
		if (r == 0)
			r = method(s, st, &vm_methods[i]);
		if (r == 0 && s->value[HANG])
			hang(s);
		if (!s->value[KEEP])
			unmap(&st->vm);
	}
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_vm_man[] =
	"metric throughput: data read and written, measured over the time of the "
	"methods\n"
	"--method zero-one, one-zero: set all bits to 0, then 1; or to 1, then 0\n"
	"--method checkerboard: alternates the bits 0 and 1, also from word to "
	"word, then inverts them\n"
	"--method walk-0d, walk-1d: move a single 0 (1) bit through each byte\n"
	"--method walk-0a, walk-1a: set one word among others to bits 0 (1), at "
	"each power of two\n"
	"--method gray: writes numbers of which neighbours differ in one bit, then "
	"inverts them\n"
	"--method flip: inverts the bits of random data one after the other\n"
	"--method rand-set, rand-sum: write random data, and compare it word by "
	"word or by page sums\n"
	"--method inc-nybble: adds 1 to each lower, then to each upper half of a "
	"byte of random data\n"
	"--method ror: rotates random data by one bit\n"
	"--method move-inv: inverts a pattern upwards, then downwards\n"
	"--method modulo-x: checks that one word in 23 survives writes to all "
	"others\n"
	"--method galpat-0, galpat-1: invert one bit per page among bits 0 (1), "
	"and back\n"
	"--method prime-0, prime-1: set cache lines to bits 0 (1) in steps of a "
	"prime\n"
	"--method cache-lines: writes each line word by word, in eight passes\n"
	"--method swap: exchanges both halves, and back\n"
	"--method read64: reads a pattern eight times\n"
	"--method write64, write64nt: write a pattern several times; write64nt "
	"writes past the caches\n"
	"--method all: runs each of these in turn\n"
	"--madvise: With normal, no advice is given.\n";

const struct stressor stressor_vm = {
	.name = "vm",
	.letter = 'm',
	.does = "map memory, fill it with patterns, and read them back",
	.op = "one method is run over all memory of the instance; the first op "
	      "also counts if the end of the run cuts it short",
	.checks = "all patterns, each time",
	.caps = STRESSOR_CAP(CAP_IPC_LOCK),
	.pagemap = true,
	.classes = CLASS_MEMORY | CLASS_VM,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
