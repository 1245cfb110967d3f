// SPDX-License-Identifier: GPL-2.0-or-later
/* A pass that reads pagemap entries, for kernels without PAGEMAP_SCAN. */
#include <errno.h>
#include <unistd.h>

#include "base/array.h"
#include "pass_walk.h"
#include "proc/pidstatus.h"
#include "proc/smaps.h"

#define STATUS_BYTES 4096

/* Returns the number of pages that one PMD maps: the number of entries in a page table.
 */
static uint64_t block_pages(const struct pass *p)
{
	return p->space->page_bytes / sizeof(uint64_t);
}

/* Returns the end of the block that contains this page of mapping m. */
static uint64_t block_end(const struct pass *p, size_t m, uint64_t page)
{
	uint64_t n = block_pages(p);
	uint64_t number = p->space->mappings[m].start / p->space->page_bytes + page;

	return page + n - number % n;
}

static struct pass_hint hint_of(const struct sm_smaps *s, uint64_t page_bytes)
{
	/* A value that the kernel does not write is 0. */
	const uint64_t *kb = s->kb;
	struct pass_hint h = {.known = true, .hugetlb = sm_smaps_hugetlb(s, page_bytes)};

	h.resident = h.hugetlb || kb[SM_SMAPS_RSS] || kb[SM_SMAPS_SWAP];
	h.swap_pages = (int64_t)(kb[SM_SMAPS_SWAP] * 1024 / page_bytes);
	h.huge_pages = (kb[SM_SMAPS_ANON_HUGE_PAGES] + kb[SM_SMAPS_SHMEM_PMD_MAPPED] +
			       kb[SM_SMAPS_FILE_PMD_MAPPED]) *
		       1024 / page_bytes;
	h.counted = h.hugetlb || !h.huge_pages;
	return h;
}

static int take_hint(
	void *ctx, uint64_t start, uint64_t end, const struct sm_smaps *figures)
{
	struct pass *p = ctx;
	const struct space *s = p->space;
	const struct mapping *m;
	uint64_t kb;

	while (p->hint_at < s->n && s->mappings[p->hint_at].start < start)
		p->hint_at++;
	if (p->hint_at == s->n || sm_smaps_get(figures, SM_SMAPS_SWAP, &kb) < 0 ||
		sm_smaps_get(figures, SM_SMAPS_ANON_HUGE_PAGES, &kb) < 0)
		return 0;
	m = &s->mappings[p->hint_at];
	if (m->start == start && m->end == end)
		p->hints[p->hint_at] = hint_of(figures, s->page_bytes);
	return 0;
}

static uint64_t most_tables(const struct pass *p)
{
	const struct space *s = p->space;
	uint64_t most = 0;

	for (size_t m = 0; m < s->n; m++)
		if (mapping_pages(s, &s->mappings[m]) > most)
			most = mapping_pages(s, &s->mappings[m]);
	return most / block_pages(p);
}

/* Returns the number of page tables of the process; 0: unknown. */
static uint64_t tables_of_process(const struct pass *p)
{
	char text[STATUS_BYTES];
	ssize_t n = pread(p->reader->status_fd, text, sizeof(text), 0);
	struct sm_pidstatus st;

	sm_pidstatus_parse(&st, text, n > 0 ? (size_t)n : 0);
	return st.bytes[SM_PIDSTATUS_VM_PTE] / p->space->page_bytes;
}

/* Returns whether smaps would hold the target's mmap lock for long: it walks a whole
 * mapping at once. */
static bool smaps_is_slow(const struct pass *p)
{
	return most_tables(p) > PASS_TABLES && tables_of_process(p) > PASS_TABLES;
}

/* A mapping that is missing in smaps, because it has just changed, may contain any pages.
 */
int pass_take_hints(struct pass *p, bool if_slow)
{
	bool slow;
	int err =
		sm_array_reserve(&p->hints, &p->hint_cap, p->space->n, sizeof(*p->hints));

	if (err < 0)
		return err;
	slow = !if_slow && smaps_is_slow(p);
	for (size_t m = 0; m < p->space->n; m++)
		p->hints[m] = (struct pass_hint){.swap_pages = -1,
			.counted = true,
			.resident = !slow ||
				    mapping_pages(p->space, &p->space->mappings[m]) <=
					    PASS_TABLES * block_pages(p)};
	p->hint_at = 0;
	err = p->reader->smaps_fd < 0 || slow
		      ? 0
		      : sm_smaps_read(p->reader->smaps_fd, p->reader->maps_fd, &p->line,
				take_hint, p);
	p->hinted = true;
	p->skipped = slow;
	return err == -EACCES ? 0 : err;
}

