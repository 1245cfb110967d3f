/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execbpf: the arguments of every exec, copied by a BPF program at the instant of the
 * exec.
 *
 * The program sits on the raw tracepoint sched_process_exec, at which the new program's memory is complete
 * and the event of the proc connector is still to come.  It copies the bytes from mm->arg_start to
 * mm->arg_end (the strings of the arguments, whatever the architecture, word size or environment), the
 * file name of the execve(2) and comm into a ring buffer.  If they are wanted, it also notes the control
 * group of the task, its login uid, and a variable of the environment, which it searches from
 * mm->env_start to env_end.  Where the kernel has these members is in its type information
 * (kernel/vmlinux.h). Needs a 64-bit Linux 5.8 with CONFIG_DEBUG_INFO_BTF, CAP_BPF and CAP_PERFMON to open
 * (before Linux 5.11 also a limit of locked memory above the ring's size), and no privilege afterwards:
 * drain uses mapped memory only.  Pids are those of the initial namespace.
 */
#ifndef FORKSTAT_EXECBPF_H
#define FORKSTAT_EXECBPF_H

#include "exec_raw.h"
#include "kernel/bpf_stream.h"
#include "kernel/cgroupnames.h"
#include "kernel/root.h"

struct execbpf {
	struct sm_bpf_stream stream;
	int group_fd[3]; /* keep the programs of moves, births and renames attached; -1: not wanted */
	struct sm_bpf_array moves_lost; /* one uint64_t */
};

#define EXECBPF_INIT {.stream = SM_BPF_STREAM_INIT, .group_fd = {-1, -1, -1}}

struct execbpf_record {
	pid_t pid;		     /* thread group */
	uint64_t time_ns;	     /* CLOCK_MONOTONIC */
	char comm[SM_TASK_COMM_LEN]; /* of the new program, NUL-terminated */
	const char *file;	     /* what execve(2) was given; NULL = not known */
	size_t file_len;	     /* without NUL */
	const char *args;	     /* strings, a NUL after each; NULL = not known */
	size_t args_len;	     /* NULs included */
	size_t expect_len; /* bytes of all arguments; of none as of an empty one: 1 */
	bool truncated;	   /* args ends early, maybe within a string */
	uint64_t cgroup;   /* cgroup_key.h; 0 = not known */
	uint32_t loginuid; /* with has_loginuid */
	bool has_loginuid;
	enum execbpf_env env_state; /* of the variable that was asked for */
	const char *env;	    /* EXECBPF_ENV_SET: "NAME=value" */
	size_t env_len;		    /* without NUL */
};

/* The control group of a task that joined one, or was born in one. */
struct execbpf_group {
	pid_t pid; /* born: of the task; moved: of the process */
	bool born;
	uint64_t time_ns; /* CLOCK_MONOTONIC; of a birth after the stamp of the connector's event */
	uint64_t cgroup;  /* cgroup_key.h; 0 = not known */
};

/* facts: NULL: none is wanted.  ring_bytes: a power of two of pages.  -EPERM: not allowed; -ENOSYS: not
 * with a 32-bit tool; -ENOENT: the kernel has no BTF; -EINVAL and others: not with this kernel, and *log
 * may have the verifier's reason. */
int execbpf_open(struct execbpf *b, const struct sm_root *root, const struct execbpf_facts *facts,
	size_t ring_bytes, struct sm_bpf_log *log) SM_MUST;
/* Sets the name of the variable; false: of a longer one than the program can compare only the beginning
 * counts. */
bool execbpf_env_name(struct execbpf_facts *facts, const char *name);
void execbpf_close(struct execbpf *b);

struct execbpf_reader {
	struct sm_cgroup_names *names; /* gets paths, each before the first record with its key; or NULL */
	void (*exec)(void *ctx, const struct execbpf_record *r);
	void (*group)(void *ctx, const struct execbpf_group *g); /* may be NULL */
	void *ctx;
};
/* Strings are good until the function returns.  The number of records, or -EBADMSG. */
ssize_t execbpf_drain(struct execbpf *b, const struct execbpf_reader *reader) SM_MUST;
/* Moves that did not fit in the ring. */
uint64_t execbpf_moves_lost(const struct execbpf *b);

/* One record of the ring; -EBADMSG when it is malformed. */
int execbpf_parse(const void *record, size_t len, struct execbpf_record *out) SM_MUST;

#endif
