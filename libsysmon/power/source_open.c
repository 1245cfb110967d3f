// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "power/hwmon_rules.h"
#include "power/source_open.h"

/* Interval of reading the rate of a battery if samples are more than a second apart.  The
 * ACPI driver queries the controller at most once a second, however often it is read. */
#define RATE_GAP_NS (SM_NSEC_PER_SEC / 4)
#define RAPL_PLACE  "rapl (/sys/class/powercap)"
#define HOT_ADDED   16 /* room for batteries inserted later, as in battery.h */

static int make_domains(struct sm_source *p, unsigned int n)
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

static int open_failed(struct sm_buf *why, const char *place, int err)
{
	place_failed(why, place, err == -ENOENT ? "there is none" : strerror(-err));
	return err;
}

static bool is_permission(int err)
{
	return err == -EACCES || err == -EPERM;
}

static int try_battery(struct sm_source *p, struct sm_buf *why)
{
	int err = sm_battery_open(&p->batteries, p->root);
	bool asked = p->want.kind == SM_SOURCE_BATTERY;

	if (err)
		return open_failed(why, "battery", err);
	p->have_batteries = true;
	/* If batteries were requested, the charger may be unplugged during the start
	 * delay. */
	if (!sm_battery_discharging(&p->batteries) && !asked) {
		place_failed(why, "battery", "no system battery is discharging");
		return -ENODATA;
	}
	err = make_domains(p, p->batteries.n + HOT_ADDED);
	p->gauge = calloc((size_t)p->batteries.n + HOT_ADDED, sizeof(*p->gauge));
	if (err || !p->gauge)
		return -ENOMEM;
	if (!p->want.interval_ns || p->want.interval_ns > SM_NSEC_PER_SEC)
		p->batteries.every_ns = RATE_GAP_NS;
	sm_source_add_batteries(p);
	p->n = p->all;
	p->kind = SM_SOURCE_BATTERY;
	return 0;
}

/* Reports the first file that failed, preferably for lack of permission, which the user
 * can grant. */
static int rapl_error(const struct sm_rapl *r, struct sm_buf *why)
{
	const struct sm_rapl_zone *culprit = NULL;

	for (unsigned int i = 0; i < r->zones.n; i++)
		if (r->zones.at[i].counter.error &&
			(!culprit || (is_permission(r->zones.at[i].counter.error) &&
					     !is_permission(culprit->counter.error))))
			culprit = &r->zones.at[i];
	if (!culprit) {
		place_failed(why, RAPL_PLACE, "no zone belongs to the selected total");
		return -ENOENT;
	}
	sm_buf_str(why, "  rapl: /sys/class/powercap/");
	sm_text_human(
		why, culprit->counter.id, strlen(culprit->counter.id), SM_TEXT_UTF8);
	sm_buf_printf(why, "/energy_uj: %s\n", strerror(-culprit->counter.error));
	return culprit->counter.error;
}

static int try_rapl(struct sm_source *p, struct sm_buf *why)
{
	int err = sm_rapl_open(&p->rapl, p->root, p->want.total);

	if (err == -ENXIO)
		place_failed(why, RAPL_PLACE, "hidden, as in a container; use the host");
	else if (err)
		open_failed(why, RAPL_PLACE, err);
	if (err)
		return err;
	p->have_rapl = true;
	if (!p->rapl.zones.counted)
		return rapl_error(&p->rapl, why);
	err = make_domains(p, p->rapl.zones.n);
	p->n = p->all = p->rapl.zones.n;
	for (unsigned int i = 0; !err && i < p->n; i++) {
		p->domain[i].label = p->rapl.zones.at[i].role.label;
		p->domain[i].counted = p->rapl.zones.at[i].role.why == SM_RAPL_COUNTED;
	}
	if (!p->want.domains)
		sm_rapl_only_total(&p->rapl);
	if (p->want.reopen)
		sm_rapl_allow_reopen(&p->rapl);
	p->kind = SM_SOURCE_RAPL;
	return err;
}

