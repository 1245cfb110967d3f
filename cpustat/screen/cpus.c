// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "cpus.h"

const struct sm_items_part cpus_parts[SM_ITEMS_PARTS] = {{"user", 'u', SM_TUI_LOW},
	{"system", 's', SM_TUI_HIGH}, {"iowait", 'w', SM_TUI_MIDDLE},
	{"steal", 't', SM_TUI_ACCENT}};

static const unsigned int of_part[SM_ITEMS_PARTS] = {
	SM_TICKS_USER | SM_TICKS_NICE | SM_TICKS_GUEST | SM_TICKS_GUEST_NICE,
	SM_TICKS_SYSTEM | SM_TICKS_IRQ | SM_TICKS_SOFTIRQ, SM_TICKS_IOWAIT,
	SM_TICKS_STEAL};

static void split(const struct sm_cpu_ticks *d, uint64_t part[SM_ITEMS_PARTS])
{
	part[0] = d->user + d->nice + d->guest + d->guest_nice;
	part[1] = d->system + d->irq + d->softirq;
	part[2] = d->iowait;
	part[3] = d->steal;
}

/* A bar leaves out unknown parts; without any part, it is not drawn. */
static struct sm_items_bar one_cpu(const struct sample *s, unsigned int i)
{
	struct sm_items_bar bar = {.pct = s->now->cpu[i].present ? 0 : -1};
	uint64_t part[SM_ITEMS_PARTS], sum;
	struct sm_cpu_ticks d;

	if (!s->before || !sm_procstat_cpu(s->now, s->before, i, s->dt_ns, &d))
		return bar;
	sum = sm_procstat_sum(&d);
	if (!sum || d.unknown)
		return bar;
	split(&d, part);
	for (int k = 0; k < SM_ITEMS_PARTS; k++)
		bar.part[k] = 100.0f * (float)part[k] / (float)sum;
	bar.pct = 100.0f * (float)(part[0] + part[1]) / (float)sum;
	return bar;
}

static void take_rates(struct cpus *c, const struct sample *s)
{
	double tick_pct = 100e9 / (double)sysconf(_SC_CLK_TCK) / (double)s->dt_ns;
	uint64_t part[SM_ITEMS_PARTS];
	struct sm_cpu_ticks d;

	sm_procstat_total(s->now, s->before, s->dt_ns, &d);
	split(&d, part);
	for (int k = 0; k < SM_ITEMS_PARTS; k++)
		c->part_pct[k] =
			d.unknown & of_part[k] ? NAN : (double)part[k] * tick_pct;
	c->idle_pct = d.unknown & SM_TICKS_IDLE ? NAN : (double)d.idle * tick_pct;
	c->ctxt = sm_procstat_rate(s->now->ctxt, s->before->ctxt, s->online, s->dt_ns);
	c->intr = sm_procstat_rate(s->now->intr, s->before->intr, s->online, s->dt_ns);
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
		c->bar[i] = one_cpu(s, i);
}

void cpus_fini(struct cpus *c)
{
	free(c->bar);
}
