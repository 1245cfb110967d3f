// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages in swap and pages that only look like it, against smaps: of a child with markers
 * of userfaultfd(2), and with private and shared memory in a swap file.  Each test also
 * reads a pagemap that hides swap types, as without CAP_SYS_ADMIN.
 */
#include <linux/capability.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/shm.h>
#include <sys/swap.h>
#include <sys/syscall.h>

#include "pages/cells.h"
#include "pages/census.h"
#include "pagemon_space_rig.h"
#include "snapshot.h"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif
#define PAGE ((size_t)4096)

/* Linux 6.6 and 6.4; the headers of the machine may be older. */
#define POISON_FEATURE (UINT64_C(1) << 14)
#define WP_FEATURE     (UINT64_C(1) << 13)
#define USER_MODE_ONLY 1
struct poison {
	struct uffdio_range range;
	uint64_t mode;
	int64_t updated;
};
#define POISON _IOWR(UFFDIO, 0x08, struct poison)

enum { PAGES = 64, POISONED = 16, MARKED = 8, IN_SWAP = 24, IN_SHARED = 40 };

static char *marker_at, *anon_at, *shared_at;
static char *markers_made; /* shared with the child: the kernel can make markers */
static bool have_swap;
static int swaps_fd;
static bool vast; /* a sanitizer reserves memory that takes hours to read */
static char swap_path[] = "/tmp/sm-test-swap-XXXXXX";

static char *map(int flags)
{
	char *at = mmap(NULL, (PAGES + 1) * PAGE, PROT_READ | PROT_WRITE,
		flags | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(at, MAP_FAILED);
	madvise(at, PAGES * PAGE, MADV_NOHUGEPAGE);
	/* No neighbour joins. */
	ck_assert_int_eq(mprotect(at + PAGES * PAGE, PAGE, PROT_NONE), 0);
	return at;
}

/* --- the child ------------------------------------------------------------------ */

static bool make_markers(char *at)
{
	struct uffdio_api api = {
		.api = UFFD_API, .features = POISON_FEATURE | WP_FEATURE};
	struct uffdio_range all = {(uintptr_t)at, PAGES * PAGE};
	struct uffdio_register reg = {.range = all,
		.mode = UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_WP};
	struct poison poison = {.range = {all.start, POISONED * PAGE}};
	struct uffdio_writeprotect protect = {
		.range = {all.start + POISONED * PAGE, MARKED * PAGE},
		.mode = UFFDIO_WRITEPROTECT_MODE_WP};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | USER_MODE_ONLY);

	return fd >= 0 && ioctl(fd, UFFDIO_API, &api) == 0 &&
	       ioctl(fd, UFFDIO_REGISTER, &reg) == 0 && ioctl(fd, POISON, &poison) == 0 &&
	       ioctl(fd, UFFDIO_WRITEPROTECT, &protect) == 0;
}

/* New pages wait in a batch of their CPU until they can be swapped, so the CPU stays the
 * same. */
static void swap_out(char *at, size_t pages)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		_exit(1);
	memset(at, 1, PAGES * PAGE);
	madvise(at, pages * PAGE, MADV_PAGEOUT);
}

static void act(char what)
{
	if (what == 'm')
		*markers_made = make_markers(marker_at);
	if (what == 's') {
		swap_out(anon_at, IN_SWAP);
		swap_out(shared_at, IN_SHARED);
	}
}