static int try_pmu(struct sm_source *p, struct sm_buf *why)
{
	int err = sm_powerpmu_open(&p->pmu, p->root, p->want.total);

	if (err)
		return open_failed(why, "perf (the power PMU)", err);
	p->have_pmu = true;
	err = make_domains(p, p->pmu.n);
	p->n = p->all = p->pmu.n;
	for (unsigned int i = 0; !err && i < p->n; i++) {
		p->domain[i].label = p->pmu.domain[i].label;
		p->domain[i].counted = p->pmu.domain[i].counted;
	}
	p->kind = SM_SOURCE_PERF;
	return err;
}

static int hwmon_failed(struct sm_buf *why, struct sm_buf *reason, int err)
{
	sm_buf_str(why, "  hwmon: ");
	if (reason->len)
		sm_buf_add(why, reason->p, reason->len);
	else
		sm_buf_str(why, err == -ENOENT || err == -ENODATA
					? "no sensor measures the whole machine"
					: strerror(-err));
	sm_buf_chr(why, '\n');
	return err;
}

static int try_hwmon(struct sm_source *p, struct sm_buf *why)
{
	struct sm_buf reason = {0};
	int err = sm_hwmon_open(&p->hwmon, p->root);

	p->have_hwmon = !err;
	if (!err)
		err = sm_hwmon_choose(&p->hwmon, p->want.sensors,
			p->want.kind == SM_SOURCE_HWMON, &reason);
	if (err)
		hwmon_failed(why, &reason, err);
	sm_buf_fini(&reason);
	if (err)
		return err;
	err = make_domains(p, p->hwmon.n);
	p->n = p->all = p->hwmon.n;
	for (unsigned int i = 0; !err && i < p->n; i++) {
		p->domain[i].label = p->hwmon.sensor[i].label;
		p->domain[i].counted = p->hwmon.sensor[i].counted;
	}
	p->kind = SM_SOURCE_HWMON;
	return err;
}

/* Tries RAPL through powercap, whose files may be readable by root only, then the PMU. */
static int try_rapl_or_pmu(struct sm_source *p, struct sm_buf *why)
{
	int err = try_rapl(p, why), pmu;

	if (!err || err == -ENOMEM)
		return err;
	pmu = try_pmu(p, why);
	/* A missing permission is reported, because the user can grant it. */
	return !pmu || is_permission(pmu) ? pmu : err;
}

static void begin(struct sm_source *p, const struct sm_root *root,
	const struct sm_source_want *want)
{
	*p = (struct sm_source){.root = root,
		.want = *want,
		.total_uw = NAN,
		.total_uj = NAN,
		.figure = SM_FIGURE_ABSENT};
}

static void reset(struct sm_source *p)
{
	const struct sm_root *root = p->root;
	struct sm_source_want want = p->want;

	sm_source_close(p);
	begin(p, root, &want);
}

static int domain_error(const struct sm_source *p, unsigned int i)
{
	const struct sm_rapl_counter *c = sm_source_counter(p, i);

	return c ? c->error : p->hwmon.sensor[i].error;
}

static void battery_failed(const struct sm_battery *t, struct sm_buf *why)
{
	sm_buf_str(why, "  battery: ");
	sm_text_human(why, t->name, strlen(t->name), SM_TEXT_UTF8);
	sm_buf_chr(why, ' ');
	sm_battery_why_not(t, why);
	sm_buf_chr(why, '\n');
}

/* Returns 0 if the properties of a discharging battery give a power. */
static int check_batteries(const struct sm_batteries *b, struct sm_buf *why)
{
	for (unsigned int i = 0; i < b->n; i++) {
		const struct sm_battery *t = &b->battery[i];

		if (sm_battery_discharges(t) && sm_battery_has_figure(t))
			return 0;
	}
	for (unsigned int i = 0; i < b->n; i++)
		if (sm_battery_discharges(&b->battery[i]))
			battery_failed(&b->battery[i], why);
	return -ENODATA;
}

