// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wakeload: wakes an idle CPU, and says how often.
 *
 *	wakeload sleep CPU TIMES MS        a task there sleeps
 *	wakeload pipe CPU TIMES MS FROM    a task on CPU FROM writes to one there, each
 *time a new process if MS is 0
 *
 * At the end it prints "PID TIMES IDLE": the task that sleeps or writes (0: several), how
 *often, and the percentage of its time in which the CPU was idle, by /proc/stat.
 */
#include <err.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NAME "wake)r (1"

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		err(1, "CPU %d", cpu);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Seconds; with those that waited for a device. */
static double idle_s(int cpu)
{
	unsigned long long t[5];
	FILE *f = fopen("/proc/stat", "re");
	char line[256];
	double s = -1;
	int n;

	while (f && s < 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, "cpu%d %llu %llu %llu %llu %llu", &n, &t[0], &t[1],
			    &t[2], &t[3], &t[4]) == 6 &&
			n == cpu)
			s = (double)(t[3] + t[4]) / (double)sysconf(_SC_CLK_TCK);
	if (f)
		fclose(f);
	return s;
}

static void nap(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

/* So that it is not the timer's interrupt that sends. */
static void work(void)
{
	for (volatile int i = 0; i < 100000; i++)
		;
}

static pid_t start_reader(int cpu, int p[2])
{
	pid_t pid = fork();
	char c;

	if (pid < 0)
		err(1, "fork");
	if (pid > 0)
		return pid;
	close(p[1]);
	pin(cpu);
	while (read(p[0], &c, 1) == 1)
		;
	_exit(0);
}

static void write_one(int fd)
{
	work();
	if (write(fd, "x", 1) != 1)
		err(1, "pipe");
}

static void write_by_child(int fd)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		write_one(fd);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void write_all(int from, int cpu, int times, int ms)
{
	pid_t reader;
	int p[2];

	if (pipe(p) < 0)
		err(1, "pipe");
	reader = start_reader(cpu, p);
	close(p[0]);
	pin(from);
	for (int i = 0; i < times; i++) {
		nap(ms ? ms : 10);
		if (ms)
			write_one(p[1]);
		else
			write_by_child(p[1]);
	}
	close(p[1]);
	waitpid(reader, NULL, 0);
}

int main(int argc, char **argv)
{
	bool sleeps = argc == 5 && strcmp(argv[1], "sleep") == 0;
	bool pipes = argc == 6 && strcmp(argv[1], "pipe") == 0;
	int cpu, times, ms;
	double idle, begin;

	if (!sleeps && !pipes)
		errx(2, "usage: wakeload sleep|pipe CPU TIMES MS [FROM]");
	cpu = atoi(argv[2]);
	times = atoi(argv[3]);
	ms = atoi(argv[4]);
	prctl(PR_SET_NAME, NAME);
	idle = idle_s(cpu);
	begin = now();
	if (pipes)
		write_all(atoi(argv[5]), cpu, times, ms);
	else
		pin(cpu);
	for (int i = 0; sleeps && i < times; i++)
		nap(ms);
	printf("%d %d %.0f\n", ms ? (int)getpid() : 0, times,
		100 * (idle_s(cpu) - idle) / (now() - begin));
	return 0;
}
