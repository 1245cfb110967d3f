/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen_rig: cpustat's screen on a pseudo-terminal, and samples for it.
 */
#ifndef SCREEN_RIG_H
#define SCREEN_RIG_H

#include <errno.h>
#include <stdio.h>

#include "cli/tty.h"
#include "screen_frame_rig.h"

#define PCT(p)	((uint64_t)((p)*10000000.0)) /* of a second, in ns */
#define MAX_CPU 256

static struct sm_procstat now, before;
static struct sm_cpu_line now_cpu[MAX_CPU], before_cpu[MAX_CPU];
static struct sample sample;
static struct row table[MANY];
static size_t ntable;
static char many_names[MANY][24];

static inline void open_screen_subsamples(int columns, int rows, uint64_t subsamples)
{
	const char *why = NULL;

	frame_open(columns, rows);
	opts.subsamples = subsamples;
	ck_assert_int_eq(screen_open(&scr, &opts, &users, names, &why), 0);
	memset(now_cpu, 0, sizeof(now_cpu));
	memset(before_cpu, 0, sizeof(before_cpu));
	now = (struct sm_procstat){.cpu = now_cpu, .running = 3, .blocked = 1};
	before = (struct sm_procstat){.cpu = before_cpu};
	sample = (struct sample){.wall_ns = 3723 * SM_NSEC_PER_SEC,
		.dt_ns = SM_NSEC_PER_SEC,
		.machine = true,
		.processes = 152,
		.busy_ns = PCT(90),
		.counted = true,
		.created = 1,
		.now = &now,
		.before = &before,
		.online = 2,
		.uptime_ns = (uint64_t)(76 * 60 + 12) * 60 * SM_NSEC_PER_SEC,
		.has_load = true,
		.load.centi = {387, 344, 213},
		.capacity_cpus = 2};
	ntable = 0;
}

static inline void open_screen(int columns, int rows)
{
	open_screen_subsamples(columns, rows, 0);
}

/* The next sample: the table as it is now. */
static inline void give(void)
{
	sample.t_ns += SM_NSEC_PER_SEC;
	sample.rows = table;
	sample.nrows = ntable;
	screen_sample(scr, &sample);
	draw();
}

static inline struct row *add(pid_t pid, const char *comm, double pct)
{
	struct row *row = &table[ntable++];

	*row = (struct row){.kind = ROW_PROCESS,
		.state = 'R',
		.cpu = 1,
		.pid = pid,
		.tgid = pid,
		.start_ticks = (uint64_t)pid * 10,
		.used_ns = PCT(pct),
		.usr_ns = PCT(pct * 3 / 4),
		.sys_ns = PCT(pct) - PCT(pct * 3 / 4),
		.dt_ns = SM_NSEC_PER_SEC,
		.total_ns = 3210000000,
		.members = 1,
		.comm = {comm, strlen(comm)}};
	return row;
}

static inline void add_many(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		snprintf(many_names[i], sizeof(many_names[i]), "task-%u", (unsigned int)i);
		(void)add((pid_t)(100 + i), many_names[i], 1);
	}
}

static inline void set_cpus(unsigned int n, unsigned int busy_pct)
{
	now.ncpu = before.ncpu = n;
	now.total = (struct sm_cpu_ticks){
		.user = (uint64_t)n * busy_pct, .idle = (uint64_t)n * (100 - busy_pct)};
	for (unsigned int i = 0; i < n; i++) {
		before_cpu[i] = (struct sm_cpu_line){.present = true};
		now_cpu[i] = before_cpu[i];
		now_cpu[i].t.user = busy_pct;
		now_cpu[i].t.idle = 100 - busy_pct;
	}
}

static inline enum sm_screen_request type(const char *keys)
{
	enum sm_screen_request request;

	rig_type(keys);
	request = sm_screen_keys(&scr->base);
	draw();
	return request;
}

#endif
