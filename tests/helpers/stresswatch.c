// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stresswatch MODE ARGUMENT... COMMAND...: runs a program that loads the machine, and
 * prints what the kernel knows of it and of all processes that it starts.
 *	gone SIGNAL SECONDS
 *		After SECONDS it gets SIGNAL (a number; 0: none).  first_ms until the
 *		program has ended, gone_ms until all of its processes have, from the
 *		signal (0: from the end of SECONDS); status as in a shell's $?;
 *		orphans: how many outlived the program.
 *	shares N
 *		Share of a CPU, percent, in each of N windows of a second, from 0.5 s
 *		after its first instance; of the one that used most.
 *	refs MS SECONDS
 *		Memory that its instances touched, by the reference bits of its pages,
 *		each MS from their first one on: a line "T_MS LENGTH_MS MB" each, MB
 *		(2^20) since the line before.  What is touched in the moment between the
 *		reading of a bit and its clearing, 1 ms or so, is not seen.  Huge pages
 *		are switched off.
 *	stall SECONDS MS
 *		After SECONDS each instance is stopped for MS; ends as the program does.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEC  1000000000ll
#define MOST 512  /* instances */
#define AREA 4096 /* kB: smaller areas are not what is measured */

static pid_t child;

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SEC + t.tv_nsec;
}

