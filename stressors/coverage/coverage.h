/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coverage: the system calls that the instances make, and the errors that these return.
 *
 * BPF programs on the raw tracepoints sys_enter and sys_exit count the calls of all tasks that the calling
 * task starts from now on, and of their descendants, in any namespace: each task inherits a mark at
 * sched_process_fork.  The calling task itself is not counted.  Needs Linux 5.10, CAP_BPF and CAP_PERFMON.
 * While the programs are attached, each call of any task of the machine costs the lookup of its mark.
 *
 * A call that does not return (exit_group(2), or the task was killed in it) is counted without a result.  The
 * results of rt_sigreturn(2) are left out, because its value belongs to the call that the signal has
 * interrupted.  Calls of 32-bit programs are counted under their own numbers, which stand for other calls
 * here.
 */
#ifndef STRESSORS_COVERAGE_COVERAGE_H
#define STRESSORS_COVERAGE_COVERAGE_H

#include "bpf/bpf.h"

#define COVERAGE_PROGRAMS 4

struct coverage {
	int attached[COVERAGE_PROGRAMS]; /* keep the programs attached; -1: not open */
	int counts_fd;
	struct sm_bpf_array lost;        /* one uint64_t */
};

#define COVERAGE_INIT {.attached = {-1, -1, -1, -1}, .counts_fd = -1}

struct coverage_error {
	int error;               /* errno; 512 and above: names.h */
	uint64_t n;
};

/* A system call. */
struct coverage_call {
	unsigned int number;     /* KEY_OTHERS: that and all above */
	uint64_t calls;          /* calls that have begun */
	uint64_t ok;             /* calls that have returned without an error */
	const struct coverage_error *error; /* by number, n_errors of them */
	size_t n_errors;
};

/* The system calls that were counted, by number. */
struct coverage_result {
	struct coverage_call *call;
	size_t n;
	struct coverage_error *errors; /* errors of all calls, to which these point */
	uint64_t lost;           /* tasks and calls that were not counted, because a table was full */
};

/* Returns false if the kernel lacks the call, that is, if it has only returned ENOSYS. */
bool coverage_exists(const struct coverage_call *c) SM_MUST;
/* Attaches the programs.  -EPERM: not permitted; -ENOTSUP: the kernel is too old; others as in bpf(2). */
int coverage_open(struct coverage *c, struct sm_bpf_log *log) SM_MUST;
/* Reads the counts.  0 or -errno. */
int coverage_read(const struct coverage *c, struct coverage_result *r) SM_MUST;
void coverage_free(struct coverage_result *r);
void coverage_close(struct coverage *c);

#endif
