// SPDX-License-Identifier: GPL-2.0-or-later
/* How CPU time is divided into the user's and the system's. */
#include "cpustat_rig.h"
#include "unit.h"

START_TEST(share_of_the_user)
{
	struct sm_split p = {0};

	/* Nothing to go by, then the life so far. */
	ck_assert_double_eq(sm_split_share(&p, 0, 0, false), 1);
	ck_assert_double_eq(sm_split_share(&p, 0, 0, true), 0);
	ck_assert_double_eq(sm_split_share(&p, 1, 2, true), 1.0 / 3);
	ck_assert_double_eq(sm_split_share(&p, 3, 1, false), 0.75);
	/* Few ticks keep it; four since then measure it again. */
	ck_assert_double_eq(sm_split_share(&p, 3, 2, false), 0.75);
	ck_assert_double_eq(sm_split_share(&p, 3, 4, false), 0.75);
	ck_assert_double_eq(sm_split_share(&p, 3, 5, false), 0);
	ck_assert_double_eq(sm_split_share(&p, 4, 8, false), 0.25);
	/* Ticks before the first sample do not count. */
	sm_split_begin(&p, 150, 0);
	ck_assert_double_eq(sm_split_share(&p, 150, 2, false), 150.0 / 152);
	ck_assert_double_eq(sm_split_share(&p, 150, 4, false), 0);
	/* A recorded machine's can go back. */
	ck_assert_double_eq(sm_split_share(&p, 10, 2, false), 0);
	ck_assert_double_eq(sm_split_share(&p, UINT64_MAX, UINT64_MAX, false), 0.5);
}
END_TEST

/* A start in user mode, then 2 ticks a sample in the kernel: the rows are the kernel's.
 */
START_TEST(light_task_with_a_heavy_past)
{
	struct fake f = {.pid = 10, .comm = "d", .ppid = 1, .utime = 150, .start = 5};
	uint64_t usr = 0, sys = 0;

	fake(&f);
	begin();
	take();
	for (uint64_t i = 1; i <= 10; i++) {
		const struct row *row;

		f.stime += 2;
		fake(&f);
		take_at(100000 + i * 100);
		row = row_of(ROW_PROCESS, 10);
		ck_assert_ptr_nonnull(row);
		usr += row->usr_ns;
		sys += row->sys_ns;
	}
	ck_assert_uint_eq(usr + sys, 20 * TICK);
	ck_assert_uint_ge(sys, 18 * TICK); /* only the first sample cannot know */
}
END_TEST

static TCase *tc_split(void)
{
	TCase *tc = tcase_create("split");

	tcase_add_checked_fixture(tc, rig_open, rig_close);
	tcase_add_test(tc, share_of_the_user);
	tcase_add_test(tc, light_task_with_a_heavy_past);
	return tc;
}

UNIT_MAIN("split", tc_split)
