/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rapl_zones: labels and hierarchy of the zones of the powercap class, and which of them make the
 * total (Documentation/power/powercap/powercap.rst).  No system calls.
 *
 * The id (intel-rapl:1:0) identifies a zone, not its name or its place in the directory.  The
 * energy of core and uncore is part of their package's; that of dram is not, although dram is a
 * child zone; psys covers the platform.  So the total is packages + drams.  Without packages
 * (other architectures) it is the zones without a parent.
 *
 * A duplicate zone is the same package in another control type (intel-rapl-mmio), with the same
 * name.  A mirror is a die that repeats the counter of another die of its package: two readings
 * agree to 1 J, and to the energy of the time between the readings of the two, while both have
 * moved.  Neither is in the total.  While the counter in the total
 * stands still or fails and its duplicate or mirror works, the two zones exchange their counters;
 * roles and sums stay.
 */
#ifndef SM_RAPL_ZONES_H
#define SM_RAPL_ZONES_H

#include "power/rapl_counter.h"

enum sm_rapl_kind { SM_RAPL_PACKAGE, SM_RAPL_CORE, SM_RAPL_UNCORE, SM_RAPL_DRAM, SM_RAPL_PSYS,
	SM_RAPL_OTHER };

/* Which zones make the total. */
enum sm_rapl_total { SM_RAPL_TOTAL_PKG_DRAM, SM_RAPL_TOTAL_PKG, SM_RAPL_TOTAL_PSYS };

enum sm_rapl_why { /* why a zone is not in the total */
	SM_RAPL_COUNTED = 0, /* it is in the total, also while it cannot be read (error) */
	SM_RAPL_INSIDE,     /* part of its package's energy */
	SM_RAPL_DUPLICATE,  /* the same package in another control type (mmio) */
	SM_RAPL_MIRROR,     /* a die that repeats another die's counter (AMD Zen 1/2) */
	SM_RAPL_NOT_ASKED,  /* excluded by enum sm_rapl_total: psys, dram */
	SM_RAPL_UNREADABLE, /* the opening failed, or only its first reading; counted from its first
	                       good reading on */
	SM_RAPL_STILL,      /* its counter has never moved; counted from its first step on */
};

#define SM_RAPL_LABEL_MAX 272

struct sm_rapl_role {
	char label[SM_RAPL_LABEL_MAX]; /* pkg-0, pkg-0.1, core, core-1, dram-0, psys,
	                                  pkg-0-duplicate; unique; of other kinds the name: any bytes */
	enum sm_rapl_kind kind;
	int package, die;              /* -1: unknown */
	int parent;                    /* index of the enclosing zone; -1: none */
	int partner;                   /* index of the zone that it duplicates or mirrors; -1 */
	uint8_t why;                   /* enum sm_rapl_why */
	bool skip;                     /* not read: see sm_rapl_only_total() */
	bool apart;                    /* was a mirror by mistake: never again */
	uint8_t stale;                 /* readings in which it stood still, its duplicate not */
};

struct sm_rapl_zone {
	struct sm_rapl_role role;
	struct sm_rapl_sums sums;
	struct sm_rapl_counter counter;
};

struct sm_rapl_zones {
	struct sm_rapl_zone *at;       /* sorted: package, core, uncore, dram, psys, other; then by
	                                  package and die */
	unsigned int n;
	size_t cap;
	enum sm_rapl_total rule;
	unsigned int counted;          /* zones in the total */
	uint64_t exchanged;            /* exchanges of counters */
};

/* Adds a zone without an open counter.  -ENAMETOOLONG, -ENOMEM. */
int sm_rapl_zones_add(struct sm_rapl_zones *zs, const char *id, const char *name) SM_MUST;
/* After all were added: sets order, kinds, parents, duplicates, labels and why. */
void sm_rapl_zones_arrange(struct sm_rapl_zones *zs);
/* After every zone was read: finds mirrors and dead counters. */
void sm_rapl_zones_settle(struct sm_rapl_zones *zs);
/* True if two dies can still turn out to be mirrors: they were read too far apart, or have moved too
 * little. */
bool sm_rapl_zones_unsure(const struct sm_rapl_zones *zs);
/* Sets why and partner of zone i. */
void sm_rapl_zones_mark(
	struct sm_rapl_zones *zs, unsigned int i, enum sm_rapl_why why, int partner);

#endif
