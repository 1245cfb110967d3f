// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "gauge.h"
#include "stats.h"

#define WINDOW_MIN_NS (120 * SM_NSEC_PER_SEC)
#define GOOD_SPAN_NS  (60 * SM_NSEC_PER_SEC)
#define GOOD_SLACK_NS (SM_NSEC_PER_SEC / 2) /* readings come a little early or late */
#define GOOD_EDGES    3u
#define FASTEST_UW    1e9

void sm_gauge_init(struct sm_gauge *g, uint64_t window_ns)
{
	*g = (struct sm_gauge){.window_ns = window_ns};
	if (window_ns == 0)
		return;
	if (g->window_ns < WINDOW_MIN_NS)
		g->window_ns = WINDOW_MIN_NS;
	g->spacing_ns = g->window_ns / (SM_GAUGE_EDGES / 2);
}

/* ---- the ring of edges; 0 is the oldest ---- */

static unsigned int place(const struct sm_gauge *g, unsigned int i)
{
	return (g->first + i) % SM_GAUGE_EDGES;
}

static uint64_t edge_ns(const struct sm_gauge *g, unsigned int i)
{
	return g->edge[place(g, i)].t_ns;
}

static double edge_uj(const struct sm_gauge *g, unsigned int i)
{
	return g->edge[place(g, i)].uj;
}

static void drop_oldest(struct sm_gauge *g)
{
	g->first = (g->first + 1) % SM_GAUGE_EDGES;
	g->n--;
}

/* One at the window's beginning or before it stays, so that the edges span the window. */
static void drop_old(struct sm_gauge *g, uint64_t now_ns)
{
	while (g->n > GOOD_EDGES && now_ns - edge_ns(g, 1) >= g->window_ns)
		drop_oldest(g);
}

/* Where all but the first and the last would be left out (-S), or they lie too close. */
static bool replaces_last(const struct sm_gauge *g, uint64_t t_ns)
{
	if (g->n < 2)
		return false;
	if (g->window_ns == 0)
		return true;
	return g->n > GOOD_EDGES && t_ns - edge_ns(g, g->n - 2) < g->spacing_ns;
}

static void add_edge(struct sm_gauge *g, uint64_t t_ns, double uj)
{
	unsigned int at;

	g->edges++;
	if (replaces_last(g, t_ns))
		g->n--;
	else if (g->n == SM_GAUGE_EDGES)
		drop_oldest(g);
	at = place(g, g->n++);
	g->edge[at].t_ns = t_ns;
	g->edge[at].uj = uj;
	if (g->window_ns)
		drop_old(g, t_ns);
}

/* ---- readings ---- */

static void begin_anew(struct sm_gauge *g)
{
	g->first = 0;
	g->n = 0;
	g->edges = 0;
}

/* Since the last edge: a step is as old as that. */
static bool too_fast(const struct sm_gauge *g, uint64_t t_ns, double uj)
{
	double s;

	if (g->n == 0)
		return false;
	s = (double)(t_ns - edge_ns(g, g->n - 1)) / (double)SM_NSEC_PER_SEC;
	return edge_uj(g, g->n - 1) - uj > FASTEST_UW * s;
}

static void compare(struct sm_gauge *g, uint64_t t_ns, double uj)
{
	if (uj > g->last_uj) {
		g->jumps_up++;
		begin_anew(g);
	} else if (too_fast(g, t_ns, uj)) {
		g->jumps_down++;
		begin_anew(g);
	} else if (uj < g->last_uj) {
		add_edge(g, t_ns, uj);
	}
}

void sm_gauge_add(struct sm_gauge *g, uint64_t t_ns, double level_uj)
{
	if (!isfinite(level_uj) || (g->started && t_ns <= g->last_ns))
		return;
	if (g->started)
		compare(g, t_ns, level_uj);
	g->started = true;
	g->last_ns = t_ns;
	g->last_uj = level_uj;
}

/* ---- the figure ---- */

static double seconds_from_first(const struct sm_gauge *g, uint64_t t_ns)
{
	uint64_t from = edge_ns(g, 0);

	return t_ns > from ? (double)(t_ns - from) / (double)SM_NSEC_PER_SEC : 0;
}

static double fallen(const struct sm_gauge *g)
{
	return edge_uj(g, 0) - edge_uj(g, g->n - 1);
}

static double least_squares(const struct sm_gauge *g)
{
	struct sm_linreg r = {0};
	double a, b, r2;

	for (unsigned int i = 0; i < g->n; i++)
		sm_linreg_add(&r, seconds_from_first(g, edge_ns(g, i)),
			edge_uj(g, 0) - edge_uj(g, i));
	return sm_linreg_solve(&r, &a, &b, &r2) == 0 ? b : 0;
}

/* What has fallen, and at most two mean steps that have not shown yet. */
static double upper_bound(const struct sm_gauge *g, uint64_t now_ns)
{
	double s = seconds_from_first(g, now_ns);

	return s > 0 ? fallen(g) * (1 + 2 / (double)(g->edges_fallen)) / s : INFINITY;
}

int sm_gauge_power(const struct sm_gauge *g, uint64_t now_ns, double *uw)
{
	double slope, most;

	if (g->n < 2)
		return -ENODATA;
	slope = g->window_ns ? least_squares(g)
			     : fallen(g) / seconds_from_first(g, edge_ns(g, g->n - 1));
	most = upper_bound(g, now_ns);
	*uw = fmax(0, fmin(slope, most));
	if (slope > most || g->edges < GOOD_EDGES)
		return 0;
	return sm_gauge_span_ns(g) + GOOD_SLACK_NS >= GOOD_SPAN_NS;
}

uint64_t sm_gauge_span_ns(const struct sm_gauge *g)
{
	return g->n ? edge_ns(g, g->n - 1) - edge_ns(g, 0) : 0;
}
