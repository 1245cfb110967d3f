// SPDX-License-Identifier: GPL-2.0-or-later
/* The notes of the summary about power meters. */
#include <string.h>

#include "base/text.h"
#include "summary.h"

static void label(struct sm_buf *b, const struct sm_hwmon_sensor *s)
{
	sm_text_human(b, s->label, strlen(s->label), SM_TEXT_UTF8);
}

static void times(struct sm_buf *b, uint64_t n)
{
	sm_buf_printf(b, "%llu time%s", (unsigned long long)n, n == 1 ? "" : "s");
}

/* Names readings that are not values, although the sensor could be read. */
static void not_values(const struct sm_hwmon_sensor *s, struct sm_buf *b)
{
	if (s->zeros) {
		sm_buf_str(b, "Note: ");
		label(b, s);
		sm_buf_str(b, " read 0 W ");
		times(b, s->zeros);
		sm_buf_str(b, ", which is not a power of a running machine.\n");
	}
	if (s->stood && s->counted) {
		sm_buf_str(b, "Note: the counter of ");
		label(b, s);
		sm_buf_str(b, " did not advance in ");
		sm_buf_u64(b, s->stood);
		sm_buf_str(b, s->stood == 1 ? " reading.\n" : " readings.\n");
	}
	if (s->excesses) {
		sm_buf_str(b, "Note: ");
		label(b, s);
		sm_buf_printf(b, " read %.0f W ", (double)s->excess_uw * 1e-6);
		times(b, s->excesses);
		sm_buf_printf(b, ", which is above the limit of %.0f W.\n",
			(double)SM_HWMON_UW_MAX * 1e-6);
	}
}

uint64_t summary_sensors(const struct sm_hwmon *h, struct sm_buf *b)
{
	uint64_t rebased = 0;

	for (unsigned int i = 0; i < h->n; i++) {
		rebased += h->sensor[i].rebased;
		not_values(&h->sensor[i], b);
	}
	return rebased;
}

static void seconds(struct sm_buf *b, uint64_t ns)
{
	sm_buf_fixed(b, (ns + SM_NSEC_PER_SEC / 20) / (SM_NSEC_PER_SEC / 10), 1);
	sm_buf_str(b, " seconds");
}

static void too_short(
	struct sm_buf *b, const char *what, uint64_t ns, uint64_t average_ns)
{
	sm_buf_printf(b, "Warning: %s took ", what);
	seconds(b, ns);
	sm_buf_printf(b,
		", less than %d times this mean: its power includes the power before it; "
		"measure for at least ",
		SM_SOURCE_AVERAGES);
	seconds(b, SM_SOURCE_AVERAGES * average_ns);
	sm_buf_str(b, ".\n");
}

uint64_t summary_run_ns(const struct summary *s)
{
	uint64_t runs = s->repeat ? s->repeat->run.number : 1;

	return s->stats->span_ns / (runs ? runs : 1);
}

/* The mean of a meter that averages lags behind the power. */
void summary_average(const struct summary *s, struct sm_buf *b)
{
	uint64_t average_ns = s->power ? sm_source_average_ns(s->power) : 0;

	if (!average_ns)
		return;
	sm_buf_str(b, "Note: the power meter reports its mean over ");
	seconds(b, average_ns);
	sm_buf_str(b, ".\n");
	if (sm_source_too_short(s->power, summary_run_ns(s)))
		too_short(b, s->repeat ? "a run" : "the measurement", summary_run_ns(s),
			average_ns);
	if (s->idle_power.of_ns && sm_source_too_short(s->power, s->idle_power.of_ns))
		too_short(b, "the measurement of the idle machine", s->idle_power.of_ns,
			average_ns);
}
