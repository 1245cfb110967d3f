/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuelgauge: computes power from the level of a discharging battery, by least squares over the edges
 * (the readings at which the level changed) in a window of time.  Levels are in uJ and fall; times are
 * CLOCK_MONOTONIC.
 *
 * Between edges the level is out of date by up to one step.  At an edge its only error is the
 * time since the previous reading.  The mean of this error is equal at all edges, so it cancels in a
 * slope; least squares scatters less than the line from the first edge to the last.  The line is
 * fitted to the polyline through all edges, not to the edges as points, because a coarse gauge has
 * more edges while the power is higher.  With window 0 (since the start), the line connects the
 * first edge and the last, so that power times time is the drained energy.
 *
 * At an edge, the true level exceeds the reported level by less than one step of the gauge, however
 * rarely the driver updates it.  The energy between two edges is therefore exact to one step
 * (quantum_uj), and its time to the time between two readings, a second.  In the slope these errors
 * count at most 1.5 times.  A value is an estimate until the line has three edges, spans a minute and
 * has fallen by 20 steps; it is then within 1.5 x (1/20 + 1/60) = 10 %.  The window is extended until
 * this is so.
 *
 * If the level rises, or falls faster than 1 kW, the gauge has corrected itself or the battery was
 * replaced: the line restarts, and the restart is counted.  If there is no edge for twice the longest
 * gap so far, the value is an estimate again, limited by the energy that can have been drained: less
 * than two steps since the last edge.
 *
 * A gauge can also correct itself downwards, which looks like power.  A step is held if it is far
 * larger than every earlier step, than the energy that the line's power drains in that time, and than
 * a tenth of the energy that the line spans.  Until two more edges follow, the value is an estimate
 * from the earlier edges.  If the power between the two new edges is about the former power, the step
 * was a correction: the line restarts with the two edges, and the restart is counted.  Otherwise the
 * load has changed, and all three edges are added.  A burst of load between two readings of the gauge
 * is therefore treated as a correction, but only the first burst of its size.
 *
 * For example: a gauge with steps of 36 J that is updated every 30 s, window 120 s.
 *
 *   time     level      edges  value
 *      0 s   180,000 J      0  unknown: the first reading is not an edge
 *     30 s   179,820 J      1  unknown
 *     60 s   179,640 J      2  6.0 W, an estimate: 180 J in 30 s, two edges, five steps
 *     90 s   179,424 J      3  6.6 W, an estimate: three edges that span a minute, eleven steps
 *    120 s   179,208 J      4  6.9 W, an estimate: seventeen steps
 *    150 s   178,992 J      5  7.0 W: 23 steps
 *    180 s   178,776 J      5  7.2 W: 216 J in each 30 s; the edge at 30 s is older than the window
 *
 * With steps of 360 J, a load of 9 W has its first good value after 20 x 360 J / 9 W = 800 s.
 */
#ifndef SM_FUELGAUGE_H
#define SM_FUELGAUGE_H

#include "base/base.h"

#define SM_FUELGAUGE_EDGES 512
#define SM_FUELGAUGE_HELD  3

struct sm_fuelgauge {
	uint64_t window_ns;              /* at least 120 s; 0: since the start (-S) */
	uint64_t spacing_ns;             /* closer edges replace one another, so that every window
	                                    fits into the ring */
	struct { uint64_t t_ns; double uj; } edge[SM_FUELGAUGE_EDGES]; /* ring */
	unsigned int first, n;
	bool started;
	uint64_t last_ns;                /* time of the last reading */
	double last_uj;
	uint64_t edges;                  /* number since the line started */
	uint64_t jumps_up, jumps_down;   /* restarts of the line */
	double quantum_uj;               /* steps of the gauge, set by the caller; 0: unknown */
	double max_step_uj;
	struct { uint64_t t_ns; double uj; } held[SM_FUELGAUGE_HELD]; /* a possible correction and
	                                    the edges after it, which are not part of the line */
	unsigned int nheld;
};

/* A window shorter than 120 s becomes 120 s. */
void sm_fuelgauge_init(struct sm_fuelgauge *g, uint64_t window_ns);
/* Adds the level read at t_ns, only while the battery discharges.  A reading that is not later than
 * the last one is ignored. */
void sm_fuelgauge_add(struct sm_fuelgauge *g, uint64_t t_ns, double level_uj);
/* Sets the power in uW, >= 0.  Returns -ENODATA: no value yet; 0: an estimate (fewer than 3 edges, 60 s
 * or 20 steps, no recent edge, or a step is held); 1: a good value. */
int sm_fuelgauge_power(const struct sm_fuelgauge *g, uint64_t now_ns, double *uw) SM_MUST;
uint64_t sm_fuelgauge_span_ns(const struct sm_fuelgauge *g); /* from the first edge to the last */

#endif
