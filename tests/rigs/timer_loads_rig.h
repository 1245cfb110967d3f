/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timer_loads_rig: loads that know how many timers they arm and how many expire, and the tests of
 * whatever counts them (timercount, timerperf).
 */
#ifndef TIMER_LOADS_RIG_H
#define TIMER_LOADS_RIG_H

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pids_rig.h"
#include "proc/cpuclock.h"
#include "proc/ksyms.h"
#include "timers/timercount.h"
#include "timers/timers.h"

/* What the test has counted so far; the arrays stay its own. */
struct timer_figures {
	const struct sm_timer_key *key;
	const struct sm_timer_counts *counts;
	uint32_t n;
};

static struct timer_figures timer_read(void);
static struct sm_timer_losses timer_lost(void);
static struct sm_root root;
static bool permitted;

/* False, and the test is skipped, where timers cannot be counted or their owners are not known. */
static inline bool able(void)
{
	if (!permitted)
		unit_skip("no permission to count timers");
	return permitted && own_pids();
}

/* --- loads ------------------------------------------------------------------------- */

enum { TIMES = 50 };

static inline void nap(long ns)
{
	nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

static inline void sleeps(void)
{
	for (int i = 0; i < TIMES; i++)
		nap(1000000);
}

static inline void renamed_after_a_nap(void)
{
	nap(1000000);
	prctl(PR_SET_NAME, "new name");
	nap(1000000);
}

static inline void *sleeps_too(void *arg)
{
	prctl(PR_SET_NAME, "a thread");
	sleeps();
	return arg;
}

/* By another thread of the process. */
static inline void threads(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, sleeps_too, NULL) || pthread_join(t, NULL))
		_exit(1);
}

/* What the load itself counted, in memory that its process shares with the test. */
static unsigned int *truth;

static inline void share_truth(void)
{
	truth = mmap(NULL, sizeof(*truth), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(truth, MAP_FAILED);
}

/* One read ends one wait, or several intervals that a busy machine made one. */
static inline void interval_timer(void)
{
	struct itimerspec each = {{0, 2000000}, {0, 2000000}};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	uint64_t n;

	timerfd_settime(fd, 0, &each, NULL);
	for (*truth = 0; *truth < TIMES; ++*truth)
		if (read(fd, &n, sizeof(n)) != sizeof(n))
			_exit(1);
}

static inline bool sleeps_now(pid_t pid)
{
	char path[40], state = '?';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	if (f)
		fclose(f);
	return state == 'S';
}

static inline unsigned int sleeps_so_far(void)
{
	struct rusage u;

	(void)getrusage(RUSAGE_SELF, &u);
	return (unsigned int)u.ru_nvcsw;
}

enum { CANCELLED = 20 };

/* Time-outs that never end: data comes when the task sleeps.  It can come between the start of the timer
 * and the sleep, too: the truth, the number of sleeps, is the least that the task armed. */
static inline void cancelled(void)
{
	int p[2];
	char c = 'x';

	if (pipe(p) < 0)
		_exit(1);
	*truth = 0;
	for (int i = 0; i < CANCELLED; i++) {
		struct pollfd fd = {.fd = p[0], .events = POLLIN};
		pid_t parent = getpid();
		unsigned int before;

		if (fork() == 0) {
			while (!sleeps_now(parent))
				sched_yield();
			_exit(write(p[1], &c, 1) != 1);
		}
		before = sleeps_so_far();
		if (poll(&fd, 1, 60000) != 1)
			_exit(1);
		*truth += sleeps_so_far() != before;
		if (read(p[0], &c, 1) != 1)
			_exit(1);
		while (wait(NULL) < 0 && errno == EINTR)
			;
	}
}

enum { WHEEL_TIMES = 10 };

/* Time-outs of the timer wheel. */
static inline void socket_timeouts(void)
{
	struct timeval t = {.tv_usec = 10000};
	int s[2];
	char c;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) < 0 ||
		setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t)) < 0)
		_exit(1);
	for (int i = 0; i < WHEEL_TIMES; i++)
		(void)!recv(s[0], &c, 1, 0);
}

enum { ARMS = 100000 };

/* Armed again and again at once: more than a small ring holds. */
static inline void arms(void)
{
	struct itimerspec far = {{0, 0}, {1000, 0}};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

	for (int i = 0; i < ARMS; i++)
		if (timerfd_settime(fd, 0, &far, NULL) < 0)
			_exit(1);
}

static inline pid_t start(const char *comm, void (*load)(void))
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		prctl(PR_SET_NAME, comm);
		load();
		_exit(0);
	}
	return pid;
}

/* While nothing is read. */
static inline pid_t run_once(const char *comm, void (*load)(void))
{
	pid_t pid = start(comm, load);
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	return pid;
}

/* Reading meanwhile, as a tool does: on a busy machine a load takes long, and the events of all
 * others do not fit in a ring. */
