/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture: the true arguments of every exec, caught at the instant of the exec.
 *
 * Both ways sit on the tracepoint sched:sched_process_exec.  A small BPF program copies only
 * the strings (execbpf.h); where the kernel or the privileges do not allow that, perf dumps the
 * new user stack of each exec into a ring per CPU (perf_event_open(2): PERF_SAMPLE_RAW,
 * _REGS_USER, _STACK_USER), which ends early where the random gap in the stack spans a page.
 * The record is written before the connector's EXEC event is sent, so a reader that drains first
 * the socket and then the rings finds a record for every exec event that it read.
 * Records wait by pid until capture_take(); stamps are CLOCK_MONOTONIC on both sides.
 */
#ifndef FORKSTAT_CAPTURE_H
#define FORKSTAT_CAPTURE_H

#include "execbpf.h"
#include "groups.h"
#include "base/map.h"
#include "kernel/perf.h"
#include "kernel/tasktable.h"
#include "kernel/root.h"

/* Per exec, the stack dump: pointers, auxv, up to 8 KiB of random gap, strings. */
#define CAPTURE_STACK_BYTES 16384u
/* All of perf's rings together: pinned kernel memory. */
#define CAPTURE_RINGS_BYTES (8u << 20)
/* BPF's one ring: so much per CPU, rounded down to a power of two, up to the maximum.  Unlike
 * perf's rings it counts as resident.  Above half of it only file names are stored. */
#define CAPTURE_BPF_BYTES     (512u << 10)
#define CAPTURE_BPF_MAX_BYTES (4u << 20)

struct exec_record {
	struct exec_record *older; /* of the same pid */
	uint64_t time_ns;
	pid_t pid;
	struct sm_poolstr *cmd;       /* SM_NAME_EXEC, or NULL: strings not in the dump */
	struct sm_poolstr *file;      /* SM_NAME_FILE: what execve(2) was given */
	size_t expect_len;         /* length of the command line by its pointers, 0 = unknown */
	char comm[SM_TASK_COMM_LEN]; /* of the new program; empty = not known (perf) */
	struct exec_facts {
		struct sm_poolstr *cgroup; /* NULL = not known */
		struct sm_poolstr *env;    /* "NAME=value"; NULL = none, see env_state */
		uint32_t loginuid;         /* with has_loginuid */
		bool has_loginuid;
		uint8_t env_state;         /* enum execbpf_env */
	} facts;
};

enum capture_way { CAPTURE_AUTO /* BPF, else perf */, CAPTURE_BPF, CAPTURE_PERF };

struct capture {
	enum capture_way way;      /* after capture_open(): BPF or PERF */
	int bpf_error;             /* why AUTO is not BPF */
	struct execbpf bpf;
	struct sm_perf_ring *rings;
	unsigned int nrings;
	struct sm_tasktable *procs;    /* interns the strings */
	struct sm_map waiting;     /* pid -> newest struct exec_record */
	struct exec_record *free;
	uint32_t filename_offset;  /* of the __data_loc in the raw data */
	uint64_t asked_ns;         /* the newest event that capture_take() was asked for */
	int64_t clock_offset_ns;   /* as in struct sm_cnproc: the kernel's stamps are converted */
	size_t ring_bytes;         /* all rings, as granted */
	struct groups groups;
};

/* A power of two: what --ring says (0: nothing) for a ring of BPF. */
size_t capture_bpf_bytes(size_t ring_bytes);
/* ring_bytes: all rings together, 0 for the default.  -ENOENT: no BTF (BPF), no tracefs or no such event
 * (perf); -EACCES, -EPERM and others as perf_event_open(2) or bpf(2); bpf_error is set then, too.  facts:
 * as for execbpf_open(); perf has none.  *log: the verifier's reason when it refuses the BPF program. */
int capture_open(struct capture *c, const struct sm_root *root, struct sm_tasktable *procs,
	const struct execbpf_facts *facts, enum capture_way way, size_t ring_bytes,
	struct sm_bpf_log *log) SM_MUST;
/* How many ordinary execs of one CPU the ring holds. */
uint64_t capture_room(const struct capture *c);
/* Reads all records from the rings. */
void capture_drain(struct capture *c);
/* The record of the exec of pid that happened just before time_ns; older ones of the
 * pid are dropped.  NULL when there is none.  Give it back with capture_done(). */
struct exec_record *capture_take(struct capture *c, pid_t pid, uint64_t time_ns);
/* Is there no record of this pid, or one without the whole argument list? */
bool capture_lacks(const struct capture *c, pid_t pid);
void capture_done(struct capture *c, struct exec_record *r);
/* Moves for which the ring had no room. */
uint64_t capture_moves_lost(const struct capture *c);
void capture_close(struct capture *c);

/* One record of either way, for the fuzzer: adds a waiting record. */
void capture_exec(struct capture *c, const struct execbpf_record *e);
void capture_sample(struct capture *c, const unsigned char *body, size_t len);

#endif
