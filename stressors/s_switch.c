// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two processes on one CPU wait for each other, so each number that one passes to the
 * other forces two switches.
 *
 * pipe: it holds one number.  The instance waits until the partner has taken the
 * previous one, and the partner waits for the next, which takes one call per switch.
 * The partner exits if a number is not one higher than the previous one; writes then
 * fail.
 *
 * eventfd, futex: the number is returned.  The partner answers an unexpected number
 * with a wrong one, and exits when the instance does.  If the partner is killed, a
 * handler of SIGCHLD puts a wrong number where the instance waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/stress.h"

#ifndef SYS_futex
#define SYS_futex SYS_futex_time64 /* 32-bit architectures without the old call */
#endif

enum { METHOD, FREQ };

enum { BY_PIPE, BY_EVENTFD, BY_FUTEX };
static const char *const method_names[] = {"pipe", "eventfd", "futex", NULL};

static const struct stressor_lacks lacks[] = {
	{"mq sem-sysv", "pipe", false},
	{0},
};

static const struct stressor_opt opts[] = {
	{"method", STRESSOR_CHOICE, "METHOD", "select how the number is passed",
		.normal = BY_PIPE, .choices = method_names, .lacks = lacks},
	{"freq", STRESSOR_COUNT, "N",
		"make N switches per second; 0: as many as possible",
		.max = UINT64_C(1000000000)},
	{0},
};

enum { SWITCHES, NS_PER_SWITCH };

static const struct stressor_metric metrics[] = {
	[SWITCHES] = {"switches", "/s", .mean = MEAN_RATE},
	[NS_PER_SWITCH] = {"time per switch", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per switch",
		.yaml = "nanosecs-per-context-switch-*-method"},
	{0},
};

/* Shared by the instance and its partner. */
enum { MINE, PARTNERS };

#define WRONG	    0xffu
#define NUMBERS	    251u /* values from 1 to 251 */
#define NEXT(n)	    ((uint8_t)((n) % NUMBERS + 1))
#define STEP_NS	    (100 * UINT64_C(1000)) /* shortest sleep with a frequency */
#define MOST_LAG_NS (10 * SM_NSEC_PER_MSEC)

/* The futex of each process has its own cache line. */
struct box {
	_Alignas(64) _Atomic uint32_t number; /* 0: no number */
};

/* Where a process puts numbers, and where it takes them from. */
struct end {
	int put_fd, take_fd;
	struct box *put, *take;
};

typedef bool put_function(const struct end *e, uint8_t number);
typedef uint8_t take_function(const struct end *e); /* WRONG: no more numbers arrive */

struct way {
	int (*open)(struct end end[2]); /* returns 0 or -errno */
	put_function *put;
	take_function *take;
	bool one_way; /* no number is returned */
};

struct pair {
	const struct way *way;
	struct end end[2];
	pid_t partner;
	uint64_t trips, step_trips, step_ns, next_ns, slept_ns;
};

/* ---- pipe ---- */

/* Each write is a packet in its own page, so only one fits. */
static int open_pipe(struct end end[2])
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC | O_DIRECT) < 0)
		return -errno;
	end[MINE].put_fd = fd[1];
	end[PARTNERS].take_fd = fd[0];
	return fcntl(fd[1], F_SETPIPE_SZ, 1) < 0 ? -errno : 0;
}

