/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: the settings of the machine, and whether it changed during the run: the mean frequency of
 * its CPUs, its temperatures, and the number of thermal throttling events.
 *
 * The state is read at the start of the run, before the first load; at its end, before the last load stops;
 * and for an interim result.  The frequency is also read at the end of each test with full load on all CPUs.
 * Nothing is read between two readings, except for an interim result.  Values that the machine does not
 * report are left out.
 */
#ifndef POWER_CALIBRATE_STATE_H
#define POWER_CALIBRATE_STATE_H

#include "power/thermal.h"
#include "power/throttle.h"
#include "proc/cpufreq.h"
#include "proc/cpusettings.h"

struct state_pair {
	bool known;            /* both values are known */
	double begin, end;
};

struct state_zone {
	const char *label;     /* any bytes */
	bool begun;            /* c.begin is known */
	struct state_pair c;   /* degrees Celsius */
};

struct state {
	const struct sm_root *root;
	struct sm_cpusettings cpu;  /* at the start */
	uint64_t limit_milli;  /* CPU limit of the cgroup, in thousandths of a CPU; 0: no limit */
	struct state_pair mhz;
	struct state_pair full_mhz; /* in the first and the last test with full load */
	struct state_zone *zone;
	unsigned int zones;
	bool has_throttle;
	uint64_t core_throttles, package_throttles;
	/* the sources */
	bool has_freq, has_thermal;
	struct sm_cpufreq freq;
	struct sm_thermal thermal;
	struct sm_throttle throttle; /* counters at the start */
};

/* Opens the sources; root is used until state_close().  -ENOMEM. */
int state_open(struct state *s, const struct sm_root *root) SM_MUST;
void state_begin(struct state *s);
/* Notes the frequency while all CPUs have full load. */
void state_full(struct state *s);
/* Notes the final values; can be called several times. */
void state_end(struct state *s);
void state_close(struct state *s);

#endif
