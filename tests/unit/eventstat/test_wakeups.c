// SPDX-License-Identifier: GPL-2.0-or-later
/* The sums of the wakeups of each interval. */
#include <string.h>

#include "unit.h"
#include "wakeups/wakeups.h"

static struct sm_root root;
static struct sampler sampler;
static struct wakeups w;

/* The counters of the kernel, but for what it has no counter for: that is in `cpu`. */
static struct sm_wake_cpu cpu[1];

static int err;

static void setup(void)
{
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	sampler = (struct sampler){.root = &root};
	err = wakeups_open(&w, &sampler, &opts_default);
	if (err)
		return;
	w.cause.cpu = cpu;
	w.cause.cpus = SM_ARRAY_SIZE(cpu);
}

static void teardown(void)
{
	wakeups_close(&w);
	sm_root_close(&root);
}

static uint64_t without_room(void)
{
	ck_assert_int_eq(wakeups_read(&w), 0);
	return w.now.woken.no_room;
}

START_TEST(no_room_is_of_the_interval)
{
	if (err) {
		unit_skip("cannot count wakeups: %s", strerror(-err));
		return;
	}
	cpu[0].lost[SM_WAKE_HRTIMER] = (struct sm_wake_sum){2, 2000};
	(void)without_room(); /* before the run */
	cpu[0].lost[SM_WAKE_HRTIMER] = (struct sm_wake_sum){7, 9000};
	cpu[0].lost[SM_WAKE_IRQ] = (struct sm_wake_sum){1, 500};
	ck_assert_uint_eq(without_room(), 6);
	ck_assert_uint_eq(without_room(), 0);
	cpu[0].lost[SM_WAKE_IRQ] = (struct sm_wake_sum){4, 600};
	ck_assert_uint_eq(without_room(), 3);
}
END_TEST

static TCase *tc_sums(void)
{
	TCase *tc = tcase_create("sums");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, no_room_is_of_the_interval);
	return tc;
}

UNIT_MAIN("wakeups", tc_sums)
