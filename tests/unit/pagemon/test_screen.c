// SPDX-License-Identifier: GPL-2.0-or-later
#include "pagemon_screen_rig.h"

#define DOTS63	 "..............................................................."
#define TILDES63 "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"

static uint64_t cursor_at(void)
{
	return scr->cursor;
}

/* --- the page view ------------------------------------------------------------------ */

START_TEST(rows)
{
	char want[100];

	add_map(EMPTY, 100, "");
	add_map(EMPTY + 0x100000, 30, "[heap]");
	draw();
	check_row(1, "0000200000000000 " DOTS63);
	check_row(2, "000020000003f000 " DOTS63);
	snprintf(want, sizeof(want), "0000200000119000 %.5s%.58s", DOTS63, TILDES63);
	/* 126 = 100 + 26 pages before the third row */
	snprintf(want, sizeof(want), "000020000011a000 %.4s%.59s", DOTS63, TILDES63);
	check_row(3, want);
	check_row(4, "---------------- " TILDES63);
	check_row(22, "---------------- " TILDES63);
	ck_assert_int_eq(strncmp(rig_row(23), "1 cell = 4 KiB  . none P RAM", 28), 0);
}
END_TEST

START_TEST(title)
{
	struct mapping *m = add_map(EMPTY, 100, "/usr/lib/a library.so (deleted)");

	m->dev_major = 259;
	m->dev_minor = 2;
	draw();
	check_row(0, "Pagemon 0x0000200000000000 Zoom x 1   rw-p 103:02 "
		     "/usr/\xe2\x80\xa6"
		     "deleted) PID 4242   0.0%");
	teardown();
	open_screen(132, 43);
	add_map(EMPTY, 100, "/usr/lib/a library.so (deleted)");
	draw();
	check_row(0, "Pagemon 0x0000200000000000 Zoom x 1   rw-p 00:00 "
		     "/usr/lib/a library.so (deleted) PID 4242   0.0%");
}
END_TEST

/* What is there, and its totals. */
START_TEST(signs)
{
	char *at = own_pages(8);

	touch(at, 0);
	touch(at, 1);
	(void)*(volatile char *)(at + 3 * PAGE);
	add_map((uintptr_t)at, 8, "");
	count();
	draw();
	ck_assert_int_eq(strncmp(rig_row(1) + 17, "PP.Z....~~", 10), 0);
	ck_assert_ptr_nonnull(strstr(rig_row(0), " P 12K M 0"));
	ck_assert_int_eq(PAIR_NUMBER(rig_attr(1, 18)), SM_TUI_MAP_1);
	ck_assert_uint_eq(rig_attr(1, 17) & A_REVERSE, A_REVERSE); /* the cursor */
	ck_assert_uint_eq(rig_attr(1, 18) & A_REVERSE, 0);
	type("z");
	ck_assert_int_eq(strncmp(rig_row(1) + 17, "Pz..~~", 6), 0);
	type("z");
	/* P is a block of its colour; Z has no colour */
	ck_assert_int_eq(strncmp(rig_row(1) + 17, "\xe2\x96\x85z.~~", 7), 0);
	ck_assert_int_eq(PAIR_NUMBER(rig_attr(1, 17)), SM_TUI_MAP_1_PART);
	ck_assert_ptr_nonnull(
		strstr(rig_row(23), "\xe2\x96\x81\xe2\x96\x87 part P RAM M File S"));
	ck_assert_ptr_nonnull(strstr(rig_row(23), "1 cell = 12 KiB"));
}
END_TEST

static bool is_bold(int column)
{
	return rig_attr(1, column) & A_BOLD;
}

/* For a second; a cell that comes on the screen has not changed. */
START_TEST(changed_cells)
{
	char *at = own_pages(8);

	touch(at, 0);
	add_map((uintptr_t)at, 8, "");
	draw();
	ck_assert(!is_bold(17) && !is_bold(19));
	touch(at, 2);
	draw_later(100);
	ck_assert_int_eq(strncmp(rig_row(1) + 17, "P.P.", 4), 0);
	ck_assert(!is_bold(17) && is_bold(19) && !is_bold(20));
	draw_later(900);
	ck_assert(is_bold(19));
	draw_later(100);
	ck_assert(!is_bold(19));
	touch(at, 4);
	type("z");
	ck_assert(!is_bold(19));
}
END_TEST

