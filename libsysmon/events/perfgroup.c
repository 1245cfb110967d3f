// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "events/perf.h"
#include "events/perfgroup.h"
#include "proc/cpulist.h"
#include "proc/sysfs.h"

#define PMUS	 "bus/event_source/devices"
#define PMU_BITS 32 /* PERF_PMU_TYPE_SHIFT of linux/perf_event.h */

#define FORMAT                                                \
	(PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | \
		PERF_FORMAT_TOTAL_TIME_RUNNING)

static int open_event(const struct sm_perfgroup *g, const struct sm_perfgroup_event *e,
	pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = e->type,
		.config = e->config,
		.read_format = FORMAT,
		.disabled = g->n == 0,
		.exclude_kernel = g->user_only,
		.exclude_hv = g->user_only,
	};

	return sm_perf_event_open(&attr, pid, cpu, g->n ? g->fd[0] : -1, 0);
}

/* Counts user mode only if privileges for the kernel's part are missing. */
static int open_first(
	struct sm_perfgroup *g, const struct sm_perfgroup_event *e, pid_t pid, int cpu)
{
	int fd = open_event(g, e, pid, cpu);

	if (fd != -EACCES && fd != -EPERM)
		return fd;
	g->user_only = true;
	return open_event(g, e, pid, cpu);
}

/* Enables the whole group at once; a member that joins it later may begin later. */
static int enable(struct sm_perfgroup *g)
{
	int err;

	if (ioctl(g->fd[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) == 0)
		return 0;
	err = errno;
	sm_perfgroup_close(g);
	return -err;
}

int sm_perfgroup_open(struct sm_perfgroup *g, const struct sm_perfgroup_event *e,
	unsigned int n, pid_t pid, int cpu)
{
	memset(g, 0, sizeof(*g));
	if (n == 0 || n > SM_PERFGROUP_MAX)
		return -EINVAL;
	g->fd[0] = open_first(g, e, pid, cpu);
	if (g->fd[0] < 0)
		return g->fd[0];
	for (g->n = 1; g->n < n; g->n++)
		g->fd[g->n] = open_event(g, &e[g->n], pid, cpu);
	return enable(g);
}

/* The kernel returns the values of the opened events, in the order of opening. */
int sm_perfgroup_read(const struct sm_perfgroup *g, struct sm_perfgroup_values *v)
{
	struct {
		uint64_t n, enabled_ns, running_ns, value[SM_PERFGROUP_MAX];
	} r;
	ssize_t got = read(g->fd[0], &r, sizeof(r));
	uint64_t at = 0;

	if (got < 0)
		return -errno;
	if ((size_t)got < 3 * sizeof(uint64_t) || r.n > SM_PERFGROUP_MAX ||
		(size_t)got < (3 + r.n) * sizeof(uint64_t))
		return -EBADMSG;
	memset(v, 0, sizeof(*v));
	v->enabled_ns = r.enabled_ns;
	v->running_ns = r.running_ns;
	for (unsigned int i = 0; i < g->n && at < r.n; i++)
		if (g->fd[i] >= 0)
			v->value[i] = r.value[at++];
	return 0;
}

void sm_perfgroup_close(struct sm_perfgroup *g)
{
	for (unsigned int i = g->n; i-- > 0;)
		if (g->fd[i] >= 0)
			close(g->fd[i]);
	memset(g, 0, sizeof(*g));
}

int sm_perfgroup_delta(const struct sm_perfgroup_values *now,
	const struct sm_perfgroup_values *before, unsigned int event, double *out)
{
	uint64_t enabled = now->enabled_ns - before->enabled_ns;
	uint64_t running = now->running_ns - before->running_ns;
	uint64_t counted;

	if (event >= SM_PERFGROUP_MAX || now->running_ns <= before->running_ns ||
		now->value[event] < before->value[event])
		return -ENODATA;
	counted = now->value[event] - before->value[event];
	*out = (double)counted;
	if (enabled > running)
		*out *= (double)enabled / (double)running;
	return 0;
}

/* ---- the PMU of a CPU ---- */

struct pmu_search {
	const struct sm_root *root;
	unsigned int cpu;
	bool has;
	uint32_t type;
};

static void is_it(void *ctx, unsigned int cpu)
{
	struct pmu_search *s = ctx;

	s->has |= cpu == s->cpu;
}

/* Returns 1 if this is the PMU of the CPU.  PMUs without a list do not belong to CPUs. */
static int try_pmu(void *ctx, const char *name)
{
	struct pmu_search *s = ctx;
	char path[320], list[4097];
	uint64_t type;
	ssize_t n;

	snprintf(path, sizeof(path), PMUS "/%s/cpus", name);
	n = sm_file_slurp_bytes(s->root->sys, path, list, sizeof(list));
	if (n <= 0 || n == (ssize_t)sizeof(list) ||
		sm_cpulist_parse(list, (size_t)n, is_it, s) < 0 || !s->has)
		return 0;
	s->has = false;
	snprintf(path, sizeof(path), PMUS "/%s/type", name);
	if (sm_file_read_u64(s->root->sys, path, &type) < 0 || type > UINT32_MAX)
		return 0;
	s->type = (uint32_t)type;
	return 1;
}

int sm_perfgroup_pmu_type(const struct sm_root *root, unsigned int cpu, uint32_t *type)
{
	struct pmu_search s = {.root = root, .cpu = cpu};
	int r = sm_sysfs_each(root->sys, PMUS, try_pmu, &s);

	if (r == 1)
		*type = s.type;
	return r == 1 ? 0 : r < 0 ? r : -ENOENT;
}

void sm_perfgroup_of_pmu(struct sm_perfgroup_event *e, unsigned int n, uint32_t type)
{
	for (unsigned int i = 0; i < n; i++)
		if (e[i].type == PERF_TYPE_HARDWARE)
			e[i].config |= (uint64_t)type << PMU_BITS;
}
