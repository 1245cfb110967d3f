// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * naps: processes of any name that sleep at a fixed rate, until SIGTERM or SIGINT.
 *
 *	naps RATE COMM...	A process for each COMM; it sleeps RATE times a second,
 *				by absolute deadlines, so that late naps are made up for.
 *	naps -k RATE COMM	RATE children of that name a second, each of which lives
 *				for one nap of 1 ms.
 *
 * Prints "ready PID..." when all run, and at the end a line "PID NAPS" for each process,
 * or "kids N".
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NSEC	 1000000000LL
#define MAX_PROC 64

static volatile sig_atomic_t stopped;

static void on_signal(int sig)
{
	(void)sig;
	stopped = 1;
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NSEC + t.tv_nsec;
}

static void nap_until(int64_t ns)
{
	struct timespec t = {ns / NSEC, ns % NSEC};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* A process that counts its naps in shared memory. */
static pid_t start(const char *comm, int rate, volatile uint64_t *naps)
{
	int64_t at = now_ns();
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, comm);
	for (;;) {
		at += NSEC / rate;
		++*naps;
		nap_until(at);
	}
}

static void many(int rate, int n, char **comm)
{
	uint64_t *naps = mmap(NULL, sizeof(*naps) * MAX_PROC, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid[MAX_PROC];
	sigset_t ends;
	int sig;

	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	if (naps == MAP_FAILED || n > MAX_PROC)
		errx(1, "too many");
	for (int i = 0; i < n; i++)
		if ((pid[i] = start(comm[i], rate, &naps[i])) < 0)
			err(1, "fork");
	printf("ready");
	for (int i = 0; i < n; i++)
		printf(" %d", (int)pid[i]);
	printf("\n");
	fflush(stdout);
	sigwait(&ends, &sig);
	for (int i = 0; i < n; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
		printf("%d %llu\n", (int)pid[i], (unsigned long long)naps[i]);
	}
}

static void kids(int rate, const char *comm)
{
	int64_t at = now_ns();
	int n = 0;

	printf("ready %d\n", (int)getpid());
	fflush(stdout);
	for (; !stopped; n++) {
		pid_t pid = fork();

		if (pid == 0) {
			prctl(PR_SET_NAME, comm);
			nap_until(now_ns() + NSEC / 1000);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		at += NSEC / rate;
		nap_until(at);
	}
	printf("kids %d\n", n);
}

int main(int argc, char **argv)
{
	struct sigaction sa = {.sa_handler = on_signal};

	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (argc == 4 && strcmp(argv[1], "-k") == 0)
		kids(atoi(argv[2]), argv[3]);
	else if (argc > 2 && atoi(argv[1]) > 0)
		many(atoi(argv[1]), argc - 2, argv + 2);
	else
		errx(2, "usage: naps [-k] RATE COMM...");
	return fflush(stdout) != 0;
}