static ssize_t read_pages(struct pass *p, size_t m, uint64_t page, uint64_t end)
{
	const struct mapping *v = &p->space->mappings[m];
	uint64_t n = end - page;

	if (n > PASS_ENTRIES) {
		n = PASS_ENTRIES; /* up to the end of a block */
		n -= block_pages(p) - (block_end(p, m, page + n) - (page + n));
	}
	return sm_pagemap_read(p->reader->pagemap_fd,
		v->start + page * p->space->page_bytes, p->entries, (size_t)n);
}

/* Returns whether n entries could be mapped by a PMD: all present and contiguous. */
static bool looks_huge(const uint64_t *entries, uint64_t n)
{
	uint64_t pfn = entries[0] & SM_PAGEMAP_PFN_MASK;

	if (!(entries[0] & SM_PAGEMAP_PRESENT) || pfn % n != 0)
		return false;
	for (uint64_t i = 1; i < n; i++)
		if (!(entries[i] & SM_PAGEMAP_PRESENT) ||
			(entries[i] & SM_PAGEMAP_PFN_MASK) != (pfn ? pfn + i : 0))
			return false;
	return true;
}

static bool is_huge_zero(const struct pass *p, const uint64_t *entries)
{
	uint64_t pfn = entries[0] & SM_PAGEMAP_PFN_MASK;

	return pfn && pfn == p->reader->huge_zero_pfn;
}

/* Returns the number of pages in whole blocks that look huge, in n entries of mapping m
 * starting at `page`.  The sums in smaps do not include the huge zero page. */
static uint64_t count_huge(const struct pass *p, size_t m, uint64_t page, uint64_t n)
{
	uint64_t block = block_pages(p), sum = 0;
	uint64_t skip = block_end(p, m, page) - page;

	for (uint64_t i = skip == block ? 0 : skip; i + block <= n; i += block)
		if (looks_huge(&p->entries[i], block) && !is_huge_zero(p, &p->entries[i]))
			sum += block;
	return sum;
}

/* Counts the blocks that look huge in a mapping with huge pages, to compare their number
 * with smaps. */
static int count_step(struct pass *p, struct pass_hint *h)
{
	uint64_t pages = mapping_pages(p->space, &p->space->mappings[p->m]);
	ssize_t n = read_pages(p, p->m, p->count_page, pages);

	if (n < 0)
		return (int)n;
	p->count_pages += count_huge(p, p->m, p->count_page, (uint64_t)n);
	p->count_page += (uint64_t)n;
	if (n > 0 && p->count_page < pages)
		return 1;
	h->counted = true;
	h->huge = p->count_pages == h->huge_pages;
	h->known = h->huge;
	return 1;
}

/* Marks the huge zero page, which is file-backed in entries but not in a scan. */
#define NOT_FILE (UINT64_C(1) << 63)

/* Returns additional categories of the block at these entries. */
static uint64_t block_categories(struct pass *p, const uint64_t *entries)
{
	const struct pass_hint *h = &p->hints[p->m];

	if (is_huge_zero(p, entries))
		return p->reader->huge_zero_categories | NOT_FILE;
	if (h->huge)
		return SM_PAGE_HUGE;
	/* Without page frame numbers, a block that smaps does not count may be the huge
	 * zero page. */
	if (!h->known || (!(entries[0] & (SM_PAGEMAP_PFN_MASK | SM_PAGEMAP_FILE |
						 SM_PAGEMAP_EXCLUSIVE))))
		p->uncertain |= SM_PAGE_HUGE;
	return 0;
}

static uint64_t categories_of(const struct pass *p, uint64_t entry)
{
	uint64_t c = sm_pagemap_categories(entry);

	if (!(c & PASS_ANY))
		return 0;
	if (!(c & SM_PAGE_PRESENT))
		return c;
	if (p->reader->zero_pfn && (entry & SM_PAGEMAP_PFN_MASK) == p->reader->zero_pfn)
		c |= SM_PAGE_ZERO;
	if (p->exclusive && (entry & SM_PAGEMAP_EXCLUSIVE))
		c |= PAGE_EXCLUSIVE;
	return c;
}

