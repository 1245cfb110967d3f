// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdatomic.h>

#include "proc/procpid.h"
#include "timers/timercount.h"
#include "timers/timertick.h"
#include "delayed_work_rig.h"
#include "timer_loads_rig.h"

static struct sm_timercount counts;

static void open_counts(bool by_timer)
{
	struct sm_bpf_log log;
	int err;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	err = sm_timercount_open(&counts, &root, by_timer, &log);
	ck_assert_msg(
		err == 0 || err == -EPERM || err == -ENOSYS, "%d: %s", err, log.text);
	permitted = err == 0;
}

static void setup(void)
{
	open_counts(false);
}

static void teardown(void)
{
	sm_timercount_close(&counts);
	sm_root_close(&root);
}

static struct timer_figures timer_read(void)
{
	ck_assert_int_eq(sm_timercount_read(&counts), 0);
	return (struct timer_figures){counts.key, counts.counts, counts.n};
}

static struct sm_timer_losses timer_lost(void)
{
	return sm_timercount_lost(&counts);
}

START_TEST(deleted)
{
	struct sm_timer_counts rest;
	struct sm_timer_key key = {0};
	pid_t pid;

	if (!able())
		return;
	pid = run("deleted", sleeps);
	ck_assert_uint_ge(of(pid, SM_TIMER_HR).starts, TIMES);
	for (uint32_t i = 0; i < counts.n; i++)
		if (sm_timer_tid(counts.key[i].owner) == pid) {
			key = counts.key[i];
			ck_assert_int_eq(sm_timercount_delete(&counts, &key, &rest), 0);
			ck_assert_uint_eq(rest.starts, counts.counts[i].starts);
			ck_assert_uint_eq(rest.expiries, counts.counts[i].expiries);
			ck_assert_str_eq(rest.comm, counts.counts[i].comm);
			ck_assert_int_eq(
				sm_timercount_delete(&counts, &key, &rest), -ENOENT);
		}
	ck_assert_uint_eq(of(pid, SM_TIMER_HR).starts, 0);
	ck_assert_uint_eq(timer_lost().events, 0);
	ck_assert_uint_eq(timer_lost().owners, 0);
}
END_TEST

/* As /proc has it, of tasks that still have that name. */
START_TEST(kernel_threads)
{
	struct sm_pidstat st;
	struct timer_figures f;

	if (!able())
		return;
	if (sm_procpid_foreign(&root)) {
		unit_skip("/proc has other pids than the kernel");
		return;
	}
	(void)run("sleeps", sleeps);
	f = timer_read();
	for (uint32_t i = 0; i < f.n; i++) {
		pid_t tid = sm_timer_tid(f.key[i].owner);

		if (tid <= 0 || !f.counts[i].comm[0] ||
			sm_procpid_read_stat(&root, tid, &st) < 0 ||
			strcmp(st.comm, f.counts[i].comm) != 0)
			continue;
		ck_assert_msg(f.counts[i].kthread == !!(st.flags & SM_PF_KTHREAD),
			"%d %s", tid, st.comm);
	}
}
END_TEST

static uint64_t address_of(const char *name)
{
	struct timer_figures f = timer_read();
	uint64_t found = 0;
	struct sm_ksyms k;

	ck_assert_int_eq(sm_ksyms_open(&k, &root), 0);
	for (uint32_t i = 0; i < f.n; i++)
		ck_assert_int_eq(sm_ksyms_add(&k, f.key[i].func), 0);
	(void)!sm_ksyms_read(&k);
	for (uint32_t i = 0; i < f.n; i++)
		if (strcmp(sm_ksyms_name(&k, f.key[i].func), name) == 0)
			found = f.key[i].func;
	sm_ksyms_close(&k);
	return found;
}

/* How long a task sleeps in the middle of which counting begins: that takes a while on a
 * busy machine. */
enum { SLEEP_S = 2 };

