/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timertrace: counts timer events of all tasks by a trace instance of its own (Documentation/trace/
 * ftrace.rst, Instances), by the rules of timers.h, for machines that allow neither BPF nor perf.
 *
 * The instance is instances/eventstat.PID: its buffers, events and clock are private, and the global
 * instance is never written to.  The raw pages of each CPU are read by sm_timertrace_read(), which
 * its user calls at the latest when a buffer is half full: sm_timertrace_fd() is then readable.
 * Events that found no room are counted as lost.  tracefs gives no process of a thread: it is known from the
 * events of tasks, or from /proc.
 *
 * sm_timertrace_close() removes the instance, which needs the rights of the opening; who drops them has
 * cli/keeper call sm_timertrace_remove().  Until then its events cost time.  An instance that was left by
 * a process that exists no more is removed by the next sm_timertrace_open() or sm_timertrace_clean() of any
 * process: one that is in use cannot be, the kernel sees to that.  CPUs that come online later are not seen.
 */
#ifndef SM_TIMERTRACE_H
#define SM_TIMERTRACE_H

#include "base/file.h"
#include "kernel/timerfeed.h"
#include "kernel/timerformat.h"
#include "kernel/tracepage.h"

struct sm_timertrace_cpu {
	uint32_t cpu;
	int pages_fd;
	struct sm_file stats;
	unsigned char *page;
	struct sm_tracepage at; /* in it */
	uint64_t lost;
};

#define SM_TIMERTRACE_NAME_SIZE 48

struct sm_timertrace {
	struct sm_timerfeed feed; /* feed.model has the counters */
	struct sm_timerformats formats;
	struct sm_tracepage_layout layout;
	struct sm_timertrace_cpu *cpu; /* n of them */
	unsigned int n;
	int tracefs_fd, instance_fd;
	char name[SM_TIMERTRACE_NAME_SIZE]; /* "instances/eventstat.PID" while it is there */
	uint64_t corrupt; /* pages and records that made no sense */
};

#define SM_TIMERTRACE_BUFFER_BYTES ((size_t)4 << 20) /* 70,000 events; memory of the kernel */

/*
 * buffer_bytes of each CPU.  root lives longer.  -ENOENT: no tracefs, or no instances; -EACCES,
 * -EPERM: not allowed; -EROFS: root is not the live machine's.  After a failure only
 * sm_timertrace_close() may follow.
 */
int sm_timertrace_open(struct sm_timertrace *t, const struct sm_root *root, size_t buffer_bytes) SM_MUST;
/* Removes what processes that exist no more have left, if the rights suffice. */
void sm_timertrace_clean(const struct sm_root *root);
/* 0, or -errno of removing the instance. */
int sm_timertrace_close(struct sm_timertrace *t);
/* Removes the instance, in a process that has tracefs_fd and no other descriptor of t, as soon as nobody
 * has it open; gives up after 10 s. */
void sm_timertrace_remove(const struct sm_timertrace *t);
/* To poll for POLLIN; i < t->n. */
int sm_timertrace_fd(const struct sm_timertrace *t, unsigned int i);
/* Counts what has happened so far. */
void sm_timertrace_read(struct sm_timertrace *t);
struct sm_timer_losses sm_timertrace_lost(const struct sm_timertrace *t);

/* The number of lost events in the text of per_cpu/cpuN/stats. */
uint64_t sm_timertrace_parse_stats(const char *s, size_t n);

#endif
