// SPDX-License-Identifier: GPL-2.0-or-later
/* The calls of a scan, as the kernel receives them: no piece has more page tables than a
 * call may walk. */
#include "ioctl_rig.h"
#include "pages/cells.h"
#include "pages/census.h"
#include "pages/sign.h"
#include "pagemon_reader_rig.h"

enum { MAX_TABLES = 512, MAX_FOUND = 64 * 512, SINGLES = 2000, EMPTY_TABLES = 2048 };

#define SPARSE_AT    ((char *)0x200000000000)
#define SPARSE_BYTES (UINT64_C(16) << 40)
#define EMPTY_AT     (UINT64_C(8) << 40)
#define SINGLES_AT   ((char *)0x310000000000)

static struct {
	uint64_t calls, tables, most_tables, most_found, endless;
	size_t m; /* the mapping at which the last piece ended */
} seen;

/* The page tables that mappings can have in [start, end). */
static uint64_t tables_in(uint64_t start, uint64_t end)
{
	const struct space *s = &rig.space;
	uint64_t n = 0, counted = 0;

	if (seen.m >= s->n || s->mappings[seen.m].start > start)
		seen.m = 0;
	while (seen.m < s->n && s->mappings[seen.m].end <= start)
		seen.m++;
	for (size_t m = seen.m; m < s->n && s->mappings[m].start < end; m++) {
		const struct mapping *v = &s->mappings[m];
		uint64_t from = (v->start > start ? v->start : start) / BLOCK;
		uint64_t to = ((v->end < end ? v->end : end) - 1) / BLOCK + 1;

		from = from > counted ? from : counted;
		n += to > from ? to - from : 0;
		counted = to;
	}
	return n;
}

static uint64_t more(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* arg: struct pm_scan_arg. */
static void record(const uint64_t *arg)
{
	uint64_t tables = tables_in(arg[2], arg[3]);

	seen.calls++;
	seen.tables += tables;
	seen.most_tables = more(seen.most_tables, tables);
	seen.most_found = more(seen.most_found, arg[7]);
	seen.endless += !arg[7];
}

static void ioctl_called(int fd, unsigned int request, const void *arg)
{
	if (request == SM_PAGEMAP_SCAN && fd == rig.pagemap_fd)
		record(arg);
}

/* 16 TiB, of which a part has page tables without pages, and mappings of a page with a
 * table each. */
static void fill(char what)
{
	int fd = memfd_create("sparse", MFD_CLOEXEC);
	char *at = MAP_FAILED;

	(void)what;
	if (fd >= 0 && ftruncate(fd, (off_t)SPARSE_BYTES) == 0)
		at = mmap(SPARSE_AT, SPARSE_BYTES, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0);
	for (size_t i = 0; at != MAP_FAILED && i < EMPTY_TABLES; i++)
		touch(at + EMPTY_AT + i * BLOCK, 1);
	if (at != MAP_FAILED)
		madvise(at + EMPTY_AT, EMPTY_TABLES * BLOCK, MADV_REMOVE);
	for (size_t i = 0; i < SINGLES; i++)
		touch(mmap(SINGLES_AT + i * BLOCK, PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
			1);
}

static uint64_t first, end; /* ordinals of what fill() maps */

static void setup(void)
{
	rig_start(fill);
	first = space_ordinal(&rig.space, (uintptr_t)SPARSE_AT);
	end = space_ordinal(&rig.space, (uintptr_t)SINGLES_AT + SINGLES * BLOCK);
	memset(&seen, 0, sizeof(seen));
}

static void teardown(void)
{
	rig_free(&runs);
	rig_stop();
}

static bool can(void)
{
	if (use(PASS_SCAN) && end - first == SPARSE_BYTES / PAGE + SINGLES)
		return true;
	unit_skip("needs PAGEMAP_SCAN and a mapping of 16 TiB");
	return false;
}

/* Every table is in one piece; the calls are not many more than the pieces. */
static void check_calls(uint64_t tables)
{
	ck_assert_uint_ge(seen.tables, tables);
	ck_assert_uint_le(seen.most_tables, MAX_TABLES);
	ck_assert_uint_gt(seen.most_found, 0);
	ck_assert_uint_le(seen.most_found, MAX_FOUND);
	ck_assert_uint_eq(seen.endless, 0);
	ck_assert_uint_lt(seen.calls, tables / MAX_TABLES * 102 / 100 + 20);
}

START_TEST(of_a_pass)
{
	if (!can())
		return;
	rig_walk(&runs, &reader, first, end, false, UINT64_MAX, NULL);
	ck_assert_uint_eq(runs.n, SINGLES);
	check_calls(SPARSE_BYTES / BLOCK + SINGLES);
}
END_TEST

/* The last of 8 cells has the mappings of a page. */
START_TEST(of_cells)
{
	const struct cells_span span = {.first = first, .end = end};
	struct cells the_cells, *cells = &the_cells;

	if (!can())
		return;
	ck_assert_int_eq(cells_init(cells), 0);
	ck_assert_int_eq(cells_view(cells, &span, 1, 8, (end - first) / 8 + 1), 0);
	ck_assert_int_eq(cells_step(cells, &reader, &rig.space, UINT64_MAX), 0);
	ck_assert_int_eq(memcmp(cells->signs, ".......", 7), 0);
	ck_assert_int_eq(sign_letter(cells->signs[7]), 'p');
	check_calls(SPARSE_BYTES / BLOCK + SINGLES);
	cells_fini(cells);
}
END_TEST

/* A GiB of pages ends with the pages found, not with the tables. */
static void fill_dense(char what)
{
	char *at = mmap(SPARSE_AT, MAX_TABLES * BLOCK, PROT_READ,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);

	(void)what;
	madvise(at, MAX_TABLES * BLOCK, MADV_NOHUGEPAGE);
	madvise(at, MAX_TABLES * BLOCK, MADV_POPULATE_READ);
}

START_TEST(of_zero_pages)
{
	rig_stop();
	rig_start(fill_dense);
	first = space_ordinal(&rig.space, (uintptr_t)SPARSE_AT);
	end = first + MAX_TABLES * (BLOCK / PAGE);
	if (!use(PASS_SCAN))
		return;
	rig_walk(&runs, &reader, first, end, false, UINT64_MAX, NULL);
	if (runs.n != 1 || runs.run[0].n != end - first)
		return; /* before Linux 5.14, nothing is populated */
	ck_assert_uint_ge(seen.calls, (end - first) / MAX_FOUND);
	ck_assert_uint_le(seen.calls, (end - first) / MAX_FOUND + 2);
}
END_TEST

static TCase *all(void)
{
	TCase *tc = tcase_create("pieces of a scan");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, of_a_pass);
	tcase_add_test(tc, of_cells);
	tcase_add_test(tc, of_zero_pages);
	return tc;
}

UNIT_MAIN("pieces", all)
