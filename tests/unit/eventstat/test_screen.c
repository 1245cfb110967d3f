// SPDX-License-Identifier: GPL-2.0-or-later
#include "eventstat_screen_rig.h"
#include "fixroot_rig.h"

static void add_three(void)
{
	(void)add(10, "alpha", "hrtimer_wakeup", 100);
	add(20, "kworker/0:1", "delayed_work_timer_fn", 40)->flags |= EVENT_KTHREAD;
	(void)add(30, "beta", "process_timeout", 200);
}

/* The row of a table's text has the number; each row's PID is unique. */
static void check_order(const char *first, const char *second, const char *third)
{
	int a = row_with(first), b = row_with(second), c = row_with(third);

	ck_assert_int_ge(a, 0);
	ck_assert_int_lt(a, b);
	ck_assert_int_lt(b, c);
}

START_TEST(before_the_first_sample)
{
	draw();
	ck_assert_int_ge(row_with("waiting for the first sample"), 0);
	ck_assert_int_lt(row_with("events 0"), 0);
}
END_TEST

START_TEST(rows_and_rates)
{
	add_three();
	give();
	ck_assert_str_eq(rig_row(0),
		"events 400.0/s  expiries 300.0/s  on an idle CPU 200.0/s  every 1 s     "
		"01:02:03");
	ck_assert_str_eq(rig_row(1),
		"kernel 100.0/s  user 300.0/s  tick 50.0/s  tick on an idle CPU 25.0/s");
	ck_assert_str_eq(rig_row(2),
		"  Event/s    Wake/s    Idle/s     PID T Task                 Callback");
	ck_assert_str_eq(rig_row(3), "   200.00    100.00     50.00      30 H beta       "
				     "          process_timeout");
	check_order("beta", "alpha", "[kworker/0:1]");
}
END_TEST

/* A sample of two seconds. */
START_TEST(rates_are_per_second)
{
	add_three();
	sample.dt_ns = 2 * SM_NSEC_PER_SEC;
	give();
	ck_assert_int_ge(row_with("events 200.0/s"), 0);
	ck_assert_int_ge(row_with("  100.00     50.00     25.00      30"), 0);
}
END_TEST

/* Only visible rows are looked up in /proc; a key that needs the names of all rows looks
 * up the rest. */
START_TEST(looks_at_visible_rows)
{
	struct tasks t;
	unsigned int looked = 0;
	struct task *k;

	fix_open();
	ck_assert_int_eq(tasks_init(&t, &fix, names), 0);
	tasks_begin(&t, SM_NSEC_PER_SEC);
	t.foreign = true; /* /proc is empty */
	scr->timers.tasks = &t;
	for (pid_t pid = 100; pid < 100 + MANY; pid++) {
		(void)add(pid, "x", "f", 100 + (uint64_t)pid);
		(void)tasks_of(&t, (struct sm_timer_owner){.ids = sm_timer_ids(pid, pid)},
			"from the kernel");
	}
	give();
	for (size_t i = 0; (k = sm_map_next(&t.map, &i)) != NULL;)
		looked += k->looked > 0;
	ck_assert_uint_gt(looked, 3);
	ck_assert_uint_le(looked, 24);
	ck_assert_int_ge(row_with("from the kernel"), 0);
	type("M");
	looked = 0;
	for (size_t i = 0; (k = sm_map_next(&t.map, &i)) != NULL;)
		looked += k->looked > 0;
	ck_assert_uint_eq(looked, MANY);
	scr->timers.tasks = NULL;
	tasks_fini(&t);
	fix_close();
}
END_TEST

START_TEST(order_by_keys)
{
	add_three();
	table[1].now.idle = 90;
	table[0].now.expiries = 150;
	give();
	ck_assert_int_eq(type("I"), SM_SCREEN_REARRANGE);
	check_order("[kworker/0:1]", "beta", "alpha");
	type("W");
	check_order("alpha", "beta", "[kworker/0:1]");
	type("N");
	check_order("alpha", "[kworker/0:1]", "beta");
	type(">");
	ck_assert_int_eq(opts.sort, SORT_NAME);
	check_order("alpha", "beta", "[kworker/0:1]");
	type(">");
	ck_assert_int_eq(opts.sort, SORT_EVENTS);
	type("<");
	ck_assert_int_eq(opts.sort, SORT_NAME);
	type("E");
	check_order("beta", "alpha", "[kworker/0:1]");
}
END_TEST

