/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procstat: /proc/stat, /proc/loadavg and /proc/uptime (Documentation/filesystems/proc.rst).
 *
 * Ticks are USER_HZ since boot.  user holds guest and nice holds guest_nice; iowait can go
 * backwards, and an offline CPU's counters can restart: differences go through
 * sm_procstat_delta(), which never underflows.  With hotplug CPUs appear and disappear: `present` is
 * true for each line that the file had.
 */
#ifndef SM_PROCSTAT_H
#define SM_PROCSTAT_H

#include "base/base.h"
#include "base/file.h"
#include "kernel/root.h"

struct sm_cpu_ticks {
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice;
};

struct sm_cpu_line {
	struct sm_cpu_ticks t;
	bool present;           /* the CPU is online: it had a line */
};

struct sm_procstat {
	struct sm_cpu_ticks total;
	struct sm_cpu_line *cpu; /* by CPU number */
	unsigned int ncpu;      /* highest number seen so far + 1: valid entries of cpu[] */
	unsigned int online;    /* lines present */
	size_t cap;             /* of cpu[] */
	uint64_t ctxt, intr, softirq; /* events since boot; 0 where the line is missing */
	uint64_t processes;     /* tasks created since boot (threads too) */
	uint64_t running, blocked; /* tasks, now */
	uint64_t btime;         /* seconds since the epoch */
};

struct sm_procstat_file {
	struct sm_file file;
	bool sums;              /* set it after the opening to leave out cpu[] and online */
};

/* to: zeroed, or an earlier reading, whose memory is kept. */
int sm_procstat_copy(struct sm_procstat *to, const struct sm_procstat *from) SM_MUST;
void sm_procstat_fini(struct sm_procstat *s);
/* s may hold an earlier reading: its memory is kept.  -EBADMSG without a "cpu" line; numbers
 * that do not parse count as 0. */
int sm_procstat_parse(const char *p, size_t n, struct sm_procstat *s) SM_MUST;
int sm_procstat_open(struct sm_procstat_file *f, const struct sm_root *root) SM_MUST;
/* One pread in steady state. */
int sm_procstat_read(struct sm_procstat_file *f, struct sm_procstat *s) SM_MUST;
void sm_procstat_close(struct sm_procstat_file *f);

/* now - before, member by member, 0 where it went back; guest and guest_nice are taken out of
 * user and nice. */
void sm_procstat_delta(const struct sm_cpu_ticks *now, const struct sm_cpu_ticks *before,
	struct sm_cpu_ticks *out);
/* Of such a difference: all but idle, iowait and steal. */
uint64_t sm_procstat_busy(const struct sm_cpu_ticks *d);
/* All of it. */
uint64_t sm_procstat_sum(const struct sm_cpu_ticks *d);

struct sm_loadavg {
	uint32_t centi[3];      /* 1, 5 and 15 minutes, hundredths */
	uint32_t running, tasks;
	pid_t last_pid;         /* the newest pid of the reader's namespace */
};

int sm_procstat_parse_loadavg(const char *p, size_t n, struct sm_loadavg *out) SM_MUST;
int sm_procstat_open_loadavg(struct sm_file *f, const struct sm_root *root) SM_MUST;
/* One pread; -ENOENT when f is not open. */
int sm_procstat_read_loadavg(struct sm_file *f, struct sm_loadavg *out) SM_MUST;
/* /proc/uptime, first number: seconds since boot including suspend, in ns (resolution 10 ms). */
int sm_procstat_uptime_ns(const struct sm_root *root, uint64_t *out) SM_MUST;

#endif
