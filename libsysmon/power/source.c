// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <string.h>

#include "power/source.h"

#define GAUGE_WINDOW_NS (120 * SM_NSEC_PER_SEC)
/* Time without a discharging battery, or a charger, after which the source is lost. */
#define PATIENCE_NS (5 * SM_NSEC_PER_SEC)
/* Interval of reading a power meter; it does not divide the usual periods of a load. */
#define METER_GAP_NS (97 * SM_NSEC_PER_MSEC)

/* --- reading ----------------------------------------------------------------------- */

static void begin_level(struct sm_source *p, unsigned int i)
{
	sm_fuelgauge_init(&p->gauge[i], p->want.from_start ? 0 : GAUGE_WINDOW_NS);
}

static bool has_domain(const struct sm_source *p, unsigned int battery)
{
	for (unsigned int i = 0; i < p->all; i++)
		if (p->domain[i].battery == battery)
			return true;
	return false;
}

void sm_source_add_batteries(struct sm_source *p)
{
	for (unsigned int i = 0; i < p->batteries.n && p->all < p->domains_cap; i++) {
		struct sm_source_domain *d = &p->domain[p->all];

		if (!p->batteries.battery[i].system || has_domain(p, i))
			continue;
		d->battery = i;
		d->label = p->batteries.battery[i].name;
		d->epoch = p->batteries.battery[i].epoch;
		d->counted = sm_battery_feeds(&p->batteries, &p->batteries.battery[i]);
		begin_level(p, p->all++);
	}
}

/* Adds the level to the gauge, which restarts in each epoch. */
static void feed_gauge(struct sm_source *p, unsigned int i)
{
	struct sm_source_domain *d = &p->domain[i];
	const struct sm_battery *b = &p->batteries.battery[d->battery];
	struct sm_fuelgauge *g = &p->gauge[i];
	uint64_t jumps;

	if (b->epoch != d->epoch) {
		d->epoch = b->epoch;
		p->restarts += g->started && !b->has_rate;
		begin_level(p, i);
	}
	if (!sm_battery_discharges(b) || !b->has_level)
		return;
	jumps = g->jumps_up + g->jumps_down;
	g->quantum_uj = b->quantum_uj;
	sm_fuelgauge_add(g, p->batteries.read_ns, b->level_uj);
	sm_levelcheck_add(&d->level, b, g, p->batteries.read_ns);
	if (!b->has_rate) /* with a rate, the level is not used */
		p->restarts += g->jumps_up + g->jumps_down - jumps;
}

/* Adds a power up to to_ns; the mean of constant powers is exact. */
static void add_power(struct sm_source_domain *d, double uw, uint64_t to_ns)
{
	double ns = (double)(to_ns - d->rate_ns);

	d->mean_ns += ns;
	d->mean_uw += (uw - d->mean_uw) * (ns / d->mean_ns);
	d->rate_ns = to_ns;
}

static void begin_mean(struct sm_source_domain *d)
{
	d->mean_uw = d->mean_ns = 0;
	d->readings = 0;
}

static void feed_rate(
	struct sm_source_domain *d, double uw, uint64_t now_ns, bool averaged)
{
	if (d->rate_ns && now_ns > d->rate_ns)
		add_power(d, averaged ? uw : (d->rate_uw + uw) / 2, now_ns);
	d->rate_uw = uw;
	d->rate_ns = now_ns;
	d->readings++;
}

/* Returns whether the battery has a rate. */
static bool feed_battery_rate(struct sm_source *p, unsigned int i, uint64_t now_ns)
{
	struct sm_source_domain *d = &p->domain[i];
	const struct sm_battery *b = &p->batteries.battery[d->battery];
	bool valid = b->system && b->present && !b->error && b->has_rate;

	if (d->counted != sm_battery_discharges(b)) {
		begin_mean(d); /* earlier readings had another direction */
		d->rate_ns = 0;
	}
	if (!valid)
		d->rate_ns = 0;
	if (valid)
		feed_rate(d, (double)b->rate_uw, now_ns, false);
	return valid;
}

