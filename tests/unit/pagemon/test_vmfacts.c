// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "target_rig.h"
#include "facts/vmfacts.h"

static struct target t;
static struct vmfacts v;
static struct child c;

static void setup(void)
{
	target_rig_open();
	t = (struct target)TARGET_INIT;
	vmfacts_init(&v);
}

static void teardown(void)
{
	vmfacts_fini(&v);
	target_close(&t);
	target_rig_close();
}

enum { PAGES = 500 };

static void touch_when_told(void)
{
	unsigned char *p = mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(p, PAGES * page_bytes, MADV_NOHUGEPAGE);
	child_say("", 1);
	child_wait();
	for (size_t i = 0; i < PAGES; i++)
		p[i * page_bytes] = 1;
	child_say("", 1);
}

static void leader_ends_when_told(void)
{
	child_say("", 1);
	child_wait();
	child_leader_ends();
}

START_TEST(live_process)
{
	uint64_t rss, faults, uss;
	char b;

	child_start(&c, touch_when_told);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(target_open(&t, &live, c.pid, 0), 0);
	ck_assert_int_eq(vmfacts_read(&v, &t, SM_NSEC_PER_SEC), 0);
	ck_assert(v.faults_known && !v.minor.known);
	for (enum vm_key k = 0; k < VM_PSS; k++)
		ck_assert_msg(vm_known(&v, k), "%s", vm_name(k));
	for (enum vm_key k = VM_PSS; k < VM_KEYS; k++)
		ck_assert_msg(!vm_known(&v, k), "%s", vm_name(k));
	ck_assert_int_eq(v.threads, 1);
	ck_assert_int_eq(v.oom_score, -1);
	ck_assert_int_eq(vmfacts_read_rollup(&v, &t), 0);
	ck_assert_int_ge(v.oom_score, 0);
	ck_assert(vm_known(&v, VM_PSS) && vm_known(&v, VM_USS));
	rss = v.bytes[VM_RSS_ANON];
	faults = v.faults.minor;
	uss = v.bytes[VM_USS];
	child_go(&c);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(vmfacts_read(&v, &t, 3 * SM_NSEC_PER_SEC), 0);
	ck_assert_uint_ge(v.faults.minor, faults + PAGES);
	ck_assert(v.minor.known);
	ck_assert(v.minor.per_s == (double)(v.faults.minor - faults) / 2);
	ck_assert_uint_eq(v.bytes[VM_USS], uss); /* of the last asking */
	ck_assert_int_eq(vmfacts_read_rollup(&v, &t), 0);
	ck_assert_uint_ge(v.bytes[VM_USS], uss + PAGES * page_bytes);
	/* status is rough: counters of the CPUs are added now and then (Linux 6.2) */
	ck_assert_uint_ge(v.bytes[VM_RSS_ANON], rss + PAGES / 4 * page_bytes);
	vmfacts_forget(&v);
	ck_assert(!vm_known(&v, VM_USS));
	child_end(&c);
}
END_TEST

static void memory_is_known(void)
{
	ck_assert_int_eq(vmfacts_read(&v, &t, 1), 0);
	for (enum vm_key k = 0; k < VM_PSS; k++)
		ck_assert_msg(vm_known(&v, k), "%s", vm_name(k));
	ck_assert_uint_gt(v.bytes[VM_RSS], 0);
	ck_assert_int_ne(v.state, 'Z');
}

/* The memory is that of the process as long as one of its threads lives: before the
 * start, and after each thread that has exited. */
START_TEST(threads_end)
{
	char b;

	child_start(&c, child_threads_end);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(target_open(&t, &live, c.pid, TARGET_USE_CLEAR), 0);
	memory_is_known();
	child_go(&c);
	child_hear(&c, &b, 1);
	memory_is_known();
	ck_assert_int_eq(target_clear_dirty(&t), 0);
	child_end(&c);
}
END_TEST

START_TEST(leader_ends_later)
{
	char b;

	child_start(&c, leader_ends_when_told);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(target_open(&t, &live, c.pid, 0), 0);
	memory_is_known();
	child_go(&c);
	child_hear(&c, &b, 1);
	memory_is_known();
	child_end(&c);
}
END_TEST

START_TEST(rates_of_short_refreshes)
{
	char b;

	child_start(&c, touch_when_told);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(target_open(&t, &live, c.pid, 0), 0);
	ck_assert_int_eq(vmfacts_read(&v, &t, SM_NSEC_PER_SEC), 0);
	child_go(&c);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(vmfacts_read(&v, &t, SM_NSEC_PER_SEC + VM_RATE_NS - 1), 0);
	ck_assert(!v.minor.known);
	ck_assert_int_eq(vmfacts_read(&v, &t, SM_NSEC_PER_SEC + VM_RATE_NS), 0);
	ck_assert(v.minor.known);
	ck_assert(v.minor.per_s >= 2 * PAGES);
	child_end(&c);
}
END_TEST

/* Replaces the target's oom_score by a file with this text; NULL: no file. */
static int64_t oom_score_of(const char *text)
{
	int *fd = &t.fd[TARGET_OOM_SCORE];

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	if (text) {
		*fd = memfd_create("oom_score", MFD_CLOEXEC);
		ck_assert_int_ge(*fd, 0);
		ck_assert_int_eq(write(*fd, text, strlen(text)), (long)strlen(text));
	}
	v.oom_score = 77;
	(void)!vmfacts_read_rollup(&v, &t);
	return v.oom_score;
}

START_TEST(oom_score)
{
	char b;

	child_start(&c, touch_when_told);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(target_open(&t, &live, c.pid, 0), 0);
	ck_assert_int_eq(oom_score_of("668\n"), 668);
	ck_assert_int_eq(oom_score_of("0\n"), 0);
	ck_assert_int_eq(oom_score_of("5"), 5);
	ck_assert_int_eq(oom_score_of("-1000\n"), -1);
	ck_assert_int_eq(oom_score_of("x\n"), -1);
	ck_assert_int_eq(oom_score_of(""), -1);
	ck_assert_int_eq(oom_score_of(NULL), -1);
	child_end(&c);
}
END_TEST

START_TEST(gone_process)
{
	uint64_t known;
	char b;

	child_start(&c, touch_when_told);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(target_open(&t, &live, c.pid, 0), 0);
	ck_assert_int_eq(vmfacts_read(&v, &t, 1), 0);
	known = v.known;
	child_dies(&c);
	ck_assert_int_eq(vmfacts_read_rollup(&v, &t), -ESRCH);
	child_reap(&c);
	ck_assert_int_eq(vmfacts_read(&v, &t, 2), -ESRCH);
	ck_assert_uint_eq(v.known, known);
	child_end(&c);
}
END_TEST

static TCase *tc_vmfacts(void)
{
	TCase *tc = tcase_create("vmfacts");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, live_process);
	tcase_add_test(tc, threads_end);
	tcase_add_test(tc, leader_ends_later);
	tcase_add_test(tc, rates_of_short_refreshes);
	tcase_add_test(tc, oom_score);
	tcase_add_test(tc, gone_process);
	return tc;
}

UNIT_MAIN("vmfacts", tc_vmfacts)
