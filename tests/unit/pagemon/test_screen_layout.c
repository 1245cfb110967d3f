// SPDX-License-Identifier: GPL-2.0-or-later
#include "pagemon/screen/layout.h"
#include "unit.h"

#define PAGE 4096u
#define TIB  (UINT64_C(1) << 40)

static struct mapping maps[64];
static struct space space;
static struct layout l;

static void add(uint64_t pages)
{
	struct mapping *m = &maps[space.n++];

	m->start = space.n == 1 ? 0x1000 : m[-1].end + 16 * PAGE;
	m->end = m->start + pages * PAGE;
	m->first = space.pages;
	m->name = "";
	space.pages += pages;
}

static void setup(void)
{
	space = (struct space){.mappings = maps, .page_bytes = PAGE};
}

static void teardown(void)
{
	layout_fini(&l);
}

/* The tests say which ordinals are there. */
static uint64_t address(uint64_t ordinal)
{
	const struct mapping *m = maps;

	while (m + 1 < maps + space.n && m[1].first <= ordinal)
		m++;
	return m->start + (ordinal - m->first) * PAGE;
}

static const struct layout_range *addresses(const struct layout_range *r, size_t n)
{
	static struct layout_range out[1000];

	for (size_t i = 0; i < n; i++) {
		out[i].first = address(r[i].first);
		out[i].end = address(r[i].end - 1) + PAGE;
	}
	return out;
}

static void fold(
	uint64_t zoom, unsigned int width, const struct layout_range *r, size_t n)
{
	ck_assert_int_eq(layout_fold(&l, &space, zoom, width, addresses(r, n), n), 0);
	ck_assert(l.folded);
}

static void check_row(uint64_t row, uint64_t first, uint64_t end, bool empty)
{
	struct layout_row r = layout_row(&l, row);

	ck_assert_uint_eq(r.pages.first, first);
	ck_assert_uint_eq(r.pages.end, end);
	ck_assert_int_eq(r.empty, empty);
}

static void check_at(uint64_t ordinal, uint64_t row, unsigned int column)
{
	unsigned int at;

	ck_assert_uint_eq(layout_row_of(&l, ordinal, &at), row);
	ck_assert_uint_eq(at, column);
}

/* Every page stands in exactly one cell, which is where layout_row_of() says. */
static void check_all_pages(void)
{
	uint64_t next = 0;

	for (uint64_t row = 0; row < l.rows; row++) {
		struct layout_row r = layout_row(&l, row);
		unsigned int n = layout_cells(&l, &r);

		ck_assert_uint_ge(n, 1);
		ck_assert_uint_le(n, l.width);
		for (unsigned int i = 0; i < n; i++) {
			struct layout_range c = layout_cell(&l, &r, i);

			ck_assert_uint_eq(c.first, next);
			ck_assert_uint_gt(c.end, c.first);
			ck_assert(r.empty || c.end - c.first <= l.zoom);
			for (next = c.first; next < c.end; next++)
				check_at(next, row, i);
		}
		ck_assert_uint_eq(r.pages.end, next);
	}
	ck_assert_uint_eq(next, space.pages);
}

/* --- flat --------------------------------------------------------------------------- */

START_TEST(nothing)
{
	layout_flat(&l, &space, 1, 63);
	ck_assert_uint_eq(l.rows, 0);
	check_row(0, 0, 0, false);
	check_at(5, 0, 0);
	ck_assert_int_eq(layout_fold(&l, &space, 1, 63, NULL, 0), 0);
	ck_assert_uint_eq(l.rows, 0);
}
END_TEST

START_TEST(flat)
{
	add(100);
	add(30);
	layout_flat(&l, &space, 1, 63);
	ck_assert_uint_eq(l.rows, 3);
	check_row(0, 0, 63, false);
	check_row(2, 126, 130, false);
	check_row(3, 130, 130, false);
	check_at(62, 0, 62);
	check_at(63, 1, 0);
	check_at(129, 2, 3);
	check_at(130, 2, 3); /* behind the end */
	check_all_pages();
	layout_flat(&l, &space, 7, 4);
	ck_assert_uint_eq(l.rows, 5);
	check_row(4, 112, 130, false);
	check_all_pages();
}
END_TEST

START_TEST(flat_16_tib)
{
	add(16 * TIB / PAGE);
	layout_flat(&l, &space, 1, 115);
	ck_assert_uint_eq(l.rows, (16 * TIB / PAGE + 114) / 115);
	check_at(16 * TIB / PAGE - 1, l.rows - 1, (16 * TIB / PAGE - 1) % 115);
	layout_flat(&l, &space, UINT64_C(1) << 40, 983);
	ck_assert_uint_eq(l.rows, 1);
	check_row(0, 0, 16 * TIB / PAGE, false);
}
END_TEST

/* --- folded ------------------------------------------------------------------------- */

START_TEST(fold_of_the_example)
{
	const struct layout_range there[] = {{0, 4}, {20, 22}};

	add(20);
	add(2);
	fold(1, 8, there, 2);
	ck_assert_uint_eq(l.rows, 3);
	check_row(0, 0, 8, false);
	check_row(1, 8, 20, true);
	check_row(2, 20, 22, false);
	check_row(3, 22, 22, false);
	check_at(7, 0, 7);
	check_at(8, 1, 0);
	check_at(19, 1, 0);
	check_at(21, 2, 1);
	check_all_pages();
}
END_TEST