START_TEST(key_table)
{
	check_keys();
	add_three();
	give();
	type("l");
	ck_assert(opts.full_command && !opts.short_name);
	type("s");
	ck_assert(!opts.full_command && opts.short_name);
	type("c");
	ck_assert(!opts.full_command && !opts.short_name);
	type("H");
	ck_assert_int_eq(opts.group, GROUP_PROCESS);
	type("H");
	ck_assert_int_eq(opts.group, GROUP_THREAD);
	opts.sort = SORT_NAME;
	type("P");
	ck_assert_int_eq(opts.sort, SORT_EVENTS);
	type("uroot\r");
	ck_assert_uint_eq(opts.uids.n, 1);
}
END_TEST

/* The rows that are not shown come back. */
START_TEST(kernel_and_user)
{
	add_three();
	give();
	type("K");
	ck_assert_int_ge(row_with("[kworker/0:1]"), 0);
	ck_assert_int_lt(row_with("alpha"), 0);
	type("K");
	ck_assert_int_lt(row_with("[kworker/0:1]"), 0);
	check_order("user", "beta", "alpha");
	type("K");
	check_order("beta", "alpha", "[kworker/0:1]");
}
END_TEST

START_TEST(name_filter)
{
	add_three();
	give();
	type("/alp");
	ck_assert_int_ge(row_with("alpha"), 0);
	ck_assert_int_lt(row_with("beta "), 0);
	type("\r");
	ck_assert_int_ge(row_with("name alp"), 0);
	type("/nobody\r");
	ck_assert_int_ge(row_with("no task that passes the filter armed a timer"), 0);
	type("\x1b");
	check_order("beta", "alpha", "[kworker/0:1]");
}
END_TEST

START_TEST(tick_and_self)
{
	add_three();
	add(40, "burner", "tick_nohz_handler", 250)->flags |= EVENT_TICK;
	add(50, "eventstat", "hrtimer_wakeup", 2)->flags |= EVENT_SELF;
	give();
	ck_assert_int_lt(row_with("burner"), 0);
	ck_assert_int_lt(row_with("eventstat"), 0);
	type("t");
	ck_assert_int_ge(row_with("burner"), 0);
	ck_assert_int_lt(row_with("eventstat"), 0);
}
END_TEST

START_TEST(groups)
{
	add_three();
	(void)add(31, "beta", "process_timeout", 50);
	give();
	type("G");
	ck_assert_int_ge(row_with("by process"), 0);
	type("G");
	ck_assert_int_ge(row_with("by comm"), 0);
	ck_assert_int_ge(row_with("   250.00    125.00     62.00       2 beta"), 0);
	type("G");
	ck_assert_int_ge(row_with("by function"), 0);
	ck_assert_int_ge(
		row_with("   250.00    125.00     62.00       2 H process_timeout"), 0);
	type("GG");
	ck_assert_int_eq(opts.group, GROUP_THREAD);
}
END_TEST

START_TEST(since_the_start)
{
	add_three();
	give();
	type("C");
	ck_assert_int_ge(row_with("   Events"), 0);
	ck_assert_int_ge(row_with("     2000    100.00"), 0);
}
END_TEST

START_TEST(details)
{
	static const char cmd[] = "/opt/beta\0--fast";

	add_three();
	table[2].cmd = sm_strpool_get(names, cmd, sizeof(cmd), 0);
	table[2].flags |= EVENT_HAS_UID;
	give();
	type("\r");
	ck_assert_int_eq(selected_row(), 3);
	ck_assert_int_ge(
		row_with("pid 30  user root  comm beta  function process_timeout"), 0);
	ck_assert_int_ge(row_with("command /opt/beta --fast"), 0);
	ck_assert_int_ge(
		row_with("since the start: armed 2000  expired 1000  on an idle CPU 200"),
		0);
	sm_strpool_put(names, table[2].cmd);
	ntable = 2;
	give(); /* the selection stays, its row is absent */
	ck_assert_int_ge(row_with("not in this sample"), 0);
	type("\x1b");
	ck_assert_int_lt(row_with("not in this sample"), 0);
}
END_TEST