static bool put_byte(const struct end *e, uint8_t number)
{
	ssize_t n;

	do {
		n = write(e->put_fd, &number, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1;
}

static uint8_t take_byte(const struct end *e)
{
	uint8_t number;
	ssize_t n;

	do {
		n = read(e->take_fd, &number, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1 ? number : WRONG;
}

/* ---- eventfd ---- */

static int open_eventfds(struct end end[2])
{
	end[MINE].put_fd = eventfd(0, EFD_CLOEXEC);
	if (end[MINE].put_fd < 0)
		return -errno;
	end[PARTNERS].put_fd = eventfd(0, EFD_CLOEXEC);
	if (end[PARTNERS].put_fd < 0)
		return -errno;
	end[PARTNERS].take_fd = fcntl(end[MINE].put_fd, F_DUPFD_CLOEXEC, 0);
	end[MINE].take_fd = fcntl(end[PARTNERS].put_fd, F_DUPFD_CLOEXEC, 0);
	return end[MINE].take_fd < 0 || end[PARTNERS].take_fd < 0 ? -EMFILE : 0;
}

static bool put_event(const struct end *e, uint8_t number)
{
	uint64_t v = number;
	ssize_t n;

	do {
		n = write(e->put_fd, &v, sizeof(v));
	} while (n < 0 && errno == EINTR);
	return n == sizeof(v);
}

static uint8_t take_event(const struct end *e)
{
	uint64_t v;
	ssize_t n;

	do {
		n = read(e->take_fd, &v, sizeof(v));
	} while (n < 0 && errno == EINTR);
	return n == sizeof(v) && v <= NUMBERS ? (uint8_t)v : WRONG;
}

/* ---- futex ---- */

static int open_boxes(struct end end[2])
{
	struct box *b = mmap(NULL, 2 * sizeof(*b), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (b == MAP_FAILED)
		return -errno;
	end[MINE].put = end[PARTNERS].take = &b[0];
	end[PARTNERS].put = end[MINE].take = &b[1];
	return 0;
}

static bool put_box(const struct end *e, uint8_t number)
{
	atomic_store_explicit(&e->put->number, number, memory_order_release);
	return syscall(SYS_futex, &e->put->number, FUTEX_WAKE, 1, NULL, NULL, 0) >= 0;
}

static uint8_t take_box(const struct end *e)
{
	uint32_t n;

	while ((n = atomic_exchange_explicit(
			&e->take->number, 0, memory_order_acquire)) == 0)
		syscall(SYS_futex, &e->take->number, FUTEX_WAIT, 0, NULL, NULL, 0);
	return (uint8_t)n;
}

static const struct way ways[] = {
	[BY_PIPE] = {open_pipe, put_byte, take_byte, true},
	[BY_EVENTFD] = {open_eventfds, put_event, take_event, false},
	[BY_FUTEX] = {open_boxes, put_box, take_box, false},
};

/* ---- the partner ---- */

static void __attribute__((noreturn)) take_all(const struct pair *p)
{
	uint8_t n, expected = 1;

	while ((n = p->way->take(&p->end[PARTNERS])) == expected)
		expected = NEXT(expected);
	_exit(n == WRONG ? 0 : 1);
}

static void __attribute__((noreturn)) answer(const struct pair *p)
{
	const struct end *e = &p->end[PARTNERS];
	uint8_t n, expected = 1;

	for (;;) {
		n = p->way->take(e);
		if (!p->way->put(e, n == expected ? n : WRONG))
			_exit(stress_is_lack(errno) ? STRESS_LACKS : n != expected);
		expected = NEXT(expected);
	}
}

/* Pair of this process, for the handler. */
static struct pair *of_handler;

static void partner_ended(int sig)
{
	int saved = errno;
	struct end toward_me = of_handler->end[PARTNERS];

	(void)sig;
	(void)of_handler->way->put(&toward_me, WRONG);
	errno = saved;
}

/* A pipe itself reports that it has no reader. */
static int watch_partner(struct stress *s, struct pair *p)
{
	struct sigaction sa = {.sa_handler = partner_ended, .sa_flags = SA_NOCLDSTOP};

	signal(SIGPIPE, SIG_IGN);
	if (p->way->one_way)
		return 0;
	of_handler = p;
	sigemptyset(&sa.sa_mask);
	if (sigaction(SIGCHLD, &sa, NULL) < 0)
		return stress_lacks(s, "sigaction: %s", strerror(errno));
	return 0;
}

/* ---- setup ---- */

static void close_end(struct end *e)
{
	if (e->put_fd >= 0)
		close(e->put_fd);
	if (e->take_fd >= 0)
		close(e->take_fd);
	e->put_fd = e->take_fd = -1;
}

static int start_partner(struct stress *s, struct pair *p)
{
	p->partner = stress_partner(s);
	if (p->partner == 0) {
		close_end(&p->end[MINE]);
		if (p->way->one_way)
			take_all(p);
		answer(p);
	}
	if (p->partner < 0)
		return -1;
	if (p->way->one_way)
		close_end(&p->end[PARTNERS]);
	return watch_partner(s, p);
}

/* With a frequency, plans some round trips followed by a sleep until the next step. */
static void plan_steps(struct pair *p, uint64_t freq)
{
	if (freq == 0)
		return;
	p->step_trips = (freq * STEP_NS / SM_NSEC_PER_SEC + 1) / 2;
	p->step_trips += p->step_trips == 0;
	p->step_ns = p->step_trips * 2 * SM_NSEC_PER_SEC / freq;
}

static int setup(struct stress *s)
{
	struct pair *p = s->data;
	int r;

	p->way = &ways[s->value[METHOD]];
	p->end[MINE] = p->end[PARTNERS] = (struct end){-1, -1, NULL, NULL};
	plan_steps(p, s->value[FREQ]);
	r = stress_pin(s);
	if (r != 0)
		return r;
	r = p->way->open(p->end);
	if (r < 0)
		return stress_lacks(
			s, "%s: %s", method_names[s->value[METHOD]], strerror(-r));
	return start_partner(s, p);
}

/* ---- run ---- */

/* Returns 0 or -errno; EBADMSG: a wrong number or none was returned. */
static int pass(const struct stress *s, const struct pair *p, uint8_t number)
{
	const struct end *e = &p->end[MINE];
	uint8_t n = number;

	if (s->spoil && p->trips == 2)
		n ^= 0x80;
	if (!p->way->put(e, n))
		return -errno;
	return p->way->one_way || p->way->take(e) == number ? 0 : -EBADMSG;
}

/* Shortens sleeps of seconds, since the time may be over in the meantime. */
static void sleep_until(const struct stress *s, uint64_t until_ns)
{
	uint64_t now = sm_clock_mono_ns(), to;
	struct timespec ts;

	while (now < until_ns && !stress_stopped(s)) {
		to = until_ns - now > MOST_LAG_NS ? now + MOST_LAG_NS : until_ns;
		ts.tv_sec = (time_t)(to / SM_NSEC_PER_SEC);
		ts.tv_nsec = (long)(to % SM_NSEC_PER_SEC);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
		now = sm_clock_mono_ns();
	}
}

/* Catches up after missed switches; a lag above MOST_LAG_NS is dropped. */
static void keep_pace(const struct stress *s, struct pair *p)
{
	uint64_t now;

	if (p->step_ns == 0 || p->trips % p->step_trips)
		return;
	p->next_ns += p->step_ns;
	now = sm_clock_mono_ns();
	if (now > p->next_ns + MOST_LAG_NS)
		p->next_ns = now;
	sleep_until(s, p->next_ns);
	p->slept_ns += sm_clock_mono_ns() - now;
}

/* Returns the wait(2) status of the partner, whose CPU time counts once it is reaped. */
static int end_partner(struct pair *p)
{
	int status = 0;

	signal(SIGCHLD, SIG_DFL);
	if (p->partner <= 0)
		return 0;
	if (p->way->one_way)
		close_end(&p->end[MINE]);
	else
		kill(p->partner, SIGKILL);
	while (waitpid(p->partner, &status, 0) < 0 && errno == EINTR)
		;
	p->partner = 0;
	return status;
}

static void report(struct stress *s, const struct pair *p)
{
	uint64_t now = sm_clock_mono_ns();
	double switches = 2 * (double)p->trips;

	if (p->trips == 0 || now == s->begin_ns)
		return;
	stress_metric(s, SWITCHES, switches * 1e9 / (double)(now - s->go_ns));
	stress_metric(
		s, NS_PER_SWITCH, (double)(now - s->begin_ns - p->slept_ns) / switches);
}

/* error: result of pass(); status: that of the partner. */
static int judge(struct stress *s, const struct pair *p, int error, int status)
{
	unsigned long long at = p->trips;

	if (stress_is_lack(-error))
		return stress_lacks(s, "number %llu: %s", at, strerror(-error));
	if (WIFEXITED(status) && WEXITSTATUS(status) == STRESS_LACKS)
		return stress_lacks(s, "number %llu: no memory for the partner", at);
	if (error)
		return stress_fail(s, "number %llu: %s", at,
			p->way->one_way ? "the partner has ended"
					: "it did not come back");
	/* The partner had not answered yet when the last numbers were passed. */
	if (p->way->one_way && status != 0)
		return stress_fail(s, "the partner did not receive the number");
	return 0;
}

static int run(struct stress *s)
{
	struct pair *p = s->data;
	uint8_t number = 1;
	int error = 0;

	p->next_ns = s->begin_ns;
	while (stress_goes_on(s)) {
		error = pass(s, p, number);
		if (error)
			break;
		number = NEXT(number);
		p->trips++;
		stress_add(s, 2);
		keep_pace(s, p);
	}
	report(s, p);
	return judge(s, p, error, end_partner(p));
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_switch_man[] =
	"metric time per switch: excludes the sleeps of --switch-freq\n"
	"--method pipe: a pipe that holds one number, with one call per switch\n"
	"--method eventfd: two descriptors of eventfd(2), one per direction\n"
	"--method futex: two words for futex(2) in shared memory, one per direction\n";

const struct stressor stressor_switch = {
	.name = "switch",
	.letter = 's',
	.does = "switch between two processes on one CPU that wait for each other",
	.op = "one forced switch; passing one number takes two",
	.checks = "each number is one higher than the previous one",
	.classes = CLASS_SCHEDULER | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.state = sizeof(struct pair),
	.setup = setup,
	.run = run,
};
