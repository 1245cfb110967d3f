/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vmas: the VmFlags of single mappings, from /proc/PID/smaps, and which mappings are of devices.
 *
 * smaps can only be read from its beginning, at a high cost (kernel/smaps.h), so one reading keeps what it
 * tells about the mapping that is asked for and the ones behind it, VMAS_KEPT in all, for VMAS_NS.
 * Anonymous memory cannot be of a device and is not asked for.
 */
#ifndef PAGEMON_VMAS_H
#define PAGEMON_VMAS_H

#include "kernel/smaps.h"
#include "pages/space.h"
#include "target/target.h"

#define VMAS_KEPT 64
#define VMAS_NS   (5 * SM_NSEC_PER_SEC)

struct vma_info {
	uint64_t start, end;
	uint64_t page_bytes;              /* KernelPageSize; 0: not known */
	bool flags_known;
	char flags[SM_SMAPS_FLAGS_SIZE];  /* "rd wr mr mw me ac" */
};

struct vmas {
	struct vma_info *kept;            /* in order of address; NULL: none were read */
	size_t n;
	uint64_t read_ns;                 /* CLOCK_MONOTONIC */
	pid_t pid;                        /* of this process, */
	uint64_t execs;                   /* and its program */
	/* the reading */
	uint64_t from;
	struct sm_buf line;
};

#define VMAS_INIT { .kept = NULL }

/* Of the mapping; valid until the next call.  -ENOENT: smaps has no such mapping (any more); -EACCES
 * ...: smaps is not open; an error of sm_smaps_read(). */
int vmas_find(struct vmas *v, const struct target *t, const struct mapping *m,
	const struct vma_info **out) SM_MUST;
/* Must the pages of this mapping not be read, because they are a device's (VmFlags io or pf)?  Where
 * smaps cannot be read, the name decides: below /dev/, but not /dev/shm/ and /dev/zero, or below
 * /sys/; and so does the name [vvar]. */
bool vmas_is_device(struct vmas *v, const struct target *t, const struct mapping *m);
void vmas_fini(struct vmas *v);

#endif
