// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "distribution.h"
#include "base/array.h"
#include "format/histogram.h"

#define PER_PERCENT 100 /* tasks are counted in hundredths of a percent */

int distribution_init(struct distribution *d)
{
	memset(d, 0, sizeof(*d));
	sm_linhist_init(&d->tasks);
	return 0;
}

void distribution_fini(struct distribution *d)
{
	free(d->cpu);
	memset(d, 0, sizeof(*d));
}

static int grow(struct distribution *d, unsigned int ncpu)
{
	int err = sm_array_reserve(&d->cpu, &d->cap, ncpu, sizeof(*d->cpu));

	while (!err && d->ncpu < ncpu)
		d->cpu[d->ncpu++] = (struct distribution_cpu){0};
	return err;
}

/* A CPU with unknown times is left out of this sample. */
static int add_cpus(struct distribution *d, const struct sample *s)
{
	const struct sm_procstat *now = s->now, *before = s->before;
	unsigned int n = now->ncpu < before->ncpu ? now->ncpu : before->ncpu;
	struct sm_cpu_ticks t;
	int err = grow(d, n);

	if (err)
		return err;
	for (unsigned int i = 0; i < n; i++) {
		if (!sm_procstat_cpu(now, before, i, s->dt_ns, &t) || t.unknown)
			continue;
		d->cpu[i].usr_ticks += t.user + t.nice + t.guest + t.guest_nice;
		d->cpu[i].sys_ticks += t.system + t.irq + t.softirq;
		d->cpu[i].all_ticks += sm_procstat_sum(&t);
	}
	return 0;
}

int distribution_add(struct distribution *d, const struct sample *s,
	const struct row *rows, size_t n, double scale)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].kind <= ROW_EXITED)
			sm_linhist_add(
				&d->tasks, (int64_t)(percent(&rows[i], rows[i].used_ns) *
							     scale * PER_PERCENT +
						     0.5));
	return s->now && s->before ? add_cpus(d, s) : 0;
}

void distribution_print(const struct distribution *d, struct sm_buf *b)
{
	sm_buf_str(b, "Distribution of CPU utilisation (per Task):\n"
		      "% CPU Utilisation   Count   (%)\n");
	sm_histogram_shares(&d->tasks, 1.0 / PER_PERCENT, b);
	sm_buf_str(b, "\nDistribution of CPU utilisation (per CPU):\n"
		      " CPU#   USR%   SYS%\n");
	for (unsigned int i = 0; i < d->ncpu; i++) {
		const struct distribution_cpu *c = &d->cpu[i];

		if (!c->all_ticks)
			continue;
		sm_buf_printf(b, "%5u ", i);
		sm_buf_double_right(b, share_pct(c->usr_ticks, c->all_ticks), 2, 6);
		sm_buf_chr(b, ' ');
		sm_buf_double_right(b, share_pct(c->sys_ticks, c->all_ticks), 2, 6);
		sm_buf_chr(b, '\n');
	}
}

static void json_cpus(const struct distribution *d, struct sm_json *j)
{
	sm_json_array(j, "cpus");
	for (unsigned int i = 0; i < d->ncpu; i++) {
		const struct distribution_cpu *c = &d->cpu[i];

		if (!c->all_ticks)
			continue;
		sm_json_object(j, NULL);
		sm_json_u64(j, "cpu", i);
		sm_json_double(j, "usr_pct", share_pct(c->usr_ticks, c->all_ticks), 2);
		sm_json_double(j, "sys_pct", share_pct(c->sys_ticks, c->all_ticks), 2);
		sm_json_end(j);
	}
	sm_json_end(j);
}

void distribution_json(const struct distribution *d, struct sm_buf *b)
{
	struct sm_json j;

	sm_json_open(&j, b, "distribution");
	sm_json_u64(&j, "tasks", d->tasks.n);
	sm_histogram_json(&d->tasks, 1.0 / PER_PERCENT, "low_pct", "high_pct", &j);
	json_cpus(d, &j);
	sm_json_close(&j);
}
