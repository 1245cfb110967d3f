// SPDX-License-Identifier: GPL-2.0-or-later
#include "power/energy.h"

#include <errno.h>
#include <math.h>

/* Sums of all counters of the total. */
struct sums {
	double uj;
	uint64_t ns; /* the longest time that a counter covers */
};

static void add(struct sums *all, const struct sm_rapl_sums *s)
{
	all->uj += (double)s->energy_uj - (double)s->retracted_uj;
	if (s->covered_ns > all->ns)
		all->ns = s->covered_ns;
}

static struct sums sum_up(const struct sm_energy *e)
{
	const struct sm_rapl_zones *z = &e->rapl.zones;
	struct sums all = {0};

	for (unsigned int i = 0; !e->by_pmu && i < z->n; i++)
		if (z->at[i].role.why == SM_RAPL_COUNTED)
			add(&all, &z->at[i].sums);
	for (unsigned int i = 0; e->by_pmu && i < e->pmu.n; i++)
		if (e->pmu.domain[i].counted)
			add(&all, &e->pmu.domain[i].sums);
	return all;
}

/* Reads the counters and marks both values as unknown. */
static void read_counters(struct sm_energy *e)
{
	int got = e->by_pmu ? sm_powerpmu_read(&e->pmu) : sm_rapl_read(&e->rapl);

	e->lost = e->lost || got < 0;
	e->uj = e->uw = NAN;
}

void sm_energy_begin(struct sm_energy *e)
{
	struct sums now;

	if (e->by_pmu)
		sm_powerpmu_rebase(&e->pmu);
	else
		sm_rapl_rebase(&e->rapl);
	e->lost = false;
	read_counters(e);
	now = sum_up(e);
	e->begin_uj = e->last_uj = now.uj;
	e->begin_ns = e->last_ns = now.ns;
}

void sm_energy_read(struct sm_energy *e)
{
	struct sums now;

	read_counters(e);
	now = sum_up(e);
	if (!e->lost && now.ns > e->begin_ns)
		e->uj = now.uj - e->begin_uj;
	if (!e->lost && now.ns > e->last_ns)
		e->uw = (now.uj - e->last_uj) * 1e9 / (double)(now.ns - e->last_ns);
	e->last_uj = now.uj;
	e->last_ns = now.ns;
}

/* Returns 0, or -errno if no counter of the total can be read. */
static int open_rapl(struct sm_energy *e, const struct sm_root *root)
{
	int err = sm_rapl_open(&e->rapl, root, SM_RAPL_TOTAL_PKG_DRAM);

	if (err)
		return err;
	if (e->rapl.zones.counted) {
		sm_rapl_only_total(&e->rapl);
		return 0;
	}
	err = -ENOENT;
	for (unsigned int i = 0; i < e->rapl.zones.n; i++) {
		int error = e->rapl.zones.at[i].counter.error;

		err = error && err != -EACCES ? error : err;
	}
	sm_rapl_close(&e->rapl);
	return err;
}

static bool is_permission(int err)
{
	return err == -EACCES || err == -EPERM;
}

int sm_energy_open(struct sm_energy *e, const struct sm_root *root)
{
	int err, pmu;

	*e = (struct sm_energy){.uj = NAN, .uw = NAN};
	err = open_rapl(e, root);
	if (!err || err == -ENOMEM)
		return err;
	pmu = sm_powerpmu_open(&e->pmu, root, SM_RAPL_TOTAL_PKG_DRAM);
	e->by_pmu = !pmu;
	if (!pmu || pmu == -ENOMEM)
		return pmu;
	return is_permission(err) || is_permission(pmu) ? -EACCES : -ENOENT;
}

uint64_t sm_energy_gap_ns(const struct sm_energy *e)
{
	return e->by_pmu ? UINT64_MAX : sm_rapl_gap_ns(&e->rapl);
}

void sm_energy_close(struct sm_energy *e)
{
	if (e->by_pmu)
		sm_powerpmu_close(&e->pmu);
	else
		sm_rapl_close(&e->rapl);
}
