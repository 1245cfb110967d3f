// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "run/stress.h"
#include "sort/ints.h"

static int by_qsort(
	void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	qsort(base, n, size, compare);
	return 0;
}

static int setup(struct stress *s)
{
	return sort_ints_setup(s, by_qsort, 4);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_qsort_man[] = SORT_INTS_MAN;

const struct stressor stressor_qsort = {
	.name = "qsort",
	.does = "sort 32-bit integers with qsort(3) of the C library",
	.op = "one round of four sorts: random integers forward and backward, "
	      "then with changed low bits forward and backward",
	.checks = "the order after each sort is right, and no integer has changed",
	.classes = CLASS_CPU | CLASS_CPU_CACHE | CLASS_MEMORY,
	.opts = sort_ints_opts,
	.metrics = sort_ints_metrics,
	.memory = sort_ints_memory,
	.setup = setup,
	.run = sort_ints_run,
};
