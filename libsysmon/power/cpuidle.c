// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "power/cpuidle.h"
#include "proc/sysfs.h"

#define CPUS	      "devices/system/cpu"
#define NSEC_PER_USEC 1000u
#define LATE_US	      10000u /* rounding of each stay, and preemption of the reader */
#define STAYS_PER_US  20u    /* no CPU enters states more often */

enum { TIME, USAGE, FILES };

struct counters {
	int fd[FILES];	    /* -1: opened for each reading */
	unsigned int state; /* index in sm_cpuidle.state */
	uint64_t value[FILES];
};

struct sm_cpuidle_cpu {
	struct counters *of; /* NULL: not searched yet, or no cpuidle */
	unsigned int n;
	bool has_base, kept;
	uint64_t base_ns;
	uint64_t began_ns; /* no current stay began earlier; 0: no stay has ended since
			      the first reading */
	uint64_t spare_us; /* covered time outside all states */
};

/* ---- the states of a CPU ---- */

static void state_path(
	char *path, size_t cap, unsigned int cpu, unsigned int state, const char *file)
{
	snprintf(path, cap, CPUS "/cpu%u/cpuidle/state%u/%s", cpu, state, file);
}

static int open_counter(
	const struct sm_cpuidle *c, unsigned int cpu, unsigned int state, int which)
{
	static const char *const name[] = {[TIME] = "time", [USAGE] = "usage"};
	char path[96];

	state_path(path, sizeof(path), cpu, state, name[which]);
	return sm_at_open(c->root->sys, path, 0);
}

/* Returns the index of the state, common to all CPUs; -ENOSPC: too many states. */
static int find_state(struct sm_cpuidle *c, const char *name, uint64_t latency_us)
{
	for (unsigned int i = 0; i < c->nstates; i++)
		if (strcmp(c->state[i].name, name) == 0 &&
			c->state[i].latency_us == latency_us)
			return (int)i;
	if (c->nstates == SM_CPUIDLE_STATES_MAX)
		return -ENOSPC;
	c->state[c->nstates].latency_us = latency_us;
	snprintf(c->state[c->nstates].name, sizeof(c->state->name), "%s", name);
	return (int)c->nstates++;
}

static int read_state(struct sm_cpuidle *c, unsigned int cpu, unsigned int nr)
{
	char path[96], name[SM_CPUIDLE_NAME_MAX];
	uint64_t latency_us;

	state_path(path, sizeof(path), cpu, nr, "name");
	if (sm_file_slurp(c->root->sys, path, name, sizeof(name)) < 0)
		return -ENOENT;
	name[strcspn(name, "\n")] = '\0';
	state_path(path, sizeof(path), cpu, nr, "latency");
	if (sm_file_read_u64(c->root->sys, path, &latency_us) < 0)
		latency_us = 0;
	return find_state(c, name, latency_us);
}

/* A CPU with too many states is ignored, because its C0 would be wrong. */
static int find_states(struct sm_cpuidle *c, unsigned int cpu, struct sm_cpuidle_cpu *x)
{
	struct counters all[SM_CPUIDLE_STATES_MAX];
	unsigned int n = 0;
	int state = 0;

	while (n < SM_CPUIDLE_STATES_MAX && (state = read_state(c, cpu, n)) >= 0)
		all[n++] =
			(struct counters){.fd = {-1, -1}, .state = (unsigned int)state};
	if (n == 0 || state == -ENOSPC)
		return -ENOENT;
	x->of = malloc(n * sizeof(*all));
	if (!x->of)
		return -ENOMEM;
	memcpy(x->of, all, n * sizeof(*all));
	x->n = n;
	return 0;
}

/* ---- keeping files open ---- */

static void close_files(struct sm_cpuidle *c, struct sm_cpuidle_cpu *x)
{
	for (unsigned int i = 0; i < x->n; i++)
		for (int k = 0; k < FILES; k++)
			if (x->of[i].fd[k] >= 0) {
				sm_base_close_fd(&x->of[i].fd[k]);
				c->fds--;
			}
	x->kept = false;
}

static void forget(struct sm_cpuidle *c, struct sm_cpuidle_cpu *x)
{
	close_files(c, x);
	free(x->of);
	x->of = NULL;
	x->n = 0;
	x->has_base = false;
}

static void keep_files(struct sm_cpuidle *c, unsigned int cpu, struct sm_cpuidle_cpu *x)
{
	if (c->fds + x->n * FILES > c->fds_max)
		return;
	x->kept = true;
	for (unsigned int i = 0; i < x->n; i++)
		for (int k = 0; k < FILES; k++) {
			int fd = open_counter(c, cpu, i, k);

			if (fd < 0) {
				close_files(c, x);
				return;
			}
			x->of[i].fd[k] = fd;
			c->fds++;
		}
}

/* ---- online CPUs ---- */

