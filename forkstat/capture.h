/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture: the arguments of every exec, captured during the exec.
 *
 * Both methods use the tracepoint sched:sched_process_exec.  A small BPF program copies only the
 * strings (execbpf.h).  If the kernel or the privileges do not permit that, perf dumps the new user
 * stack of each exec into a ring buffer per CPU (perf_event_open(2): PERF_SAMPLE_RAW, _REGS_USER,
 * _STACK_USER).  A dump ends early where the random gap in the stack spans a page.
 * The record is written before the connector sends its EXEC event, so a reader that drains the
 * socket first and the rings second finds a record for every exec event that it read.
 * Records are kept by pid until capture_take().  All time stamps are CLOCK_MONOTONIC.
 */
#ifndef FORKSTAT_CAPTURE_H
#define FORKSTAT_CAPTURE_H

#include "execbpf.h"
#include "groups.h"
#include "base/map.h"
#include "events/perf.h"
#include "proc/tasktable.h"
#include "base/root.h"

/* Size of a stack dump: pointers, auxv, up to 8 KiB of random gap, strings. */
#define CAPTURE_STACK_BYTES 16384u
/* Pinned kernel memory of all rings of perf together. */
#define CAPTURE_RINGS_BYTES (8u << 20)
/* Size of the single BPF ring: bytes per CPU, rounded down to a power of two, and the maximum.  Unlike
 * perf's rings it counts as resident memory.  When it is half full, only file names are stored. */
#define CAPTURE_BPF_BYTES     (512u << 10)
#define CAPTURE_BPF_MAX_BYTES (4u << 20)

struct exec_record {
	struct exec_record *older; /* next record of this pid */
	uint64_t time_ns;
	pid_t pid;
	struct sm_poolstr *cmd;       /* SM_NAME_EXEC, or NULL if the strings are not in the dump */
	struct sm_poolstr *file;      /* SM_NAME_FILE: the file name given to execve(2) */
	size_t expect_len;         /* length of the command line from its pointers, 0 = unknown */
	char comm[SM_TASK_COMM_LEN]; /* comm of the new program; empty = unknown (perf) */
	struct exec_facts {
		struct sm_poolstr *cgroup; /* NULL = unknown */
		struct sm_poolstr *env;    /* "NAME=value", or NULL; see env_state */
		uint32_t loginuid;         /* valid if has_loginuid */
		bool has_loginuid;
		uint8_t env_state;         /* enum execbpf_env */
	} facts;
};

enum capture_way { CAPTURE_AUTO /* BPF, else perf */, CAPTURE_BPF, CAPTURE_PERF };

struct capture {
	enum capture_way way;      /* after capture_open(): BPF or PERF */
	int bpf_error;             /* -errno: the reason why AUTO does not use BPF */
	struct execbpf bpf;
	struct sm_perf_ring *rings;
	unsigned int nrings;
	struct sm_tasktable *procs;    /* interns the strings */
	struct sm_map waiting;     /* pid -> newest struct exec_record */
	uint32_t filename_offset;  /* offset of the __data_loc in the raw data */
	uint64_t asked_ns;         /* time of the newest event given to capture_take() */
	int64_t clock_offset_ns;   /* see struct sm_cnproc; added to the kernel's time stamps */
	size_t ring_bytes;         /* size of all rings together, as granted */
	struct groups groups;
};

/* Returns the size of a BPF ring for the value of --ring (0: not given), a power of two. */
size_t capture_bpf_bytes(size_t ring_bytes);
/* Opens the rings.  ring_bytes: all rings together, 0 for the default.  facts: see execbpf_open(); perf
 * records none.  Returns 0; -ENOENT: no BTF (BPF), no tracefs or no such event (perf); -EACCES, -EPERM and
 * others as perf_event_open(2) or bpf(2).  bpf_error is also set on failure.  *log receives the verifier's
 * reason if it rejects the BPF program. */
int capture_open(struct capture *c, const struct sm_root *root, struct sm_tasktable *procs,
	const struct execbpf_facts *facts, enum capture_way way, size_t ring_bytes,
	struct sm_bpf_log *log) SM_MUST;
/* Returns the number of ordinary execs that fit into the ring, per CPU. */
uint64_t capture_room(const struct capture *c);
/* Reads all records from the rings. */
void capture_drain(struct capture *c);
/* Returns the record of the last exec of pid up to time_ns, or NULL, and drops older records of this pid.
 * The caller returns the record with capture_done(). */
struct exec_record *capture_take(struct capture *c, pid_t pid, uint64_t time_ns);
/* Is there no record of this pid, or one with an incomplete argument list? */
bool capture_lacks(const struct capture *c, pid_t pid);
void capture_done(struct capture *c, struct exec_record *r);
/* Returns the number of moves for which the ring had no room. */
uint64_t capture_moves_lost(const struct capture *c);
void capture_close(struct capture *c);

/* Each adds a record of one method, as capture_drain() does; declared for tests and the fuzzer. */
void capture_exec(void *capture, const struct execbpf_record *e);
void capture_sample(struct capture *c, const unsigned char *body, size_t len);

#endif
