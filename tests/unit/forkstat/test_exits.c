// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>

#include "forkstat/exits.h"
#include "forkstat_rig.h"

static struct rig r;
static struct exitbpf b;
static uint64_t now_ns;

static void setup(void)
{
	rig_open(&r, 1u << 20, false);
	ck_assert_int_eq(exitbpf_init(&b), 0);
	now_ns = 1000;
	ck_assert_ptr_nonnull(sm_tasktable_fork(&r.procs, 200, 200, 1, now_ns));
	for (pid_t tid = 201; tid <= 203; tid++)
		ck_assert_ptr_nonnull(sm_tasktable_fork(&r.procs, tid, 200, 1, now_ns));
}

static void teardown(void)
{
	exitbpf_close(&b);
	rig_close(&r);
}

static struct exits_status exit_of(pid_t tid, uint32_t code)
{
	struct sm_task *p = sm_tasktable_find(&r.procs, tid, 200);
	struct sm_proc_event ev = ev_exit(now_ns += 1000, tid, 200, code);
	struct exits_status s = exits_apply(&b, &r.procs, p, &ev);

	sm_tasktable_exit(&r.procs, p);
	return s;
}

/* The record that comes before the event of the next exit. */
static void record(pid_t tid, uint32_t live, enum exitbpf_kind kind, uint32_t code)
{
	struct exitbpf_raw raw = {.time_ns = now_ns + 900,
		.tid = (uint32_t)tid,
		.tgid = 200,
		.live = live,
		.kind = kind,
		.code = code};

	exitbpf_record(&b, &raw, sizeof(raw));
}

/* The end of a thread has its own code. */
#define ck_thread(status, want)                     \
	do {                                        \
		struct exits_status s_ = (status);  \
		ck_assert(!s_.process_end);         \
		ck_assert(s_.known);                \
		ck_assert_uint_eq(s_.code, (want)); \
	} while (0)
#define ck_end(status, want)                        \
	do {                                        \
		struct exits_status s_ = (status);  \
		ck_assert(s_.process_end);          \
		ck_assert(s_.known);                \
		ck_assert_uint_eq(s_.code, (want)); \
	} while (0)
#define ck_unknown(status)                         \
	do {                                       \
		struct exits_status s_ = (status); \
		ck_assert(s_.process_end);         \
		ck_assert(!s_.known);              \
	} while (0)

#define EXIT(n) ((uint32_t)(n) << 8)

/* --- without records ---------------------------------------------------------------- */

START_TEST(single_thread)
{
	sm_tasktable_fork(&r.procs, 300, 300, 1, now_ns);
	for (pid_t tid = 201; tid <= 203; tid++)
		ck_thread(exit_of(tid, EXIT(9)), EXIT(9));
	ck_end(exit_of(200, EXIT(3)), EXIT(3));
}
END_TEST

/* exit_group(3): in whatever order, all have the same code. */
START_TEST(group_exit)
{
	ck_thread(exit_of(202, EXIT(1)), EXIT(1)); /* long before */
	ck_thread(exit_of(200, EXIT(3)), EXIT(3));
	ck_thread(exit_of(203, EXIT(3)), EXIT(3));
	ck_end(exit_of(201, EXIT(3)), EXIT(3));
}
END_TEST

/* The main thread called pthread_exit(3), the last one exit(3) or _exit(2)'s system call.
 */
START_TEST(leader_first_with_another_code)
{
	ck_thread(exit_of(200, 0), 0);
	ck_thread(exit_of(201, 0), 0);
	ck_thread(exit_of(202, 0), 0);
	ck_unknown(exit_of(203, EXIT(7)));
}
END_TEST

/* One in between had another code, which the last one may have got or not. */
START_TEST(leader_first_and_a_mixture)
{
	ck_thread(exit_of(200, 0), 0);
	ck_thread(exit_of(201, EXIT(7)), EXIT(7));
	ck_thread(exit_of(202, 0), 0);
	ck_unknown(exit_of(203, 0));
}
END_TEST

