// SPDX-License-Identifier: GPL-2.0-or-later
/* Which source is taken, and its figures of an interval. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "power.h"
#include "text.h"

#define GAUGE_WINDOW_NS (120 * SM_NSEC_PER_SEC)

/* --- opening ----------------------------------------------------------------------- */

static int make_domains(struct power *p, unsigned int n)
{
	p->domain = calloc(n ? n : 1, sizeof(*p->domain));
	if (!p->domain)
		return -ENOMEM;
	p->n = n;
	for (unsigned int i = 0; i < n; i++)
		p->domain[i].uw = NAN;
	return 0;
}

static void place_failed(struct sm_buf *why, const char *place, const char *reason)
{
	sm_buf_printf(why, "  %s: %s\n", place, reason);
}

static int try_battery(struct power *p, struct sm_buf *why)
{
	int err = p->have_batteries ? 0 : sm_battery_open(&p->batteries, p->root);
	bool asked = p->opts->source == PS_BATTERY;

	if (err) {
		place_failed(why, "battery",
			err == -ENOENT ? "there is none" : strerror(-err));
		return err;
	}
	p->have_batteries = true;
	/* The start delay may still see it unplugged, if it was asked for. */
	if (!sm_battery_discharging(&p->batteries) && !asked) {
		place_failed(why, "battery", "no system battery is discharging");
		return -ENODATA;
	}
	p->gauge = calloc(p->batteries.n, sizeof(*p->gauge));
	if (!p->gauge)
		return -ENOMEM;
	for (unsigned int i = 0; i < p->batteries.n; i++)
		sm_gauge_init(&p->gauge[i], p->opts->from_start ? 0 : GAUGE_WINDOW_NS);
	err = make_domains(p, p->batteries.n);
	for (unsigned int i = 0; !err && i < p->n; i++)
		p->domain[i].label = p->batteries.battery[i].name;
	p->source = PS_BATTERY;
	return err;
}

static int rapl_error(const struct sm_rapl *r)
{
	int err = -ENOENT;

	for (unsigned int i = 0; i < r->n; i++)
		if (r->zone[i].error)
			err = r->zone[i].error;
	return err;
}

static int try_rapl(struct power *p, struct sm_buf *why)
{
	int err = sm_rapl_open(&p->rapl, p->root, (enum sm_rapl_total)p->opts->total);

	if (err) {
		place_failed(why, "rapl (/sys/class/powercap)",
			err == -ENOENT ? "there is none" : strerror(-err));
		return err;
	}
	p->have_rapl = true;
	if (!p->rapl.counted) {
		err = rapl_error(&p->rapl);
		place_failed(
			why, "rapl (/sys/class/powercap/*/energy_uj)", strerror(-err));
		return err;
	}
	err = make_domains(p, p->rapl.n);
	for (unsigned int i = 0; !err && i < p->n; i++) {
		p->domain[i].label = p->rapl.zone[i].label;
		p->domain[i].counted = p->rapl.zone[i].why == SM_RAPL_COUNTED;
	}
	p->source = PS_RAPL;
	return err;
}

static int try_pmu(struct power *p, struct sm_buf *why)
{
	int err = sm_powerpmu_open(&p->pmu, p->root, (enum sm_rapl_total)p->opts->total);

	if (err) {
		place_failed(why, "perf (the power PMU)",
			err == -ENOENT ? "there is none" : strerror(-err));
		return err;
	}
	p->have_pmu = true;
	err = make_domains(p, p->pmu.n);
	for (unsigned int i = 0; !err && i < p->n; i++) {
		p->domain[i].label = p->pmu.domain[i].label;
		p->domain[i].counted = p->pmu.domain[i].counted;
	}
	p->source = PS_PERF;
	return err;
}

static int try_hwmon(struct power *p, struct sm_buf *why)
{
	int err = sm_hwmon_open(&p->hwmon, p->root);
	bool any = false;

	for (unsigned int i = 0; !err && i < p->hwmon.n; i++)
		any = any || p->hwmon.sensor[i].system;
	p->have_hwmon = !err;
	if (!err && !any && p->opts->source != PS_HWMON)
		err = -ENODATA;
	if (err) {
		place_failed(why, "hwmon",
			err == -ENOENT || err == -ENODATA ? "no power meter of the system"
							  : strerror(-err));
		return err;
	}
	err = make_domains(p, p->hwmon.n);
	for (unsigned int i = 0; !err && i < p->n; i++) {
		p->domain[i].label = p->hwmon.sensor[i].label;
		/* Without a meter of the system all that there is adds up. */
		p->domain[i].counted = p->hwmon.sensor[i].system || !any;
	}
	p->source = PS_HWMON;
	return err;
}

