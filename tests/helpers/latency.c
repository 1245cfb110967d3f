// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * latency [-n SAMPLES] COMMAND...: runs a forkstat (human rows, unbuffered: -l) through a
 * pipe and prints, in microseconds: the time from its start until it listens (creation of
 * the first process shown), its CPU time until then, and the time from an exec until its
 * row can be read (median, 90 %, maximum), one at a time, 20 ms apart.
 */
#include <err.h>
#include <dirent.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_CANARIES 4000
#define MAX_SAMPLES  1000

struct reader {
	int fd;
	size_t n;
	char buf[1 << 16];
};

static struct reader in;
static char tiny[PATH_MAX];

static long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static void nap(long us)
{
	struct timespec t = {0, us * 1000};

	nanosleep(&t, NULL);
}

static pid_t run_tiny(bool exec)
{
	char *argv[] = {(char[]){"tiny"}, (char[]){"latency"}, NULL};
	pid_t pid = vfork();

	if (pid == 0) {
		if (exec)
			execv(tiny, argv);
		_exit(0);
	}
	return pid;
}

/* Next whole line that is there within the time, without its newline; NULL at time-out.
 */
static char *next_line(int timeout_ms)
{
	static char line[sizeof(in.buf)];
	char *nl;

	while (!(nl = memchr(in.buf, '\n', in.n))) {
		struct pollfd p = {.fd = in.fd, .events = POLLIN};
		ssize_t got;

		if (in.n == sizeof(in.buf))
			in.n = 0; /* too long for a line with a canary */
		if (poll(&p, 1, timeout_ms) <= 0)
			return NULL;
		got = read(in.fd, in.buf + in.n, sizeof(in.buf) - in.n);
		if (got <= 0)
			errx(1, "the command ended");
		in.n += (size_t)got;
	}
	memcpy(line, in.buf, (size_t)(nl - in.buf));
	line[nl - in.buf] = '\0';
	in.n -= (size_t)(nl + 1 - in.buf);
	memmove(in.buf, nl + 1, in.n);
	return line;
}

static bool row(const char *line, const char *event, pid_t pid)
{
	char got[16];
	int number;

	return sscanf(line, "%*s %15s %d", got, &number) == 2 && number == pid &&
	       (!event || strcmp(got, event) == 0);
}

/* The number of the first canary in the lines read so far; -1: none yet. */
static int first_shown(const pid_t *canary, int n, int timeout_ms)
{
	int first = -1;
	const char *line;

	while ((line = next_line(timeout_ms)))
		for (int i = 0; i < n; i++)
			if ((first < 0 || i < first) && row(line, NULL, canary[i]))
				first = i;
	return first;
}

static long ready_after(long start)
{
	static pid_t canary[MAX_CANARIES];
	static long born[MAX_CANARIES];
	int first = -1, more;

	for (int n = 0; n < MAX_CANARIES && first < 0; n++) {
		born[n] = now_us();
		canary[n] = run_tiny(false);
		waitpid(canary[n], NULL, 0);
		nap(500);
		first = first_shown(canary, n + 1, 0);
		if (first >= 0) {
			more = first_shown(canary, n + 1, 50);
			first = more >= 0 && more < first ? more : first;
		}
	}
	if (first < 0)
		errx(1, "no row was seen");
	return born[first] - start;
}

static double cpu_us(pid_t pid)
{
	char path[64];
	double sum = 0;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	d = opendir(path);
	while (d && (e = readdir(d))) {
		char stat[400];
		double ns;
		FILE *f;

		snprintf(stat, sizeof(stat), "%s/%s/schedstat", path, e->d_name);
		f = fopen(stat, "r");
		if (f && fscanf(f, "%lf", &ns) == 1)
			sum += ns / 1000;
		if (f)
			fclose(f);
	}
	if (d)
		closedir(d);
	return sum;
}

static long one_sample(void)
{
	const char *line;
	pid_t pid;
	long t0;

	nap(20000);
	while (next_line(0))
		;
	pid = run_tiny(true); /* returns when the child has the new program */
	t0 = now_us();
	while ((line = next_line(2000)))
		if (row(line, "exec", pid))
			break;
	t0 = line ? now_us() - t0 : -1;
	waitpid(pid, NULL, 0);
	return t0;
}

static int by_value(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return x < y ? -1 : x > y;
}

static void samples(int wanted)
{
	static long us[MAX_SAMPLES];
	int n = 0;

	for (int i = 0; i < wanted; i++) {
		us[n] = one_sample();
		n += us[n] >= 0;
	}
	if (n == 0)
		errx(1, "no exec row was seen");
	qsort(us, (size_t)n, sizeof(us[0]), by_value);
	printf("p50_us=%ld\np90_us=%ld\nmax_us=%ld\nmissed=%d\n", us[n / 2],
		us[n * 9 / 10], us[n - 1], wanted - n);
}

static pid_t start(char **argv)
{
	int p[2];
	pid_t pid;

	if (pipe(p))
		err(1, "pipe");
	pid = fork();
	if (pid == 0) {
		dup2(p[1], 1);
		close(p[0]);
		close(p[1]);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(p[1]);
	in.fd = p[0];
	return pid;
}

int main(int argc, char **argv)
{
	ssize_t n = readlink("/proc/self/exe", tiny, sizeof(tiny) - 8);
	int wanted = 60, c;
	long begin;
	pid_t tool;

	while ((c = getopt(argc, argv, "+n:")) != -1) {
		if (c != 'n')
			exit(2);
		wanted = atoi(optarg);
	}
	if (n < 0 || optind >= argc || wanted < 1 || wanted > MAX_SAMPLES)
		errx(2, "usage: latency [-n SAMPLES] COMMAND...");
	tiny[n] = '\0';
	strcpy(strrchr(tiny, '/') + 1, "tiny");
	begin = now_us();
	tool = start(argv + optind);
	printf("ready_us=%ld\n", ready_after(begin));
	printf("ready_cpu_us=%.0f\n", cpu_us(tool));
	samples(wanted);
	kill(tool, SIGINT);
	waitpid(tool, NULL, 0);
	return 0;
}
