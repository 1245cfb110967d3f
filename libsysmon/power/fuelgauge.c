// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "power/fuelgauge.h"

#define WINDOW_MIN_NS (120 * SM_NSEC_PER_SEC)
#define GOOD_SPAN_NS  (60 * SM_NSEC_PER_SEC)
#define GOOD_SLACK_NS (SM_NSEC_PER_SEC / 2) /* jitter of the readings */
#define GOOD_EDGES    3u
#define GOOD_QUANTA   20
#define FASTEST_UW    1e9
/* A step may be a correction if it exceeds every earlier step, the line's power x time,
 * and the energy that the line spans, by these factors. */
#define SUSPECT_STEPS 4
#define SUSPECT_POWER 3
#define SUSPECT_SHARE 0.1
/* Powers up to this factor apart are equal: steps scatter by a factor of two. */
#define SAME_POWER 2.5

void sm_fuelgauge_init(struct sm_fuelgauge *g, uint64_t window_ns)
{
	*g = (struct sm_fuelgauge){.window_ns = window_ns};
	if (window_ns == 0)
		return;
	if (g->window_ns < WINDOW_MIN_NS)
		g->window_ns = WINDOW_MIN_NS;
	g->spacing_ns = g->window_ns / (SM_FUELGAUGE_EDGES / 2);
}

/* ---- the ring of edges; 0 is the oldest ---- */

static unsigned int place(const struct sm_fuelgauge *g, unsigned int i)
{
	return (g->first + i) % SM_FUELGAUGE_EDGES;
}

static uint64_t edge_ns(const struct sm_fuelgauge *g, unsigned int i)
{
	return g->edge[place(g, i)].t_ns;
}

static double edge_uj(const struct sm_fuelgauge *g, unsigned int i)
{
	return g->edge[place(g, i)].uj;
}

static void drop_oldest(struct sm_fuelgauge *g)
{
	g->first = (g->first + 1) % SM_FUELGAUGE_EDGES;
	g->n--;
}

/* Returns whether the level has fallen by enough steps from edge i to the last edge. */
static bool has_fallen_enough(const struct sm_fuelgauge *g, unsigned int i)
{
	return edge_uj(g, i) - edge_uj(g, g->n - 1) >= GOOD_QUANTA * g->quantum_uj;
}

/* Keeps one edge at or before the start of the window, so that the edges span it. */
static void drop_old(struct sm_fuelgauge *g, uint64_t now_ns)
{
	while (g->n > GOOD_EDGES && now_ns - edge_ns(g, 1) >= g->window_ns &&
		has_fallen_enough(g, 1))
		drop_oldest(g);
}

/* If the window is 0, only the first and the last edge are kept. */
static bool replaces_last(const struct sm_fuelgauge *g, uint64_t t_ns)
{
	if (g->n < 2)
		return false;
	if (g->window_ns == 0)
		return true;
	return g->n > GOOD_EDGES && t_ns - edge_ns(g, g->n - 2) < g->spacing_ns;
}

static void add_edge(struct sm_fuelgauge *g, uint64_t t_ns, double uj)
{
	unsigned int at;

	g->edges++;
	if (replaces_last(g, t_ns))
		g->n--;
	else if (g->n == SM_FUELGAUGE_EDGES)
		drop_oldest(g);
	at = place(g, g->n++);
	g->edge[at].t_ns = t_ns;
	g->edge[at].uj = uj;
	if (g->window_ns)
		drop_old(g, t_ns);
}

/* ---- the line ---- */

static double seconds_between(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? (double)(to_ns - from_ns) / (double)SM_NSEC_PER_SEC : 0;
}

static double seconds_from_first(const struct sm_fuelgauge *g, uint64_t t_ns)
{
	return seconds_between(edge_ns(g, 0), t_ns);
}

static double fallen(const struct sm_fuelgauge *g)
{
	return edge_uj(g, 0) - edge_uj(g, g->n - 1);
}

/* Returns the integral of (t - middle) * energy from edge i to the next.  The energy is
 * linear there, and Simpson's rule is exact for a parabola. */
static double moment(const struct sm_fuelgauge *g, unsigned int i, double middle)
{
	double from = seconds_from_first(g, edge_ns(g, i));
	double to = seconds_from_first(g, edge_ns(g, i + 1));
	double e_from = edge_uj(g, 0) - edge_uj(g, i);
	double e_to = edge_uj(g, 0) - edge_uj(g, i + 1);

	return (to - from) / 6 *
	       ((from - middle) * e_from + (to - middle) * e_to +
		       4 * ((from + to) / 2 - middle) * (e_from + e_to) / 2);
}

/* Returns the slope of the straight line nearest to the polyline through all edges.  For
 * two edges, this is the slope of the line between them. */
static double least_squares(const struct sm_fuelgauge *g)
{
	double span = seconds_from_first(g, edge_ns(g, g->n - 1)), sum = 0;

	for (unsigned int i = 0; i + 1 < g->n; i++)
		sum += moment(g, i, span / 2);
	return 12 * sum / (span * span * span);
}

