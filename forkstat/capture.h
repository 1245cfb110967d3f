/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture: the true arguments of every exec, caught at the instant of the exec.
 *
 * Both ways sit on the tracepoint sched:sched_process_exec.  A small BPF program copies just
 * the strings (execbpf.h); where the kernel or our rights do not allow that, perf dumps the
 * new user stack of each exec into a ring per CPU (perf_event_open(2): PERF_SAMPLE_RAW,
 * _REGS_USER, _STACK_USER), which ends early where the random gap in the stack spans a page.
 * The record is written before the connector's EXEC event is sent, so whoever drains the
 * socket first and the rings afterwards finds a record for every exec event in hand.
 * Records wait by pid until capture_take(); stamps are CLOCK_MONOTONIC on both sides.
 */
#ifndef FS_CAPTURE_H
#define FS_CAPTURE_H

#include "execbpf.h"
#include "hash.h"
#include "perf.h"
#include "procname.h"
#include "root.h"

/* Per exec, the stack dump: pointers, auxv, up to 8 KiB of random gap, strings. */
#define CAPTURE_STACK_BYTES 16384u
/* All of perf's rings together: kernel memory that we pin. */
#define CAPTURE_RINGS_BYTES (8u << 20)
/* BPF's one ring: thousands of short command lines.  It is mapped twice over, and unlike
 * perf's all of that counts as resident. */
#define CAPTURE_BPF_BYTES   (512u << 10)

struct exec_record {
	struct exec_record *older; /* of the same pid */
	uint64_t time_ns;
	pid_t pid;
	struct sm_istr *cmd;       /* SM_NAME_EXEC, or NULL: strings not in the dump */
	struct sm_istr *file;      /* SM_NAME_FILE: what execve(2) was given */
	size_t expect_len;         /* length of the command line by its pointers, 0 = unknown */
};

enum capture_way { CAPTURE_AUTO /* BPF, else perf */, CAPTURE_BPF, CAPTURE_PERF };

struct capture {
	enum capture_way way;      /* after capture_open(): BPF or PERF */
	struct execbpf bpf;
	struct sm_perf_ring *rings;
	unsigned int nrings;
	struct sm_procs *procs;    /* interns for us */
	struct sm_map waiting;     /* pid -> newest struct exec_record */
	struct exec_record *free;
	uint32_t filename_offset;  /* of the __data_loc in the raw data */
	uint64_t records;
	uint64_t lost;             /* records that did not fit in a ring */
	uint64_t corrupt;          /* BPF ring skipped as a whole */
	uint64_t newest_ns;
	size_t ring_bytes;         /* all rings, as granted */
};

/* ring_bytes: all rings together, 0 for the default.  -ENOENT no tracefs or no such event,
 * -EACCES, -EPERM and others as perf_event_open(2) or bpf(2). */
int capture_open(struct capture *c, const struct sm_root *root, struct sm_procs *procs,
	enum capture_way way, size_t ring_bytes) SM_MUST;
/* How many ordinary execs of one CPU the ring holds. */
uint64_t capture_room(const struct capture *c);
/* Takes over what the rings hold. */
void capture_drain(struct capture *c);
/* The record of the exec of pid that happened just before time_ns; older ones of the
 * pid are dropped.  NULL when there is none.  Give it back with capture_done(). */
struct exec_record *capture_take(struct capture *c, pid_t pid, uint64_t time_ns);
/* Is there any record of this pid? */
bool capture_has(const struct capture *c, pid_t pid);
void capture_done(struct capture *c, struct exec_record *r);
void capture_close(struct capture *c);

/* One record of either way, for the fuzzer: adds a waiting record. */
void capture_exec(struct capture *c, const struct execbpf_record *e);
void capture_sample(struct capture *c, const unsigned char *body, size_t len);

#endif