static void start(void)
{
	markers_made = mmap(
		NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	marker_at = map(MAP_PRIVATE);
	anon_at = map(MAP_PRIVATE);
	shared_at = map(MAP_SHARED);
	rig_start(act);
	vast = rig.space.pages >> 22;
	rig_leave_out_large();
}

/* --- the swap file -------------------------------------------------------------- */

/* No other run of this program has a swap file meanwhile: with equal priorities, pages
 * are in either. */
static void swap_alone(void)
{
	swaps_fd = open("/proc/swaps", O_RDONLY | O_CLOEXEC);
	if (swaps_fd >= 0)
		ck_assert_int_eq(flock(swaps_fd, LOCK_EX), 0);
}

/* struct swap_header of include/linux/swap.h. */
static void swap_begin(void)
{
	static char image[256 * 4096];
	const uint32_t info[] = {1, sizeof(image) / PAGE - 1};
	int fd = mkstemp(swap_path);

	ck_assert_int_ge(fd, 0);
	swap_alone();
	memcpy(image + 1024, info, sizeof(info));
	memcpy(image + PAGE - 10, "SWAPSPACE2", 10);
	have_swap = getpagesize() == (int)PAGE && fchmod(fd, 0600) == 0 &&
		    write(fd, image, sizeof(image)) == sizeof(image) && fsync(fd) == 0 &&
		    swapon(swap_path, SWAP_FLAG_PREFER | 32767) == 0;
	close(fd);
}

static void swap_end(void)
{
	if (have_swap)
		swapoff(swap_path);
	unlink(swap_path);
	close(swaps_fd);
}

/* --- readings ------------------------------------------------------------------- */

/* Returns the pages of the mapping in swap, from smaps. */
static uint64_t smaps_swap(const char *at)
{
	char line[512];
	unsigned long long start, kb = 0;
	FILE *f = fdopen(dup(rig.smaps_fd), "r");
	bool here = false;

	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx-%*x %*4s", &start) == 1 && strchr(line, '-'))
			here = start == (uintptr_t)at;
		else if (here && sscanf(line, "Swap: %llu kB", &kb) == 1)
			break;
	}
	fclose(f);
	return kb * 1024 / PAGE;
}

static void set_capability(unsigned int cap, bool on)
{
	struct __user_cap_header_struct h = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct d[2];

	ck_assert_int_eq(syscall(SYS_capget, &h, d), 0);
	d[0].effective = on ? d[0].permitted : d[0].effective & ~(1u << cap);
	ck_assert_int_eq(syscall(SYS_capset, &h, d), 0);
}

/* Opens the child's pagemap again, without CAP_SYS_ADMIN. */
static void hide(void)
{
	close(rig.pagemap_fd);
	set_capability(CAP_SYS_ADMIN, false);
	rig.pagemap_fd = rig_open("pagemap");
	set_capability(CAP_SYS_ADMIN, true);
}

static bool types_hidden(const char *at)
{
	uint64_t entry = 0;

	ck_assert_int_eq(
		pread(rig.pagemap_fd, &entry, 8, (off_t)((uintptr_t)at / PAGE * 8)), 8);
	ck_assert(entry >> 62 & 1);
	return !(entry << 9);
}

static const struct counts *counts_of(const struct census *c, const char *at)
{
	const struct mapping *m = space_at_or_above(&rig.space, (uintptr_t)at);

	ck_assert_uint_eq(m->start, (uintptr_t)at);
	return census_of(c, m);
}

static struct census *count(enum pass_method method)
{
	struct pass_reader r = rig_reader(method);
	static struct census one;
	struct census *c = &one;

	ck_assert_int_eq(census_init(c), 0);
	c->mappings = true;
	while (census_step(c, &r, &rig.space, 1000000000) == 1)
		;
	ck_assert_ptr_nonnull(census_total(c));
	return c;
}

static enum pass_method other_than_scan(void)
{
	return rig_can_scan() ? PASS_SCAN : PASS_READ;
}

/* --- markers -------------------------------------------------------------------- */

static void check_markers(enum pass_method method)
{
	struct census *c = count(method);
	const struct counts *of = counts_of(c, marker_at);

	ck_assert_uint_eq(of->swapped, smaps_swap(marker_at));
	ck_assert_uint_eq(of->swapped, 0);
	ck_assert_uint_eq(of->hidden, 0);
	ck_assert_uint_eq(of->other, POISONED + MARKED);
	ck_assert_uint_ge(census_total(c)->other, POISONED + MARKED);
	census_fini(c);
}

static bool marked(void)
{
	start();
	rig_tell('m');
	return *markers_made;
}

START_TEST(markers_are_not_swap)
{
	if (marked()) {
		check_markers(PASS_READ);
		check_markers(other_than_scan());
		hide();
		ck_assert(types_hidden(marker_at));
		check_markers(PASS_READ);
		check_markers(other_than_scan());
	}
	rig_stop();
}
END_TEST

