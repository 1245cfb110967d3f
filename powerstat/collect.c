// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/stats.h"
#include "collect.h"

/* Number of idle-state files that a sample reads.  Up to IDLE_ALL files are all read, so
 * that only the last interval is lost if a CPU goes offline.  A large machine has
 * thousands of files: all are read at start and end, and IDLE_READS in each sample. */
#define IDLE_ALL   32u
#define IDLE_READS 8u

static const struct sm_procstat *now_stat(const struct collect *c)
{
	return &c->stat[c->current];
}

static const struct sm_procstat *before_stat(const struct collect *c)
{
	return &c->stat[c->current ^ 1];
}

/* --- groups of columns -------------------------------------------------------------- */

static void set(struct collect *c, unsigned int col, double v)
{
	c->sample.v[col] = v;
}

static double share(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : NAN;
}

/* Returns the ticks that all CPUs have in the interval; the sum lacks unknown times. */
static uint64_t all_ticks(const struct collect *c, const struct sm_cpu_ticks *d)
{
	uint64_t tick_ns = SM_NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t sum = sm_procstat_sum(d);
	uint64_t elapsed = c->sample.dt_ns / tick_ns * now_stat(c)->online;

	return d->unknown && sum < elapsed ? elapsed : sum;
}

/* Percentages of all CPU time, including interrupts and stolen time. */
static void take_cpu(struct collect *c)
{
	struct sm_cpu_ticks d;

	sm_procstat_total(now_stat(c), before_stat(c), c->sample.dt_ns, &d);

	const struct {
		unsigned int col, of; /* SM_TICKS_ bits */
		uint64_t ticks;
	} part[] = {
		{V_USER, SM_TICKS_USER | SM_TICKS_GUEST, d.user + d.guest},
		{V_NICE, SM_TICKS_NICE | SM_TICKS_GUEST_NICE, d.nice + d.guest_nice},
		{V_SYS, SM_TICKS_SYSTEM, d.system},
		{V_IDLE, SM_TICKS_IDLE, d.idle},
		{V_IO, SM_TICKS_IOWAIT, d.iowait},
		{V_IRQ, SM_TICKS_IRQ, d.irq},
		{V_SOFTIRQ, SM_TICKS_SOFTIRQ, d.softirq},
		{V_STEAL, SM_TICKS_STEAL, d.steal},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(part); i++)
		if (!(d.unknown & part[i].of))
			set(c, part[i].col, share(part[i].ticks, all_ticks(c, &d)));
}

static void take_rates(struct collect *c)
{
	const struct sm_procstat *now = now_stat(c), *before = before_stat(c);
	uint64_t dt_ns = c->sample.dt_ns;

	set(c, V_RUN, (double)now->running);
	set(c, V_CTXT, sm_procstat_rate(now->ctxt, before->ctxt, now->online, dt_ns));
	set(c, V_INTR, sm_procstat_rate(now->intr, before->intr, now->online, dt_ns));
}

static void take_stat(struct collect *c)
{
	c->current ^= 1;
	if (sm_procstat_read(&c->stat_file, &c->stat[c->current]) < 0) {
		c->have_before = false;
		return;
	}
	if (c->have_before) {
		take_cpu(c);
		take_rates(c);
	}
	c->have_before = true;
}

static void take_events(struct collect *c)
{
	struct events_counts now;

	if (!c->events || events_counts(c->events, &now) < 0)
		return;
	set(c, V_FORK, (double)(now.fork - c->events_before.fork));
	set(c, V_EXEC, (double)(now.exec - c->events_before.exec));
	set(c, V_EXIT, (double)(now.exit - c->events_before.exit));
	c->sample.events_lost = now.lost - c->events_before.lost;
	c->events_before = now;
}

static int take_power(struct collect *c, uint64_t now_ns)
{
	struct sm_source *p = c->power;
	int err = sm_source_take(p, now_ns);

	if (err)
		return err;
	c->sample.dt_ns = p->take_ns - c->t_ns;
	c->t_ns = p->take_ns;
	set(c, V_WATTS, p->total_uw * 1e-6);
	set(c, V_JOULES, p->total_uj * 1e-6);
	for (unsigned int i = 0; i < c->columns.ndomains; i++)
		set(c, c->columns.domain0 + i, sm_source_at(p, i)->uw * 1e-6);
	c->sample.power = p;
	c->sample.energy_ns = p->total_ns;
	c->sample.retracted_j = p->retracted_uj * 1e-6;
	c->sample.kind = p->figure;
	c->sample.incomplete = p->incomplete;
	c->sample.missing = p->missing;
	c->sample.window_ns = p->window_ns;
	return 0;
}

static void take_thermal(struct collect *c)
{
	(void)!sm_thermal_read(&c->thermal);
	for (unsigned int i = 0; i < c->columns.nthermal; i++)
		if (!c->thermal.zone[i].error)
			set(c, c->columns.thermal0 + i,
				(double)c->thermal.zone[i].temp_mc * 1e-3);
}

