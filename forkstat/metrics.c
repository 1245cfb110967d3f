// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "metrics.h"

static void labelled(struct sm_prom *p, const char *suffix, const char *label,
	const char *value, uint64_t n)
{
	sm_prom_u64(
		p, suffix, &(struct sm_prom_label){label, {value, strlen(value)}}, 1, n);
}

static void event_totals(struct sm_prom *p, const struct summary *s)
{
	sm_prom_family(p, "sysmon_forkstat_events_total", "counter",
		"Process events shown, by kind.");
	for (enum event e = 0; e < EVENT_LOST; e++)
		labelled(p, NULL, "event", event_name(e), s->count[e]);
	sm_prom_one(p, "sysmon_forkstat_process_ends_total", "counter",
		"Processes that exited; other exits are of threads.", s->ends);
	sm_prom_one(p, "sysmon_forkstat_exits_nonzero_total", "counter",
		"Processes that exited with a nonzero status or were killed by a signal.",
		s->nonzero);
}

static void lost_totals(struct sm_prom *p, const struct summary *s)
{
	sm_prom_family(p, "sysmon_forkstat_lost_total", "counter",
		"Losses by source: events (kernel), rows (output), argument lists, "
		"names, facts, exit statuses and truncated names.");
	for (enum lost_source i = 0; i < LOST_SOURCES; i++)
		labelled(p, NULL, "source", track_lost_name(i), s->lost[i]);
}

static void lifetime_histogram(struct sm_prom *p, const struct summary *s)
{
	static const struct {
		uint64_t ns;
		const char *le;
	} bounds[] = {{1000000, "0.001"}, {10000000, "0.01"}, {100000000, "0.1"},
		{1000000000, "1"}, {10000000000, "10"}, {100000000000, "100"},
		{1000000000000, "1000"}};

	sm_prom_family(p, "sysmon_forkstat_lifetime_seconds", "histogram",
		"Lifetimes of processes that exited.");
	for (size_t i = 0; i < SM_ARRAY_SIZE(bounds); i++)
		labelled(p, "_bucket", "le", bounds[i].le,
			sm_loghist_le(&s->lifetimes, bounds[i].ns));
	labelled(p, "_bucket", "le", "+Inf", s->lifetimes.n);
	sm_prom_double(p, "_sum", NULL, 0, (double)s->lifetime_sum_ns / 1e9);
	sm_prom_u64(p, "_count", NULL, 0, s->lifetimes.n);
}

void metrics_write(const struct summary *s, struct sm_prom *p)
{
	event_totals(p, s);
	lost_totals(p, s);
	lifetime_histogram(p, s);
}
