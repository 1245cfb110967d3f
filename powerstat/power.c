// SPDX-License-Identifier: GPL-2.0-or-later
/* The figures of an interval, out of the source that was chosen. */
#include <errno.h>
#include <math.h>

#include "power_priv.h"

#define GAUGE_WINDOW_NS (120 * SM_NSEC_PER_SEC)
/* How long none may discharge, where no charger is known to be there. */
#define PATIENCE_NS (5 * SM_NSEC_PER_SEC)

/* --- reading ----------------------------------------------------------------------- */

static bool discharges(const struct sm_battery *b)
{
	return b->system && b->present && !b->error &&
	       b->status == SM_BATTERY_DISCHARGING;
}

static void begin_level(struct power *p, unsigned int i)
{
	sm_gauge_init(&p->gauge[i], p->opts->from_start ? 0 : GAUGE_WINDOW_NS);
}

static bool has_domain(const struct power *p, unsigned int battery)
{
	for (unsigned int i = 0; i < p->all; i++)
		if (p->domain[i].battery == battery)
			return true;
	return false;
}

void power_add_batteries(struct power *p)
{
	for (unsigned int i = 0; i < p->batteries.n && p->all < p->domains_cap; i++) {
		struct power_domain *d = &p->domain[p->all];

		if (!p->batteries.battery[i].system || has_domain(p, i))
			continue;
		d->battery = i;
		d->label = p->batteries.battery[i].name;
		d->epoch = p->batteries.battery[i].epoch;
		d->counted = discharges(&p->batteries.battery[i]);
		begin_level(p, p->all++);
	}
}

/* The level tells something only while it discharges, and of one such stretch at a time.
 */
static void feed_gauge(struct power *p, unsigned int i)
{
	struct power_domain *d = &p->domain[i];
	const struct sm_battery *b = &p->batteries.battery[d->battery];
	struct sm_gauge *g = &p->gauge[i];
	uint64_t jumps;

	if (b->epoch != d->epoch) {
		d->epoch = b->epoch;
		p->restarts += g->started;
		begin_level(p, i);
	}
	if (!discharges(b) || !b->has_level)
		return;
	jumps = g->jumps_up + g->jumps_down;
	sm_gauge_add(g, p->batteries.read_ns, b->level_uj);
	p->restarts += g->jumps_up + g->jumps_down - jumps;
}

