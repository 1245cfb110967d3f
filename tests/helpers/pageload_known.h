/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pageload known: a region of each kind of page.  Included by pageload.c. */
#ifndef PAGELOAD_KNOWN_H
#define PAGELOAD_KNOWN_H

#include <sys/prctl.h>
#include <sys/syscall.h>
#include "pageload.h"

#define RW (PROT_READ | PROT_WRITE)

static struct region known[KNOWN_MAX];
static size_t n_known;

static struct region *keep(struct region r)
{
	if (n_known == KNOWN_MAX)
		die("too many regions");
	known[n_known] = r;
	return &known[n_known++];
}

/* --- a second process --- */

#define OF_TWO 10
static int of_two = -1;

static int memfd(const char *name, size_t pages)
{
	int fd = (int)syscall(SYS_memfd_create, name, 0u);

	if (fd < 0 || ftruncate(fd, (off_t)(pages * page_bytes)))
		die("memfd");
	return fd;
}

/* A child with the pages of the descriptor, which lives as long as this process.  It is made before the
 * regions: what is there when it begins is shared by both until it is written. */
static void share_with_child(int fd, size_t pages)
{
	int ready[2];
	char byte = 0, *p;
	pid_t child;

	if (pipe(ready))
		die("pipe");
	child = fork();
	if (child < 0)
		die("fork");
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		alarm(3600);
		p = mmap(NULL, pages * page_bytes, RW, MAP_SHARED, fd, 0);
		for (size_t i = 0; p != MAP_FAILED && i < pages; i++)
			page_write(p + i * page_bytes);
		if (p == MAP_FAILED || write(ready[1], &byte, 1) != 1)
			_exit(1);
		close(STDIN_FILENO);
		close(STDOUT_FILENO);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		die("child");
	close(ready[0]);
}

static void known_child(void)
{
	of_two = memfd("of two", OF_TWO);
	share_with_child(of_two, OF_TWO);
}

/* --- anonymous pages --- */

static void known_anonymous(void)
{
	struct region *r;

	keep(region_anon("untouched", 32));
	r = keep(region_anon("touched", 24));
	region_write(r, 0, r->n);
	r = keep(region_anon("part", 40));
	region_write(r, 4, 7);
	region_write(r, 30, 3);
	r = keep(region_anon("zero", 8));
	region_read(r);
	r->present = r->zero = r->n;
	r = keep(region_anon("zero_mixed", 20));
	region_read(r);
	region_write(r, 10, 5); /* the zero page is replaced: counted once as present */
	r->present = r->n;
	r->zero = r->n - 5;
	keep(region_map("none", 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1));
	r = keep(region_anon("none_touched", 6));
	region_write(r, 0, r->n);
	if (mprotect(r->at, r->n * page_bytes, PROT_NONE))
		die("mprotect");
	r = keep(region_anon("dropped", 12));
	region_write(r, 0, r->n);
	if (madvise(r->at + 2 * page_bytes, 4 * page_bytes, MADV_DONTNEED))
		die("madvise");
	r->present -= 4;
	r->exclusive -= 4;
}

static void known_locked(void)
{
	struct region r = region_anon("locked", 5);

	if (mlock(r.at, r.n * page_bytes)) {
		missing("locked", strerror(errno));
		return;
	}
	r.present = r.exclusive = r.n;
	keep(r);
}

static void known_named(void)
{
	struct region *r = keep(region_anon("named", 9));

	region_write(r, 0, 3);
	if (prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, r->at, r->n * page_bytes, "page load"))
		missing("anon_name", "the kernel has no names of anonymous memory");
}

static void known_guard(void)
{
	struct region *r = keep(region_anon("guard", 24));

	region_write(r, 0, r->n);
	if (madvise(r->at + 8 * page_bytes, 10 * page_bytes, MADV_GUARD_INSTALL)) {
		missing("guard_pages", "the kernel has no guard regions");
		return;
	}
	r->guard = 10;
	r->present -= 10;
	r->exclusive -= 10;
}

/* --- pages of files and shared ones --- */

static struct region *known_file(const char *region, const char *file, int flags)
{
	int fd = file_make(file, 16);
	struct region *r = keep(region_map(region, 16, RW, flags, fd));

	close(fd);
	return r;
}

static void all_of_file(struct region *r)
{
	region_read(r);
	r->present = r->file = r->exclusive = r->n;
}

static void known_files(void)
{
	struct region *r;

	all_of_file(known_file("file_read", "read", MAP_PRIVATE));
	r = known_file("file_written", "written", MAP_PRIVATE);
	region_write(r, 0, r->n); /* copies, which are anonymous */
	r = known_file("file_mixed", "mixed", MAP_PRIVATE);
	all_of_file(r);
	for (size_t i = 0; i < 5; i++)
		page_write(r->at + i * page_bytes);
	r->file -= 5;
	known_file("file_untouched", "untouched", MAP_PRIVATE);
	r = known_file("file_shared", "shared", MAP_SHARED);
	region_write(r, 0, r->n);
	r->file = r->n;
	all_of_file(known_file("deleted", "deleted file", MAP_PRIVATE));
	file_remove("deleted file");
	/* A name with blanks, UTF-8, an escape sequence, a newline and bytes that are no UTF-8. */
	all_of_file(known_file("odd_name", "we ird  \xc3\xa9\x1b[31mred\n\xff (deleted)", MAP_PRIVATE));
}

