// SPDX-License-Identifier: GPL-2.0-or-later
#include "pagemon_screen_rig.h"

static void three_maps(void)
{
	add_map(EMPTY, 100, "");
	add_map(EMPTY + 0x100000, 50, "/usr/lib/libc.so.6");
	add_map(EMPTY + 0x200000, 30, "[heap]");
	draw();
}

static void check_message(const char *text)
{
	check_last(text);
}

/* --- requests ----------------------------------------------------------------------- */

START_TEST(quitting)
{
	three_maps();
	ck_assert_int_eq(type("q"), SM_SCREEN_QUIT);
	ck_assert_int_eq(type("Q"), SM_SCREEN_QUIT);
	ck_assert_int_eq(type("\x1b"), SM_SCREEN_QUIT);
	ck_assert_int_eq(type("\x1b[21~"), SM_SCREEN_QUIT); /* F10 */
	type("m");
	ck_assert_int_ne(type("\x1b"), SM_SCREEN_QUIT);
	ck_assert_int_eq(scr->view, VIEW_MAP);
	type("\r");
	ck_assert_int_ne(type("\x1b"), SM_SCREEN_QUIT);
	ck_assert_int_eq(scr->view, VIEW_MAP);
	in.reading = true;
	draw();
	ck_assert_int_ne(type("\x1b"), SM_SCREEN_QUIT);
	ck_assert_int_eq(asked().kind, ASK_STOP);
}
END_TEST

START_TEST(unknown_keys)
{
	three_maps();
	ck_assert_int_eq(type("Y"), SM_SCREEN_REDRAW);
	check_message("unknown key; press h for help");
	ck_assert(nothing_asked());
	type("b"); /* keys of other tools do nothing here, either */
	check_message("unknown key; press h for help");
}
END_TEST

START_TEST(help)
{
	three_maps();
	type("?");
	ck_assert_str_eq(rig_row(0), "pagemon: keys");
	for (size_t i = 0; i < scr->base.keys.n; i++) {
		const struct sm_key *e = scr->base.keys.entry[i];

		ck_assert(e->help || e->brief);
		ck_assert(!e->help || strlen(e->help) <= 30);
	}
	type("\x1bx\x1b[I");
	ck_assert_str_eq(rig_row(0), "pagemon: keys"); /* not a key */
	type("xx");
	ck_assert_int_eq(strncmp(rig_row(0), "Pagemon 0x", 10), 0);
	ck_assert_int_eq(strncmp(rig_row(1), "0000200000000000 ....", 21), 0);
	type("h");
	ck_assert_str_eq(rig_row(0), "pagemon: keys");
}
END_TEST

/* The last line of a list shows whole items. */
START_TEST(keys_in_the_last_line)
{
	three_maps();
	type("m");
	ck_assert_str_eq(rig_row(23), "q quit  h help  Enter open  m map  / find  s size"
				      "  r RAM  w swap  a address");
	rig_resize(40, 12);
	sm_tui_resized(&scr->base.tui);
	draw();
	ck_assert_str_eq(rig_row(11), "q quit  h help  Enter open  m map");
	type("m\r");
	ck_assert_str_eq(rig_row(11), "q quit  h help  Enter map");
}
END_TEST

START_TEST(resident_pages)
{
	struct screen_ask ask;

	three_maps();
	type(RIGHT RIGHT ".");
	ask = asked();
	ck_assert_int_eq(ask.kind, ASK_NEXT_RESIDENT);
	ck_assert_uint_eq(ask.ordinal, 2);
	state_set_cursor(scr, 120);
	draw();
	ck_assert_uint_eq(scr->cursor, 120);
	type(",");
	ask = asked();
	ck_assert_int_eq(ask.kind, ASK_PREVIOUS_RESIDENT);
	ck_assert_uint_eq(ask.ordinal, 120);
	state_set_cursor(scr, 5000); /* there is none */
	ck_assert_uint_eq(scr->cursor, 179);
}
END_TEST

START_TEST(reading_in)
{
	three_maps();
	type("r");
	check_message("the pages have not been counted yet");
	count();
	type("R");
	check_message("no page is swapped out");
	ck_assert(nothing_asked());
	in.reading = true;
	in.read_pages = 12;
	in.read_all = 4000;
	type(RIGHT);
	check_message("reading in: 12 of 4000 pages, Esc stops");
}
END_TEST

START_TEST(dirty_tracking)
{
	three_maps();
	type("d");
	check_message("this kernel has no soft-dirty bits");
	ck_assert(!scr->set.dirty && nothing_asked());
	in.dirty_known = true;
	draw_later(1);
	type(RIGHT);
	ck_assert_ptr_nonnull(strstr(rig_row(23), " D Dirty H "));
	type("d");
	ck_assert(scr->set.dirty);
	ck_assert_int_eq(asked().kind, ASK_DIRTY);
	type(RIGHT);
	ck_assert_ptr_nonnull(strstr(rig_row(23), " D in 1.0s H "));
	type("d");
	ck_assert(!scr->set.dirty);
	ck_assert_int_eq(asked().kind, ASK_DIRTY);
}
END_TEST

START_TEST(ticks)
{
	three_maps();
	type("tt");
	ck_assert_uint_eq(scr->set.ticks, 12);
	check_message("the mappings are read every 12 refreshes (1.2 s)");
	for (int i = 0; i < 20; i++)
		type("T");
	ck_assert_uint_eq(scr->set.ticks, 1);
}
END_TEST

