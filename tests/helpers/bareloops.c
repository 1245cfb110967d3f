// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bareloops [-t SECONDS] [-c CPU] MODE [ARGUMENT...]: what this machine can do without a
 * framework around it, as the measure of bench/stressors.sh.  Prints NAME=VALUE; MB are
 * 2^20 bytes.
 *	triad BYTES	a = b + k c on arrays of so many bytes: mbs read and written
 *	write-nt BYTES	stores past the caches: mbs
 *	read BYTES	loads: mbs
 *	fork		fork, _exit, waitpid: rate of processes a second
 *	switch		a byte to and fro between two processes: rate of switches
 *	pipe BYTES	buffers of that size from one process to another: mbs
 *	cyclic US POLICY PRIO DMA_US
 *		Sleeps until absolute times, US apart; POLICY other or fifo, DMA_US
 *		the limit of /dev/cpu_dma_latency, - for none: p50 p90 p99 max of the
 *		lateness, ns, and n.
 *	hog MS		computes for MS with policy fifo and priority 98
 * Stores past the caches are made by AVX2 or SSE2; elsewhere they are ordinary stores.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#define SEC	    1000000000ll
#define MB	    1048576.0
#define PART	    131072 /* doubles between two looks at the clock */
#define SHIFT	    1344   /* bytes: arrays begin at different places of a page */
#define HUGE	    ((size_t)2 << 20)
#define BITS	    1.2345 /* not 0: some machines store zeros twice as fast */
#define MAX_SAMPLES 4000000

static double seconds = 2;
static int cpu = -1;

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SEC + t.tv_nsec;
}

static double since(int64_t begin)
{
	return (double)(now_ns() - begin) / 1e9;
}

static void pin(void)
{
	cpu_set_t set;

	if (cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "CPU %d", cpu);
}

/* Whole parts; touched. */
static double *array(size_t bytes, size_t shift)
{
	size_t all = bytes + shift + HUGE;
	char *p = mmap(
		NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		err(1, "%zu bytes", bytes);
	p += HUGE - (uintptr_t)p % HUGE;
	madvise(p, all - HUGE, MADV_HUGEPAGE);
	memset(p, 0, bytes + shift);
	return (double *)(void *)(p + shift);
}

/* ---- the loops; n is a multiple of 16 ---- */

struct loops {
	void (*triad)(double *a, const double *b, const double *c, size_t n);
	void (*write)(double *a, size_t n);
	double (*read)(const double *a, size_t n);
};

static void triad_plain(double *a, const double *b, const double *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = b[i] + 3.0 * c[i];
}

static void write_plain(double *a, size_t n)
{
	memset(a, 0, n * sizeof(*a));
}

static double read_plain(const double *a, size_t n)
{
	uint64_t sum[4] = {0}, v[4];

	for (size_t i = 0; i < n; i += 4) {
		memcpy(v, a + i, sizeof(v));
		for (int k = 0; k < 4; k++)
			sum[k] ^= v[k];
	}
	return (double)(sum[0] ^ sum[1] ^ sum[2] ^ sum[3]);
}

#ifdef __x86_64__
static void triad_sse2(double *a, const double *b, const double *c, size_t n)
{
	const __m128d k = _mm_set1_pd(3.0);

	for (size_t i = 0; i < n; i += 8)
		for (size_t j = i; j < i + 8; j += 2)
			_mm_stream_pd(a + j, _mm_add_pd(_mm_load_pd(b + j),
						     _mm_mul_pd(k, _mm_load_pd(c + j))));
}

static void write_sse2(double *a, size_t n)
{
	for (size_t i = 0; i < n; i += 8)
		for (size_t j = i; j < i + 8; j += 2)
			_mm_stream_pd(a + j, _mm_set1_pd(BITS));
}

#define AVX2 __attribute__((target("avx2")))

AVX2 static void triad_avx2(double *a, const double *b, const double *c, size_t n)
{
	const __m256d k = _mm256_set1_pd(3.0);

	for (size_t i = 0; i < n; i += 8) {
		_mm256_stream_pd(a + i, _mm256_add_pd(_mm256_load_pd(b + i),
						_mm256_mul_pd(k, _mm256_load_pd(c + i))));
		_mm256_stream_pd(
			a + i + 4, _mm256_add_pd(_mm256_load_pd(b + i + 4),
					   _mm256_mul_pd(k, _mm256_load_pd(c + i + 4))));
	}
}

AVX2 static void write_avx2(double *a, size_t n)
{
	for (size_t i = 0; i < n; i += 8) {
		_mm256_stream_pd(a + i, _mm256_set1_pd(BITS));
		_mm256_stream_pd(a + i + 4, _mm256_set1_pd(BITS));
	}
}

AVX2 static double read_avx2(const double *a, size_t n)
{
	__m256d s0 = _mm256_setzero_pd(), s1 = s0, s2 = s0, s3 = s0;

	for (size_t i = 0; i < n; i += 16) {
		s0 = _mm256_or_pd(s0, _mm256_load_pd(a + i));
		s1 = _mm256_or_pd(s1, _mm256_load_pd(a + i + 4));
		s2 = _mm256_or_pd(s2, _mm256_load_pd(a + i + 8));
		s3 = _mm256_or_pd(s3, _mm256_load_pd(a + i + 12));
	}
	return _mm256_cvtsd_f64(_mm256_or_pd(_mm256_or_pd(s0, s1), _mm256_or_pd(s2, s3)));
}
#endif

static struct loops best_loops(void)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		return (struct loops){triad_avx2, write_avx2, read_avx2};
	return (struct loops){triad_sse2, write_sse2, read_plain};
#endif
	return (struct loops){triad_plain, write_plain, read_plain};
}