START_TEST(nothing_is_sent_when_nothing_changes)
{
	char *at = own_pages(2000);

	touch(at, 1);
	add_map((uintptr_t)at, 2000, "");
	count();
	type("\tvp"); /* with all windows */
	draw_later(2000);
	rig_forget();
	for (int i = 0; i < 5; i++)
		draw_later(100);
	ck_assert_uint_eq(rig.out_n, 0);
	touch(at, 1000);
	draw_later(100);
	ck_assert_uint_gt(rig.out_n, 0);
	ck_assert_uint_lt(rig.out_n, 100);
}
END_TEST

START_TEST(not_scanned_yet)
{
	add_map(EMPTY, 100, "");
	in.cells = NULL;
	draw();
	ck_assert_int_eq(strncmp(rig_row(1) + 17, "????????????????????", 20), 0);
	ck_assert_int_eq(strncmp(rig_row(2) + 17, "?????", 5), 0);
}
END_TEST

START_TEST(no_mappings)
{
	draw();
	check_row(1, "---------------- " TILDES63);
	type(UP DOWN LEFT RIGHT PGUP PGDN HOME END "z]e\t{}nmm");
	ck_assert_int_eq(strncmp(rig_row(0), "Pagemon Zoom", 12), 0);
}
END_TEST

/* --- the cursor --------------------------------------------------------------------- */

START_TEST(arrows)
{
	add_map(EMPTY, 10000, "");
	draw();
	type(RIGHT RIGHT);
	ck_assert_uint_eq(cursor_at(), 2);
	ck_assert_int_eq(strncmp(rig_row(0), "Pagemon 0x0000200000002000", 26), 0);
	type(LEFT LEFT LEFT);
	ck_assert_uint_eq(cursor_at(), 0);
	type(DOWN LEFT); /* around the row's end */
	ck_assert_uint_eq(cursor_at(), 62);
	type(RIGHT);
	ck_assert_uint_eq(cursor_at(), 63);
	type(UP);
	ck_assert_uint_eq(cursor_at(), 0);
	type(UP);
	ck_assert_uint_eq(cursor_at(), 0);
	type(PGDN);
	ck_assert_uint_eq(cursor_at(), 11 * 63);
	ck_assert_uint_eq(scr->top, 11);
	type(PGUP);
	ck_assert_uint_eq(cursor_at(), 0);
	ck_assert_uint_eq(scr->top, 0);
	type(END);
	ck_assert_uint_eq(cursor_at(), 9999);
	ck_assert_uint_eq(scr->top, 10000 / 63 + 1 - 22);
	type(RIGHT DOWN);
	ck_assert_uint_eq(cursor_at(), 9999);
	type(HOME);
	ck_assert_uint_eq(cursor_at(), 0);
}
END_TEST

/* The column is kept behind a row that is shorter. */
START_TEST(column_is_kept)
{
	add_map(EMPTY, 63 + 5, "");
	draw();
	for (int i = 0; i < 20; i++)
		type(RIGHT);
	type(DOWN);
	ck_assert_uint_eq(cursor_at(), 67);
	type(UP);
	ck_assert_uint_eq(cursor_at(), 20);
}
END_TEST

START_TEST(scrolling)
{
	add_map(EMPTY, 10000, "");
	draw();
	for (int i = 0; i < 21; i++)
		type(DOWN);
	ck_assert_uint_eq(scr->top, 0);
	type(DOWN);
	ck_assert_uint_eq(scr->top, 1);
	check_row(1, "000020000003f000 " DOTS63);
	type(UP);
	ck_assert_uint_eq(scr->top, 1);
}
END_TEST

/* Another mapping before it: the page, and its line, stay. */
START_TEST(mappings_change)
{
	add_map(EMPTY, 10000, "");
	draw();
	type(PGDN DOWN DOWN);
	ck_assert_uint_eq(cursor_at(), 13 * 63);
	ck_assert_uint_eq(scr->line, 2);
	space.n = 0;
	space.pages = 0;
	add_map(EMPTY - 0x1000000, 500, "");
	add_map(EMPTY, 10000, "");
	draw();
	ck_assert_uint_eq(cursor_at(), 500 + 13 * 63);
	ck_assert_uint_eq(scr->line, 2);
	ck_assert_int_eq(strncmp(rig_row(0), "Pagemon 0x0000200000333000", 26), 0);
	space.n = 1;
	space.pages = 500;
	space.generation++;
	draw(); /* its page is gone */
	ck_assert_uint_eq(cursor_at(), 499);
	space.n = 0;
	space.pages = 0;
	space.generation++;
	draw();
	check_row(1, "---------------- " TILDES63);
}
END_TEST

