/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gauge: power from the level alone: least squares over the gauge's edges (the readings at which
 * the level had changed) in a window of time.  Levels in uJ, falling; times CLOCK_MONOTONIC.
 *
 * Between edges a level says nothing: it is old by up to a step.  At an edge it is right but for
 * the time since the reading before.  These errors are the same at each edge in the mean, so a
 * slope is free of them; least squares has less of their scatter than the line from the first
 * edge to the last.  It is fitted to the line through all edges, not to them as points: a coarse
 * gauge has more of them while more power is drawn.  Since the start (window 0) the figure is
 * the line from the first to the last: the energy that has really gone.
 *
 * A figure is an estimate until its edges span a minute and are three.  A level that rises, or
 * falls faster than 1 kW, is another battery or a correction: all begins anew, and is counted.
 * Of a coarse gauge the last three edges count even if they are older than the window.  When no
 * edge comes for twice as long as ever before, the figure is an estimate again, bounded by what
 * can have gone: the level has fallen by less than a step or two since.
 *
 * A gauge can correct itself downwards, which looks like power.  A step that is far larger than
 * all before it, and than what the line's power takes in that time, is held back; the figure is
 * that of the edges before it, an estimate, until two more have come.  If the power between those
 * two is about the former one, it was a correction: all begins anew with them, and is counted.
 * Else the load has changed, and all three go into the line.  Only what exceeds a tenth of what
 * the line spans is asked about, and each size of step but once: a burst of load between two
 * readings of the gauge is taken for a correction, but only the first of its size.
 *
 * Feed it only while the battery discharges.
 */
#ifndef SM_GAUGE_H
#define SM_GAUGE_H

#include "base.h"

#define SM_GAUGE_EDGES 512
#define SM_GAUGE_HELD  3

struct sm_gauge {
	uint64_t window_ns;              /* at least 120 s; 0: since the start (-S) */
	uint64_t spacing_ns;             /* edges closer than this replace one another: a window
	                                    of any length fits into the ring */
	struct { uint64_t t_ns; double uj; } edge[SM_GAUGE_EDGES]; /* ring */
	unsigned int first, n;
	bool started;
	uint64_t last_ns;                /* of the last reading */
	double last_uj;
	uint64_t edges;                  /* since it began (anew) */
	uint64_t jumps_up, jumps_down;   /* how often it began anew */
	double most_uj;                  /* the largest step ever */
	struct { uint64_t t_ns; double uj; } held[SM_GAUGE_HELD]; /* a step that may be a
	                                    correction, and the edges after it: not in the line */
	unsigned int nheld;
};

/* Windows shorter than 120 s are made 120 s. */
void sm_gauge_init(struct sm_gauge *g, uint64_t window_ns);
/* A reading of the level at its own time; one that is not later than the last is left out. */
void sm_gauge_add(struct sm_gauge *g, uint64_t t_ns, double level_uj);
/* Power in uW, >= 0.  -ENODATA: no figure yet; 0: an estimate (edges span < 60 s, are < 3,
 * have stopped coming, or one is held back); 1: good. */
int sm_gauge_power(const struct sm_gauge *g, uint64_t now_ns, double *uw) SM_MUST;
uint64_t sm_gauge_span_ns(const struct sm_gauge *g); /* between the edges that it is made of */

#endif