/* Names the first sensor of the total, which could not be read. */
static int sensor_error(const struct sm_hwmon *h, struct sm_buf *why)
{
	unsigned int i = 0;

	while (i < h->n && !h->sensor[i].counted)
		i++;
	if (i == h->n)
		return open_failed(why, "hwmon", -ENOENT);
	sm_buf_str(why, "  hwmon: ");
	sm_text_human(why, h->sensor[i].label, strlen(h->sensor[i].label), SM_TEXT_UTF8);
	sm_buf_chr(why, ' ');
	sm_hwmon_reason(&h->sensor[i], why);
	sm_buf_chr(why, '\n');
	return h->sensor[i].error;
}

/* Reads the source once; returns an error if no part of the total has a value. */
static int check_figure(struct sm_source *p, const char *place, struct sm_buf *why)
{
	int err, first = 0;

	if (p->kind == SM_SOURCE_BATTERY)
		return check_batteries(&p->batteries, why);
	err = sm_source_poll(p, 0);
	if (err == -ENOMEM)
		return err;
	for (unsigned int i = 0; i < p->n; i++) {
		err = domain_error(p, i);
		if (p->domain[i].counted && !err)
			return 0;
		first = first || !p->domain[i].counted ? first : err;
	}
	if (p->kind == SM_SOURCE_HWMON)
		return sensor_error(&p->hwmon, why);
	return p->kind == SM_SOURCE_RAPL ? rapl_error(&p->rapl, why)
					 : open_failed(why, place, first);
}

/* Tries all sources in this order.  sure: a source must give a value now. */
static int try_all(struct sm_source *p, bool sure, struct sm_buf *why)
{
	static const struct {
		const char *place;
		int (*try)(struct sm_source *, struct sm_buf *);
	} sources[] = {{"battery", try_battery}, {"rapl", try_rapl},
		{"perf (the power PMU)", try_pmu}, {"hwmon", try_hwmon}};
	int err = 0, refused = 0;

	for (size_t i = 0; i < SM_ARRAY_SIZE(sources); i++) {
		err = sources[i].try(p, why);
		if (!err && sure)
			err = check_figure(p, sources[i].place, why);
		if (!err || err == -ENOMEM)
			return err;
		/* A missing permission is reported, because the user can grant it. */
		refused = is_permission(err) ? err : refused;
		reset(p);
	}
	return refused ? refused : err;
}

/* Selects a source that gives a value, otherwise one that may have failed temporarily. */
static int try_auto(struct sm_source *p, struct sm_buf *why)
{
	struct sm_buf again = {0};
	int err = try_all(p, true, why);

	if (err && err != -ENOMEM && try_all(p, false, &again) == 0) {
		p->no_value = true;
		err = 0;
	}
	sm_buf_fini(&again);
	return err;
}

/* A requested battery may begin to discharge, but its properties do not change. */
static int try_only_battery(struct sm_source *p, struct sm_buf *why)
{
	struct sm_buf unused = {0};
	int err = try_battery(p, why);

	if (!err && sm_battery_discharging(&p->batteries))
		p->no_value = check_batteries(&p->batteries, &unused) < 0;
	sm_buf_fini(&unused);
	return err;
}

/* Opens a secondary source.  Counters must give a value; a card may be suspended. */
static int open_other(struct sm_source *p, const struct sm_root *root,
	const struct sm_source_want *want)
{
	struct sm_buf why = {0};
	int err = sm_source_open(p, root, want, &why);

	if (!err && p->kind != SM_SOURCE_HWMON)
		err = check_figure(p, "", &why);
	sm_buf_fini(&why);
	return err;
}

static bool same_counters(enum sm_source_kind a, enum sm_source_kind b)
{
	return a == b || (a == SM_SOURCE_PERF && b == SM_SOURCE_RAPL);
}

static int open_beside(struct sm_source *p)
{
	static const enum sm_source_kind kinds[] = {SM_SOURCE_RAPL, SM_SOURCE_HWMON};
	struct sm_source_want want = {
		.total = p->want.total, .domains = true, .reopen = p->want.reopen};
	struct sm_source **end = &p->beside;

	for (size_t i = 0; i < SM_ARRAY_SIZE(kinds); i++) {
		struct sm_source *other;

		if (same_counters(p->kind, kinds[i]))
			continue;
		other = malloc(sizeof(*other));
		if (!other)
			return -ENOMEM;
		want.kind = kinds[i];
		if (open_other(other, p->root, &want) == 0) {
			*end = other;
			end = &other->beside;
			continue;
		}
		sm_source_close(other);
		free(other);
	}
	return 0;
}

