/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pagefacts: everything about one page: the window of the page under the cursor.
 *
 * From its pagemap entry; of its frame /proc/kpagecount, kpageflags and kpagecgroup
 * (kernel/pageflags.h), which pagefacts_open() opens before the drop of privileges; of its mapping,
 * VmFlags of smaps (target/vmas.h). One read of 8 bytes each: for one page at a time, never in bulk.
 */
#ifndef PAGEMON_PAGEFACTS_H
#define PAGEMON_PAGEFACTS_H

#include "base/buf.h"
#include "kernel/pageflags.h"
#include "kernel/pagemap.h"
#include "pages/space.h"
#include "target/target.h"
#include "target/vmas.h"

struct pagefacts_source {
	struct sm_pageflags frames;
	struct vmas vmas;
	/* the control group that was looked up last */
	uint64_t cgroup_inode;             /* 0: none */
	struct sm_buf cgroup_path;
};

enum page_place { PAGE_NOWHERE, PAGE_IN_RAM, PAGE_IN_SWAP, PAGE_GUARD };

struct pagefacts {
	uint64_t address;
	uint64_t entry;                /* of pagemap, raw */
	enum page_place place;
	bool soft_dirty, exclusive, uffd_wp, guard, file;
	bool pfn_known;                /* in RAM, and the frame number is visible */
	uint64_t pfn, physical;        /* physical address */
	bool swap_known;
	unsigned int swap_type;
	uint64_t swap_offset;
	/* of the frame; -errno: why not; -ENODATA: there is no frame, or its number is not visible */
	int count_err, flags_err, cgroup_err;
	uint64_t map_count;            /* how often the frame is mapped */
	uint64_t kpageflags;           /* sm_pageflags_text() names them */
	uint64_t cgroup_inode;         /* of the memory control group; 0: none */
	struct sm_str cgroup_path;     /* hostile bytes, of the source until its next use; empty: not
				        * known */
	/* of the mapping */
	const struct mapping *mapping; /* of the space; NULL: the address is in none */
	uint64_t file_offset_bytes;    /* of this page in the file, if inode is not 0 */
	int vma_err;                   /* why there are no VmFlags */
	const char *vma_flags;         /* "rd wr mr mw me ac", ASCII, of the source until its next use;
				        * NULL */
	uint64_t vma_page_bytes;       /* KernelPageSize; 0: not known */
};

/* pagefacts_read() reports what cannot be opened. */
void pagefacts_open(struct pagefacts_source *s, const struct sm_root *root);
void pagefacts_close(struct pagefacts_source *s);
/* -ESRCH: the memory is no more (target_check()), or another error of reading pagemap. */
int pagefacts_read(struct pagefacts_source *src, const struct target *t, const struct space *s,
	uint64_t address, struct pagefacts *out) SM_MUST;

#endif
