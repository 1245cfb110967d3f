/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timerformat: decodes raw records of the tracepoints hrtimer_start, hrtimer_expire_entry, timer_start and
 * timer_expire_entry, from PERF_SAMPLE_RAW of perf.
 *
 * IDs and offsets are read from events/timer/EVENT/format in tracefs; a record that is too short for them is
 * rejected.
 */
#ifndef SM_TIMERFORMAT_H
#define SM_TIMERFORMAT_H

#include "base/root.h"
#include "events/tracefs.h"
#include "timers/timers.h"

#define SM_TIMERFORMAT_FIELDS 6

struct sm_timerformat {
	uint32_t id;
	struct sm_tracefs_field field[SM_TIMERFORMAT_FIELDS]; /* size 0: missing */
};

struct sm_timerformats {
	struct sm_timerformat of[SM_TIMER_EVENTS]; /* by enum sm_timer_event_type */
};

/* Reads the formats.  -ENOENT, -EBADMSG: the kernel's timer events are unknown to this module. */
int sm_timerformat_read(struct sm_timerformats *f, const struct sm_root *root, int tracefs_fd) SM_MUST;
/* Decodes a record into *e, except for time, cpu and tgid.  -ENOENT: another event; -EBADMSG: too short. */
int sm_timerformat_decode(const struct sm_timerformats *f, const void *raw, size_t n,
	struct sm_timer_event *e) SM_MUST;

#endif
