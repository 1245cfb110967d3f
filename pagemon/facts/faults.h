/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults: page faults of the target, and pages that the kernel allocated and freed in its threads: the
 * perf window.
 *
 * Minor and major faults are the exact totals of /proc/PID/stat (fields 10 and 12), of all threads,
 * also those that have exited.  User mode, kernel mode, allocations and frees need perf events
 * (target/perfset.h), which count from their opening on.  They are opened by faults_perf(), when the
 * window is first looked at: through the target's opener, which has the rights of the start, or by
 * this process (before the drop of privileges). A counter has a value or a reason why not: n/a is
 * never 0.
 */
#ifndef PAGEMON_FAULTS_H
#define PAGEMON_FAULTS_H

#include "base/buf.h"
#include "target/perfset.h"
#include "target/target.h"

enum fault_key {
	FAULT_MINOR, FAULT_MAJOR,      /* of stat */
	FAULT_USER, FAULT_KERNEL, FAULT_ALLOC, FAULT_FREE, /* of perf */
	FAULT_KEYS
};

struct fault_count {
	int err;                 /* 0: it has a value; otherwise why not; -ENODATA: perf events are not
				  * open (yet) */
	uint64_t since_start;    /* since the first reading (of perf: since the opening) */
	bool rate_known;
	double per_s;            /* since the reading before, at least half a second earlier */
	/* scratch */
	uint64_t now, first, rate_from;
	uint64_t before;         /* of events that have ended */
	bool have_first, had_rate_from;
};

struct faults {
	struct fault_count count[FAULT_KEYS];
	uint64_t rate_from_ns;
	struct perfset perf;
	bool perf_tried, perf_asked, perf_open;
	uint64_t execs;                  /* of the target, and its user, when they were opened */
	uid_t uid;
};

/* "Page Faults (Minor)", ... */
const char *fault_name(enum fault_key key);

void faults_init(struct faults *f);
void faults_fini(struct faults *f);
/* Opens the perf events, once: later calls do nothing.  Through the opener this only begins it, and a
 * later faults_read() has them: until then the counters' err is -EINPROGRESS.  Without an opener it
 * takes about 0.5 ms per thread, and so does closing them, at the end.  Counters that cannot be opened
 * have a reason; the return value is an error of all. */
int faults_perf(struct faults *f, const struct target *t) SM_MUST;
/* -ESRCH: the process is gone; the counts stay. */
int faults_read(struct faults *f, const struct target *t, uint64_t now_ns) SM_MUST;
/* "n/a: Permission denied": why a counter has no value. */
void faults_explain(const struct faults *f, enum fault_key key, struct sm_buf *out);

#endif