static inline pid_t run_reading(const char *comm, void (*load)(void))
{
	pid_t pid = start(comm, load), ended;
	int status;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0) {
		(void)timer_read();
		nap(20000000);
	}
	ck_assert_int_eq(ended, pid);
	ck_assert_int_eq(status, 0);
	return pid;
}

/* CPU time of pid 1, which is that of the virtual machine's own agent on some. */
static inline uint64_t init_ns(void)
{
	uint64_t ns = 0;

	(void)!sm_cpuclock_ns(1, &ns);
	return ns;
}

static bool whole; /* the last run: nothing kept an expiry of the load from being counted */

/*
 * Runs the load in a child of that name; its pid.  Again if pid 1 ran meanwhile: seen on a
 * virtual machine with Linux 6.18, the kernel runs no BPF program while a thread of pid 1 is
 * current, and does not count it as missed, so that a timer which interrupts it is missing
 * here.  Again, too, if another program armed more timers meanwhile than there was room for.
 */
static inline pid_t run(const char *comm, void (*load)(void))
{
	uint64_t before, lost;
	pid_t pid;
	int tries = 5;

	do {
		before = init_ns();
		lost = timer_lost().events;
		pid = run_reading(comm, load);
		(void)timer_read();
		whole = init_ns() == before && timer_lost().events == lost;
	} while (!whole && --tries);
	return pid;
}

/* Compares with what the load counted; expiries may be missing only if run() says so. */
static inline void check_counts(struct sm_timer_counts c, uint64_t least, uint64_t most)
{
	if (timer_lost().events == 0) {
		ck_assert_uint_ge(c.starts, least);
		ck_assert_uint_le(c.starts, most);
		ck_assert_uint_le(c.expiries, c.starts);
	}
	ck_assert_uint_le(c.idle, c.expiries);
	if (whole)
		ck_assert_uint_ge(c.expiries, least);
	else
		unit_skip("pid 1 ran or events were lost in every run: %llu of %llu expiries",
			(unsigned long long)c.expiries, (unsigned long long)least);
}

/* --- figures ----------------------------------------------------------------------- */

/* The counters of a task and kind of timer, without its short-lived ones of the kernel
 * (the tick that a CPU starts as it leaves idle): those of the callback with the most
 * starts. */
static inline struct sm_timer_counts of(pid_t pid, enum sm_timer_kind kind)
{
	struct timer_figures f = timer_read();
	struct sm_timer_counts most = {0};

	for (uint32_t i = 0; i < f.n; i++)
		if (sm_timer_tid(f.key[i].owner) == pid && f.key[i].kind == kind &&
			f.counts[i].starts > most.starts) {
			ck_assert_int_eq(sm_timer_tgid(f.key[i].owner), pid);
			most = f.counts[i];
		}
	return most;
}

START_TEST(sleeps_expire)
{
	struct sm_timer_counts c;

	if (!able())
		return;
	c = of(run("a name) (b", sleeps), SM_TIMER_HR);
	check_counts(c, TIMES, TIMES);
	ck_assert_str_eq(c.comm, "a name) (b");
	ck_assert_uint_gt(c.seen_ns, 0);
}
END_TEST

START_TEST(names_change)
{
	struct sm_timer_counts c;

	if (!able())
		return;
	c = of(run("old name", renamed_after_a_nap), SM_TIMER_HR);
	ck_assert_str_eq(c.comm, "new name");
	ck_assert_uint_gt(c.named_ns, c.seen_ns);
}
END_TEST

START_TEST(threads_sleep)
{
	struct sm_timer_counts most = {0};
	struct timer_figures f;
	pid_t pid;

	if (!able())
		return;
	pid = run("threads", threads);
	f = timer_read();
	for (uint32_t i = 0; i < f.n; i++)
		if (sm_timer_tgid(f.key[i].owner) == pid &&
			sm_timer_tid(f.key[i].owner) != pid &&
			f.counts[i].starts > most.starts)
			most = f.counts[i];
	check_counts(most, TIMES, TIMES);
	ck_assert_str_eq(most.comm, "a thread");
	ck_assert_str_eq(most.process, "threads");
}
END_TEST

/* Armed again by its callback or by the reader: every expiry is the owner's. */
START_TEST(intervals_expire)
{
	struct sm_timer_counts c;

	if (!able())
		return;
	share_truth();
	c = of(run("interval", interval_timer), SM_TIMER_HR);
	ck_assert_uint_eq(*truth, TIMES);
	check_counts(c, TIMES, TIMES + 1); /* armed once more by the last read */
}
END_TEST

START_TEST(cancelled_ones_do_not)
{
	struct sm_timer_counts c;

	if (!able())
		return;
	share_truth();
	c = of(run("cancelled", cancelled), SM_TIMER_HR);
	ck_assert_uint_ge(*truth, CANCELLED / 2);
	if (timer_lost().events == 0)
		ck_assert_uint_ge(c.starts, *truth);
	ck_assert_uint_le(c.starts, CANCELLED);
	ck_assert_uint_eq(c.expiries, 0);
}
END_TEST

