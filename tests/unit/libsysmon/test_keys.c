// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/keys.h"
#include "cli/tty.h"
#include "tui_opened_rig.h"

static struct sm_keys keys;

static enum sm_screen_request act(void *screen, int arg)
{
	(void)screen, (void)arg;
	return SM_SCREEN_REDRAW;
}

static const struct sm_key first[] = {
	{{'q', SM_KEY_F1 + 9}, "quit", "quit", 10, .act = act},
	{{SM_KEY_ENTER}, "details", "details", 40, .act = act},
	{{'x'}, NULL, .act = act, .views = 2},
	{{'x', ' '}, "other", .act = act, .views = 5},
	{{SM_KEY_UP, SM_KEY_HOME, SM_KEY_CLICK, 0x0c}, "only help", .act = NULL}};
static const struct sm_key second[] = {
	{{'<', '>', SM_KEY_F1 + 5}, "sort", "sort", 20, true, .act = act},
	{{'h', 'q'}, "this help", "help", 15, .act = act}};

static void setup(void)
{
	tui_setup();
	keys.n = 0;
	sm_keys_add(&keys, first, SM_ARRAY_SIZE(first));
	sm_keys_add(&keys, second, SM_ARRAY_SIZE(second));
}

START_TEST(find)
{
	ck_assert_ptr_eq(sm_keys_find(&keys, 'q', 0), &first[0]);
	ck_assert_ptr_eq(sm_keys_find(&keys, SM_KEY_F1 + 9, 1), &first[0]);
	ck_assert_ptr_eq(sm_keys_find(&keys, 'x', 2), &first[2]);
	ck_assert_ptr_eq(sm_keys_find(&keys, 'x', 1), &first[3]);
	ck_assert_ptr_eq(sm_keys_find(&keys, 'x', 4), &first[3]);
	ck_assert_ptr_eq(sm_keys_find(&keys, '>', 4), &second[0]);
	ck_assert_ptr_null(sm_keys_find(&keys, ' ', 2));
	ck_assert_ptr_null(sm_keys_find(&keys, SM_KEY_UP, 0));
	ck_assert_ptr_null(sm_keys_find(&keys, SM_KEY_NONE, 0));
}
END_TEST

START_TEST(last_line)
{
	sm_keys_line(&keys, &tui, 0, 0);
	ck_assert_str_eq(rig_row(0), "q quit  h help  <> sort  Enter details");
	resize(37, 6);
	sm_keys_line(&keys, &tui, 0, 0);
	ck_assert_str_eq(rig_row(0), "q quit  h help  <> sort");
}
END_TEST

START_TEST(help)
{
	ck_assert(sm_keys_help(&keys, &tui, "tool", 1));
	ck_assert_str_eq(rig_row(0), "tool: keys");
	ck_assert_str_eq(rig_row(1), "    q F10 quit");
	ck_assert_str_eq(rig_row(2), "    Enter details");
	ck_assert_str_eq(rig_row(3), "  x space other");
	ck_assert_str_eq(rig_row(4), "Up Home click ^L only help");
	ck_assert_str_eq(rig_row(5), "any key: more, Esc: close");
	sm_tui_clear(&tui);
	ck_assert(!sm_keys_help(&keys, &tui, "tool", 2));
	ck_assert_str_eq(rig_row(1), "   < > F6 sort");
	ck_assert_str_eq(rig_row(2), "      h q this help");
	ck_assert_str_eq(rig_row(3), "");
	ck_assert_str_eq(rig_row(5), "any key closes");
	resize(80, 6);
	ck_assert(!sm_keys_help(&keys, &tui, "tool", 1));
	ck_assert_str_eq(
		rig_row(1), "    q F10 quit                             < > F6 sort");
}
END_TEST

static TCase *tc_keys(void)
{
	TCase *tc = tcase_create("keys");

	tcase_add_checked_fixture(tc, setup, tui_teardown);
	tcase_add_test(tc, find);
	tcase_add_test(tc, last_line);
	tcase_add_test(tc, help);
	return tc;
}

UNIT_MAIN("keys", tc_keys)