static void feed_meters(struct sm_source *p, uint64_t now_ns)
{
	bool any = false;

	for (unsigned int i = 0; i < p->hwmon.n && i < p->all; i++) {
		const struct sm_hwmon_sensor *s = &p->hwmon.sensor[i];

		if (s->energy)
			continue;
		if (s->error)
			p->domain[i].rate_ns = 0;
		else
			feed_rate(&p->domain[i], (double)s->value, now_ns,
				s->interval_ms && !p->want.finely);
		any = any || !s->error;
	}
	p->readings += any;
}

static int poll_battery(struct sm_source *p, uint64_t now_ns)
{
	bool any = false;
	int fresh = sm_battery_read(&p->batteries, now_ns);

	if (fresh <= 0)
		return fresh;
	sm_source_add_batteries(p);
	for (unsigned int i = 0; i < p->all; i++) {
		feed_gauge(p, i);
		any = feed_battery_rate(p, i, now_ns) || any;
	}
	p->readings += any;
	if (sm_battery_discharging(&p->batteries))
		p->none_ns = 0;
	return 0;
}

static int poll_one(struct sm_source *p, uint64_t now_ns)
{
	int n = 0;

	if (p->kind == SM_SOURCE_BATTERY)
		return poll_battery(p, now_ns);
	if (p->kind == SM_SOURCE_RAPL)
		n = sm_rapl_read(&p->rapl);
	else if (p->kind == SM_SOURCE_PERF)
		n = sm_powerpmu_read(&p->pmu);
	else if (p->kind == SM_SOURCE_HWMON)
		n = sm_hwmon_read(&p->hwmon);
	if (p->kind == SM_SOURCE_HWMON)
		feed_meters(p, now_ns);
	return n < 0 ? n : 0;
}

int sm_source_poll(struct sm_source *p, uint64_t now_ns)
{
	int err = poll_one(p, now_ns), other = 0;

	if (p->beside)
		other = sm_source_poll(p->beside, now_ns);
	return !err && other == -ENOMEM ? other : err;
}

/* Returns the shortest averaging interval of a driver, at least METER_GAP_NS. */
static uint64_t meter_gap_ns(const struct sm_source *p)
{
	uint64_t gap = UINT64_MAX;

	for (unsigned int i = 0; i < p->hwmon.n; i++) {
		const struct sm_hwmon_sensor *s = &p->hwmon.sensor[i];
		uint64_t ns = s->interval_ms * SM_NSEC_PER_MSEC;

		if (s->energy || s->error)
			continue;
		ns = ns < METER_GAP_NS || p->want.finely ? METER_GAP_NS : ns;
		gap = ns < gap ? ns : gap;
	}
	return gap;
}

static bool any_rate(const struct sm_source *p)
{
	for (unsigned int i = 0; i < p->all; i++)
		if (p->domain[i].counted && p->domain[i].rate_ns)
			return true;
	return false;
}

/* Returns whether the power of a discharging battery is computed from its level. */
static bool any_level(const struct sm_source *p)
{
	for (unsigned int i = 0; i < p->all; i++) {
		const struct sm_battery *b = &p->batteries.battery[p->domain[i].battery];

		if (sm_battery_discharges(b) && !b->has_rate)
			return true;
	}
	return false;
}

static uint64_t own_gap_ns(const struct sm_source *p)
{
	if (p->kind == SM_SOURCE_RAPL)
		return sm_rapl_gap_ns(&p->rapl);
	/* Neither edges of the level nor the start of a discharge must be missed. */
	if (p->kind == SM_SOURCE_BATTERY && p->take_ns && any_rate(p))
		return p->batteries.every_ns;
	if (p->kind == SM_SOURCE_BATTERY &&
		(any_level(p) || !sm_battery_discharging(&p->batteries)))
		return SM_NSEC_PER_SEC;
	return p->kind == SM_SOURCE_HWMON && p->take_ns ? meter_gap_ns(p) : UINT64_MAX;
}

