// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timerload: tasks that count the timers which they arm, and those that expire.
 *	timerload [-o TRUTH] -t SECONDS MODE
 *	kinds			one task or more for each way to wait (table below)
 *	sleep TASKS RATE	tasks that wake RATE times a second together
 *	arm TASKS RATE		tasks that arm a timer again and again before it expires;
 *				RATE 0: as often as they can
 *	blame			a busy loop, and children that live for a millisecond
 * After SECONDS it writes to TRUTH (default: standard output) a line for each task, with
 *tabs: COMM TID CALLBACK STARTS EXPIRIES NANOSECONDS An expiry is counted by the task
 *that it woke, by its own clock; the last one of a periodic timer may come too late to
 *wake it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NSEC 1000000000

struct counts {
	uint64_t starts, expiries;
};

struct task {
	const char *comm, *callback;
	void (*fn)(const struct task *t, struct counts *c);
	int rate;    /* a second */
	int threads; /* 0: the process itself */
};

static int64_t end_ns;
static int truth_fd = STDOUT_FILENO;

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NSEC + t.tv_nsec;
}

static bool running(void)
{
	return now() < end_ns;
}

static void die(const char *what)
{
	perror(what);
	_exit(1);
}

static struct timespec period(const struct task *t)
{
	long ns = NSEC / t->rate;

	return (struct timespec){ns / NSEC, ns % NSEC};
}

/* --- ways to wait ------------------------------------------------------------------- */

static void by_nanosleep(const struct task *t, struct counts *c)
{
	struct timespec p = period(t);

	c->starts++;
	c->expiries += nanosleep(&p, NULL) == 0;
}

static void by_ppoll(const struct task *t, struct counts *c)
{
	struct timespec p = period(t);

	c->starts++;
	c->expiries += ppoll(NULL, 0, &p, NULL) == 0;
}

static void by_futex(const struct task *t, struct counts *c)
{
	struct timespec p = period(t);
	int word = 0;

	c->starts++;
	c->expiries += syscall(SYS_futex, &word, FUTEX_WAIT, 0, &p, NULL, 0) < 0 &&
		       errno == ETIMEDOUT;
}

static void by_epoll(const struct task *t, struct counts *c)
{
	static int fd = -1;
	struct epoll_event e;

	if (fd < 0)
		fd = epoll_create1(0);
	c->starts++;
	c->expiries += epoll_wait(fd, &e, 1, 1000 / t->rate) == 0;
}

static void by_select(const struct task *t, struct counts *c)
{
	struct timeval p = {.tv_usec = 1000000 / t->rate};

	c->starts++;
	c->expiries += select(0, NULL, NULL, NULL, &p) == 0;
}

/* A timer of the wheel. */
static void by_receiving(const struct task *t, struct counts *c)
{
	static int s[2] = {-1, -1};
	struct timeval p = {.tv_usec = 1000000 / t->rate};
	char byte;

	if (s[0] < 0 && (socketpair(AF_UNIX, SOCK_STREAM, 0, s) < 0 ||
				setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &p, sizeof(p))))
		die("socketpair");
	c->starts++;
	c->expiries += recv(s[0], &byte, 1, 0) < 0 && errno == EAGAIN;
}

/* Periodic ones are armed by the first call, and again by each wait that they end. */
static void by_timerfd(const struct task *t, struct counts *c)
{
	static int fd = -1;
	struct itimerspec each = {period(t), period(t)};
	uint64_t n;

	if (fd < 0) {
		fd = timerfd_create(CLOCK_MONOTONIC, 0);
		if (timerfd_settime(fd, 0, &each, NULL) < 0)
			die("timerfd_settime");
		c->starts++;
	}
	if (read(fd, &n, sizeof(n)) == sizeof(n)) {
		c->starts++;
		c->expiries++;
	}
}

static void wait_for_alarm(struct counts *c)
{
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	if (sigwaitinfo(&alarm, NULL) == SIGALRM) {
		c->starts++;
		c->expiries++;
	}
}

