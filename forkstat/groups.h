/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * groups: which control group a task is in, from the records of execbpf.h: the paths of groups, the moves of
 * processes, and the groups in which tasks were born.
 *
 * Notes wait by pid until an event asks for them.  A move waits for the next event of its process, at the
 * latest its exit; a birth whose fork event was lost is dropped after two seconds.
 */
#ifndef FORKSTAT_GROUPS_H
#define FORKSTAT_GROUPS_H

#include "execbpf.h"

struct group_note {
	struct group_note *older; /* of the same pid */
	uint64_t time_ns;
	struct sm_poolstr *path; /* NULL = not known */
};

struct groups {
	bool followed; /* every move and birth is noted */
	struct sm_cgroup_names names;
	struct sm_map moves, births; /* pid -> newest struct group_note */
	uint64_t asked_ns; /* the newest fork event that groups_born() was asked for */
};

int groups_init(struct groups *g, struct sm_strpool *pool) SM_MUST;
/* clock_offset_ns: as in struct sm_cnproc. */
void groups_note(struct groups *g, const struct execbpf_group *record, int64_t clock_offset_ns);
/* The group that the process joined last up to time_ns, and the one in which the task was born whose fork
 * event has that stamp; a new reference, or NULL: not known.  False: there is no note. */
bool groups_moved(struct groups *g, pid_t pid, uint64_t time_ns, struct sm_poolstr **path);
bool groups_born(struct groups *g, pid_t pid, uint64_t time_ns, struct sm_poolstr **path);
/* Is that note there? */
bool groups_has_born(const struct groups *g, pid_t pid, uint64_t time_ns);
void groups_fini(struct groups *g);

#endif
