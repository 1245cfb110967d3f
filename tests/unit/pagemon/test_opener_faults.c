// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <pthread.h>

#include "asleep_rig.h"
#include "facts/faults.h"
#include "opener_rig.h"
#include "target/files.h"

/* ---- tracepoints are refused, the counters of the kernel's software are not ---- */

START_TEST(faults_without_tracefs)
{
	struct perfset set;
	struct perf_counts counts;

	child_start(&c, exec_when_told);
	perfset_open(&set, &live, -EACCES, c.pid);
	perfset_read(&set, &counts);
	ck_assert_int_eq(counts.err[PERF_PAGE_ALLOC], -EACCES);
	ck_assert_int_eq(counts.err[PERF_PAGE_FREE], -EACCES);
	if (counts.err[PERF_FAULTS_USER] != -ENOSYS)
		ck_assert_uint_eq(set.counter[PERF_FAULTS_USER].n, 1);
	perfset_close(&set);
	child_end(&c);
}
END_TEST

/* ---- page faults, of threads that were there before ---- */

enum { THREADS = 3, ROUNDS = 20, PAGES = 64 };

static pthread_barrier_t begin, end;

static void touch_pages(void)
{
	unsigned char *p = mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(p, PAGES * page_bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		p[i * page_bytes] = 1;
	munmap(p, PAGES * page_bytes);
}

static void *fault(void *arg)
{
	pthread_barrier_wait(&begin);
	for (int i = 0; i < ROUNDS; i++)
		touch_pages();
	pthread_barrier_wait(&end);
	return arg;
}

/* Threads that exist before the counting and ones that start in it. */
static void fault_in_threads(void)
{
	pthread_t thread[THREADS];

	pthread_barrier_init(&begin, NULL, THREADS + 1);
	pthread_barrier_init(&end, NULL, THREADS + 1);
	for (int i = 0; i < THREADS - 1; i++)
		pthread_create(&thread[i], NULL, fault, NULL);
	child_say("", 1);
	child_wait();
	pthread_create(&thread[THREADS - 1], NULL, fault, NULL);
	pthread_barrier_wait(&begin);
	pthread_barrier_wait(&end);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	child_say("", 1);
}

enum { TRUTH = THREADS * ROUNDS * PAGES };

/* min and maj of stat are of the whole process; user and kernel mode add up to the same.
 */
static void faults_are_exact(const struct faults *f)
{
	uint64_t all =
		f->count[FAULT_MINOR].since_start + f->count[FAULT_MAJOR].since_start;
	uint64_t perf =
		f->count[FAULT_USER].since_start + f->count[FAULT_KERNEL].since_start;

	ck_assert_uint_ge(all, TRUTH);
	if (f->count[FAULT_USER].err || f->count[FAULT_KERNEL].err)
		return;
	ck_assert_uint_ge(f->count[FAULT_USER].since_start, TRUTH);
	ck_assert_uint_ge(perf * 1000, all * 995);
	ck_assert_uint_le(perf * 995, all * 1000);
}

static struct vmfacts vm;

/* Asks for counts and takes them. */
static void read_faults(struct faults *f, uint64_t now_ns)
{
	ck_assert_int_eq(vmfacts_read(&vm, &t, now_ns), 0);
	faults_ask(f, &t);
	ck_assert_uint_ne(o.events_asked, 0);
	while (o.events_asked) {
		wait_readable(o.fd);
		ck_assert_int_eq(opener_receive(&o), 0);
	}
	ck_assert_uint_ne(o.events.ns, 0);
	o.events.ns = now_ns;
	faults_take(f, &t, &vm);
}

/* The threads have started, which has page faults, too. */
static void start_faults(struct faults *f)
{
	open_two(fault_in_threads);
	await_asleep(c.pid);
	faults_init(f);
	vmfacts_init(&vm);
}

/* Events on the threads of t that are there, and on those that it starts later. */
START_TEST(faults_counted_by_the_opener)
{
	struct faults f;
	char b;

	start_faults(&f);
	ck_assert_int_eq(f.count[FAULT_USER].err, -ENODATA);
	faults_ask(&f, &t);
	ck_assert_int_eq(f.count[FAULT_USER].err, -EINPROGRESS);
	read_faults(&f, 1);
	ck_assert_uint_eq(f.count[FAULT_MINOR].since_start, 0);
	child_go(&c);
	child_hear(&c, &b, 1);
	child_rests(&c);
	read_faults(&f, 1 + SM_NSEC_PER_SEC);
	faults_are_exact(&f);
	ck_assert(f.count[FAULT_MINOR].rate.known);
	ck_assert(f.count[FAULT_MINOR].rate.per_s ==
		  (double)f.count[FAULT_MINOR].since_start);
	if (!f.count[FAULT_USER].err)
		ck_assert(f.count[FAULT_USER].rate.per_s ==
			  (double)f.count[FAULT_USER].since_start);
	if (!f.count[FAULT_ALLOC].err)
		ck_assert_uint_ge(f.count[FAULT_ALLOC].since_start, TRUTH);
	/* Some pages are freed by others, which hold a reference for a while (folio
	 * batches of a CPU). */
	if (!f.count[FAULT_FREE].err)
		ck_assert_uint_ge(f.count[FAULT_FREE].since_start, TRUTH / 2);
	vmfacts_fini(&vm);
	end_two();
}
END_TEST

/* As after an exec of a set-user-ID program, which ends the events. */
START_TEST(events_of_another_user_are_opened_again)
{
	struct faults f;
	uint64_t user;
	char b;

	start_faults(&f);
	read_faults(&f, 1);
	child_go(&c);
	child_hear(&c, &b, 1);
	read_faults(&f, 2);
	user = f.count[FAULT_USER].since_start;
	t.execs++;
	read_faults(&f, 3);
	ck_assert_uint_eq(f.count[FAULT_USER].since_start, user);
	ck_assert_uint_eq(f.count[FAULT_USER].before, 0); /* the same user: they go on */
	t.execs++;
	t.uid++;
	read_faults(&f, 4);
	if (!f.count[FAULT_USER].err) {
		ck_assert_uint_ge(user, TRUTH);
		ck_assert_uint_eq(f.count[FAULT_USER].before, user);
		ck_assert_uint_eq(f.count[FAULT_USER].since_start, user);
	}
	vmfacts_fini(&vm);
	end_two();
}
END_TEST

enum { MANY = 300 };

static void *wait_for_ever(void *arg)
{
	pause();
	return arg;
}

static void start_many_threads(void)
{
	pthread_attr_t a;
	pthread_t thread;

	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 65536);
	for (int i = 1; i < MANY; i++)
		if (pthread_create(&thread, &a, wait_for_ever, NULL))
			_exit(7);
	child_say("", 1);
}

