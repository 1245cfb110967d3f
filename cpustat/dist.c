// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dist.h"
#include "out.h"

#define PER_PERCENT 100 /* tasks are counted in hundredths */

int dist_init(struct dist *d)
{
	memset(d, 0, sizeof(*d));
	sm_linhist_init(&d->tasks);
	return 0;
}

void dist_fini(struct dist *d)
{
	free(d->cpu);
	d->cpu = NULL;
	d->ncpu = 0;
}

static int grow(struct dist *d, unsigned int ncpu)
{
	struct dist_cpu *cpu;

	if (ncpu <= d->ncpu)
		return 0;
	cpu = reallocarray(d->cpu, ncpu, sizeof(*cpu));
	if (!cpu)
		return -ENOMEM;
	memset(cpu + d->ncpu, 0, (ncpu - d->ncpu) * sizeof(*cpu));
	d->cpu = cpu;
	d->ncpu = ncpu;
	return 0;
}

static int add_cpus(
	struct dist *d, const struct sm_procstat *now, const struct sm_procstat *before)
{
	unsigned int n = now->ncpu < before->ncpu ? now->ncpu : before->ncpu;
	struct sm_cpu_ticks t;
	int err = grow(d, n);

	if (err)
		return err;
	for (unsigned int i = 0; i < n; i++) {
		if (!now->cpu[i].present || !before->cpu[i].present)
			continue;
		sm_cpu_ticks_delta(&now->cpu[i].t, &before->cpu[i].t, &t);
		d->cpu[i].usr_ticks += t.user + t.nice + t.guest + t.guest_nice;
		d->cpu[i].sys_ticks += t.system + t.irq + t.softirq;
		d->cpu[i].all_ticks += sm_cpu_ticks_sum(&t);
	}
	return 0;
}

int dist_add(struct dist *d, const struct cs_sample *s, const struct cs_row *rows,
	size_t n, double scale)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].kind <= CS_EXITED)
			sm_linhist_add(
				&d->tasks, llround(cs_pct(&rows[i], rows[i].used_ns) *
						   scale * PER_PERCENT));
	return s->now && s->before ? add_cpus(d, s->now, s->before) : 0;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Right-aligned in six columns, two decimals, whatever the locale. */
static void put_pct(struct sm_buf *b, double v)
{
	unsigned long long centi = (unsigned long long)llround(v * 100);

	sm_buf_printf(b, "%3llu.%02llu", centi / 100, centi % 100);
}

static void print_tasks(const struct dist *d, struct sm_buf *b)
{
	struct sm_linbin bins[DIST_BINS];
	int n = sm_linhist_bins(&d->tasks, DIST_BINS, bins);

	sm_buf_str(b, "Distribution of CPU utilisation (per Task):\n"
		      "% CPU Utilisation   Count   (%)\n");
	for (int i = 0; i < n; i++) {
		if (!bins[i].count)
			continue;
		put_pct(b, bins[i].low / PER_PERCENT);
		sm_buf_str(b, " - ");
		put_pct(b, bins[i].high / PER_PERCENT);
		sm_buf_printf(b, "  %8llu ", (unsigned long long)bins[i].count);
		put_pct(b, share(bins[i].count, d->tasks.n));
		sm_buf_chr(b, '\n');
	}
}

static void print_cpus(const struct dist *d, struct sm_buf *b)
{
	sm_buf_str(b, "\nDistribution of CPU utilisation (per CPU):\n"
		      " CPU#   USR%   SYS%\n");
	for (unsigned int i = 0; i < d->ncpu; i++) {
		const struct dist_cpu *c = &d->cpu[i];

		if (!c->all_ticks)
			continue;
		sm_buf_printf(b, "%5u ", i);
		put_pct(b, share(c->usr_ticks, c->all_ticks));
		sm_buf_chr(b, ' ');
		put_pct(b, share(c->sys_ticks, c->all_ticks));
		sm_buf_chr(b, '\n');
	}
}

void dist_print(const struct dist *d, struct sm_buf *b)
{
	print_tasks(d, b);
	print_cpus(d, b);
}

static void json_bins(const struct dist *d, struct sm_json *j)
{
	struct sm_linbin bins[DIST_BINS];
	int n = sm_linhist_bins(&d->tasks, DIST_BINS, bins);

	sm_json_array(j, "bins");
	for (int i = 0; i < n; i++) {
		if (!bins[i].count)
			continue;
		sm_json_object(j, NULL);
		sm_json_double(j, "low_pct", bins[i].low / PER_PERCENT, 2);
		sm_json_double(j, "high_pct", bins[i].high / PER_PERCENT, 2);
		sm_json_u64(j, "count", bins[i].count);
		sm_json_end(j);
	}
	sm_json_end(j);
}

static void json_cpus(const struct dist *d, struct sm_json *j)
{
	sm_json_array(j, "cpus");
	for (unsigned int i = 0; i < d->ncpu; i++) {
		const struct dist_cpu *c = &d->cpu[i];

		if (!c->all_ticks)
			continue;
		sm_json_object(j, NULL);
		sm_json_u64(j, "cpu", i);
		sm_json_double(j, "usr_pct", share(c->usr_ticks, c->all_ticks), 2);
		sm_json_double(j, "sys_pct", share(c->sys_ticks, c->all_ticks), 2);
		sm_json_end(j);
	}
	sm_json_end(j);
}

void dist_json(const struct dist *d, struct sm_buf *b)
{
	struct sm_json j;

	sm_json_open(&j, b, "distribution");
	sm_json_u64(&j, "tasks", d->tasks.n);
	json_bins(d, &j);
	json_cpus(d, &j);
	sm_json_close(&j);
}
