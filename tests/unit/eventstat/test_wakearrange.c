// SPDX-License-Identifier: GPL-2.0-or-later
/* Which wakeups are shown, as which groups, in what order. */
#include "eventstat_wake_rig.h"
#include "rows/rows.h"
#include "rows/select.h"

enum { ROWS = 9 };

static struct event rows[ROWS];
static struct rows arrange;
static struct opts o;
static size_t shown;

static void setup(void)
{
	const struct event all[ROWS] = {
		of(SM_WAKE_HRTIMER, 10, 10, "editor", "hrtimer_wakeup", 5),
		of(SM_WAKE_CALL, 10, 11, "worker", "sched_ttwu_pending", 7),
		of(SM_WAKE_WHEEL, 2, 2, "kthread", "process_timeout", 1),
		device(24, "virtio0-input.0", 20),
		cause(SM_WAKE_UNKNOWN, 0, 2),
		of(SM_WAKE_RESCHEDULE, 0, 0, "", "", 3),
		of(SM_WAKE_HRTIMER, -1, -1, "", "hrtimer_wakeup", 4),
		of(SM_WAKE_HRTIMER, 0, 0, "swapper", "tick_nohz_handler", 6),
		cause(SM_WAKE_CLOCK, 0xec, 8),
	};

	memcpy(rows, all, sizeof(rows));
	rows[2].flags |= EVENT_KTHREAD;
	rows[7].flags = EVENT_KTHREAD;
	rows[6].flags = 0;
	rows[8].device = "local timer";
	o = opts_default;
	o.wakeups = true;
}

/* The wakeups of the rows in order. */
static const char *arranged(void)
{
	static char text[256];
	struct event *first = rows;
	ssize_t n;
	size_t at = 0;

	ck_assert_int_eq(rows_init(&arrange, &o), 0);
	n = rows_arrange(
		&arrange, &first, select_rows(&o, NULL, rows, ROWS), SM_NSEC_PER_SEC);
	ck_assert_int_ge(n, 0);
	shown = (size_t)n;
	ck_assert_uint_le(shown, arrange.matched);
	memmove(rows, first, shown * sizeof(*rows));
	rows_fini(&arrange);
	text[0] = '\0';
	for (size_t i = 0; i < shown; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%u",
			at ? " " : "", (unsigned int)rows[i].now.starts);
	return text;
}

START_TEST(most_first)
{
	ck_assert_str_eq(arranged(), "20 8 7 6 5 4 3 2 1");
}
END_TEST

START_TEST(limit_and_threshold)
{
	o.app.limit = 2;
	ck_assert_str_eq(arranged(), "20 8");
	o.app.limit = 0;
	o.threshold_milli = 4001;
	ck_assert_str_eq(arranged(), "20 8 7 6 5");
}
END_TEST

/* What is of no task is neither of the kernel's nor of others. */
START_TEST(of_tasks)
{
	o.kernel = true;
	ck_assert_str_eq(arranged(), "6 1");
	setup();
	o.user = true;
	ck_assert_str_eq(arranged(), "7 5 4");
	setup();
	o.name_glob = "*or*";
	ck_assert_str_eq(arranged(), "7 5");
	setup();
	o.text = "dit"; /* a part of a name, typed on the screen */
	ck_assert_str_eq(arranged(), "5");
}
END_TEST

START_TEST(of_pids_and_users)
{
	o.pids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){10}};
	ck_assert_str_eq(arranged(), "7 5");
	setup();
	o.pids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){11}};
	ck_assert_str_eq(arranged(), "7");
	setup();
	o.uids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){1000}};
	ck_assert_str_eq(arranged(), "7 5 1");
	setup();
	o.uids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){0}};
	ck_assert_str_eq(arranged(), "");
}
END_TEST

START_TEST(of_functions)
{
	o.func_glob = "hrtimer_*";
	ck_assert_str_eq(arranged(), "5 4");
	setup();
	o.func_glob = "virtio*";
	ck_assert_str_eq(arranged(), "20");
	setup();
	o.func_glob = "local*";
	ck_assert_str_eq(arranged(), "8");
	setup();
	o.func_glob = "*"; /* all that have a name */
	ck_assert_str_eq(arranged(), "20 8 7 6 5 4 1");
}
END_TEST

/* The callback, the work's function, and the text of the table select a delayed work. */
START_TEST(of_delayed_works)
{
	static const char *const globs[] = {
		"work:vmstat_*", "vmstat_update", "delayed_work_timer_fn"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(globs); i++) {
		setup();
		rows[0].func_name = "vmstat_update";
		rows[0].flags |= EVENT_WORK;
		o.func_glob = globs[i];
		ck_assert_str_eq(arranged(), "5");
	}
	setup();
	o.func_glob = "work:hrtimer_*"; /* not a work */
	ck_assert_str_eq(arranged(), "");
}
END_TEST

