// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "forkstat/exitcpu.h"
#include "unit.h"

#define MS SM_NSEC_PER_MSEC

/* Without a BPF program: the records are the tests'. */
static struct exitcpu x;

static void setup(void)
{
	x = (struct exitcpu){.open = true};
	x.program.stream = (struct sm_bpf_stream)SM_BPF_STREAM_INIT;
	ck_assert_int_eq(sm_map_init(&x.waiting, 64), 0);
}

static void teardown(void)
{
	exitcpu_close(&x);
	ck_assert(!x.open);
}

static void ended(pid_t pid, uint64_t start_ns, uint64_t end_ns, struct exitcpu_sum *sum)
{
	struct sm_task p = {.pid = pid, .tgid = pid, .start_ns = start_ns};

	exitcpu_ended(&x, &p, end_ns, sum);
}

static void record(pid_t pid, uint64_t start_ns, uint64_t cpu_ns)
{
	exitcpu_record(&x, &(struct sm_taskexit_record){
				   .pid = pid, .start_ns = start_ns, .cpu_ns = cpu_ns});
}

START_TEST(record_follows_the_end)
{
	struct exitcpu_sum cc = {0}, as = {0};

	ended(10, 100, 200, &cc);
	ended(11, 110, 210, &as);
	ended(12, 120, 220, &cc);
	record(12, 120, 5);
	record(10, 100, 7);
	record(13, 130, 11); /* its end was filtered */
	exitcpu_settle(&x);
	ck_assert_uint_eq(cc.ns, 12);
	ck_assert_uint_eq(as.ns, 0);
	ck_assert_uint_eq(x.all.ns, 12);
	ck_assert_uint_eq(x.all.ended, 3);
	ck_assert_uint_eq(cc.ended, 2);
	ck_assert_uint_eq(cc.known, 2);
	ck_assert_uint_eq(as.ended, 1);
	ck_assert_uint_eq(as.known, 0); /* its 0 is no time */
	ck_assert_uint_eq(x.all.known, 2);
	ck_assert_uint_eq(x.waiting.used, 1);
	exitcpu_settle(&x); /* each record once */
	ck_assert_uint_eq(cc.ns, 12);
}
END_TEST

/* The record is read before the event of the end is. */
START_TEST(record_is_read_first)
{
	struct exitcpu_sum cc = {0};

	record(10, 100, 7);
	ended(10, 100, 200, &cc);
	exitcpu_settle(&x);
	ck_assert_uint_eq(cc.ns, 7);
	ck_assert_uint_eq(x.all.known, 1);
}
END_TEST

/* The first process with the pid has no record; the second is of no interest. */
START_TEST(record_of_a_later_process)
{
	struct exitcpu_sum cc = {0};

	ended(10, 100, 200, &cc);
	record(10, 200, 7);
	exitcpu_settle(&x);
	ck_assert_uint_eq(cc.ns, 0);
	ck_assert_uint_eq(x.all.known, 0);
	ck_assert_uint_eq(x.waiting.used, 0);
}
END_TEST

START_TEST(pid_ends_again)
{
	struct exitcpu_sum cc = {0}, as = {0};

	ended(10, 100, 200, &cc);
	ended(10, 300, 400, &as);
	record(10, 300, 7);
	exitcpu_settle(&x);
	ck_assert_uint_eq(cc.ns, 0);
	ck_assert_uint_eq(as.ns, 7);
	ck_assert_uint_eq(x.all.ended, 2);
	ck_assert_uint_eq(x.all.known, 1);
}
END_TEST

/* An impossible time is unknown, like that of a process without a record. */
START_TEST(impossible_time)
{
	struct exitcpu_sum cc = {0};

	ended(10, 100, 200, &cc);
	ended(11, 100, 200, &cc);
	record(10, 100, 7);
	exitcpu_record(&x, &(struct sm_taskexit_record){
				   .pid = 11, .start_ns = 100, .cpu_unknown = true});
	exitcpu_settle(&x);
	ck_assert_uint_eq(cc.ns, 7);
	ck_assert_uint_eq(cc.ended, 2);
	ck_assert_uint_eq(cc.known, 1);
	ck_assert_uint_eq(x.all.ended, 2);
	ck_assert_uint_eq(x.all.known, 1);
	ck_assert_uint_eq(x.waiting.used, 0);
}
END_TEST

START_TEST(settled_entries_are_freed)
{
	struct exitcpu_sum cc = {0};

	ended(10, 100, 200, &cc);
	for (pid_t pid = 11; pid < 1000; pid++) {
		record(pid - 1, 100, 1);
		exitcpu_settle(&x);
		ended(pid, 100, 200, &cc);
		ck_assert_ptr_nonnull(sm_map_get(&x.waiting, (uint64_t)pid));
		ck_assert_ptr_null(sm_map_get(&x.waiting, (uint64_t)pid - 1));
	}
	ck_assert_uint_eq(cc.ns, 989);
	ck_assert_uint_eq(x.cap, 8);
}
END_TEST

/* Waited for: processes that no longer exist and ended a moment ago. */
START_TEST(outstanding)
{
	struct exitcpu_sum cc = {0};
	pid_t gone = fork();

	if (gone == 0)
		_exit(0);
	ck_assert_int_eq(waitpid(gone, NULL, 0), gone);
	ck_assert(!exitcpu_outstanding(&x, 0));
	ended(getpid(), 100, 1000 * MS, &cc); /* a zombie */
	ck_assert(!exitcpu_outstanding(&x, 1001 * MS));
	ended(gone, 100, 1000 * MS, &cc);
	ck_assert(exitcpu_outstanding(&x, 1001 * MS));
	ck_assert(exitcpu_outstanding(&x, 1999 * MS));
	ck_assert(!exitcpu_outstanding(&x, 2000 * MS));
	record(gone, 100, 7);
	exitcpu_settle(&x);
	ck_assert(!exitcpu_outstanding(&x, 1001 * MS));
}
END_TEST

/* Not opened: every call is safe and nothing is known. */
START_TEST(not_open)
{
	struct exitcpu_sum cc = {0};

	exitcpu_close(&x);
	exitcpu_read(&x);
	ended(10, 100, 200, &cc);
	exitcpu_settle(&x);
	ck_assert(!exitcpu_outstanding(&x, 200));
	ck_assert_uint_eq(x.all.known, 0);
}
END_TEST

static TCase *tc_join(void)
{
	TCase *tc = tcase_create("join");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, record_follows_the_end);
	tcase_add_test(tc, record_is_read_first);
	tcase_add_test(tc, record_of_a_later_process);
	tcase_add_test(tc, pid_ends_again);
	tcase_add_test(tc, impossible_time);
	tcase_add_test(tc, settled_entries_are_freed);
	tcase_add_test(tc, outstanding);
	tcase_add_test(tc, not_open);
	return tc;
}

UNIT_MAIN("exitcpu", tc_join)