static void sleep_by_nanosleep(void)
{
	nanosleep(&(struct timespec){.tv_sec = SLEEP_S}, NULL);
}

static void sleep_by_receiving(void)
{
	struct timeval t = {.tv_sec = SLEEP_S};
	int s[2];
	char c;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) < 0 ||
		setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t)) < 0)
		_exit(1);
	(void)!recv(s[0], &c, 1, 0);
}

static pid_t asleep(const char *comm, void (*load)(void))
{
	pid_t pid = start(comm, load);

	while (!sleeps_now(pid))
		nap(1000000);
	return pid;
}

/* The expiries of a task that armed its timer before counting began, and none since.  In
 * its name the kernel can arm others. */
static uint64_t of_sleeper(pid_t pid, const char *comm, uint64_t func)
{
	struct timer_figures f;
	uint64_t expiries = 0;

	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	f = timer_read();
	for (uint32_t i = 0; i < f.n; i++) {
		if (sm_timer_tid(f.key[i].owner) != pid || f.key[i].func != func ||
			!f.counts[i].expiries)
			continue;
		expiries += f.counts[i].expiries;
		ck_assert_int_eq(sm_timer_tgid(f.key[i].owner), pid);
		ck_assert_str_eq(f.counts[i].comm, comm);
	}
	return expiries;
}

/* An expiry that interrupts pid 1 is not counted: see run(). */
START_TEST(tasks_that_sleep_already)
{
	uint64_t hr, wheel, by_hr = 0, by_wheel = 0;

	if (!able())
		return;
	(void)run("sleeps", sleeps);
	hr = address_of("hrtimer_wakeup");
	(void)run("wheel", socket_timeouts);
	wheel = address_of("process_timeout");
	if (!hr || !wheel) {
		unit_skip("the kernel hides addresses");
		return;
	}
	for (int tries = 0; tries < 5 && !(by_hr && by_wheel); tries++) {
		pid_t one = asleep("nap before", sleep_by_nanosleep);
		pid_t two = asleep("wait before", sleep_by_receiving);

		sm_timercount_close(&counts);
		sm_root_close(&root);
		open_counts(false);
		sm_timerowner_callback(&counts.owners, SM_TIMER_SLEEPER_HR, hr);
		sm_timerowner_callback(&counts.owners, SM_TIMER_SLEEPER_WHEEL, wheel);
		by_hr = of_sleeper(one, "nap before", hr);
		by_wheel = of_sleeper(two, "wait before", wheel);
	}
	ck_assert_uint_eq(by_hr, 1);
	ck_assert_uint_eq(by_wheel, 1);
}
END_TEST

enum { THREADS = 50 };

static pthread_barrier_t counted;
static atomic_uint napped;

static void *one_nap(void *arg)
{
	nap(1000000);
	napped++;
	pthread_barrier_wait(&counted);
	return arg;
}

/* Stops when all threads have slept.  None of them ends before that: each timer has an
 * address of its own, which no other program uses. */
static void threads_nap(void)
{
	pthread_t t[THREADS];

	pthread_barrier_init(&counted, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, one_nap, NULL))
			_exit(1);
	while (napped < THREADS)
		nap(1000000);
	raise(SIGSTOP);
	pthread_barrier_wait(&counted);
	for (int i = 0; i < THREADS; i++)
		(void)pthread_join(t[i], NULL);
}

/* How many timers of the process the map of owners has. */
static unsigned int stored(pid_t pid)
{
	uint64_t *timer = calloc(SM_TIMER_OWNERS_MAX, sizeof(*timer));
	struct sm_timer_armed *armed = calloc(SM_TIMER_OWNERS_MAX, sizeof(*armed));
	uint32_t n = SM_TIMER_OWNERS_MAX;
	unsigned int found = 0;

	ck_assert_int_eq(sm_bpf_map_read(counts.owners.owners_fd, timer, armed, &n), 0);
	for (uint32_t i = 0; i < n; i++)
		found += sm_timer_tgid(armed[i].owner) == pid;
	free(timer);
	free(armed);
	return found;
}