static int grow(struct sm_cpuidle *c)
{
	if (sm_array_reserve(&c->cpu, &c->cap, c->online.n, sizeof(*c->cpu)) < 0)
		return -ENOMEM;
	while (c->ncpu < c->online.n)
		c->cpu[c->ncpu++] = (struct sm_cpuidle_cpu){0};
	return 0;
}

/* If there is no list, all CPUs are treated as online. */
static int read_online(struct sm_cpuidle *c)
{
	int err = c->online.file.fd < 0 ? 0 : sm_cpulist_read(&c->online);

	return err < 0 ? err : grow(c);
}

static int mark_cpu(void *ctx, const char *name)
{
	struct sm_cpuidle *c = ctx;
	unsigned int cpu;

	if (!sm_sysfs_number(name, "cpu", &cpu) || cpu >= SM_CPULIST_MAX)
		return 0;
	return sm_cpulist_mark(&c->online, cpu);
}

/* ---- one CPU ---- */

static int read_counter(struct sm_cpuidle *c, unsigned int cpu, unsigned int state,
	int which, uint64_t *out)
{
	SM_CLOSE_FD int once = -1;
	int fd = c->cpu[cpu].of[state].fd[which];

	if (fd < 0) {
		once = open_counter(c, cpu, state, which);
		fd = once;
		if (fd < 0)
			return fd;
	}
	return sm_sysfs_read_u64(fd, out);
}

static int read_counters(struct sm_cpuidle *c, unsigned int cpu, uint64_t (*out)[FILES])
{
	for (unsigned int i = 0; i < c->cpu[cpu].n; i++)
		for (int k = 0; k < FILES; k++) {
			int err = read_counter(c, cpu, i, k, &out[i][k]);

			if (err < 0)
				return err;
		}
	return 0;
}

/* Time and entries of a CPU between two readings. */
struct interval {
	uint64_t us, sum_us;
	uint64_t by[SM_CPUIDLE_STATES_MAX][FILES];
	bool moved;
};

/* Returns false if a counter fell, which means that it restarted, or if the number of
 * stays jumped. */
static bool subtract(
	const struct sm_cpuidle_cpu *x, uint64_t (*now)[FILES], struct interval *v)
{
	for (unsigned int i = 0; i < x->n; i++)
		for (int k = 0; k < FILES; k++) {
			if (now[i][k] < x->of[i].value[k])
				return false;
			v->by[i][k] = now[i][k] - x->of[i].value[k];
			v->moved |= v->by[i][k] > 0;
		}
	for (unsigned int i = 0; i < x->n; i++)
		if (__builtin_add_overflow(v->sum_us, v->by[i][TIME], &v->sum_us) ||
			v->by[i][USAGE] > (v->us + LATE_US) * STAYS_PER_US)
			return false;
	return true;
}

/* Returns whether the CPU can have been idle for the time.  A stay that ends began after
 * the one before it ended, or, if it is the first, at most at the boot. */
static bool possible(
	const struct sm_cpuidle_cpu *x, const struct interval *v, uint64_t now_ns)
{
	uint64_t ns = now_ns - x->began_ns;

	return v->sum_us <= (ns + ns / 16) / NSEC_PER_USEC + LATE_US;
}

/* Subtracts the excess from the states with the longest times. */
static void cut(struct interval *v, unsigned int n, uint64_t excess_us)
{
	while (excess_us > 0) {
		unsigned int max = 0;
		uint64_t part;

		for (unsigned int i = 1; i < n; i++)
			if (v->by[i][TIME] > v->by[max][TIME])
				max = i;
		part = v->by[max][TIME] < excess_us ? v->by[max][TIME] : excess_us;
		v->by[max][TIME] -= part;
		v->sum_us -= part;
		excess_us -= part;
	}
}

/* A removed file of a prepared root can still be read; sysfs returns ENODEV. */
static bool removed(const struct sm_cpuidle_cpu *x)
{
	struct stat st;

	return x->kept && fstat(x->of[0].fd[TIME], &st) == 0 && st.st_nlink == 0;
}

static void account(struct sm_cpuidle *c, struct sm_cpuidle_cpu *x, struct interval *v)
{
	uint64_t max_us = v->us + x->spare_us;

	if (v->sum_us > max_us)
		cut(v, x->n, v->sum_us - max_us);
	x->spare_us = max_us - v->sum_us;
	if (v->sum_us > 0)
		x->began_ns = x->base_ns;
	c->covered_us += v->us;
	for (unsigned int i = 0; i < x->n; i++) {
		c->state[x->of[i].state].time_us += v->by[i][TIME];
		c->state[x->of[i].state].usage += v->by[i][USAGE];
	}
}

static void drop(struct sm_cpuidle *c, struct sm_cpuidle_cpu *x)
{
	c->dropped += x->has_base;
	x->has_base = false;
}

