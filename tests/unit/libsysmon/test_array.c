// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "unit.h"

struct thing {
	uint64_t a, b;
};

START_TEST(grows_in_powers_of_two)
{
	struct thing *v = NULL, *before;
	size_t cap = 0;

	ck_assert_int_eq(sm_array_reserve(&v, &cap, 0, sizeof(*v)), 0);
	ck_assert_ptr_null(v);
	ck_assert_int_eq(sm_array_reserve(&v, &cap, 1, sizeof(*v)), 0);
	ck_assert_uint_eq(cap, 8);
	before = v;
	v[7] = (struct thing){1, 2};
	ck_assert_int_eq(sm_array_reserve(&v, &cap, 8, sizeof(*v)), 0);
	ck_assert_ptr_eq(v, before);
	ck_assert_int_eq(sm_array_reserve(&v, &cap, 33, sizeof(*v)), 0);
	ck_assert_uint_eq(cap, 64);
	ck_assert_uint_eq(v[7].b, 2);
	free(v);
}
END_TEST

START_TEST(too_large_changes_nothing)
{
	struct thing *v = NULL, *before;
	size_t cap = 0;

	ck_assert_int_eq(sm_array_reserve(&v, &cap, 5, sizeof(*v)), 0);
	before = v;
	ck_assert_int_eq(sm_array_reserve(&v, &cap, SIZE_MAX, sizeof(*v)), -ENOMEM);
	ck_assert_int_eq(
		sm_array_reserve(&v, &cap, SIZE_MAX / 2 + 1, sizeof(*v)), -ENOMEM);
	ck_assert_ptr_eq(v, before);
	ck_assert_uint_eq(cap, 8);
	free(v);
}
END_TEST

START_TEST(order_and_exchange)
{
	struct thing x = {1, UINT64_MAX}, y = {2, 3};

	ck_assert_int_lt(SM_COMPARE(x.a, y.a), 0);
	ck_assert_int_gt(SM_COMPARE(x.b, y.b), 0); /* the difference has the sign of -4 */
	ck_assert_int_eq(SM_COMPARE(x.b, UINT64_MAX), 0);
	ck_assert_int_lt(SM_COMPARE(0.25, 0.5), 0);
	SM_SWAP(x, y);
	ck_assert_uint_eq(x.a, 2);
	ck_assert_uint_eq(x.b, 3);
	ck_assert_uint_eq(y.a, 1);
	ck_assert_uint_eq(y.b, UINT64_MAX);
}
END_TEST

static TCase *tc_array(void)
{
	TCase *tc = tcase_create("array");

	tcase_add_test(tc, grows_in_powers_of_two);
	tcase_add_test(tc, too_large_changes_nothing);
	tcase_add_test(tc, order_and_exchange);
	return tc;
}

UNIT_MAIN("array", tc_array)