START_TEST(clicks)
{
	add_map(EMPTY, 10000, "");
	draw();
	type("\x1b[<0;27;4M"); /* column 26, row 3 */
	ck_assert_uint_eq(cursor_at(), 2 * 63 + 9);
	type("\x1b[<0;3;4M"); /* the address */
	ck_assert_uint_eq(cursor_at(), 2 * 63 + 9);
	type("\x1b[<65;3;4M");
	ck_assert_uint_eq(cursor_at(), 5 * 63 + 9);
	ck_assert_uint_eq(scr->top, 3);
	type("\t\x1b[<0;27;4M"); /* a window is there */
	ck_assert_uint_eq(cursor_at(), 5 * 63 + 9);
}
END_TEST

START_TEST(clicks_in_the_list)
{
	add_map(EMPTY, 10, "");
	add_map(EMPTY + 20 * PAGE, 5, "");
	draw();
	type("m");
	type("\x1b[<0;27;4M"); /* the second row */
	ck_assert_int_eq(scr->view, VIEW_MAPPINGS);
	ck_assert_uint_eq(cursor_at(), 0);
	type("\x1b[<0;18;2M"); /* Size */
	ck_assert_int_eq(strncmp(rig_row(2), "0000200000000000   40K", 22), 0);
	type("\x1b[<0;27;4M"); /* still selected */
	ck_assert_int_eq(scr->view, VIEW_MAP);
	ck_assert_uint_eq(cursor_at(), 10);
}
END_TEST

/* --- zoom --------------------------------------------------------------------------- */

static bool shows_cursor(void)
{
	uint64_t row = layout_cell_of(&scr->layout, scr->cursor) / scr->map_cells;

	return row >= scr->top && row < scr->top + scr->map_lines;
}

START_TEST(zoom_keeps_the_page)
{
	add_map(EMPTY, 1000000, "");
	draw();
	type(END "{" PGDN PGDN PGDN RIGHT);
	for (int i = 0; i < 60; i++) {
		uint64_t cursor = cursor_at();

		type(i < 30 ? "+" : "-");
		ck_assert_uint_eq(cursor_at(), cursor);
		ck_assert(shows_cursor());
	}
	ck_assert_uint_eq(scr->set.zoom, 1);
	type("zz");
	ck_assert_ptr_nonnull(strstr(rig_row(0), "Zoom x 3 "));
	type("Z-");
	ck_assert_ptr_nonnull(strstr(rig_row(0), "Zoom x 1 "));
	type("]");
	ck_assert_uint_eq(scr->set.zoom, 999);
	type("[");
	ck_assert_uint_eq(scr->set.zoom, 1);
	type("---");
	ck_assert_uint_eq(scr->set.zoom, 1);
}
END_TEST

START_TEST(auto_zoom)
{
	add_map(EMPTY, 1000000, "");
	draw();
	type("a");
	ck_assert_uint_eq(scr->set.zoom, (1000000 + 63 * 22 - 1) / (63 * 22));
	ck_assert_ptr_nonnull(strstr(rig_row(0), "Zoom x 722 Auto"));
	ck_assert_int_ne(strncmp(rig_row(22), "----", 4), 0);
	add_map(2 * EMPTY, 1000000, "");
	draw();
	ck_assert_uint_eq(scr->set.zoom, (2000000 + 63 * 22 - 1) / (63 * 22));
	type("+");
	ck_assert(!scr->set.auto_zoom);
	type("AA");
	ck_assert(!scr->set.auto_zoom);
}
END_TEST

START_TEST(zoom_of_16_tib)
{
	char more[201] = {0};

	add_map(EMPTY, UINT64_C(1) << 32, "");
	draw();
	type("]" END);
	ck_assert_uint_eq(scr->set.zoom, ((UINT64_C(1) << 32) + 1385) / 1386);
	ck_assert_uint_eq(scr->top, 0);
	ck_assert_ptr_nonnull(strstr(rig_row(23), "1 cell = 11.8 GiB"));
	memset(more, '+', sizeof(more) - 1);
	type(more);
	ck_assert_uint_eq(scr->set.zoom, LAYOUT_ZOOM_MAX);
	ck_assert_int_eq(strncmp(rig_row(1) + 17, ".~~~~", 5), 0);
}
END_TEST

