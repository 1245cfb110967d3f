/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rapl: opens and reads the energy counters of the powercap class
 * (Documentation/power/powercap/powercap.rst, Documentation/ABI/testing/sysfs-class-powercap):
 * every zone of any control type that has energy_uj.
 *
 * rapl_counter.h describes how readings are added; rapl_zones.h describes names, roles and the total.
 * Sums are in uJ and ns.  Two readings of a zone must be at most sm_rapl_gap_ns() apart; longer
 * intervals are dropped.
 */
#ifndef SM_RAPL_H
#define SM_RAPL_H

#include "base/root.h"
#include "power/rapl_zones.h"

struct sm_rapl {
	const struct sm_root *root;
	struct sm_rapl_zones zones;
	uint64_t readings;
	bool hidden;                   /* the class lists a zone whose folder is not there */
	bool reopen;                   /* see sm_rapl_allow_reopen() */
	uint64_t reopen_ns;            /* earliest time of the next attempt */
};

/* Finds all zones.  Returns 0 even if no zone can be read (see counter.error); -ENOENT: no zones;
 * -ENXIO: all zones are hidden, as in a container. */
int sm_rapl_open(struct sm_rapl *r, const struct sm_root *root, enum sm_rapl_total rule) SM_MUST;
/* Reads every open zone by one pread.  Returns the number of values; -ENODEV: all counted zones were
 * removed. */
int sm_rapl_read(struct sm_rapl *r) SM_MUST;
/* Later readings read only the zones that the total requires (not core, uncore ...). */
void sm_rapl_only_total(struct sm_rapl *r);
/* Makes sm_rapl_read() try to reopen removed zones (of a socket that was offline) whose name is
 * unchanged, at most every 10 s.  The first reading of a reopened zone adds nothing to the sums.
 * This requires the privileges of sm_rapl_open(). */
void sm_rapl_allow_reopen(struct sm_rapl *r);
/* Forgets the last readings, for example after a suspend: the next reading adds nothing to the sums. */
void sm_rapl_rebase(struct sm_rapl *r);
/* Returns the longest time between two readings in which no counter can wrap unnoticed, from 10 ms to
 * 1 h: the shortest time in which a zone passes half its range at its cap_uw. */
uint64_t sm_rapl_gap_ns(const struct sm_rapl *r);
void sm_rapl_close(struct sm_rapl *r);

#endif