START_TEST(freezing)
{
	three_maps();
	ck_assert_int_eq(type(" "), SM_SCREEN_REARRANGE);
	ck_assert(scr->frozen);
	ck_assert_ptr_nonnull(strstr(rig_row(0), "FROZEN"));
	type(" ");
	ck_assert(!scr->frozen);
}
END_TEST

/* --- ways --------------------------------------------------------------------------- */

START_TEST(mappings_before_and_behind)
{
	three_maps();
	type(RIGHT "}");
	ck_assert_uint_eq(scr->cursor, 100);
	type("}");
	ck_assert_uint_eq(scr->cursor, 150);
	type("}");
	ck_assert_uint_eq(scr->cursor, 150);
	check_message("this is the last mapping");
	type(RIGHT RIGHT "{");
	ck_assert_uint_eq(scr->cursor, 150);
	type("{{");
	ck_assert_uint_eq(scr->cursor, 0);
	type("{");
	ck_assert_uint_eq(scr->cursor, 0);
}
END_TEST

START_TEST(finding_names)
{
	three_maps();
	type("n");
	check_message("no previous search; press / to search");
	type("/LIBC\r");
	ck_assert_uint_eq(scr->cursor, 100);
	type("/[\r");
	ck_assert_uint_eq(scr->cursor, 150);
	type("n"); /* [Anonymous] */
	ck_assert_uint_eq(scr->cursor, 0);
	check_message("the search wrapped around");
	type("N");
	ck_assert_uint_eq(scr->cursor, 150);
	type("/nobody\r");
	check_message("no mapping has \"nobody\" in its name");
	ck_assert_uint_eq(scr->cursor, 150);
	type("/lib\x1b"); /* cancelled */
	ck_assert_uint_eq(scr->cursor, 150);
}
END_TEST

START_TEST(finding_addresses)
{
	three_maps();
	type("/0x200000105abc\r");
	ck_assert_uint_eq(scr->cursor, 105);
	ck_assert_uint_eq(scr->hex_byte, 0xabc);
	type("g200000205000\r");
	ck_assert_uint_eq(scr->cursor, 155);
	type("g200000180000\r");
	ck_assert_uint_eq(scr->cursor, 150);
	check_message("not mapped; this is the next mapping above");
	type("g300000000000\r");
	check_message("nothing is mapped there or above");
	type("gheap\r");
	check_message("not a hexadecimal address: heap");
	type("g\r");
	ck_assert_uint_eq(scr->cursor, 150);
}
END_TEST

/* It goes where pages appear: on the screen, or elsewhere. */
START_TEST(following)
{
	char *at = own_pages(3000);

	add_map((uintptr_t)at, 2000, "");
	add_map((uintptr_t)(at + 2000 * (size_t)PAGE), 1000, "");
	count();
	draw();
	type("f");
	ck_assert(scr->set.follow && scr->want.mappings);
	touch(at, 77);
	draw_later(100);
	ck_assert_uint_eq(scr->cursor, 77);
	for (unsigned int i = 2500; i < 2600; i++)
		touch(at, i);
	count();
	draw_later(1000);
	draw_later(1000);
	ck_assert_uint_eq(scr->cursor, 2000);
	type("f");
	touch(at, 1);
	draw_later(100);
	ck_assert_uint_eq(scr->cursor, 2000);
}
END_TEST

/* --- windows ------------------------------------------------------------------------ */

START_TEST(windows)
{
	three_maps();
	type("\t");
	ck_assert(scr->want.page && !scr->want.vm && !scr->want.perf);
	ck_assert_int_ge(row_with("Map:       0x0000200000000000-0000200000063fff"), 0);
	type("v");
	ck_assert(scr->want.page && scr->want.vm);
	type("pV");
	ck_assert(scr->want.page && !scr->want.vm && scr->want.perf);
	type("c");
	ck_assert_uint_eq(scr->windows, 0);
	ck_assert_int_lt(row_with("Map:"), 0);
}
END_TEST

START_TEST(no_hex_view)
{
	teardown();
	settings.no_hex = true;
	open_screen(80, 24);
	three_maps();
	type("\r");
	ck_assert_int_eq(scr->view, VIEW_MAP);
	check_message("the hex view is disabled by -H");
}
END_TEST

static TCase *tc_requests(void)
{
	TCase *tc = tcase_create("requests");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, quitting);
	tcase_add_test(tc, unknown_keys);
	tcase_add_test(tc, help);
	tcase_add_test(tc, keys_in_the_last_line);
	tcase_add_test(tc, resident_pages);
	tcase_add_test(tc, reading_in);
	tcase_add_test(tc, dirty_tracking);
	tcase_add_test(tc, ticks);
	tcase_add_test(tc, freezing);
	return tc;
}

static TCase *tc_ways(void)
{
	TCase *tc = tcase_create("ways");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, mappings_before_and_behind);
	tcase_add_test(tc, finding_names);
	tcase_add_test(tc, finding_addresses);
	tcase_add_test(tc, following);
	tcase_add_test(tc, windows);
	tcase_add_test(tc, no_hex_view);
	return tc;
}

UNIT_MAIN("pagemon screen keys", tc_requests, tc_ways)