START_TEST(timer_wheel)
{
	struct sm_timer_counts c;

	if (!able())
		return;
	c = of(run("wheel", socket_timeouts), SM_TIMER_WHEEL);
	check_counts(c, WHEEL_TIMES, WHEEL_TIMES);
}
END_TEST

/* The callbacks are functions of the kernel. */
START_TEST(callbacks)
{
	struct timer_figures f;
	struct sm_ksyms k;
	unsigned int known = 0, hidden;

	if (!able())
		return;
	if (sm_ksyms_open(&k, &root) < 0) {
		unit_skip("/proc/kallsyms is not readable");
		return;
	}
	(void)run("sleeps", sleeps);
	f = timer_read();
	for (uint32_t i = 0; i < f.n; i++)
		ck_assert_int_eq(sm_ksyms_add(&k, f.key[i].func), 0);
	hidden = sm_ksyms_read(&k) == -ENODATA;
	for (uint32_t i = 0; i < f.n; i++)
		known += sm_ksyms_name(&k, f.key[i].func)[0] != '\0';
	ck_assert_uint_gt(f.n, 0);
	if (!hidden)
		ck_assert_uint_eq(known, f.n);
	sm_ksyms_close(&k);
}
END_TEST

static inline uint64_t sum_of(
	const struct sm_timer_counts *counts, uint32_t n, uint64_t lost)
{
	for (uint32_t i = 0; i < n; i++)
		lost += counts[i].starts + counts[i].expiries;
	return lost;
}

/* The kernel reports a loss with the next event of that CPU that finds room: this task
 * sleeps on each CPU. */
static inline struct timer_figures read_with_losses(void)
{
	cpu_set_t all, one;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(all), &all), 0);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(i, &one);
		ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
		(void)timer_read();
		nap(1000000);
	}
	ck_assert_int_eq(sched_setaffinity(0, sizeof(all), &all), 0);
	return timer_read();
}

/* A load that does not fit in the ring: each event is counted or lost.  In check-live BPF programs, which
 * lose nothing, count the events of all programs of the machine. */
static inline void losses_add_up(void)
{
	struct sm_timercount all;
	struct sm_bpf_log log;
	struct timer_figures f = read_with_losses(); /* earlier ones */
	bool have_all = unit_live() && sm_timercount_open(&all, &root, false, &log) == 0;
	uint64_t before, total, starts;

	f = timer_read();
	before = sum_of(f.counts, f.n, timer_lost().events);
	starts = of(run_once("arms", arms), SM_TIMER_HR).starts;
	f = read_with_losses();
	ck_assert_uint_lt(starts, ARMS);
	ck_assert_uint_ge(starts + timer_lost().events, ARMS);
	if (!have_all)
		return;
	ck_assert_int_eq(sm_timercount_read(&all), 0);
	ck_assert_uint_eq(sm_timercount_lost(&all).events, 0);
	total = sum_of(all.counts, all.n, 0);
	ck_assert_double_eq_tol((double)(sum_of(f.counts, f.n, timer_lost().events) - before),
		(double)total, (double)total / 20);
	sm_timercount_close(&all);
}

enum { FIRST = 30, SECOND = 50 };

/* Two timers of one task and callback. */
static inline void two_timers(void)
{
	struct itimerspec once = {{0, 0}, {0, 1000000}};
	uint64_t n;

	for (int times = FIRST; times <= SECOND; times += SECOND - FIRST) {
		int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

		for (int i = 0; i < times; i++)
			if (timerfd_settime(fd, 0, &once, NULL) < 0 ||
				read(fd, &n, sizeof(n)) != sizeof(n))
				_exit(1);
	}
}

/* Of what counts timers one by one. */
static inline void timers_are_apart(void)
{
	pid_t pid = run("two timers", two_timers);
	struct timer_figures f = timer_read();
	uint64_t seen[2] = {0, 0};

	for (uint32_t i = 0; i < f.n; i++) {
		ck_assert_uint_ne(f.key[i].timer, 0);
		if (sm_timer_tid(f.key[i].owner) != pid)
			continue;
		for (size_t k = 0; k < 2; k++)
			if (f.counts[i].starts == (k ? SECOND : FIRST)) {
				check_counts(f.counts[i], k ? SECOND : FIRST,
					k ? SECOND : FIRST);
				seen[k] = f.key[i].timer;
			}
	}
	ck_assert_uint_ne(seen[0], 0);
	ck_assert_uint_ne(seen[1], 0);
	ck_assert_uint_ne(seen[0], seen[1]);
}

static inline void timer_tests(TCase *tc)
{
	tcase_add_test(tc, sleeps_expire);
	tcase_add_test(tc, names_change);
	tcase_add_test(tc, threads_sleep);
	tcase_add_test(tc, intervals_expire);
	tcase_add_test(tc, cancelled_ones_do_not);
	tcase_add_test(tc, timer_wheel);
	tcase_add_test(tc, callbacks);
}

#endif