/* --- compact ------------------------------------------------------------------------ */

#define BAR  "\xe2\x94\x82"
#define LINE "\xe2\x94\x80"

START_TEST(compact)
{
	char *at = own_pages(200);
	uint64_t start = (uintptr_t)at;
	char want[200];

	touch(at, 70);
	touch(at, 72);
	touch(at, 199);
	add_map(0x10000, 16, "[low]");
	add_map(start, 200, "");
	draw();
	type("e");
	ck_assert(scr->want.populated);
	check_row(1, "0000000000010000 " DOTS63); /* not known yet */
	read_all(step_there);
	draw();
	snprintf(
		want, sizeof(want), "0000000000010000 " BAR "P.P" BAR "P%.57s", TILDES63);
	check_row(1, want);
	ck_assert_int_eq(strncmp(rig_row(2), "----", 4), 0);
	ck_assert_ptr_nonnull(strstr(rig_row(23), " " BAR " gap . none P RAM"));
	snprintf(want, sizeof(want), "Pagemon 0x0000000000010000 gap ");
	ck_assert_int_eq(strncmp(rig_row(0), want, strlen(want)), 0);
	type(RIGHT);
	ck_assert_uint_eq(cursor_at(), 16 + 70);
	snprintf(want, sizeof(want), "Pagemon 0x%016llx after gap ",
		(unsigned long long)start + 70 * PAGE);
	ck_assert_int_eq(strncmp(rig_row(0), want, strlen(want)), 0);
	type(RIGHT);
	ck_assert_ptr_null(strstr(rig_row(0), "gap"));
	type(RIGHT RIGHT);
	ck_assert_ptr_nonnull(strstr(rig_row(0), " gap 504K Zoom"));
	ck_assert_uint_eq(cursor_at(), 16 + 73);
	ck_assert_uint_eq(rig_attr(1, 21) & A_REVERSE, A_REVERSE);
	type(RIGHT RIGHT);
	ck_assert_uint_eq(cursor_at(), 16 + 199);
	type(LEFT LEFT);
	ck_assert_uint_eq(cursor_at(), 16 + 72);
	type("e");
	ck_assert_int_eq(strncmp(rig_row(1) + 17, "........", 8), 0);
	ck_assert_uint_eq(cursor_at(), 16 + 72);
}
END_TEST

/* Returns pages whose address is a multiple of 64 pages. */
static char *aligned_pages(unsigned int pages)
{
	char *at = own_pages(pages + 64);

	return at + (64 - (uintptr_t)at / PAGE % 64) % 64 * PAGE;
}

static void touch_n(char *at, unsigned int from, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		touch(at, from + i);
}

/* Cells with one to eight populated pages of eight. */
START_TEST(eight_steps)
{
	static const struct {
		bool color, utf8;
		const char *cells, *legend;
	} t[] = {
		{true, true, "▁▂▃▄▅▆▇P", "▁▇ part P RAM"},
		{false, true, "p▂▃▄▅▆▇P", "▁▇ part P RAM"},
		{true, false, ",:-=+*#P", ",# part P RAM"},
		{false, false, "p:-=+*#P", ",# part P RAM"},
	};
	char *at = aligned_pages(64);

	for (unsigned int i = 0; i < 8; i++)
		touch_n(at, i * 8, i + 1);
	add_map((uintptr_t)at, 64, "");
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		scr->base.tui.color = t[i].color;
		scr->base.tui.utf8 = scr->base.tui.blocks = t[i].utf8;
		scr->set.zoom = 8;
		draw();
		ck_assert_msg(
			strncmp(rig_row(1) + 17, t[i].cells, strlen(t[i].cells)) == 0,
			"%zu: %s", i, rig_row(1));
		ck_assert_ptr_nonnull(strstr(rig_row(23), t[i].legend));
	}
}
END_TEST

/* Without colour, a letter names the state where it changes, also after a gap. */
START_TEST(letters_without_color)
{
	char *at = aligned_pages(256);

	touch_n(at, 0, 3);
	touch_n(at, 8, 4);
	touch_n(at, 64, 2);
	touch_n(at, 80, 2);
	(void)*(volatile char *)(at + 88 * PAGE);
	(void)*(volatile char *)(at + 96 * PAGE);
	scr->base.tui.color = false;
	add_map((uintptr_t)at, 104, "");
	draw();
	type("e");
	scr->set.zoom = 8;
	read_all(step_there);
	draw();
	ck_assert_int_eq(strncmp(rig_row(1) + 17, "p▄│▂.▂z▁~", strlen("p▄│▂.▂z▁~")), 0);
}
END_TEST

