// SPDX-License-Identifier: GPL-2.0-or-later
/* What /proc/stat says was used and no row accounts for. */
#include "sampler.h"

/* The kernel counts whole ticks, so a sample's figure is off by about one for each CPU;
 * what is below that is kept and tried against the next sample's. */
#define NOISE_TICKS 1u

/* Looking for who may have used it costs a look at the directory. */
#define RESCAN_EVERY 4u

static void add_row(struct sampler *s, enum cs_kind kind, uint64_t ns)
{
	struct cs_row *row;

	if (ns < s->now.dt_ns / 100)
		return;
	row = sampler_row(s);
	if (!row)
		return;
	row->kind = (uint8_t)kind;
	row->dt_ns = s->now.dt_ns;
	row->used_ns = row->sys_ns = row->total_ns = ns;
}

static uint64_t take(uint64_t *rest, uint64_t most)
{
	uint64_t ns = *rest < most ? *rest : most;

	*rest -= ns;
	return ns;
}

/* How much of the residual is told now: never much more than this sample's own. */
static uint64_t told(struct sampler *s, int64_t residual)
{
	int64_t noise = (int64_t)((s->online + NOISE_TICKS) * s->tick_ns);
	int64_t told_ns;

	s->balance_ns += residual;
	if (s->balance_ns < -4 * noise)
		s->balance_ns = -4 * noise;
	told_ns = residual + noise < s->balance_ns ? residual + noise : s->balance_ns;
	if (told_ns <= noise)
		return 0;
	s->balance_ns -= told_ns;
	return (uint64_t)told_ns;
}

static int64_t left_over(const struct cs_sample *now)
{
	return sampler_difference(now->busy_ns, now->tasks_ns + now->exited_ns);
}

/* Interrupts first, as far as they go: those since the residual was told last. */
static void explain(struct sampler *s, uint64_t rest)
{
	struct cs_sample *now = &s->now;

	now->softirq_ns = take(&rest, s->held_softirq_ns);
	now->irq_ns = take(&rest, s->held_irq_ns);
	add_row(s, CS_SOFTIRQ, now->softirq_ns);
	add_row(s, CS_IRQ, now->irq_ns);
	add_row(s, CS_UNACCOUNTED, rest);
	/* A process whose number was given out of order, perhaps. */
	if (!rest || s->number < s->rescan_at)
		return;
	s->live.rescan = true;
	s->rescan_at = s->number + RESCAN_EVERY;
}

void sampler_residual(struct sampler *s)
{
	struct cs_sample *now = &s->now;
	struct sm_cpu_ticks d;
	uint64_t rest;

	now->machine = s->machine && !s->tree && now->now && now->before;
	if (!now->now || !now->before)
		return;
	sm_cpu_ticks_delta(&now->now->total, &now->before->total, &d);
	now->busy_ns = sm_cpu_ticks_busy(&d) * s->tick_ns;
	if (!now->machine)
		return;
	s->held_softirq_ns += d.softirq * s->tick_ns;
	s->held_irq_ns += d.irq * s->tick_ns;
	rest = told(s, left_over(now));
	explain(s, rest);
	now->unaccounted_ns = left_over(now) - (int64_t)(now->softirq_ns + now->irq_ns);
	if (rest || s->balance_ns <= 0)
		s->held_softirq_ns = s->held_irq_ns = 0;
}
