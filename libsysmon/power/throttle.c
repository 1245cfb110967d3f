// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "kernel/sysfs.h"
#include "power/throttle.h"

#define CPUS "devices/system/cpu"

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

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Sorts CPUs by core; a CPU of an unknown core is a core of its own. */
static int by_core(const void *va, const void *vb)
{
	const struct sm_throttle_cpu *a = va, *b = vb;
	int d = compare(a->package, b->package);

	d = d ? d : compare(a->core, b->core);
	return d ? d : compare(a->cpu, b->cpu);
}

int sm_throttle_read(struct sm_throttle *t, const struct sm_root *root)
{
	struct reading r = {t, root};
	int err;

	*t = (struct sm_throttle){0};
	err = sm_sysfs_each(root->sys, CPUS, add, &r);
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

static uint64_t more(bool has_before, bool has_after, uint64_t before, uint64_t after)
{
	return has_before && has_after && after > before ? after - before : 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void sm_throttle_between(const struct sm_throttle *before,
	const struct sm_throttle *after, uint64_t *core_events, uint64_t *package_events)
{
	uint64_t core = 0, package = 0; /* of the current core and package */

	*core_events = *package_events = 0;
	for (unsigned int i = 0; i < after->n; i++) {
		const struct sm_throttle_cpu *a = &after->cpu[i], *b = find(before, a);

		if (i && !same_core(a, a - 1)) {
			*core_events += core;
			core = 0;
		}
		if (i && !same_package(a, a - 1)) {
			*package_events += package;
			package = 0;
		}
		if (!b)
			continue;
		core = larger(core, more(b->has_core_events, a->has_core_events,
					    b->core_events, a->core_events));
		package =
			larger(package, more(b->has_package_events, a->has_package_events,
						b->package_events, a->package_events));
	}
	*core_events += core;
	*package_events += package;
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
	for (unsigned int i = 0; i < m->now.n; i++) {
		struct sm_throttle_cpu *c = &m->now.cpu[i];

		c->has_core_events = read_file(m, i, OF_CORE, &c->core_events);
		c->has_package_events = read_file(m, i, OF_PACKAGE, &c->package_events);
	}
}

static bool comparable(const struct sm_throttle *a, const struct sm_throttle *b)
{
	for (unsigned int i = 0; i < a->n; i++)
		if ((a->cpu[i].has_core_events && b->cpu[i].has_core_events) ||
			(a->cpu[i].has_package_events && b->cpu[i].has_package_events))
			return true;
	return false;
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
	read_all(m);
	sm_throttle_between(&m->last, &m->now, core_events, package_events);
	return comparable(&m->last, &m->now) ? 0 : -ENODATA;
}

int sm_throttle_renew(
	struct sm_throttle_meter *m, uint64_t *core_events, uint64_t *package_events)
{
	struct sm_throttle_meter renewed;
	int err = sm_throttle_open(&renewed, m->root);

	if (err < 0)
		return err;
	sm_throttle_between(&m->now, &renewed.now, core_events, package_events);
	sm_throttle_close(m);
	*m = renewed;
	return 0;
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
