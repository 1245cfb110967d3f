/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects: shared memory behind descriptors, of shm_open(3) or memfd_create(2).
 *
 * A round makes objects: their pages are allocated, so that no access to them can fail, mapped, and a word of
 * each page is written.  Then each object is mapped a second time, compared and closed, which is one op.  If
 * there are descriptors or memory for some objects only, later rounds have no more than these; if there are
 * none for the first object, the instance has no resource.
 */
#ifndef STRESSORS_SHARED_OBJECTS_H
#define STRESSORS_SHARED_OBJECTS_H

#include "run/stress.h"

struct object {
	int fd;
	uint64_t *map, key;        /* map: NULL: it is not mapped any more */
};

struct objects {
	struct object *object;
	size_t bytes, page;        /* of an object: whole pages */
	unsigned int most, round;  /* objects of a round: at most; in the last one */
	uint64_t made, done;
	const char *call;          /* that makes one, "shm_open" */
	/* A descriptor or -errno; ENOENT, EACCES and ENOSYS mean that this machine has no such memory. */
	int (*create)(struct stress *s);
	/* After the comparison of an object; NULL: nothing.  0, or what stress_fail() returns. */
	int (*finish)(struct stress *s, struct object *o);
};

/* Rounds until the end of the run: 0, or what run is to return. */
int objects_run(struct stress *s, struct objects *t) SM_MUST;

#endif
