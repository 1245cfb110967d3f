/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meters: energy (--rapl) and temperatures (--tz) of the machine while a stage runs.
 *
 * They are the whole machine's: of jobs that run at the same time each has the same figures.
 */
#ifndef STRESSORS_RUN_METERS_H
#define STRESSORS_RUN_METERS_H

#include "../result/result.h"
#include "base/buf.h"
#include "power/energy.h"
#include "power/thermal.h"

struct meters {
	struct sm_energy energy;
	struct sm_thermal thermal;
	bool has_power, has_temp;
	bool running;
};

/* Opens what is wanted; what this machine lacks is a line in *why.  -ENOMEM. */
int meters_open(struct meters *m, const struct sm_root *root, bool rapl, bool tz, struct sm_buf *why)
	SM_MUST;
void meters_begin(struct meters *m);
void meters_read(struct meters *m);
/* The stage has ended: the last reading, and the figures into each result. */
void meters_end(struct meters *m, double wall_s, struct result *r, size_t n);
/* Watts and the highest temperature in degrees Celsius, now; NAN: not known. */
double meters_watts(const struct meters *m);
double meters_temperature(struct meters *m);
void meters_close(struct meters *m);

#endif
