// SPDX-License-Identifier: GPL-2.0-or-later
/* Exited children, through their parents' cutime.  See rig.h. */
#include "cpustat_rig.h"
#include "gate_rig.h"

static struct fake init, a, b, c;

static void setup(void)
{
	rig_open();
	sampler = (struct sampler){0};
	init = (struct fake){.pid = 1, .comm = "init", .utime = 5, .start = 1};
	a = (struct fake){.pid = 10,
		.comm = "a",
		.ppid = 1,
		.utime = 500,
		.cutime = 7000,
		.start = 99};
	b = (struct fake){.pid = 20, .comm = "b", .ppid = 10, .utime = 70, .start = 99};
	c = (struct fake){.pid = 30, .comm = "c", .ppid = 20, .utime = 40, .start = 99};
	fake(&init);
	fake(&a);
	fake(&b);
	fake(&c);
}

static void teardown(void)
{
	rig_close();
}

static void start(void)
{
	begin();
	take();
}

/* p is waited for by its parent. */
static void reap(struct fake *p, struct fake *parent)
{
	parent->cutime += (int64_t)p->utime + p->cutime;
	parent->cstime += (int64_t)p->stime + p->cstime;
	parent->utime++;
	fake(parent);
	fake_exit(p->pid);
}

START_TEST(never_seen)
{
	const struct row *row;

	start();
	a.utime += 2;
	a.cutime += 30;
	a.cstime += 10;
	fake(&a);
	take_at(100100);
	row = row_of(ROW_EXITED, 10);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 10), 40);
	ck_assert_uint_eq(row->usr_ns, 30 * TICK);
	ck_assert_uint_eq(row->dt_ns, SM_NSEC_PER_SEC);
	ck_assert_uint_eq(row->total_ns, 40 * TICK);
	ck_assert_int_eq(row->state, 0);
	ck_assert_int_eq(row->cpu, -1);
	ck_assert_uint_eq(row->start_ticks, 99);
	ck_assert(sm_parse_eq(row->comm, "a"));
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 2);
	ck_assert_uint_eq(sample.tasks_ns, 2 * TICK);
	ck_assert_uint_eq(sample.exited_ns, 40 * TICK);
	take_at(100200);
	ck_assert_uint_eq(sample.nrows, 0);
}
END_TEST

/* A parent that only waits has no tick of its own for long. */
START_TEST(parent_without_a_tick)
{
	start();
	for (uint64_t i = 1; i <= 5; i++) {
		a.cutime += 95;
		fake(&a);
		take_at(100000 + i * 100);
		ck_assert_uint_eq(used_ticks(ROW_EXITED, 10), 95);
		ck_assert_ptr_null(row_of(ROW_PROCESS, 10));
	}
}
END_TEST

/* Only the time that no row has reported: 10 of 60. */
START_TEST(seen_and_reaped)
{
	start();
	c.utime += 50;
	fake(&c);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 30), 50);
	c.utime += 10;
	reap(&c, &b);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 20), 10);
	ck_assert_uint_eq(sample.exited, 1);
}
END_TEST

START_TEST(seen_to_the_end)
{
	start();
	c.utime += 50;
	c.state = 'Z';
	fake(&c);
	take_at(100100);
	ck_assert_int_eq(row_of(ROW_PROCESS, 30)->state, 'Z');
	reap(&c, &b);
	take_at(100200);
	ck_assert_ptr_null(row_of(ROW_EXITED, 20));
	ck_assert_uint_eq(sample.exited_ns, 0);
}
END_TEST

/* c's time goes through b, which reaped and was reaped in one sample, to a. */
START_TEST(grandchildren)
{
	struct fake d = {
		.pid = 40, .comm = "d", .ppid = 20, .utime = 33, .start = 100150};

	start();
	c.utime += 50;
	b.cutime += 9; /* never seen */
	b.utime++;
	fake(&c);
	fake(&b);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 20), 9);
	c.utime += 5;
	fake(&d);
	reap(&d, &b);
	reap(&c, &b);
	b.utime += 3;
	reap(&b, &a);
	take_at(100200);
	/* d 33, c 5, b 3 and the two ticks that reaping takes here */
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 10), 43);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 1);
	ck_assert_uint_eq(sample.exited, 2);
}
END_TEST

/* The parent's stat cannot be read in the sample in which the child goes. */
START_TEST(parent_unread)
{
	start();
	c.utime += 50;
	fake(&c);
	take_at(100100);
	c.utime += 4;
	reap(&c, &b);
	fake_file(20, "stat", "nonsense\n", 9);
	take_at(100200);
	ck_assert_uint_eq(sample.nrows, 0);
	fake(&b);
	take_at(100300);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 20), 4);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 20), 1);
}
END_TEST

