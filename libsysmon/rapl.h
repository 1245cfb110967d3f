/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rapl: energy counters of the powercap class (Documentation/power/powercap/powercap.rst,
 * Documentation/ABI/testing/sysfs-class-powercap), any control type with energy_uj.
 *
 * A zone is known by its path (intel-rapl:1:0), never by its name or its place in the directory.
 * core and uncore lie inside their package; dram is a child zone, but its energy is not in the
 * package's; psys covers the platform.  So the total is the packages and the drams of distinct
 * zones.  Counters wrap at max_energy_range_uj + 1; what is no plausible wrap is never guessed.
 *
 * sm_rapl_read() adds to running 64-bit sums with the time of each zone's own reading; a user
 * takes differences of sums.  Between two readings of a zone may lie at most sm_rapl_gap_ns(),
 * or wraps are missed.
 */
#ifndef SM_RAPL_H
#define SM_RAPL_H

#include "base.h"
#include "buf.h"
#include "file.h"
#include "root.h"

enum sm_rapl_kind { SM_RAPL_PACKAGE, SM_RAPL_CORE, SM_RAPL_UNCORE, SM_RAPL_DRAM, SM_RAPL_PSYS,
	SM_RAPL_OTHER };

/* Which zones make the total. */
enum sm_rapl_total { SM_RAPL_TOTAL_PKG_DRAM, SM_RAPL_TOTAL_PKG, SM_RAPL_TOTAL_PSYS };

enum sm_rapl_why { /* why a zone is not in the total */
	SM_RAPL_COUNTED = 0,
	SM_RAPL_INSIDE,     /* its energy is in its package's */
	SM_RAPL_TWIN,       /* another zone shows the same counter's package (mmio) */
	SM_RAPL_MIRROR,     /* a die that repeats another die's counter (AMD Zen 1/2) */
	SM_RAPL_NOT_ASKED,  /* by the rule of the total: psys, dram */
	SM_RAPL_UNREADABLE,
};

#define SM_RAPL_NAME_MAX 128

struct sm_rapl_zone {
	char id[SM_RAPL_NAME_MAX];     /* "intel-rapl:0:1" */
	char name[SM_RAPL_NAME_MAX];   /* the kernel's, hostile bytes */
	char label[SM_RAPL_NAME_MAX];  /* pkg-0, pkg-0.1, core, core-1, dram-0, psys; unique */
	enum sm_rapl_kind kind;
	int package, die;              /* -1: not known */
	int parent;                    /* index of its package's zone; -1: none */
	uint8_t why;                   /* enum sm_rapl_why */
	int error;                     /* -errno of the last opening or reading; 0: fine */
	uint64_t range_uj;             /* max_energy_range_uj; 0: not known, no wrap can be told */
	uint64_t cap_uw;               /* more than this is no reading: 4 x its highest power
	                                  constraint, at least 2 kW */
	struct sm_file file;
	bool has_base;
	uint64_t base_uj, base_ns;     /* the last good reading */
	unsigned int held;             /* readings since then that went back or were absurd */
	/* Sums. */
	uint64_t energy_uj;            /* since it was opened */
	uint64_t covered_ns;           /* time that energy_uj covers: < elapsed after a gap */
	uint64_t read_ns;              /* CLOCK_MONOTONIC of the last good reading */
	uint64_t wraps, glitches, rebased;
};

struct sm_rapl {
	const struct sm_root *root;
	struct sm_rapl_zone *zone;     /* sorted: package, core, uncore, dram, psys, other; then by
	                                  package and die */
	unsigned int n;
	enum sm_rapl_total rule;
	unsigned int counted;          /* zones in the total */
	uint64_t readings;
};

/* Finds all zones.  0 also when none can be read (see zone[].error); -ENOENT: there is none. */
int sm_rapl_open(struct sm_rapl *r, const struct sm_root *root, enum sm_rapl_total rule) SM_MUST;
/* Reads every zone that was readable: one pread for each.  The number that gave a value; -ENODEV
 * when every counted one has vanished. */
int sm_rapl_read(struct sm_rapl *r) SM_MUST;
/* After two or more readings: dies with counters equal to 1 J at both are one counter. */
void sm_rapl_find_mirrors(struct sm_rapl *r);
/* The longest time between two readings that misses no wrap: half the smallest range at 2 kW. */
uint64_t sm_rapl_gap_ns(const struct sm_rapl *r);
void sm_rapl_close(struct sm_rapl *r);

#endif