static void sleep_until(int64_t ns)
{
	struct timespec t = {ns / SEC, ns % SEC};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static void start(char **command)
{
	/* Processes whose parent ends become children of this one. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1UL))
		err(1, "subreaper");
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (child > 0)
		return;
	signal(SIGINT, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execvp(command[0], command);
	err(127, "%s", command[0]);
}

static int code_of(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- gone ---- */

static void gone(int sig, double seconds, char **command)
{
	int64_t begin = now_ns(), event = begin + (int64_t)(seconds * 1e9), first = 0,
		last = 0;
	int status = 0, code = 0, orphans = 0;
	pid_t pid;

	start(command);
	if (sig) {
		sleep_until(event);
		event = now_ns();
		kill(child, sig);
	}
	while ((pid = wait(&status)) > 0 || errno == EINTR) {
		last = now_ns();
		if (pid == child) {
			first = last;
			code = code_of(status);
		} else if (pid > 0 && first) {
			orphans++;
		}
	}
	printf("first_ms=%.1f gone_ms=%.1f status=%d orphans=%d\n",
		(double)(first - event) / 1e6, (double)(last - event) / 1e6, code,
		orphans);
}

/* ---- instances: processes without children, below the program ---- */

static size_t children_of(pid_t pid, pid_t *to, size_t room)
{
	char path[64], text[16384], *p = text, *end;
	ssize_t n;
	int fd;
	size_t found = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	while (found < room) {
		long v = strtol(p, &end, 10);

		if (end == p)
			break;
		to[found++] = (pid_t)v;
		p = end;
	}
	return found;
}

static size_t leaves_of(pid_t pid, pid_t *to, size_t room)
{
	pid_t below[MOST];
	size_t n = children_of(pid, below, MOST), found = 0;

	if (n == 0 && pid != child && room > 0) {
		to[0] = pid;
		return 1;
	}
	for (size_t i = 0; i < n; i++)
		found += leaves_of(below[i], to + found, room - found);
	return found;
}

/* Waits for the first. */
static size_t instances(pid_t *to)
{
	int64_t end = now_ns() + 10 * SEC;
	size_t n;

	while ((n = leaves_of(child, to, MOST)) == 0) {
		if (now_ns() > end || waitpid(child, NULL, WNOHANG) == child)
			errx(1, "no instance");
		sleep_until(now_ns() + 200000);
	}
	return n;
}

static void finish(void)
{
	kill(child, SIGINT);
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

/* ---- shares ---- */

/* By the process clock, which is exact also while the process runs. */
static int64_t cpu_of(pid_t pid)
{
	struct timespec t;
	clockid_t id = (clockid_t)((~(unsigned int)pid << 3) | 2);

	return clock_gettime(id, &t) ? -1 : t.tv_sec * SEC + t.tv_nsec;
}

static pid_t busiest(void)
{
	pid_t pid[MOST], best = 0;
	size_t n = instances(pid);
	int64_t most = -1;

	for (size_t i = 0; i < n; i++)
		if (cpu_of(pid[i]) > most) {
			most = cpu_of(pid[i]);
			best = pid[i];
		}
	return best;
}

static void shares(int n, char **command)
{
	int64_t at, was, now, cpu;
	pid_t pid, first[MOST];

	start(command);
	instances(first);
	at = now_ns() + SEC / 2;
	sleep_until(at);
	pid = busiest();
	was = cpu_of(pid);
	at = now_ns();
	for (int i = 1; i <= n; i++) {
		sleep_until(at + SEC);
		cpu = cpu_of(pid);
		now = now_ns();
		printf("%.3f\n", 100 * (double)(cpu - was) / (double)(now - at));
		was = cpu;
		at = now;
	}
	finish();
}

/* ---- refs ---- */

static void clear_refs(pid_t pid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/clear_refs", pid);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)!write(fd, "1", 1);
	close(fd);
}

/* MB of its large areas without a file that are marked. */
static double marked(pid_t pid)
{
	unsigned long from, to, inode;
	char path[64], line[512];
	bool counts = false;
	long kb, sum = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/smaps", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %*s %*s %lu", &from, &to, &inode) == 3)
			counts = inode == 0 && (to - from) / 1024 >= AREA;
		else if (counts && sscanf(line, "Referenced: %ld", &kb) == 1)
			sum += kb;
	fclose(f);
	return (double)sum / 1024;
}

static void refs(int ms, double seconds, char **command)
{
	int64_t begin, was, now;
	pid_t pid[MOST];
	double mb;
	size_t n;

	/* The CPU does not mark a page again whose translation it still has: that is so
	 * only of large pages. */
	prctl(PR_SET_THP_DISABLE, 1UL, 0UL, 0UL, 0UL);
	start(command);
	instances(pid);
	begin = was = now = now_ns();
	for (int64_t i = 1; (double)(now - begin) < seconds * 1e9; i++) {
		sleep_until(begin + i * ms * 1000000);
		n = instances(pid);
		mb = 0;
		for (size_t k = 0; k < n; k++) {
			mb += marked(pid[k]);
			clear_refs(pid[k]);
		}
		now = now_ns();
		printf("%.2f %.2f %.2f\n", (double)(now - begin) / 1e6,
			(double)(now - was) / 1e6, mb);
		was = now;
	}
	finish();
}

/* ---- stall ---- */

static void stall(double seconds, double ms, char **command)
{
	pid_t pid[MOST];
	int status = 0;
	int64_t end;
	size_t n;

	start(command);
	n = instances(pid);
	sleep_until(now_ns() + (int64_t)(seconds * 1e9));
	for (size_t i = 0; i < n; i++)
		kill(pid[i], SIGSTOP);
	end = now_ns() + (int64_t)(ms * 1e6);
	while (now_ns() < end)
		;
	for (size_t i = 0; i < n; i++)
		kill(pid[i], SIGCONT);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	exit(code_of(status));
}

/* ---- arguments ---- */

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (argc > 4 && !strcmp(mode, "gone"))
		gone(atoi(argv[2]), atof(argv[3]), argv + 4);
	else if (argc > 3 && !strcmp(mode, "shares"))
		shares(atoi(argv[2]), argv + 3);
	else if (argc > 4 && !strcmp(mode, "refs") && atoi(argv[2]) > 0)
		refs(atoi(argv[2]), atof(argv[3]), argv + 4);
	else if (argc > 4 && !strcmp(mode, "stall"))
		stall(atof(argv[2]), atof(argv[3]), argv + 4);
	else
		errx(2, "usage: stresswatch MODE ARGUMENT... COMMAND...");
	return 0;
}
