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
static struct space_range ranges[RANGES];
static struct populated populated;

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
	ranges[populated.n++] = (struct space_range){
		maps[m].start + first * PAGE, maps[m].start + end * PAGE};
}

static void setup(void)
{
	space = (struct space){.mappings = maps, .page_bytes = PAGE};
	populated = (struct populated){.ranges = ranges};
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
	ck_assert_int_eq(layout_make(&l, &space, zoom, width, &populated), 0);
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
	struct space_range r = layout_gap(&l, layout_part(&l, cell));

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

/* Cells begin at multiples of their size, or with a mapping. */
START_TEST(cells_are_aligned)
{
	add_at(0x100000, 1000);
	populate(0, 21, 22);
	populate(0, 37, 50);
	populate(0, 500, 501);
	compact(8, 100);
	check_gap(0, 1, 0, 16);
	check_cell(1, 16, 24);
	check_cell(2, 24, 32);
	check_cell(4, 40, 48);
	check_cell(5, 48, 56);
	check_gap(6, 1, 56, 496);
	check_cell(7, 496, 504);
	check_gap(8, 1, 504, 1000);
	check_all_pages();
	ranges[1].end += 30 * PAGE; /* it grows: the cells before it stay */
	compact(8, 100);
	check_cell(5, 48, 56);
	check_cell(8, 72, 80);
	check_gap(9, 1, 80, 496);
}
END_TEST

/* One range over two mappings, empty mappings, and a gap that is not mapped. */
START_TEST(mappings)
{
	add_at(0x100000, 10);
	add_at(0x10a000, 10);
	add_at(0x200000, 5);
	add_at(0x300000, 6);
	populate(0, 2, 10);
	populate(1, 0, 10);
	populate(3, 0, 6);
	compact(1, 100);
	check_gap(0, 1, 0, 2);
	check_cell(1, 2, 3);
	check_cell(18, 19, 20);
	check_gap(19, 1, 20, 25);
	check_gap_addresses(19, 0x114000, 0x300000);
	check_cell(20, 25, 26);
	ck_assert_uint_eq(l.cells, 26);
	check_all_pages();
	populated.n = 0;
	populate(1, 0, 10);
	populate(2, 0, 5);
	compact(1, 100);
	check_gap(11, 1, 20, 20); /* no page of it is mapped */
	check_gap_addresses(11, 0x114000, 0x200000);
	ck_assert_uint_eq(layout_cell_of(&l, 20), 12);
	check_all_pages();
}
END_TEST

START_TEST(all_or_nothing)
{
	add(25);
	add(15);
	compact(2, 4);
	ck_assert_uint_eq(l.cells, 1);
	check_gap(0, 1, 0, 40);
	check_all_pages();
	populate(0, 0, 25);
	populate(1, 0, 15);
	compact(2, 4);
	check_all_pages();
	ck_assert(!layout_cell(&l, l.cells - 1).gap);
}
END_TEST

/* Ranges after the last mapping, and one of which only a part is mapped. */
START_TEST(stale_ranges)
{
	add(40);
	populate(0, 3, 4);
	populate(0, 35, 900);
	populate(0, 1000, 2000);
	compact(1, 8);
	check_all_pages();
	check_cell(l.cells - 1, 39, 40);
}
END_TEST

/* The largest gaps, at most one in four rows, end their row. */
START_TEST(large_gaps)
{
	for (unsigned int i = 0; i < 10; i++) {
		add_at((i + 1) * TIB + (i > 5 ? (8 + i) * TIB : 0), 31);
		populate(i, 0, 31);
	}
	compact(1, 40);
	/* 319 cells are 7 rows */
	check_gap(6 * 32 - 1, 40 - (6 * 32 - 1) % 40, 6 * 31, 6 * 31);
	check_cell(200, 6 * 31, 6 * 31 + 1);
	check_gap(31, 1, 31, 31);
	check_all_pages();
}
END_TEST

START_TEST(sparse_16_tib)
{
	const uint64_t pages = 16 * TIB / PAGE;

	add(pages);
	for (uint64_t i = 0; i < 1000; i++)
		populate(0, i * 4000000, i * 4000000 + 1);
	compact(1, 63);
	ck_assert_uint_eq(l.n, 2000);
	ck_assert(layout_cell(&l, layout_cell_of(&l, pages - 1)).gap);
	ck_assert(!layout_cell(&l, layout_cell_of(&l, 4000000 * 7)).gap);
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

START_TEST(fitting_compact)
{
	add(100);
	populate(0, 0, 50);
	ck_assert_uint_eq(layout_fitting(&l, &space, 10, 6, &populated), 1);
	ck_assert_uint_eq(layout_fitting(&l, &space, 10, 5, &populated), 2);
	ck_assert_uint_eq(layout_fitting(&l, &space, 10, 1, &populated), 6);
	ck_assert_uint_gt(layout_fitting(&l, &space, 1, 1, &populated), 50);
}
END_TEST

static const unsigned int sizes[][2] = {{40 - 17, 10}, {80 - 17, 22}, {200 - 17, 48}};

static uint64_t shown; /* cells with populated pages */

/* Returns the share of the screen's cells that contain populated pages. */
static double share_shown(const unsigned int size[2])
{
	uint64_t zoom = layout_fitting(&l, &space, size[0], size[1], &populated),
		 last = UINT64_MAX;

	shown = 0;
	compact(zoom, size[0]);
	ck_assert_uint_le(l.rows, size[1]);
	for (size_t i = 0; i < populated.n; i++) {
		uint64_t first = space_ordinal(&space, populated.ranges[i].first);
		uint64_t end = space_ordinal(&space, populated.ranges[i].end);

		for (; first < end; first++) {
			uint64_t cell = layout_cell_of(&l, first);

			ck_assert(!layout_cell(&l, cell).gap);
			shown += cell != last;
			last = cell;
		}
	}
	return (double)shown / (size[0] * size[1]);
}

/* Some 80 MiB in 600 GiB, as in a browser: reserved ranges with few pages, libraries
 * whose parts are used in pieces, and a heap. */
static void make_browser(void)
{
	uint64_t library = 0x560000000000;

	for (uint64_t i = 0; i < 2; i++) {
		add_at(0x3000000000 + i * 0x40000000000, 300 * 1024 * MIB / PAGE);
		for (uint64_t k = 0; k < 40; k++)
			populate(i, k * 4000, k * 4000 + 1 + k % 7);
	}
	for (uint64_t i = 0; i < 300; i++) {
		add_at(library, 30 + i % 50);
		library += (1 + i * i % 9) * 0x40000 + (i % 60 == 0) * TIB / 16;
		populate(2 + i, 0, 8);
		populate(2 + i, 12, 12 + i % 18);
	}
	add_at(0x5f0000000000, 8000);
	populate(302, 0, 7000);
	add_at(0x7ff000000000, 34);
	populate(303, 30, 34);
}

START_TEST(browser)
{
	make_browser();
	ck_assert(share_shown(sizes[_i]) >= 0.5);
}
END_TEST

/* As the address sanitizer does it: each range is alone in gigabytes. */
START_TEST(lonely_ranges)
{
	for (uint64_t i = 0; i < 60; i++) {
		add_at((i + 1) * TIB / 4, TIB / 8 / PAGE);
		populate(i, 100, 100 + (1u << i % 11));
	}
	ck_assert(share_shown(sizes[_i]) >= 0.4);
}
END_TEST

START_TEST(many_mappings)
{
	for (uint64_t i = 0; i < MAPS; i++) {
		add(3);
		if (i % 32 == 0)
			populate(i, 0, 2);
	}
	(void)share_shown(sizes[_i]);
	ck_assert_uint_ge(2 * shown, l.cells);
	ck_assert_uint_le(l.n, 2 * RANGES + 1);
}
END_TEST

/* The address of each row is the address of its first cell, and rows ascend. */
START_TEST(addresses_of_rows)
{
	uint64_t before = 0;

	make_browser();
	(void)share_shown(sizes[_i]);
	for (uint64_t row = 0; row < l.rows; row++) {
		struct layout_cell c = layout_cell(&l, row * l.width);
		uint64_t at = layout_address(&l, row);

		ck_assert(!row || at > before);
		before = at;
		if (!c.gap)
			ck_assert_uint_eq(layout_cell_of(&l, space_ordinal(&space, at)),
				row * l.width);
	}
}
END_TEST

START_TEST(zoom_steps)
{
	uint64_t zoom = 1;

	for (unsigned int i = 1; i < 16; i++) {
		ck_assert_uint_eq(zoom, i);
		zoom = layout_next_zoom(zoom, true);
	}
	while (zoom < LAYOUT_ZOOM_MAX) {
		uint64_t next = layout_next_zoom(zoom, true);

		ck_assert_uint_le(next, zoom + zoom / 4 + 1);
		ck_assert_uint_eq(layout_next_zoom(next, false), zoom);
		zoom = next;
	}
	ck_assert_uint_eq(layout_next_zoom(zoom, true), LAYOUT_ZOOM_MAX);
	ck_assert_uint_eq(layout_next_zoom(1, false), 1);
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
	tcase_add_test(tc, zoom_steps);
	return tc;
}

static TCase *tc_compact(void)
{
	TCase *tc = tcase_create("compact");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, gaps_of_one_cell);
	tcase_add_test(tc, cells_are_aligned);
	tcase_add_test(tc, mappings);
	tcase_add_test(tc, all_or_nothing);
	tcase_add_test(tc, stale_ranges);
	tcase_add_test(tc, large_gaps);
	tcase_add_test(tc, sparse_16_tib);
	tcase_add_test(tc, fitting_compact);
	tcase_add_loop_test(tc, browser, 0, SM_ARRAY_SIZE(sizes));
	tcase_add_loop_test(tc, lonely_ranges, 0, SM_ARRAY_SIZE(sizes));
	tcase_add_loop_test(tc, many_mappings, 0, SM_ARRAY_SIZE(sizes));
	tcase_add_loop_test(tc, addresses_of_rows, 0, SM_ARRAY_SIZE(sizes));
	return tc;
}

UNIT_MAIN("pagemon screen layout", tc_flat, tc_compact)
