/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rapl: energy counters of the powercap class (Documentation/power/powercap/powercap.rst,
 * Documentation/ABI/testing/sysfs-class-powercap), any control type with energy_uj.
 *
 * A zone is known by its path (intel-rapl:1:0), never by its name or its place in the directory.
 * core and uncore lie inside their package; dram is a child zone, but its energy is not in the
 * package's; psys covers the platform.  So the total is the packages and the drams of distinct
 * zones; where there is no package at all (other architectures), it is the zones that lie in no
 * other.  Counters wrap at max_energy_range_uj + 1; what is no plausible wrap is never guessed.
 *
 * sm_rapl_read() adds to running 64-bit sums with the time of each zone's own reading; a user
 * takes differences of sums, and divides energy_uj by covered_ns: what could not be told (a
 * step back, an error) is in neither.  Between two readings of a zone may lie at most
 * sm_rapl_gap_ns(), or what lies between is given up.
 *
 * A jump above what a constraint allows waits for the next reading to go on from there.  Where no
 * constraint is known and it is back on the old line after a reading was believed, that reading
 * stays in the sums: they never fall.  Such a zone is followed again from the second reading on.
 *
 * zone[i] is a role: its label, place and sums are for good.  Where two control types show one
 * package (intel-rapl, intel-rapl-mmio) and the counter in the total stands still or fails
 * while the other one works, the two exchange their roles (id and counter); `exchanged` tells.
 */
#ifndef SM_RAPL_H
#define SM_RAPL_H

#include "base.h"
#include "root.h"

enum sm_rapl_kind { SM_RAPL_PACKAGE, SM_RAPL_CORE, SM_RAPL_UNCORE, SM_RAPL_DRAM, SM_RAPL_PSYS,
	SM_RAPL_OTHER };

/* Which zones make the total. */
enum sm_rapl_total { SM_RAPL_TOTAL_PKG_DRAM, SM_RAPL_TOTAL_PKG, SM_RAPL_TOTAL_PSYS };

enum sm_rapl_why { /* why a zone is not in the total */
	SM_RAPL_COUNTED = 0, /* it is, also while it cannot be read (error) */
	SM_RAPL_INSIDE,     /* its energy is in its package's */
	SM_RAPL_TWIN,       /* another zone shows the same counter's package (mmio) */
	SM_RAPL_MIRROR,     /* a die that repeats another die's counter (AMD Zen 1/2) */
	SM_RAPL_NOT_ASKED,  /* by the rule of the total: psys, dram */
	SM_RAPL_UNREADABLE, /* it would be, but could not be opened, or its first reading failed
	                       while others gave a value; counted from its first good one on */
};

#define SM_RAPL_NAME_MAX  128
#define SM_RAPL_LABEL_MAX 272

