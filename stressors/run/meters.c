// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "meters.h"

static int open_power(struct meters *m, const struct sm_root *root, struct sm_buf *why)
{
	int err = sm_energy_open(&m->energy, root);

	m->has_power = err == 0;
	if (!err || err == -ENOMEM)
		return err;
	sm_buf_str(why, err == -EACCES
				? "--rapl: only root may read the energy counters\n"
				: "--rapl: this machine has no energy counters\n");
	return 0;
}

static int open_temperature(
	struct meters *m, const struct sm_root *root, struct sm_buf *why)
{
	int err = sm_thermal_open(&m->thermal, root);

	m->has_temp = err == 0;
	if (!err || err == -ENOMEM)
		return err;
	sm_buf_str(why, "--tz: this machine has no thermal zones\n");
	return 0;
}

int meters_open(struct meters *m, const struct sm_root *root, bool rapl, bool tz,
	struct sm_buf *why)
{
	int err = 0;

	*m = (struct meters){0};
	if (rapl)
		err = open_power(m, root, why);
	if (!err && tz)
		err = open_temperature(m, root, why);
	return err;
}

void meters_begin(struct meters *m)
{
	if (!m->has_power)
		return;
	sm_energy_begin(&m->energy);
	m->running = true;
}

void meters_read(struct meters *m)
{
	if (m->running)
		sm_energy_read(&m->energy);
}

/* Reads the zones.  The error of a zone shows that it cannot be read. */
static void read_zones(struct meters *m)
{
	if (m->has_temp && sm_thermal_read(&m->thermal) < 0)
		m->has_temp = false;
}

static void add(struct result *r, const char *name, const char *unit, double value)
{
	if (r->n && r->n_figures < RESULT_FIGURES && !isnan(value))
		r->figure[r->n_figures++] = (struct result_figure){name, unit, value, 1};
}

void meters_end(struct meters *m, double wall_s, struct result *r, size_t n)
{
	double joules;

	meters_read(m);
	m->running = false;
	read_zones(m);
	joules = m->has_power ? m->energy.uj / 1e6 : NAN;
	for (size_t i = 0; i < n; i++) {
		add(&r[i], "energy", "J", joules);
		if (wall_s > 0)
			add(&r[i], "power", "W", joules / wall_s);
		if (joules > 0)
			add(&r[i], "ops-per-joule", "1/J", (double)r[i].ops / joules);
		for (unsigned int k = 0; k < m->thermal.n; k++)
			if (!m->thermal.zone[k].error)
				add(&r[i], m->thermal.zone[k].label, "Cel",
					(double)m->thermal.zone[k].temp_mc / 1000);
	}
}

double meters_watts(const struct meters *m)
{
	return m->has_power ? m->energy.uw / 1e6 : NAN;
}

double meters_temperature(struct meters *m)
{
	double highest = NAN;

	read_zones(m);
	for (unsigned int k = 0; k < m->thermal.n; k++)
		if (!m->thermal.zone[k].error)
			highest =
				fmax(highest, (double)m->thermal.zone[k].temp_mc / 1000);
	return highest;
}

void meters_close(struct meters *m)
{
	sm_energy_close(&m->energy);
	sm_thermal_close(&m->thermal);
}
