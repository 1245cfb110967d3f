/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rig: a /proc in a temporary directory, whose tasks are created, changed and removed, and
 * makers of process events.  One tick is 10 ms and the machine was never suspended.
 */
#ifndef FORKSTAT_RIG_H
#define FORKSTAT_RIG_H

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "events/cnproc.h"
#include "proc/tasktable.h"
#include "unit.h"

#define TICK_NS UINT64_C(10000000)

struct rig {
	char dir[UNIT_DIR];
	struct sm_root root;
	struct sm_tasktable procs;
};

struct rig_task {
	pid_t pid, tgid, ppid, pgrp; /* tgid 0: pid */
	const char *comm;
	const char *cmd;
	size_t cmd_len;
	int tty;
	uint32_t flags;
	uint64_t start_ticks;
	uint32_t uid, euid;
	char state;   /* 0: S */
	int threads;  /* 0: 1 */
};

#define RIG_CMD(literal) .cmd = (literal), .cmd_len = sizeof(literal) - 1

static inline void rig_file(
	const struct rig *r, pid_t pid, const char *name, const char *p, size_t n)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/%d/%s", r->dir, pid, name);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(p, 1, n, f), n);
	ck_assert_int_eq(fclose(f), 0);
}

/* Creates or updates the task. */
static inline void rig_task(const struct rig *r, struct rig_task t)
{
	char text[512];
	int n;

	snprintf(text, sizeof(text), "%s/proc/%d", r->dir, t.pid);
	(void)!mkdir(text, 0755);
	n = snprintf(text, sizeof(text),
		"%d (%s) %c %d %d %d %d -1 %u 0 0 0 0 1 1 0 0 20 0 %d 0 %llu 1 1 1 1 1 1 "
		"1 1 1 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		t.pid, t.comm, t.state ? t.state : 'S', t.ppid, t.pgrp, t.pgrp, t.tty,
		t.flags, t.threads ? t.threads : 1, (unsigned long long)t.start_ticks);
	rig_file(r, t.pid, "stat", text, (size_t)n);
	n = snprintf(text, sizeof(text), "%s\n", t.comm);
	rig_file(r, t.pid, "comm", text, (size_t)n);
	n = snprintf(text, sizeof(text),
		"Name:\t%s\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\nUid:\t%u\t%u\t%u\t%u\n"
		"Gid:\t0\t0\t0\t0\n",
		t.comm, t.tgid ? t.tgid : t.pid, t.pid, t.ppid, t.uid, t.euid, t.euid,
		t.euid);
	rig_file(r, t.pid, "status", text, (size_t)n);
	rig_file(r, t.pid, "cmdline", t.cmd ? t.cmd : "", t.cmd_len);
}

/* The threads of the task are these, which have no files of their own. */
static inline void rig_threads(const struct rig *r, pid_t pid, const pid_t *tid, int n)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/%d/task", r->dir, pid);
	(void)!mkdir(path, 0755);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/proc/%d/task/%d", r->dir, pid, tid[i]);
		(void)!mkdir(path, 0755);
	}
}

static inline void rig_thread_gone(const struct rig *r, pid_t pid, pid_t tid)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/%d/task/%d", r->dir, pid, tid);
	ck_assert_int_eq(rmdir(path), 0);
}

static inline void rig_gone(const struct rig *r, pid_t pid)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/%d", r->dir, pid);
	ck_assert_int_eq(unit_remove(path), 0);
}

static inline void rig_open(struct rig *r, size_t max_name_bytes, bool want_creds)
{
	char path[128];

	memset(r, 0, sizeof(*r));
	unit_mkdtemp(r->dir);
	snprintf(path, sizeof(path), "%s/proc", r->dir);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	ck_assert_int_eq(sm_root_open(&r->root, r->dir), 0);
	ck_assert_int_eq(
		sm_tasktable_init(&r->procs, &r->root, max_name_bytes, want_creds), 0);
	r->procs.boot_offset_ns = 0;
	r->procs.tick_ns = TICK_NS;
}

static inline void rig_close(struct rig *r)
{
	sm_tasktable_fini(&r->procs);
	sm_root_close(&r->root);
	ck_assert_int_eq(unit_remove(r->dir), 0);
}

/* The name of a task is these bytes (the literal's own NUL is the last one's). */
#define ck_name(p, literal)                                             \
	do {                                                            \
		const struct sm_task *p_ = (p);                         \
		ck_assert_ptr_nonnull(p_);                              \
		ck_assert_ptr_nonnull(p_->cmd);                         \
		ck_assert_uint_eq(p_->cmd->len, sizeof(literal));       \
		ck_assert_mem_eq(p_->cmd->s, literal, sizeof(literal)); \
	} while (0)

/* A command line as from an exec; bytes as above. */
#define rig_name(procs, literal) \
	sm_tasktable_intern(procs, literal, sizeof(literal), SM_NAME_EXEC)

static inline struct sm_proc_event ev_fork(
	uint64_t time_ns, pid_t pid, pid_t tgid, pid_t parent)
{
	return (struct sm_proc_event){.time_ns = time_ns,
		.what = SM_PROC_FORK,
		.pid = pid,
		.tgid = tgid,
		.ppid = parent,
		.ptgid = parent};
}

static inline struct sm_proc_event ev_exec(uint64_t time_ns, pid_t pid)
{
	return (struct sm_proc_event){
		.time_ns = time_ns, .what = SM_PROC_EXEC, .pid = pid, .tgid = pid};
}

static inline struct sm_proc_event ev_exit(
	uint64_t time_ns, pid_t pid, pid_t tgid, uint32_t code)
{
	return (struct sm_proc_event){.time_ns = time_ns,
		.what = (uint32_t)SM_PROC_EXIT,
		.pid = pid,
		.tgid = tgid,
		.exit_code = code};
}

#endif
