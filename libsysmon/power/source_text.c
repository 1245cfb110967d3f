// SPDX-License-Identifier: GPL-2.0-or-later
/* The scope, the averaging time and the description of a source. */
#include <string.h>

#include "base/text.h"
#include "power/hwmon_rules.h"
#include "power/source.h"

uint64_t sm_source_average_ns(const struct sm_source *p)
{
	uint64_t longest_ms = 0;

	for (unsigned int i = 0; p->kind == SM_SOURCE_HWMON && i < p->n; i++) {
		const struct sm_hwmon_sensor *s = &p->hwmon.sensor[i];

		if (s->counted && s->interval_ms > longest_ms)
			longest_ms = s->interval_ms;
	}
	return longest_ms < UINT64_MAX / SM_NSEC_PER_MSEC ? longest_ms * SM_NSEC_PER_MSEC
							  : UINT64_MAX;
}

bool sm_source_too_short(const struct sm_source *p, uint64_t ns)
{
	return ns / SM_SOURCE_AVERAGES < sm_source_average_ns(p);
}

bool sm_source_is_processor(const struct sm_source *p)
{
	if (p->kind == SM_SOURCE_HWMON)
		return sm_hwmon_is_processor(&p->hwmon);
	return (p->kind == SM_SOURCE_RAPL || p->kind == SM_SOURCE_PERF) &&
	       p->want.total != SM_RAPL_TOTAL_PSYS;
}

static const char *name(const struct sm_source *p)
{
	static const char *const names[] = {[SM_SOURCE_AUTO] = "none",
		[SM_SOURCE_BATTERY] = "battery",
		[SM_SOURCE_RAPL] = "RAPL",
		[SM_SOURCE_PERF] = "RAPL through perf's power PMU",
		[SM_SOURCE_HWMON] = "power meter",
		[SM_SOURCE_NONE] = "none"};

	if (p->kind != SM_SOURCE_HWMON || sm_hwmon_is_system(&p->hwmon))
		return names[p->kind];
	return sm_hwmon_is_processor(&p->hwmon) ? "power sensors of the processor"
						: "power sensors of parts of the machine";
}

static void add_label(const char *label, struct sm_buf *b)
{
	sm_text_human(b, label, strlen(label), SM_TEXT_UTF8);
}

static void add_average(uint64_t ns, struct sm_buf *b)
{
	if (ns)
		sm_buf_printf(b, " (mean of %g s)", (double)ns * 1e-9);
}

void sm_source_describe(const struct sm_source *p, struct sm_buf *b)
{
	const char *separator = ": ";

	sm_buf_str(b, name(p));
	for (unsigned int i = 0; i < p->n; i++) {
		if (!p->domain[i].counted)
			continue;
		sm_buf_str(b, separator);
		add_label(p->domain[i].label, b);
		separator = p->kind == SM_SOURCE_BATTERY ? ", " : " + ";
	}
	add_average(sm_source_average_ns(p), b);
	if (p->no_value)
		sm_buf_str(b, " (gives no value now)");
	if (p->beside) {
		sm_buf_str(b, "; in addition ");
		sm_source_describe(p->beside, b);
	}
}
