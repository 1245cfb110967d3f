/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stall: detects instances that make no progress.
 *
 * The supervisor reads the ops of each instance five times a second, and notes the first reading that had the
 * present count.  An instance is stalled if that reading was a second or more before the end of the run, or
 * if it completed no op at all, and if it also does not stop by itself, because a single op may take long.  A
 * stall of less than a second is never reported, one of more than 1.2 s always.
 *
 * An instance that waits for a CPU, or has a child or a thread that could run, is starved, not stalled: the
 * machine has more work than it can run.  An instance with files that waits for a disk is also starved,
 * because the kernel ends such a call only when the disk answers.
 */
#ifndef STRESSORS_RUN_STALL_H
#define STRESSORS_RUN_STALL_H

#include "supervisor.h"

/* Called when all instances start, at g->go_ns. */
void stall_begin(struct stage *g);
/* Reads the ops if it is time (g->look_ns). */
void stall_look(struct stage *g, uint64_t now_ns);
/* Called when the run ends, at g->stop_ns. */
void stall_stop(struct stage *g);
/* Sets `stalled` of live instances; called before SIGTERM is sent to them.  Later, an instance that is dying
 * of SIGTERM but lacks a CPU to do so would appear runnable. */
void stall_find_stalled(struct stage *g, const struct sm_root *root);
/* Sets `starved` of live instances; called before SIGKILL is sent to them. */
void stall_find_starved(struct stage *g, const struct sm_root *root);

#endif