/* Rows are of the last sample while it is paused; they are the screen's own copies. */
START_TEST(rows_are_copies)
{
	char comm[] = "alpha";

	(void)add(10, comm, "hrtimer_wakeup", 100);
	give();
	memset(comm, 'x', 5);
	type("p");
	ck_assert(scr->base.paused);
	ck_assert_int_ge(row_with("PAUSED"), 0);
	type("N");
	ck_assert_int_ge(row_with("alpha"), 0);
	ck_assert_int_ge(row_with("hrtimer_wakeup"), 0);
}
END_TEST

START_TEST(hostile_names)
{
	(void)add(10, "\x1b[2J\n<b>", "hrtimer_wakeup", 100);
	give();
	ck_assert_int_ge(row_with("\\x1b[2J\\x0a<b>"), 0);
	ck_assert_ptr_null(strstr(rig.out, "\x1b[2J\n"));
}
END_TEST

/* The column sorted by stays where there is no room for all. */
START_TEST(narrow)
{
	open_screen(40, 10);
	add_three();
	give();
	ck_assert_str_eq(rig_row(1), "  Event/s     PID Task       Callback");
	type("I");
	ck_assert_int_ge(row_with("   Idle/s     PID Task       Callback"), 0);
	teardown();
	open_screen(20, 2);
	add_three();
	give();
	ck_assert_int_ge(row_with("200.00"), 0);
	teardown();
}
END_TEST

START_TEST(wide)
{
	open_screen(150, 24);
	add_three();
	give();
	give();
	ck_assert_int_ge(row_with("History"), 0);
	ck_assert_int_ge(row_with("\xe2\x96\x88\xe2\x96\x88"), 0);
	teardown();
}
END_TEST

START_TEST(many)
{
	for (int i = 0; i < MANY; i++)
		(void)add(1000 + i, "task", "hrtimer_wakeup", 5);
	give();
	ck_assert_int_ge(row_with("1-19/1500"), 0);
	type("\x1bOF"); /* End */
	ck_assert_int_ge(row_with("-1500/1500"), 0);
}
END_TEST

static void add_causes(void)
{
	struct event *e;

	(void)add_cause(SM_WAKE_HRTIMER, 10, "alpha", "hrtimer_wakeup", 60);
	(void)add_cause(SM_WAKE_RESCHEDULE, 20, "beta", "", 30);
	e = add_cause(SM_WAKE_IRQ, -1, "", "", 10);
	e->irq = 24;
	e->device = "virtio0-input.0";
}

START_TEST(page_of_wakeups)
{
	add_three();
	add_causes();
	give();
	ck_assert_int_lt(row_with("virtio0"), 0);
	ck_assert_int_eq(type("w"), SM_SCREEN_REDRAW);
	ck_assert_str_eq(rig_row(0),
		"wakeups 100.0/s  by timers 60.0/s  devices 10.0/s  other CPUs 30.0/s    "
		"01:02:03");
	ck_assert_str_eq(rig_row(1), "mean idle period 2.000 ms  timers armed 400.0/s");
	ck_assert_str_eq(rig_row(2), " Wakeup/s  Share  Slept ms     PID Task            "
				     "     Cause      Callback or d");
	ck_assert_str_eq(rig_row(3),
		"    60.00  60.0%     2.000      10 alpha                hrtimer    "
		"hrtimer_wake\xe2\x80\xa6");
	check_order("alpha", "beta", "24 virtio");
	type("N");
	check_order("24 virtio", "alpha", "beta");
	type("\t");
	ck_assert_int_ge(row_with("events 400.0/s"), 0);
}
END_TEST

START_TEST(filter_of_wakeups)
{
	add_causes();
	give();
	type("w/lph\r");
	ck_assert_int_ge(row_with("alpha"), 0);
	ck_assert_int_lt(row_with("beta"), 0);
	ck_assert_int_lt(row_with("virtio0"), 0);
}
END_TEST

/* The sums of the CPUs are those of the sample on the screen. */
START_TEST(cpus_are_copied)
{
	struct wake_cpu cpu[] = {{.sum = {5, 500}}, {.sum = {7, 700}}};

	wakeups.woken.cpu = cpu;
	wakeups.woken.cpus = 2;
	give();
	memset(cpu, 0, sizeof(cpu));
	ck_assert_uint_eq(scr->wakeups.sample.woken.cpus, 2);
	ck_assert_uint_eq(scr->wakeups.sample.woken.cpu[0].sum.wakeups, 5);
	ck_assert_uint_eq(scr->wakeups.sample.woken.cpu[1].sum.slept_ns, 700);
}
END_TEST