static bool is_permission(int err)
{
	return err == -EACCES || err == -EPERM;
}

/* RAPL, or its other face when the files are root's. */
static int try_rapl_or_pmu(struct power *p, struct sm_buf *why)
{
	int err = try_rapl(p, why);

	if (err && try_pmu(p, why) == 0)
		return 0;
	return err;
}

static int try_auto(struct power *p, struct sm_buf *why)
{
	int err = try_battery(p, why), rapl;

	if (!err)
		return 0;
	rapl = try_rapl_or_pmu(p, why);
	if (!rapl)
		return 0;
	err = try_hwmon(p, why);
	return err && is_permission(rapl) ? rapl : err;
}

int power_open(struct power *p, const struct sm_root *root, const struct ps_opts *o,
	struct sm_buf *why)
{
	int err;

	*p = (struct power){.root = root, .opts = o, .total_uw = NAN, .kind = PS_ABSENT};
	switch ((enum ps_source)o->source) {
	case PS_BATTERY:
		err = try_battery(p, why);
		break;
	case PS_RAPL:
		err = try_rapl_or_pmu(p, why);
		break;
	case PS_PERF:
		err = try_pmu(p, why);
		break;
	case PS_HWMON:
		err = try_hwmon(p, why);
		break;
	case PS_NONE:
		err = make_domains(p, 0);
		p->source = PS_NONE;
		break;
	default:
		err = try_auto(p, why);
		break;
	}
	if (!err || err == -ENOMEM)
		return err;
	if (o->no_power) {
		p->source = PS_NONE;
		return make_domains(p, 0);
	}
	return is_permission(err) ? -EACCES : -ENODEV;
}

void power_close(struct power *p)
{
	if (p->have_rapl)
		sm_rapl_close(&p->rapl);
	if (p->have_pmu)
		sm_powerpmu_close(&p->pmu);
	if (p->have_batteries)
		sm_battery_close(&p->batteries);
	if (p->have_hwmon)
		sm_hwmon_close(&p->hwmon);
	free(p->gauge);
	free(p->domain);
	*p = (struct power){0};
}

/* --- reading ----------------------------------------------------------------------- */

static int poll_battery(struct power *p, uint64_t now_ns)
{
	int fresh = sm_battery_read(&p->batteries, now_ns);

	for (unsigned int i = 0; fresh > 0 && i < p->batteries.n && i < p->n; i++) {
		const struct sm_battery *b = &p->batteries.battery[i];

		if (b->system && !b->error && b->has_level)
			sm_gauge_add(&p->gauge[i], p->batteries.read_ns, b->level_uj);
	}
	return fresh < 0 ? fresh : 0;
}

int power_poll(struct power *p, uint64_t now_ns)
{
	int n = 0;

	if (p->source == PS_BATTERY)
		return poll_battery(p, now_ns);
	if (p->source == PS_RAPL)
		n = sm_rapl_read(&p->rapl);
	else if (p->source == PS_PERF)
		n = sm_powerpmu_read(&p->pmu);
	else if (p->source == PS_HWMON)
		n = sm_hwmon_read(&p->hwmon);
	return n < 0 ? n : 0;
}

uint64_t power_gap_ns(const struct power *p)
{
	if (p->source == PS_RAPL)
		return sm_rapl_gap_ns(&p->rapl);
	/* The level's edges are what the estimate is made of. */
	return p->source == PS_BATTERY ? SM_NSEC_PER_SEC : UINT64_MAX;
}

/* A counter's mean power over the time that the new readings cover; NAN without any. */
static double mean_uw(
	struct power_domain *d, double uj, uint64_t at_ns, uint64_t covered_ns)
{
	double de = uj - d->last_uj;
	uint64_t dt = covered_ns - d->last_covered_ns;
	bool first = d->last_ns == 0;

	d->last_uj = uj;
	d->last_ns = at_ns;
	d->last_covered_ns = covered_ns;
	if (first || dt == 0)
		return NAN;
	return de * 1e9 / (double)dt;
}

static void lose(struct power *p, const char *why)
{
	p->lost = true;
	p->lost_why = why;
}

static void sum_counted(struct power *p)
{
	unsigned int counted = 0, missing = 0;
	double sum = 0;

	for (unsigned int i = 0; i < p->n; i++) {
		if (!p->domain[i].counted)
			continue;
		counted++;
		if (isnan(p->domain[i].uw))
			missing++;
		else
			sum += p->domain[i].uw;
	}
	p->incomplete = missing > 0;
	p->total_uw = counted > missing ? sum : NAN;
	p->kind = counted > missing ? PS_MEASURED : PS_ABSENT;
}

