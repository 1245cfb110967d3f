// SPDX-License-Identifier: GPL-2.0-or-later
/* Signs of cells against counts of the runs of a pass. */
#include "pages/cells.h"
#include "pages/sign.h"
#include "pages/counts.h"
#include "pagemon_reader_rig.h"

enum { ROWS = 24, WIDTH = 63 };

static struct cells the_cells, *cells = &the_cells;
static struct cells_span rows[ROWS];

static void setup(void)
{
	known_target();
	ck_assert_int_eq(cells_init(cells), 0);
}

static void teardown(void)
{
	cells_fini(cells);
	rig_free(&runs);
	rig_stop();
}

static void flat_rows(uint64_t first, uint64_t zoom)
{
	for (size_t i = 0; i < ROWS; i++) {
		uint64_t at = first + i * WIDTH * zoom, end = at + WIDTH * zoom;

		rows[i].first = at < rig.space.pages ? at : rig.space.pages;
		rows[i].end = end < rig.space.pages ? end : rig.space.pages;
		rows[i].cell = i * WIDTH;
	}
}

static void view(uint64_t zoom)
{
	ck_assert_int_eq(cells_view(cells, rows, ROWS, ROWS * WIDTH, zoom), 0);
}

static unsigned int walk(uint64_t budget_ns)
{
	unsigned int steps = 1;
	int more;

	while ((more = cells_step(cells, &reader, &rig.space, budget_ns)) == 1)
		steps++;
	ck_assert_int_eq(more, 0);
	ck_assert(cells_progress(cells) == 1);
	return steps;
}

/* Letter and step, such as "P8"; the letter is in lower case if not all pages have the
 * kind. */
static const char *text_of(char letter, uint64_t pages, uint64_t n)
{
	static char text[3];

	text[0] = (char)(pages == n ? letter : letter | 0x20);
	text[1] = (char)('0' + (pages == n ? 8 : 1 + pages * 7 / n));
	return text;
}

/* Returns the sign of n pages by the runs of a pass. */
static const char *expected(uint64_t first, uint64_t end)
{
	static const char letters[] = "SDHMPZG";
	uint64_t n[7] = {0}, most = 0;

	if (first >= end)
		return "~8";
	for (size_t i = 0; i < runs.n; i++) {
		uint64_t from = runs.run[i].first, to = from + runs.run[i].n;
		uint64_t c = runs.run[i].categories;

		from = from > first ? from : first;
		to = to < end ? to : end;
		if (from < to)
			n[c & SM_PAGE_SWAPPED		 ? 0
				: c & SM_PAGE_SOFT_DIRTY ? 1
				: c & SM_PAGE_HUGE	 ? 2
				: c & SM_PAGE_FILE	 ? 3
				: c & SM_PAGE_ZERO	 ? 5
				: c & SM_PAGE_PRESENT	 ? 4
							 : 6] += to - from;
	}
	for (unsigned int i = 0; i < 2; i++)
		if (n[i])
			return text_of(letters[i], n[i], end - first);
	for (unsigned int i = 2; i < 7; i++)
		most = n[i] > most ? n[i] : most;
	for (unsigned int i = 2; i < 7; i++)
		if (most && n[i] == most)
			return text_of(letters[i], most, end - first);
	return ".8";
}

static const char *shown(size_t cell)
{
	static char text[3];
	unsigned char sign = cells->signs[cell];

	text[0] = sign_letter(sign);
	text[1] = (char)('0' + sign_step(sign));
	return text;
}

static void check_signs(uint64_t zoom)
{
	for (size_t row = 0; row < ROWS; row++) {
		for (uint64_t i = 0; i < WIDTH; i++) {
			uint64_t first = rows[row].first + i * zoom, end = first + zoom;
			const char *want = expected(
				first, end < rows[row].end ? end : rows[row].end);

			ck_assert_msg(strcmp(shown(row * WIDTH + i), want) == 0,
				"zoom %llu, row %zu, cell %llu: %s not %s",
				(unsigned long long)zoom, row, (unsigned long long)i,
				shown(row * WIDTH + i), want);
		}
	}
}

static const uint64_t zooms[] = {1, 2, 3, 7, 64, 511, 512, 100000, UINT64_C(1) << 40};

