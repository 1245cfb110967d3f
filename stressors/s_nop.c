// SPDX-License-Identifier: GPL-2.0-or-later
#include "run/stress.h"

/* An op does almost nothing, so the rate shows the cost of counting an op and checking
 * for the end of the run, which all stressors have. */

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || \
	defined(__arm__) || defined(__riscv) || defined(__powerpc__)
#define NOPS ".rept 64\n\tnop\n\t.endr"
#else
#define NOPS "" /* the instruction has another name or does not exist */
#endif

enum { OP_NS };

static const struct stressor_metric metrics[] = {
	[OP_NS] = {"op", "ns", .mean = MEAN_ARITHMETIC, .headline = "ns per op"},
	{0},
};

static int run(struct stress *s)
{
	uint64_t begin = sm_clock_mono_ns(), ops;

	while (stress_goes_on(s)) {
		__asm__ volatile(NOPS);
		stress_add(s, 1);
	}
	ops = atomic_load_explicit(&s->slot->ops, memory_order_relaxed);
	if (ops)
		stress_metric(
			s, OP_NS, (double)(sm_clock_mono_ns() - begin) / (double)ops);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_nop_man[] = "metric op: time of one op\n";

const struct stressor stressor_nop = {
	.name = "nop",
	.does = "execute instructions that do nothing, to measure the overhead of "
		"the framework",
	.op = "64 nop instructions and one step of the counter",
	.classes = CLASS_CPU,
	.metrics = metrics,
	.run = run,
};
