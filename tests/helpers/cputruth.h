/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cputruth: how much CPU time the load generators used, by the kernel's own clocks.
 *
 * Written by cpuload and cpuspawn, read by verifycpu.  While the load runs, records are in memory
 * shared by all its processes; the file is written at the end.  One line each, fields separated
 * by tabs:
 *	step T PID PPID CPU	task PID (a thread of PPID, or PPID 0) had used CPU ns at instant T
 *	child T PID PPID CPU	child PID of PPID, which used CPU ns in all, was reaped just after T
 *	lost T PID PPID CPU	the same, but no parent is charged with it (SIGCHLD ignored)
 *	root T 0 0 CPU		CPU time of all tasks of the machine (cgroup v1 cpuacct root)
 *	busy T 0 0 CPU		the same by /proc/stat's ticks: all but idle, iowait and steal
 * T is CLOCK_MONOTONIC, ns; CPU comes from the process CPU clock (sum_exec_runtime).
 */
#ifndef CPUTRUTH_H
#define CPUTRUTH_H

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum ct_kind { CT_STEP, CT_CHILD, CT_LOST, CT_ROOT, CT_BUSY, CT_KINDS };

struct ct_record {
	int kind; /* enum ct_kind */
	int pid, ppid;
	int64_t t_ns, cpu_ns;
};

#define CT_CAP (1 << 18)

struct ct_log {
	uint32_t n; /* taken by atomic addition */
	struct ct_record rec[CT_CAP];
};

static inline const char *ct_name(int kind)
{
	static const char *const name[CT_KINDS] = {"step", "child", "lost", "root", "busy"};

	return kind >= 0 && kind < CT_KINDS ? name[kind] : "?";
}

static inline int64_t ct_read(clockid_t id)
{
	struct timespec t;

	if (clock_gettime(id, &t))
		return -1;
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline int64_t ct_now(void)
{
	return ct_read(CLOCK_MONOTONIC);
}

/* The clock of another process, also a zombie; -1 if there is none.  By system call, because the
 * C library may read its own clock first. */
static inline int64_t ct_cpu_of(int pid)
{
	struct timespec t;

	if (syscall(SYS_clock_gettime, (long)(int)((~(unsigned int)pid << 3) | 2), &t))
		return -1;
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline void ct_sleep_until(int64_t ns)
{
	struct timespec t = {ns / 1000000000, ns % 1000000000};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* In a memfd, which survives an exec: pass -1, or the fd of the previous program. */
static inline struct ct_log *ct_open(int *fd)
{
	struct ct_log *log;

	if (*fd < 0)
		*fd = (int)syscall(SYS_memfd_create, "truth", 0);
	if (*fd < 0 || ftruncate(*fd, sizeof(*log)))
		err(1, "memfd");
	log = mmap(NULL, sizeof(*log), PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (log == MAP_FAILED)
		err(1, "memory");
	return log;
}

static inline void ct_add(struct ct_log *log, int kind, int pid, int ppid, int64_t cpu_ns)
{
	uint32_t i = __atomic_fetch_add(&log->n, 1, __ATOMIC_RELAXED);

	if (i < CT_CAP)
		log->rec[i] = (struct ct_record){kind, pid, ppid, ct_now(), cpu_ns};
}

/* A step of the calling process. */
static inline void ct_step(struct ct_log *log)
{
	ct_add(log, CT_STEP, getpid(), 0, ct_read(CLOCK_PROCESS_CPUTIME_ID));
}

static inline void ct_write(const struct ct_log *log, const char *path)
{
	FILE *f = path ? fopen(path, "w") : NULL;

	if (!path)
		return;
	if (!f)
		err(1, "%s", path);
	if (log->n > CT_CAP)
		errx(1, "more than %d records", CT_CAP);
	for (uint32_t i = 0; i < log->n; i++)
		fprintf(f, "%s\t%lld\t%d\t%d\t%lld\n", ct_name(log->rec[i].kind),
			(long long)log->rec[i].t_ns, log->rec[i].pid, log->rec[i].ppid,
			(long long)log->rec[i].cpu_ns);
	if (fclose(f))
		err(1, "%s", path);
}

/* Uses the CPU until the CPU clock reaches the limit; reading that clock is a system call, reading
 * CLOCK_MONOTONIC is not. */
static inline void ct_burn_until(clockid_t id, int64_t ns)
{
	while (ct_read(id) < ns)
		for (volatile int i = 0; i < 200; i++)
			;
}

static inline void ct_burn_wall(int64_t ns)
{
	ct_burn_until(CLOCK_MONOTONIC, ct_now() + ns);
}

static inline void ct_burn_cpu(int64_t ns)
{
	ct_burn_until(CLOCK_PROCESS_CPUTIME_ID, ct_read(CLOCK_PROCESS_CPUTIME_ID) + ns);
}

#endif
