/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * smaps: what memory each mapping of a process uses, from /proc/PID/smaps, and all of them together, from
 * /proc/PID/smaps_rollup (Linux 4.14); Documentation/filesystems/proc.rst.
 *
 * An entry is a line of maps and lines "Rss:        4 kB", then "VmFlags: rd wr mr ".  Kernels differ in
 * which figures they write: one that was not written is unknown (-ENODATA), not 0.  Zero pages are in no
 * figure but Size; pages of shared memory in swap are in Swap.
 *
 * Reading is dear: the kernel walks the page tables of every mapping and looks at every page, with the
 * target's mmap lock held for each mapping (measured: 3 ms for 1 GiB, 58 ms for 60,000 mappings; the
 * target's own mmap(2) waits up to 50 ms).  Read on demand, not in every frame.  Opening needs
 * PTRACE_MODE_READ of the process, or CAP_PERFMON.
 */
#ifndef SM_SMAPS_H
#define SM_SMAPS_H

#include "base/buf.h"

enum sm_smaps_figure { /* kB */
	SM_SMAPS_SIZE,
	SM_SMAPS_KERNEL_PAGE_SIZE,
	SM_SMAPS_MMU_PAGE_SIZE,
	SM_SMAPS_RSS,
	SM_SMAPS_PSS,              /* shared pages divided by the number of mappings */
	SM_SMAPS_PSS_DIRTY,        /* Linux 5.19 */
	SM_SMAPS_PSS_ANON,         /* these three: of smaps_rollup, Linux 5.3 */
	SM_SMAPS_PSS_FILE,
	SM_SMAPS_PSS_SHMEM,
	SM_SMAPS_SHARED_CLEAN,
	SM_SMAPS_SHARED_DIRTY,
	SM_SMAPS_PRIVATE_CLEAN,    /* Uss: private clean and dirty */
	SM_SMAPS_PRIVATE_DIRTY,
	SM_SMAPS_REFERENCED,
	SM_SMAPS_ANONYMOUS,
	SM_SMAPS_KSM,              /* Linux 6.8 */
	SM_SMAPS_LAZY_FREE,        /* Linux 4.12 */
	SM_SMAPS_ANON_HUGE_PAGES,
	SM_SMAPS_SHMEM_PMD_MAPPED, /* Linux 4.8 */
	SM_SMAPS_FILE_PMD_MAPPED,  /* Linux 5.4 */
	SM_SMAPS_SHARED_HUGETLB,   /* not in Rss */
	SM_SMAPS_PRIVATE_HUGETLB,
	SM_SMAPS_SWAP,
	SM_SMAPS_SWAP_PSS,         /* Linux 4.3 */
	SM_SMAPS_LOCKED,
	SM_SMAPS_N,
};

/* The kernel has at most 64 flags of two letters. */
#define SM_SMAPS_FLAGS_SIZE 256

struct sm_smaps {
	uint64_t known;                   /* 1 << figure: was written */
	uint64_t kb[SM_SMAPS_N];
	bool flags_known;                 /* Linux 3.8; never of smaps_rollup */
	char flags[SM_SMAPS_FLAGS_SIZE];  /* "rd wr mr mw me ac", printable ASCII */
};

/* The figure, or -ENODATA: the kernel does not write it. */
int sm_smaps_get(const struct sm_smaps *s, enum sm_smaps_figure figure, uint64_t *kb) SM_MUST;
/* Pages that no other process has: Private_Clean and Private_Dirty, and of hugetlb Private_Hugetlb. */
int sm_smaps_uss(const struct sm_smaps *s, uint64_t *kb) SM_MUST;
/* 1: has the flag ("ht", "nh" ...), 0: has not; -ENODATA: no flags are known. */
int sm_smaps_flag(const struct sm_smaps *s, const char flag[2]) SM_MUST;

/* s is valid during the call. */
typedef int (*sm_smaps_fn)(void *ctx, uint64_t start, uint64_t end, const struct sm_smaps *s);

/*
 * Reads the file from its beginning and calls fn for each mapping, in order of addresses, until fn returns
 * nonzero, which is then returned.  line: scratch, empty or of an earlier call.  Of mappings
 * that change during the reading, one that begins below the end of the one before is left out, so that
 * nothing counts twice.  -ESRCH: the process has no memory (any more), see maps.h.
 * -EBADMSG, -ENOMEM, or an error of read(2).
 */
int sm_smaps_read(int fd, struct sm_buf *line, sm_smaps_fn fn, void *ctx) SM_MUST;
/* The sums of an open smaps_rollup.  Errors as above. */
int sm_smaps_read_rollup(int fd, struct sm_buf *line, struct sm_smaps *out) SM_MUST;

#endif
