// SPDX-License-Identifier: GPL-2.0-or-later
/* --list: what there is, what can be read, what would be added up. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "power.h"
#include "text.h"

#define SECOND_LOOK_NS (100 * SM_NSEC_PER_MSEC)

static void text(struct sm_buf *b, const char *s)
{
	sm_text_human(b, s, strlen(s), SM_TEXT_UTF8);
}

static void none(struct sm_buf *b, const char *what, int err)
{
	sm_buf_printf(b, "%s: %s\n", what, err == -ENOENT ? "none" : strerror(-err));
}

/* --- batteries ---------------------------------------------------------------------- */

static const char *status_name(enum sm_battery_status s)
{
	static const char *const names[] = {[SM_BATTERY_UNKNOWN] = "unknown",
		[SM_BATTERY_CHARGING] = "charging",
		[SM_BATTERY_DISCHARGING] = "discharging",
		[SM_BATTERY_NOT_CHARGING] = "not charging",
		[SM_BATTERY_FULL] = "full"};

	return names[s];
}

static void one_battery(const struct sm_battery *t, struct sm_buf *b)
{
	sm_buf_str(b, "  ");
	text(b, t->name);
	if (t->error) {
		sm_buf_printf(b, ": cannot be read (%s)\n", strerror(-t->error));
		return;
	}
	if (!t->system) {
		sm_buf_str(b, t->peripheral ? ": of a peripheral, not added\n"
					    : ": no battery of the system, not added\n");
		return;
	}
	sm_buf_printf(b, ": %s, ", t->present ? status_name(t->status) : "not present");
	if (t->has_rate)
		sm_buf_printf(b, "gauge rate %.3f W", (double)t->rate_uw * 1e-6);
	else if (t->has_energy || t->has_charge)
		sm_buf_str(b, "level only: an estimate");
	else
		sm_buf_str(b, "no figures");
	sm_buf_str(b, t->present && t->status == SM_BATTERY_DISCHARGING
			      ? ", added\n"
			      : ", added while it discharges\n");
}

static void list_batteries(const struct sm_root *root, struct sm_buf *b)
{
	struct sm_batteries list;
	int err = sm_battery_open(&list, root);

	if (err) {
		none(b, "Batteries", err);
		return;
	}
	sm_buf_str(b, "Batteries:\n");
	for (unsigned int i = 0; i < list.n; i++)
		if (list.battery[i].name[0])
			one_battery(&list.battery[i], b);
	if (sm_battery_on_mains(&list))
		sm_buf_str(b, "  (mains are online)\n");
	sm_battery_close(&list);
}

/* --- RAPL --------------------------------------------------------------------------- */

static const char *why_name(enum sm_rapl_why why)
{
	static const char *const names[] = {[SM_RAPL_COUNTED] = "added",
		[SM_RAPL_INSIDE] = "inside its package, not added",
		[SM_RAPL_TWIN] = "the same package by another way, not added",
		[SM_RAPL_MIRROR] = "repeats another die, not added",
		[SM_RAPL_NOT_ASKED] = "not added by this rule (--total)",
		[SM_RAPL_UNREADABLE] = "not added"};

	return names[why];
}

/* Whether a twin is dead and whether dies have one counter shows only when they move. */
static bool needs_second_look(const struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->n; i++)
		if (r->zone[i].partner >= 0 || r->zone[i].die > 0)
			return true;
	return false;
}

