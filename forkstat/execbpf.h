/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execbpf: the arguments of every exec, taken from the new stack by a BPF program.
 *
 * The program sits on the tracepoint sched:sched_process_exec, at which the new program's
 * stack is complete (see execargs.h) and the event of the proc connector is still to come.
 * It copies the file name and just the strings of the arguments into a ring buffer, where
 * perf's stack dump would take 16 KiB of anything.  Needs Linux 5.15 with CONFIG_DEBUG_INFO_BTF
 * (bpf_task_pt_regs), CAP_BPF and CAP_PERFMON to open; nothing at all afterwards: drain and
 * lost use mapped memory only.  Pids are those of the initial namespace.
 */
#ifndef FS_EXECBPF_H
#define FS_EXECBPF_H

#include "bpf.h"

/* The most that the ring holds of one exec. */
#define EXECBPF_FILE_MAX   4096u
#define EXECBPF_ARGS_MAX   16384u
#define EXECBPF_RING_BYTES (4u << 20)

struct execbpf {
	int event_fd;                /* the program lives as long as this is open */
	struct sm_bpf_ring ring;
	const uint64_t *lost;        /* mapped */
};

struct execbpf_record {
	pid_t pid;                   /* thread group */
	uint64_t time_ns;            /* CLOCK_MONOTONIC */
	const char *file;            /* what execve(2) was given; NULL = not known */
	size_t file_len;             /* without NUL */
	const char *args;            /* argc strings, a NUL after each; NULL = not known */
	size_t args_len;             /* NULs included */
	uint64_t argc;
	size_t expect_len;           /* bytes of all arguments by their addresses; 0 = not known */
	bool truncated;              /* args ends early, maybe within a string */
};

/* event_id, filename_offset: of sched:sched_process_exec and the __data_loc in its format.
 * ring_bytes: a power of two of pages.  -EPERM: not allowed; -ENOSYS: not on this
 * architecture; -EINVAL and others: not with this kernel. */
int execbpf_open(struct execbpf *b, uint32_t event_id, uint32_t filename_offset,
	size_t ring_bytes) SM_MUST;
void execbpf_close(struct execbpf *b);

typedef void (*execbpf_fn)(void *ctx, const struct execbpf_record *r);
/* The strings are good until the function returns.  How many, or -EBADMSG. */
ssize_t execbpf_drain(struct execbpf *b, execbpf_fn fn, void *ctx) SM_MUST;
/* Records that did not fit in the ring. */
uint64_t execbpf_lost(const struct execbpf *b);

/* One record of the ring; -EBADMSG when it is none. */
int execbpf_parse(const void *record, size_t len, struct execbpf_record *out) SM_MUST;
/* What the program writes; file_len bytes of file name and args_len of arguments follow. */
struct execbpf_raw {
	uint64_t time_ns;
	uint64_t argc;
	uint64_t expect_len; /* 0: the environment is empty, args holds what lay on the stack */
	uint32_t pid;
	uint32_t file_len;   /* with the NUL, when it is not cut */
	uint32_t args_len;   /* 0: they could not be read */
	uint32_t reserved;
};

#endif
