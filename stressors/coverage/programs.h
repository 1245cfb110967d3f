/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * programs: the BPF programs of coverage.c.
 *
 * The map of tasks has the address of a task_struct as its key, which stays the same when a thread executes
 * a program, and a mark as its value: COVERAGE_COUNTED in the upper half if the task is counted, and in the
 * lower half the number + 1 of the call that the task is in.  The map of counts is as key.h says.
 */
#ifndef STRESSORS_COVERAGE_PROGRAMS_H
#define STRESSORS_COVERAGE_PROGRAMS_H

#include "kernel/bpf.h"

struct programs_maps {
	int tasks_fd, counts_fd, lost_fd;
};

/* Marks the current task as one whose children are counted. */
void programs_mark(struct sm_bpf_asm *a, const struct programs_maps *m);
/* On the tracepoints sched_process_fork, sched_process_exit, sys_enter and sys_exit. */
void programs_fork(struct sm_bpf_asm *a, const struct programs_maps *m);
void programs_end(struct sm_bpf_asm *a, const struct programs_maps *m);
void programs_enter(struct sm_bpf_asm *a, const struct programs_maps *m);
void programs_leave(struct sm_bpf_asm *a, const struct programs_maps *m);

#endif