uint64_t sm_source_gap_ns(const struct sm_source *p)
{
	uint64_t min = UINT64_MAX;

	for (; p; p = p->beside)
		min = own_gap_ns(p) < min ? own_gap_ns(p) : min;
	return min;
}

/* Sets energy and mean power over the time that the new readings cover. */
static void take_counter(struct sm_source *p, struct sm_source_domain *d, double uj,
	uint64_t at_ns, uint64_t covered_ns)
{
	double de = uj - d->last_uj;
	uint64_t dt = covered_ns - d->last_covered_ns;
	bool first = d->last_ns == 0;

	if (d->counted && at_ns > p->take_ns)
		p->take_ns = at_ns;
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

/* Sets a power that is valid for the whole interval. */
static void take_mean(struct sm_source *p, struct sm_source_domain *d, double uw)
{
	d->uw = uw;
	d->uj = uw * (double)p->dt_ns * 1e-9;
	d->of_ns = p->dt_ns;
}

/* Sets the mean of the readings since the last take; the last reading is valid until now,
 * a single one for the whole interval. */
static void take_rate(struct sm_source *p, struct sm_source_domain *d)
{
	if (d->rate_ns && p->take_ns > d->rate_ns)
		add_power(d, d->rate_uw, p->take_ns);
	take_mean(p, d, d->readings > 1 && d->mean_ns > 0 ? d->mean_uw : d->rate_uw);
	begin_mean(d);
}

static void lose(struct sm_source *p, const char *why)
{
	p->lost = true;
	p->lost_why = why;
}

/* Returns the time of the total, without domains that were missing in the last totals. */
static uint64_t time_of_total(const struct sm_source *p)
{
	double uw = 0, uj = 0;
	uint64_t longest = 0;

	for (unsigned int i = 0; i < p->all; i++) {
		const struct sm_source_domain *d = &p->domain[i];

		if (!d->counted || isnan(d->uw) || d->lacked)
			continue;
		uw += d->uw;
		uj += d->uj;
		longest = d->of_ns > longest ? d->of_ns : longest;
	}
	if (uw > 0 && uj > 0)
		return (uint64_t)(uj / uw * 1e9 + 0.5);
	return longest ? longest : p->dt_ns;
}

static void settle_lacked(struct sm_source *p)
{
	for (unsigned int i = 0; i < p->all; i++) {
		struct sm_source_domain *d = &p->domain[i];

		if (!isnan(d->uw))
			d->lacked = false;
		else if (p->figure != SM_FIGURE_ABSENT)
			d->lacked = true;
	}
}

/* Returns the number of counted domains. */
static unsigned int sum_counted(struct sm_source *p)
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
	}
	if (counted == missing) {
		p->total_uw = p->total_uj = NAN;
		p->figure = SM_FIGURE_ABSENT;
	} else {
		p->total_ns = time_of_total(p);
	}
	settle_lacked(p);
	/* The total is complete if no domain is counted. */
	p->missing = p->incomplete = missing > 0 && missing < counted;
	return counted;
}

static bool is_removed(int err)
{
	return err == -ENODEV || err == -ENOENT;
}

/* Sets the total; the source is lost if all counted domains were removed. */
static void sum_measured(
	struct sm_source *p, enum sm_figure kind, unsigned int removed, const char *why)
{
	unsigned int counted;

	p->figure = kind;
	counted = sum_counted(p);
	if (counted && removed == counted)
		lose(p, why);
}

static void take_energy(struct sm_source *p, struct sm_source_domain *d,
	const struct sm_rapl_counter *c, const struct sm_rapl_sums *sums)
{
	double retracted_uj = (double)sums->retracted_uj;

	take_counter(p, d, (double)sums->energy_uj, c->base.ns, sums->covered_ns);
	d->retracted_uj = retracted_uj - d->last_retracted_uj;
	d->last_retracted_uj = retracted_uj;
	if (d->counted)
		p->retracted_uj += d->retracted_uj;
}

