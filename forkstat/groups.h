/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * groups: the cgroup of each task, from the records of execbpf.h: paths of cgroups, moves of processes, and
 * initial cgroups of new tasks.
 *
 * Notes are kept by pid until an event needs them: a move until the next event of its process, at the latest
 * its exit; a birth until its fork event.  A birth whose fork event was lost is dropped after two seconds.
 */
#ifndef FORKSTAT_GROUPS_H
#define FORKSTAT_GROUPS_H

#include "execbpf.h"

struct group_note {
	struct group_note *older; /* next note of this pid */
	uint64_t time_ns;
	struct sm_poolstr *path; /* NULL = unknown */
};

struct groups {
	bool followed; /* moves and births are recorded */
	struct sm_cgroup_names names;
	struct sm_map moves, births; /* pid -> newest struct group_note */
	uint64_t asked_ns; /* time of the newest fork event given to groups_born() */
};

int groups_init(struct groups *g, struct sm_strpool *pool) SM_MUST;
/* Adds a record; clock_offset_ns: see struct sm_cnproc. */
void groups_note(struct groups *g, const struct execbpf_group *record, int64_t clock_offset_ns);
/* Take the last move of a process up to time_ns, and the birth of a task whose fork event has the stamp
 * time_ns.  *path receives the cgroup: a new reference, or NULL if unknown.  Return false if there is no such
 * note. */
bool groups_moved(struct groups *g, pid_t pid, uint64_t time_ns, struct sm_poolstr **path);
bool groups_born(struct groups *g, pid_t pid, uint64_t time_ns, struct sm_poolstr **path);
/* Is there a note that groups_born() would take? */
bool groups_has_born(const struct groups *g, pid_t pid, uint64_t time_ns);
void groups_fini(struct groups *g);

#endif