/* A key rearranges rows that stay as they are. */
START_TEST(groups_of_wakeups)
{
	add_causes();
	(void)add_cause(SM_WAKE_HRTIMER, 11, "alpha", "hrtimer_wakeup", 40);
	give();
	type("wGG");
	ck_assert_int_ge(row_with("   100.00  71.4%     2.000       2 alpha"), 0);
	type("GGG");
	ck_assert_int_ge(row_with("    60.00  42.9%     2.000      10 alpha"), 0);
	ck_assert_int_ge(row_with("    40.00  28.6%     2.000      11 alpha"), 0);
}
END_TEST

START_TEST(details_of_a_wakeup)
{
	add_causes();
	give();
	type("w\r");
	ck_assert_int_ge(row_with("pid 10  comm alpha  function hrtimer_wakeup"), 0);
	ck_assert_int_ge(row_with("since the start: woke CPUs 180"), 0);
}
END_TEST

START_TEST(without_wakeups)
{
	scr->have_wakeups = false;
	give();
	type("w");
	ck_assert_int_ge(
		row_with("cannot count wakeups; run with --wakeups for the reason"), 0);
	ck_assert(!scr->on_wakeups);
}
END_TEST

START_TEST(lost_and_partial)
{
	add_three();
	sample.lost.events = 7;
	sample.partial = true;
	sample.dt_ns = SM_NSEC_PER_SEC / 4;
	give();
	ck_assert_int_ge(row_with("partial 0.25 s  7 events lost"), 0);
}
END_TEST

START_TEST(requests)
{
	add_three();
	give();
	ck_assert_int_eq(type(" "), SM_SCREEN_SAMPLE);
	ck_assert_int_eq(type("+"), SM_SCREEN_REARRANGE);
	ck_assert_uint_eq(opts.app.interval_ns, 2 * SM_NSEC_PER_SEC);
	ck_assert_int_eq(type("j"), SM_SCREEN_REDRAW);
	ck_assert_int_eq(type("Y"), SM_SCREEN_REDRAW);
	ck_assert_int_ge(row_with("unknown key; press h for help"), 0);
	ck_assert_int_eq(type("h"), SM_SCREEN_REDRAW);
	ck_assert_str_eq(rig_row(0), "eventstat: keys");
	ck_assert_int_eq(type("q"), SM_SCREEN_REDRAW); /* closes the help */
	ck_assert_int_eq(type("q"), SM_SCREEN_QUIT);
}
END_TEST

static TCase *tc_screen(void)
{
	TCase *tc = tcase_create("screen");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, before_the_first_sample);
	tcase_add_test(tc, rows_and_rates);
	tcase_add_test(tc, rates_are_per_second);
	tcase_add_test(tc, order_by_keys);
	tcase_add_test(tc, looks_at_visible_rows);
	tcase_add_test(tc, key_table);
	tcase_add_test(tc, kernel_and_user);
	tcase_add_test(tc, name_filter);
	tcase_add_test(tc, tick_and_self);
	tcase_add_test(tc, groups);
	tcase_add_test(tc, since_the_start);
	tcase_add_test(tc, details);
	tcase_add_test(tc, rows_are_copies);
	tcase_add_test(tc, hostile_names);
	tcase_add_test(tc, many);
	tcase_add_test(tc, page_of_wakeups);
	tcase_add_test(tc, filter_of_wakeups);
	tcase_add_test(tc, cpus_are_copied);
	tcase_add_test(tc, groups_of_wakeups);
	tcase_add_test(tc, details_of_a_wakeup);
	tcase_add_test(tc, without_wakeups);
	tcase_add_test(tc, lost_and_partial);
	tcase_add_test(tc, requests);
	return tc;
}

static TCase *tc_sizes(void)
{
	TCase *tc = tcase_create("sizes");

	tcase_add_test(tc, narrow);
	tcase_add_test(tc, wide);
	return tc;
}

UNIT_MAIN("eventstat screen", tc_screen, tc_sizes)
