// SPDX-License-Identifier: GPL-2.0-or-later
/* Signs of cells against counts of the runs of a pass. */
#include "pages/cells.h"
#include "pages/counts.h"
#include "pagemon_reader_rig.h"

enum { ROWS = 24, WIDTH = 63 };

static struct cells *cells;
static struct cells_row rows[ROWS];

static void setup(void)
{
	known_target();
	ck_assert_int_eq(cells_new(&cells), 0);
}

static void teardown(void)
{
	cells_free(cells);
	rig_free(&runs);
	rig_stop();
}

static void flat_rows(uint64_t first, uint64_t zoom)
{
	for (size_t i = 0; i < ROWS; i++) {
		uint64_t at = first + i * WIDTH * zoom, end = at + WIDTH * zoom;

		rows[i].first = at < rig.space.pages ? at : rig.space.pages;
		rows[i].end = end < rig.space.pages ? end : rig.space.pages;
	}
}

static void view(uint64_t zoom)
{
	ck_assert_int_eq(cells_view(cells, rows, ROWS, WIDTH, zoom), 0);
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

/* The sign of n pages by their counts. */
static char sign_by_counts(const struct counts *c, uint64_t n)
{
	const struct {
		uint64_t pages;
		char all, some;
	} order[] = {{c->swapped, 'S', 's'}, {c->dirty, 'D', 'd'}, {c->huge, 'H', 'h'},
		{c->file, 'M', 'm'}, {c->present - c->zero, 'P', 'p'},
		{c->zero, 'Z', 'z'}, {c->guard, 'G', 'g'}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(order); i++)
		if (order[i].pages)
			return order[i].pages >= n ? order[i].all : order[i].some;
	return '.';
}

static char sign_of(uint64_t first, uint64_t end)
{
	struct counts c = {0};

	if (first >= end)
		return CELL_NONE;
	for (size_t i = 0; i < runs.n; i++) {
		uint64_t from = runs.run[i].first, to = from + runs.run[i].n;

		from = from > first ? from : first;
		to = to < end ? to : end;
		if (from < to)
			counts_add(&c, to - from, runs.run[i].categories);
	}
	return sign_by_counts(&c, end - first);
}

static void check_signs(uint64_t zoom)
{
	for (size_t row = 0; row < ROWS; row++) {
		const char *signs = cells_signs(cells, row);

		for (uint64_t i = 0; i < WIDTH; i++) {
			uint64_t first = rows[row].first + i * zoom, end = first + zoom;
			char want =
				sign_of(first, end < rows[row].end ? end : rows[row].end);

			ck_assert_msg(signs[i] == want,
				"zoom %llu, row %zu, cell %llu: %c not %c",
				(unsigned long long)zoom, row, (unsigned long long)i,
				signs[i], want);
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
		n++;
	}
	while (n < ROWS)
		rows[n++] = (struct cells_row){rig.space.pages, rig.space.pages};
	view(zoom);
	walk(1);
	check_signs(zoom);
}
END_TEST

static char before[ROWS][WIDTH]; /* the signs */

static void keep_signs(void)
{
	for (size_t row = 0; row < ROWS; row++)
		memcpy(before[row], cells_signs(cells, row), WIDTH);
	cells_seen(cells);
}

static size_t nchanged(void)
{
	size_t n = 0;

	for (size_t row = 0; row < ROWS; row++)
		for (size_t i = 0; i < WIDTH; i++)
			n += cells_signs(cells, row)[i] != before[row][i];
	return n;
}

START_TEST(unknown_until_walked)
{
	const uint64_t zoom = rig.space.pages / (ROWS * WIDTH) + 5;

	if (!use(PASS_READ))
		return;
	flat_rows(0, zoom);
	view(zoom);
	ck_assert_int_eq(cells_signs(cells, 0)[0], CELL_UNKNOWN);
	ck_assert_int_eq(cells_signs(cells, ROWS - 1)[WIDTH - 1], CELL_NONE);
	ck_assert(cells_progress(cells) == 0);
	ck_assert(cells_any_changed(cells));
	cells_seen(cells);
	ck_assert(!cells_any_changed(cells));
	ck_assert_uint_gt(walk(1), 3);
	ck_assert_ptr_null(memchr(cells_signs(cells, 0), CELL_UNKNOWN, ROWS * WIDTH));
	ck_assert(cells_any_changed(cells));
	view(zoom); /* is what it was */
	ck_assert_int_ne(cells_signs(cells, 0)[0], CELL_UNKNOWN);
	view(zoom + 1);
	ck_assert_int_eq(cells_signs(cells, 0)[0], CELL_UNKNOWN);
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
	size_t row = (size_t)(page / zoom) / WIDTH, i = (size_t)(page / zoom) % WIDTH;

	walk(UINT64_MAX);
	ck_assert(cells_any_changed(cells));
	ck_assert_uint_eq(nchanged(), 1);
	ck_assert_int_ne(before[row][i], sign);
	ck_assert_int_eq(cells_signs(cells, row)[i], sign);
	keep_signs();
	ck_assert(!cells_any_changed(cells));
}

START_TEST(only_what_changed)
{
	static const uint64_t some[] = {1, 4};

	cells_free(cells);
	rig_stop();
	map_known();
	rig_start(toggle);
	rig_leave_out_large();
	ck_assert_int_eq(cells_new(&cells), 0);
	if (!use(_i ? PASS_READ : PASS_SCAN))
		return;
	for (size_t i = 0; i < SM_ARRAY_SIZE(some); i++) {
		flat_rows(space_ordinal(&rig.space, (uintptr_t)known_at), some[i]);
		view(some[i]);
		walk(UINT64_MAX);
		keep_signs();
		walk(UINT64_MAX);
		ck_assert(!cells_any_changed(cells));
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
	while (memchr(cells_signs(cells, 0), CELL_UNKNOWN, ROWS * WIDTH)) {
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
	ck_assert_int_eq(cells_signs(cells, 0)[0], CELL_NONE);
}
END_TEST

static TCase *all(void)
{
	TCase *tc = tcase_create("cells");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, every_zoom, 0, 2);
	tcase_add_loop_test(tc, folded_rows, 0, 2);
	tcase_add_test(tc, unknown_until_walked);
	tcase_add_loop_test(tc, only_what_changed, 0, 2);
	tcase_add_loop_test(tc, target_ends, 0, 2);
	tcase_add_test(tc, mappings_change);
	tcase_add_test(tc, nothing_visible);
	return tc;
}

UNIT_MAIN("cells", all)