static bool block_alarm_once(void)
{
	static bool done;
	sigset_t alarm;

	if (done)
		return false;
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarm, NULL);
	return done = true;
}

static void by_itimer(const struct task *t, struct counts *c)
{
	struct timeval p = {.tv_usec = 1000000 / t->rate};

	if (block_alarm_once()) {
		setitimer(ITIMER_REAL, &(struct itimerval){p, p}, NULL);
		c->starts++;
	}
	wait_for_alarm(c);
}

static void by_posix_timer(const struct task *t, struct counts *c)
{
	struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	struct itimerspec each = {period(t), period(t)};
	timer_t id;

	if (block_alarm_once()) {
		if (timer_create(CLOCK_MONOTONIC, &e, &id) < 0 ||
			timer_settime(id, 0, &each, NULL) < 0)
			die("timer_create");
		c->starts++;
	}
	wait_for_alarm(c);
}

/* Writes a byte a while after each one that it reads. */
static void answer(int from, int to)
{
	char byte;

	prctl(PR_SET_NAME, "canceller");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(from, &byte, 1) == 1 &&
		nanosleep(&(struct timespec){0, NSEC / 1000}, NULL) == 0 &&
		write(to, &byte, 1) == 1)
		;
	_exit(0);
}

static long sleeps_so_far(void)
{
	struct rusage u;

	(void)getrusage(RUSAGE_THREAD, &u);
	return u.ru_nvcsw;
}

/* A time-out that data ends.  Data that is there before the task sleeps arms none. */
static void by_cancelled_poll(const struct task *t, struct counts *c)
{
	static int ask[2] = {-1, -1}, reply[2];
	struct pollfd p = {.events = POLLIN};
	char byte = 'x';
	long before;

	(void)t;
	if (ask[0] < 0) {
		if (pipe(ask) < 0 || pipe(reply) < 0)
			die("pipe");
		if (fork() == 0)
			answer(ask[0], reply[1]);
	}
	p.fd = reply[0];
	if (write(ask[1], &byte, 1) != 1)
		die("write");
	before = sleeps_so_far();
	c->expiries += poll(&p, 1, 5000) == 0;
	c->starts += sleeps_so_far() != before;
	if (read(reply[0], &byte, 1) != 1)
		die("read");
}

#define WAKEUP "hrtimer_wakeup"
static const struct task kinds[] = {
	{"ns1", WAKEUP, by_nanosleep, 1, 0},
	{"ns10", WAKEUP, by_nanosleep, 10, 0},
	{"ns100", WAKEUP, by_nanosleep, 100, 0},
	{"ns1k", WAKEUP, by_nanosleep, 1000, 0},
	{"tfd1k", "timerfd_tmrproc", by_timerfd, 1000, 0},
	{"itim100", "it_real_fn", by_itimer, 100, 0},
	{"ptim1k", "posix_timer_fn", by_posix_timer, 1000, 0},
	{"ppoll4k", WAKEUP, by_ppoll, 4000, 0},
	{"futex100", WAKEUP, by_futex, 100, 0},
	{"epoll100", WAKEUP, by_epoll, 100, 0},
	{"select100", WAKEUP, by_select, 100, 0},
	{"thr4", WAKEUP, by_nanosleep, 100, 4},
	{"web cont", WAKEUP, by_nanosleep, 100, 0},
	{"a)b (c", WAKEUP, by_nanosleep, 100, 0},
	{"eventstat-x", WAKEUP, by_nanosleep, 100, 0},
	{"rcv50", "process_timeout", by_receiving, 50, 0},
	{"cancel1k", WAKEUP, by_cancelled_poll, 1000, 0},
};

/* --- other modes -------------------------------------------------------------------- */

/* As many as are due, and then a sleep, which is no timer of this callback. */
static void arm(const struct task *t, struct counts *c)
{
	static const struct itimerspec far = {{0, 0}, {1000, 0}};
	static int64_t begin;
	static int fd = -1;
	int64_t due;

	if (fd < 0) {
		fd = timerfd_create(CLOCK_MONOTONIC, 0);
		begin = now();
	}
	due = t->rate ? (now() - begin) / 1000 * t->rate / 1000000
		      : (int64_t)c->starts + 1000;
	for (; (int64_t)c->starts < due; c->starts++)
		if (timerfd_settime(fd, 0, &far, NULL) < 0)
			die("timerfd_settime");
	if (t->rate)
		nanosleep(&(struct timespec){0, NSEC / 1000}, NULL);
}

