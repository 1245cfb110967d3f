// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "pagefacts.h"
#include "proc/cgroup.h"

void pagefacts_open(struct pagefacts_source *s, const struct sm_root *root)
{
	*s = (struct pagefacts_source){.vmas = VMAS_INIT};
	(void)!sm_pageflags_open(&s->frames, root);
}

void pagefacts_close(struct pagefacts_source *s)
{
	sm_pageflags_close(&s->frames);
	vmas_fini(&s->vmas);
	sm_buf_fini(&s->cgroup_path);
}

/* ---- the entry ---- */

static void decode_place(struct pagefacts *f, uint64_t page_bytes)
{
	if (f->entry & SM_PAGEMAP_PRESENT) {
		f->place = PAGE_IN_RAM;
		f->pfn = f->entry & SM_PAGEMAP_PFN_MASK;
		f->pfn_known = f->pfn != 0;
		f->physical = f->pfn * page_bytes + f->address % page_bytes;
	} else if (f->guard) {
		f->place = PAGE_GUARD;
	} else if (f->entry & SM_PAGEMAP_SWAPPED) {
		f->kind = sm_pagemap_categories(f->entry) &
			  (SM_PAGE_HIDDEN | SM_PAGE_NOT_SWAP);
		f->place = f->kind & SM_PAGE_SWAPPED ? PAGE_IN_SWAP : PAGE_OTHER;
		f->swap_type = sm_pagemap_swap_type(f->entry);
		f->swap_offset = sm_pagemap_swap_offset(f->entry);
		f->swap_known = f->swap_type || f->swap_offset;
	}
}

static void decode(struct pagefacts *f, uint64_t page_bytes)
{
	f->soft_dirty = f->entry & SM_PAGEMAP_SOFT_DIRTY;
	f->exclusive = f->entry & SM_PAGEMAP_EXCLUSIVE;
	f->uffd_wp = f->entry & SM_PAGEMAP_UFFD_WP;
	f->guard = f->entry & SM_PAGEMAP_GUARD;
	f->file = f->entry & SM_PAGEMAP_FILE;
	decode_place(f, page_bytes);
}

/* ---- the frame ---- */

/* Returns the path of the cgroup.  A lookup reads the directories of all cgroups, so it
 * is repeated only for another inode. */
static struct sm_str cgroup_path(
	struct pagefacts_source *src, const struct sm_root *root, uint64_t inode)
{
	struct sm_buf *b = &src->cgroup_path;

	if (inode != src->cgroup_inode) {
		src->cgroup_inode = inode;
		sm_buf_reset(b);
		if (sm_cgroup_by_inode(root, inode, b) < 0)
			sm_buf_reset(b);
	}
	return (struct sm_str){b->len ? b->p : "", b->len};
}

static void read_frame(
	struct pagefacts_source *src, const struct target *t, struct pagefacts *f)
{
	const struct sm_pageflags *p = &src->frames;

	f->count_err = f->flags_err = f->cgroup_err = -ENODATA;
	f->cgroup_path = (struct sm_str){"", 0};
	if (!f->pfn_known)
		return;
	f->count_err = sm_pageflags_count(p, f->pfn, &f->map_count);
	f->flags_err = sm_pageflags_flags(p, f->pfn, &f->kpageflags);
	f->cgroup_err = sm_pageflags_cgroup(p, f->pfn, &f->cgroup_inode);
	if (!f->cgroup_err && f->cgroup_inode)
		f->cgroup_path = cgroup_path(src, t->root, f->cgroup_inode);
}

/* ---- the mapping ---- */

static void read_mapping(struct pagefacts_source *src, const struct target *t,
	const struct space *s, struct pagefacts *f)
{
	const struct mapping *m = space_at_or_above(s, f->address);
	const struct vma_info *i;

	f->vma_err = -ENODATA;
	if (!m || m->start > f->address)
		return;
	f->vma_err = vmas_find(&src->vmas, t, m, &i);
	if (f->vma_err)
		return;
	f->vma_flags = i->flags_known ? i->flags : NULL;
	f->vma_page_bytes = i->page_bytes;
}

int pagefacts_read(struct pagefacts_source *src, const struct target *t,
	const struct space *s, uint64_t address, struct pagefacts *out)
{
	ssize_t n;

	*out = (struct pagefacts){.address = address};
	n = sm_pagemap_read(t->fd[TARGET_PAGEMAP],
		address / s->page_bytes * s->page_bytes, &out->entry, 1);
	if (n < 0)
		return (int)n;
	decode(out, s->page_bytes); /* the entry is 0 after the end of user memory */
	read_frame(src, t, out);
	read_mapping(src, t, s, out);
	return 0;
}