/* --- runs ----------------------------------------------------------------------- */

/* Takes one run in each step, and keeps those at the addresses of the test, with the
 * address as number. */
static bool keep(void *ctx, const struct snapshot *s, const struct page_run *run)
{
	struct rig_runs *r = ctx;
	uint64_t at = s->space.mappings[run->m].start + run->first * PAGE;

	if (at - (uintptr_t)marker_at < PAGES * PAGE ||
		at - (uintptr_t)anon_at < PAGES * PAGE) {
		r->run = realloc(r->run, (r->n + 1) * sizeof(*r->run));
		r->run[r->n++] = (struct rig_run){at, run->n, run->categories};
	}
	return false;
}

/* Returns the runs of a snapshot through the rig's files. */
static struct rig_runs runs_of(enum pass_method method)
{
	struct rig_runs runs = {0};
	struct snapshot s;

	ck_assert_int_eq(snapshot_init(&s, SNAPSHOT_RUNS), 0);
	s.target.fd[TARGET_MAPS] = dup(rig.maps_fd);
	s.target.fd[TARGET_PAGEMAP] = dup(rig.pagemap_fd);
	s.target.fd[TARGET_SMAPS] = dup(rig.smaps_fd);
	ck_assert_int_eq(snapshot_attach(&s, method, rig.self_fd, true), 0);
	ck_assert_int_eq(snapshot_begin(&s, keep, &runs), 0);
	while (snapshot_step(&s, 1000000000) == 1)
		;
	snapshot_fini(&s);
	return runs;
}

static void check_run(
	const struct rig_runs *runs, const char *at, uint64_t categories, uint64_t pages)
{
	size_t i = 0;

	while (i < runs->n && runs->run[i].first != (uintptr_t)at)
		i++;
	ck_assert_uint_lt(i, runs->n);
	ck_assert_uint_eq(
		runs->run[i].categories & ~(uint64_t)SM_PAGE_SOFT_DIRTY, categories);
	ck_assert_uint_eq(runs->run[i].n, pages);
}

static void check_runs(enum pass_method method, bool hidden)
{
	struct rig_runs runs;

	if (vast && method == PASS_READ)
		return;
	runs = runs_of(method);
	if (*markers_made && hidden) {
		check_run(&runs, marker_at, SM_PAGE_OTHER, POISONED + MARKED);
	} else if (*markers_made) {
		check_run(&runs, marker_at, SM_PAGE_POISON, POISONED);
		check_run(&runs, marker_at + POISONED * PAGE, SM_PAGE_MARKER, MARKED);
	}
	if (have_swap)
		check_run(&runs, anon_at, SM_PAGE_SWAPPED, IN_SWAP);
	rig_free(&runs);
}

START_TEST(runs)
{
	bool visible = geteuid() == 0;

	(void)marked();
	if (have_swap)
		rig_tell('s');
	rig_leave_out_large();
	if (visible) {
		check_runs(PASS_READ, false);
		check_runs(other_than_scan(), false);
	}
	hide();
	check_runs(PASS_READ, true);
	check_runs(other_than_scan(), true);
	rig_stop();
}
END_TEST

/* --- swap ----------------------------------------------------------------------- */

static void check_swap(enum pass_method method)
{
	struct census *c = count(method);
	const struct counts *total = census_total(c);

	ck_assert_uint_eq(counts_of(c, anon_at)->swapped, IN_SWAP);
	ck_assert_uint_eq(counts_of(c, anon_at)->swapped, smaps_swap(anon_at));
	ck_assert_uint_eq(counts_of(c, anon_at)->hidden, 0);
	ck_assert_uint_eq(counts_of(c, shared_at)->swapped, IN_SHARED);
	ck_assert_uint_eq(counts_of(c, shared_at)->swapped, smaps_swap(shared_at));
	ck_assert_uint_eq(counts_of(c, shared_at)->shared, IN_SHARED);
	ck_assert_uint_eq(counts_of(c, shared_at)->present, PAGES - IN_SHARED);
	ck_assert_uint_eq(total->swapped, IN_SWAP + IN_SHARED);
	ck_assert_uint_eq(total->shared, IN_SHARED);
	census_fini(c);
}

