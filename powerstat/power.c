// SPDX-License-Identifier: GPL-2.0-or-later
/* Which source is taken, and its figures of an interval. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "power.h"
#include "text.h"

#define HOT_ADDED	16 /* room of battery.h for those that come later */
#define GAUGE_WINDOW_NS (120 * SM_NSEC_PER_SEC)

/* --- opening ----------------------------------------------------------------------- */

static int make_domains(struct power *p, unsigned int n)
{
	free(p->domain);
	p->domain = calloc(n ? n : 1, sizeof(*p->domain));
	if (!p->domain)
		return -ENOMEM;
	p->domains_cap = n;
	for (unsigned int i = 0; i < n; i++)
		p->domain[i].uw = p->domain[i].uj = NAN;
	return 0;
}

static void place_failed(struct sm_buf *why, const char *place, const char *reason)
{
	sm_buf_printf(why, "  %s: %s\n", place, reason);
}

static bool is_permission(int err)
{
	return err == -EACCES || err == -EPERM;
}

static bool has_domain(const struct power *p, unsigned int battery)
{
	for (unsigned int i = 0; i < p->all; i++)
		if (p->domain[i].battery == battery)
			return true;
	return false;
}

/* Batteries of the system that have no domain yet; mice and pens get none. */
static void add_batteries(struct power *p)
{
	for (unsigned int i = 0; i < p->batteries.n && p->all < p->domains_cap; i++) {
		struct power_domain *d = &p->domain[p->all];

		if (!p->batteries.battery[i].system || has_domain(p, i))
			continue;
		d->battery = i;
		d->label = p->batteries.battery[i].name;
		d->epoch = p->batteries.battery[i].epoch;
		sm_gauge_init(
			&p->gauge[p->all++], p->opts->from_start ? 0 : GAUGE_WINDOW_NS);
	}
}

static int try_battery(struct power *p, struct sm_buf *why)
{
	int err = p->have_batteries ? 0 : sm_battery_open(&p->batteries, p->root);
	bool asked = p->opts->source == PS_BATTERY;
	size_t most;

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
	most = (size_t)p->batteries.n + HOT_ADDED;
	err = make_domains(p, (unsigned int)most);
	p->gauge = calloc(most, sizeof(*p->gauge));
	if (err || !p->gauge)
		return -ENOMEM;
	add_batteries(p);
	p->n = p->all;
	p->source = PS_BATTERY;
	return 0;
}

/* The file that stands in the way, a permission before all else: for that there is a
 * remedy. */
static int rapl_error(const struct sm_rapl *r, struct sm_buf *why)
{
	const struct sm_rapl_zone *culprit = NULL;

	for (unsigned int i = 0; i < r->n; i++)
		if (r->zone[i].error &&
			(!culprit || (is_permission(r->zone[i].error) &&
					     !is_permission(culprit->error))))
			culprit = &r->zone[i];
	if (!culprit) {
		place_failed(why, "rapl (/sys/class/powercap)", "no zone of this total");
		return -ENOENT;
	}
	sm_buf_str(why, "  rapl: /sys/class/powercap/");
	sm_text_human(why, culprit->id, strlen(culprit->id), SM_TEXT_UTF8);
	sm_buf_printf(why, "/energy_uj: %s\n", strerror(-culprit->error));
	return culprit->error;
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
	if (!p->rapl.counted)
		return rapl_error(&p->rapl, why);
	err = make_domains(p, p->rapl.n);
	p->n = p->all = p->rapl.n;
	for (unsigned int i = 0; !err && i < p->n; i++) {
		p->domain[i].label = p->rapl.zone[i].label;
		p->domain[i].counted = p->rapl.zone[i].why == SM_RAPL_COUNTED;
	}
	if (!p->opts->domains)
		sm_rapl_only_total(&p->rapl);
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
	p->n = p->all = p->pmu.n;
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
	p->n = p->all = p->hwmon.n;
	for (unsigned int i = 0; !err && i < p->n; i++) {
		p->domain[i].label = p->hwmon.sensor[i].label;
		/* Without a meter of the system all that there is adds up. */
		p->domain[i].counted = p->hwmon.sensor[i].system || !any;
	}
	p->source = PS_HWMON;
	return err;
}

/* RAPL, or its other face when the files are root's. */
static int try_rapl_or_pmu(struct power *p, struct sm_buf *why)
{
	int err = try_rapl(p, why), pmu;

	if (!err || err == -ENOMEM)
		return err;
	pmu = try_pmu(p, why);
	/* Of two ways that are closed the one that could be opened is told. */
	return !pmu || is_permission(pmu) ? pmu : err;
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

	*p = (struct power){.root = root,
		.opts = o,
		.total_uw = NAN,
		.total_uj = NAN,
		.kind = PS_ABSENT};
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
		p->n = p->all = 0;
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
		sm_gauge_init(g, p->opts->from_start ? 0 : GAUGE_WINDOW_NS);
	}
	if (!b->system || b->error || !b->has_level ||
		b->status != SM_BATTERY_DISCHARGING)
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
	add_batteries(p);
	for (unsigned int i = 0; i < p->all; i++)
		feed_gauge(p, i);
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

		if (b->system && !b->error && !b->has_rate &&
			b->status == SM_BATTERY_DISCHARGING)
			return true;
	}
	return false;
}

uint64_t power_gap_ns(const struct power *p)
{
	if (p->source == PS_RAPL)
		return sm_rapl_gap_ns(&p->rapl);
	/* The level's edges are what the estimate is made of. */
	return p->source == PS_BATTERY && any_level(p) ? SM_NSEC_PER_SEC : UINT64_MAX;
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
	d->counted = b->system && b->present && !b->error &&
		     b->status == SM_BATTERY_DISCHARGING;
	if (!b->system || !b->present || b->error)
		return;
	if (b->has_rate)
		take_rate(p, d, (double)b->rate_uw);
	else if (d->counted)
		kind = take_level(p, i, now_ns);
	if (d->counted && isfinite(d->uw) && kind > p->kind)
		p->kind = kind;
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
		lose(p, "no battery is discharging any more (was the charger plugged "
			"in?)");
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
		sm_gauge_init(&p->gauge[i], p->opts->from_start ? 0 : GAUGE_WINDOW_NS);
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
