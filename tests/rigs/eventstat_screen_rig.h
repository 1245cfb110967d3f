/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eventstat_screen_rig: eventstat's screen on a pseudo-terminal, and samples for it.
 */
#ifndef EVENTSTAT_SCREEN_RIG_H
#define EVENTSTAT_SCREEN_RIG_H

#include <errno.h>
#include <math.h>

#include "base/clock.h"
#include "screen_frame_rig.h"

static struct sample sample, wakeups;
static struct event table[MANY], causes[8];
static size_t ntable, ncauses;

static inline void open_screen(int columns, int rows)
{
	const char *why = NULL;

	frame_open(columns, rows);
	ck_assert_int_eq(screen_open(&scr, &opts, &users, names, true, &why), 0);
	sample = (struct sample){.wall_ns = 3723 * SM_NSEC_PER_SEC, .dt_ns = SM_NSEC_PER_SEC};
	sample.sums = (struct sums){.all = {400, 300, 200}, .kernel = {100, 90, 80}, .tick = {50, 50, 25}};
	wakeups = (struct sample){.dt_ns = SM_NSEC_PER_SEC};
	ntable = ncauses = 0;
}

/* The next sample: the table as it is now. */
static inline void give(void)
{
	sample.t_ns += SM_NSEC_PER_SEC;
	sample.events = table;
	sample.n = ntable;
	wakeups.events = causes;
	wakeups.n = ncauses;
	screen_sample(scr, &sample, &wakeups);
	draw();
}

static inline struct event *add(pid_t tid, const char *comm, const char *func, uint64_t starts)
{
	struct event *e = &table[ntable++];

	*e = (struct event){.tid = tid,
		.tgid = tid,
		.now = {starts, starts / 2, starts / 4},
		.total = {starts * 10, starts * 5, starts},
		.members = 1,
		.cpu_pct = 1.5f,
		.flags = EVENT_HAS_PRIO,
		.func = 0xffffffff81000000 + (uint64_t)func[0],
		.func_name = func,
		.comm = {comm, strlen(comm)}};
	return e;
}

static inline struct event *add_cause(
	enum sm_wake_cause cause, pid_t tid, const char *comm, const char *func, uint64_t n)
{
	struct event *e = &causes[ncauses++];

	*e = (struct event){.type = EVENT_WAKEUP,
		.kind = (uint8_t)cause,
		.tid = tid,
		.tgid = tid,
		.now = {n, n, n},
		.total = {n * 3, n * 3, n * 3},
		.slept_ns = n * 2000000,
		.members = 1,
		.cpu_pct = NAN,
		.func = func[0] ? 0xffffffff81000000 + (uint64_t)func[0] : 0,
		.func_name = func,
		.device = "",
		.comm = {comm, strlen(comm)}};
	wakeups.woken.all.sum.wakeups += n;
	wakeups.woken.all.sum.slept_ns += n * 2000000;
	wakeups.woken.by_cause[cause].wakeups += n;
	return e;
}

static inline enum sm_screen_request type(const char *keys)
{
	enum sm_screen_request request;

	rig_type(keys);
	request = sm_screen_keys(&scr->base);
	if (request == SM_SCREEN_REARRANGE)
		screen_arrange(scr);
	draw();
	return request;
}

#endif
