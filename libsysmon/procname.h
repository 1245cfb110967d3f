/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procname: who is pid N - a table of tasks that is kept by events or filled from /proc.
 *
 * A tool that sees fork, exec and exit events feeds them in, in causal order; then a name
 * costs no system call (a child inherits its parent's, exec replaces it) and a reused pid
 * cannot inherit a stale one: every fork makes a fresh entry.  A tool without events uses
 * sm_procs_find(), which reads /proc once.  After lost events (sm_procs_suspect()) an entry
 * is believed again only when the start time in /proc/PID/stat is still the same.
 *
 * Memory: one entry per live task, from a free list; names are interned (intern.h).
 * Threads have an entry of their own (start time) that shares the name of their process.
 */
#ifndef SM_PROCNAME_H
#define SM_PROCNAME_H

#include "base.h"
#include "hash.h"
#include "intern.h"
#include "procpid.h"
#include "root.h"

/* Where a command line comes from; the low bits of an sm_istr's tag. */
enum sm_name_source {
	SM_NAME_NONE = 0, /* not known */
	SM_NAME_EXEC,     /* the new program's stack at the instant of the exec */
	SM_NAME_PROC,     /* /proc/PID/cmdline, read later */
	SM_NAME_FILE,     /* the file name given to execve(2); arguments not known */
	SM_NAME_COMM,     /* the 15 bytes of comm only */
	SM_NAME_SOURCE_MASK = 0xf,
	SM_NAME_TRUNCATED = 0x10, /* there was more */
};

/* Longest command line kept, in bytes; beyond it SM_NAME_TRUNCATED is set. */
#define SM_NAME_MAX_BYTES (256u << 10)

enum {
	SM_TASK_KTHREAD = 1,   /* PF_KTHREAD: the name is comm, shown in [ ] */
	SM_TASK_INHERITED = 2, /* no exec since the fork: the name is the parent's */
	SM_TASK_CREDS = 4,     /* uid and euid are known */
	SM_TASK_DEAD = 8,      /* exit seen; kept because it is a group leader with threads */
	SM_TASK_KCHILD = 16,   /* forked by kthreadd: comm is set later, without an event */
};

struct sm_proc {
	pid_t pid, tgid;
	pid_t ppid;             /* parent process, 0 = not known */
	pid_t pgrp;             /* 0 = not known */
	uint64_t start_ns;      /* CLOCK_MONOTONIC; 0 = not known */
	struct sm_istr *cmd;    /* arguments, NUL after each; NULL = not known */
	char comm[SM_TASK_COMM_LEN];
	uid_t uid, euid;        /* valid with SM_TASK_CREDS */
	int tty_nr;             /* as in /proc/PID/stat; 0 = none */
	uint32_t threads;       /* leader: other live threads of the group */
	uint32_t epoch;         /* of the last verification */
	uint16_t flags;         /* SM_TASK_* */
	uint16_t user;          /* the tool's own bits; a child inherits them */
};

struct sm_proc_slab;

struct sm_procs {
	const struct sm_root *root;
	struct sm_map map;      /* pid -> struct sm_proc */
	struct sm_intern *names;
	struct sm_proc *free;   /* free list through .cmd */
	struct sm_proc_slab *slabs;
	char *scratch;          /* SM_NAME_MAX_BYTES + 1, touched as far as used */
	bool want_creds;        /* read /proc/PID/status too */
	uint32_t epoch;         /* losses so far */
	size_t sweep_at;        /* table size that makes the next loss sweep dead entries */
	int64_t boot_offset_ns; /* CLOCK_BOOTTIME - CLOCK_MONOTONIC */
	uint64_t tick_ns;       /* 1 / USER_HZ */
};

int sm_procs_init(struct sm_procs *t, const struct sm_root *root, size_t max_name_bytes,
	bool want_creds) SM_MUST;
void sm_procs_fini(struct sm_procs *t);
/* Reads all processes that live now; the number of them. */
ssize_t sm_procs_seed(struct sm_procs *t) SM_MUST;

/* What the table knows; NULL when nothing. */
struct sm_proc *sm_procs_get(const struct sm_procs *t, pid_t pid);
/* As above, else from /proc, else an entry with no name.  tgid 0: not known, taken from
 * /proc.  NULL only without memory. */
struct sm_proc *sm_procs_find(struct sm_procs *t, pid_t pid, pid_t tgid);

/* A fresh entry about which nothing is known, in place of what there was; NULL only without
 * memory. */
struct sm_proc *sm_procs_fresh(struct sm_procs *t, pid_t pid, pid_t tgid);

/* Events.  A fork of an unknown parent looks the parent up first. */
struct sm_proc *sm_procs_fork(struct sm_procs *t, pid_t pid, pid_t tgid, pid_t parent_tgid,
	uint64_t time_ns);
/* Takes over the reference to cmd (may be NULL: not known); file is the exec'd path or empty.
 * Threads of the group other than the leader are gone after it. */
void sm_procs_exec(struct sm_procs *t, struct sm_proc *p, struct sm_istr *cmd, struct sm_str file);
void sm_procs_comm(struct sm_proc *p, const char *comm);
/* After the exit row has been made. */
void sm_procs_exit(struct sm_procs *t, struct sm_proc *p);
/* Events were lost: nothing that is known is certain any more. */
void sm_procs_suspect(struct sm_procs *t);

/* /proc/PID/cmdline now, as a new reference with the given expectation: when expect_len is
 * not 0 only a command line of that many bytes is taken.  NULL: none (gone, zombie, kernel
 * thread, no match). */
struct sm_istr *sm_procs_read_cmdline(struct sm_procs *t, pid_t pid, size_t expect_len);
/* Interns a command line, cut to SM_NAME_MAX_BYTES or to what the budget allows. */
struct sm_istr *sm_procs_intern(struct sm_procs *t, const char *p, size_t n, uint32_t tag);
/* Reads comm, pgrp and terminal again; false when the task has gone. */
bool sm_procs_refresh(struct sm_procs *t, struct sm_proc *p);

static inline enum sm_name_source sm_name_source(const struct sm_istr *s)
{
	return s ? (enum sm_name_source)(s->tag & SM_NAME_SOURCE_MASK) : SM_NAME_NONE;
}

#endif
