// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"
#include "list.h"
#include "power/hwmon_rules.h"
#include "power/source_open.h"
#include "summary.h"

const struct sm_source_help list_help = {
	.tool = "powerstat", .option = "-P ", .loads_modules = true};

#define SECOND_LOOK_NS (100 * SM_NSEC_PER_MSEC)
#define LAST_LOOK_NS   (800 * SM_NSEC_PER_MSEC)

static void text(struct sm_buf *b, const char *s)
{
	sm_text_human(b, s, strlen(s), SM_TEXT_UTF8);
}

static void none(struct sm_buf *b, const char *what, int err)
{
	const char *why = err == -ENOENT ? "none" : strerror(-err);

	if (err == -ENXIO) /* of sm_rapl_open() */
		why = "hidden, as in a container";
	sm_buf_printf(b, "%s: %s\n", what, why);
}

static void readable(struct sm_buf *b, int error)
{
	if (error)
		sm_buf_printf(b, "cannot be read (%s), ", strerror(-error));
	else
		sm_buf_str(b, "readable, ");
}

static void added(struct sm_buf *b, bool is)
{
	sm_buf_str(b, is ? "added\n" : "not added\n");
}

/* --- batteries ---------------------------------------------------------------------- */

static void one_battery(
	const struct sm_batteries *list, const struct sm_battery *t, struct sm_buf *b)
{
	sm_buf_str(b, "  ");
	text(b, t->name);
	if (t->error) {
		sm_buf_printf(b, ": cannot be read (%s)\n", strerror(-t->error));
		return;
	}
	if (!t->system) {
		sm_buf_str(b, t->peripheral ? ": belongs to a peripheral, not added\n"
					    : ": not a system battery, not added\n");
		return;
	}
	sm_buf_printf(b, ": %s%s, ",
		t->present ? sm_source_help_status(t->status) : "not present",
		t->mislabelled ? " (by the sign of its rate)" : "");
	if (t->has_rate)
		sm_buf_printf(b, "fuel gauge rate %.3f W", (double)t->rate_uw * 1e-6);
	else if (sm_battery_has_figure(t))
		sm_buf_str(b, "no rate (power estimated from the level)");
	else
		sm_battery_why_not(t, b);
	if (sm_battery_discharges(t) &&
		!(sm_battery_has_figure(t) && sm_battery_feeds(list, t)))
		sm_buf_str(b, ", not added\n");
	else
		sm_buf_str(b, sm_battery_discharges(t) ? ", added\n"
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
			one_battery(&list, &list.battery[i], b);
	if (sm_battery_on_mains(&list))
		sm_buf_str(b, "  (AC power is connected)\n");
	sm_battery_close(&list);
}

/* --- RAPL --------------------------------------------------------------------------- */

/* Dead counters and mirrors (rapl_zones.h) are found only when counters advance. */
static bool needs_second_look(const struct sm_rapl *r)
{
	for (unsigned int i = 0; i < r->zones.n; i++)
		if (r->zones.at[i].role.partner >= 0)
			return true;
	return sm_rapl_zones_unsure(&r->zones);
}

static void pause_ns(uint64_t ns)
{
	struct timespec left = {.tv_nsec = (long)ns};

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

/* Reads until the roles of the zones are known.  On a busy machine, two counters can be
 * read far apart, which matters less in a longer interval. */
static void look(struct sm_rapl *r)
{
	uint64_t interval_ns = SECOND_LOOK_NS;

	(void)!sm_rapl_read(r);
	if (!needs_second_look(r))
		return;
	do {
		pause_ns(interval_ns);
		(void)!sm_rapl_read(r);
		interval_ns *= 2;
	} while (sm_rapl_zones_unsure(&r->zones) && interval_ns <= LAST_LOOK_NS);
}

static void list_rapl(
	const struct sm_root *root, const struct sm_source_want *want, struct sm_buf *b)
{
	struct sm_rapl r;
	int err = sm_rapl_open(&r, root, want->total);

	if (err) {
		none(b, "RAPL (powercap)", err);
		(void)sm_source_help_zones(root, b);
		return;
	}
	look(&r);
	sm_buf_str(b, "RAPL (powercap):\n");
	for (unsigned int i = 0; i < r.zones.n; i++) {
		const struct sm_rapl_zone *z = &r.zones.at[i];

		sm_buf_str(b, "  ");
		text(b, z->counter.id);
		sm_buf_str(b, " (");
		text(b, z->role.label);
		sm_buf_str(b, "): ");
		readable(b, z->counter.error);
		if (!z->counter.range_uj)
			sm_buf_str(b, "unknown range, ");
		if (z->role.why != SM_RAPL_COUNTED && z->role.why != SM_RAPL_UNREADABLE)
			sm_buf_printf(b, "%s, ", summary_why(z->role.why));
		added(b, z->role.why == SM_RAPL_COUNTED && !z->counter.error);
	}
	(void)sm_source_help_zones(root, b);
	sm_rapl_close(&r);
}

static void list_pmu(
	const struct sm_root *root, const struct sm_source_want *want, struct sm_buf *b)
{
	struct sm_powerpmu p;
	int err = sm_powerpmu_open(&p, root, want->total);

	if (err) {
		none(b, "RAPL (perf's power PMU)", err);
		return;
	}
	sm_buf_str(b, "RAPL (perf's power PMU):\n");
	for (unsigned int i = 0; i < p.n; i++) {
		sm_buf_str(b, "  ");
		text(b, p.domain[i].label);
		sm_buf_str(b, ": ");
		readable(b, p.domain[i].counter.error);
		added(b, p.domain[i].counted && !p.domain[i].counter.error);
	}
	sm_powerpmu_close(&p);
}

/* --- power meters ------------------------------------------------------------------- */

static void sensor_state(const struct sm_hwmon_sensor *s, struct sm_buf *b)
{
	if (!s->zero && s->error != -ERANGE) {
		readable(b, s->error);
		return;
	}
	sm_hwmon_reason(s, b);
	sm_buf_str(b, ", ");
}

static void list_hwmon(
	const struct sm_root *root, const struct sm_source_want *want, struct sm_buf *b)
{
	struct sm_buf why = {0};
	struct sm_hwmon h;
	bool use;
	int err = sm_hwmon_open(&h, root);

	if (err) {
		none(b, "Power meters (hwmon)", err);
		return;
	}
	use = sm_hwmon_choose(&h, want->sensors, want->kind == SM_SOURCE_HWMON, &why) ==
	      0;
	(void)!sm_hwmon_read(&h);
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
		sm_buf_str(b, "): ");
		sensor_state(s, b);
		if (!s->error && !s->energy)
			sm_buf_printf(b, "%.2f W, ", (double)s->value * 1e-6);
		sm_buf_printf(b, "%s, ",
			s->processor ? "measures the processor"
				     : summary_scope(s->scope));
		added(b, use && s->counted && !s->error);
	}
	sm_buf_fini(&why);
	sm_hwmon_close(&h);
}

/* --- all ---------------------------------------------------------------------------- */

/* Finds the zones that samples add up; some roles are not known at the opening. */
static void look_at_source(struct sm_source *p)
{
	if (p->kind != SM_SOURCE_RAPL)
		return;
	look(&p->rapl);
	for (unsigned int i = 0; i < p->n; i++)
		p->domain[i].counted = p->rapl.zones.at[i].role.why == SM_RAPL_COUNTED;
}

void list_sources(const struct sm_root *root, const struct sm_source_want *want,
	unsigned int columns, struct sm_buf *b)
{
	struct sm_buf why = {0};
	struct sm_source p;
	int err;

	list_batteries(root, b);
	list_rapl(root, want, b);
	list_pmu(root, want, b);
	list_hwmon(root, want, b);
	err = sm_source_open(&p, root, want, &why);
	sm_buf_str(b, "Selected source: ");
	if (!err)
		look_at_source(&p);
	if (err)
		sm_buf_str(b, "none");
	else
		sm_source_describe(&p, b);
	sm_buf_chr(b, '\n');
	if (err || p.no_value)
		sm_source_help(root, want->kind, &list_help, columns, b);
	sm_source_close(&p);
	sm_buf_fini(&why);
}