/* One range over several mappings; empty mappings, first, in the middle and last, become
 * one row each. */
START_TEST(fold_mappings)
{
	const struct layout_range there[] = {{10, 30}, {45, 46}};

	add(10);
	add(10); /* 10 */
	add(5);
	add(7); /* 25: 5 of it there */
	add(6); /* 32 */
	add(3);
	add(10); /* 41 */
	add(9);	 /* 51 */
	add(1);
	fold(1, 4, there, 2);
	check_all_pages();
	check_row(0, 0, 10, true);
	check_row(1, 10, 14, false);
	check_row(3, 18, 20, false);
	check_row(4, 20, 24, false);
	check_row(5, 24, 25, false);
	check_row(6, 25, 29, false);
	check_row(7, 29, 32, false); /* one page of three is there */
	check_row(8, 32, 45, true);  /* two mappings and the first row of the next */
	check_row(9, 45, 49, false);
	check_row(10, 49, 61, true);
	ck_assert_uint_eq(l.rows, 11);
}
END_TEST

START_TEST(fold_all_or_nothing)
{
	struct layout_range all = {0, 40};

	add(25);
	add(15);
	fold(2, 4, NULL, 0);
	ck_assert_uint_eq(l.rows, 1);
	check_row(0, 0, 40, true);
	check_all_pages();
	fold(2, 4, &all, 1);
	ck_assert_uint_eq(l.rows, 6);
	check_row(3, 24, 25, false);
	check_row(5, 33, 40, false);
	check_all_pages();
}
END_TEST

/* A cell ends with its mapping. */
START_TEST(fold_zoomed)
{
	const struct layout_range there[] = {{3, 4}, {5, 6}, {7, 8}, {26, 27}, {33, 34}};

	add(25);
	add(15);
	fold(10, 2, there, 5);
	check_row(0, 0, 20, false);
	check_row(1, 20, 25, true);
	check_row(2, 25, 40, false);
	ck_assert_uint_eq(l.rows, 3);
	check_all_pages();
}
END_TEST

/* Ranges behind the last mapping, and one that a mapping has only a part of. */
START_TEST(fold_stale)
{
	const struct layout_range there[] = {{3, 4}, {35, 900}, {1000, 2000}};

	add(40);
	fold(1, 8, there, 3);
	check_all_pages();
	check_row(l.rows - 1, 32, 40, false);
}
END_TEST

START_TEST(fold_sparse_16_tib)
{
	const uint64_t pages = 16 * TIB / PAGE;
	struct layout_range there[1000];

	add(pages);
	for (size_t i = 0; i < 1000; i++)
		there[i] = (struct layout_range){i * 4000000, i * 4000000 + 1};
	fold(1, 63, there, 1000);
	ck_assert_uint_eq(l.rows, 2000);
	check_at(pages - 1, 1999, 0);
	check_at(4000000 * 7, 14, (4000000 * 7) % 63);
	ck_assert_uint_le(l.n, 2001);
}
END_TEST

/* --- the zoom that fits ------------------------------------------------------------- */

START_TEST(fitting)
{
	add(1000);
	ck_assert_uint_eq(layout_fitting(&space, 63, 22), 1);
	ck_assert_uint_eq(layout_fitting(&space, 10, 100), 1);
	ck_assert_uint_eq(layout_fitting(&space, 10, 99), 2);
	space.pages = 16 * TIB / PAGE;
	ck_assert_uint_eq(
		layout_fitting(&space, 115, 41), (16 * TIB / PAGE + 4714) / 4715);
	space.pages = 0;
	ck_assert_uint_eq(layout_fitting(&space, 115, 41), 1);
}
END_TEST

static void check_fitting(uint64_t want, const struct layout_range *r, size_t n)
{
	ck_assert_uint_eq(
		layout_fitting_fold(&l, &space, 10, 5, addresses(r, n), n), want);
}

START_TEST(fitting_fold)
{
	const struct layout_range there[] = {{0, 60}, {1060, 1061}};

	add(60);
	add(1000);
	add(1);
	check_fitting(2, there, 2); /* three rows of 20 pages, one folded, one cell */
	fold(2, 10, there, 2);
	ck_assert_uint_eq(l.rows, 5);
	fold(1, 10, there, 2);
	ck_assert_uint_gt(l.rows, 5);
	for (int i = 0; i < 10; i++)
		add(1);
	check_fitting(3, there, 2); /* the empty ones are one row */
	check_fitting(
		22, &(struct layout_range){0, 2000}, 1); /* more mappings than rows */
}
END_TEST

static TCase *tc_flat(void)
{
	TCase *tc = tcase_create("flat");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing);
	tcase_add_test(tc, flat);
	tcase_add_test(tc, flat_16_tib);
	tcase_add_test(tc, fitting);
	return tc;
}

static TCase *tc_fold(void)
{
	TCase *tc = tcase_create("fold");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, fold_of_the_example);
	tcase_add_test(tc, fold_mappings);
	tcase_add_test(tc, fold_all_or_nothing);
	tcase_add_test(tc, fold_zoomed);
	tcase_add_test(tc, fold_stale);
	tcase_add_test(tc, fold_sparse_16_tib);
	tcase_add_test(tc, fitting_fold);
	return tc;
}

UNIT_MAIN("pagemon screen layout", tc_flat, tc_fold)
