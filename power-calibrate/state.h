/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: what tells whether the machine was the same at the end as at the begin: the mean frequency of its
 * CPUs, its temperatures, and how often it slowed itself down for heat.
 *
 * Read at the begin of the run, before the first load; at its end, before the last load ends; and the
 * frequency also at the end of each test with the full load on all of the CPUs: not between two readings,
 * but for an interim result.
 * A machine that has none of them gives nothing.
 */
#ifndef POWER_CALIBRATE_STATE_H
#define POWER_CALIBRATE_STATE_H

#include "kernel/cpufreq.h"
#include "power/thermal.h"
#include "power/throttle.h"

struct state_pair {
	bool known;            /* both */
	double begin, end;
};

struct state_zone {
	const char *label;     /* any bytes */
	bool begun;            /* c.begin is known */
	struct state_pair c;   /* degrees Celsius */
};

struct state {
	const struct sm_root *root;
	struct state_pair mhz;
	struct state_pair full_mhz; /* of the first and the last test with full load */
	struct state_zone *zone;
	unsigned int zones;
	bool has_throttle;
	uint64_t core_throttles, package_throttles;
	/* the sources */
	bool has_freq, has_thermal;
	struct sm_cpufreq freq;
	struct sm_thermal thermal;
	struct sm_throttle throttle; /* at the begin */
};

/* The sources; root is used until state_close().  -ENOMEM. */
int state_open(struct state *s, const struct sm_root *root) SM_MUST;
void state_begin(struct state *s);
/* The full load is on all of the CPUs. */
void state_full(struct state *s);
/* Can be called again: the last one counts. */
void state_end(struct state *s);
void state_close(struct state *s);

#endif
