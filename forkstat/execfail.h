/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execfail: calls of execve(2) and execveat(2) that failed, which the proc connector does not send.
 *
 * A BPF program on the raw tracepoint sys_exit writes the error and the file name that was given.
 * While it is attached the kernel calls it at the end of every system call of the machine; it
 * leaves at once when the call succeeded.  The records become events of the source, in the order of
 * their stamps.  Registers of x86-64, arm64 and riscv64, and of 32-bit programs on the first two.
 * Needs what bpf_stream needs.  A wrong address as file name gives no name.
 */
#ifndef FORKSTAT_EXECFAIL_H
#define FORKSTAT_EXECFAIL_H

#include "exec_raw.h"
#include "kernel/bpf_stream.h"
#include "kernel/cnproc.h"
#include "kernel/tasktable.h"

#define EXECFAIL_NAME_MAX 16

/* sm_proc_event.what of a failed exec: no event of the kernel has two bits.  exit_code is the errno,
 * data the file name, a struct sm_poolstr or NULL, whose reference belongs to the event. */
#define PROC_EXECFAIL ((uint32_t)SM_PROC_EXEC | (uint32_t)SM_PROC_EXIT)

struct execfail {
	struct sm_bpf_stream stream;   /* .ring_fd: poll(2) wakes when there is a record */
	struct sm_tasktable *procs;    /* interns the file names */
	int64_t clock_offset_ns;       /* as in struct sm_cnproc */
	struct sm_proc_event *pending; /* drained, not yet handed out */
	size_t n, first, cap;
	uint64_t dropped;              /* without memory */
};

/* ring_bytes: a power of two of pages.  Errors as execbpf_open(). */
int execfail_open(struct execfail *f, struct sm_tasktable *procs, size_t ring_bytes,
	struct sm_bpf_log *log) SM_MUST;
void execfail_drain(struct execfail *f);
/* The next event up to that time; false: none. */
bool execfail_next(struct execfail *f, uint64_t until_ns, struct sm_proc_event *ev) SM_MUST;
static inline bool execfail_waits(const struct execfail *f)
{
	return f->first < f->n;
}
static inline uint64_t execfail_first_ns(const struct execfail *f)
{
	return f->pending[f->first].time_ns;
}
/* Records that did not fit. */
uint64_t execfail_lost(const struct execfail *f);
void execfail_close(struct execfail *f);

/* "ENOENT", or "E71" for what execve(2) does not list.  buf: EXECFAIL_NAME_MAX. */
const char *execfail_name(uint32_t err, char *buf);

/* One record of the ring becomes a pending event. */
void execfail_record(struct execfail *f, const void *record, size_t len);

#endif