START_TEST(every_zoom)
{
	enum pass_method method = _i ? PASS_READ : PASS_SCAN;

	if (!use(method))
		return;
	rig_walk(&runs, &reader, 0, UINT64_MAX, false, 1000, NULL);
	for (size_t i = 0; i < SM_ARRAY_SIZE(zooms); i++) {
		uint64_t step = ROWS * WIDTH * zooms[i];

		for (uint64_t first = 0; first < rig.space.pages; first += step) {
			flat_rows(first, zooms[i]);
			view(zooms[i]);
			walk(1);
			check_signs(zooms[i]);
		}
	}
}
END_TEST

/* Rows that begin at mappings, some short, some without pages. */
START_TEST(folded_rows)
{
	enum pass_method method = _i ? PASS_READ : PASS_SCAN;
	const uint64_t zoom = 3;
	size_t n = 0;

	if (!use(method))
		return;
	rig_walk(&runs, &reader, 0, UINT64_MAX, false, 1000, NULL);
	for (size_t m = 0; m < rig.space.n && n < ROWS; m++) {
		const struct mapping *v = &rig.space.mappings[m];
		uint64_t pages = mapping_pages(&rig.space, v);

		rows[n].first = v->first;
		rows[n].end = v->first + (pages < WIDTH * zoom ? pages : WIDTH * zoom);
		if (n % 5 == 4)
			rows[n].end = rows[n].first;
		rows[n].cell = n * WIDTH;
		n++;
	}
	while (n < ROWS)
		rows[n++] = (struct cells_span){rig.space.pages, rig.space.pages, 0};
	view(zoom);
	walk(1);
	check_signs(zoom);
}
END_TEST

static unsigned char before[ROWS * WIDTH]; /* the signs */

static void keep_signs(void)
{
	memcpy(before, cells->signs, sizeof(before));
	cells->any_changed = false;
}

static size_t nchanged(void)
{
	size_t n = 0;

	for (size_t i = 0; i < ROWS * WIDTH; i++)
		n += cells->signs[i] != before[i];
	return n;
}

START_TEST(unknown_until_walked)
{
	const uint64_t zoom = rig.space.pages / (ROWS * WIDTH) + 5;

	if (!use(PASS_READ))
		return;
	flat_rows(0, zoom);
	view(zoom);
	ck_assert_int_eq(cells->signs[0], CELL_UNKNOWN);
	ck_assert_int_eq(cells->signs[ROWS * WIDTH - 1], CELL_NONE);
	ck_assert(cells_progress(cells) == 0);
	ck_assert(cells->any_changed);
	cells->any_changed = false;
	ck_assert(!cells->any_changed);
	ck_assert_uint_gt(walk(1), 3);
	ck_assert_ptr_null(memchr(cells->signs, CELL_UNKNOWN, ROWS * WIDTH));
	ck_assert(cells->any_changed);
	view(zoom); /* is what it was */
	ck_assert_int_ne(cells->signs[0], CELL_UNKNOWN);
	view(zoom + 1);
	ck_assert_int_eq(cells->signs[0], CELL_UNKNOWN);
}
END_TEST

/* The child makes the page anew, and frees it. */
static void toggle(char what)
{
	if (what == '0')
		fill_known(what);
	if (what == 't')
		touch(known_at + 12 * PAGE, 1);
	if (what == 'f')
		madvise(known_at + 12 * PAGE, PAGE, MADV_DONTNEED);
}

static void check_changed(uint64_t zoom, char sign)
{
	uint64_t page = space_ordinal(&rig.space, (uintptr_t)known_at + 12 * PAGE) -
			rows[0].first;
	size_t at = (size_t)(page / zoom);

	walk(UINT64_MAX);
	ck_assert(cells->any_changed);
	ck_assert_uint_eq(nchanged(), 1);
	ck_assert_int_ne(sign_letter(before[at]), sign);
	ck_assert_int_eq(sign_letter(cells->signs[at]), sign);
	keep_signs();
	ck_assert(!cells->any_changed);
}