static size_t elements(const char *bytes)
{
	size_t n = strtoull(bytes, NULL, 10) / sizeof(double) / PART * PART;

	if (n == 0)
		errx(2, "at least 1 MB");
	return n;
}

/* Passes over the arrays until the time is over: what = "triad", "write-nt" or "read". */
static void memory(const char *what, const char *bytes)
{
	size_t n = elements(bytes), size = n * sizeof(double), done = 0;
	bool triad = what[0] == 't', writes = what[0] == 'w';
	double *a = array(size, 0), *b = NULL, *c = NULL;
	struct loops loops = best_loops();
	volatile double sink = 0;
	int64_t begin;

	if (triad) {
		b = array(size, 64 + SHIFT / 64 * 64);
		c = array(size, 64 + 2 * (SHIFT / 64 * 64));
	}
	begin = now_ns();
	for (size_t i = 0; since(begin) < seconds; i = (i + PART) % n) {
		if (triad)
			loops.triad(a + i, b + i, c + i, PART);
		else if (writes)
			loops.write(a + i, PART);
		else
			sink = loops.read(a + i, PART);
		done += PART;
	}
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	(void)sink;
	printf("mbs=%.1f\n",
		(double)(done * sizeof(double) * (triad ? 3 : 1)) / MB / since(begin));
}

/* ---- processes ---- */

static pid_t child_of_mine(void)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

static void forks(void)
{
	int64_t begin = now_ns();
	uint64_t n = 0;

	for (; n % 16 || since(begin) < seconds; n++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			err(1, "fork");
	}
	printf("rate=%.1f\n", (double)n / since(begin));
}

static void echo(int from, int to)
{
	char c;

	while (read(from, &c, 1) == 1)
		if (write(to, &c, 1) != 1)
			break;
	_exit(0);
}

