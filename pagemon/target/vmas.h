/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vmas: VmFlags of single mappings, from /proc/PID/smaps, and whether a mapping belongs to a device.
 *
 * smaps can only be read from its beginning, which is expensive (proc/smaps.h).  Therefore one reading
 * keeps the facts about the requested mapping and the mappings after it, VMAS_KEPT in total, for VMAS_NS.
 * Anonymous memory cannot belong to a device and is not looked up.
 */
#ifndef PAGEMON_VMAS_H
#define PAGEMON_VMAS_H

#include "pages/space.h"
#include "proc/smaps.h"
#include "target/target.h"

#define VMAS_KEPT 64
#define VMAS_NS   (5 * SM_NSEC_PER_SEC)

struct vma_info {
	uint64_t start, end;
	uint64_t page_bytes;              /* KernelPageSize; 0: unknown */
	bool flags_known;
	bool device;                      /* VmFlags io or pf */
	char flags[SM_SMAPS_FLAGS_SIZE];  /* "rd wr mr mw me ac" */
};

struct vmas {
	struct vma_info *kept;            /* in order of address; NULL: nothing was read yet */
	size_t n;
	uint64_t read_ns;                 /* CLOCK_MONOTONIC time of the reading */
	pid_t pid;                        /* process that was read */
	uint64_t execs;                   /* its number of execs, which identifies its program */
	/* scratch of the reading */
	uint64_t from;
	struct sm_buf line;
};

#define VMAS_INIT { .kept = NULL }

/* Returns the facts about the mapping in *out, valid until the next call.  -ENOENT: smaps does not contain
 * the mapping; -EACCES ...: smaps is not open; or an error of sm_smaps_read(). */
int vmas_find(struct vmas *v, const struct target *t, const struct mapping *m,
	const struct vma_info **out) SM_MUST;
/* Returns whether the pages of this mapping must not be read, because they belong to a device (VmFlags io or
 * pf).  If smaps cannot be read, the name decides: devices are below /dev/ (except /dev/shm/ and /dev/zero)
 * or /sys/, or are named [vvar]. */
bool vmas_is_device(struct vmas *v, const struct target *t, const struct mapping *m);
void vmas_fini(struct vmas *v);

#endif
