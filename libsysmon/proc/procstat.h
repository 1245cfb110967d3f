/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procstat: /proc/stat, /proc/loadavg and /proc/uptime (Documentation/filesystems/proc.rst).
 *
 * Times are in ticks of USER_HZ since boot.  user includes guest, and nice includes guest_nice.  CPUs
 * appear and disappear with hotplug.
 *
 * Counters can restart after a CPU was offline, and steal can jump when a virtual machine moves to another
 * host.  No CPU runs longer than the interval, so each line is bounded by the elapsed time: a member that
 * decreased or grew by more is unknown.  Exception: the kernel moves the time of an idle period from iowait
 * to idle or back when it ends, so only their sum is bounded.
 */
#ifndef SM_PROCSTAT_H
#define SM_PROCSTAT_H

#include "base/base.h"
#include "base/file.h"
#include "base/root.h"

struct sm_cpu_ticks {
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice;
	unsigned int unknown;   /* of a difference: SM_TICKS_ bits of the unknown members, which are 0 */
};

enum {
	SM_TICKS_USER = 1, SM_TICKS_NICE = 2, SM_TICKS_SYSTEM = 4, SM_TICKS_IDLE = 8, SM_TICKS_IOWAIT = 16,
	SM_TICKS_IRQ = 32, SM_TICKS_SOFTIRQ = 64, SM_TICKS_STEAL = 128, SM_TICKS_GUEST = 256,
	SM_TICKS_GUEST_NICE = 512,
	/* The members of sm_procstat_busy(). */
	SM_TICKS_BUSY = 1023 & ~(SM_TICKS_IDLE | SM_TICKS_IOWAIT | SM_TICKS_STEAL),
};

struct sm_cpu_line {
	struct sm_cpu_ticks t;
	bool present;           /* the file had a line for the CPU, which is online */
};

struct sm_procstat {
	struct sm_cpu_ticks total;
	struct sm_cpu_line *cpu; /* by CPU number */
	unsigned int ncpu;      /* highest number seen so far + 1: valid entries of cpu[] */
	unsigned int online;    /* number of lines */
	uint64_t from_ns, to_ns; /* CLOCK_MONOTONIC before and after the reading; 0: text that was parsed */
	size_t cap;             /* of cpu[] */
	uint64_t ctxt, intr, softirq; /* events since boot; 0 if the line is missing */
	uint64_t processes;     /* tasks created since boot, including threads */
	uint64_t running, blocked; /* tasks, now */
	uint64_t btime;         /* seconds since the epoch */
};

struct sm_procstat_file {
	struct sm_file file;
	bool sums;              /* leave out cpu[]; the caller sets it after the opening */
};

/* Copies a reading.  *to is zeroed or an earlier reading, whose memory is reused. */
int sm_procstat_copy(struct sm_procstat *to, const struct sm_procstat *from) SM_MUST;
void sm_procstat_fini(struct sm_procstat *s);
/* Parses the text of /proc/stat.  *s may be an earlier reading, whose memory is reused.  -EBADMSG: there is
 * no "cpu" line.  Invalid numbers count as 0. */
int sm_procstat_parse(const char *p, size_t n, struct sm_procstat *s) SM_MUST;
int sm_procstat_open(struct sm_procstat_file *f, const struct sm_root *root) SM_MUST;
/* Reads the file, usually with one pread. */
int sm_procstat_read(struct sm_procstat_file *f, struct sm_procstat *s) SM_MUST;
void sm_procstat_close(struct sm_procstat_file *f);

/* Computes now - before for each member and subtracts guest and guest_nice from user and nice.  A member that
 * decreased by more than a few ticks or grew by more than limit ticks is unknown. */
void sm_procstat_delta(const struct sm_cpu_ticks *now, const struct sm_cpu_ticks *before, uint64_t limit,
	struct sm_cpu_ticks *out);
/* Compute the difference of a CPU, and of all CPUs, bounded by the time between the readings (at least
 * dt_ns).  A member that is unknown for a CPU is unknown for all CPUs.  False: the CPU was not online in
 * both. */
bool sm_procstat_cpu(const struct sm_procstat *now, const struct sm_procstat *before, unsigned int cpu,
	uint64_t dt_ns, struct sm_cpu_ticks *out);
void sm_procstat_total(const struct sm_procstat *now, const struct sm_procstat *before, uint64_t dt_ns,
	struct sm_cpu_ticks *out);
/* Returns the most CPU time that a counter of these CPUs, or of that number of threads, can grow by in dt_ns:
 * the counter can lag behind. */
uint64_t sm_procstat_most_ns(unsigned int cpus, uint64_t dt_ns);
/* Returns the events per second between two counts.  NAN: dt_ns is 0, or the count decreased, or it grew by
 * more than this number of CPUs can execute. */
double sm_procstat_rate(uint64_t now, uint64_t before, unsigned int cpus, uint64_t dt_ns);
/* Returns the busy ticks of a difference: all except idle, iowait and steal. */
uint64_t sm_procstat_busy(const struct sm_cpu_ticks *d);
/* Returns the sum of all known ticks of a difference. */
uint64_t sm_procstat_sum(const struct sm_cpu_ticks *d);

struct sm_loadavg {
	uint32_t centi[3];      /* 1, 5 and 15 minutes, hundredths */
	uint32_t running, tasks;
	pid_t last_pid;         /* newest PID in the reader's PID namespace */
};

int sm_procstat_parse_loadavg(const char *p, size_t n, struct sm_loadavg *out) SM_MUST;
int sm_procstat_open_loadavg(struct sm_file *f, const struct sm_root *root) SM_MUST;
/* Reads the file with one pread; -ENOENT: f is not open. */
int sm_procstat_read_loadavg(struct sm_file *f, struct sm_loadavg *out) SM_MUST;
/* Reads the time since boot from /proc/uptime, including suspend, in ns (resolution 10 ms). */
int sm_procstat_uptime_ns(const struct sm_root *root, uint64_t *out) SM_MUST;

#endif