START_TEST(signals_end_all)
{
	ck_thread(exit_of(200, 0), 0);
	ck_thread(exit_of(201, 9), 9);
	ck_thread(exit_of(202, 9), 9);
	ck_end(exit_of(203, 9), 9);
}
END_TEST

/* The thread that dumped is the only one whose code says so. */
START_TEST(core_dump)
{
	ck_thread(exit_of(201, 11), 11);
	ck_thread(exit_of(203, 0x8b), 0x8b);
	ck_thread(exit_of(202, 11), 11);
	ck_end(exit_of(200, 11), 0x8b);
}
END_TEST

START_TEST(seccomp_ends_one_thread)
{
	ck_thread(exit_of(200, 0), 0);
	ck_thread(exit_of(201, 0), 0);
	ck_thread(exit_of(202, 0), 0);
	ck_unknown(exit_of(203, SIGSYS));
}
END_TEST

/* Its leader ended before the run. */
START_TEST(leader_not_seen)
{
	sm_tasktable_get(&r.procs, 200)->flags |= SM_TASK_DEAD;
	ck_thread(exit_of(201, 0), 0);
	ck_thread(exit_of(202, 0), 0);
	ck_unknown(exit_of(203, 0));
}
END_TEST

/* --- with records ------------------------------------------------------------------- */

START_TEST(code_of_the_group)
{
	record(200, 3, EXITBPF_NONE, 0);
	ck_thread(exit_of(200, 0), 0);
	record(201, 1, EXITBPF_GROUP, EXIT(7));
	ck_thread(exit_of(201, EXIT(7)), EXIT(7));
	record(202, 1, EXITBPF_LEADER, 0); /* passed the program before that */
	ck_thread(exit_of(202, EXIT(5)), EXIT(5));
	record(203, 0, EXITBPF_GROUP, EXIT(7));
	ck_end(exit_of(203, EXIT(7)), EXIT(7));
	ck_assert_uint_eq(b.waiting.used, 0);
}
END_TEST

/* Linux 5.10: the exit of the last thread leaves the status of the leader. */
START_TEST(code_of_the_leader)
{
	record(200, 3, EXITBPF_NONE, 0);
	ck_thread(exit_of(200, EXIT(3)), EXIT(3));
	record(201, 2, EXITBPF_LEADER, EXIT(3));
	ck_thread(exit_of(201, 0), 0);
	record(202, 0, EXITBPF_LEADER, EXIT(3)); /* two at once */
	record(203, 0, EXITBPF_LEADER, EXIT(3));
	ck_thread(exit_of(203, EXIT(7)), EXIT(7));
	ck_end(exit_of(202, EXIT(8)), EXIT(3));
}
END_TEST

START_TEST(leader_before_the_run)
{
	sm_tasktable_get(&r.procs, 200)->flags |= SM_TASK_DEAD;
	ck_thread(exit_of(201, 0), 0);
	ck_thread(exit_of(202, 0), 0);
	record(203, 0, EXITBPF_LEADER, EXIT(3));
	ck_end(exit_of(203, EXIT(7)), EXIT(3));
}
END_TEST

/* The leader called exit(2), and SIGKILL came before it had ended. */
START_TEST(signal_during_the_exit)
{
	sm_tasktable_fork(&r.procs, 200, 200, 1, now_ns);
	record(200, 0, EXITBPF_GROUP, 9);
	ck_end(exit_of(200, EXIT(3)), 9);
}
END_TEST

/* The latest record counts: the core is dumped after the group has got its code. */
START_TEST(latest_code_of_the_group)
{
	uint64_t early = now_ns;

	now_ns += 5000;
	record(200, 3, EXITBPF_GROUP, 0x8b);
	ck_thread(exit_of(200, 11), 11);
	now_ns = early;
	record(201, 2, EXITBPF_GROUP, 11);
	ck_thread(exit_of(201, 11), 11);
	exit_of(202, 11);
	ck_end(exit_of(203, 11), 0x8b);
}
END_TEST

