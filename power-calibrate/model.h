/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model: the regressions of the readings (fit/regress.h has the method and its reasons).
 *
 *	watts = base + a own + b other + c time
 *
 * own and other are in busy CPUs.  Such a line is also fitted for each number of CPUs, and for each domain
 * of the source.  points.h makes its points.
 *
 * By type, a further line has a slope for the load of each type of CPUs, because one slope for all types
 * would be a mean that is true for no type.  The types share its base, its terms of other load and drift,
 * and its quality.
 *
 * The energy of an operation, a cycle or an instruction is a divided by their mean number per second on a
 * busy CPU.  It is not the slope of a line over operations per second: if this rate varies, because another
 * program uses cycles or memory bandwidth, that slope is biased towards 0 (by 1 % for a rate that varies by
 * 10 %), and energy times operations is not the energy.
 *
 * Time is counted from the middle of the run, so base is the idle power at that time.  Terms for other load
 * and drift are left out if there was neither.
 */
#ifndef POWER_CALIBRATE_MODEL_H
#define POWER_CALIBRATE_MODEL_H

#include "points.h"

#define MODEL_CONFIDENCE 0.95
/* The kind of a late meter, and the correlation of its errors, are uncertain as well.  With this value, the
 * intervals of simulated runs contain the truth as often as without a lag. */
#define MODEL_LATE_CONFIDENCE 0.98
#define MODEL_BEND_P     0.01 /* "not linear": p-value below this, */
#define MODEL_BEND_SHARE 0.02 /* and deviation above this fraction of the rise */

struct model_line {
	int err;               /* 0, or -errno of sm_regress() if there is no line */
	const char *bad;       /* -EDOM: the variable that does not vary independently; otherwise NULL */
	bool combined;         /* it varies, but only together with others */
	bool no_ticks;         /* combined, because /proc/stat does not advance */
	bool uncounted;        /* -EDOM, because /proc/stat does not include the load */
	struct sm_autocorr_estimate slope; /* W per busy CPU, or J per operation, cycle ... */
	struct sm_autocorr_estimate base;  /* W */
	bool has_other, has_drift;
	bool other_joined;     /* other load is small and treated as load: slope includes it */
	struct sm_autocorr_estimate other; /* W per busy CPU */
	struct sm_autocorr_estimate drift; /* W per hour */
	bool has_r2;
	double r2, adjusted_r2, rms, worst;
	size_t used, rejected;
	double step_w;         /* the meter has steps of this; 0: no effect */
	bool misfit;           /* more than a quarter were outliers, so all were kept */
	double tau_s, share;   /* correlated part of the errors: fit/autocorr.h */
	bool has_bend;
	double bend_p, bend_share;
	bool not_linear;
};

enum model_energy { MODEL_OP, MODEL_CYCLE, MODEL_INSTRUCTION, MODEL_REF_CYCLE, MODEL_ENERGIES };

struct model {
	struct model_line load;                   /* by type: of the idle machine and the tests on all CPUs */
	struct model_line type[PLAN_TYPES_MAX];   /* one line with several slopes */
	unsigned int types;                       /* 0: not by type */
	struct model_line energy[MODEL_ENERGIES];
	struct model_line count[PLAN_COUNTS_MAX]; /* in the order of plan.count, with per_count */
	unsigned int counts;
	struct model_line *domain;                /* in the order of the source, if it has more than one */
	unsigned int ndomains;
	bool *used;            /* for each reading: not rejected by `load` */
	struct sm_regress *fit; /* fit of `load`, for the band around the line */
	struct lag lag;        /* of the meter, for all lines */
	double middle_s;       /* middle of the run, time 0 of the regression */
};

/* Fits all lines.  -ENOMEM; a line that does not exist has its own err. */
int model_fit(struct model *m, const struct readings *r, const struct plan *p, bool per_count) SM_MUST;
void model_fini(struct model *m);
/* Returns the line and its band at `own` busy CPUs, in the middle of the run, without other load. */
int model_at(const struct model *m, double own, struct sm_autocorr_estimate *e) SM_MUST;
/* Returns half of the confidence interval divided by the slope; infinite without a line. */
double model_half_width(const struct model_line *l);
/* Returns the greatest half width of the load and of the types. */
double model_widest(const struct model *m);
/* Returns the original's words for R^2: "very weak" ... "perfect". */
const char *model_strength(double r2);
/* Returns the reason why there is no line. */
const char *model_reason(const struct model_line *l);


#endif