START_TEST(only_what_changed)
{
	static const uint64_t some[] = {1, 4};

	cells_fini(cells);
	rig_stop();
	map_known();
	rig_start(toggle);
	rig_leave_out_large();
	ck_assert_int_eq(cells_init(cells), 0);
	if (!use(_i ? PASS_READ : PASS_SCAN))
		return;
	for (size_t i = 0; i < SM_ARRAY_SIZE(some); i++) {
		flat_rows(space_ordinal(&rig.space, (uintptr_t)known_at), some[i]);
		view(some[i]);
		walk(UINT64_MAX);
		keep_signs();
		walk(UINT64_MAX);
		ck_assert(!cells->any_changed);
		rig_tell('t');
		check_changed(some[i], some[i] == 1 ? 'P' : 'p');
		rig_tell('f');
		check_changed(some[i], '.');
	}
}
END_TEST

START_TEST(target_ends)
{
	if (!use(_i ? PASS_READ : PASS_SCAN))
		return;
	flat_rows(0, 1);
	view(1);
	walk(UINT64_MAX);
	kill(rig.pid, SIGKILL);
	waitpid(rig.pid, NULL, 0);
	ck_assert_int_eq(cells_step(cells, &reader, &rig.space, UINT64_MAX), -ESRCH);
	flat_rows(0, 64);
	view(64);
	ck_assert_int_eq(cells_step(cells, &reader, &rig.space, UINT64_MAX), -ESRCH);
}
END_TEST

/* Another list, as long as the walk lasts: it goes on with the rows that were not walked,
 * and then comes round. */
START_TEST(mappings_change)
{
	unsigned int steps = 0, all;

	if (!use(PASS_READ))
		return;
	flat_rows(0, 49);
	view(49);
	all = walk(1);
	rig_walk(&runs, &reader, 0, UINT64_MAX, false, 1000, NULL);
	flat_rows(0, 50);
	view(50);
	while (memchr(cells->signs, CELL_UNKNOWN, ROWS * WIDTH)) {
		int more = cells_step(cells, &reader, &rig.space, 1);

		ck_assert_int_ge(more, 0);
		if (++steps % (all - 2) == 0)
			rig.space.generation++;
		ck_assert_uint_lt(steps, 10000);
	}
	walk(1);
	check_signs(50);
}
END_TEST

/* Spans that are near each other are walked together, and pages between them ignored. */
START_TEST(spans_with_gaps)
{
	const uint64_t zoom = 3;

	if (!use(_i ? PASS_READ : PASS_SCAN))
		return;
	rig_walk(&runs, &reader, 0, UINT64_MAX, false, 1000, NULL);
	for (size_t i = 0; i < ROWS; i++) {
		uint64_t first = i * rig.space.pages / ROWS;
		uint64_t n = i % 3 == 0 ? 1 : WIDTH * zoom;

		if (n > rig.space.pages / ROWS)
			n = rig.space.pages / ROWS;
		rows[i] = (struct cells_span){first, first + n, i * WIDTH};
	}
	view(zoom);
	walk(1);
	check_signs(zoom);
}
END_TEST

START_TEST(nothing_visible)
{
	if (!use(PASS_READ))
		return;
	ck_assert_int_eq(cells_step(cells, &reader, &rig.space, 1), 0);
	ck_assert_int_eq(cells_view(cells, rows, 0, WIDTH, 1), 0);
	ck_assert_int_eq(cells_step(cells, &reader, &rig.space, 1), 0);
	flat_rows(rig.space.pages, 1);
	view(1);
	walk(1);
	ck_assert_int_eq(cells->signs[0], CELL_NONE);
}
END_TEST

static TCase *all(void)
{
	TCase *tc = tcase_create("cells");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, every_zoom, 0, 2);
	tcase_add_loop_test(tc, folded_rows, 0, 2);
	tcase_add_loop_test(tc, spans_with_gaps, 0, 2);
	tcase_add_test(tc, unknown_until_walked);
	tcase_add_loop_test(tc, only_what_changed, 0, 2);
	tcase_add_loop_test(tc, target_ends, 0, 2);
	tcase_add_test(tc, mappings_change);
	tcase_add_test(tc, nothing_visible);
	return tc;
}

UNIT_MAIN("cells", all)
