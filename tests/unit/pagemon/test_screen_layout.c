// SPDX-License-Identifier: GPL-2.0-or-later
#include "pagemon/screen/layout.h"
#include "unit.h"

#define PAGE 4096u
#define TIB  (UINT64_C(1) << 40)
#define MIB  (UINT64_C(1) << 20)

enum { MAPS = 60000, RANGES = 2048 };

static struct mapping maps[MAPS];
static struct space space;
static struct layout l;
static struct layout_range ranges[RANGES];
static struct layout_there there;

static void add_at(uint64_t address, uint64_t pages)
{
	struct mapping *m = &maps[space.n++];

	m->start = address;
	m->end = address + pages * PAGE;
	m->first = space.pages;
	m->name = "";
	space.pages += pages;
}

/* Adds a mapping 16 pages after the last one. */
static void add(uint64_t pages)
{
	add_at(space.n ? maps[space.n - 1].end + 16 * PAGE : 0x100000, pages);
}

/* Populates pages [first, end) of mapping m. */
static void populate(size_t m, uint64_t first, uint64_t end)
{
	ranges[there.n++] = (struct layout_range){
		maps[m].start + first * PAGE, maps[m].start + end * PAGE};
}

static void setup(void)
{
	space = (struct space){.mappings = maps, .page_bytes = PAGE};
	there = (struct layout_there){.r = ranges};
}

static void teardown(void)
{
	layout_fini(&l);
}

static void flat(uint64_t zoom, unsigned int width)
{
	ck_assert_int_eq(layout_make(&l, &space, zoom, width, NULL), 0);
}

static void compact(uint64_t zoom, unsigned int width)
{
	ck_assert_int_eq(layout_make(&l, &space, zoom, width, &there), 0);
}

static void check_cell(uint64_t cell, uint64_t first, uint64_t end)
{
	struct layout_cell c = layout_cell(&l, cell);

	ck_assert_uint_eq(c.pages.first, first);
	ck_assert_uint_eq(c.pages.end, end);
	ck_assert(!c.gap);
}

/* A gap of n cells with these pages. */
static void check_gap(uint64_t cell, uint64_t n, uint64_t first, uint64_t end)
{
	for (uint64_t i = cell; i < cell + n; i++) {
		struct layout_cell c = layout_cell(&l, i);

		ck_assert(c.gap);
		ck_assert_uint_eq(c.cell, cell);
		ck_assert_uint_eq(c.n, n);
		ck_assert_uint_eq(c.pages.first, first);
		ck_assert_uint_eq(c.pages.end, end);
	}
}

static void check_gap_addresses(uint64_t cell, uint64_t first, uint64_t end)
{
	struct layout_range r = layout_gap(&l, layout_part(&l, cell));

	ck_assert_uint_eq(r.first, first);
	ck_assert_uint_eq(r.end, end);
}

/* Every page is in exactly one cell, the one that layout_cell_of() returns. */
static void check_all_pages(void)
{
	uint64_t next = 0;

	for (uint64_t cell = 0; cell < l.cells;) {
		struct layout_cell c = layout_cell(&l, cell);

		ck_assert_uint_eq(c.cell, cell);
		ck_assert_uint_eq(c.pages.first, next);
		ck_assert(c.gap || (c.pages.end > next && c.pages.end - next <= l.zoom));
		for (next = c.pages.first; next < c.pages.end; next++)
			ck_assert_uint_eq(layout_cell_of(&l, next), cell);
		cell += c.n;
	}
	ck_assert_uint_eq(next, space.pages);
	ck_assert_uint_eq(l.rows, (l.cells + l.width - 1) / l.width);
}

/* --- flat --------------------------------------------------------------------------- */

START_TEST(nothing)
{
	flat(1, 63);
	ck_assert_uint_eq(l.rows, 0);
	ck_assert_uint_eq(layout_cell_of(&l, 5), 0);
	check_cell(0, 0, 0);
	compact(1, 63);
	ck_assert_uint_eq(l.rows, 0);
}
END_TEST

START_TEST(flat_pages)
{
	add(100);
	add(30);
	flat(1, 63);
	ck_assert_uint_eq(l.rows, 3);
	ck_assert_uint_eq(l.cells, 130);
	ck_assert_uint_eq(layout_cell_of(&l, 130), 129); /* after the end */
	check_all_pages();
	flat(7, 4);
	ck_assert_uint_eq(l.rows, 5);
	check_cell(18, 126, 130);
	check_all_pages();
}
END_TEST

START_TEST(flat_16_tib)
{
	add(16 * TIB / PAGE);
	flat(1, 115);
	ck_assert_uint_eq(l.rows, (16 * TIB / PAGE + 114) / 115);
	check_cell(16 * TIB / PAGE - 1, 16 * TIB / PAGE - 1, 16 * TIB / PAGE);
	flat(LAYOUT_ZOOM_MAX, 983);
	ck_assert_uint_eq(l.cells, 1);
	check_cell(0, 0, 16 * TIB / PAGE);
}
END_TEST

/* --- compact ------------------------------------------------------------------------ */

START_TEST(gaps_of_one_cell)
{
	add(40);
	populate(0, 0, 4);
	populate(0, 10, 11);
	populate(0, 12, 13); /* a single empty cell is no gap */
	compact(1, 8);
	ck_assert_uint_eq(l.cells, 4 + 1 + 3 + 1);
	check_cell(3, 3, 4);
	check_gap(4, 1, 4, 10);
	check_cell(5, 10, 11);
	check_cell(6, 11, 12);
	check_cell(7, 12, 13);
	check_gap(8, 1, 13, 40);
	check_gap_addresses(4, maps[0].start + 4 * PAGE, maps[0].start + 10 * PAGE);
	check_gap_addresses(8, maps[0].start + 13 * PAGE, maps[0].end);
	check_all_pages();
}
END_TEST

/* --- the zoom that fits ------------------------------------------------------------- */

START_TEST(fitting)
{
	add(1000);
	ck_assert_uint_eq(layout_fitting(&l, &space, 63, 22, NULL), 1);
	ck_assert_uint_eq(layout_fitting(&l, &space, 10, 100, NULL), 1);
	ck_assert_uint_eq(layout_fitting(&l, &space, 10, 99, NULL), 2);
	space.pages = 16 * TIB / PAGE;
	ck_assert_uint_eq(layout_fitting(&l, &space, 115, 41, NULL),
		(16 * TIB / PAGE + 4714) / 4715);
	space.pages = 0;
	ck_assert_uint_eq(layout_fitting(&l, &space, 115, 41, NULL), 1);
}
END_TEST

static TCase *tc_flat(void)
{
	TCase *tc = tcase_create("flat");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing);
	tcase_add_test(tc, flat_pages);
	tcase_add_test(tc, flat_16_tib);
	tcase_add_test(tc, fitting);
	return tc;
}

static TCase *tc_compact(void)
{
	TCase *tc = tcase_create("compact");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, gaps_of_one_cell);
	return tc;
}

UNIT_MAIN("pagemon screen layout", tc_flat, tc_compact)
