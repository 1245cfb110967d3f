// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <time.h>
#include "base/clock.h"
#include "unit.h"

START_TEST(reads_the_clock_asked_for)
{
	struct timespec a, b;
	uint64_t ns;

	clock_gettime(CLOCK_MONOTONIC, &a);
	ns = sm_clock_mono_ns();
	clock_gettime(CLOCK_MONOTONIC, &b);
	ck_assert_uint_ge(ns, (uint64_t)a.tv_sec * SM_NSEC_PER_SEC + (uint64_t)a.tv_nsec);
	ck_assert_uint_le(ns, (uint64_t)b.tv_sec * SM_NSEC_PER_SEC + (uint64_t)b.tv_nsec);
	ck_assert_uint_ge(sm_clock_ns(CLOCK_REALTIME), (uint64_t)a.tv_sec);
	ck_assert_uint_ge(
		sm_clock_ns(CLOCK_REALTIME), UINT64_C(1500000000) * SM_NSEC_PER_SEC);
}
END_TEST

/* The error of an offset is at most the time in which it was read. */
START_TEST(wall_offset_turns_mono_into_real)
{
	uint64_t begin = sm_clock_mono_ns();
	int64_t off = sm_clock_wall_offset_ns();
	uint64_t error = sm_clock_mono_ns() - begin;
	uint64_t before = sm_clock_ns(CLOCK_REALTIME);
	uint64_t made = sm_clock_mono_ns() + (uint64_t)off;
	uint64_t after = sm_clock_ns(CLOCK_REALTIME);

	ck_assert_uint_ge(made + error, before);
	ck_assert_uint_le(made, after + error);
}
END_TEST

START_TEST(boot_offset_is_the_time_suspended)
{
	uint64_t begin = sm_clock_mono_ns();
	int64_t off = sm_clock_boot_offset_ns();
	uint64_t before = sm_clock_mono_ns(), boot = sm_clock_ns(CLOCK_BOOTTIME);
	uint64_t after = sm_clock_mono_ns(), made = boot - (uint64_t)off;

	ck_assert_int_ge(off, -(int64_t)(before - begin));
	ck_assert_uint_ge(made + (before - begin), before);
	ck_assert_uint_le(made, after + (before - begin));
}
END_TEST

static TCase *tc_clock(void)
{
	TCase *tc = tcase_create("clock");

	tcase_add_test(tc, reads_the_clock_asked_for);
	tcase_add_test(tc, wall_offset_turns_mono_into_real);
	tcase_add_test(tc, boot_offset_is_the_time_suspended);
	return tc;
}

UNIT_MAIN("clock", tc_clock)
