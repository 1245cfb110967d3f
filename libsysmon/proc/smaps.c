// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "base/lines.h"
#include "base/parse.h"
#include "proc/maps.h"
#include "proc/smaps.h"

/* In the order of the kernel; another order would only slow down the search. */
static const struct {
	const char *name;
	size_t len;
} figures[SM_SMAPS_N] = {
#define FIGURE(f, s) [SM_SMAPS_##f] = {s, sizeof(s) - 1}
	FIGURE(SIZE, "Size"),
	FIGURE(KERNEL_PAGE_SIZE, "KernelPageSize"),
	FIGURE(MMU_PAGE_SIZE, "MMUPageSize"),
	FIGURE(RSS, "Rss"),
	FIGURE(PSS, "Pss"),
	FIGURE(PSS_DIRTY, "Pss_Dirty"),
	FIGURE(PSS_ANON, "Pss_Anon"),
	FIGURE(PSS_FILE, "Pss_File"),
	FIGURE(PSS_SHMEM, "Pss_Shmem"),
	FIGURE(SHARED_CLEAN, "Shared_Clean"),
	FIGURE(SHARED_DIRTY, "Shared_Dirty"),
	FIGURE(PRIVATE_CLEAN, "Private_Clean"),
	FIGURE(PRIVATE_DIRTY, "Private_Dirty"),
	FIGURE(REFERENCED, "Referenced"),
	FIGURE(ANONYMOUS, "Anonymous"),
	FIGURE(KSM, "KSM"),
	FIGURE(LAZY_FREE, "LazyFree"),
	FIGURE(ANON_HUGE_PAGES, "AnonHugePages"),
	FIGURE(SHMEM_PMD_MAPPED, "ShmemPmdMapped"),
	FIGURE(FILE_PMD_MAPPED, "FilePmdMapped"),
	FIGURE(SHARED_HUGETLB, "Shared_Hugetlb"),
	FIGURE(PRIVATE_HUGETLB, "Private_Hugetlb"),
	FIGURE(SWAP, "Swap"),
	FIGURE(SWAP_PSS, "SwapPss"),
	FIGURE(LOCKED, "Locked"),
#undef FIGURE
};

struct reading {
	sm_smaps_fn fn;
	void *ctx;
	uint64_t start, end, last_end;
	struct sm_smaps entry;
	bool open;   /* inside of a mapping's entry */
	bool rollup; /* the line covers unmapped memory and may end below its start */
	unsigned int next; /* the figure that is expected in the next line */
};

int sm_smaps_get(const struct sm_smaps *s, enum sm_smaps_figure figure, uint64_t *kb)
{
	if (!(s->known >> figure & 1))
		return -ENODATA;
	*kb = s->kb[figure];
	return 0;
}

int sm_smaps_uss(const struct sm_smaps *s, uint64_t *kb)
{
	uint64_t clean, dirty, hugetlb;

	if (sm_smaps_get(s, SM_SMAPS_PRIVATE_CLEAN, &clean) < 0 ||
		sm_smaps_get(s, SM_SMAPS_PRIVATE_DIRTY, &dirty) < 0)
		return -ENODATA;
	if (sm_smaps_get(s, SM_SMAPS_PRIVATE_HUGETLB, &hugetlb) < 0)
		hugetlb = 0; /* before Linux 4.4 */
	*kb = clean + dirty + hugetlb;
	return 0;
}

int sm_smaps_flag(const struct sm_smaps *s, const char flag[2])
{
	const char *p = s->flags, *end = p + strlen(p);
	struct sm_str one;

	if (!s->flags_known)
		return -ENODATA;
	while (sm_parse_token(&p, end, &one))
		if (one.n == 2 && memcmp(one.p, flag, 2) == 0)
			return 1;
	return 0;
}

bool sm_smaps_hugetlb(const struct sm_smaps *s, uint64_t page_bytes)
{
	int flag = sm_smaps_flag(s, "ht");

	return flag == 1 ||
	       (flag < 0 && s->kb[SM_SMAPS_KERNEL_PAGE_SIZE] > page_bytes / 1024);
}

/* True if the line begins with the figure's name and a colon. */
static bool is_figure(unsigned int i, const char *s, size_t n)
{
	size_t len = figures[i].len;

	return len < n && s[len] == ':' && memcmp(figures[i].name, s, len) == 0;
}