static void take_freq(struct collect *c)
{
	int err = sm_cpufreq_read(&c->freq);
	struct sm_stats khz = {0};

	if (c->freq_unread < c->freq.unread)
		c->freq_unread = c->freq.unread;
	if (err < 0)
		return;
	for (unsigned int i = 0; i < c->freq.ncpu; i++)
		if (c->freq.cpu[i].khz)
			sm_stats_add(&khz, (double)c->freq.cpu[i].khz, 1, false);
	set(c, c->columns.freq0, sm_stats_geomean(&khz));
	set(c, c->columns.freq0 + 1, khz.min);
	set(c, c->columns.freq0 + 2, khz.max);
}

static void take_gpu(struct collect *c)
{
	uint64_t mhz;

	if (sm_gpufreq_read(&c->gpu, &mhz) == 0)
		set(c, c->columns.gpu, (double)mhz * 1000);
}

static void take_throttle(struct collect *c)
{
	struct sample *s = &c->sample;
	bool same_cpus = now_stat(c)->online == before_stat(c)->online;

	if ((same_cpus ? sm_throttle_next : sm_throttle_renew)(
		    &c->throttle, &s->core_throttles, &s->package_throttles) == 0)
		set(c, c->columns.throttle,
			(double)(s->core_throttles + s->package_throttles));
	else /* the column is empty: no part of a number */
		s->core_throttles = s->package_throttles = 0;
}

/* --- samples ------------------------------------------------------------------------ */

static int take_all(struct collect *c, uint64_t now_ns)
{
	int err = take_power(c, now_ns);

	if (err)
		return err;
	take_stat(c);
	take_events(c);
	if (c->columns.nthermal)
		take_thermal(c);
	if (c->have_freq)
		take_freq(c);
	if (c->have_gpu)
		take_gpu(c);
	if (c->have_throttle)
		take_throttle(c);
	return 0;
}

int collect_baseline(struct collect *c, uint64_t now_ns)
{
	sm_source_rebase(c->power);
	if (c->have_idle)
		sm_cpuidle_rebase(&c->idle);
	return take_all(c, now_ns);
}

int collect_take(struct collect *c, uint64_t now_ns)
{
	double *v = c->sample.v;
	int err;

	for (unsigned int i = 0; i < c->columns.list.n; i++)
		v[i] = NAN;
	c->sample = (struct sample){.v = v};
	err = take_all(c, now_ns);
	if (err)
		return err;
	c->sample.t_ns = c->t_ns;
	c->sample.wall_ns = c->t_ns + (uint64_t)sm_clock_wall_offset_ns();
	if (c->have_idle)
		(void)!sm_cpuidle_read(
			&c->idle, sm_cpuidle_files(&c->idle) <= IDLE_ALL, IDLE_READS);
	return 0;
}

void collect_idle_states(struct collect *c)
{
	if (c->have_idle)
		(void)!sm_cpuidle_read(&c->idle, true, 0);
}

/* --- opening ------------------------------------------------------------------------ */

/* An absent source has no column; the summary reports it. */
static int optional(int err, bool *have)
{
	*have = err == 0;
	return err == -ENOMEM ? err : 0;
}

static int open_sources(struct collect *c)
{
	const struct opts *o = c->opts;
	int err = sm_procstat_open(&c->stat_file, c->root);

	c->stat_file.sums = true;
	if (!err && o->freq)
		err = optional(sm_cpufreq_open(&c->freq, c->root), &c->have_freq);
	if (!err && o->freq)
		err = optional(
			sm_throttle_open(&c->throttle, c->root), &c->have_throttle);
	if (!err && o->gpu)
		err = optional(sm_gpufreq_open(&c->gpu, c->root), &c->have_gpu);
	if (!err && o->thermal)
		err = optional(sm_thermal_open(&c->thermal, c->root), &c->have_thermal);
	if (!err && o->cstates)
		err = optional(sm_cpuidle_open(&c->idle, c->root), &c->have_idle);
	return err;
}

int collect_open(struct collect *c, const struct sm_root *root, const struct opts *o,
	struct sm_source *power, struct events *events)
{
	int err;

	*c = (struct collect){.opts = o, .root = root, .power = power, .events = events};
	c->stat_file.file = (struct sm_file)SM_FILE_INIT;
	err = open_sources(c);
	if (!err)
		err = columns_init(&c->columns, o, power,
			c->have_thermal ? &c->thermal : NULL,
			(struct columns_have){.freq = c->have_freq,
				.throttle = c->have_throttle,
				.gpu = c->have_gpu,
				.events = events != NULL});
	if (err)
		return err;
	c->sample.v = calloc(c->columns.list.n, sizeof(*c->sample.v));
	return c->sample.v ? 0 : -ENOMEM;
}

void collect_close(struct collect *c)
{
	sm_procstat_close(&c->stat_file);
	sm_procstat_fini(&c->stat[0]);
	sm_procstat_fini(&c->stat[1]);
	if (c->have_freq)
		sm_cpufreq_close(&c->freq);
	if (c->have_gpu)
		sm_gpufreq_close(&c->gpu);
	if (c->have_throttle)
		sm_throttle_close(&c->throttle);
	if (c->have_thermal)
		sm_thermal_close(&c->thermal);
	if (c->have_idle)
		sm_cpuidle_close(&c->idle);
	columns_fini(&c->columns);
	free(c->sample.v);
	*c = (struct collect){0};
}