/* ---- readings ---- */

static void restart(struct sm_fuelgauge *g)
{
	g->first = 0;
	g->n = 0;
	g->edges = 0;
	g->nheld = 0;
}

/* Counts from the last edge, not from the last reading: the step may be that old. */
static bool too_fast(const struct sm_fuelgauge *g, uint64_t t_ns, double uj)
{
	double s;

	if (g->n == 0)
		return false;
	s = seconds_between(edge_ns(g, g->n - 1), t_ns);
	return edge_uj(g, g->n - 1) - uj > FASTEST_UW * s;
}

static bool is_suspect(const struct sm_fuelgauge *g, uint64_t t_ns, double step)
{
	double s;

	if (g->edges < GOOD_EDGES || step < SUSPECT_STEPS * g->max_step_uj ||
		step < SUSPECT_SHARE * fallen(g))
		return false;
	s = seconds_between(edge_ns(g, g->n - 1), t_ns);
	return step > SUSPECT_POWER * least_squares(g) * s;
}

/* Compares the power between the two edges after the step with the line.  If the step was
 * a correction, its own time has no meaning. */
static bool was_correction(const struct sm_fuelgauge *g)
{
	double s = seconds_between(g->held[1].t_ns, g->held[2].t_ns);

	return g->held[1].uj - g->held[2].uj <= SAME_POWER * least_squares(g) * s;
}

static void settle(struct sm_fuelgauge *g)
{
	unsigned int i = 0;

	if (was_correction(g)) {
		g->jumps_down++;
		restart(g);
		i = 1;
	}
	for (; i < SM_FUELGAUGE_HELD; i++)
		add_edge(g, g->held[i].t_ns, g->held[i].uj);
	g->nheld = 0;
}

static void step_down(struct sm_fuelgauge *g, uint64_t t_ns, double uj)
{
	double step = g->last_uj - uj;
	bool hold = g->nheld || is_suspect(g, t_ns, step);

	g->max_step_uj = fmax(g->max_step_uj, step);
	if (!hold) {
		add_edge(g, t_ns, uj);
		return;
	}
	g->held[g->nheld].t_ns = t_ns;
	g->held[g->nheld++].uj = uj;
	if (g->nheld == SM_FUELGAUGE_HELD)
		settle(g);
}

static void compare(struct sm_fuelgauge *g, uint64_t t_ns, double uj)
{
	if (uj > g->last_uj) {
		g->jumps_up++;
		restart(g);
	} else if (too_fast(g, t_ns, uj)) {
		g->jumps_down++;
		restart(g);
	} else if (uj < g->last_uj) {
		step_down(g, t_ns, uj);
	}
}

void sm_fuelgauge_add(struct sm_fuelgauge *g, uint64_t t_ns, double level_uj)
{
	if (!isfinite(level_uj) || (g->started && t_ns <= g->last_ns))
		return;
	if (g->started)
		compare(g, t_ns, level_uj);
	g->started = true;
	g->last_ns = t_ns;
	g->last_uj = level_uj;
}

/* ---- the power ---- */

static uint64_t longest_gap_ns(const struct sm_fuelgauge *g)
{
	uint64_t max = 0;

	for (unsigned int i = 0; i + 1 < g->n; i++) {
		uint64_t gap = edge_ns(g, i + 1) - edge_ns(g, i);

		max = gap > max ? gap : max;
	}
	return max;
}

static bool has_stopped(const struct sm_fuelgauge *g, uint64_t now_ns)
{
	uint64_t last = edge_ns(g, g->n - 1);

	return now_ns > last && now_ns - last > 2 * longest_gap_ns(g);
}

/* Returns an upper bound: the fall so far and two mean steps not reported yet. */
static double upper_bound(const struct sm_fuelgauge *g, uint64_t now_ns)
{
	double steps = g->window_ns ? g->n - 1 : (double)(g->edges - 1);

	return (edge_uj(g, 0) - g->last_uj) * (1 + 2 / steps) /
	       seconds_from_first(g, now_ns);
}

int sm_fuelgauge_power(const struct sm_fuelgauge *g, uint64_t now_ns, double *uw)
{
	bool stopped;

	if (g->n < 2)
		return -ENODATA;
	stopped = has_stopped(g, now_ns);
	*uw = least_squares(g);
	if (stopped)
		*uw = fmin(*uw, upper_bound(g, now_ns));
	if (stopped || g->nheld || g->edges < GOOD_EDGES || !has_fallen_enough(g, 0))
		return 0;
	return sm_fuelgauge_span_ns(g) + GOOD_SLACK_NS >= GOOD_SPAN_NS;
}

uint64_t sm_fuelgauge_span_ns(const struct sm_fuelgauge *g)
{
	return g->n ? edge_ns(g, g->n - 1) - edge_ns(g, 0) : 0;
}
