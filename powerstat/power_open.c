// SPDX-License-Identifier: GPL-2.0-or-later
/* Which source is taken. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "power_priv.h"
#include "text.h"

#define HOT_ADDED 16 /* room of battery.h for those that come later */

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
	power_add_batteries(p);
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
	if (p->opts->keep_privileges)
		sm_rapl_allow_reopen(&p->rapl);
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