/* Returns the figure of a line; SM_SMAPS_N: unknown. */
static unsigned int find_figure(unsigned int likely, const char *s, size_t n)
{
	for (unsigned int i = likely; i < SM_SMAPS_N; i++)
		if (is_figure(i, s, n))
			return i;
	for (unsigned int i = 0; i < likely; i++)
		if (is_figure(i, s, n))
			return i;
	return SM_SMAPS_N;
}

/* Parses the text after the colon: "        4 kB".  With other text the figure is
 * unknown. */
static void take_figure(
	struct sm_smaps *e, unsigned int i, const char *p, const char *end)
{
	struct sm_str unit;
	uint64_t kb;

	sm_parse_skip_blanks(&p, end);
	if (!sm_parse_u64(&p, end, &kb) || !sm_parse_token(&p, end, &unit) ||
		!sm_parse_eq(unit, "kB"))
		return;
	e->kb[i] = kb;
	e->known |= UINT64_C(1) << i;
}

static bool is_graph(char c)
{
	return c > ' ' && c < '\x7f';
}

/* Copies flags of two letters; other words, and flags without room, are left out. */
static void take_flags(struct sm_smaps *e, const char *p, const char *end)
{
	struct sm_str one;
	size_t n = 0;

	while (sm_parse_token(&p, end, &one) && n + 4 <= sizeof(e->flags)) {
		if (one.n != 2 || !is_graph(one.p[0]) || !is_graph(one.p[1]))
			continue;
		if (n)
			e->flags[n++] = ' ';
		memcpy(e->flags + n, one.p, 2);
		n += 2;
	}
	e->flags[n] = '\0';
	e->flags_known = true;
}

static int finish_entry(struct reading *r)
{
	if (!r->open)
		return 0;
	r->open = false;
	if (r->start < r->last_end)
		return 0;
	r->last_end = r->end;
	return r->fn(r->ctx, r->start, r->end, &r->entry);
}

static int begin_entry(struct reading *r, const char *s, size_t n)
{
	struct sm_vma v = {.start = 0};
	int ret = finish_entry(r);

	if (ret)
		return ret;
	if (!r->rollup)
		ret = sm_maps_parse_line(s, n, &v);
	if (ret)
		return ret;
	r->start = v.start;
	r->end = v.end;
	r->entry.known = 0;
	memset(r->entry.kb, 0, sizeof(r->entry.kb));
	r->entry.flags_known = false;
	r->entry.flags[0] = '\0';
	r->open = true;
	r->next = 0;
	return 0;
}

/* A heading begins with an address in lower case and a '-'. */
static bool begins_entry(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && (sm_parse_is_digit(s[i]) || (s[i] >= 'a' && s[i] <= 'f')))
		i++;
	return i > 0 && i < n && s[i] == '-';
}

static int take_line(void *ctx, const char *s, size_t n)
{
	static const char flags[] = "VmFlags:";
	struct reading *r = ctx;
	unsigned int i;

	if (begins_entry(s, n))
		return begin_entry(r, s, n);
	if (!r->open)
		return -EBADMSG;
	i = find_figure(r->next, s, n);
	if (i < SM_SMAPS_N) {
		r->next = i + 1;
		take_figure(&r->entry, i, s + figures[i].len + 1, s + n);
	} else if (sm_parse_starts((struct sm_str){s, n}, flags)) {
		take_flags(&r->entry, s + strlen(flags), s + n);
	}
	return 0;
}

int sm_smaps_read(int fd, int maps_fd, struct sm_buf *line, sm_smaps_fn fn, void *ctx)
{
	struct reading r = {.fn = fn, .ctx = ctx};
	int ret = sm_lines_read(fd, line, take_line, &r);

	if (!ret)
		ret = finish_entry(&r);
	/* If the memory is freed while the file is read, the list seems to end.  smaps
	 * would walk the first mapping again. */
	return ret ? ret : sm_maps_alive(maps_fd);
}

static int keep(void *ctx, uint64_t start, uint64_t end, const struct sm_smaps *s)
{
	(void)start;
	(void)end;
	*(struct sm_smaps *)ctx = *s;
	return 0;
}

/* sm_maps_alive() would compute the sums again; here an empty file means -ESRCH. */
int sm_smaps_read_rollup(int fd, struct sm_buf *line, struct sm_smaps *out)
{
	struct reading r = {.fn = keep, .ctx = out, .rollup = true};
	int ret = sm_lines_read(fd, line, take_line, &r);

	if (ret)
		return ret;
	if (!r.open)
		return -ESRCH;
	return finish_entry(&r);
}