static void known_shared(void)
{
	struct region *r = keep(region_map("shm", 18, RW, MAP_SHARED | MAP_ANONYMOUS, -1));
	int fd;

	region_write(r, 3, 7);
	r->file = 7;
	keep(region_map("shm_untouched", 11, RW, MAP_SHARED | MAP_ANONYMOUS, -1));
	fd = memfd("page load", 14);
	r = keep(region_map("memfd", 14, RW, MAP_SHARED, fd));
	close(fd);
	region_write(r, 0, r->n);
	r->file = r->n;
	r = keep(region_map("shared_two", OF_TWO, RW, MAP_SHARED, of_two));
	close(of_two);
	region_write(r, 0, r->n);
	r->file = r->n;
	r->exclusive = 0;
}

/* --- huge pages --- */

static size_t huge_pages(void)
{
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "re");
	size_t bytes = 0;

	if (f && fscanf(f, "%zu", &bytes) != 1)
		bytes = 0;
	if (f)
		fclose(f);
	return bytes / page_bytes;
}

/* Room for two huge pages where the kernel may put some. */
static struct region thp_map(const char *name, size_t huge)
{
	struct region r =
		region_try(name, 2 * huge, huge, RW, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	if (r.at == MAP_FAILED)
		die("%s", name);
	(void)madvise(r.at, r.n * page_bytes, MADV_HUGEPAGE);
	return r;
}

/* All of the region written and of huge pages, as smaps sees them; false: unmapped again. */
static bool thp_fill(struct region *r)
{
	region_write(r, 0, r->n);
	if (smaps_kb(r->at, "AnonHugePages") * 1024 != r->n * page_bytes)
		(void)madvise(r->at, r->n * page_bytes, MADV_COLLAPSE);
	if (smaps_kb(r->at, "AnonHugePages") * 1024 == r->n * page_bytes)
		return true;
	munmap(r->at, r->n * page_bytes);
	missing(r->name, "no transparent huge pages");
	return false;
}

/* A read makes it.  smaps does not show it.  Linux 6.18 sets bit 61 (file) in its entries of pagemap, but
 * not in what PAGEMAP_SCAN reports: it is of no file. */
static void known_huge_zero(size_t huge)
{
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/use_zero_page", "re");
	struct region r;
	int on = 0;

	if (f && fscanf(f, "%d", &on) != 1)
		on = 0;
	if (f)
		fclose(f);
	if (!on) {
		missing("huge_zero", "no huge zero page");
		return;
	}
	r = thp_map("huge_zero", huge);
	page_read(r.at);
	(void)madvise(r.at, r.n * page_bytes, MADV_NOHUGEPAGE);
	r.present = r.zero = r.huge = huge;
	keep(r);
}

static void known_huge(void)
{
	size_t huge = huge_pages();
	struct region r;

	if (!huge) {
		missing("huge", "no transparent huge pages");
		return;
	}
	r = thp_map("huge", huge);
	if (!thp_fill(&r))
		return;
	r.huge = r.n;
	keep(r);
	r = thp_map("huge_split", huge); /* one page of it dropped: its half is mapped page by page */
	if (!thp_fill(&r))
		return;
	(void)madvise(r.at, r.n * page_bytes, MADV_NOHUGEPAGE); /* khugepaged would heal it */
	if (madvise(r.at + 5 * page_bytes, page_bytes, MADV_DONTNEED))
		die("madvise");
	r.huge = huge;
	r.present--;
	r.exclusive--;
	keep(r);
	known_huge_zero(huge);
}

static void known_hugetlb(void)
{
	size_t huge = huge_pages() ? huge_pages() : (size_t)2 * 1024 * 1024 / page_bytes;
	struct region r =
		region_try("hugetlb", 2 * huge, huge, RW, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1);

	if (r.at == MAP_FAILED) {
		missing("hugetlb", strerror(errno));
		return;
	}
	page_write(r.at);
	r.present = r.exclusive = r.huge = huge;
	keep(r);
}

/* --- swapped and soft-dirty pages --- */

/* The kernel may leave pages: the count is that of smaps. */
static void known_swapped(void)
{
	struct region r = region_anon("swapped", 64);

	region_write(&r, 0, r.n);
	for (int tries = 0; tries < 100 && r.swap < 40; tries++) {
		(void)madvise(r.at, 40 * page_bytes, MADV_PAGEOUT);
		r.swap = smaps_kb(r.at, "Swap") * 1024 / page_bytes;
	}
	if (!r.swap)
		missing("swapped_pages", "no swap");
	r.present -= r.swap;
	r.exclusive = r.present;
	keep(r);
}

static bool clear_soft_dirty(void)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, "4", 1) == 1;

	if (fd >= 0)
		close(fd);
	return done;
}

static bool page_is_dirty(const char *p)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;
	bool got = pread(fd, &entry, 8, (off_t)((uintptr_t)p / page_bytes * 8)) == 8;

	close(fd);
	return got && entry >> 55 & 1;
}

/* Last of all: after it, no page of the other regions is dirty. */
static void known_dirty(void)
{
	struct region *r = keep(region_anon("dirty", 30));

	region_write(r, 0, r->n);
	if (!clear_soft_dirty() || page_is_dirty(r->at)) {
		missing("dirty_pages", "soft-dirty cannot be cleared");
		return;
	}
	page_write(r->at);
	if (!page_is_dirty(r->at)) {
		missing("dirty_pages", "no soft-dirty in this kernel");
		return;
	}
	for (size_t i = 0; i < r->n; i += 2)
		page_write(r->at + i * page_bytes);
	r->dirty = r->n / 2;
}

static void known_make(void)
{
	known_child();
	known_anonymous();
	known_locked();
	known_named();
	known_guard();
	known_files();
	known_shared();
	known_huge();
	known_hugetlb();
	known_swapped();
	known_dirty();
	for (size_t i = 0; i < n_known; i++)
		region_print(&known[i]);
}

#endif
