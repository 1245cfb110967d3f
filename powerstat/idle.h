/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * idle: the power of the idle machine before COMMAND (--baseline), and the uncertainty of the energy above
 * it.
 *
 * The time is divided into pieces, whose powers vary with the standard deviation s.  The energy above idle
 * of a run of T seconds is its energy minus T times the mean power.  Its standard error is
 *
 *   T sqrt(s^2 / n + s^2 piece / T + v^2)
 *
 * n: number of pieces; s^2 / n is the error of the mean.  s^2 piece / T: the idle part of the run varies as
 * the pieces did.  v: standard error of the mean of the run if the source reads an instantaneous power, such
 * as a meter; energy counters contain each change, so v is 0.  The formula assumes that successive pieces
 * are independent.
 * For example: idle 8 W +- 0.5 W in 10 pieces of 1 s, and 60 s of load: 60 sqrt(0.025 + 0.0042) = 10 J.
 */
#ifndef POWERSTAT_IDLE_H
#define POWERSTAT_IDLE_H

#include "base/stats.h"
#include "sample.h"

struct idle {
	double watts;          /* power of the idle machine; NAN: could not be measured */
	uint64_t of_ns;        /* time of the measurement; 0: not requested */
	uint64_t piece_ns;     /* planned time of a piece */
	uint64_t end_ns;       /* end of the measurement */
	double joules;
	uint64_t covered_ns;   /* time that the joules cover */
	struct sm_stats pieces; /* powers of the pieces, in watts */
	bool slope;            /* a value was computed from a level: the pieces are not independent */
};

/* p: the source, from which the time of a piece depends. */
void idle_begin(struct idle *i, const struct sm_source *p, uint64_t now_ns, uint64_t idle_ns);
/* Returns the end of the piece that begins at now_ns. */
uint64_t idle_piece_end(const struct idle *i, uint64_t now_ns);
/* Adds a piece. */
void idle_add(struct idle *i, const struct sample *s);
/* Returns the standard error of the mean power; NAN: fewer than two pieces. */
double idle_stderr_w(const struct idle *i);
/* Returns the standard error of the joules above idle of a run.  run_stderr_w: v, see above. */
double idle_stderr_j(const struct idle *i, uint64_t run_ns, double run_stderr_w);

#endif
