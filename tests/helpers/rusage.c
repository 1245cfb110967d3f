// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rusage FILE COMMAND...: runs the command, passes SIGINT and SIGTERM on to it, and
 * writes to FILE "user_us=N sys_us=N wall_us=N maxrss_kb=N switches=N status=N": switches
 * that it did itself (waits), status as in a shell's $?.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t child;

static void pass_on(int sig)
{
	if (child > 0)
		kill((pid_t)child, sig);
}

static void handle(int sig, void (*handler)(int))
{
	struct sigaction sa = {.sa_handler = handler};

	sigaction(sig, &sa, NULL);
}

static long long micros(struct timeval t)
{
	return t.tv_sec * 1000000LL + t.tv_usec;
}

static long long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
	long long start = now_us();
	struct rusage ru;
	int status = 0, code;
	FILE *f;

	if (argc < 3)
		errx(2, "usage: rusage FILE COMMAND...");
	child = vfork();
	if (child == 0) {
		handle(SIGINT, SIG_DFL); /* background jobs of a shell ignore it */
		handle(SIGQUIT, SIG_DFL);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	handle(SIGINT, pass_on);
	handle(SIGTERM, pass_on);
	while (wait4((pid_t)child, &status, 0, &ru) < 0)
		if (errno != EINTR)
			err(1, "wait4");
	code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	f = fopen(argv[1], "w");
	if (!f)
		err(1, "%s", argv[1]);
	fprintf(f,
		"user_us=%lld sys_us=%lld wall_us=%lld maxrss_kb=%ld switches=%ld "
		"status=%d\n",
		micros(ru.ru_utime), micros(ru.ru_stime), now_us() - start, ru.ru_maxrss,
		ru.ru_nvcsw, code);
	return fclose(f) ? 1 : code;
}