struct sm_rapl_zone {
	/* Role. */
	char label[SM_RAPL_LABEL_MAX]; /* pkg-0, pkg-0.1, core, core-1, dram-0, psys, pkg-0-twin;
	                                  unique; of other kinds the name, with its hostile bytes */
	enum sm_rapl_kind kind;
	int package, die;              /* -1: not known */
	int parent;                    /* index of the zone that it lies in; -1: none */
	int partner;                   /* index of the zone that it is a twin or mirror of; -1 */
	uint8_t why;                   /* enum sm_rapl_why */
	bool skip;                     /* not to be read: see sm_rapl_only_total() */
	bool apart;                    /* was taken for a mirror, and proved to be none */
	uint8_t stale;                 /* readings in which it stood still, but not its twin */
	/* Sums. */
	uint64_t energy_uj;            /* since it was opened */
	uint64_t covered_ns;           /* time that energy_uj covers: < elapsed after a gap */
	uint64_t wraps;
	uint64_t glitches;             /* times that readings were held back: they went back, or up
	                                  more than anything can draw */
	uint64_t rebased;              /* times that a stretch was given up */
	/* Counter. */
	char id[SM_RAPL_NAME_MAX];     /* "intel-rapl:0:1" */
	char name[SM_RAPL_NAME_MAX];   /* the kernel's, hostile bytes */
	uint64_t range_uj;             /* max_energy_range_uj; 0: not known, no wrap can be told */
	uint64_t cap_uw;               /* more than this is no reading: 4 x its highest power
	                                  constraint, at least 2 kW */
	uint64_t limit_uw;             /* a jump of more is doubted for a reading: 4 x the highest of
	                                  all constraints; 0: none is known */
	int fd;                        /* of energy_uj; -1: not open */
	int error;                     /* -errno of the last opening or reading; 0: fine */
	bool has_base;
	uint64_t base_uj, base_ns;     /* the last good reading */
	uint64_t prev_uj, prev_ns;     /* the one before it, of the same stretch; ns 0: none */
	unsigned int held;             /* readings since then that went back or were absurd */
	bool doubt;                    /* what is held is one above limit_uw */
	bool high;                     /* has proved that it does draw more than limit_uw */
	bool line;                     /* the first of them follows from prev */
	uint64_t next_uj, next_ns;     /* the last one of them, */
	uint64_t next_sum_uj, next_span_ns; /* and what they make among themselves */
	uint64_t read_ns;              /* CLOCK_MONOTONIC of the last good reading */
	/* The last two numbers read, good or not; ns 0: none. */
	uint64_t raw_uj, raw_ns, before_uj, before_ns;
	uint64_t last_uj, last_ns;     /* what the last reading added to the sums */
};

struct sm_rapl {
	const struct sm_root *root;
	struct sm_rapl_zone *zone;     /* sorted: package, core, uncore, dram, psys, other; then by
	                                  package and die */
	unsigned int n, cap;
	enum sm_rapl_total rule;
	unsigned int counted;          /* zones in the total */
	uint64_t exchanged;            /* times that twins exchanged their roles */
	uint64_t readings;
	bool reopen;                   /* see sm_rapl_allow_reopen() */
	uint64_t reopen_ns;            /* not before that */
};

/* Finds all zones.  0 also when none can be read (see zone[].error); -ENOENT: there is none. */
int sm_rapl_open(struct sm_rapl *r, const struct sm_root *root, enum sm_rapl_total rule) SM_MUST;
/* Reads every zone that is open: one pread for each.  The number that gave a value; -ENODEV
 * when every counted one has vanished.  Finds mirrors and dead twins as it goes. */
int sm_rapl_read(struct sm_rapl *r) SM_MUST;
/* From now on only what the total needs is read (not core, uncore ...). */
void sm_rapl_only_total(struct sm_rapl *r);
/* Zones that have gone may come back, such as those of a socket that is taken offline: from now
 * on sm_rapl_read() tries to open them, at most every 10 s, if their name is still the same.  The
 * first reading of one adds nothing to its sums.  Needs the rights of sm_rapl_open(). */
void sm_rapl_allow_reopen(struct sm_rapl *r);
/* Forget the last readings, as after a suspend: the next one adds nothing to the sums. */
void sm_rapl_rebase(struct sm_rapl *r);
/* The longest time between two readings that misses no wrap: half the smallest range at the
 * zone's cap_uw; 10 ms to 1 h. */
uint64_t sm_rapl_gap_ns(const struct sm_rapl *r);
void sm_rapl_close(struct sm_rapl *r);

/* ---- the parts, for tests: no system call ---- */

/* A zone of that id and name, whose counter nobody reads (fd -1); to be arranged. */
int sm_rapl_add(struct sm_rapl *r, const char *id, const char *name) SM_MUST;
/* Kinds, parents, twins, order, labels and what counts. */
void sm_rapl_arrange(struct sm_rapl *r);
/* A number read from a zone's counter at that time. */
void sm_rapl_feed(struct sm_rapl_zone *z, uint64_t uj, uint64_t now_ns);
/* After all zones were fed: twins and mirrors. */
void sm_rapl_settle(struct sm_rapl *r);

#endif
