/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults: page faults of the target, and pages that the kernel allocated and freed in its threads, for the
 * perf window.
 *
 * Minor and major faults come from vmfacts.  User-mode and kernel-mode faults, allocations and frees need
 * perf events (target/perfset.h), which the target's opener opens when the window is first shown.  A counter
 * has a value or an error; an unknown value is never 0.
 */
#ifndef PAGEMON_FAULTS_H
#define PAGEMON_FAULTS_H

#include <errno.h>

#include "base/buf.h"
#include "target/target.h"
#include "vmfacts.h"

enum fault_key {
	FAULT_MINOR, FAULT_MAJOR,      /* from stat */
	FAULT_USER, FAULT_KERNEL, FAULT_ALLOC, FAULT_FREE, /* from perf */
	FAULT_KEYS
};

struct fault_count {
	int err;                 /* 0: there is a value; -ENODATA: not requested; -EINPROGRESS: requested;
				  * another -errno */
	uint64_t since_start;    /* count since the first reading (perf: since the opening) */
	struct vm_rate rate;
	/* scratch */
	uint64_t first;          /* first reading of a counter of stat */
	uint64_t before;         /* count of events that have ended */
};

struct faults {
	struct fault_count count[FAULT_KEYS];
	bool asked;                      /* perf events were requested, */
	uid_t uid;                       /* when this was the user of the target */
};

/* Returns the counter's label, such as "Page Faults (Minor)". */
const char *fault_name(enum fault_key key);

void faults_init(struct faults *f);
/* Requests the counts of perf events from the target's opener, unless a request is pending. */
void faults_ask(struct faults *f, const struct target *t);
/* Takes the counters of the last vmfacts_read() and the counts of perf events from the opener. */
void faults_take(struct faults *f, const struct target *t, const struct vmfacts *v);
/* Returns whether the perf events are being opened. */
static inline bool faults_opening(const struct faults *f)
{
	return f->count[FAULT_USER].err == -EINPROGRESS;
}
/* Appends the reason why a counter has no value, such as "n/a: Permission denied". */
void faults_explain(const struct faults *f, enum fault_key key, struct sm_buf *out);

#endif
