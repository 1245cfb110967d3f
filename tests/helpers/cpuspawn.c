// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpuspawn: short-lived processes, each with a known CPU time (cputruth.h).
 *	cpuspawn [-o TRUTH] [-t SECONDS] [-n CHILDREN] MODE ARGUMENT...
 *	spawn RATE BURN_US [sys]	RATE children a second use the CPU and are reaped;
 *					sys: by making system calls
 *	ignore RATE BURN_US	SIGCHLD is ignored: no parent is charged with their time
 *	orphan RATE BURN_US	grandchildren whose parents exit; cpuspawn reaps them
 *	tree DEPTH WIDTH BURN_US	as make: each node runs WIDTH children at once
 *	born BURN_MS	each SIGUSR1: a child that uses the CPU, then sleeps
 *	zombie BURN_MS	each SIGUSR1: a child that exits and is reaped at the end
 *	reuse BURN_MS	each SIGUSR1: the last child is killed and reaped, and one with
 *			the same pid is created (CAP_CHECKPOINT_RESTORE)
 *	idle N		N sleeping children, until standard input is closed
 * Prints "ready PID" at the start and "made PID" for each child of a SIGUSR1 once it has
 * used its CPU time; ends after SECONDS, after CHILDREN at a rate, or by SIGTERM or
 * SIGINT.
 */
#include <linux/sched.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "cputruth.h"

#define MAX_WIDTH 64

static struct ct_log *truth;
static int64_t end_ns = INT64_MAX, children = INT64_MAX;
static bool with_syscalls;
static volatile sig_atomic_t stopped, asked;

static void on_signal(int sig)
{
	if (sig == SIGUSR1)
		asked++;
	else if (sig != SIGCHLD)
		stopped = 1;
}

static void handle_signals(void)
{
	struct sigaction sa = {.sa_handler = on_signal};

	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGUSR1, &sa, NULL);
}

static bool running(void)
{
	return !stopped && ct_now() < end_ns;
}

static pid_t fork_or_die(void)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

static void burn_us(int64_t us)
{
	if (with_syscalls)
		ct_burn_cpu(us * 1000);
	else
		ct_burn_wall(us * 1000);
}

/* Waits until pid is a zombie, records its clock, which lacks only the last context
 * switch, then reaps it. */
static void note_and_reap(pid_t pid)
{
	siginfo_t info;

	while (waitid(pid > 0 ? P_PID : P_ALL, (id_t)pid, &info, WEXITED | WNOWAIT) < 0)
		if (errno != EINTR)
			return;
	pid = info.si_pid;
	ct_add(truth, CT_CHILD, pid, getpid(), ct_cpu_of(pid));
	waitpid(pid, NULL, 0);
}

/* --- children at a rate --- */

static void spawn_one(int64_t us)
{
	pid_t pid = fork_or_die();

	if (pid == 0) {
		burn_us(us);
		_exit(0);
	}
	note_and_reap(pid);
}

/* The CPU time of the exit itself cannot be read and is missing. */
static void ignored_one(int64_t us)
{
	pid_t parent = getpid();

	if (fork_or_die() == 0) {
		burn_us(us);
		ct_add(truth, CT_LOST, getpid(), parent,
			ct_read(CLOCK_PROCESS_CPUTIME_ID));
		_exit(0);
	}
}

static void orphan_one(int64_t us)
{
	pid_t pid = fork_or_die();

	if (pid == 0) {
		if (fork() == 0)
			burn_us(us);
		_exit(0);
	}
	note_and_reap(pid);
	note_and_reap(-1); /* the adopted grandchild */
}

static void at_rate(double rate, void (*make)(int64_t us), int64_t us)
{
	int64_t start = ct_now();

	for (int64_t i = 1; i <= children && running(); i++) {
		make(us);
		ct_step(truth);
		ct_sleep_until(start + (int64_t)((double)i * 1e9 / rate));
	}
}

/* --- a tree --- */

static void node(int depth, int width, int64_t us)
{
	pid_t pid[MAX_WIDTH];

	burn_us(us);
	if (depth == 0)
		return;
	for (int i = 0; i < width; i++) {
		pid[i] = fork_or_die();
		if (pid[i] == 0) {
			node(depth - 1, width, us);
			_exit(0);
		}
	}
	for (int i = 0; i < width; i++)
		note_and_reap(pid[i]);
}

static void tree(int depth, int width, int64_t us)
{
	if (width > MAX_WIDTH)
		errx(2, "at most %d wide", MAX_WIDTH);
	while (running()) {
		node(depth, width, us);
		ct_step(truth);
	}
}

/* --- children on command --- */

