// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/split.h"
#include "residual.h"

#define NOISE_TICKS  1u /* in addition to one for each CPU */
#define RESCAN_EVERY 4u /* samples between two scans of /proc because of the residual */

/* share: the part of user time. */
static void add_row(struct sampler *s, enum row_kind kind, uint64_t ns, double share)
{
	struct row *row = ns < s->now.dt_ns / 100 ? NULL : state_add_row(s, kind, NULL);

	if (!row)
		return;
	row->dt_ns = s->now.dt_ns;
	row->used_ns = row->total_ns = ns;
	sm_split_time(ns, share, &row->usr_ns, &row->sys_ns);
}

static uint64_t take(uint64_t *rest, uint64_t max)
{
	uint64_t ns = *rest < max ? *rest : max;

	*rest -= ns;
	return ns;
}

/* Returns the part of the balance that is reported now: at most this sample's own
 * residual and the noise. */
static uint64_t reported(struct sampler *s, int64_t residual)
{
	int64_t noise = (int64_t)((s->online + NOISE_TICKS) * s->tick_ns);
	int64_t report_ns;

	s->balance_ns += residual;
	if (s->balance_ns < -4 * noise)
		s->balance_ns = -4 * noise;
	report_ns = residual + noise < s->balance_ns ? residual + noise : s->balance_ns;
	if (report_ns <= noise)
		return 0;
	s->balance_ns -= report_ns;
	return (uint64_t)report_ns;
}

static uint64_t positive(int64_t ns)
{
	return ns > 0 ? (uint64_t)ns : 0;
}

/* Holds the user and system time of /proc/stat beyond the rows. */
static void hold_split(struct sampler *s, const struct sm_cpu_ticks *d)
{
	uint64_t usr = 0, sys = 0;

	for (size_t i = 0; i < s->nrows; i++) {
		usr += s->rows[i].usr_ns;
		sys += s->rows[i].sys_ns;
	}
	s->held_usr_ns += state_difference((d->user + d->nice) * s->tick_ns, usr);
	s->held_sys_ns += state_difference(d->system * s->tick_ns, sys);
}

static int64_t left_over(const struct sample *now)
{
	return state_difference(now->busy_ns, now->tasks_ns + now->exited_ns);
}

/* Divides the reported residual: interrupts since the last report explain it first. */
static void explain(struct sampler *s, uint64_t rest)
{
	struct sample *now = &s->now;

	now->softirq_ns = take(&rest, s->held_softirq_ns);
	now->irq_ns = take(&rest, s->held_irq_ns);
	add_row(s, ROW_SOFTIRQ, now->softirq_ns, 0);
	add_row(s, ROW_IRQ, now->irq_ns, 0);
	add_row(s, ROW_UNACCOUNTED, rest,
		sm_split_ratio(positive(s->held_usr_ns), positive(s->held_sys_ns)));
	/* The list may lack a process whose pid was allocated out of order. */
	if (!rest || s->number < s->rescan_at)
		return;
	s->pids.rescan = true;
	s->rescan_at = s->number + RESCAN_EVERY;
}

void residual_add(struct sampler *s)
{
	struct sample *now = &s->now;
	struct sm_cpu_ticks d;
	uint64_t rest;

	now->busy_ns = now->tasks_ns + now->exited_ns;
	now->machine = false;
	if (!now->now || !now->before)
		return;
	sm_procstat_total(now->now, now->before, now->dt_ns, &d);
	if (d.unknown & SM_TICKS_BUSY)
		return;
	now->busy_ns = sm_procstat_busy(&d) * s->tick_ns;
	now->machine = s->machine && !s->tree;
	if (!now->machine)
		return;
	s->held_softirq_ns += d.softirq * s->tick_ns;
	s->held_irq_ns += d.irq * s->tick_ns;
	hold_split(s, &d);
	rest = reported(s, left_over(now));
	explain(s, rest);
	now->unaccounted_ns = left_over(now) - (int64_t)(now->softirq_ns + now->irq_ns);
	if (rest || s->balance_ns <= 0) {
		s->held_softirq_ns = s->held_irq_ns = 0;
		s->held_usr_ns = s->held_sys_ns = 0;
	}
}
