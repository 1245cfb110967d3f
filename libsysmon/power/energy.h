/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * energy: the energy of the processor and its memory as one total, read from the counters of powercap
 * (rapl.h) or, if they cannot be read, from the perf power PMU (powerpmu.h).  A program that uses only
 * this module does not link the batteries and meters of source.h.
 *
 * The total is the sum of the packages and DRAMs.  It starts at 0 at sm_energy_begin().  Glitches
 * that a later reading has refuted are subtracted.  A counter whose reading fails adds nothing; its next
 * value covers the time.
 */
#ifndef SM_ENERGY_H
#define SM_ENERGY_H

#include "power/powerpmu.h"
#include "power/rapl.h"

struct sm_energy {
	bool by_pmu;
	struct sm_rapl rapl;
	struct sm_powerpmu pmu;
	/* Values of the last reading: */
	double uj;           /* since sm_energy_begin(); NAN: unknown */
	double uw;           /* mean power since the previous reading; NAN: unknown */
	bool lost;           /* a reading has failed: uj and uw are unknown until sm_energy_begin() */
	/* Private: sums of the counters, and the time that they cover. */
	double begin_uj, last_uj;
	uint64_t begin_ns, last_ns;
};

/* Opens the counters.  -ENOENT: no energy counters; -EACCES: only privileged users can read them; -ENOMEM.
 * After an error nothing is open. */
int sm_energy_open(struct sm_energy *e, const struct sm_root *root) SM_MUST;
/* Reads the counters and sets the total to 0. */
void sm_energy_begin(struct sm_energy *e);
void sm_energy_read(struct sm_energy *e);
/* Returns the longest time between two readings in which no counter can wrap unnoticed; UINT64_MAX: no
 * limit. */
uint64_t sm_energy_gap_ns(const struct sm_energy *e);
void sm_energy_close(struct sm_energy *e);

#endif
