// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "cpus.h"

const struct sm_items_part cpus_parts[SM_ITEMS_PARTS] = {{"user", 'u', SM_TUI_LOW},
	{"system", 's', SM_TUI_HIGH}, {"iowait", 'w', SM_TUI_MIDDLE},
	{"steal", 't', SM_TUI_ACCENT}};

static void split(const struct sm_cpu_ticks *d, uint64_t part[SM_ITEMS_PARTS])
{
	part[0] = d->user + d->nice + d->guest + d->guest_nice;
	part[1] = d->system + d->irq + d->softirq;
	part[2] = d->iowait;
	part[3] = d->steal;
}

static struct sm_items_bar one_cpu(
	const struct sm_procstat *now, const struct sm_procstat *before, unsigned int i)
{
	struct sm_items_bar bar = {.pct = now->cpu[i].present ? 0 : -1};
	uint64_t part[SM_ITEMS_PARTS], sum;
	struct sm_cpu_ticks d;

	if (bar.pct < 0 || !before || i >= before->ncpu || !before->cpu[i].present)
		return bar;
	sm_procstat_delta(&now->cpu[i].t, &before->cpu[i].t, &d);
	sum = sm_procstat_sum(&d);
	if (!sum)
		return bar;
	split(&d, part);
	for (int k = 0; k < SM_ITEMS_PARTS; k++)
		bar.part[k] = 100.0f * (float)part[k] / (float)sum;
	bar.pct = 100.0f * (float)(part[0] + part[1]) / (float)sum;
	return bar;
}

static double per_second(uint64_t now, uint64_t before, uint64_t dt_ns)
{
	return now > before ? (double)(now - before) * 1e9 / (double)dt_ns : 0;
}

static void take_rates(struct cpus *c, const struct sample *s)
{
	double tick_pct = 100e9 / (double)sysconf(_SC_CLK_TCK) / (double)s->dt_ns;
	uint64_t part[SM_ITEMS_PARTS];
	struct sm_cpu_ticks d;

	sm_procstat_delta(&s->now->total, &s->before->total, &d);
	split(&d, part);
	for (int k = 0; k < SM_ITEMS_PARTS; k++)
		c->part_pct[k] = (double)part[k] * tick_pct;
	c->idle_pct = (double)d.idle * tick_pct;
	c->ctxt = per_second(s->now->ctxt, s->before->ctxt, s->dt_ns);
	c->intr = per_second(s->now->intr, s->before->intr, s->dt_ns);
}

void cpus_take(struct cpus *c, const struct sample *s)
{
	const struct sm_procstat *now = s->now;

	c->n = 0;
	c->known = now != NULL;
	c->rates = now && s->before && s->dt_ns;
	if (c->rates)
		take_rates(c, s);
	if (!now)
		return;
	c->running = now->running;
	c->blocked = now->blocked;
	if (sm_array_reserve(&c->bar, &c->cap, now->ncpu, sizeof(*c->bar)))
		return;
	c->n = now->ncpu;
	for (unsigned int i = 0; i < c->n; i++)
		c->bar[i] = one_cpu(now, s->before, i);
}

void cpus_fini(struct cpus *c)
{
	free(c->bar);
}
