/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meters: energy (--rapl) and temperatures (--tz) of the machine while a stage runs.
 *
 * The values are measured for the whole machine, so concurrent jobs have equal values.
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

/* Opens the meters that are requested; for each that this machine lacks, *why gets a line.  0 or -ENOMEM. */
int meters_open(struct meters *m, const struct sm_root *root, bool rapl, bool tz, struct sm_buf *why)
	SM_MUST;
void meters_begin(struct meters *m);
void meters_read(struct meters *m);
/* Takes the last reading of a stage that has ended, and adds the values to each result. */
void meters_end(struct meters *m, double wall_s, struct result *r, size_t n);
/* Return the present power in watts, and the highest temperature in degrees Celsius; NAN: unknown. */
double meters_watts(const struct meters *m);
double meters_temperature(struct meters *m);
void meters_close(struct meters *m);

#endif