/* The events stay in the opener, which serves other requests while they are open. */
START_TEST(many_threads)
{
	struct perf_counts counts = {0};
	unsigned int fds;

	open_two(start_many_threads);
	fds = unit_open_fds();
	ck_assert_int_eq(opener_events(&o, &counts), -EAGAIN);
	ck_assert_int_eq(opener_ask_events(&o, &t, false), 0);
	ck_assert_int_eq(opener_ask_events(&o, &u, false), -EBUSY);
	ck_assert_int_eq(opener_ask(&o, &u, FILES_OF_PROGRAM), 0);
	answered(&u);
	ck_assert(has_text(u.fd[TARGET_MAPS]));
	take_counts(&counts);
	ck_assert_int_eq(opener_events(&o, &counts), -EAGAIN);
	ck_assert_int_eq(opener_ask_events(&o, &t, false), 0);
	ck_assert_int_eq(opener_ask(&o, &u, FILES_OF_PROGRAM), 0);
	answered(&u);
	ck_assert_uint_eq(unit_open_fds(), fds);
	opener_end(&o);
	ck_assert_uint_eq(unit_open_fds(), fds - 1);
	end_two();
}
END_TEST

static TCase *tc_faults(void)
{
	TCase *tc = tcase_create("faults");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, faults_without_tracefs);
	tcase_add_test(tc, faults_counted_by_the_opener);
	tcase_add_test(tc, events_of_another_user_are_opened_again);
	tcase_add_test(tc, many_threads);
	return tc;
}

UNIT_MAIN("faults counted by the opener", tc_faults)
