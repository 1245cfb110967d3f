/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timerformat: raw records of the tracepoints hrtimer_start, hrtimer_expire_entry, timer_start and
 * timer_expire_entry, as perf has them in PERF_SAMPLE_RAW.
 *
 * Ids and offsets are those of the kernel's events/timer/EVENT/format; a record that is too short for
 * them is refused.
 */
#ifndef SM_TIMERFORMAT_H
#define SM_TIMERFORMAT_H

#include "kernel/root.h"
#include "kernel/timers.h"
#include "kernel/tracefs.h"

#define SM_TIMERFORMAT_FIELDS 6

struct sm_timerformat {
	uint32_t id;
	struct sm_tracefs_field field[SM_TIMERFORMAT_FIELDS]; /* size 0: not there */
};

struct sm_timerformats {
	struct sm_timerformat of[SM_TIMER_EVENTS]; /* by enum sm_timer_event_type */
};

/* -ENOENT, -EBADMSG: not the timer events that this module knows. */
int sm_timerformat_read(struct sm_timerformats *f, const struct sm_root *root, int tracefs_fd) SM_MUST;
/* A record into e but for time, cpu and tgid.  -ENOENT: not one of these events;
 * -EBADMSG: too short. */
int sm_timerformat_decode(const struct sm_timerformats *f, const void *raw, size_t n,
	struct sm_timer_event *e) SM_MUST;

#endif
