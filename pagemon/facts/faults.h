/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults: page faults of the target, and pages that the kernel allocated and freed in its threads, for the
 * perf window.
 *
 * Minor and major faults come from vmfacts.  User-mode and kernel-mode faults, allocations and frees need
 * perf events (target/perfset.h), which count since they were opened.  faults_perf() opens them when the
 * window is first shown: through the target's opener, which has the privileges of the start, or in this
 * process (before the drop of privileges).  A counter has a value or an error; an unknown value is never 0.
 */
#ifndef PAGEMON_FAULTS_H
#define PAGEMON_FAULTS_H

#include "base/buf.h"
#include "target/perfset.h"
#include "target/target.h"
#include "vmfacts.h"

enum fault_key {
	FAULT_MINOR, FAULT_MAJOR,      /* from stat */
	FAULT_USER, FAULT_KERNEL, FAULT_ALLOC, FAULT_FREE, /* from perf */
	FAULT_KEYS
};

struct fault_count {
	int err;                 /* 0: there is a value; -ENODATA: perf events are not open (yet);
				  * another -errno */
	uint64_t since_start;    /* count since the first reading (perf: since the opening) */
	bool rate_known;
	double per_s;            /* rate since a reading at least half a second earlier */
	/* scratch */
	uint64_t now, first, rate_from;
	uint64_t before;         /* count of events that have ended */
	bool have_first, had_rate_from;
};

struct faults {
	struct fault_count count[FAULT_KEYS];
	uint64_t rate_from_ns;
	struct perfset perf;
	bool perf_tried, perf_asked, perf_open;
	uint64_t execs;                  /* execs and user of the target when the events were opened */
	uid_t uid;
};

/* Returns the counter's label, such as "Page Faults (Minor)". */
const char *fault_name(enum fault_key key);

void faults_init(struct faults *f);
void faults_fini(struct faults *f);
/* Opens the perf events; later calls do nothing.  With an opener, this only starts the opening, and the
 * counters' err is -EINPROGRESS until a later faults_read() receives them.  Without an opener, opening
 * takes about 0.5 ms per thread, and so does closing at the end.  A counter that cannot be opened has its
 * own err; the return value is an error of all counters. */
int faults_perf(struct faults *f, const struct target *t) SM_MUST;
/* Takes the counters of the last vmfacts_read(), and reads those of perf events. */
void faults_read(struct faults *f, const struct target *t, const struct vmfacts *v, uint64_t now_ns);
/* Appends the reason why a counter has no value, such as "n/a: Permission denied". */
void faults_explain(const struct faults *f, enum fault_key key, struct sm_buf *out);

#endif