static pid_t clone_as(pid_t want)
{
	struct clone_args a = {
		.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&want, .set_tid_size = 1};
	pid_t pid;

	if (!want) /* containers refuse clone3(2) */
		return fork_or_die();
	pid = (pid_t)syscall(SYS_clone3, &a, sizeof(a));
	if (pid < 0)
		err(4, "clone3");
	return pid;
}

static pid_t make_burner(pid_t want, int64_t ms, bool stay)
{
	int done[2];
	char c;
	pid_t pid;

	if (pipe(done))
		err(1, "pipe");
	pid = clone_as(want);
	if (pid == 0) {
		pid = (pid_t)syscall(SYS_getpid); /* past what the C library remembers */
		ct_add(truth, CT_STEP, pid, 0, 0);
		ct_burn_cpu(ms * 1000000);
		ct_add(truth, CT_STEP, pid, 0, ct_read(CLOCK_PROCESS_CPUTIME_ID));
		close(done[1]);
		while (stay)
			pause();
		_exit(0);
	}
	close(done[1]);
	while (read(done[0], &c, 1) < 0)
		;
	close(done[0]);
	printf("made %d\n", (int)pid);
	fflush(stdout);
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	note_and_reap(pid);
}

static void on_command(const char *mode, int64_t ms)
{
	bool reuse = strcmp(mode, "reuse") == 0, zombie = strcmp(mode, "zombie") == 0;
	pid_t made[MAX_WIDTH];
	int n = 0, done = 0;

	while (running()) {
		struct timespec tick = {0, 10000000};

		nanosleep(&tick, NULL);
		if (asked == done || n == MAX_WIDTH)
			continue;
		done++;
		if (reuse && n)
			end_child(made[--n]);
		made[n] = make_burner(reuse && done > 1 ? made[n] : 0, ms, !zombie);
		n++;
	}
	while (n)
		end_child(made[--n]);
}

static void idle(int n)
{
	pid_t *pid = calloc((size_t)n + 1, sizeof(*pid));
	struct pollfd in = {.fd = 0, .events = POLLIN};
	char buf[64];

	if (!pid)
		err(1, "memory");
	for (int i = 0; i < n; i++) {
		pid[i] = fork_or_die();
		while (pid[i] == 0)
			pause();
	}
	printf("ready %d\n", (int)getpid());
	fflush(stdout);
	while (running() && (poll(&in, 1, 1000) <= 0 || read(0, buf, sizeof(buf)) > 0))
		;
	for (int i = 0; i < n; i++)
		kill(pid[i], SIGKILL);
	for (int i = 0; i < n; i++)
		waitpid(pid[i], NULL, 0);
	free(pid);
}

/* --- */

static void ready(void)
{
	printf("ready %d\n", (int)getpid());
	fflush(stdout);
}

static void dispatch(const char *mode, int n, char **arg)
{
	with_syscalls = n > 2 && strcmp(arg[2], "sys") == 0;
	if (strcmp(mode, "idle") == 0 && n == 1) {
		idle(atoi(arg[0]));
		return;
	}
	ct_step(truth);
	ready();
	if (strcmp(mode, "ignore") == 0)
		signal(SIGCHLD, SIG_IGN);
	if (strcmp(mode, "orphan") == 0)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (strcmp(mode, "spawn") == 0 && n >= 2)
		at_rate(atof(arg[0]), spawn_one, atoll(arg[1]));
	else if (strcmp(mode, "ignore") == 0 && n >= 2)
		at_rate(atof(arg[0]), ignored_one, atoll(arg[1]));
	else if (strcmp(mode, "orphan") == 0 && n >= 2)
		at_rate(atof(arg[0]), orphan_one, atoll(arg[1]));
	else if (strcmp(mode, "tree") == 0 && n == 3)
		tree(atoi(arg[0]), atoi(arg[1]), atoll(arg[2]));
	else if (n == 1 && strstr(" born zombie reuse ", mode))
		on_command(mode, atoll(arg[0]));
	else
		errx(2, "unknown mode '%s' with %d arguments", mode, n);
}

int main(int argc, char **argv)
{
	const char *out = NULL;
	int c, fd = -1;

	while ((c = getopt(argc, argv, "+n:o:t:")) != -1) {
		if (c == 'o')
			out = optarg;
		else if (c == 't')
			end_ns = ct_now() + (int64_t)(atof(optarg) * 1e9);
		else if (c == 'n')
			children = atoll(optarg);
		else
			exit(2);
	}
	if (optind >= argc)
		errx(2, "usage: cpuspawn [-o TRUTH] [-t SECONDS] [-n CHILDREN] MODE "
			"ARGUMENT...");
	truth = ct_open(&fd);
	handle_signals();
	dispatch(argv[optind], argc - optind - 1, argv + optind + 1);
	ct_step(truth);
	ct_write(truth, out);
	return 0;
}
