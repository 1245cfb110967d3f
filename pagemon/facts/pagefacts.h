/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pagefacts: all facts about one page, for the window of the page under the cursor.
 *
 * The sources are its pagemap entry; /proc/kpagecount, kpageflags and kpagecgroup (proc/pageflags.h) for
 * its frame, which pagefacts_open() opens before the drop of privileges; and VmFlags in smaps
 * (target/vmas.h) for its mapping.  Each fact costs one read of 8 bytes, so this is for single pages.
 */
#ifndef PAGEMON_PAGEFACTS_H
#define PAGEMON_PAGEFACTS_H

#include "base/buf.h"
#include "pages/space.h"
#include "proc/pageflags.h"
#include "proc/pagemap.h"
#include "target/target.h"
#include "target/vmas.h"

struct pagefacts_source {
	struct sm_pageflags frames;
	struct vmas vmas;
	/* the cgroup that was looked up last */
	uint64_t cgroup_inode;             /* 0: not looked up yet */
	struct sm_buf cgroup_path;
};

enum page_place { PAGE_NOWHERE, PAGE_IN_RAM, PAGE_IN_SWAP, PAGE_GUARD, PAGE_OTHER };

struct pagefacts {
	uint64_t address;
	uint64_t entry;                /* raw pagemap entry */
	enum page_place place;
	uint64_t kind;                 /* PAGE_IN_SWAP (SM_PAGE_HIDDEN: or not) or PAGE_OTHER: SM_PAGE_... */
	bool soft_dirty, exclusive, uffd_wp, guard, file;
	bool pfn_known;                /* present, and the frame number is visible */
	uint64_t pfn, physical;        /* physical address */
	bool swap_known;
	unsigned int swap_type;
	uint64_t swap_offset;
	/* the frame; errors are -errno; -ENODATA: there is no frame, or its number is not visible */
	int count_err, flags_err, cgroup_err;
	uint64_t map_count;            /* how often the frame is mapped */
	uint64_t kpageflags;           /* sm_pageflags_text() names them */
	uint64_t cgroup_inode;         /* inode of the memory cgroup; 0: not charged */
	struct sm_str cgroup_path;     /* hostile bytes, owned by the source, valid until its next use;
				        * empty: unknown */
	/* the mapping */
	int vma_err;                   /* error of reading VmFlags */
	const char *vma_flags;         /* "rd wr mr mw me ac", ASCII, owned by the source, valid until its
				        * next use; NULL: unknown */
	uint64_t vma_page_bytes;       /* KernelPageSize; 0: unknown */
};

/* Opens the frame files.  pagefacts_read() reports files that could not be opened. */
void pagefacts_open(struct pagefacts_source *s, const struct sm_root *root);
void pagefacts_close(struct pagefacts_source *s);
/* Reads all facts.  -ESRCH: the memory no longer exists (target_check()); or another error of reading
 * pagemap. */
int pagefacts_read(struct pagefacts_source *src, const struct target *t, const struct space *s,
	uint64_t address, struct pagefacts *out) SM_MUST;

#endif
