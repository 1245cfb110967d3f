/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exited_names: which programs the exited children of a row were, by taskexit.
 *
 * A record comes some time after its process was reaped (taskexit.h), so records and processes that
 * the sampler missed are kept for a second: one record can lead from a grandchild to its living
 * ancestor, and the time that rows have reported of a process is no part of its exited children's.
 * The names explain a row and never change its time: a record that finds no row in a second, and a
 * process without a record, have no name.
 *
 * Without permission for BPF, and where the pids are not those of the initial namespace, there are
 * no names and no cost.  Records are in mapped memory: taking them makes no system call.
 */
#ifndef CPUSTAT_EXITED_NAMES_H
#define CPUSTAT_EXITED_NAMES_H

#include "kernel/taskexit.h"
#include "../sample.h"

struct exited_name { /* a process that has exited */
	pid_t pid, ppid;
	uint64_t at_ns;        /* of the first sample that settled it; 0: none yet */
	uint64_t ns;           /* its CPU time; without a record, what rows have reported */
	uint32_t owner;        /* while settling: index of its row + 1 */
	bool recorded;         /* by taskexit */
	bool done;             /* in a list, or subtracted */
	uid_t uid;             /* of a recorded one */
	char comm[SM_TASK_COMM_LEN];
};

struct exited_names {
	bool open;
	bool last;               /* no sample follows: waits for the records, some 20 to 50 ms */
	struct sm_taskexit program;
	struct exited_name *v;
	size_t n, cap;
	struct row_names *lists; /* of the rows of this sample */
	size_t lists_cap;
	uint64_t now_ns;
	uint64_t not_kept;       /* for want of room or memory */
};

/* Failure is silent: there are no names. */
void exited_names_open(struct exited_names *e, const struct sm_root *root);
void exited_names_close(struct exited_names *e);
/* Is ready to be read when records should be taken between two samples; -1: there are none. */
int exited_names_fd(const struct exited_names *e);
/* Processes whose name had no room, here or in the kernel's ring. */
uint64_t exited_names_lost(const struct exited_names *e);
void exited_names_take(struct exited_names *e);
/* A sample begins. */
void exited_names_begin(struct exited_names *e, uint64_t now_ns);
/* A known process has exited; rows have reported ns of it. */
void exited_names_missing(struct exited_names *e, pid_t pid, pid_t ppid, uint64_t ns);
/* A record. */
void exited_names_record(struct exited_names *e, const struct sm_taskexit_record *r);
/* Takes the rest of the records and gives the rows of exited children their lists, which are valid
 * until the next call. */
void exited_names_settle(struct exited_names *e, struct row *rows, size_t n);

#endif