static bool is_counted(const struct sm_source *p, unsigned int i)
{
	return p->kind == SM_SOURCE_RAPL ? p->rapl.zones.at[i].role.why == SM_RAPL_COUNTED
					 : p->pmu.domain[i].counted;
}

/* Returns whether the total lacks zone i.  A DRAM counter that has never advanced is one
 * that the hardware does not have; a package always takes power. */
static bool is_lacking(const struct sm_source *p, unsigned int i)
{
	const struct sm_rapl_role *role;

	if (p->kind != SM_SOURCE_RAPL)
		return false;
	role = &p->rapl.zones.at[i].role;
	return role->why == SM_RAPL_UNREADABLE ||
	       (role->why == SM_RAPL_STILL && role->kind == SM_RAPL_PACKAGE);
}

static void take_counters(struct sm_source *p, const char *why)
{
	unsigned int removed = 0;
	bool lacking = false;

	for (unsigned int i = 0; i < p->n; i++) {
		const struct sm_rapl_counter *c = sm_source_counter(p, i);

		lacking |= is_lacking(p, i);
		p->domain[i].counted = is_counted(p, i);
		take_energy(p, &p->domain[i], c, sm_source_sums(p, i));
		removed += p->domain[i].counted && is_removed(c->error);
	}
	sum_measured(p, SM_FIGURE_MEASURED, removed, why);
	p->incomplete |= lacking && p->figure != SM_FIGURE_ABSENT;
}

static void take_hwmon(struct sm_source *p)
{
	enum sm_figure kind = SM_FIGURE_MEASURED;
	unsigned int removed = 0;

	for (unsigned int i = 0; i < p->n; i++) {
		const struct sm_hwmon_sensor *s = &p->hwmon.sensor[i];
		struct sm_source_domain *d = &p->domain[i];

		d->uw = d->uj = NAN;
		d->counted = s->counted;
		if (s->counted && s->interval_ms)
			kind = SM_FIGURE_AVERAGED;
		if (s->energy)
			take_counter(
				p, d, (double)s->energy_uj, s->read_ns, s->covered_ns);
		else if (!s->error)
			take_rate(p, d);
		removed += d->counted && is_removed(s->error);
	}
	sum_measured(p, kind, removed, "the power meter was removed");
}

/* Sets the power from the level; returns its kind. */
static enum sm_figure take_level(struct sm_source *p, unsigned int i, uint64_t now_ns)
{
	struct sm_source_domain *d = &p->domain[i];
	double uw;
	int good = sm_fuelgauge_power(&p->gauge[i], now_ns, &uw);
	uint64_t span = sm_fuelgauge_span_ns(&p->gauge[i]);

	if (good < 0)
		return SM_FIGURE_ABSENT;
	take_mean(p, d, uw);
	if (d->counted && span > p->window_ns)
		p->window_ns = span;
	return good ? SM_FIGURE_LEVEL : SM_FIGURE_ESTIMATE;
}

/* Sets the power of a battery; the total has the kind of its least exact value. */
static void take_one_battery(struct sm_source *p, unsigned int i, uint64_t now_ns)
{
	struct sm_source_domain *d = &p->domain[i];
	const struct sm_battery *b = &p->batteries.battery[d->battery];
	enum sm_figure kind = SM_FIGURE_GAUGE_RATE;

	d->uw = d->uj = NAN;
	/* A battery stays counted after a failed reading. */
	if (b->system && b->error && !is_removed(b->error))
		return;
	d->counted = sm_battery_feeds(&p->batteries, b);
	d->was_counted |= d->counted;
	d->has_power |= d->counted && (b->has_rate || b->has_level);
	if (!b->system || !b->present || b->error)
		return;
	if (b->has_rate)
		take_rate(p, d);
	else if (d->counted)
		kind = take_level(p, i, now_ns);
	if (sm_battery_by_design(b) && kind < SM_FIGURE_ESTIMATE)
		kind = SM_FIGURE_ESTIMATE;
	if (d->counted && isfinite(d->uw) && kind > p->figure)
		p->figure = kind;
}