static uint64_t overview(char *at, unsigned int pages)
{
	add_map(0x10000, 16, "[low]");
	add_map((uintptr_t)at, pages, "");
	draw();
	type("a");
	read_all(step_there);
	draw();
	ck_assert(scr->set.fold && scr->set.auto_zoom);
	ck_assert_uint_le(scr->layout.rows, 22);
	return scr->set.zoom;
}

/* Populated pages fill the screen, whatever the size of reserved memory; the cursor stays
 * at its address while the process grows. */
START_TEST(overview_fills_the_screen)
{
	const uint64_t reserved = UINT64_C(1) << 32;
	char *at = aligned_pages(6000);

	for (unsigned int i = 0; i < 30; i++)
		touch_n(at, i * 100, 70);
	ck_assert_uint_eq(overview(at, 6000), 2);
	ck_assert_uint_gt(scr->layout.rows, 11);
	space.n = space.pages = 0;
	add_map(0x10000, 16, "[low]");
	add_map(EMPTY, reserved, ""); /* 16 TiB without pages */
	add_map((uintptr_t)at, 6000, "");
	draw();
	ck_assert_uint_eq(scr->set.zoom, 2);
	type("g");
	snprintf(scr->prompt.text, sizeof(scr->prompt.text), "%llx",
		(unsigned long long)(uintptr_t)at + 210 * PAGE);
	type("\r");
	ck_assert_uint_eq(scr->cursor_address, (uintptr_t)at + 210 * PAGE);
	touch_n(at, 70, 20); /* the gap before it, and more after it */
	touch_n(at, 3000, 1000);
	read_all(step_there);
	draw();
	ck_assert_uint_eq(scr->cursor_address, (uintptr_t)at + 210 * PAGE);
	ck_assert(shows_cursor());
	type("a");
	ck_assert(scr->set.fold && !scr->set.auto_zoom);
}
END_TEST

/* The largest gap ends its row with its size; up and down pass it. */
START_TEST(gap_in_a_row)
{
	char *at = aligned_pages(300);
	char text[100];

	touch_n(at, 0, 300);
	add_map(0x10000, 16, "[low]");
	add_map((uintptr_t)at, 300, "");
	draw();
	type("e");
	read_all(step_there);
	ranges.populated.ranges[1] = ranges.populated.ranges[0];
	ranges.populated.ranges[0] = (struct space_range){0x10000, 0x20000};
	ranges.populated.n = 2;
	ranges.populated.generation++;
	draw();
	ck_assert_int_eq(
		strncmp(rig_row(1), "0000000000010000 ................" LINE " gap ",
			17 + 16 + 3 + 5),
		0);
	snprintf(text, sizeof(text), "%016llx PPPP", (unsigned long long)(uintptr_t)at);
	ck_assert_int_eq(strncmp(rig_row(2), text, strlen(text)), 0);
	type(DOWN);
	ck_assert_uint_eq(cursor_at(), 16);
	ck_assert_ptr_nonnull(strstr(rig_row(0), " after gap "));
	type(LEFT);
	ck_assert_uint_eq(cursor_at(), 15);
	type("\x1b[<0;60;2M"); /* in the gap */
	ck_assert_uint_eq(cursor_at(), 16);
	for (int i = 0; i < 40; i++)
		type(RIGHT);
	type(UP); /* the gap is above it */
	ck_assert_uint_eq(cursor_at(), 15);
	type(DOWN PGDN PGUP HOME END ",");
	ck_assert_uint_eq(cursor_at(), 315);
}
END_TEST

/* In 40 columns, what steps and gaps are is there as well. */
START_TEST(legend_of_40_columns)
{
	char *at = aligned_pages(256);

	teardown();
	open_screen(40, 12);
	touch_n(at, 0, 3);
	touch_n(at, 100, 3);
	add_map((uintptr_t)at, 256, "");
	draw();
	type("ez");
	read_all(step_there);
	draw();
	check_row(11, "8K ▁▇ part │ gap P RAM M File S Swap");
}
END_TEST

