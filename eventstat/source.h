/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: the counters of all timers (timers/timers.h), with the first method that the machine permits:
 * BPF programs (timers/timercount) or perf ring buffers (timers/timerperf).  Both have the same interface.
 *
 * With perf, this process reads and counts the events.  It is woken when a ring buffer is half full
 * (source_watch()); the size of a ring buffer decreases with the number of CPUs.  Both methods own only file
 * descriptors, so nothing has to be removed when the process exits for any reason.
 */
#ifndef EVENTSTAT_SOURCE_H
#define EVENTSTAT_SOURCE_H

#include "base/buf.h"
#include "cli/loop.h"
#include "timers/timercount.h"
#include "timers/timerperf.h"

/* --method; the methods are tried in this order. */
enum method { METHOD_AUTO, METHOD_BPF, METHOD_PERF, METHODS };

struct source {
	const struct sm_root *root;
	enum method method;     /* method in use; METHOD_AUTO: not open */
	bool by_timer;          /* each timer has its own counter */
	int refused[METHODS];   /* -errno of each method; 0: not tried, or in use */
	struct sm_bpf_log log;  /* reason of the kernel why BPF failed; may be "" */
	const struct sm_timer_key *key; /* n counters of the last reading */
	const struct sm_timer_counts *counts;
	uint32_t n;
	struct sm_timer_owners *owners; /* owners of the timers; NULL: perf, which has no such map */
	struct sm_timercount bpf;
	struct sm_timerperf perf;
	int wait_fd;            /* epoll of ring buffers that are half full; -1 with BPF */
};

/* method: METHOD_AUTO, or the only method to try.  Returns 0, or -errno if no method can be used; s->refused
 * has the reasons, and only source_reasons(), source_exit() and source_close() may follow.  root must outlive
 * the source. */
int source_open(struct source *s, const struct sm_root *root, enum method method, bool by_timer) SM_MUST;
/* Adds a handler to the loop that empties ring buffers when they are half full. */
int source_watch(struct source *s, struct sm_loop *loop) SM_MUST;
const char *source_name(enum method m);
/* Appends "bpf: Operation not permitted (needs ...); perf: ..."; nothing if no method failed. */
void source_reasons(const struct source *s, struct sm_buf *text);
/* Returns the exit code for a source that could not be opened. */
int source_exit(const struct source *s);
/* Returns the flags SM_DROP_... that reading needs. */
unsigned int source_drop_flags(const struct source *s);
/* Reads all counters.  A counter may occur twice if others were deleted during the reading. */
int source_read(struct source *s) SM_MUST;
/* Deletes a counter of a task that has exited, and returns its last values in *rest; -ENOENT: not found. */
int source_delete(struct source *s, const struct sm_timer_key *key, struct sm_timer_counts *rest) SM_MUST;
struct sm_timer_losses source_lost(const struct source *s);
/* Returns the CPUs that came online too late to be counted, or NULL if the method counts all CPUs. */
const struct sm_cpuwatch *source_cpus(const struct source *s);
void source_close(struct source *s);

#endif