static unsigned int stored_of_naps(const char *comm)
{
	pid_t pid = start(comm, threads_nap);
	unsigned int n;
	int status;

	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	ck_assert(WIFSTOPPED(status));
	n = stored(pid);
	kill(pid, SIGCONT);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	return n;
}

/* Their timers are on the stacks of threads, with randomize_kstack_offset at another
 * address each time: the map would fill up. */
START_TEST(sleepers_need_no_place)
{
	uint64_t hr;
	pid_t pid;

	if (!able())
		return;
	ck_assert_uint_ge(stored_of_naps("stored"), THREADS);
	hr = address_of("hrtimer_wakeup");
	if (!hr) {
		unit_skip("the kernel hides addresses");
		return;
	}
	sm_timerowner_callback(&counts.owners, SM_TIMER_SLEEPER_HR, hr);
	ck_assert_uint_lt(
		stored_of_naps("not stored"), THREADS / 2); /* others, of the scheduler */
	share_truth();
	pid = run("interval", interval_timer);
	ck_assert_uint_ge(stored(pid), 1);
}
END_TEST

/* Linux 6.4 and later show programs the addresses of functions. */
static bool has_functions(void)
{
	struct sm_timertick t;

	return sm_timertick_read(&t, &root) == 0 && t.hrtimer_wakeup;
}

/* The key of this task's timer of a delayed work; NULL: it armed none. */
static const struct sm_timer_key *own_work(void)
{
	struct timer_figures f = timer_read();

	for (uint32_t i = 0; i < f.n; i++)
		if (sm_timer_tid(f.key[i].owner) == getpid() && f.counts[i].starts &&
			(is_function(&root, f.key[i].func, DELAYED_WORK) ||
				is_function(
					&root, f.key[i].func, SM_TIMER_WORK_CALLBACK)))
			return &f.key[i];
	return NULL;
}

/* Since Linux 6.4 the first one has its function; before, the callback's address must be
 * passed. */
START_TEST(delayed_works)
{
	const struct sm_timer_key *key = NULL;
	struct sm_timer_counts rest;

	if (!able())
		return;
	for (int i = 0; i < 3 && !(key = own_work()); i++) {
		nap(i ? 999999999 : 0); /* let an earlier one expire */
		ck_assert(schedule_delayed_work());
	}
	if (key && !key->work) {
		ck_assert(!has_functions());
		sm_timerowner_callback(&counts.owners, SM_TIMER_WORK, key->func);
		ck_assert_int_eq(sm_timercount_delete(&counts, key, &rest), 0);
		nap(999999999);
		nap(500000000);
		ck_assert(schedule_delayed_work());
		key = own_work();
	}
	if (!key) {
		unit_skip("no delayed work: others use perf");
		return;
	}
	ck_assert_uint_eq(key->work, 1);
	ck_assert_uint_eq(key->kind, SM_TIMER_WHEEL);
	ck_assert(is_function(&root, key->func, DELAYED_WORK));
}
END_TEST

START_TEST(timers_one_by_one)
{
	if (!able())
		return;
	sm_timercount_close(&counts);
	sm_root_close(&root);
	open_counts(true);
	timers_are_apart();
}
END_TEST

START_TEST(closed_twice)
{
	sm_timercount_close(&counts);
	ck_assert_int_eq(counts.counts_fd, -1);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, setup, teardown);
	timer_tests(tc);
	tcase_add_test(tc, deleted);
	tcase_add_test(tc, kernel_threads);
	if (unit_live())
		tcase_add_test(tc, tasks_that_sleep_already);
	tcase_add_test(tc, sleepers_need_no_place);
	tcase_add_test(tc, delayed_works);
	tcase_add_test(tc, timers_one_by_one);
	tcase_add_test(tc, closed_twice);
	return tc;
}

UNIT_MAIN("timercount", tc_live)
