// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/list.h"
#include "tui/tui.h"
#include "unit.h"

static const uint64_t keys[] = {11, 22, 33, 44, 55, 66, 77, 88, 99, 110};
static struct sm_list list;

static void setup(void)
{
	list = (struct sm_list){0};
	sm_list_set(&list, keys, SM_ARRAY_SIZE(keys));
	sm_list_fit(&list, 4);
}

static void check(uint64_t selected, size_t top)
{
	ck_assert_uint_eq(list.selected, selected);
	sm_list_fit(&list, 4);
	ck_assert_uint_eq(list.top, top);
}

static void key(int k)
{
	ck_assert(sm_list_key(&list, k));
}

START_TEST(moving)
{
	check(0, 0);
	key(SM_KEY_DOWN); /* the first item shown */
	check(11, 0);
	key('j');
	check(22, 0);
	key(SM_KEY_PGDN);
	check(55, 1);
	key(SM_KEY_UP);
	check(44, 1);
	key('k');
	key('k');
	check(22, 1);
	key('k');
	key('k');
	check(11, 0);
	key(SM_KEY_END);
	check(110, 6);
	key(SM_KEY_DOWN);
	check(110, 6);
	key(SM_KEY_PGUP);
	check(77, 6);
	key(SM_KEY_HOME);
	check(11, 0);
	key(SM_KEY_PGUP);
	check(11, 0);
	ck_assert(!sm_list_key(&list, 'x'));
	ck_assert(!sm_list_key(&list, SM_KEY_ENTER));
}
END_TEST

START_TEST(first_step_from_the_items_shown)
{
	list.top = 3;
	key(SM_KEY_UP);
	check(44, 3);
	sm_list_unselect(&list);
	key(SM_KEY_PGDN);
	check(77, 3);
	sm_list_unselect(&list);
	sm_list_select_any(&list);
	check(44, 3);
	sm_list_select_any(&list); /* something is selected */
	check(44, 3);
}
END_TEST

START_TEST(one_line_has_pages_of_one)
{
	sm_list_fit(&list, 1);
	key(SM_KEY_DOWN);
	key(SM_KEY_PGDN);
	ck_assert_uint_eq(list.selected, 22);
	sm_list_fit(&list, 1);
	ck_assert_uint_eq(list.top, 1);
	sm_list_fit(&list, 0);
	key(SM_KEY_PGDN);
	ck_assert_uint_eq(list.selected, 33);
}
END_TEST

START_TEST(follows_the_key)
{
	static const uint64_t other[] = {99, 88, 77, 66, 55, 44, 33};
	static const uint64_t without[] = {1, 2, 3};

	sm_list_select(&list, 2);
	check(33, 0);
	sm_list_set(&list, other, SM_ARRAY_SIZE(other));
	check(33, 3);
	ck_assert(list.present);
	ck_assert_uint_eq(list.at, 6);
	/* Absent: a step goes on from where it was last. */
	sm_list_set(&list, without, SM_ARRAY_SIZE(without));
	ck_assert(!list.present);
	check(33, 0);
	sm_list_set(&list, keys, SM_ARRAY_SIZE(keys));
	ck_assert(list.present);
	ck_assert_uint_eq(list.at, 2);
	sm_list_set(&list, without, SM_ARRAY_SIZE(without));
	key(SM_KEY_UP);
	check(2, 0);
}
END_TEST

/* The wheel scrolls by three lines; a selected item stays visible. */
START_TEST(wheel)
{
	static uint64_t many[20];
	struct sm_list l = {0};

	for (size_t i = 0; i < SM_ARRAY_SIZE(many); i++)
		many[i] = i + 1;
	sm_list_set(&l, many, SM_ARRAY_SIZE(many));
	sm_list_fit(&l, 5);
	ck_assert(sm_list_key(&l, SM_KEY_WHEEL_DOWN));
	ck_assert_uint_eq(l.top, 3);
	ck_assert_uint_eq(l.selected, 0);
	sm_list_select(&l, 4);
	(void)sm_list_key(&l, SM_KEY_WHEEL_DOWN);
	ck_assert_uint_eq(l.top, 6);
	ck_assert_uint_eq(l.at, 6);
	for (int i = 0; i < 9; i++)
		(void)sm_list_key(&l, SM_KEY_WHEEL_DOWN);
	ck_assert_uint_eq(l.top, 15);
	ck_assert_uint_eq(l.at, 15);
	for (int i = 0; i < 9; i++)
		(void)sm_list_key(&l, SM_KEY_WHEEL_UP);
	ck_assert_uint_eq(l.top, 0);
	ck_assert_uint_eq(l.at, 4);
	sm_list_set(&l, many, 3);
	(void)sm_list_key(&l, SM_KEY_WHEEL_DOWN);
	ck_assert_uint_eq(l.top, 0);
}
END_TEST

START_TEST(an_empty_list)
{
	sm_list_select(&list, 1);
	sm_list_set(&list, NULL, 0);
	ck_assert(!list.present);
	key(SM_KEY_DOWN);
	key(SM_KEY_END);
	check(22, 0);
	sm_list_unselect(&list);
	key(SM_KEY_DOWN);
	sm_list_select_any(&list);
	check(0, 0);
}
END_TEST

static TCase *tc_list(void)
{
	TCase *tc = tcase_create("list");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, moving);
	tcase_add_test(tc, first_step_from_the_items_shown);
	tcase_add_test(tc, one_line_has_pages_of_one);
	tcase_add_test(tc, follows_the_key);
	tcase_add_test(tc, wheel);
	tcase_add_test(tc, an_empty_list);
	return tc;
}

UNIT_MAIN("list", tc_list)
