// SPDX-License-Identifier: GPL-2.0-or-later
/* The batteries in the summary. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "summary.h"

static const struct sm_battery *battery(const struct sm_source *p, unsigned int i)
{
	return &p->batteries.battery[p->domain[i].battery];
}

static void note(const struct sm_source *p, unsigned int i, struct sm_buf *b)
{
	const char *label = p->domain[i].label;

	sm_buf_str(b, "Note: ");
	sm_text_human(b, label, strlen(label), SM_TEXT_UTF8);
	sm_buf_chr(b, ' ');
}

static void mute_note(const struct sm_source *p, unsigned int i, struct sm_buf *b)
{
	if (p->domain[i].has_power)
		return;
	note(p, i, b);
	sm_battery_why_not(battery(p, i), b);
	sm_buf_str(b, ".\n");
}

static void status_note(const struct sm_source *p, unsigned int i, struct sm_buf *b)
{
	if (!battery(p, i)->mislabelled)
		return;
	note(p, i, b);
	sm_buf_str(b,
		"reports a negative rate without a charger: it discharges, although "
		"its status is another.\n");
}

static void design_note(const struct sm_source *p, unsigned int i, struct sm_buf *b)
{
	if (!sm_battery_by_design(battery(p, i)))
		return;
	note(p, i, b);
	sm_buf_str(b, "reports no voltage: its power is calculated with the design "
		      "voltage, ");
	sm_buf_double(b, (double)battery(p, i)->voltage_uv * 1e-6, 2);
	sm_buf_str(b, " V.\n");
}

static void level_note(const struct sm_source *p, unsigned int i, struct sm_buf *b)
{
	double level_uw, rate_uw;

	if (sm_levelcheck_result(&p->domain[i].level, &level_uw, &rate_uw) <= 0)
		return;
	note(p, i, b);
	sm_buf_str(b, "is not consistent: the level fell at ");
	sm_buf_double(b, level_uw * 1e-6, 1);
	sm_buf_str(b, " W, the gauge reports ");
	sm_buf_double(b, rate_uw * 1e-6, 1);
	sm_buf_str(b, " W.\n");
}

void summary_batteries(const struct sm_source *p, struct sm_buf *b)
{
	for (unsigned int i = 0; p->kind == SM_SOURCE_BATTERY && i < p->all; i++) {
		if (!p->domain[i].was_counted)
			continue;
		mute_note(p, i, b);
		status_note(p, i, b);
		design_note(p, i, b);
		level_note(p, i, b);
	}
}

double summary_level_watts(const struct sm_source *p)
{
	double sum = NAN, level_uw, rate_uw;

	for (unsigned int i = 0; p->kind == SM_SOURCE_BATTERY && i < p->all; i++)
		if (sm_levelcheck_result(&p->domain[i].level, &level_uw, &rate_uw) >= 0)
			sum = (isnan(sum) ? 0 : sum) + level_uw * 1e-6;
	return sum;
}