/* --- sizes -------------------------------------------------------------------------- */

START_TEST(smallest)
{
	open_screen(40, 6);
	add_map(EMPTY, 1000, "/a/name");
	draw();
	check_row(0, "Pagemon 0x0000200000000000 Zoom x 1");
	check_row(1, "0000200000000000 .......................");
	ck_assert_uint_eq(scr->map_lines, 4);
	ck_assert_uint_eq(scr->map_cells, 23);
	check_row(5, "4K . none P RAM M File S Swap H Huge");
	type("?");
	ck_assert_str_eq(rig_row(0), "pagemon: keys");
	type("q");
	ck_assert_int_eq(type("q"), SM_SCREEN_QUIT);
	teardown();
}
END_TEST

START_TEST(tiny)
{
	static const int sizes[][2] = {
		{1, 1}, {5, 1}, {10, 2}, {17, 3}, {18, 4}, {26, 5}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(sizes); i++) {
		open_screen(sizes[i][0], sizes[i][1]);
		add_map(EMPTY, 1000, "/a/name");
		draw();
		type(DOWN RIGHT END "\tvp\r" PGDN "\rm" DOWN "\r/a\rg200000000000\r?");
		type("q"); /* closes the help */
		ck_assert_int_eq(type("q"), SM_SCREEN_QUIT);
		teardown();
	}
}
END_TEST

/* Not drawn: it is more than a pseudo-terminal holds. */
START_TEST(large)
{
	open_screen(250, 60);
	add_map(EMPTY, 100000, "/a/name");
	screen_arrange(scr, &in);
	ck_assert_uint_eq(scr->map_lines, 58);
	ck_assert_uint_eq(scr->map_cells, 233);
	rig_type("\tv");
	(void)sm_screen_keys(&scr->base);
	screen_arrange(scr, &in);
	ck_assert_uint_eq(scr->map_cells, 233 - 51 - 28);
	ck_assert_uint_eq(scr->nrows, 58);
	ck_assert(scr->want.page && scr->want.vm && !scr->want.perf);
	teardown();
}
END_TEST

START_TEST(resized)
{
	add_map(EMPTY, 100000, "");
	draw();
	type(PGDN PGDN);
	rig_resize(100, 30);
	sm_tui_resized(&scr->base.tui);
	draw();
	ck_assert_uint_eq(scr->map_lines, 28);
	ck_assert_uint_eq(scr->map_cells, 83);
	ck_assert_uint_eq(cursor_at(), 22 * 63);
	ck_assert(shows_cursor());
	rig_resize(30, 5);
	sm_tui_resized(&scr->base.tui);
	draw();
	ck_assert(shows_cursor());
	ck_assert_uint_eq(cursor_at(), 22 * 63);
}
END_TEST

static TCase *tc_page_view(void)
{
	TCase *tc = tcase_create("page view");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, rows);
	tcase_add_test(tc, title);
	tcase_add_test(tc, signs);
	tcase_add_test(tc, changed_cells);
	tcase_add_test(tc, nothing_is_sent_when_nothing_changes);
	tcase_add_test(tc, not_scanned_yet);
	tcase_add_test(tc, no_mappings);
	return tc;
}

static TCase *tc_cursor(void)
{
	TCase *tc = tcase_create("cursor");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, arrows);
	tcase_add_test(tc, column_is_kept);
	tcase_add_test(tc, scrolling);
	tcase_add_test(tc, mappings_change);
	tcase_add_test(tc, clicks);
	tcase_add_test(tc, clicks_in_the_list);
	tcase_add_test(tc, zoom_keeps_the_page);
	tcase_add_test(tc, auto_zoom);
	tcase_add_test(tc, zoom_of_16_tib);
	tcase_add_test(tc, compact);
	tcase_add_test(tc, eight_steps);
	tcase_add_test(tc, letters_without_color);
	tcase_add_test(tc, overview_fills_the_screen);
	tcase_add_test(tc, gap_in_a_row);
	tcase_add_test(tc, legend_of_40_columns);
	tcase_add_test(tc, resized);
	return tc;
}

static TCase *tc_sizes(void)
{
	TCase *tc = tcase_create("sizes");

	tcase_add_test(tc, smallest);
	tcase_add_test(tc, tiny);
	tcase_add_test(tc, large);
	return tc;
}

UNIT_MAIN("pagemon screen", tc_page_view, tc_cursor, tc_sizes)