int sm_source_open(struct sm_source *p, const struct sm_root *root,
	const struct sm_source_want *want, struct sm_buf *why)
{
	int err;

	begin(p, root, want);
	switch (want->kind) {
	case SM_SOURCE_BATTERY:
		err = try_only_battery(p, why);
		break;
	case SM_SOURCE_RAPL:
		err = try_rapl_or_pmu(p, why);
		break;
	case SM_SOURCE_PERF:
		err = try_pmu(p, why);
		break;
	case SM_SOURCE_HWMON:
		err = try_hwmon(p, why);
		break;
	case SM_SOURCE_NONE:
		err = make_domains(p, 0);
		p->kind = SM_SOURCE_NONE;
		break;
	default:
		err = try_auto(p, why);
		break;
	}
	if (err == -EINVAL && want->sensors)
		return err;
	if (err && err != -ENOMEM && want->optional) {
		p->kind = SM_SOURCE_NONE;
		p->n = p->all = 0;
		err = make_domains(p, 0);
	}
	if (!err && want->beside)
		err = open_beside(p);
	if (!err || err == -ENOMEM)
		return err;
	return is_permission(err) ? -EACCES : -ENODEV;
}

bool sm_source_has_total(const struct sm_source *p)
{
	for (unsigned int i = 0; i < p->n; i++)
		if (p->domain[i].counted)
			return true;
	return false;
}

static bool is_dead(const struct sm_hwmon_sensor *s)
{
	return s->zero || s->error == -ERANGE;
}

bool sm_source_is_dead(const struct sm_source *p)
{
	bool any = false;

	for (unsigned int i = 0; p->kind == SM_SOURCE_HWMON && i < p->n; i++) {
		const struct sm_hwmon_sensor *s = &p->hwmon.sensor[i];

		if (s->counted && !is_dead(s))
			return false;
		any = any || s->counted;
	}
	return any;
}

/* Returns whether the sensor was mentioned as usable. */
static bool mention(
	const struct sm_hwmon_sensor *s, bool used, const char *option, struct sm_buf *b)
{
	bool wrong = is_dead(s);

	if (s->scope != SM_HWMON_SYSTEM || (s->error && !wrong) || (used && !wrong))
		return false;
	sm_buf_str(b, " (");
	sm_text_human(b, s->label, strlen(s->label), SM_TEXT_UTF8);
	if (wrong) {
		sm_buf_chr(b, ' ');
		sm_hwmon_reason(s, b);
		sm_buf_str(b, used ? ")" : " and is not used)");
		return false;
	}
	sm_buf_printf(b, " measures the whole machine: %s)", option);
	return true;
}

static void mention_sensors(
	const struct sm_hwmon *h, bool own, const char *option, struct sm_buf *b)
{
	bool enough = own && sm_hwmon_is_system(h);

	for (unsigned int i = 0; i < h->n; i++) {
		const struct sm_hwmon_sensor *s = &h->sensor[i];

		if (enough && !s->counted && !is_dead(s))
			continue;
		if (mention(s, own && s->counted, option, b))
			return;
	}
}

void sm_source_mention_meter(
	const struct sm_source *p, const char *option, struct sm_buf *b)
{
	const struct sm_source *o = p;
	struct sm_hwmon h;

	do {
		if (o->kind == SM_SOURCE_HWMON)
			mention_sensors(&o->hwmon, true, option, b);
		o = o->beside;
	} while (o);
	if (p->beside || (p->kind != SM_SOURCE_RAPL && p->kind != SM_SOURCE_PERF) ||
		sm_hwmon_open(&h, p->root) < 0)
		return;
	mention_sensors(&h, false, option, b);
	sm_hwmon_close(&h);
}

void sm_source_close(struct sm_source *p)
{
	if (p->beside)
		sm_source_close(p->beside);
	free(p->beside);
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
	*p = (struct sm_source){0};
}