static void pause_ns(uint64_t ns)
{
	struct timespec left = {.tv_nsec = (long)ns};

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

/* What cannot be read, and who counts for whom, is known after readings only. */
static void look(struct sm_rapl *r)
{
	(void)!sm_rapl_read(r);
	if (!needs_second_look(r))
		return;
	pause_ns(SECOND_LOOK_NS);
	(void)!sm_rapl_read(r);
}

static void list_rapl(
	const struct sm_root *root, const struct ps_opts *o, struct sm_buf *b)
{
	struct sm_rapl r;
	int err = sm_rapl_open(&r, root, (enum sm_rapl_total)o->total);

	if (err) {
		none(b, "RAPL (powercap)", err);
		return;
	}
	look(&r);
	sm_buf_str(b, "RAPL (powercap):\n");
	for (unsigned int i = 0; i < r.n; i++) {
		const struct sm_rapl_zone *z = &r.zone[i];

		sm_buf_str(b, "  ");
		text(b, z->id);
		sm_buf_str(b, " (");
		text(b, z->label);
		sm_buf_str(b, "): ");
		if (z->error)
			sm_buf_printf(b, "cannot be read (%s), ", strerror(-z->error));
		else
			sm_buf_str(b, "readable, ");
		if (!z->range_uj)
			sm_buf_str(b, "its range is not known, ");
		sm_buf_printf(b, "%s\n", why_name((enum sm_rapl_why)z->why));
	}
	sm_rapl_close(&r);
}

static void list_pmu(
	const struct sm_root *root, const struct ps_opts *o, struct sm_buf *b)
{
	struct sm_powerpmu p;
	int err = sm_powerpmu_open(&p, root, (enum sm_rapl_total)o->total);

	if (err) {
		none(b, "RAPL (perf's power PMU)", err);
		return;
	}
	sm_buf_str(b, "RAPL (perf's power PMU):\n");
	for (unsigned int i = 0; i < p.n; i++) {
		sm_buf_str(b, "  ");
		text(b, p.domain[i].label);
		if (p.domain[i].error)
			sm_buf_printf(
				b, ": cannot be read (%s)", strerror(-p.domain[i].error));
		else
			sm_buf_str(b, ": readable");
		sm_buf_str(b, p.domain[i].counted ? ", added\n" : ", not added\n");
	}
	sm_powerpmu_close(&p);
}

/* --- power meters ------------------------------------------------------------------- */

static void list_hwmon(
	const struct sm_root *root, const struct ps_opts *o, struct sm_buf *b)
{
	struct sm_hwmon h;
	bool any = false, all;
	int err = sm_hwmon_open(&h, root);

	if (err) {
		none(b, "Power meters (hwmon)", err);
		return;
	}
	for (unsigned int i = 0; i < h.n; i++)
		any = any || h.sensor[i].system;
	all = !any && o->source == PS_HWMON;
	sm_buf_str(b, "Power meters (hwmon):\n");
	for (unsigned int i = 0; i < h.n; i++) {
		const struct sm_hwmon_sensor *s = &h.sensor[i];

		sm_buf_str(b, "  ");
		text(b, s->label);
		sm_buf_str(b, " (");
		text(b, s->chip);
		sm_buf_printf(b, ", %s", s->attribute);
		if (s->interval_ms)
			sm_buf_printf(b, ", mean of %llu ms",
				(unsigned long long)s->interval_ms);
		sm_buf_chr(b, ')');
		if (s->error)
			sm_buf_printf(b, ": cannot be read (%s)", strerror(-s->error));
		sm_buf_str(b, s->system ? ": of the whole machine, added\n"
			      : all	? ": of a part, added as there is no other\n"
					: ": of a part, not added\n");
	}
	sm_hwmon_close(&h);
}

/* --- all ---------------------------------------------------------------------------- */

void power_describe(const struct power *p, struct sm_buf *b)
{
	static const char *const names[] = {[PS_AUTO] = "none",
		[PS_BATTERY] = "battery",
		[PS_RAPL] = "RAPL",
		[PS_PERF] = "RAPL by perf's power PMU",
		[PS_HWMON] = "power meter",
		[PS_NONE] = "none"};
	const char *separator = ": ";

	sm_buf_str(b, names[p->source]);
	for (unsigned int i = 0; i < p->n; i++) {
		if (!p->domain[i].counted)
			continue;
		sm_buf_str(b, separator);
		text(b, p->domain[i].label);
		separator = p->source == PS_BATTERY ? ", " : " + ";
	}
}

/* The zones that would be in the samples' sum, not those that the opening took for it. */
static void look_at_source(struct power *p)
{
	if (p->source != PS_RAPL)
		return;
	look(&p->rapl);
	for (unsigned int i = 0; i < p->n; i++)
		p->domain[i].counted = p->rapl.zone[i].why == SM_RAPL_COUNTED;
}

void power_list(const struct sm_root *root, const struct ps_opts *o, struct sm_buf *b)
{
	struct sm_buf why = {0};
	struct power p;
	int err;

	list_batteries(root, b);
	list_rapl(root, o, b);
	list_pmu(root, o, b);
	list_hwmon(root, o, b);
	err = power_open(&p, root, o, &why);
	sm_buf_str(b, "Taken: ");
	if (!err)
		look_at_source(&p);
	if (err)
		sm_buf_str(b, "none");
	else
		power_describe(&p, b);
	sm_buf_chr(b, '\n');
	power_close(&p);
	sm_buf_fini(&why);
}
