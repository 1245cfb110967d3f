/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exited_names: the programs of the exited children of a row, from taskexit.
 *
 * A record comes some time after its process was reaped (taskexit.h), so records and processes that
 * the sampler found missing are kept for a second: a record can lead from a grandchild to its living
 * ancestor, and the time that rows have reported for a process is not part of the time of exited
 * children.  The names explain a row and never change its time: a process is not named if it has no
 * record, if its record has no CPU time, or if its record matches no row within a second.
 *
 * Without permission for BPF, and outside the initial PID namespace, there are neither names nor costs.
 * Records are in mapped memory: taking them needs no system call.
 */
#ifndef CPUSTAT_EXITED_NAMES_H
#define CPUSTAT_EXITED_NAMES_H

#include "events/taskexit.h"
#include "rows/sample.h"

struct exited_name { /* a process that has exited */
	pid_t pid, ppid;
	uint64_t at_ns;        /* time of the first sample that settled it; 0: not settled yet */
	uint64_t ns;           /* its CPU time; without a record, the time that rows have reported */
	uint32_t owner;        /* while settling: index of its row + 1 */
	uint64_t reaped_ns;    /* it was reaped before this time, if recorded */
	bool recorded;         /* recorded by taskexit */
	bool done;             /* in a list, or subtracted */
	uid_t uid;             /* real user ID, if recorded */
	char comm[SM_TASK_COMM_LEN];
};

struct exited_names {
	bool open;
	bool last;               /* this is the last sample, which waits 20 to 50 ms for records */
	struct sm_taskexit program;
	struct exited_name *v;
	size_t n, cap;
	struct row_names *lists; /* lists of the rows of this sample */
	size_t lists_cap;
	uint64_t now_ns;
	uint64_t not_kept;       /* records dropped for lack of room or memory */
};

/* Opens the BPF program; without it, exited children are not named.  -ENOMEM; other failures are silent. */
int exited_names_open(struct exited_names *e, const struct sm_root *root) SM_MUST;
void exited_names_close(struct exited_names *e);
/* Returns a descriptor that is readable when records should be taken between two samples, or -1 without the
 * BPF program. */
int exited_names_fd(const struct exited_names *e);
/* Returns the number of processes whose name was lost, here or in the kernel's ring buffer. */
uint64_t exited_names_lost(const struct exited_names *e);
void exited_names_take(struct exited_names *e);
/* Begins a sample. */
void exited_names_begin(struct exited_names *e, uint64_t now_ns);
/* Records that a known process has exited, for which rows have reported ns. */
void exited_names_missing(struct exited_names *e, pid_t pid, pid_t ppid, uint64_t ns);
/* Returns whether all n processes that were found missing in this sample had been reaped before until_ns,
 * according to their records; the last sample, at since_ns, had them all.  False if it is not known. */
bool exited_names_reaped(struct exited_names *e, uint64_t n, uint64_t since_ns, uint64_t until_ns);
/* Adds a record. */
void exited_names_record(struct exited_names *e, const struct sm_taskexit_record *r);
/* Takes the rest of the records and gives the rows of exited children their lists, which are valid
 * until the next call. */
void exited_names_settle(struct exited_names *e, struct row *rows, size_t n);

#endif
