/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execbpf_rig: the BPF programs of execbpf in the kernel, a child that executes a program, and its record.
 */
#ifndef EXECBPF_RIG_H
#define EXECBPF_RIG_H

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/root.h"
#include "forkstat/execbpf.h"
#include "pids_rig.h"
#include "proc/cgroup.h"

#define RING_BYTES (4u << 20)

/* The last record of a child. */
static struct {
	pid_t pid;
	int n;
	uint64_t time_ns;
	char file[256], args[512], env[EXECBPF_ENV_MAX];
	struct execbpf_record r;
} seen;

/* The facts that the BPF program notes, and the names of the control groups that it wrote. */
static struct execbpf_facts *wanted;
static struct sm_cgroup_names groups;

/* Joins and births of a pid. */
static struct {
	pid_t pid;
	int moves, births;
	struct execbpf_group last;
} joined;

static inline void take(void *ctx, const struct execbpf_record *r)
{
	ck_assert_ptr_eq(ctx, &seen);
	if (r->pid != seen.pid)
		return;
	seen.n++;
	seen.r = *r;
	ck_assert_uint_lt(r->file_len, sizeof(seen.file));
	if (r->file)
		memcpy(seen.file, r->file, r->file_len);
	seen.file[r->file_len] = '\0';
	memcpy(seen.env, r->env ? r->env : "", r->env ? r->env_len : 0);
	seen.env[r->env_len] = '\0';
	if (r->args)
		memcpy(seen.args, r->args,
			r->args_len < sizeof(seen.args) ? r->args_len
							: sizeof(seen.args));
}

static inline void join(void *ctx, const struct execbpf_group *g)
{
	ck_assert_ptr_eq(ctx, &seen);
	if (g->pid != joined.pid)
		return;
	joined.last = *g;
	joined.moves += !g->born;
	joined.births += g->born;
}

static const struct execbpf_reader reader = {
	.names = &groups, .exec = take, .group = join, .ctx = &seen};

static inline int open_at(struct execbpf *b, const char *prefix, size_t ring_bytes)
{
	struct sm_root root;
	struct sm_bpf_log log;
	int err;

	ck_assert_int_eq(sm_root_open(&root, prefix), 0);
	err = execbpf_open(b, &root, wanted, ring_bytes, &log);
	ck_assert_msg(log.text[0] == '\0', "%s", log.text);
	sm_root_close(&root);
	return err;
}

/* False, and the test is skipped, where this kernel or the privileges do not allow it. */
static inline bool open_live(struct execbpf *b, size_t ring_bytes)
{
	int err;

	if (!own_pids())
		return false;
	err = open_at(b, NULL, ring_bytes);
	if (!err)
		return true;
	unit_skip("execbpf: %s", strerror(-err));
	ck_assert(err == -EPERM || err == -EACCES || err == -ENOSYS || err == -EINVAL ||
		  err == -ENOENT);
	ck_assert_int_eq(b->stream.attach_fd, -1);
	ck_assert_uint_eq(sm_bpf_stream_lost(&b->stream), 0);
	execbpf_close(b);
	return false;
}

static inline void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	(void)!sched_setaffinity(0, sizeof(set), &set); /* that CPU may be missing */
}

static inline int run_status(const char *file, char *const argv[], char *const envp[], int cpu)
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		pin(cpu);
		execve(file, argv, envp);
		_exit(99);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	seen.pid = pid;
	seen.n = 0;
	memset(seen.args, 0, sizeof(seen.args));
	return status;
}

static inline void run(const char *file, char *const argv[], char *const envp[], int cpu)
{
	ck_assert_int_eq(run_status(file, argv, envp, cpu), 0);
}

static inline void check_seen(struct execbpf *b, const char *file, const char *args, size_t len)
{
	ck_assert_int_ge(execbpf_drain(b, &reader), 1);
	ck_assert_int_eq(seen.n, 1);
	ck_assert_str_eq(seen.file, file);
	ck_assert_uint_eq(seen.r.args_len, len);
	ck_assert_mem_eq(seen.args, args, len);
	ck_assert(!seen.r.truncated);
}

#endif