/* No room in the ring for the last record. */
START_TEST(record_lost)
{
	record(200, 3, EXITBPF_NONE, 0);
	ck_thread(exit_of(200, EXIT(3)), EXIT(3));
	record(201, 2, EXITBPF_LEADER, EXIT(3));
	ck_thread(exit_of(201, 0), 0);
	record(202, 1, EXITBPF_LEADER, EXIT(3));
	ck_thread(exit_of(202, 0), 0);
	ck_unknown(exit_of(203, EXIT(7)));
}
END_TEST

/* A process that /proc has not shown, nor its threads: the records say whether others
 * live. */
START_TEST(live_threads_of_the_record)
{
	sm_tasktable_fresh(&r.procs, 200, 200);
	record(200, 2, EXITBPF_NONE, 0);
	ck_thread(exit_of(200, 0), 0);
	record(298, 1, EXITBPF_LEADER, 0);
	ck_thread(exit_of(298, 0), 0);
	record(299, 0, EXITBPF_GROUP, EXIT(7));
	ck_end(exit_of(299, EXIT(7)), EXIT(7));
	/* The events come in another order than the records were made. */
	sm_tasktable_fresh(&r.procs, 200, 200);
	record(200, 1, EXITBPF_NONE, 0);
	record(298, 0, EXITBPF_GROUP, EXIT(7));
	ck_thread(exit_of(298, EXIT(7)), EXIT(7));
	ck_end(exit_of(200, EXIT(7)), EXIT(7));
	/* The leader, not known before, is the last one, and its record the first. */
	record(200, 2, EXITBPF_GROUP, EXIT(7));
	record(298, 1, EXITBPF_GROUP, EXIT(7));
	record(299, 0, EXITBPF_GROUP, EXIT(7));
	ck_thread(exit_of(298, EXIT(7)), EXIT(7));
	ck_thread(exit_of(299, EXIT(7)), EXIT(7));
	ck_end(exit_of(200, EXIT(7)), EXIT(7));
	ck_assert_ptr_null(sm_tasktable_get(&r.procs, 200));
	/* A thread is. */
	record(200, 1, EXITBPF_GROUP, EXIT(7));
	record(298, 0, EXITBPF_GROUP, EXIT(7));
	ck_thread(exit_of(200, EXIT(7)), EXIT(7));
	ck_end(exit_of(298, EXIT(7)), EXIT(7));
	ck_assert_ptr_null(sm_tasktable_get(&r.procs, 200));
	/* The leader's event was lost. */
	sm_tasktable_find(&r.procs, 298, 200);
	exitbpf_record(&b,
		&(struct exitbpf_raw){.tid = 298,
			.tgid = 200,
			.kind = EXITBPF_LEADER,
			.leader_exited = 1,
			.code = EXIT(3)},
		sizeof(struct exitbpf_raw));
	ck_end(exit_of(298, EXIT(7)), EXIT(3));
	ck_assert_ptr_null(sm_tasktable_get(&r.procs, 200));
	/* It has one thread, and so no record. */
	sm_tasktable_fresh(&r.procs, 200, 200);
	ck_end(exit_of(200, EXIT(7)), EXIT(7));
}
END_TEST

/* What is counted does not depend on how many lived when each record was made. */
START_TEST(events_in_another_order_than_records)
{
	record(200, 3, EXITBPF_GROUP, 0x86);
	record(203, 2, EXITBPF_GROUP, 0x86);
	record(202, 1, EXITBPF_GROUP, 0x86);
	record(201, 0, EXITBPF_GROUP, 0x86);
	ck_thread(exit_of(201, 6), 6);
	ck_thread(exit_of(202, 6), 6);
	ck_thread(exit_of(203, 6), 6);
	ck_end(exit_of(200, 0x86), 0x86);
}
END_TEST