/* Its main thread has exited, another one reaps: the time is its own. */
START_TEST(leader_that_has_exited)
{
	struct fake x = {.pid = 50, .comm = "x", .ppid = 1, .start = 99};

	a.state = 'Z';
	a.threads = 2;
	fake(&a);
	fake(&x);
	start();
	b.utime += 60;
	fake(&b);
	take_at(100100);
	reap(&b, &a);
	x.cutime += 70; /* of children that no sample saw */
	x.utime++;
	fake(&x);
	take_at(100200);
	ck_assert_ptr_null(row_of(ROW_EXITED, 10));
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 50), 70);
}
END_TEST

/* With -p children have no rows of their own: their whole time is reported at once. */
START_TEST(long_child_of_a_pid)
{
	opts.pids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){10}};
	start();
	take_at(100010);
	a.cutime += 700; /* 7 s in a tenth of a second */
	a.utime++;
	fake(&a);
	take_at(100020);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 10), 700);
}
END_TEST

/* The child outlives its parent and is init's. */
START_TEST(orphan)
{
	start();
	c.utime += 50;
	fake(&c);
	take_at(100100);
	reap(&b, &a);
	c.ppid = 1;
	fake(&c);
	take_at(100200);
	ck_assert_ptr_null(row_of(ROW_EXITED, 10));
	c.utime += 6;
	reap(&c, &init);
	take_at(100300);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 1), 6);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 1), 1);
}
END_TEST

/* Parent and child exit in one sample, the child becomes one of init in between. */
START_TEST(orphan_of_one_sample)
{
	start();
	c.utime += 50;
	b.utime += 20;
	fake(&b);
	fake(&c);
	take_at(100100);
	b.utime += 2;
	c.utime += 6;
	reap(&b, &a);
	reap(&c, &init);
	take_at(100200);
	ck_assert_uint_eq(sample.exited_ns, 8 * TICK);
}
END_TEST

/* It never ran under its new parent. */
START_TEST(orphan_that_slept)
{
	start();
	reap(&b, &a);
	c.ppid = 1;
	fake(&c);
	for (uint64_t i = 1; i < 9; i++)
		take_at(100000 + i * 100);
	reap(&c, &init);
	take_at(101000);
	ck_assert_ptr_null(row_of(ROW_EXITED, 1));
}
END_TEST

/* The parent never used a tick and its number is another's already: c's time is a's. */
START_TEST(parent_without_time_is_a_link)
{
	b.utime = 0;
	fake(&b);
	start();
	c.utime += 50;
	fake(&c);
	take_at(100100);
	a.cutime += (int64_t)c.utime;
	a.utime++;
	fake(&a);
	fake_exit(30);
	fake(&(struct fake){.pid = 20, .comm = "other", .ppid = 1, .start = 100150});
	take_at(100200);
	ck_assert_uint_eq(sample.exited_ns, 0);
	ck_assert_uint_eq(sample.exited, 2);
	ck_assert_uint_eq(sample.created, 1);
}
END_TEST

/* a spawns small children while c, no relative of it, exits: each keeps its own time. */
START_TEST(innocent_spawner)
{
	c.ppid = 1;
	fake(&c);
	start();
	c.utime += 50;
	fake(&c);
	take_at(100100);
	a.cutime += 96; /* as much as c has in all */
	a.utime++;
	fake(&a);
	c.utime += 6;
	reap(&c, &init);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 10), 96);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 1), 6);
}
END_TEST

/* Idle since before the first sample: what its children had used then, and itself, was
 * not used now. */
START_TEST(idle_shell_ends)
{
	start();
	reap(&a, &init);
	b.ppid = 1;
	fake(&b);
	take_at(100100);
	ck_assert_uint_eq(sample.exited_ns, 0);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 1), 1);
	take_at(100200);
	ck_assert_uint_eq(sample.nrows, 0);
}
END_TEST

/* b is a zombie at the instant of the sample: it has reaped c, and a has not yet reaped
 * it. */
START_TEST(zombie_at_the_instant_of_the_sample)
{
	start();
	c.utime += 50;
	fake(&c);
	take_at(100100);
	c.utime += 6;
	reap(&c, &b);
	b.state = 'Z';
	fake(&b);
	a.utime++;
	a.cutime += 30; /* it reaps others meanwhile */
	fake(&a);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 20), 6);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 10), 30);
	reap(&b, &a);
	take_at(100300);
	ck_assert_uint_eq(sample.exited_ns, 0);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 1);
}
END_TEST

/* b becomes a zombie and leaves c, which runs on, to init. */
START_TEST(child_of_a_zombie)
{
	start();
	c.utime += 50;
	fake(&c);
	take_at(100100);
	b.state = 'Z';
	b.utime++;
	fake(&b);
	c.ppid = 1;
	fake(&c);
	take_at(100200);
	a.utime++;
	a.cutime += 30;
	fake(&a);
	c.utime += 6;
	reap(&c, &init);
	take_at(100300);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 1), 6);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 10), 30);
	ck_assert_ptr_null(row_of(ROW_EXITED, 20));
}
END_TEST

