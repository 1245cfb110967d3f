// SPDX-License-Identifier: GPL-2.0-or-later
#include "run/stress.h"
#include "sort/bsd.h"
#include "sort/ints.h"

static struct sort_bsd bsd;

static int setup(struct stress *s)
{
	int r = sort_bsd_setup(s, &bsd);

	return r ? r : sort_ints_setup(s, bsd.heapsort, 3);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_heapsort_man[] = SORT_INTS_MAN;

const struct stressor stressor_heapsort = {
	.name = "heapsort",
	.does = "sort 32-bit integers with heapsort(3) of libbsd",
	.op = "one round of three sorts: random integers forward and backward, "
	      "then with changed low bits forward",
	.checks = "the order after each sort is right, and no integer has changed",
	.needs = "libbsd",
	.classes = CLASS_CPU | CLASS_CPU_CACHE | CLASS_MEMORY,
	.opts = sort_ints_opts,
	.metrics = sort_ints_metrics,
	.memory = sort_ints_memory,
	.probe = sort_bsd_probe,
	.setup = setup,
	.run = sort_ints_run,
};