/* Returns whether two entries have equal categories: equal flags, an equal kind if they
 * are not present, and both or neither are the zero page. */
static bool alike(const struct pass *p, uint64_t a, uint64_t b)
{
	uint64_t zero = p->reader->zero_pfn;

	if (a & SM_PAGEMAP_SWAPPED)
		return sm_pagemap_categories(a) == sm_pagemap_categories(b);
	return ((a ^ b) & ~SM_PAGEMAP_PFN_MASK) == 0 &&
	       ((a & SM_PAGEMAP_PFN_MASK) == zero) == ((b & SM_PAGEMAP_PFN_MASK) == zero);
}

/* Puts entries [i, n), whose pages start at `page` + i. */
static void put_entries(
	struct pass *p, uint64_t page, uint64_t i, uint64_t n, uint64_t also)
{
	uint64_t low, high;

	pass_pages_of(p, p->m, &low, &high);
	if (page + i < low)
		i = low - page;
	if (page + n > high)
		n = high > page ? high - page : 0;
	while (i < n) {
		uint64_t from = i, c = categories_of(p, p->entries[i]);

		while (++i < n && alike(p, p->entries[from], p->entries[i]))
			;
		if (also & NOT_FILE)
			c &= ~(uint64_t)SM_PAGE_FILE;
		if (c)
			pass_put(p, p->m, page + from, i - from, c | (also & ~NOT_FILE));
	}
}

static void put_blocks(struct pass *p, uint64_t page, uint64_t n)
{
	uint64_t block = block_pages(p), end;

	for (uint64_t i = 0; i < n; i = end) {
		uint64_t also = 0;

		end = block_end(p, p->m, page + i) - page;
		if (end > n)
			end = n;
		else if (end - i == block && looks_huge(&p->entries[i], block))
			also = block_categories(p, &p->entries[i]);
		if (p->hints[p->m].hugetlb)
			also = SM_PAGE_HUGE;
		put_entries(p, page, i, end, also);
	}
}

/* Moves to the next mapping: first those in which smaps counts pages, then the others. */
static void next_mapping(struct pass *p)
{
	uint64_t low, high;

	do {
		if (++p->m >= p->m_end && !p->last_round) {
			p->last_round = true;
			p->m = p->m_begin;
		}
	} while (p->m < p->m_end && p->hints[p->m].resident == p->last_round);
	p->count_page = p->count_pages = 0;
	if (p->m >= p->m_end)
		return;
	pass_pages_of(p, p->m, &low, &high);
	p->page = low;
}

/* Returns the start of the page's block; pages before the range are read but not handed
 * out. */
static uint64_t block_start(const struct pass *p, uint64_t page)
{
	uint64_t end = block_end(p, p->m, page), n = block_pages(p);

	return end > n ? end - n : 0;
}

static int entries_step(struct pass *p)
{
	const struct mapping *v = &p->space->mappings[p->m];
	uint64_t from = block_start(p, p->page), pages = mapping_pages(p->space, v);
	uint64_t low, high, end;
	ssize_t n;

	pass_pages_of(p, p->m, &low, &high);
	n = read_pages(p, p->m, from, lesser(block_end(p, p->m, high - 1), pages));
	if (n < 0)
		return (int)n;
	put_blocks(p, from, (uint64_t)n);
	end = lesser(from + (uint64_t)n, high);
	if (end <= p->page)
		end = high; /* the memory ended while it was read */
	pass_put_walked(p, v->first + p->page, v->first + end);
	p->page = end;
	if (end == high)
		next_mapping(p);
	return 1;
}

/* Takes the hints, and moves to the first mapping in order. */
static int begin_step(struct pass *p)
{
	int err = pass_take_hints(p, false);

	if (err < 0)
		return err;
	p->m_begin = p->m;
	p->m--;
	next_mapping(p);
	return 1;
}

int pass_read_step(struct pass *p)
{
	struct pass_hint *h;

	if (!p->hinted)
		return begin_step(p);
	if (p->m >= p->m_end) {
		/* The vsyscall page. */
		if (p->walked < p->pages)
			pass_put_walked(p, p->end - (p->pages - p->walked), p->end);
		return 0;
	}
	h = &p->hints[p->m];
	return h->counted ? entries_step(p) : count_step(p, h);
}
