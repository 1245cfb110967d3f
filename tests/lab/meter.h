/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter: a power that depends on the real machine's load, with what disturbs it.
 *
 *	W(t) = base + drift t + busy B + square B^2 + noise(t) + outliers(t)
 *
 * B is the number of busy CPUs (load.h).  Its energy is the integral, exact in the busy time; for
 * B^2 see load.h.
 *
 * growth is noise of the power of the load: means over a second have the standard deviation `growth` times
 * that power.
 *
 * noise is piecewise constant, a value for each 0.2 s.  Without fade they are independent, scaled so that
 * means over a second have the standard deviation `noise_w`; with fade they have it themselves, and a
 * correlation of exp(-distance / fade).  Each whole second has an outlier with probability 1 / N, a pulse
 * within it.  Both depend on the seed and on the time alone, so that two meters of one seed are
 * disturbed alike.
 *
 * heat is leakage: a share of the power of the load, which follows it with a time constant of `heat_s`.
 *
 * Energy counters (meter_uj()) are exact.  The power that is shown (meter_uw()) may be late: through a
 * first-order lag of `lag_s`, then the mean of the last `average_s`, and renewed only every `renew_s`
 * (0: every average_s).  A meter with one of these shows its noise and outliers too.
 */
#ifndef LAB_METER_H
#define LAB_METER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define METER_PAST 1024 /* steps of 0.1 s */

struct meter {
	double base_w, busy_w, full_w, square_w, bend_w, drift_w_per_s;
	double noise_w, fade_s;
	double growth;                 /* share of the power of the load */
	double outlier_w, outlier_n, outlier_s; /* W, one second in N, its duration */
	double heat, heat_s;           /* share of the power of the load, its time constant */
	double lag_s, average_s, renew_s;
	double seed;
	/* Progress of the noise: steps of 0.2 s that are done, the present value, the energy. */
	int64_t noise_steps;
	double noise_now, noise_j;
	/* Progress of the noise that grows with the load: steps of 0.2 s that are done, the energy. */
	int64_t growth_steps;
	double growth_j;
	/* Progress of the outliers: whole seconds, the energy. */
	int64_t outlier_steps;
	double outlier_j;
	/* Progress of the heat and of the shown power: steps of 0.1 s, the warm CPUs, the power after the lag
	 * and its energy at the last steps. */
	int64_t heat_steps, shown_steps;
	double warm, before_j, lagged_w, shown_j, past_j[METER_PAST], shown_w;
};

/* KEY=VALUE; false: not one. */
bool meter_key(struct meter *m, const char *key, const char *value);
/* Since T = 0; t_ns not after the last load_take(). */
int64_t meter_uj(struct meter *m, int64_t t_ns);
/* Now, as it is shown; a meter that is not late shows the last 0.1 s, without noise and outliers. */
int64_t meter_uw(struct meter *m, int64_t t_ns);
/* The parameters, as KEY=VALUE. */
void meter_print(const struct meter *m, FILE *f);

#endif
