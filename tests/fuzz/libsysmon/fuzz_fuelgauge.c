// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_fuelgauge: readings of a hostile fuel gauge: pairs of a time step and a level
 * step. The ring stays in order, a figure is finite and never negative, and a good one
 * spans a minute, three edges and 20 steps of the gauge.  Within the window, power lies
 * between the minimum and the maximum of the power between two edges.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "power/fuelgauge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct reading {
	uint8_t unit;
	int8_t level;
	uint16_t time;
};

static void require(bool ok)
{
	if (!ok)
		abort();
}

static unsigned int place(const struct sm_fuelgauge *g, unsigned int i)
{
	return (g->first + i) % SM_FUELGAUGE_EDGES;
}

static void check_ring(const struct sm_fuelgauge *g)
{
	require(g->n <= SM_FUELGAUGE_EDGES && g->first < SM_FUELGAUGE_EDGES);
	require(g->edges >= g->n);
	for (unsigned int i = 0; i + 1 < g->n; i++) {
		require(g->edge[place(g, i)].t_ns < g->edge[place(g, i + 1)].t_ns);
		require(g->edge[place(g, i)].uj > g->edge[place(g, i + 1)].uj);
	}
	require(g->n == 0 || g->edge[place(g, g->n - 1)].t_ns <= g->last_ns);
	/* Held-back time follows the line, which then has an edge. */
	require(g->nheld < SM_FUELGAUGE_HELD && (!g->nheld || g->n > 1));
	for (unsigned int i = 0; i < g->nheld; i++) {
		require(g->held[i].t_ns > g->edge[place(g, g->n - 1)].t_ns);
		require(g->held[i].uj < g->edge[place(g, g->n - 1)].uj);
		require(i == 0 || g->held[i].uj < g->held[i - 1].uj);
	}
}

/* Between two edges, uW. */
static double between(const struct sm_fuelgauge *g, unsigned int i)
{
	double uj = g->edge[place(g, i)].uj - g->edge[place(g, i + 1)].uj;
	uint64_t ns = g->edge[place(g, i + 1)].t_ns - g->edge[place(g, i)].t_ns;

	return uj / ((double)ns / 1e9);
}

static void check_power(const struct sm_fuelgauge *g, uint64_t now_ns)
{
	double uw = -1, least = INFINITY, most = 0;
	int ret = sm_fuelgauge_power(g, now_ns, &uw);

	require((ret == -ENODATA) == (g->n < 2));
	if (ret < 0)
		return;
	require(isfinite(uw) && uw >= 0);
	for (unsigned int i = 0; i + 1 < g->n; i++) {
		least = fmin(least, between(g, i));
		most = fmax(most, between(g, i));
	}
	require(uw <= most * 1.0001 + 1);
	require(ret == 0 || uw >= least * 0.9999 - 1);
	require(ret == 0 || !g->nheld);
	require(ret == 0 ||
		(g->edges >= 3 && sm_fuelgauge_span_ns(g) >= 59 * SM_NSEC_PER_SEC &&
			g->edge[g->first].uj - g->edge[place(g, g->n - 1)].uj >=
				20 * g->quantum_uj));
}

static double level_step(const struct reading *r)
{
	static const double units[] = {0, 3.6e6, 36e6, 360e6, 1, 1e12};

	return units[r->unit % 6] * r->level;
}

static uint64_t time_step(const struct reading *r)
{
	static const uint64_t units[] = {1, 1000000, 10000000, 1000000000};

	return units[r->unit / 6 % 4] * r->time;
}

static void run(const uint8_t *data, size_t size, uint64_t window_ns, double quantum_uj)
{
	struct sm_fuelgauge g;
	struct reading r;
	double level = 1e11;
	uint64_t now = 1;

	sm_fuelgauge_init(&g, window_ns);
	g.quantum_uj = quantum_uj;
	check_power(&g, now);
	for (; size >= sizeof(r); data += sizeof(r), size -= sizeof(r)) {
		memcpy(&r, data, sizeof(r));
		now += time_step(&r);
		level += level_step(&r);
		sm_fuelgauge_add(&g, now, r.unit == 255 ? (double)NAN : level);
		check_ring(&g);
		check_power(&g, now);
	}
	check_power(&g, now + 1000 * SM_NSEC_PER_SEC);
	check_power(&g, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	run(data, size, 0, 360e6);
	run(data, size, 120 * SM_NSEC_PER_SEC, 0);
	run(data, size, 120 * SM_NSEC_PER_SEC, 360e6);
	run(data, size, 86400 * SM_NSEC_PER_SEC, 0);
	return 0;
}