static void rebase(struct sm_cpuidle_cpu *x, uint64_t (*now)[FILES], uint64_t now_ns)
{
	for (unsigned int i = 0; i < x->n; i++)
		memcpy(x->of[i].value, now[i], sizeof(x->of[i].value));
	if (!x->has_base) {
		x->spare_us = 0;
		x->began_ns = 0;
	}
	x->has_base = true;
	x->base_ns = now_ns;
}

static bool prepare(struct sm_cpuidle *c, unsigned int cpu)
{
	struct sm_cpuidle_cpu *x = &c->cpu[cpu];

	if (x->of)
		return true;
	if (find_states(c, cpu, x) < 0)
		return false;
	keep_files(c, cpu, x);
	return true;
}

static void leave(struct sm_cpuidle *c, struct sm_cpuidle_cpu *x)
{
	drop(c, x);
	if (x->of)
		forget(c, x);
}

/* Adds the interval since the last reading.  Returns false if the CPU was removed. */
static bool compare(struct sm_cpuidle *c, struct sm_cpuidle_cpu *x,
	uint64_t (*now)[FILES], uint64_t now_ns)
{
	struct interval v = {.us = (now_ns - x->base_ns) / NSEC_PER_USEC};

	if (!subtract(x, now, &v) || !possible(x, &v, now_ns)) {
		drop(c, x);
		return true;
	}
	if (!v.moved && removed(x))
		return false;
	account(c, x, &v);
	return true;
}

static bool read_cpu(struct sm_cpuidle *c, unsigned int cpu)
{
	struct sm_cpuidle_cpu *x = &c->cpu[cpu];
	uint64_t now[SM_CPUIDLE_STATES_MAX][FILES] = {{0}}, before, now_ns;

	if (!prepare(c, cpu))
		return false;
	before = sm_clock_mono_ns();
	if (read_counters(c, cpu, now) < 0) {
		leave(c, x);
		return false;
	}
	now_ns = before + (sm_clock_mono_ns() - before) / 2;
	if (x->has_base && !compare(c, x, now, now_ns)) {
		leave(c, x);
		return false;
	}
	rebase(x, now, now_ns);
	return true;
}

/* Returns the number of files to read; the search for a CPU's states counts as one. */
static unsigned int cost(const struct sm_cpuidle_cpu *x)
{
	return x->of ? x->n * FILES : 1;
}

unsigned int sm_cpuidle_files(const struct sm_cpuidle *c)
{
	unsigned int files = 0;

	for (unsigned int i = 0; i < c->ncpu; i++)
		files += c->online.online[i] ? cost(&c->cpu[i]) : 0;
	return files;
}

int sm_cpuidle_read(struct sm_cpuidle *c, bool all, unsigned int max_reads)
{
	int got = 0, err = read_online(c);
	unsigned int files = 0;

	if (err < 0)
		return err;
	for (unsigned int i = 0; i < c->ncpu; i++)
		if (!c->online.online[i])
			leave(c, &c->cpu[i]);
	if (all)
		c->next = 0;
	for (unsigned int i = 0; i < c->ncpu; i++) {
		unsigned int cpu = c->next < c->ncpu ? c->next : 0;

		if (c->online.online[cpu]) {
			if (!all && got > 0 && files + cost(&c->cpu[cpu]) > max_reads)
				break;
			files += cost(&c->cpu[cpu]);
			got += read_cpu(c, cpu);
		}
		c->next = cpu + 1;
	}
	return got;
}

void sm_cpuidle_rebase(struct sm_cpuidle *c)
{
	for (unsigned int i = 0; i < c->ncpu; i++)
		c->cpu[i].has_base = false;
}

static int find_cpus(struct sm_cpuidle *c)
{
	int err = sm_cpulist_open(&c->online, c->root);

	if (err == -ENOENT)
		err = sm_sysfs_each(c->root->sys, CPUS, mark_cpu, c);
	if (err == 0)
		err = read_online(c);
	if (err < 0)
		return err;
	for (unsigned int i = 0; i < c->ncpu; i++)
		if (c->online.online[i])
			(void)prepare(c, i);
	return c->nstates ? 0 : -ENOENT;
}

int sm_cpuidle_open(struct sm_cpuidle *c, const struct sm_root *root)
{
	int err;

	*c = (struct sm_cpuidle){
		.root = root, .online = SM_CPULIST_INIT, .fds_max = sm_file_share(2)};
	err = find_cpus(c);
	if (err < 0)
		sm_cpuidle_close(c);
	return err;
}

void sm_cpuidle_close(struct sm_cpuidle *c)
{
	for (unsigned int i = 0; i < c->ncpu; i++)
		forget(c, &c->cpu[i]);
	free(c->cpu);
	sm_cpulist_close(&c->online);
	*c = (struct sm_cpuidle){.online = SM_CPULIST_INIT};
}
