// SPDX-License-Identifier: GPL-2.0-or-later
/* The window of the page under the cursor. */
#include <errno.h>
#include <string.h>

#include "proc/maps.h"
#include "proc/pageflags.h"
#include "windows.h"
#include "format.h"

#define LABEL_MAPPING 11
#define LABEL_FLAGS   21
#define ADDRESS_WIDTH 18
#define MAP_WIDTH     (2 * ADDRESS_WIDTH - 1)
#define MIB	      (UINT64_C(1) << 20)

static const char *yes(bool b)
{
	return b ? "Yes" : "No";
}

static void draw_mapping(struct pane *p, const struct mapping *m)
{
	uint64_t bytes = m->end - m->start;
	char perms[5], size[FORMAT_SIZE];

	pane_line(p, "Map:", pane_rest(p) < MAP_WIDTH ? "%llx-%llx" : "0x%016llx-%016llx",
		(unsigned long long)m->start, (unsigned long long)m->end - 1);
	pane_line(p, "Map Size:", "%llu K%s%s", (unsigned long long)bytes / 1024,
		bytes < MIB ? "" : ", ", bytes < MIB ? "" : format_iec(bytes, size));
	pane_line(p, "Device:", "%02x:%02x", m->dev_major, m->dev_minor);
	pane_line(p, "Inode:", "%llu", (unsigned long long)m->inode);
	pane_line(p, "Offset:", "0x%llx", (unsigned long long)m->offset_bytes);
	sm_maps_perms(m->perms, perms);
	pane_line(p, "Prot:", "%s", perms);
	pane_text(p, "Map Name:", state_name(m));
}

/* Shows the place of the page: a frame, a place in swap, or nothing. */
static void draw_place(struct pane *p, const struct pagefacts *f)
{
	if (f->place == PAGE_IN_SWAP && f->swap_known) {
		pane_line(p, "Swap Type:", "%u", f->swap_type);
		pane_line(
			p, "Swap Offset:", "0x%llx", (unsigned long long)f->swap_offset);
	} else if (f->place == PAGE_IN_SWAP || (f->place == PAGE_IN_RAM && !f->pfn_known))
		pane_line(p, "Physical Address:", "n/a: needs CAP_SYS_ADMIN");
	else if (f->place == PAGE_IN_RAM)
		pane_line(p, "Physical Address:",
			pane_rest(p) < ADDRESS_WIDTH ? "0x%llx" : "0x%016llx",
			(unsigned long long)f->physical);
	else
		pane_line(p, "Physical Address:", "none%s",
			f->kind & SM_PAGE_MARKER   ? ": marker of userfaultfd"
			: f->kind & SM_PAGE_POISON ? ": poisoned"
			: f->place == PAGE_OTHER   ? ": other entry"
						   : "");
}

static void draw_bits(struct pane *p, const struct pagefacts *f)
{
	const bool dirty_known = p->s->in.dirty_known;

	pane_line(p, "Soft-dirty PTE:", "%s",
		dirty_known ? yes(f->soft_dirty) : "n/a: not in this kernel");
	pane_line(p, "Exclusively Mapped:", "%s", yes(f->exclusive));
	pane_line(p, "File or Shared Anon:", "%s", yes(f->file));
	pane_line(p, "Present in RAM:", "%s", yes(f->place == PAGE_IN_RAM));
	pane_line(p, "Present in Swap:", "%s",
		f->kind == SM_PAGE_HIDDEN ? "n/a: needs CAP_SYS_ADMIN"
					  : yes(f->kind == SM_PAGE_SWAPPED));
	pane_line(p, "Guard, Uffd-WP:", "%s, %s", yes(f->guard), yes(f->uffd_wp));
}

/* Draws the reason if a value is missing; -ENODATA: no frame, or its number is hidden. */
static bool is_missing(struct pane *p, const char *label, int err)
{
	if (err)
		pane_line(p, label, "n/a: %s", err == -ENODATA ? "none" : strerror(-err));
	return err;
}

static void draw_cgroup(struct pane *p, const struct pagefacts *f)
{
	if (is_missing(p, "Cgroup:", f->cgroup_err))
		return;
	if (f->cgroup_path.n)
		pane_text(p, "Cgroup:", f->cgroup_path);
	else
		pane_line(
			p, "Cgroup:", "inode %llu", (unsigned long long)f->cgroup_inode);
}

/* Draws words separated by spaces, in as many lines as they need. */
static void draw_words(struct pane *p, const char *label, const char *text, size_t n)
{
	int room = pane_rest(p) > 0 ? pane_rest(p) : 1;
	size_t at = 0;

	do {
		size_t part = format_fit(text + at, n - at, room);

		part = part ? part : (size_t)room;
		pane_line(p, at ? "" : label, "%.*s", (int)part, text + at);
		at += part;
		while (at < n && text[at] == ' ')
			at++;
	} while (at < n);
}

static void draw_kpageflags(struct pane *p, const struct pagefacts *f)
{
	struct sm_buf *b = &p->s->text;

	if (is_missing(p, "KPageFlags:", f->flags_err))
		return;
	sm_buf_reset(b);
	sm_pageflags_text(b, f->kpageflags);
	draw_words(p, "KPageFlags:", b->len ? b->p : "none", b->len ? b->len : 4);
}

void pagewindow_draw(struct pane *p)
{
	const struct screen_input *in = &p->s->in;
	const struct mapping *m = state_mapping(p->s);
	const struct pagefacts *f = in->page;

	p->label = LABEL_MAPPING;
	if (!m) {
		pane_line(p, "Page:", "none");
		return;
	}
	pane_line(p, "Page:", "0x%016llx",
		(unsigned long long)space_address(in->space, p->s->cursor));
	pane_line(p, "Page Size:", "0x%08llx bytes",
		(unsigned long long)(f && f->vma_page_bytes ? f->vma_page_bytes
							    : in->space->page_bytes));
	draw_mapping(p, m);
	if (!f)
		return;
	pane_line(p, "Flag:", "0x%016llx", (unsigned long long)f->entry);
	p->label = LABEL_FLAGS;
	draw_place(p, f);
	draw_bits(p, f);
	if (!is_missing(p, "KPageCount:", f->count_err))
		pane_line(p, "KPageCount:", "%llu", (unsigned long long)f->map_count);
	p->label = LABEL_MAPPING + 1;
	draw_kpageflags(p, f);
	draw_cgroup(p, f);
	if (f->vma_flags)
		draw_words(p, "VmFlags:", f->vma_flags, strlen(f->vma_flags));
	else
		(void)is_missing(p, "VmFlags:", f->vma_err ? f->vma_err : -ENODATA);
}
