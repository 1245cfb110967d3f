/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * smaps: the memory that each mapping of a process uses, from /proc/PID/smaps, and the sums of all mappings,
 * from /proc/PID/smaps_rollup (Linux 4.14); Documentation/filesystems/proc.rst.
 *
 * An entry is a line of maps and lines "Rss:  4 kB", then "VmFlags: rd wr mr ".  Kernels write different
 * sets of values; a value that was not written is unknown (-ENODATA), not 0.  Only Size includes zero
 * pages; Swap includes pages of shared memory in swap.
 *
 * Reading is expensive: the kernel walks the page tables of every mapping and examines every page while it
 * holds the target's mmap lock for each mapping (measured: 3 ms for 1 GiB, 58 ms for 60,000 mappings;
 * mmap(2) in the target waits up to 50 ms).  Read on demand, not in every frame.  Opening requires
 * PTRACE_MODE_READ for the process, or CAP_PERFMON.
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
	SM_SMAPS_PSS_ANON,         /* these three: only in smaps_rollup, Linux 5.3 */
	SM_SMAPS_PSS_FILE,
	SM_SMAPS_PSS_SHMEM,
	SM_SMAPS_SHARED_CLEAN,
	SM_SMAPS_SHARED_DIRTY,
	SM_SMAPS_PRIVATE_CLEAN,    /* USS is private clean and dirty */
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
	uint64_t known;                   /* set of 1 << figure: the kernel wrote it */
	uint64_t kb[SM_SMAPS_N];          /* 0 if unknown */
	bool flags_known;                 /* Linux 3.8; false for smaps_rollup */
	char flags[SM_SMAPS_FLAGS_SIZE];  /* "rd wr mr mw me ac", printable ASCII */
};

/* Gets a value.  -ENODATA: the kernel does not write it. */
int sm_smaps_get(const struct sm_smaps *s, enum sm_smaps_figure figure, uint64_t *kb) SM_MUST;
/* Gets the sum of pages that no other process has: Private_Clean, Private_Dirty and Private_Hugetlb. */
int sm_smaps_uss(const struct sm_smaps *s, uint64_t *kb) SM_MUST;
/* Returns 1 if the mapping has the flag ("ht", "nh" ...), otherwise 0; -ENODATA: its flags are unknown. */
int sm_smaps_flag(const struct sm_smaps *s, const char flag[2]) SM_MUST;
/* Returns whether the mapping belongs to hugetlbfs or is MAP_HUGETLB. */
bool sm_smaps_hugetlb(const struct sm_smaps *s, uint64_t page_bytes) SM_MUST;

/* s is valid during the call. */
typedef int (*sm_smaps_fn)(void *ctx, uint64_t start, uint64_t end, const struct sm_smaps *s);

/*
 * Reads smaps from its beginning and calls fn for each mapping, in order of addresses, until fn returns
 * nonzero, which is then returned.  maps_fd: maps of the same memory, which shows at the end whether the
 * memory still exists.  line is scratch memory, empty or from an earlier call.  If mappings
 * change during the reading, a mapping that begins below the end of the previous one is left out, so that
 * no page counts twice.  Lines below a heading that are not understood are ignored.  -ESRCH: the memory does
 * not exist, see maps.h.  -EBADMSG: a malformed heading; -ENOMEM, or an error of read(2).
 */
int sm_smaps_read(int fd, int maps_fd, struct sm_buf *line, sm_smaps_fn fn, void *ctx) SM_MUST;
/* Reads the sums from an open smaps_rollup.  Errors as above. */
int sm_smaps_read_rollup(int fd, struct sm_buf *line, struct sm_smaps *out) SM_MUST;

#endif