static void burn(const struct task *t, struct counts *c)
{
	(void)t;
	(void)c;
}

/* The truth of its children is one line: their number. */
static void bear(const struct task *t, struct counts *c)
{
	pid_t pid = fork();

	(void)t;
	if (pid == 0) {
		prctl(PR_SET_NAME, "kid");
		nanosleep(&(struct timespec){0, NSEC / 1000}, NULL);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		return;
	c->starts++;
	c->expiries++;
}

static const struct task blames[] = {
	{"burner", WAKEUP, burn, 1, 0},
	{"kid", WAKEUP, bear, 1, 0},
};

/* --- running them ------------------------------------------------------------------- */

static void __attribute__((format(printf, 1, 2))) put(const char *format, ...)
{
	char line[200];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	if (n < 0 || write(truth_fd, line, (size_t)n) != n)
		die("truth");
}

static void run_task(const struct task *t)
{
	struct counts c = {0};
	int64_t begin = now();

	while (running())
		t->fn(t, &c);
	put("%s\t%ld\t%s\t%llu\t%llu\t%lld\n", t->comm, syscall(SYS_gettid), t->callback,
		(unsigned long long)c.starts, (unsigned long long)c.expiries,
		(long long)(now() - begin));
}

static void *run_thread(void *t)
{
	run_task(t);
	return NULL;
}

static void run_threads(const struct task *t)
{
	pthread_t thread[8];

	for (int i = 0; i < t->threads; i++)
		if (pthread_create(&thread[i], NULL, run_thread, (void *)(uintptr_t)t))
			die("pthread_create");
	for (int i = 0; i < t->threads; i++)
		pthread_join(thread[i], NULL);
}

static void start(const struct task *t)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, t->comm);
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	if (t->threads)
		run_threads(t);
	else
		run_task(t);
	_exit(0);
}

/* TASKS RATE */
static void start_many(char **arg, struct task t)
{
	int n = atoi(arg[0]), rate = atoi(arg[1]);

	if (n <= 0 || (rate < n && (rate || t.fn != arm)))
		exit(2);
	t.rate = rate / n;
	for (int i = 0; i < n; i++)
		start(&t);
}

static void start_all(const struct task *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		start(&t[i]);
}

static void usage(void)
{
	fprintf(stderr, "timerload [-o TRUTH] -t SECONDS "
			"kinds | sleep TASKS RATE | arm TASKS RATE | blame\n");
	exit(2);
}

static void start_mode(int n, char **arg)
{
	if (n == 1 && strcmp(arg[0], "kinds") == 0)
		start_all(kinds, sizeof(kinds) / sizeof(kinds[0]));
	else if (n == 1 && strcmp(arg[0], "blame") == 0)
		start_all(blames, sizeof(blames) / sizeof(blames[0]));
	else if (n == 3 && strcmp(arg[0], "sleep") == 0)
		start_many(arg + 1, (struct task){"sleeper", WAKEUP, by_nanosleep, 0, 0});
	else if (n == 3 && strcmp(arg[0], "arm") == 0)
		start_many(arg + 1, (struct task){"armer", "timerfd_tmrproc", arm, 0, 0});
	else
		usage();
}

int main(int argc, char **argv)
{
	double seconds = 0;

	for (int opt; (opt = getopt(argc, argv, "+o:t:")) != -1;) {
		if (opt == 't')
			seconds = atof(optarg);
		else if (opt == 'o')
			truth_fd = open(
				optarg, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
		else
			usage();
	}
	if (truth_fd < 0)
		die("truth");
	end_ns = now() + (int64_t)(seconds * NSEC);
	start_mode(argc - optind, argv + optind);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return 0;
}
