// SPDX-License-Identifier: GPL-2.0-or-later
/* The functions of the tick, as the kernel's symbols name them. */
#include <string.h>
#include <unistd.h>

#include "proc/ksyms.h"
#include "timers/timers.h"
#include "timers/timertick.h"
#include "unit.h"

static struct sm_root root;
static struct sm_timertick tick;
static struct sm_ksyms ksyms;
static int err;

static void setup(void)
{
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	err = sm_timertick_read(&tick, &root);
	(void)!sm_ksyms_open(&ksyms, &root);
}

static void teardown(void)
{
	sm_ksyms_close(&ksyms);
	sm_root_close(&root);
}

static bool able(void)
{
	if (err)
		unit_skip("the tick cannot be read: %s", strerror(-err));
	return !err;
}

static const char *name_of(uint64_t address)
{
	ck_assert_int_eq(sm_ksyms_add(&ksyms, address), 0);
	(void)!sm_ksyms_read(&ksyms);
	return sm_ksyms_name(&ksyms, address);
}

static void is_named(uint64_t address, const char *name)
{
	if (address)
		ck_assert_str_eq(name_of(address), name);
}

START_TEST(as_symbols)
{
	const char *name;

	if (!able())
		return;
	if (!sm_ksyms_shown(&ksyms)) {
		unit_skip("the kernel shows no symbols");
		return;
	}
	name = name_of(tick.tick);
	ck_assert_msg(!tick.tick || strcmp(name, "tick_nohz_handler") == 0 ||
			      strcmp(name, "tick_sched_timer") == 0 ||
			      strcmp(name, "tick_nohz_highres_handler") == 0,
		"%s", name);
	is_named(tick.balance, "nohz_csd_func");
	is_named(tick.hrtimer_wakeup, "hrtimer_wakeup");
	is_named(tick.process_timeout, "process_timeout");
}
END_TEST

START_TEST(own_ids)
{
	if (!able())
		return;
	ck_assert_uint_ne(tick.ids, 0);
	if (sm_root_initial_pidns(&root))
		ck_assert_uint_eq(
			tick.ids, (uint64_t)getpid() << 32 | (uint32_t)getpid());
}
END_TEST

/* Without the kernel's types nothing is known. */
START_TEST(no_types)
{
	struct sm_timertick none = {.tick = 1, .ids = 1};
	struct sm_root empty = SM_ROOT_INIT;

	ck_assert_int_lt(sm_timertick_read(&none, &empty), 0);
	ck_assert_uint_eq(none.tick | none.balance | none.ids, 0);
}
END_TEST

static TCase *tc_tick(void)
{
	TCase *tc = tcase_create("tick");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, as_symbols);
	tcase_add_test(tc, own_ids);
	tcase_add_test(tc, no_types);
	return tc;
}

UNIT_MAIN("timertick", tc_tick)
