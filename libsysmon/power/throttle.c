// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "power/throttle.h"
#include "proc/sysfs.h"

#define CPUS "devices/system/cpu"
/* Each event is an interrupt that reads machine registers. */
#define EVENT_NS 1000

struct reading {
	struct sm_throttle *t;
	const struct sm_root *root;
};

enum { OF_CORE, OF_PACKAGE };

static int open_count(const struct sm_root *root, unsigned int cpu, int of)
{
	char path[96];

	snprintf(path, sizeof(path), CPUS "/cpu%u/thermal_throttle/%s_throttle_count",
		cpu, of == OF_CORE ? "core" : "package");
	return sm_at_open(root->sys, path, 0);
}

static bool count(const struct sm_root *root, unsigned int cpu, int of, uint64_t *n)
{
	int fd = open_count(root, cpu, of);
	bool ok = sm_sysfs_read_u64(fd, n) == 0;

	sm_base_close_fd(&fd);
	return ok;
}

static int64_t id(const struct sm_root *root, unsigned int cpu, const char *name)
{
	char path[96];
	int64_t v;

	snprintf(path, sizeof(path), CPUS "/cpu%u/topology/%s", cpu, name);
	return sm_file_read_i64(root->sys, path, &v) < 0 || v < 0 ? -1 : v;
}

static int add(void *ctx, const char *name)
{
	struct reading *r = ctx;
	struct sm_throttle *t = r->t;
	struct sm_throttle_cpu c = {0};
	int err;

	if (!sm_sysfs_number(name, "cpu", &c.cpu))
		return 0;
	c.has_core_events = count(r->root, c.cpu, OF_CORE, &c.core_events);
	c.has_package_events = count(r->root, c.cpu, OF_PACKAGE, &c.package_events);
	if (!c.has_core_events && !c.has_package_events)
		return 0;
	c.package = id(r->root, c.cpu, "physical_package_id");
	c.core = id(r->root, c.cpu, "core_id");
	err = sm_array_reserve(&t->cpu, &t->cap, t->n + 1, sizeof(*t->cpu));
	if (err < 0)
		return err;
	t->cpu[t->n++] = c;
	return 0;
}

/* Sorts CPUs by core; a CPU of an unknown core is a core of its own. */
static int by_core(const void *va, const void *vb)
{
	const struct sm_throttle_cpu *a = va, *b = vb;
	int d = SM_COMPARE(a->package, b->package);

	d = d ? d : SM_COMPARE(a->core, b->core);
	return d ? d : SM_COMPARE(a->cpu, b->cpu);
}

int sm_throttle_read(struct sm_throttle *t, const struct sm_root *root)
{
	struct reading r = {t, root};
	int err;

	*t = (struct sm_throttle){.from_ns = sm_clock_mono_ns()};
	err = sm_sysfs_each(root->sys, CPUS, add, &r);
	t->to_ns = sm_clock_mono_ns();
	if (!err && !t->n)
		err = -ENOENT;
	if (err < 0)
		sm_throttle_free(t);
	else
		qsort(t->cpu, t->n, sizeof(*t->cpu), by_core);
	return err;
}

void sm_throttle_free(struct sm_throttle *t)
{
	free(t->cpu);
	*t = (struct sm_throttle){0};
}

/* --- the events between two readings ------------------------------------------------ */

static bool same_package(const struct sm_throttle_cpu *a, const struct sm_throttle_cpu *b)
{
	return a->package == b->package && (a->package >= 0 || a->cpu == b->cpu);
}

static bool same_core(const struct sm_throttle_cpu *a, const struct sm_throttle_cpu *b)
{
	return same_package(a, b) && a->core == b->core &&
	       (a->core >= 0 || a->cpu == b->cpu);
}

static const struct sm_throttle_cpu *find(
	const struct sm_throttle *t, const struct sm_throttle_cpu *want)
{
	return t->n ? bsearch(want, t->cpu, t->n, sizeof(*want), by_core) : NULL;
}

/* Events of a core or a package: the highest count of its CPUs. */
struct group {
	uint64_t events;
	bool compared, known; /* a CPU has two counts; the counts of a CPU are possible */
};

struct total {
	uint64_t events;
	bool compared, unknown; /* of any group */
};

static void compare_counts(
	struct group *g, bool have, uint64_t before, uint64_t after, uint64_t max)
{
	if (!have)
		return;
	g->compared = true;
	if (after < before || after - before > max)
		return;
	g->known = true;
	if (after - before > g->events)
		g->events = after - before;
}

