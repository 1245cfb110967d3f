/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pageload watched: processes that are busy while they are watched: page faults at a rate, writes, and the
 * time that a process waits for its own memory map.  Included by pageload.c.
 */
#ifndef PAGELOAD_WATCHED_H
#define PAGELOAD_WATCHED_H

#include <pthread.h>
#include <sys/resource.h>

#include "pageload.h"
#include "pageload_input.h"

/* --- page faults --- */

/* Each is a minor fault: the page is dropped before it is written anew. */
static void fault(struct region *r, size_t times)
{
	for (size_t i = 0; i < times; i++) {
		char *p = r->at + i % r->n * page_bytes;

		(void)madvise(p, page_bytes, MADV_DONTNEED);
		page_write(p);
	}
}

/* Faults that are due since start_ns at the rate, but for those that are done. */
static size_t faults_due(int64_t start_ns, size_t rate, size_t done)
{
	size_t due = (size_t)((now_ns() - start_ns) / 1000 * (int64_t)rate / 1000000);

	return due > done ? due - done : 0;
}

static void say_faults(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	say("faults minor=%ld major=%ld", u.ru_minflt, u.ru_majflt);
}

static void mode_churn(struct args a)
{
	struct region r = region_anon("churn", 64);
	int64_t start = now_ns();
	size_t done = 0, due;
	char line[80];
	int got;

	ready();
	while ((got = command(line, sizeof(line), NSEC / 500)) >= 0) {
		if (got)
			say_faults();
		due = faults_due(start, a.n, done);
		fault(&r, due);
		done += due;
	}
	say_faults();
}

struct faulter {
	pthread_t thread;
	struct region r;
	size_t rate;
};

static void *fault_thread(void *arg)
{
	struct faulter *f = arg;
	int64_t start = now_ns();
	size_t done = 0, due;

	for (;;) {
		due = faults_due(start, f->rate, done);
		fault(&f->r, due);
		done += due;
		nanosleep(&(struct timespec){0, NSEC / 500}, NULL);
	}
	return NULL;
}

/* Minor and major faults of a thread, from fields 10 and 12 of its stat. */
static void say_thread(const char *tid)
{
	char path[PATH_MAX], comm[64];
	unsigned long minor, major;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%s/stat", tid);
	f = fopen(path, "re");
	if (!f)
		return;
	if (fscanf(f, "%*d (%63[^)]) %*c %*d %*d %*d %*d %*d %*u %lu %*u %lu", comm,
		    &minor, &major) == 3)
		say("thread %s minor=%lu major=%lu", tid, minor, major);
	fclose(f);
}

static void say_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");

	if (!tasks)
		die("/proc/self/task");
	for (struct dirent *e; (e = readdir(tasks));)
		if (e->d_name[0] != '.')
			say_thread(e->d_name);
	closedir(tasks);
	say_faults();
}

static void mode_threads(struct args a)
{
	struct faulter *all = calloc(a.n, sizeof(*all));
	char line[80];

	if (!all)
		die("memory");
	for (size_t i = 0; i < a.n; i++) {
		all[i].r = region_anon("threads", 64);
		all[i].rate = a.m;
		if (pthread_create(&all[i].thread, NULL, fault_thread, &all[i]))
			die("pthread_create");
	}
	ready();
	while (command(line, sizeof(line), -1) > 0)
		say_threads();
	say_faults();
}

/* --- what a watcher costs --- */

struct passes {
	long n, minor_at, worst_us;
	int64_t begin_ns;
};

static long minor_faults(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_minflt;
}

static void say_passes(struct passes *p)
{
	long minor = minor_faults();

	say("writer passes=%ld minor=%ld worst_us=%ld ns=%" PRId64, p->n,
		minor - p->minor_at, p->worst_us, now_ns() - p->begin_ns);
	*p = (struct passes){
		0, minor_faults(), 0, now_ns()}; /* without those of the line itself */
}

static void write_pass(struct region *r, struct passes *p)
{
	int64_t begin = now_ns();
	long us;

	for (size_t i = 0; i < r->n; i++)
		page_write(r->at + i * page_bytes);
	us = (long)((now_ns() - begin) / 1000);
	p->n++;
	if (us > p->worst_us)
		p->worst_us = us;
}

static void mode_writer(struct args a)
{
	struct region r = region_anon("writer", (a.n << 20) / page_bytes);
	struct passes p;
	char line[80];
	int got;

	region_write(&r, 0, r.n);
	region_print(&r);
	ready();
	p = (struct passes){0, minor_faults(), 0, now_ns()};
	while ((got = command(line, sizeof(line), NSEC / 20)) >= 0) {
		if (got)
			say_passes(&p);
		write_pass(&r, &p);
	}
	say_passes(&p);
}

#define SAMPLES ((size_t)1 << 20)
#define MAPS_NS (NSEC / 2000) /* between two maps */

static int by_size(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Longest time that this thread could not run, in ns: the lateness of its sleeps, and its waits for a CPU. */
static int64_t busy_ns;

static void note_busy(int64_t ns)
{
	if (ns > busy_ns)
		busy_ns = ns;
}

/* Time that this thread has waited for a CPU (proc(5): schedstat); 0: the kernel does not count it. */
static int64_t cpu_wait_ns(int fd)
{
	char text[80] = "";
	long long wait = 0;

	if (pread(fd, text, sizeof(text) - 1, 0) <= 0 || sscanf(text, "%*s %lld", &wait) != 1)
		return 0;
	return wait;
}

static void say_latency(uint32_t *ns, size_t *n)
{
	if (*n == 0)
		return;
	qsort(ns, *n, sizeof(*ns), by_size);
	say("latency n=%zu median_us=%.1f p99_us=%.1f worst_us=%.1f busy_us=%.1f", *n, ns[*n / 2] / 1e3,
		ns[*n * 99 / 100] / 1e3, ns[*n - 1] / 1e3, (double)busy_ns / 1e3);
	*n = 0;
	busy_ns = 0;
}

static uint32_t map_and_unmap(void)
{
	int64_t begin = now_ns(), ns;
	void *p = mmap(NULL, 65536, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || munmap(p, 65536))
		die("mmap");
	ns = now_ns() - begin;
	return ns > UINT32_MAX ? UINT32_MAX : (uint32_t)ns;
}

static void time_maps(void)
{
	uint32_t *ns = calloc(SAMPLES, sizeof(*ns));
	int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	int64_t begin, wait;
	char line[80];
	size_t n = 0;
	int got;

	if (!ns)
		die("memory");
	ready();
	while (begin = now_ns(), (got = command(line, sizeof(line), MAPS_NS)) >= 0) {
		if (!got)
			note_busy(now_ns() - begin - MAPS_NS);
		if (got || n == SAMPLES)
			say_latency(ns, &n);
		wait = cpu_wait_ns(fd);
		ns[n++] = map_and_unmap();
		note_busy(cpu_wait_ns(fd) - wait);
	}
	say_latency(ns, &n);
}

#endif
