// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "fixroot_rig.h"
#include "timers/timerfeed.h"
#include "unit.h"

enum { CPUS = 3, ALICE = 100, BOB = 200 };

static struct sm_timerfeed feed;

/* What each CPU has, and how much of it was taken. */
static struct source {
	struct sm_timer_event e[16];
	size_t n, taken;
} cpu[CPUS];

static bool next(void *ctx, unsigned int i, struct sm_timer_event *e)
{
	struct source *s = &((struct source *)ctx)[i];

	if (s->taken == s->n)
		return false;
	*e = s->e[s->taken++];
	return true;
}

static void run(uint64_t until_ns)
{
	sm_timerfeed_run(&feed, next, cpu, until_ns);
}

static void setup(void)
{
	fix_open();
	memset(cpu, 0, sizeof(cpu));
	ck_assert_int_eq(sm_timerfeed_init(&feed, &fix, CPUS), 0);
}

static void teardown(void)
{
	sm_timerfeed_fini(&feed);
	fix_close();
}

static struct sm_timer_event *put(
	unsigned int i, uint64_t time_ns, enum sm_timer_event_type type, pid_t tid)
{
	struct sm_timer_event *e = &cpu[i].e[cpu[i].n++];

	ck_assert_uint_le(cpu[i].n, SM_ARRAY_SIZE(cpu[i].e));
	*e = (struct sm_timer_event){
		.time_ns = time_ns, .type = type, .tid = tid, .cpu = i};
	if (type < SM_TIMER_EVENTS) {
		e->timer = 0x8000;
		e->func = 0x1000;
		e->tgid = tid;
	}
	return e;
}

static const struct sm_timer_counts *of(pid_t tgid, pid_t tid)
{
	static const struct sm_timer_counts none;

	for (uint32_t i = 0; i < feed.model.n; i++)
		if (feed.model.key[i].owner.ids == sm_timer_ids(tgid, tid))
			return &feed.model.counts[i];
	return &none;
}

/* Each CPU has a part of one timer's life. */
START_TEST(in_order_of_time)
{
	put(2, 10, SM_TIMER_HR_START, ALICE);
	put(0, 20, SM_TIMER_HR_EXPIRE, 0);
	put(1, 30, SM_TIMER_HR_START, BOB);
	put(0, 40, SM_TIMER_HR_EXPIRE, 0);
	put(2, 50, SM_TIMER_HR_EXPIRE, 0);
	run(UINT64_MAX);
	ck_assert_uint_eq(of(ALICE, ALICE)->starts, 1);
	ck_assert_uint_eq(of(ALICE, ALICE)->expiries, 1);
	ck_assert_uint_eq(of(BOB, BOB)->starts, 1);
	ck_assert_uint_eq(of(BOB, BOB)->expiries, 2);
	ck_assert_uint_eq(feed.model.n, 2);
	ck_assert_uint_eq(of(ALICE, ALICE)->seen_ns, 10);
}
END_TEST

START_TEST(later_ones_are_held_back)
{
	put(0, 10, SM_TIMER_HR_START, ALICE);
	put(0, 35, SM_TIMER_HR_EXPIRE, 0);
	put(0, 36, SM_TIMER_HR_START, ALICE);
	run(30);
	ck_assert_uint_eq(of(ALICE, ALICE)->starts, 1);
	ck_assert_uint_eq(of(ALICE, ALICE)->expiries, 0);
	put(1, 31, SM_TIMER_HR_START, BOB); /* seen late, in time */
	run(35);
	ck_assert_uint_eq(of(BOB, BOB)->expiries, 1);
	ck_assert_uint_eq(of(ALICE, ALICE)->starts, 1);
	run(36);
	ck_assert_uint_eq(of(ALICE, ALICE)->starts, 2);
}
END_TEST

START_TEST(names_of_that_time)
{
	struct sm_timer_event *e = put(0, 10, SM_TIMER_TASK_NEW, ALICE);

	strcpy(e->comm, "first");
	e->tgid = ALICE;
	put(1, 20, SM_TIMER_HR_START, ALICE);
	strcpy(put(0, 30, SM_TIMER_TASK_NAME, ALICE)->comm, "second");
	put(1, 40, SM_TIMER_HR_START, ALICE)->func = 0x2000;
	put(0, 50, SM_TIMER_TASK_EXIT, ALICE);
	run(60);
	ck_assert_uint_eq(feed.model.n, 2);
	ck_assert_str_eq(feed.model.counts[0].comm, "first");
	ck_assert_str_eq(feed.model.counts[1].comm, "second");
}
END_TEST

START_TEST(processes_of_threads)
{
	struct sm_timer_event *e = put(0, 10, SM_TIMER_TASK_NEW, ALICE + 1);

	e->parent = ALICE;
	fix_put("proc/100/comm", "alice\n");
	put(0, 20, SM_TIMER_HR_START, ALICE + 1)->tgid = 0;
	run(30);
	ck_assert_uint_eq(of(ALICE, ALICE + 1)->starts, 1);
	ck_assert_str_eq(of(ALICE, ALICE + 1)->comm, "alice");
}
END_TEST

START_TEST(idle_task)
{
	put(2, 10, SM_TIMER_HR_START, 0);
	run(10);
	ck_assert_uint_eq(of(0, 0)->starts, 1);
	ck_assert_str_eq(of(0, 0)->comm, "swapper/2");
}
END_TEST

START_TEST(no_sources)
{
	feed.n = 0;
	run(UINT64_MAX);
	ck_assert_uint_eq(feed.model.n, 0);
}
END_TEST

static TCase *tc_feed(void)
{
	TCase *tc = tcase_create("feed");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, in_order_of_time);
	tcase_add_test(tc, later_ones_are_held_back);
	tcase_add_test(tc, names_of_that_time);
	tcase_add_test(tc, processes_of_threads);
	tcase_add_test(tc, idle_task);
	tcase_add_test(tc, no_sources);
	return tc;
}

UNIT_MAIN("timerfeed", tc_feed)
