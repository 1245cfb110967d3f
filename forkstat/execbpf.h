/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execbpf: the arguments of every exec, copied by a BPF program during the exec.
 *
 * The program runs at the raw tracepoint sched_process_exec.  At this point the memory of the new program is
 * complete, and the proc connector has not sent its event yet.  The program copies the bytes from
 * mm->arg_start to mm->arg_end (the strings of the arguments, on any architecture, word size or environment),
 * the file name given to execve(2) and comm into a ring buffer.  On request it also records the cgroup of the
 * task, its login uid, and an environment variable, which it searches from mm->env_start to env_end.  The
 * offsets of these members are in the type information of the kernel (bpf/vmlinux.h).
 *
 * Opening needs 64-bit Linux 5.8 with CONFIG_DEBUG_INFO_BTF, CAP_BPF and CAP_PERFMON (before Linux 5.11 also
 * a limit of locked memory above the size of the ring).  Draining needs no privileges, because it uses only
 * mapped memory.  Pids are in the initial namespace.
 */
#ifndef FORKSTAT_EXECBPF_H
#define FORKSTAT_EXECBPF_H

#include "base/root.h"
#include "bpf/bpf_stream.h"
#include "exec_raw.h"
#include "proc/cgroupnames.h"

struct execbpf {
	struct sm_bpf_stream stream;
	int group_fd[3]; /* keep the programs for moves, births and renames attached; -1: not attached */
	struct sm_bpf_array moves_lost; /* one uint64_t */
};

#define EXECBPF_INIT {.stream = SM_BPF_STREAM_INIT, .group_fd = {-1, -1, -1}}

struct execbpf_record {
	pid_t pid;		     /* thread group */
	uint64_t time_ns;	     /* CLOCK_MONOTONIC */
	char comm[SM_TASK_COMM_LEN]; /* comm of the new program, NUL-terminated */
	const char *file;	     /* file name given to execve(2); NULL = unknown */
	size_t file_len;	     /* without NUL */
	const char *args;	     /* strings, a NUL after each; NULL = unknown */
	size_t args_len;	     /* NULs included */
	size_t expect_len; /* bytes of all arguments; 1 without arguments or with an empty one */
	bool truncated;	   /* args ends early, maybe within a string */
	uint64_t cgroup;   /* cgroup_key.h; 0 = unknown */
	uint32_t loginuid; /* valid if has_loginuid */
	bool has_loginuid;
	enum execbpf_env env_state; /* state of the selected variable */
	const char *env;	    /* EXECBPF_ENV_SET: "NAME=value" */
	size_t env_len;		    /* without NUL */
};

/* A process joined a cgroup, or a task was born in it. */
struct execbpf_group {
	pid_t pid; /* born: the task; moved: the process */
	bool born;
	uint64_t time_ns; /* CLOCK_MONOTONIC; for a birth, later than the stamp of the connector's event */
	uint64_t cgroup;  /* cgroup_key.h; 0 = unknown */
};

/* Loads and attaches the programs.  facts: NULL to record none.  ring_bytes: a power of two of pages.
 * Returns 0; -EPERM: not permitted; -ENOSYS: 32-bit tool; -ENOENT: the kernel has no BTF; or another error
 * if the kernel does not support the programs; *log may then have the verifier's reason. */
int execbpf_open(struct execbpf *b, const struct sm_root *root, const struct execbpf_facts *facts,
	size_t ring_bytes, struct sm_bpf_log *log) SM_MUST;
/* Sets the name of the variable.  Returns false if the program can compare only the beginning of the name,
 * because it is too long. */
bool execbpf_env_name(struct execbpf_facts *facts, const char *name);
void execbpf_close(struct execbpf *b);

struct execbpf_reader {
	struct sm_cgroup_names *names; /* receives each path before the first record with its key; or NULL */
	void (*exec)(void *ctx, const struct execbpf_record *r);
	void (*group)(void *ctx, const struct execbpf_group *g); /* may be NULL */
	void *ctx;
};
/* Calls the reader for each record; strings are valid until the function returns.  Returns the number of
 * records, or -EBADMSG if one was malformed. */
ssize_t execbpf_drain(struct execbpf *b, const struct execbpf_reader *reader) SM_MUST;
/* Returns the number of moves that did not fit in the ring. */
uint64_t execbpf_moves_lost(const struct execbpf *b);

/* Decodes one record of the ring.  Returns 0, or -EBADMSG if it is malformed. */
int execbpf_parse(const void *record, size_t len, struct execbpf_record *out) SM_MUST;

#endif
