// SPDX-License-Identifier: GPL-2.0-or-later
#include "timers/timernames.h"
#include "fixroot_rig.h"

/* A sleeper's callback is known after a reading for another function. */
START_TEST(known)
{
	struct sm_ksyms k;

	fix_open();
	fix_put("proc/kallsyms", "ffffffff81000010 t hrtimer_wakeup\n"
				 "ffffffff81000020 t wanted\nffffffff81000030 t tick\n"
				 "ffffffff81000040 t timerfd_tmrproc\n");
	ck_assert_int_eq(sm_ksyms_open(&k, &fix), 0);
	sm_timernames_expect(&k);
	ck_assert_int_eq(sm_ksyms_add(&k, 0xffffffff81000020), 0);
	ck_assert_int_eq(sm_ksyms_read(&k), 0);
	ck_assert_str_eq(sm_ksyms_name(&k, 0xffffffff81000010), "hrtimer_wakeup");
	ck_assert_str_eq(sm_ksyms_name(&k, 0xffffffff81000020), "wanted");
	ck_assert_str_eq(sm_ksyms_name(&k, 0xffffffff81000030), "");
	ck_assert_str_eq(sm_ksyms_name(&k, 0xffffffff81000040), "timerfd_tmrproc");
	sm_ksyms_close(&k);
	fix_close();
}
END_TEST

static TCase *tc_timernames(void)
{
	TCase *tc = tcase_create("timernames");

	tcase_add_test(tc, known);
	return tc;
}

UNIT_MAIN("timernames", tc_timernames)