static int poll_battery(struct power *p, uint64_t now_ns)
{
	int fresh = sm_battery_read(&p->batteries, now_ns);

	if (fresh <= 0)
		return fresh;
	power_add_batteries(p);
	for (unsigned int i = 0; i < p->all; i++)
		feed_gauge(p, i);
	if (sm_battery_discharging(&p->batteries))
		p->none_ns = 0;
	return 0;
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

/* Does the figure of a battery that discharges come from its level? */
static bool any_level(const struct power *p)
{
	for (unsigned int i = 0; i < p->all; i++) {
		const struct sm_battery *b = &p->batteries.battery[p->domain[i].battery];

		if (discharges(b) && !b->has_rate)
			return true;
	}
	return false;
}

uint64_t power_gap_ns(const struct power *p)
{
	if (p->source == PS_RAPL)
		return sm_rapl_gap_ns(&p->rapl);
	/* The level's edges are what the estimate is made of; and one that does not
	 * discharge may begin to. */
	if (p->source == PS_BATTERY &&
		(any_level(p) || !sm_battery_discharging(&p->batteries)))
		return SM_NSEC_PER_SEC;
	return UINT64_MAX;
}

/* A counter's energy and mean power over the time that the new readings cover. */
static void take_counter(
	struct power_domain *d, double uj, uint64_t at_ns, uint64_t covered_ns)
{
	double de = uj - d->last_uj;
	uint64_t dt = covered_ns - d->last_covered_ns;
	bool first = d->last_ns == 0;

	d->last_uj = uj;
	d->last_ns = at_ns;
	d->last_covered_ns = covered_ns;
	d->uw = d->uj = NAN;
	if (first || dt == 0)
		return;
	d->uj = de;
	d->of_ns = dt;
	d->uw = de * 1e9 / (double)dt;
}

/* A power reading that stands for the interval. */
static void take_rate(struct power *p, struct power_domain *d, double uw)
{
	d->uw = uw;
	d->uj = uw * (double)p->dt_ns * 1e-9;
	d->of_ns = p->dt_ns;
}

static void lose(struct power *p, const char *why)
{
	p->lost = true;
	p->lost_why = why;
}

/* How many count. */
static unsigned int sum_counted(struct power *p)
{
	unsigned int counted = 0, missing = 0;

	p->total_uw = p->total_uj = 0;
	p->total_ns = 0;
	for (unsigned int i = 0; i < p->all; i++) {
		if (!p->domain[i].counted)
			continue;
		counted++;
		if (isnan(p->domain[i].uw)) {
			missing++;
			continue;
		}
		p->total_uw += p->domain[i].uw;
		p->total_uj += p->domain[i].uj;
		if (p->domain[i].of_ns > p->total_ns)
			p->total_ns = p->domain[i].of_ns;
	}
	if (counted == missing) {
		p->total_uw = p->total_uj = NAN;
		p->kind = PS_ABSENT;
	}
	/* Of nothing nothing is missing. */
	p->missing = p->incomplete = missing > 0 && missing < counted;
	return counted;
}

static bool has_gone(int err)
{
	return err == -ENODEV || err == -ENOENT;
}

static void take_rapl(struct power *p)
{
	unsigned int gone = 0, counted;
	bool unreadable = false;

	for (unsigned int i = 0; i < p->n; i++) {
		const struct sm_rapl_zone *z = &p->rapl.zone[i];

		unreadable |= z->why == SM_RAPL_UNREADABLE;
		p->domain[i].counted = z->why == SM_RAPL_COUNTED;
		take_counter(
			&p->domain[i], (double)z->energy_uj, z->read_ns, z->covered_ns);
		gone += p->domain[i].counted && has_gone(z->error);
	}
	p->kind = PS_MEASURED;
	counted = sum_counted(p);
	p->incomplete |= unreadable && p->kind != PS_ABSENT;
	if (counted && gone == counted)
		lose(p, "the RAPL zones have gone (was the module removed?)");
}

static void take_pmu(struct power *p)
{
	unsigned int gone = 0, counted;

	for (unsigned int i = 0; i < p->n; i++) {
		const struct sm_powerpmu_domain *d = &p->pmu.domain[i];

		take_counter(&p->domain[i], d->joules * 1e6, d->read_ns, d->read_ns);
		gone += p->domain[i].counted && has_gone(d->error);
	}
	p->kind = PS_MEASURED;
	counted = sum_counted(p);
	if (counted && gone == counted)
		lose(p, "the power PMU has gone");
}

static void take_hwmon(struct power *p)
{
	unsigned int gone = 0, counted;

	for (unsigned int i = 0; i < p->n; i++) {
		const struct sm_hwmon_sensor *s = &p->hwmon.sensor[i];
		struct power_domain *d = &p->domain[i];

		d->uw = d->uj = NAN;
		if (s->energy)
			take_counter(d, (double)s->energy_uj, s->read_ns, s->covered_ns);
		else if (!s->error)
			take_rate(p, d, (double)s->value);
		gone += d->counted && has_gone(s->error);
	}
	p->kind = PS_MEASURED;
	counted = sum_counted(p);
	if (counted && gone == counted)
		lose(p, "the power meter has gone");
}

/* The figure from the level; what kind it is. */
static enum ps_kind take_level(struct power *p, unsigned int i, uint64_t now_ns)
{
	struct power_domain *d = &p->domain[i];
	double uw;
	int good = sm_gauge_power(&p->gauge[i], now_ns, &uw);
	uint64_t span = sm_gauge_span_ns(&p->gauge[i]);

	if (good < 0)
		return PS_ABSENT;
	take_rate(p, d, uw);
	if (d->counted && span > p->window_ns)
		p->window_ns = span;
	return good ? PS_LEVEL : PS_ESTIMATE;
}

/* One battery's figure; the sum's kind is that of the worst in it. */
static void take_one_battery(struct power *p, unsigned int i, uint64_t now_ns)
{
	struct power_domain *d = &p->domain[i];
	const struct sm_battery *b = &p->batteries.battery[d->battery];
	enum ps_kind kind = PS_GAUGE_RATE;

	d->uw = d->uj = NAN;
	/* One bad reading does not make it another battery. */
	if (b->system && b->error && !has_gone(b->error))
		return;
	d->counted = discharges(b);
	d->was_counted |= d->counted;
	d->tells |= d->counted && (b->has_rate || b->has_level);
	if (!b->system || !b->present || b->error)
		return;
	if (b->has_rate)
		take_rate(p, d, (double)b->rate_uw);
	else if (d->counted)
		kind = take_level(p, i, now_ns);
	if (d->counted && isfinite(d->uw) && kind > p->kind)
		p->kind = kind;
}

/* A battery that was never used may be full all the time.  With a weak charger the mains
 * are connected while one discharges: then they tell nothing. */
static bool on_charger(const struct power *p)
{
	for (unsigned int i = 0; i < p->all; i++) {
		const struct power_domain *d = &p->domain[i];
		const struct sm_battery *b = &p->batteries.battery[d->battery];

		if (!b->system || !b->present || b->error)
			continue;
		if (b->status == SM_BATTERY_CHARGING ||
			(b->status == SM_BATTERY_FULL && d->was_counted))
			return true;
	}
	return !p->mains_note && sm_battery_on_mains(&p->batteries);
}

/* One battery may take over from another, and a status may be unknown for a reading. */
static void none_discharges(struct power *p, uint64_t now_ns)
{
	if (!p->none_ns)
		p->none_ns = now_ns;
	if (on_charger(p) || now_ns - p->none_ns >= PATIENCE_NS)
		lose(p, "no battery is discharging any more (was the charger plugged "
			"in?)");
}

static void take_battery(struct power *p, uint64_t now_ns)
{
	unsigned int counted, present = 0;

	p->kind = PS_GAUGE_RATE;
	p->window_ns = 0;
	for (unsigned int i = 0; i < p->all; i++) {
		const struct sm_battery *b = &p->batteries.battery[p->domain[i].battery];

		take_one_battery(p, i, now_ns);
		present += b->system && (b->error ? !has_gone(b->error) : b->present);
	}
	counted = sum_counted(p);
	p->mains_note = p->mains_note || (counted && sm_battery_on_mains(&p->batteries));
	if (!present)
		lose(p, "the battery has gone");
	else if (!counted)
		none_discharges(p, now_ns);
}

void power_rebase(struct power *p)
{
	p->figure_ns = 0;
	if (p->source == PS_RAPL)
		sm_rapl_rebase(&p->rapl);
}

void power_resumed(struct power *p)
{
	for (unsigned int i = 0; p->source == PS_BATTERY && i < p->all; i++)
		begin_level(p, i);
}

/* A domain that had no figure for a while brings time that the others have told already.
 */
static void settle_time(struct power *p)
{
	uint64_t since = p->figure_ns ? p->take_ns - p->figure_ns : UINT64_MAX;

	if (p->kind == PS_ABSENT)
		p->total_ns = 0;
	if (p->total_ns > since)
		p->total_ns = since;
	if (!p->figure_ns || p->kind != PS_ABSENT)
		p->figure_ns = p->take_ns;
}

int power_take(struct power *p, uint64_t now_ns)
{
	int err = power_poll(p, now_ns);

	if (err && err != -ENODEV)
		return err;
	p->dt_ns = p->take_ns ? now_ns - p->take_ns : 0;
	p->take_ns = now_ns;
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
		p->total_uw = p->total_uj = NAN;
		p->kind = PS_ABSENT;
		break;
	}
	settle_time(p);
	return 0;
}
