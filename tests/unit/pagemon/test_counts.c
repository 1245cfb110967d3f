// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/counts.h"
#include "unit.h"

START_TEST(sums)
{
	struct counts b = {0};

	counts_add(&b, 1,
		SM_PAGE_PRESENT | SM_PAGE_FILE | SM_PAGE_SOFT_DIRTY | PAGE_EXCLUSIVE);
	counts_add(&b, 2, SM_PAGE_PRESENT | SM_PAGE_HUGE);
	counts_add(&b, 4, SM_PAGE_PRESENT | SM_PAGE_ZERO);
	counts_add(&b, 8, SM_PAGE_SWAPPED | SM_PAGE_SOFT_DIRTY);
	counts_add(&b, 16, SM_PAGE_GUARD);
	counts_add(&b, 32, SM_PAGE_POISON);
	counts_add(&b, 64, SM_PAGE_MARKER);
	counts_add(&b, 128, SM_PAGE_OTHER | SM_PAGE_FILE);
	counts_add(&b, 256, SM_PAGE_HIDDEN);
	ck_assert_uint_eq(b.other, 224);
	ck_assert_uint_eq(b.hidden, 256);
	ck_assert_uint_eq(b.present, 7);
	ck_assert_uint_eq(b.swapped, 8);
	ck_assert_uint_eq(b.file, 1);
	ck_assert_uint_eq(b.zero, 4);
	ck_assert_uint_eq(b.huge, 2);
	ck_assert_uint_eq(b.guard, 16);
	ck_assert_uint_eq(b.dirty, 9);
	ck_assert_uint_eq(b.exclusive, 1);
}
END_TEST

START_TEST(kinds)
{
	ck_assert_uint_eq(counts_kind(8, 0), SM_PAGE_OTHER);
	ck_assert_uint_eq(counts_kind(8, 8), SM_PAGE_SWAPPED);
	ck_assert_uint_eq(counts_kind(8, 7), SM_PAGE_HIDDEN);
	ck_assert_uint_eq(counts_kind(8, -1), SM_PAGE_HIDDEN);
}
END_TEST

static TCase *all(void)
{
	TCase *tc = tcase_create("counts");

	tcase_add_test(tc, sums);
	tcase_add_test(tc, kinds);
	return tc;
}

UNIT_MAIN("counts", all)
