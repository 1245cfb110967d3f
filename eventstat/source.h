/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: the counters of all timers (kernel/timers.h) by the first method that the machine allows:
 * BPF programs (kernel/timercount) or perf's rings (kernel/timerperf).  Who reads the counters does not
 * see which one runs.
 *
 * perf hands over events, which this process counts.  It is woken when a ring is half full
 * (source_watch()), and the rings are smaller the more CPUs there are.  Both methods own nothing but
 * descriptors: whatever ends the process, nothing is left that anyone would have to remove.
 */
#ifndef EVENTSTAT_SOURCE_H
#define EVENTSTAT_SOURCE_H

#include "base/buf.h"
#include "cli/loop.h"
#include "kernel/timercount.h"
#include "kernel/timerperf.h"

/* --method, in the order in which they are tried. */
enum method { METHOD_AUTO, METHOD_BPF, METHOD_PERF, METHODS };

struct source {
	const struct sm_root *root;
	enum method method;     /* that runs; METHOD_AUTO: none */
	bool by_timer;          /* timers are counted one by one */
	int refused[METHODS];   /* -errno; 0: it was not tried, or runs */
	struct sm_bpf_log log;  /* of BPF; "": the kernel gave no reason */
	const struct sm_timer_key *key; /* n of them, of the last reading */
	const struct sm_timer_counts *counts;
	uint32_t n;
	struct sm_timer_owners *owners; /* whose the timers are; NULL: the method does not show it */
	struct sm_timercount bpf;
	struct sm_timerperf perf;
	int wait_fd;            /* epoll: a ring is half full; -1: nothing to wait for */
};

/* method: METHOD_AUTO or the only one.  -errno if none can be used: s->refused has the reasons.  After a
 * failure only source_reasons(), source_exit() and source_close() may follow.  root lives longer. */
int source_open(struct source *s, const struct sm_root *root, enum method method, bool by_timer) SM_MUST;
/* Has the loop empty rings that are half full. */
int source_watch(struct source *s, struct sm_loop *loop) SM_MUST;
const char *source_name(enum method m);
/* "bpf: Operation not permitted (needs ...); perf: ..."; "" if none was refused. */
void source_reasons(const struct source *s, struct sm_buf *text);
/* The exit code for a source that could not be opened. */
int source_exit(const struct source *s);
/* SM_DROP_...: what reading needs. */
unsigned int source_drop_flags(const struct source *s);
/* Reads all counters.  One of them may be there twice if others were deleted meanwhile. */
int source_read(struct source *s) SM_MUST;
/* Deletes the counters of a task that has exited, which were at rest; -ENOENT: there are none. */
int source_delete(struct source *s, const struct sm_timer_key *key, struct sm_timer_counts *rest) SM_MUST;
struct sm_timer_losses source_lost(const struct source *s);
/* The CPUs that came online too late to be counted; NULL: the method counts all CPUs. */
const struct sm_cpuwatch *source_cpus(const struct source *s);
void source_close(struct source *s);

#endif
