/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execfail: failed calls of execve(2) and execveat(2), which the proc connector does not report.
 *
 * A BPF program on the raw tracepoint sys_exit records the error and the file name.  While it is
 * attached, the kernel runs it at the end of every system call of the machine; it returns early if
 * the call succeeded.  The records become events of the source, in the order of their time stamps.
 * It supports the registers of x86-64, arm64 and riscv64, and of 32-bit programs on the first two.
 * It has the requirements of bpf_stream.h.  An invalid address as file name yields no name.
 */
#ifndef FORKSTAT_EXECFAIL_H
#define FORKSTAT_EXECFAIL_H

#include "bpf/bpf_stream.h"
#include "events/cnproc.h"
#include "exec_raw.h"
#include "proc/tasktable.h"

#define EXECFAIL_NAME_MAX 16

/* sm_proc_event.what of a failed exec; events of the kernel never have two bits.  exit_code is the errno,
 * data the file name: a struct sm_poolstr or NULL, whose reference belongs to the event. */
#define PROC_EXECFAIL ((uint32_t)SM_PROC_EXEC | (uint32_t)SM_PROC_EXIT)

struct execfail {
	struct sm_bpf_stream stream;   /* poll(2) on .ring_fd wakes when there is a record */
	struct sm_tasktable *procs;    /* interns the file names */
	int64_t clock_offset_ns;       /* see struct sm_cnproc */
	struct sm_proc_event *pending; /* events that were drained and not yet returned */
	size_t n, first, cap;
	uint64_t dropped;              /* records dropped for lack of memory */
};

/* ring_bytes: a power of two of pages.  Returns 0, or an error as execbpf_open(). */
int execfail_open(struct execfail *f, struct sm_tasktable *procs, size_t ring_bytes,
	struct sm_bpf_log *log) SM_MUST;
void execfail_drain(struct execfail *f);
/* Stores the next event up to until_ns in *ev; returns false if there is none. */
bool execfail_next(struct execfail *f, uint64_t until_ns, struct sm_proc_event *ev) SM_MUST;
static inline bool execfail_waits(const struct execfail *f)
{
	return f->first < f->n;
}
static inline uint64_t execfail_first_ns(const struct execfail *f)
{
	return f->pending[f->first].time_ns;
}
/* Returns the number of records that did not fit into the ring or into memory. */
uint64_t execfail_lost(const struct execfail *f);
void execfail_close(struct execfail *f);

/* Returns the name of an error: "ENOENT", or "E71" for an error that execve(2) does not list.  buf has
 * EXECFAIL_NAME_MAX bytes. */
const char *execfail_name(uint32_t err, char *buf);

/* Adds a record of the ring to the pending events. */
void execfail_record(void *execfail, const void *record, size_t len);

#endif
