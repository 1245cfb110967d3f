/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus: the values of /proc/stat on the screen: the parts of each CPU's time in the sample, and the number
 * of running and blocked tasks at its end.
 *
 * user includes nice and guest time, system includes interrupts, as in htop's bars.
 */
#ifndef CPUSTAT_SCREEN_CPUS_H
#define CPUSTAT_SCREEN_CPUS_H

#include "rows/sample.h"
#include "tui/items.h"

extern const struct sm_items_part cpus_parts[SM_ITEMS_PARTS];

struct cpus {
	struct sm_items_bar *bar; /* by CPU number */
	unsigned int n;
	size_t cap;
	bool known;              /* /proc/stat was readable */
	uint64_t running, blocked;
	bool rates;              /* two readings were available for the members below; NAN: unknown */
	double part_pct[SM_ITEMS_PARTS], idle_pct; /* sums of all CPUs, in percent of one */
	double ctxt, intr;       /* per second */
};

void cpus_take(struct cpus *c, const struct sample *s);
void cpus_fini(struct cpus *c);

#endif