START_TEST(shared_memory_in_swap)
{
	start();
	if (have_swap) {
		rig_tell('s');
		check_swap(PASS_READ);
		check_swap(other_than_scan());
		hide();
		ck_assert(types_hidden(anon_at));
		check_swap(PASS_READ);
		check_swap(other_than_scan());
	}
	rig_stop();
}
END_TEST

/* The first segment of System V in a namespace has inode 0. */
START_TEST(first_segment_in_swap)
{
	int id = unshare(CLONE_NEWIPC) < 0 ? -1 : shmget(IPC_PRIVATE, PAGES * PAGE, 0600);
	struct census *c;

	if (have_swap && id == 0) {
		shared_at = shmat(id, NULL, 0);
		ck_assert_ptr_ne(shared_at, (void *)-1);
		anon_at = map(MAP_PRIVATE);
		rig_start(act);
		rig_leave_out_large();
		rig_tell('s');
		c = count(other_than_scan());
		ck_assert_uint_eq(counts_of(c, shared_at)->swapped, IN_SHARED);
		ck_assert_uint_eq(census_total(c)->swapped, IN_SHARED + IN_SWAP);
		census_fini(c);
		rig_stop();
	}
}
END_TEST

/* Without CAP_SYS_ADMIN, the sum of the process does not show which pages are in swap,
 * but the sums of its mappings do. */
START_TEST(markers_beside_swap)
{
	struct census *c;

	if (marked() && have_swap) {
		rig_tell('s');
		hide();
		c = count(other_than_scan());
		ck_assert_uint_eq(counts_of(c, marker_at)->swapped, 0);
		ck_assert_uint_eq(counts_of(c, marker_at)->other, POISONED + MARKED);
		ck_assert_uint_eq(counts_of(c, anon_at)->swapped, IN_SWAP);
		ck_assert_uint_eq(counts_of(c, anon_at)->other, 0);
		ck_assert_uint_eq(census_total(c)->swapped, IN_SWAP + IN_SHARED);
		ck_assert_uint_eq(census_total(c)->hidden, POISONED + MARKED + IN_SWAP);
		ck_assert_uint_eq(c->hidden, SM_PAGE_HIDDEN);
		census_fini(c);
	}
	rig_stop();
}
END_TEST

/* The map shows the letter of hidden pages that the count has determined, at once. */
START_TEST(map_of_hidden_pages)
{
	struct pass_reader r;
	struct cells_span span = {0};
	struct census *count_of;
	struct cells the_cells, *c = &the_cells;

	start();
	if (have_swap) {
		rig_tell('s');
		hide();
		r = rig_reader(other_than_scan());
		span.first = space_ordinal(&rig.space, (uintptr_t)anon_at);
		span.end = span.first + PAGES;
		ck_assert_int_eq(cells_init(c), 0);
		ck_assert_int_eq(cells_view(c, &span, 1, PAGES, 1), 0);
		ck_assert_int_eq(cells_step(c, &r, &rig.space, UINT64_C(1) << 40), 0);
		ck_assert_int_ne(c->signs[IN_SWAP - 1], 'S'); /* X, or D */
		count_of = count(other_than_scan());
		r.hidden = count_of->hidden;
		ck_assert_int_eq(cells_step(c, &r, &rig.space, UINT64_C(1) << 40), 0);
		ck_assert_int_eq(c->signs[IN_SWAP - 1], 'S');
		census_fini(count_of);
		cells_fini(c);
	}
	rig_stop();
}
END_TEST

static TCase *all(void)
{
	TCase *tc = tcase_create("swap");

	tcase_add_unchecked_fixture(tc, swap_begin, swap_end);
	tcase_add_test(tc, markers_are_not_swap);
	tcase_add_test(tc, runs);
	tcase_add_test(tc, shared_memory_in_swap);
	tcase_add_test(tc, first_segment_in_swap);
	tcase_add_test(tc, map_of_hidden_pages);
	tcase_add_test(tc, markers_beside_swap);
	return tc;
}

UNIT_MAIN("swap", all)