/* A reader that was stopped drains the ring before it reads the events. */
START_TEST(records_wait_for_a_late_reader)
{
	enum { N = 5000, STEP_NS = 1000000 };
	struct exitbpf_raw raw = {.kind = EXITBPF_GROUP, .code = EXIT(7)}, out;

	for (uint32_t i = 1; i <= N; i++) {
		raw.tid = raw.tgid = 1000 + i;
		raw.time_ns = (uint64_t)i * STEP_NS;
		exitbpf_record(&b, &raw, sizeof(raw));
	}
	for (pid_t i = 1; i <= N; i++)
		ck_assert(exitbpf_take(
			&b, 1000 + i, 1000 + i, (uint64_t)i * STEP_NS, &out));
}
END_TEST

/* An exec ends all threads but one, which goes on as the leader. */
START_TEST(exec_forgets)
{
	struct sm_task *p = sm_tasktable_get(&r.procs, 200);

	record(200, 1, EXITBPF_NONE, 0);
	ck_thread(exit_of(200, EXIT(3)), EXIT(3));
	exit_of(201, 0);
	exit_of(202, 0);
	sm_tasktable_exec(&r.procs, p, NULL, SM_STR("x"));
	ck_end(exit_of(200, 0), 0);
}
END_TEST

/* --- the store ---------------------------------------------------------------------- */

START_TEST(records_of_other_exits)
{
	struct exitbpf_raw out;

	record(201, 2, EXITBPF_NONE, 5);
	ck_assert(!exitbpf_take(&b, 202, 200, 5000, &out));
	ck_assert(!exitbpf_take(&b, 201, 999, 5000, &out)); /* of another process */
	now_ns += 1000000;
	record(201, 2, EXITBPF_NONE, 6); /* the event of the first was lost */
	ck_assert(!exitbpf_take(&b, 201, 200, 5000, &out)); /* later than the event */
	ck_assert(exitbpf_take(&b, 201, 200, now_ns + 1000, &out));
	ck_assert_uint_eq(out.code, 6);
	ck_assert(!exitbpf_take(&b, 201, 200, now_ns + 1000, &out));
	exitbpf_record(&b, &out, sizeof(out) - 1);
	ck_assert_uint_eq(b.waiting.used, 0);
}
END_TEST

/* Records whose events were lost do not pile up while other events come. */
START_TEST(memory_is_bounded)
{
	struct exitbpf_raw out;

	for (pid_t tid = 1; tid <= 100000; tid++) {
		now_ns += SM_NSEC_PER_MSEC;
		ck_assert(!exitbpf_take(&b, INT32_MAX, INT32_MAX, now_ns, &out));
		record(tid, 1, EXITBPF_NONE, 0);
		ck_assert_uint_le(b.waiting.used, 4096);
	}
}
END_TEST

static TCase *tc_events(void)
{
	TCase *tc = tcase_create("events");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, single_thread);
	tcase_add_test(tc, group_exit);
	tcase_add_test(tc, leader_first_with_another_code);
	tcase_add_test(tc, leader_first_and_a_mixture);
	tcase_add_test(tc, signals_end_all);
	tcase_add_test(tc, core_dump);
	tcase_add_test(tc, seccomp_ends_one_thread);
	tcase_add_test(tc, leader_not_seen);
	return tc;
}

static TCase *tc_records(void)
{
	TCase *tc = tcase_create("records");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, code_of_the_group);
	tcase_add_test(tc, code_of_the_leader);
	tcase_add_test(tc, leader_before_the_run);
	tcase_add_test(tc, signal_during_the_exit);
	tcase_add_test(tc, latest_code_of_the_group);
	tcase_add_test(tc, record_lost);
	tcase_add_test(tc, live_threads_of_the_record);
	tcase_add_test(tc, events_in_another_order_than_records);
	tcase_add_test(tc, exec_forgets);
	tcase_add_test(tc, records_of_other_exits);
	tcase_add_test(tc, records_wait_for_a_late_reader);
	tcase_add_test(tc, memory_is_bounded);
	return tc;
}

UNIT_MAIN("exits", tc_events, tc_records)
