/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rapl_counter: one energy counter (energy_uj of Documentation/power/powercap/powercap.rst) and
 * the sums of its readings.  No system calls: the caller passes each reading and its time.
 *
 * The counter is cumulative in uJ and wraps at max_energy_range_uj + 1.  Real counters sometimes
 * read 0, fall, jump ahead, or restart.  A reading is accepted if it follows from the last
 * accepted one (`base`): it is higher, or lower by one plausible wrap, and the energy does not exceed
 * cap_uw times the time.  Any other reading is held: it adds nothing, and the next reading that
 * follows from the base also covers its time.  After three held readings the fourth becomes the new
 * base, and the energy between the held readings is added.  If the range is unknown and the counter fell,
 * the second held reading becomes the base if it follows from the first: a wrap costs one interval.
 * A jump above limit_uw (without a constraint: above both 100 W and 8 times the highest power so far)
 * is possible but unlikely: it is held until the next reading shows whether the counter continues from
 * there.  Two readings can prove that an accepted one was wrong: its energy stays in energy_uj and is
 * also added to retracted_uj.
 * A counter that does not advance adds nothing, and its next step covers that time.
 * A reading that continues from a held one that rose faster than cap_uw does not follow from the base,
 * although the mean power since the base can be possible: it contains the jump.
 * Sums never fall.  covered_ns includes only time whose energy is known: the mean power is
 * energy_uj / covered_ns.
 *
 * For example: range 65,532,610,987 uJ, cap 2 kW, limit 216 W, one reading a second.
 *
 *   reading          energy_uj   covered_ns  why
 *   65,526,000,000          +0          +0   the first reading is the base
 *   65,532,000,000  +6,000,000        +1 s   6 W
 *        5,389,012  +6,000,000        +1 s   a wrap: range - old + new + 1
 *      711,389,012          +0          +0   706 W: above the limit, held
 *       17,389,012 +12,000,000        +2 s   follows from the base: 711,389,012 was a glitch
 *                0          +0          +0   a 0 is held
 *       29,389,012 +12,000,000        +2 s
 *        1,000,000          +0          +0   does not follow from the base: held
 *        7,000,000          +0          +0   held
 *       13,000,000          +0          +0   held
 *       19,000,000 +18,000,000        +3 s   the counter has restarted: the new base
 */
#ifndef SM_RAPL_COUNTER_H
#define SM_RAPL_COUNTER_H

#include "base/base.h"

#define SM_RAPL_NAME_MAX 128
#define SM_RAPL_CAP_MIN_UW UINT64_C(2000000000) /* lower bound of cap_uw */

struct sm_rapl_sums {
	uint64_t energy_uj;  /* since the zone was opened */
	uint64_t covered_ns; /* time that energy_uj covers; less than elapsed after a gap */
	uint64_t wraps;
	uint64_t glitches;   /* runs of held readings */
	uint64_t rebased;    /* dropped intervals before a new base */
	uint64_t retracted_uj; /* part of energy_uj that later readings have proved wrong */
	uint64_t still;      /* readings at which it had not advanced for at least 50 ms */
};

struct sm_rapl_reading {
	uint64_t uj;
	uint64_t ns;         /* CLOCK_MONOTONIC */
};

struct sm_rapl_counter {
	char id[SM_RAPL_NAME_MAX];   /* "intel-rapl:0:1", the entry of /sys/class/powercap */
	char name[SM_RAPL_NAME_MAX]; /* name of the kernel; any bytes */
	int fd;                      /* energy_uj; -1: not open */
	int error;                   /* -errno of the last opening or reading; 0: no error */
	uint64_t range_uj;           /* max_energy_range_uj; 0: unknown, wraps are not detected */
	uint64_t cap_uw;             /* maximum power: 4 x the highest power constraint, at least
	                                2 kW */
	uint64_t limit_uw;           /* a jump above it is held for one reading: 4 x the highest of
	                                all constraints; 0: unknown */
	bool can_rest;               /* cores, GPU: 0 W is possible once the counter has advanced */
	bool has_base;
	struct sm_rapl_reading base; /* the last accepted reading; ns is kept without has_base */
	struct sm_rapl_reading prev; /* the accepted reading before base; ns 0: unset */
	uint64_t base_uj;            /* energy between prev and base */
	uint64_t seen_ns;            /* last time at which the counter had the value of base */
	double highest_uw, before_base_uw; /* highest power so far; the same before base was accepted */
	unsigned int held;           /* readings held since base */
	bool jumped;                 /* the first of the held readings that agree rose too fast */
	bool doubt;                  /* the held reading is an unlikely jump */
	double doubt_uw, refused_uw; /* power of the last reading above limit_uw or cap_uw, for a message;
	                                0: unset */
	struct sm_rapl_reading line; /* step from prev to the first held reading; ns 0: does not follow */
	struct sm_rapl_reading next; /* the last held reading */
	struct sm_rapl_reading next_sum; /* energy and time between the held readings */
	struct sm_rapl_reading raw, before; /* the last two readings, accepted or not; ns 0: unset */
	struct sm_rapl_reading added; /* energy and time that the last reading added to the sums */
};

/* Adds a reading. */
void sm_rapl_counter_feed(
	struct sm_rapl_counter *c, struct sm_rapl_sums *sums, uint64_t uj, uint64_t now_ns);
/* A failed reading adds nothing; the next accepted one covers its time. */
void sm_rapl_counter_fail(struct sm_rapl_counter *c, int err);
/* The next reading becomes the base. */
void sm_rapl_counter_forget(struct sm_rapl_counter *c);
/* Returns whether the kernel has removed the zone. */
bool sm_rapl_counter_removed(const struct sm_rapl_counter *c);
/* Returns the maximum energy in that time, at cap_uw. */
double sm_rapl_counter_most_uj(const struct sm_rapl_counter *c, uint64_t ns);

#endif
