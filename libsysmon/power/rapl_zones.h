/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rapl_zones: labels and hierarchy of the zones of the powercap class, and the selection of the zones
 * that are added up to the total (Documentation/power/powercap/powercap.rst).  No system calls.
 *
 * A zone is identified by its id (intel-rapl:1:0), not by its name or its place in the directory.  The
 * energy of core and uncore is part of the energy of their package; the energy of dram is not, although
 * dram is a child zone; psys covers the platform.  The total is therefore packages + drams.  Without
 * packages (other architectures), it is the sum of the zones without a parent.
 *
 * A duplicate zone is a package that another control type (intel-rapl-mmio) lists with an equal name.
 * A mirror is a die that repeats the counter of another die of its package: two readings agree to 1 J
 * plus the energy of the time between the readings of the two dies, and both counters have advanced.
 * Duplicates and mirrors are not included in the total.  While a counter of the total does not advance
 * or fails and its duplicate or mirror works, the two zones exchange their counters; roles and sums
 * are kept.
 */
#ifndef SM_RAPL_ZONES_H
#define SM_RAPL_ZONES_H

#include "power/rapl_counter.h"

enum sm_rapl_kind { SM_RAPL_PACKAGE, SM_RAPL_CORE, SM_RAPL_UNCORE, SM_RAPL_DRAM, SM_RAPL_PSYS,
	SM_RAPL_OTHER };

/* The zones that are added up to the total. */
enum sm_rapl_total { SM_RAPL_TOTAL_PKG_DRAM, SM_RAPL_TOTAL_PKG, SM_RAPL_TOTAL_PSYS };

enum sm_rapl_why { /* why a zone is not included in the total */
	SM_RAPL_COUNTED = 0, /* it is included, even while it cannot be read (error) */
	SM_RAPL_INSIDE,     /* part of its package's energy */
	SM_RAPL_DUPLICATE,  /* the package is also listed by another control type (mmio) */
	SM_RAPL_MIRROR,     /* a die that repeats another die's counter (AMD Zen 1/2) */
	SM_RAPL_NOT_ASKED,  /* excluded by enum sm_rapl_total: psys, dram */
	SM_RAPL_UNREADABLE, /* the opening or the first reading failed; included after its first good
	                       reading */
	SM_RAPL_STILL,      /* its counter has never advanced; included after its first step */
};

#define SM_RAPL_LABEL_MAX 272

struct sm_rapl_role {
	char label[SM_RAPL_LABEL_MAX]; /* unique: pkg-0, pkg-0.1, core, core-1, dram-0, psys,
	                                  pkg-0-duplicate; for other kinds the name, any bytes */
	enum sm_rapl_kind kind;
	int package, die;              /* -1: unknown */
	int parent;                    /* index of the enclosing zone; -1: no parent */
	int partner;                   /* index of the zone that it duplicates or mirrors; or -1 */
	uint8_t why;                   /* enum sm_rapl_why */
	bool skip;                     /* not read: see sm_rapl_only_total() */
	bool apart;                    /* was taken for a mirror by mistake; not done again */
	uint8_t stale;                 /* readings in which only its duplicate advanced */
};

struct sm_rapl_zone {
	struct sm_rapl_role role;
	struct sm_rapl_sums sums;
	struct sm_rapl_counter counter;
};

struct sm_rapl_zones {
	struct sm_rapl_zone *at;       /* sorted by kind (package, core, uncore, dram, psys, other),
	                                  package and die */
	unsigned int n;
	size_t cap;
	enum sm_rapl_total rule;
	unsigned int counted;          /* zones in the total */
	uint64_t exchanged;            /* number of exchanges of counters */
};

/* Adds a zone without an open counter.  -ENAMETOOLONG, -ENOMEM. */
int sm_rapl_zones_add(struct sm_rapl_zones *zs, const char *id, const char *name) SM_MUST;
/* Sets order, kinds, parents, duplicates, labels and why, after all zones were added. */
void sm_rapl_zones_arrange(struct sm_rapl_zones *zs);
/* Finds mirrors and dead counters, after every zone was read. */
void sm_rapl_zones_settle(struct sm_rapl_zones *zs);
/* Returns whether two dies can still prove to be mirrors: they were read too far apart, or have advanced
 * too little. */
bool sm_rapl_zones_unsure(const struct sm_rapl_zones *zs);
/* Sets why and partner of zone i. */
void sm_rapl_zones_mark(
	struct sm_rapl_zones *zs, unsigned int i, enum sm_rapl_why why, int partner);

#endif