/* A battery that never discharged may be full all the time.  AC power is ignored if a
 * battery has discharged although it was connected, as with a weak charger. */
static bool on_charger(const struct sm_source *p)
{
	for (unsigned int i = 0; i < p->all; i++) {
		const struct sm_source_domain *d = &p->domain[i];
		const struct sm_battery *b = &p->batteries.battery[d->battery];

		if (!b->system || !b->present || b->error)
			continue;
		if (b->status == SM_BATTERY_CHARGING ||
			(b->status == SM_BATTERY_FULL && d->was_counted))
			return true;
	}
	return !p->mains_note && sm_battery_on_mains(&p->batteries);
}

static void none_discharges(struct sm_source *p, uint64_t now_ns)
{
	if (!p->none_ns)
		p->none_ns = now_ns;
	if (on_charger(p) || now_ns - p->none_ns >= PATIENCE_NS)
		lose(p, "no battery is discharging any more (was the charger plugged "
			"in?)");
}

static void take_battery(struct sm_source *p, uint64_t now_ns)
{
	unsigned int counted, present = 0;

	p->figure = SM_FIGURE_GAUGE_RATE;
	p->window_ns = 0;
	for (unsigned int i = 0; i < p->all; i++) {
		const struct sm_battery *b = &p->batteries.battery[p->domain[i].battery];

		take_one_battery(p, i, now_ns);
		present += b->system && (b->error ? !is_removed(b->error) : b->present);
	}
	counted = sum_counted(p);
	p->mains_note = p->mains_note || (counted && sm_battery_on_mains(&p->batteries));
	if (!present)
		lose(p, "the battery was removed");
	else if (!counted)
		none_discharges(p, now_ns);
}

bool sm_source_doubts(const struct sm_source *p)
{
	for (unsigned int i = 0; i < p->n && sm_source_counter(p, i); i++)
		if (p->domain[i].counted && sm_source_counter(p, i)->doubt)
			return true;
	return false;
}

void sm_source_rebase(struct sm_source *p)
{
	if (p->kind == SM_SOURCE_RAPL)
		sm_rapl_rebase(&p->rapl);
	else if (p->kind == SM_SOURCE_PERF)
		sm_powerpmu_rebase(&p->pmu);
	if (p->beside)
		sm_source_rebase(p->beside);
}

void sm_source_resumed(struct sm_source *p)
{
	for (unsigned int i = 0; p->kind == SM_SOURCE_BATTERY && i < p->all; i++)
		begin_level(p, i);
}

int sm_source_take(struct sm_source *p, uint64_t now_ns)
{
	int err = poll_one(p, now_ns);

	if (err && err != -ENODEV)
		return err;
	p->dt_ns = p->take_ns ? now_ns - p->take_ns : 0;
	p->take_ns = now_ns;
	p->retracted_uj = 0;
	switch (p->kind) {
	case SM_SOURCE_BATTERY:
		take_battery(p, now_ns);
		break;
	case SM_SOURCE_RAPL:
		take_counters(
			p, "the RAPL zones were removed (was the module unloaded?)");
		break;
	case SM_SOURCE_PERF:
		take_counters(p, "the power PMU was removed");
		break;
	case SM_SOURCE_HWMON:
		take_hwmon(p);
		break;
	default:
		p->total_uw = p->total_uj = NAN;
		p->total_ns = 0;
		p->figure = SM_FIGURE_ABSENT;
		break;
	}
	return p->beside ? sm_source_take(p->beside, now_ns) : 0;
}

const struct sm_rapl_counter *sm_source_counter(const struct sm_source *p, unsigned int i)
{
	if (p->kind == SM_SOURCE_RAPL)
		return &p->rapl.zones.at[i].counter;
	return p->kind == SM_SOURCE_PERF ? &p->pmu.domain[i].counter : NULL;
}

const struct sm_source_domain *sm_source_at(const struct sm_source *p, unsigned int i)
{
	for (; i >= p->n; p = p->beside)
		i -= p->n;
	return &p->domain[i];
}