static void take_rapl(struct power *p)
{
	unsigned int gone = 0, counted = 0;

	for (unsigned int i = 0; i < p->n; i++) {
		const struct sm_rapl_zone *z = &p->rapl.zone[i];

		p->domain[i].counted = z->why == SM_RAPL_COUNTED;
		p->domain[i].uw = mean_uw(
			&p->domain[i], (double)z->energy_uj, z->read_ns, z->covered_ns);
		counted += p->domain[i].counted;
		gone += p->domain[i].counted &&
			(z->error == -ENODEV || z->error == -ENOENT);
	}
	sum_counted(p);
	if (counted && gone == counted)
		lose(p, "the RAPL zones have gone (was the module removed?)");
}

static void take_pmu(struct power *p)
{
	for (unsigned int i = 0; i < p->n; i++) {
		const struct sm_powerpmu_domain *d = &p->pmu.domain[i];

		p->domain[i].uw = d->error ? NAN
					   : mean_uw(&p->domain[i], d->joules * 1e6,
						     d->read_ns, d->read_ns);
	}
	sum_counted(p);
}

static void take_hwmon(struct power *p)
{
	unsigned int gone = 0, counted = 0;

	for (unsigned int i = 0; i < p->n; i++) {
		const struct sm_hwmon_sensor *s = &p->hwmon.sensor[i];

		if (s->error)
			p->domain[i].uw = NAN;
		else if (s->energy)
			p->domain[i].uw = mean_uw(
				&p->domain[i], (double)s->value, s->read_ns, s->read_ns);
		else
			p->domain[i].uw = (double)s->value;
		counted += p->domain[i].counted;
		gone += p->domain[i].counted &&
			(s->error == -ENODEV || s->error == -ENOENT);
	}
	sum_counted(p);
	if (counted && gone == counted)
		lose(p, "the power meter has gone");
}

/* One battery's figure; its kind is that of the worst one in the sum. */
static void take_one_battery(struct power *p, unsigned int i, uint64_t now_ns)
{
	const struct sm_battery *b = &p->batteries.battery[i];
	struct power_domain *d = &p->domain[i];
	enum ps_kind kind = PS_GAUGE_RATE;
	uint64_t span;
	int good;

	d->uw = NAN;
	d->counted = b->system && b->present && !b->error &&
		     b->status == SM_BATTERY_DISCHARGING;
	if (!b->system || !b->present || b->error)
		return;
	if (b->has_rate) {
		d->uw = (double)b->rate_uw;
	} else {
		good = sm_gauge_power(&p->gauge[i], now_ns, &d->uw);
		if (good < 0) {
			d->uw = NAN;
			kind = PS_ABSENT;
		} else {
			kind = good ? PS_LEVEL : PS_ESTIMATE;
			span = sm_gauge_span_ns(&p->gauge[i]);
			if (d->counted && span > p->window_ns)
				p->window_ns = span;
		}
	}
	if (d->counted && kind > p->kind)
		p->kind = kind;
}

static void take_battery(struct power *p, uint64_t now_ns)
{
	unsigned int counted = 0, present = 0, missing = 0;
	double sum = 0;

	p->kind = PS_MEASURED;
	p->window_ns = 0;
	for (unsigned int i = 0; i < p->n && i < p->batteries.n; i++) {
		take_one_battery(p, i, now_ns);
		present +=
			p->batteries.battery[i].system && !p->batteries.battery[i].error;
		if (!p->domain[i].counted)
			continue;
		counted++;
		if (isnan(p->domain[i].uw))
			missing++;
		else
			sum += p->domain[i].uw;
	}
	p->incomplete = missing > 0;
	p->total_uw = counted > missing ? sum : NAN;
	if (isnan(p->total_uw))
		p->kind = PS_ABSENT;
	p->mains_note = p->mains_note || (counted && sm_battery_on_mains(&p->batteries));
	if (!present)
		lose(p, "the battery has gone");
	else if (!counted)
		lose(p, "no battery is discharging any more (was the charger plugged "
			"in?)");
}

int power_take(struct power *p, uint64_t now_ns)
{
	int err = power_poll(p, now_ns);

	if (err && err != -ENODEV)
		return err;
	switch (p->source) {
	case PS_BATTERY:
		take_battery(p, now_ns);
		break;
	case PS_RAPL:
		take_rapl(p);
		break;
	case PS_PERF:
		take_pmu(p);
		break;
	case PS_HWMON:
		take_hwmon(p);
		break;
	default:
		p->total_uw = NAN;
		p->kind = PS_ABSENT;
		break;
	}
	return 0;
}
