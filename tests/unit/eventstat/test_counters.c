// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of a source whose events the test makes. */
#include "counters.h"
#include "fixroot_rig.h"

enum { ALICE = 100, BOB = 200, FUNC = 0x1000, TIMER = 0x8000 };

static struct source source;
static struct counters c;

static void setup(void)
{
	fix_open();
	fix_mkdir("proc");
	source = (struct source){.root = &fix, .method = METHOD_PERF, .wait_fd = -1};
	ck_assert_int_eq(sm_timermodel_init(&source.perf.feed.model), 0);
	ck_assert_int_eq(counters_init(&c, &source, NULL), 0);
}

static void teardown(void)
{
	counters_fini(&c);
	sm_timermodel_fini(&source.perf.feed.model);
	fix_close();
}

static void start(pid_t tid, int times)
{
	struct sm_timer_event e = {.type = SM_TIMER_HR_START,
		.time_ns = 5,
		.timer = TIMER + (uint64_t)tid,
		.func = FUNC,
		.tid = tid,
		.tgid = tid};

	while (times--)
		(void)sm_timermodel_add(&source.perf.feed.model, &e);
}

static void read_all(void)
{
	ck_assert_int_eq(counters_read(&c), 0);
}

/* In the last interval; 0: it is not among those that have grown. */
static uint64_t starts_of(pid_t tid)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c.n; i++)
		if (sm_timer_tid(c.grown[i]->key.owner) == tid)
			sum += c.grown[i]->now.starts;
	return sum;
}

START_TEST(growth)
{
	start(ALICE, 3);
	read_all();
	counters_begin(&c);
	start(ALICE, 2);
	start(BOB, 1);
	read_all();
	ck_assert_uint_eq(c.n, 2);
	ck_assert_uint_eq(starts_of(ALICE), 2);
	ck_assert_uint_eq(starts_of(BOB), 1);
	read_all();
	ck_assert_uint_eq(c.n, 0);
	start(ALICE, 4);
	read_all();
	ck_assert_uint_eq(starts_of(ALICE), 4);
	ck_assert_uint_eq(c.grown[0]->total.starts, 6);
}
END_TEST

enum { REST = 16 }; /* readings after which a task is looked for */

START_TEST(those_of_the_exited_are_deleted)
{
	start(ALICE, 1);
	start(BOB, 1);
	fix_put("proc/200/task/200/stat",
		"200 (bob) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0 "
		"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
		"0 0\n");
	for (int i = 0; i < REST; i++) {
		read_all();
		counters_purge(&c, &fix);
		ck_assert_uint_eq(source.perf.feed.model.n, 2);
	}
	read_all();
	counters_purge(&c, &fix);
	ck_assert_uint_eq(source.perf.feed.model.n, 1);
	ck_assert_int_eq(sm_timer_tid(source.perf.feed.model.key[0].owner), BOB);
	ck_assert_uint_eq(c.map.used, 1);
	ck_assert_uint_eq(c.n, 0);
}
END_TEST

/* A task that is not in /proc can be alive in another pid namespace. */
START_TEST(those_of_other_namespaces_stay)
{
	fix.live = true;
	fix_put("proc/2/stat",
		"2 (bash) S 1 1 1 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0 "
		"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
		"0 0\n");
	start(ALICE, 1);
	for (int i = 0; i < 4 * REST + 1; i++) {
		read_all();
		counters_purge(&c, &fix);
		ck_assert_uint_eq(source.perf.feed.model.n, 1);
	}
	start(ALICE, 2);
	read_all();
	ck_assert_uint_eq(c.grown[0]->total.starts, 3);
	read_all();
	c.used = SM_TIMER_COUNTERS_MAX; /* no room for others */
	counters_purge(&c, &fix);
	ck_assert_uint_eq(source.perf.feed.model.n, 0);
}
END_TEST

/* A timer that expires just now, for example. */
START_TEST(what_they_counted_since_is_shown_once)
{
	start(ALICE, 1);
	for (int i = 0; i < REST; i++)
		read_all();
	read_all();
	start(ALICE, 7);
	counters_purge(&c, &fix);
	ck_assert_uint_eq(source.perf.feed.model.n, 0);
	ck_assert_uint_eq(starts_of(ALICE), 7);
	ck_assert_uint_eq(c.grown[0]->total.starts, 8);
	read_all();
	ck_assert_uint_eq(c.n, 0);
	start(ALICE, 2); /* another task of that pid */
	read_all();
	ck_assert_uint_eq(starts_of(ALICE), 2);
	ck_assert_uint_eq(c.grown[0]->total.starts, 2);
}
END_TEST

START_TEST(who_is_the_kernel)
{
	struct counter k = {.key = {.owner.ids = SM_TIMER_OWNER_UNKNOWN}};

	ck_assert(!counters_is_of_kernel(&k, "timerfd_tmrproc"));
	k.key.owner.ids = SM_TIMER_OWNER_KERNEL;
	ck_assert(counters_is_of_kernel(&k, ""));
	k.key.owner.ids = SM_TIMER_OWNER_INTERRUPT;
	ck_assert(!counters_is_of_kernel(&k, "tcp_delack_timer"));
	k.key.owner.ids = sm_timer_ids(ALICE, ALICE);
	ck_assert(!counters_is_of_kernel(&k, "timerfd_tmrproc"));
	ck_assert(counters_is_of_kernel(&k, "dl_task_timer"));
	k = (struct counter){
		.key = {.owner.ids = SM_TIMER_OWNER_UNKNOWN, .kind = SM_TIMER_WHEEL}};
	ck_assert(counters_is_of_kernel(&k, "delayed_work_timer_fn"));
	ck_assert(!counters_is_of_kernel(&k, "process_timeout"));
	ck_assert(!counters_is_of_kernel(&k, ""));
}
END_TEST

START_TEST(read_twice)
{
	struct sm_timermodel *m = &source.perf.feed.model;

	start(ALICE, 3);
	m->key[1] = m->key[0];
	m->counts[1] = m->counts[0];
	m->n = 2;
	read_all();
	ck_assert_uint_eq(c.n, 1);
	ck_assert_uint_eq(starts_of(ALICE), 3);
}
END_TEST

static TCase *tc_counters(void)
{
	TCase *tc = tcase_create("counters");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, growth);
	tcase_add_test(tc, those_of_the_exited_are_deleted);
	tcase_add_test(tc, those_of_other_namespaces_stay);
	tcase_add_test(tc, what_they_counted_since_is_shown_once);
	tcase_add_test(tc, who_is_the_kernel);
	tcase_add_test(tc, read_twice);
	return tc;
}

UNIT_MAIN("counters", tc_counters)