/* SIGCHLD ignored: no cutime has the time, and the negative balance is bounded. */
START_TEST(reaped_without_a_trace)
{
	struct fake d = {.comm = "d", .ppid = 10, .start = 100050, .utime = 20};

	start();
	for (unsigned int i = 0; i < 20; i++) {
		d.pid = 100 + (pid_t)i;
		a.utime++;
		fake(&a);
		fake(&d);
		take_at(100100 + i * 200);
		fake_exit(d.pid);
		a.utime++;
		fake(&a);
		take_at(100200 + i * 200);
		ck_assert_ptr_null(row_of(ROW_EXITED, 10));
	}
	a.cutime += 100;
	fake(&a);
	take_at(110000);
	ck_assert_uint_ge(used_ticks(ROW_EXITED, 10), 98);
}
END_TEST

/* cutime less than before, or just wrapped. */
START_TEST(odd_cutime)
{
	start();
	a.cutime -= 100;
	fake(&a);
	take_at(100100);
	ck_assert_uint_eq(sample.nrows, 0);
	a.cutime = UINT32_MAX - 9;
	fake(&a);
	take_at(100200);
	a.cutime += 20;
	fake(&a);
	take_at(100300);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 10), 20);
	a.cutime = 0;
	a.cstime = 0;
	fake(&a);
	take_at(100400);
	ck_assert_ptr_null(row_of(ROW_EXITED, 10));
}
END_TEST

START_TEST(created_and_reaps)
{
	struct fake d = {
		.pid = 40, .comm = "d", .ppid = 1, .cutime = 60, .start = 100050};

	start();
	fake(&d);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 40), 60);
}
END_TEST

/* The pid of a parent is reused: the new process has reaped its own cutime. */
START_TEST(reused_parent)
{
	start();
	a.start = 100050;
	a.utime = 3;
	a.cutime = 25;
	fake(&a);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 10), 25);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 3);
}
END_TEST

/* --- while the sampler reads ------------------------------------------------------ */

static void put_gate(void)
{
	fake(&(struct fake){.pid = 15, .comm = "gate", .ppid = 1, .start = 99});
}

static void take_with(void (*fn)(void), uint64_t centi)
{
	between = fn;
	take_at(centi);
	ck_assert(!between);
}

static void b_is_reaped(void)
{
	reap(&b, &a);
}

/* a was read before it reaped b, which was not found any more. */
START_TEST(reaped_between_two_reads)
{
	c.ppid = 1;
	fake(&c);
	put_gate();
	start();
	b.utime += 60;
	fake(&b);
	take_at(100100);
	a.utime++;
	fake(&a);
	take_with(b_is_reaped, 100200);
	ck_assert_ptr_null(row_of(ROW_EXITED, 10));
	ck_assert_uint_eq(sample.exited, 1);
	take_at(100300);
	ck_assert_ptr_null(row_of(ROW_EXITED, 10));
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 1);
}
END_TEST

static void child_is_reaped(void)
{
	fake_exit(12);
	a.cutime += 60;
	fake(&a);
}

/* Read, then reaped by a, whose cutime is read afterwards because of another child. */
START_TEST(reaped_after_it_was_read)
{
	struct fake d = {.pid = 12, .comm = "d", .ppid = 10, .utime = 0, .start = 99};

	c.ppid = 1;
	fake(&c);
	fake(&d);
	put_gate();
	start();
	d.utime += 60;
	fake(&d);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 12), 60);
	a.cutime += 5; /* it reaps one that no sample saw */
	fake(&a);
	take_with(child_is_reaped, 100200);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 10), 5);
	ck_assert_uint_eq(sample.exited, 1);
}
END_TEST

static TCase *tc_reap(void)
{
	TCase *tc = tcase_create("reap");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, never_seen);
	tcase_add_test(tc, parent_without_a_tick);
	tcase_add_test(tc, seen_and_reaped);
	tcase_add_test(tc, seen_to_the_end);
	tcase_add_test(tc, grandchildren);
	tcase_add_test(tc, parent_unread);
	tcase_add_test(tc, leader_that_has_exited);
	tcase_add_test(tc, long_child_of_a_pid);
	tcase_add_test(tc, orphan);
	tcase_add_test(tc, orphan_of_one_sample);
	tcase_add_test(tc, orphan_that_slept);
	tcase_add_test(tc, parent_without_time_is_a_link);
	tcase_add_test(tc, innocent_spawner);
	tcase_add_test(tc, idle_shell_ends);
	tcase_add_test(tc, zombie_at_the_instant_of_the_sample);
	tcase_add_test(tc, child_of_a_zombie);
	tcase_add_test(tc, reaped_without_a_trace);
	tcase_add_test(tc, odd_cutime);
	tcase_add_test(tc, created_and_reaps);
	tcase_add_test(tc, reused_parent);
	return tc;
}

static TCase *tc_race(void)
{
	TCase *tc = tcase_create("race");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, reaped_between_two_reads);
	tcase_add_test(tc, reaped_after_it_was_read);
	return tc;
}

UNIT_MAIN("sampler_reap", tc_reap, tc_race)
