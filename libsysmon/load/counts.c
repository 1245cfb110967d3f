// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "load/counts.h"

#define MEASURED_NS (100 * SM_NSEC_PER_MSEC) /* two clock readings err by 1 in 10^6 */

static const struct sm_perfgroup_event hardware[SM_COUNTS_N] = {
	[SM_COUNTS_CYCLES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	[SM_COUNTS_INSTRUCTIONS] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	[SM_COUNTS_REF_CYCLES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
};

static void close_groups(struct sm_counts *c)
{
	for (unsigned int i = 0; i < c->n; i++)
		sm_perfgroup_close(&c->group[i]);
	free(c->group);
	c->group = NULL;
	c->n = 0;
}

/* Opens the group on the PMU of the worker's CPU if CPUs differ, which kernels before
 * 5.13 do not support. */
static int open_group(struct sm_perfgroup *g, const struct sm_workers_one *one,
	const struct sm_root *root, const struct sm_perfgroup_event *events)
{
	struct sm_perfgroup_event own[SM_COUNTS_N];
	uint32_t type;

	memcpy(own, events, sizeof(own));
	if (root && sm_perfgroup_pmu_type(root, one->cpu, &type) == 0) {
		sm_perfgroup_of_pmu(own, SM_COUNTS_N, type);
		if (sm_perfgroup_open(g, own, SM_COUNTS_N, one->pid, -1) == 0)
			return 0;
	}
	return sm_perfgroup_open(g, events, SM_COUNTS_N, one->pid, -1);
}

/* Opens the groups of all workers or of none, so that their values can be added up. */
static int open_groups(struct sm_counts *c, const struct sm_workers *w,
	const struct sm_root *root, const struct sm_perfgroup_event *events)
{
	c->group = calloc(w->n, sizeof(*c->group));
	if (!c->group)
		return -ENOMEM;
	for (; c->n < w->n; c->n++) {
		struct sm_perfgroup *g = &c->group[c->n];
		int r = open_group(g, &w->one[c->n], root, events);

		if (r < 0) {
			c->perf_error = r;
			close_groups(c);
			return 0;
		}
		c->user_only |= g->user_only;
	}
	return 0;
}

int sm_counts_open(struct sm_counts *c, const struct sm_workers *w,
	const struct sm_root *root, const struct sm_perfgroup_event *events)
{
	int r;

	memset(c, 0, sizeof(*c));
	r = open_groups(c, w, root, events ? events : hardware);
	if (r < 0)
		return r;
	if (sm_tsc_kernel_hz(&c->tsc_hz) < 0 && sm_tsc_mark(&c->begin) < 0)
		c->begin.raw_ns = 0;
	return 0;
}

void sm_counts_close(struct sm_counts *c)
{
	close_groups(c);
	memset(c, 0, sizeof(*c));
}

/* If the kernel does not report the frequency, it is measured, starting when the counts
 * are opened. */
static void measure_tsc(struct sm_counts *c)
{
	struct sm_tsc_mark now;

	if (c->begin.raw_ns == 0 || sm_tsc_mark(&now) < 0 ||
		now.raw_ns - c->begin.raw_ns < MEASURED_NS)
		return;
	if (sm_tsc_hz_between(&c->begin, &now, &c->tsc_hz) < 0)
		c->tsc_hz = 0;
}

void sm_counts_sample(struct sm_counts *c, const struct sm_workers *w, unsigned int i,
	struct sm_counts_sample *s)
{
	s->has_perf = i < c->n && sm_perfgroup_read(&c->group[i], &s->perf) == 0;
	sm_workers_read(w, i, &s->reading);
	measure_tsc(c);
}

/* On a machine with different kinds of CPUs a group can be open and count nothing: 0 is
 * not a valid count of a worker that has worked. */
static bool by_perf(const struct sm_counts *c, const struct sm_counts_sample *before,
	const struct sm_counts_sample *now, unsigned int event,
	struct sm_counts_figure *out)
{
	double value;

	if (!c->group || !sm_perfgroup_has(&c->group[0], event) || !before->has_perf ||
		!now->has_perf)
		return false;
	if (sm_perfgroup_delta(&now->perf, &before->perf, event, &value) < 0)
		return false;
	if (value == 0 && now->reading.ops != before->reading.ops)
		return false;
	*out = (struct sm_counts_figure){value, SM_COUNTS_PERF};
	return true;
}

static void by_tsc(const struct sm_counts *c, const struct sm_counts_sample *before,
	const struct sm_counts_sample *now, struct sm_counts_figure *out)
{
	if (c->tsc_hz == 0)
		return;
	out->method = SM_COUNTS_TSC;
	out->value = c->tsc_hz * 1e-9 *
		     (double)(now->reading.given_ns - before->reading.given_ns);
}

static void by_length(const struct sm_counts_sample *before,
	const struct sm_counts_sample *now, const struct sm_ops *op,
	struct sm_counts_figure *out)
{
	if (op->instructions == 0)
		return;
	out->method = SM_COUNTS_COMPUTED;
	out->value = (double)op->instructions *
		     (double)(now->reading.ops - before->reading.ops);
}

void sm_counts_between(const struct sm_counts *c, const struct sm_counts_sample *before,
	const struct sm_counts_sample *now, const struct sm_ops *op,
	struct sm_counts_figure out[SM_COUNTS_N])
{
	for (unsigned int i = 0; i < SM_COUNTS_N; i++) {
		out[i] = (struct sm_counts_figure){0, SM_COUNTS_NONE};
		if (by_perf(c, before, now, i, &out[i]))
			continue;
		if (i == SM_COUNTS_INSTRUCTIONS)
			by_length(before, now, op, &out[i]);
		else if (i == SM_COUNTS_REF_CYCLES)
			by_tsc(c, before, now, &out[i]);
	}
}

const char *sm_counts_method_name(enum sm_counts_method m)
{
	static const char *const name[] = {"unavailable", "perf", "tsc", "computed"};

	return name[m];
}
