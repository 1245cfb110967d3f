/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inherit: properties that the supervisor sets for itself before it starts instances, which inherit them.
 */
#ifndef STRESSORS_RUN_INHERIT_H
#define STRESSORS_RUN_INHERIT_H

#include "base/base.h"

#define INHERIT_NODES	  1024u /* numbers of NUMA nodes are below */
#define INHERIT_IO_LEVEL  4u    /* the kernel's default */
#define INHERIT_IO_LEVELS 8u

enum inherit_io { INHERIT_IO_NONE, INHERIT_IO_REALTIME, INHERIT_IO_BESTEFFORT, INHERIT_IO_IDLE };

struct inherit {
	enum inherit_io io;    /* --ionice-class */
	unsigned int io_level; /* --ionice-level */
	bool has_nodes;        /* --mbind */
	uint64_t nodes[INHERIT_NODES / 64];
	bool ksm;              /* --ksm */
};

/* Sets the properties.  0, or -errno after printing a message. */
int inherit_take(const struct inherit *h) SM_MUST;

#endif