static void switches(void)
{
	int there[2], back[2];
	uint64_t trips = 0;
	int64_t begin;
	char c = 'x';

	if (pipe(there) || pipe(back))
		err(1, "pipe");
	if (child_of_mine() == 0)
		echo(there[0], back[1]);
	begin = now_ns();
	for (; trips % 16 || since(begin) < seconds; trips++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			err(1, "the other process");
	printf("rate=%.1f\n", (double)(2 * trips) / since(begin));
}

static void fill_pipe(int to, size_t size)
{
	char *buf = calloc(1, size);

	while (buf && write(to, buf, size) > 0)
		;
	_exit(0);
}

static void pipes(size_t size)
{
	char *buf = calloc(1, size);
	uint64_t bytes = 0, reads = 0;
	int64_t begin;
	ssize_t n;
	int fd[2];

	if (!buf || pipe(fd))
		err(1, "pipe");
	if (child_of_mine() == 0)
		fill_pipe(fd[1], size);
	close(fd[1]);
	begin = now_ns();
	while (reads % 16 || since(begin) < seconds) {
		n = read(fd[0], buf, size);
		if (n <= 0)
			err(1, "the writer");
		bytes += (uint64_t)n;
		reads++;
	}
	printf("mbs=%.1f\n", (double)bytes / MB / since(begin));
}

/* ---- sleeps ---- */

static void limit_dma_latency(const char *arg)
{
	int32_t us = atoi(arg);
	int fd;

	if (strcmp(arg, "-") == 0)
		return;
	fd = open("/dev/cpu_dma_latency", O_WRONLY); /* it holds while it is open */
	if (fd < 0 || write(fd, &us, sizeof(us)) != sizeof(us))
		err(1, "/dev/cpu_dma_latency");
}

/* By the kernel itself: musl refuses policies. */
static void set_fifo(int priority)
{
	struct sched_param p = {.sched_priority = priority};

	if (syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &p))
		err(1, "policy fifo");
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static uint32_t quantile(const uint32_t *late, size_t n, double share)
{
	size_t i = (size_t)((double)n * share);

	return late[i < n ? i : n - 1];
}

/* Times stand on a grid; those that were missed are left out. */
static size_t sample(uint32_t *late, int64_t period)
{
	int64_t begin = now_ns(), due = begin + period, now = begin;
	size_t n = 0;

	while (n < MAX_SAMPLES && (double)(now - begin) / 1e9 < seconds) {
		struct timespec t = {due / SEC, due % SEC};

		if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
			continue;
		now = now_ns();
		late[n++] = (uint32_t)(now - due);
		due += period;
		now = now_ns();
		if (due < now)
			due += (now - due + period - 1) / period * period;
	}
	return n;
}

static void cyclic(char **arg)
{
	uint32_t *late = malloc(MAX_SAMPLES * sizeof(*late));
	size_t n;

	if (!late || mlockall(MCL_CURRENT | MCL_FUTURE))
		err(1, "memory");
	memset(late, 1, MAX_SAMPLES * sizeof(*late));
	prctl(PR_SET_TIMERSLACK, 1UL);
	limit_dma_latency(arg[3]);
	if (strcmp(arg[1], "fifo") == 0)
		set_fifo(atoi(arg[2]));
	n = sample(late, atoll(arg[0]) * 1000);
	qsort(late, n, sizeof(*late), by_value);
	printf("p50=%u p90=%u p99=%u max=%u n=%zu\n", quantile(late, n, 0.5),
		quantile(late, n, 0.9), quantile(late, n, 0.99), late[n - 1], n);
}

static void hog(double ms)
{
	int64_t begin = now_ns();

	set_fifo(98);
	while (since(begin) * 1e3 < ms)
		;
}

/* ---- options ---- */

static void usage(void)
{
	errx(2, "usage: bareloops [-t SECONDS] [-c CPU] MODE [ARGUMENT...]");
}

static void run(char **arg, int n)
{
	const char *mode = arg[0];

	if (n == 2 && (!strcmp(mode, "triad") || !strcmp(mode, "write-nt") ||
			      !strcmp(mode, "read")))
		memory(mode, arg[1]);
	else if (n == 1 && !strcmp(mode, "fork"))
		forks();
	else if (n == 1 && !strcmp(mode, "switch"))
		switches();
	else if (n == 2 && !strcmp(mode, "pipe") && atoi(arg[1]) > 0)
		pipes((size_t)atoi(arg[1]));
	else if (n == 5 && !strcmp(mode, "cyclic") && atoi(arg[1]) > 0)
		cyclic(arg + 1);
	else if (n == 2 && !strcmp(mode, "hog"))
		hog(atof(arg[1]));
	else
		usage();
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+t:c:")) != -1)
		switch (c) {
		case 't':
			seconds = atof(optarg);
			break;
		case 'c':
			cpu = atoi(optarg);
			break;
		default:
			usage();
		}
	if (optind == argc)
		usage();
	pin();
	run(argv + optind, argc - optind);
	return 0;
}
