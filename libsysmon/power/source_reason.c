// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "power/source_reason.h"

#define LABELS_MAX 4u /* labels of one reason; the others are counted */

static void put_label(const struct sm_source *p, unsigned int i, struct sm_buf *b)
{
	const char *label = p->domain[i].label;

	sm_text_human(b, label, strlen(label), SM_TEXT_UTF8);
}

/* Prints watts with two decimals if they are few. */
static void put_watts(struct sm_buf *b, double uw)
{
	sm_buf_double(b, uw * 1e-6, uw < 1e8 ? 2 : 0);
	sm_buf_str(b, " W");
}

static void put_rise(struct sm_buf *b, const char *rose, double uw, double limit_uw)
{
	sm_buf_str(b, rose);
	put_watts(b, uw);
	sm_buf_str(b, ", the limit is ");
	put_watts(b, limit_uw);
}

static void put_error(struct sm_buf *b, int err)
{
	sm_buf_printf(b, " cannot be read: %s", strerror(-err));
}

/* --- energy counters ---------------------------------------------------------------- */

static void counter_reason(const struct sm_rapl_counter *c,
	const struct sm_rapl_sums *sums, struct sm_buf *b)
{
	if (c->error) {
		put_error(b, c->error);
	} else if (c->refused_uw > 0) {
		put_rise(b, " rose by ", c->refused_uw, (double)c->cap_uw);
	} else if (c->doubt) {
		put_rise(b, " rose by ", c->doubt_uw, (double)c->limit_uw);
		sm_buf_str(b, ", and no later reading confirmed it");
	} else if (sums->energy_uj == 0 && sums->still) {
		sm_buf_str(b, ": the energy counter has never advanced from ");
		sm_buf_double(b, (double)c->raw.uj * 1e-6, 0);
		sm_buf_str(b, " J");
	} else if (sums->still) {
		sm_buf_str(b, ": the energy counter did not advance");
	} else if (sums->glitches || sums->rebased) {
		sm_buf_str(b, ": the energy counter jumped in every sample");
	} else {
		sm_buf_str(b, ": the energy counter was read only once");
	}
}

/* --- sensors ------------------------------------------------------------------------ */

static void sensor_reason(const struct sm_hwmon_sensor *s, struct sm_buf *b)
{
	if (s->error == -ERANGE)
		put_rise(b, " reports ", (double)s->excess_uw, (double)SM_HWMON_UW_MAX);
	else if (s->error == -EAGAIN)
		sm_buf_str(b, " belongs to a suspended graphics card");
	else if (!s->energy && (s->error == -ENODATA || (!s->error && !s->value)))
		sm_buf_str(b, " reports 0 W, which is not a measurement");
	else if (s->error)
		put_error(b, s->error);
	else
		sm_buf_str(b, ": the energy counter was read only once");
}

/* --- batteries ---------------------------------------------------------------------- */

static void level_reason(const struct sm_fuelgauge *g, struct sm_buf *b)
{
	uint64_t jumps = g->jumps_up + g->jumps_down;

	if (jumps)
		sm_buf_printf(
			b, ": the level jumped %llu times", (unsigned long long)jumps);
	else
		sm_buf_printf(b,
			" reports only its level, which took %llu of the 2 steps that "
			"an estimate needs; measure longer",
			(unsigned long long)g->edges);
}

static void put_cause(const struct sm_battery *t, struct sm_buf *b)
{
	sm_buf_chr(b, ' ');
	sm_battery_why_not(t, b);
}

static void battery_reason(const struct sm_source *p, unsigned int i, struct sm_buf *b)
{
	const struct sm_battery *t = &p->batteries.battery[p->domain[i].battery];

	if (t->error)
		put_error(b, t->error);
	else if (!t->present)
		sm_buf_str(b, " is not present");
	else if (!sm_battery_discharges(t))
		sm_buf_str(b, " does not discharge");
	else if (t->has_level)
		level_reason(&p->gauge[i], b);
	else
		put_cause(t, b);
}

/* --- domains ------------------------------------------------------------------------ */

/* Appends the reason of domain i alone, without its label. */
static void domain_reason(const struct sm_source *p, unsigned int i, struct sm_buf *b)
{
	if (p->kind == SM_SOURCE_BATTERY)
		battery_reason(p, i, b);
	else if (p->kind == SM_SOURCE_HWMON)
		sensor_reason(&p->hwmon.sensor[i], b);
	else if (p->kind == SM_SOURCE_RAPL || p->kind == SM_SOURCE_PERF)
		counter_reason(sm_source_counter(p, i), sm_source_sums(p, i), b);
}

/* Returns whether the total needs domain i, including a zone that is left out because its
 * counter failed or never advanced. */
static bool belongs(const struct sm_source *p, unsigned int i)
{
	uint8_t why;

	if (p->kind == SM_SOURCE_PERF)
		return p->pmu.domain[i].asked && !p->pmu.domain[i].mirror;
	if (p->kind != SM_SOURCE_RAPL)
		return p->domain[i].counted || p->domain[i].was_counted;
	why = p->rapl.zones.at[i].role.why;
	return why == SM_RAPL_COUNTED || why == SM_RAPL_UNREADABLE ||
	       why == SM_RAPL_STILL;
}

/* Returns whether both domains belong to the total and have one reason. */
static bool same_reason(const struct sm_source *p, unsigned int i, unsigned int k)
{
	struct sm_buf a = {0}, b = {0};
	bool same;

	domain_reason(p, i, &a);
	domain_reason(p, k, &b);
	same = belongs(p, i) && belongs(p, k) && a.len == b.len && a.len &&
	       memcmp(a.p, b.p, a.len) == 0;
	sm_buf_fini(&a);
	sm_buf_fini(&b);
	return same;
}

static bool is_first(const struct sm_source *p, unsigned int i)
{
	for (unsigned int k = 0; k < i; k++)
		if (same_reason(p, k, i))
			return false;
	return belongs(p, i);
}

/* Appends "pkg-0, pkg-1": the labels of all domains with the reason of domain i. */
static void put_labels(const struct sm_source *p, unsigned int i, struct sm_buf *b)
{
	unsigned int n = 0;

	for (unsigned int k = i; k < p->all; k++) {
		if (k != i && !same_reason(p, i, k))
			continue;
		if (n++ >= LABELS_MAX)
			continue;
		sm_buf_str(b, n > 1 ? ", " : "");
		put_label(p, k, b);
	}
	if (n > LABELS_MAX)
		sm_buf_printf(b, " and %u others", n - LABELS_MAX);
}

void sm_source_reason(const struct sm_source *p, struct sm_buf *b)
{
	bool any = false;

	for (unsigned int i = 0; i < p->all; i++) {
		if (!is_first(p, i))
			continue;
		sm_buf_str(b, any ? "; " : "");
		any = true;
		put_labels(p, i, b);
		domain_reason(p, i, b);
	}
	if (!any)
		sm_buf_str(b, "no domain belongs to the total");
}

void sm_source_suspect(const struct sm_source *p, struct sm_buf *b)
{
	bool any = false;

	for (unsigned int i = 0; i < p->n && sm_source_counter(p, i); i++) {
		const struct sm_rapl_counter *c = sm_source_counter(p, i);

		if (!p->domain[i].counted || !c->limit_uw ||
			c->highest_uw <= (double)c->limit_uw)
			continue;
		sm_buf_str(b, any ? "; " : "");
		any = true;
		put_label(p, i, b);
		put_rise(b, " rose by up to ", c->highest_uw, (double)c->limit_uw);
	}
}