static void end_group(struct group *g, struct total *t)
{
	t->events += g->events;
	t->compared |= g->compared;
	t->unknown |= g->compared && !g->known;
	*g = (struct group){0};
}

int sm_throttle_between(const struct sm_throttle *before, const struct sm_throttle *after,
	uint64_t *core_events, uint64_t *package_events)
{
	uint64_t max = (after->to_ns - before->from_ns) / EVENT_NS + 1;
	struct group core = {0}, package = {0};
	struct total cores = {0}, packages = {0};

	for (unsigned int i = 0; i < after->n; i++) {
		const struct sm_throttle_cpu *a = &after->cpu[i], *b = find(before, a);

		if (i && !same_core(a, a - 1))
			end_group(&core, &cores);
		if (i && !same_package(a, a - 1))
			end_group(&package, &packages);
		if (!b)
			continue;
		compare_counts(&core, b->has_core_events && a->has_core_events,
			b->core_events, a->core_events, max);
		compare_counts(&package, b->has_package_events && a->has_package_events,
			b->package_events, a->package_events, max);
	}
	end_group(&core, &cores);
	end_group(&package, &packages);
	*core_events = cores.events;
	*package_events = packages.events;
	return (cores.compared || packages.compared) && !cores.unknown &&
			       !packages.unknown
		       ? 0
		       : -ENODATA;
}

/* --- a reading per interval --------------------------------------------------------- */

static void close_file(struct sm_throttle_meter *m, int *fd)
{
	m->fds -= *fd >= 0;
	sm_base_close_fd(fd);
}

/* Closes a file that fails: after hotplug the old file always returns -ENODEV. */
static bool read_file(struct sm_throttle_meter *m, unsigned int i, int of, uint64_t *n)
{
	int *fd = &m->fd[i][of];
	bool ok;

	if (*fd < 0) {
		*fd = open_count(m->root, m->now.cpu[i].cpu, of);
		m->fds += *fd >= 0;
	}
	ok = sm_sysfs_read_u64(*fd, n) == 0;
	if (!ok || m->fds > m->fds_max)
		close_file(m, fd);
	return ok;
}

static void read_all(struct sm_throttle_meter *m)
{
	m->now.from_ns = sm_clock_mono_ns();
	for (unsigned int i = 0; i < m->now.n; i++) {
		struct sm_throttle_cpu *c = &m->now.cpu[i];

		c->has_core_events = read_file(m, i, OF_CORE, &c->core_events);
		c->has_package_events = read_file(m, i, OF_PACKAGE, &c->package_events);
	}
	m->now.to_ns = sm_clock_mono_ns();
}

int sm_throttle_open(struct sm_throttle_meter *m, const struct sm_root *root)
{
	int err;

	*m = (struct sm_throttle_meter){.root = root, .fds_max = sm_file_share(4)};
	err = sm_throttle_read(&m->now, root);
	if (err < 0)
		return err;
	m->last.n = m->now.n;
	m->last.cpu = calloc(m->now.n, sizeof(*m->last.cpu));
	m->fd = malloc(m->now.n * sizeof(*m->fd));
	if (!m->last.cpu || !m->fd) {
		free(m->fd);
		m->fd = NULL;
		sm_throttle_close(m);
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < m->now.n; i++)
		m->fd[i][OF_CORE] = m->fd[i][OF_PACKAGE] = -1;
	read_all(m);
	return 0;
}

int sm_throttle_next(
	struct sm_throttle_meter *m, uint64_t *core_events, uint64_t *package_events)
{
	memcpy(m->last.cpu, m->now.cpu, m->now.n * sizeof(*m->last.cpu));
	m->last.from_ns = m->now.from_ns;
	read_all(m);
	return sm_throttle_between(&m->last, &m->now, core_events, package_events);
}

int sm_throttle_renew(
	struct sm_throttle_meter *m, uint64_t *core_events, uint64_t *package_events)
{
	struct sm_throttle_meter renewed;
	int err = sm_throttle_open(&renewed, m->root);

	if (err < 0)
		return err;
	err = sm_throttle_between(&m->now, &renewed.now, core_events, package_events);
	sm_throttle_close(m);
	*m = renewed;
	return err;
}

void sm_throttle_close(struct sm_throttle_meter *m)
{
	for (unsigned int i = 0; m->fd && i < m->now.n; i++) {
		close_file(m, &m->fd[i][OF_CORE]);
		close_file(m, &m->fd[i][OF_PACKAGE]);
	}
	free(m->fd);
	sm_throttle_free(&m->last);
	sm_throttle_free(&m->now);
	*m = (struct sm_throttle_meter){0};
}
