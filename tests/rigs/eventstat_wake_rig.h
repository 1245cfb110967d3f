/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eventstat_wake_rig: rows of wake-ups as a sample has them.
 */
#ifndef EVENTSTAT_WAKE_RIG_H
#define EVENTSTAT_WAKE_RIG_H

#include <math.h>
#include <string.h>

#include "rows/event.h"
#include "unit.h"

static inline void count(struct event *e, uint64_t n, uint64_t slept_ns)
{
	e->now = (struct counts){n, n, n};
	e->total = (struct counts){2 * n, 2 * n, 2 * n};
	e->slept_ns = slept_ns;
	e->total_slept_ns = 2 * slept_ns;
}

static inline struct event cause(enum sm_wake_cause cause, uint32_t irq, uint64_t n)
{
	struct event e = {.type = EVENT_WAKEUP,
		.kind = (uint8_t)cause,
		.tid = -1,
		.tgid = -1,
		.members = 1,
		.cpu_pct = NAN,
		.irq = irq,
		.func_name = "",
		.device = "",
		.comm = {"", 0}};

	count(&e, n, n * 1000000);
	return e;
}

/* Of a task; func may be "". */
static inline struct event of(enum sm_wake_cause by, pid_t tgid, pid_t tid, const char *comm,
	const char *func, uint64_t n)
{
	struct event e = cause(by, 0, n);

	e.tid = tid;
	e.tgid = tgid;
	e.comm = (struct sm_str){comm, strlen(comm)};
	e.func = func[0] ? 0xffff0000u + (uint64_t)(unsigned char)func[0] : 0;
	e.func_name = func;
	e.flags = EVENT_HAS_UID;
	e.uid = 1000;
	return e;
}

static inline struct event device(uint32_t irq, const char *name, uint64_t n)
{
	struct event e = cause(SM_WAKE_IRQ, irq, n);

	e.device = name;
	return e;
}

#endif
