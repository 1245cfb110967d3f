/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysv: System V shared memory, whose ids outlive the processes that create them (shmget(2)).
 *
 * If an instance is killed after it has created a segment and before it has marked it for removal, the
 * segment would remain.  During this time the instance records the segment in memory of the supervisor, which
 * removes it when the instance has ended.  The key is recorded before the segment exists, so that the record
 * is never missing.  The supervisor removes a segment only if, according to the kernel, this instance created
 * it: a key or an id may have passed to another process.
 */
#ifndef STRESSORS_RUN_SYSV_H
#define STRESSORS_RUN_SYSV_H

#include <stdatomic.h>
#include <sys/types.h>

#include "base/base.h"

/* 0: free; else a key or an id, with the kind of number in the upper half. */
typedef _Atomic uint64_t sysv_note;

/* Creates a segment with the mode 0600 and records it.  Returns its id or -errno. */
int sysv_make(sysv_note *note, size_t bytes) SM_MUST;
/* Marks the segment for removal, so that the kernel removes it with its last attachment.  0 or -errno. */
int sysv_remove(sysv_note *note) SM_MUST;
/* Removes the segment that an instance has left at its end.  True: there was a segment. */
bool sysv_sweep(sysv_note *note, pid_t maker);

#endif