/* With --woke, also a group has one task that ran first. */
START_TEST(who_ran)
{
	static const char name[SM_TASK_COMM_LEN] = "ran";

	o.group = GROUP_FUNCTION;
	ck_assert_str_eq(arranged(), "20 9 8 7 6 3 2 1");
	setup();
	o.group = GROUP_FUNCTION;
	rows[0].woke = SM_WAKE_WOKE_TASK;
	memcpy(rows[0].woke_comm, name, sizeof(name));
	ck_assert_str_eq(arranged(), "20 8 7 6 5 4 3 2 1");
	ck_assert_str_eq(rows[4].woke_comm, "ran");
	ck_assert_uint_eq(rows[4].woke, SM_WAKE_WOKE_TASK);
	ck_assert_uint_eq(rows[5].woke, SM_WAKE_WOKE_NOTHING);
}
END_TEST

START_TEST(by_pid_and_name)
{
	o.sort = SORT_PID;
	ck_assert_str_eq(arranged(), "20 8 4 2 6 3 1 5 7");
	setup();
	o.sort = SORT_NAME;
	o.user = true;
	ck_assert_str_eq(arranged(), "4 5 7");
}
END_TEST

/* The sum stays the same; what is of no known task stays apart. */
START_TEST(processes)
{
	o.group = GROUP_PROCESS;
	ck_assert_str_eq(arranged(), "20 12 8 6 4 3 2 1");
	ck_assert_int_eq(rows[1].tid, 10);
	ck_assert_uint_eq(rows[1].kind, EVENT_SEVERAL);
	ck_assert_uint_eq(rows[1].members, 2);
	ck_assert_uint_eq(rows[1].total.starts, 24);
	ck_assert_uint_eq(rows[1].slept_ns, 12000000);
	ck_assert_uint_eq(rows[1].total_slept_ns, 24000000);
	ck_assert_uint_eq(rows[1].func, 0);
	ck_assert_uint_eq(rows[0].kind, SM_WAKE_IRQ);
	ck_assert_str_eq(rows[0].device, "virtio0-input.0");
	ck_assert_uint_eq(rows[6].kind, SM_WAKE_UNKNOWN);
}
END_TEST

START_TEST(functions)
{
	o.group = GROUP_FUNCTION;
	ck_assert_str_eq(arranged(), "20 9 8 7 6 3 2 1");
	ck_assert_int_eq(rows[1].tid, -1);
	ck_assert_uint_eq(rows[1].kind, SM_WAKE_HRTIMER);
	ck_assert_str_eq(rows[1].func_name, "hrtimer_wakeup");
	ck_assert_str_eq(rows[2].device, "local timer");
}
END_TEST

START_TEST(programs)
{
	rows[1].comm = rows[0].comm;
	o.group = GROUP_COMM;
	ck_assert_str_eq(arranged(), "20 12 8 6 4 3 2 1");
	ck_assert_int_eq(rows[1].tid, -1);
	setup();
	o.group = GROUP_CGROUP; /* none was read */
	ck_assert_str_eq(arranged(), "20 19 8 4 3 2");
}
END_TEST

START_TEST(names_of_causes)
{
	for (uint32_t i = 0; i < SM_WAKE_CAUSES; i++)
		ck_assert_uint_gt(strlen(event_cause_name(i)), 0);
	ck_assert_str_eq(event_cause_name(SM_WAKE_UNKNOWN), "unknown");
	ck_assert_str_eq(event_cause_name(EVENT_SEVERAL), "");
	ck_assert_str_eq(event_cause_name(UINT32_MAX), "");
}
END_TEST

static TCase *tc_arrange(void)
{
	TCase *tc = tcase_create("arrange");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, most_first);
	tcase_add_test(tc, limit_and_threshold);
	tcase_add_test(tc, of_tasks);
	tcase_add_test(tc, of_pids_and_users);
	tcase_add_test(tc, of_functions);
	tcase_add_test(tc, of_delayed_works);
	tcase_add_test(tc, who_ran);
	tcase_add_test(tc, by_pid_and_name);
	tcase_add_test(tc, processes);
	tcase_add_test(tc, functions);
	tcase_add_test(tc, programs);
	tcase_add_test(tc, names_of_causes);
	return tc;
}

UNIT_MAIN("wakearrange", tc_arrange)
