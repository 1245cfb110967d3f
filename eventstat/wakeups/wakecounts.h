/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakecounts: what the kernel's counters of wake-ups (kernel/wakecause.h) have grown by since the last
 * reading.  Those of a task that has exited are deleted once they have not grown for some samples; what
 * they count until then is not lost.
 */
#ifndef EVENTSTAT_WAKECOUNTS_H
#define EVENTSTAT_WAKECOUNTS_H

#include "base/map.h"
#include "kernel/wakecause.h"

/* The id of a counter of what found no room in the kernel. */
#define WAKECOUNT_NO_ROOM UINT64_MAX

struct wakecount {
	struct sm_wake_key key;
	struct sm_wake_sum last;       /* as the kernel has them */
	struct sm_wake_sum now, total; /* in the last interval, since the start */
	char comm[SM_TASK_COMM_LEN];   /* of the owner, if it sent; "": not known */
	uint32_t idle;                 /* readings in which it did not grow */
	uint32_t number;               /* of the last reading that had it */
	struct wakecount *next;        /* of wakecounts.deleted */
	size_t row;                    /* the user's, of one that has grown */
};

struct wakecounts {
	struct sm_wakecause *wake;
	struct sm_map map;             /* hash of the key -> struct wakecount */
	struct wakecount **grown;      /* n of them, in the last reading, by cause, id and owner */
	size_t n, cap;
	struct wakecount *deleted;     /* list of those that are only in grown[] */
	uint32_t number;
};

int wakecounts_init(struct wakecounts *c, struct sm_wakecause *wake) SM_MUST;
void wakecounts_fini(struct wakecounts *c);
/* Reads the kernel's counters, and deletes those of tasks that exited: root has their /proc.  -errno. */
int wakecounts_read(struct wakecounts *c, const struct sm_root *root) SM_MUST;
/* One that has grown, with the same cause and id, and owner unless it may be any; NULL: none. */
struct wakecount *wakecounts_find(
	const struct wakecounts *c, const struct sm_wake_key *key, bool any_owner);
/* Forgets what was counted until now: the run begins. */
void wakecounts_begin(struct wakecounts *c);

#endif
