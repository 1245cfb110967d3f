/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects: shared memory behind descriptors, of shm_open(3) or memfd_create(2).
 *
 * A round creates objects: their pages are allocated, so that no access to them can fail, they are mapped,
 * and a word of each page is written.  Then each object is mapped a second time, compared and closed, which
 * is one op.  If descriptors or memory suffice for some of the objects only, later rounds are limited to
 * their number; if not even the first object can be created, the instance lacks a resource.
 */
#ifndef STRESSORS_SHARED_OBJECTS_H
#define STRESSORS_SHARED_OBJECTS_H

#include "run/stress.h"

struct object {
	int fd;
	uint64_t *map, key;        /* map: NULL: not mapped */
};

struct objects {
	struct object *object;
	size_t bytes, page;        /* of an object: whole pages */
	unsigned int most, round;  /* objects of a round: maximum; in the last one */
	uint64_t made, done;
	const char *call;          /* the call that creates one, "shm_open" */
	/* Returns a descriptor or -errno; ENOENT, EACCES and ENOSYS mean that this machine lacks such
	 * memory. */
	int (*create)(struct stress *s);
	/* Called after the comparison of an object; NULL: not used.  Returns 0, or the value of
	 * stress_fail(). */
	int (*finish)(struct stress *s, struct object *o);
};

/* Runs rounds until the end of the run.  Returns 0, or the value that run must return. */
int objects_run(struct stress *s, struct objects *t) SM_MUST;

#endif
