/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysv: System V shared memory, whose ids outlive the processes that make them (shmget(2)).
 *
 * From its making until it is marked for removal a segment would be left by an instance that is killed.  For
 * this time the instance notes it in memory of the supervisor, which removes it when the instance has ended.
 * The key is noted before the segment exists, so that there is no moment without a note.  The supervisor
 * removes a segment only if the kernel says that this instance made it: a key or an id may have become
 * another's.
 */
#ifndef STRESSORS_RUN_SYSV_H
#define STRESSORS_RUN_SYSV_H

#include <stdatomic.h>
#include <sys/types.h>

#include "base/base.h"

/* 0: free; else a key or an id, and which of them it is. */
typedef _Atomic uint64_t sysv_note;

/* Makes a segment of the mode 0600 and notes it.  Its id or -errno. */
int sysv_make(sysv_note *note, size_t bytes) SM_MUST;
/* Marks the segment for removal, so that the kernel removes it with its last attachment.  -errno */
int sysv_remove(sysv_note *note) SM_MUST;
/* Removes what an instance that has ended has left.  True: there was a segment. */
bool sysv_sweep(sysv_note *note, pid_t maker);

#endif
