/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eventstat_wake_rig: rows of wake-ups as a sample has them.
 */
#ifndef EVENTSTAT_WAKE_RIG_H
#define EVENTSTAT_WAKE_RIG_H

#include <math.h>
#include <string.h>

#include "unit.h"
#include "wakeups/wakeups.h"

static inline void count(struct wakeup *w, uint64_t n, uint64_t slept_ns)
{
	w->who.now = (struct counts){n, n, n};
	w->who.total = (struct counts){2 * n, 2 * n, 2 * n};
	w->slept_ns = slept_ns;
	w->total_slept_ns = 2 * slept_ns;
}

static inline struct wakeup cause(enum sm_wake_cause cause, uint64_t id, uint64_t n)
{
	struct wakeup w = {.cause = cause, .id = id, .device = ""};

	w.who = (struct event){.tid = -1,
		.tgid = -1,
		.kind = (uint8_t)cause,
		.members = 1,
		.cpu_pct = NAN,
		.func_name = "",
		.comm = {"", 0}};
	count(&w, n, n * 1000000);
	return w;
}

/* Of a task; func may be "". */
static inline struct wakeup of(enum sm_wake_cause by, pid_t tgid, pid_t tid, const char *comm,
	const char *func, uint64_t n)
{
	struct wakeup w = cause(by, func[0] ? 0xffff0000u + (uint64_t)(unsigned char)func[0] : 0, n);

	w.who.tid = tid;
	w.who.tgid = tgid;
	w.who.comm = (struct sm_str){comm, strlen(comm)};
	w.who.func = w.id;
	w.who.func_name = func;
	w.who.flags = EVENT_HAS_UID;
	w.who.uid = 1000;
	return w;
}

static inline struct wakeup device(uint64_t irq, const char *name, uint64_t n)
{
	struct wakeup w = cause(SM_WAKE_IRQ, irq, n);

	w.device = name;
	return w;
}

#endif
