/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model: the regressions of the readings (base/regress.h has the method and its reasons).
 *
 *	watts = base + a own + b other + c time
 *
 * own, other: busy CPUs.  Beside it the same for each number of CPUs alone, and for each domain of the
 * source.
 *
 * The energy of an operation, a cycle or an instruction is a over the number of them that a busy CPU did in
 * a second, in the mean of the run.  It is not the slope of a line over operations per second: where their
 * rate varies, because a neighbour takes cycles or memory bandwidth, that slope is drawn towards 0 (by
 * 1 % for a rate that varies by 10 %), and energy times operations is not the energy.
 *
 * Time is counted from the middle of the run, so that base is that of the middle.  Other load and drift
 * are left out where there was none.
 */
#ifndef POWER_CALIBRATE_MODEL_H
#define POWER_CALIBRATE_MODEL_H

#include "base/regress.h"
#include "plan.h"
#include "readings.h"

#define MODEL_CONFIDENCE 0.95
#define MODEL_BEND_P     0.01 /* "not linear": less likely than that by chance, */
#define MODEL_BEND_SHARE 0.02 /* and as much of the rise */

struct model_line {
	int err;               /* 0, or why there is no line: -errno of sm_regress() */
	const char *bad;       /* of -EDOM: what does not vary, or only with others; else NULL */
	bool combined;         /* the latter */
	struct sm_serial_estimate slope; /* W per busy CPU, or J per operation, cycle ... */
	struct sm_serial_estimate base;  /* W */
	bool has_other, has_drift;
	bool other_joined;     /* so little that it counts as load: slope is of it, too */
	struct sm_serial_estimate other; /* W per busy CPU */
	struct sm_serial_estimate drift; /* W per hour */
	bool has_r2;
	double r2, adjusted_r2, rms, worst;
	size_t used, rejected;
	bool misfit;           /* over a quarter would have been rejected: none was */
	double tau_s, share;   /* of errors that last: base/serial.h */
	bool has_bend;
	double bend_p, bend_share;
	bool not_linear;
};

enum model_energy { MODEL_OP, MODEL_CYCLE, MODEL_INSTRUCTION, MODEL_REF_CYCLE, MODEL_ENERGIES };

struct model {
	struct model_line load;
	struct model_line energy[MODEL_ENERGIES];
	struct model_line count[PLAN_COUNTS_MAX]; /* as plan.count, with per_count */
	unsigned int counts;
	struct model_line *domain;                /* as the source's, if it has more than one */
	unsigned int ndomains;
	bool *used;            /* of each reading: not rejected by `load` */
	struct sm_regress *fit; /* of `load`, for the band around the line */
	double middle_s;       /* of the run: time 0 of the regression */
};

/* -ENOMEM; lines that do not exist have an err of their own. */
int model_fit(struct model *m, const struct readings *r, const struct plan *p, bool per_count) SM_MUST;
void model_fini(struct model *m);
/* The line at that many busy CPUs, without other load in the middle of the run, with its band. */
int model_at(const struct model *m, double own, struct sm_serial_estimate *e) SM_MUST;
/* Half of the interval over the slope; infinite without a line. */
double model_half_width(const struct model_line *l);
/* "very weak" ... "perfect", as the original's. */
const char *model_strength(double r2);
/* Why there is no line. */
const char *model_reason(const struct model_line *l);

#endif
