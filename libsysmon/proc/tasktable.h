/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tasktable: the tasks of the machine, maintained from events or read from /proc.
 *
 * A tool that receives fork, exec and exit events passes them in causal order.  A name then costs no system
 * call, because a child inherits its parent's name and an exec replaces it, and a reused PID cannot inherit
 * a stale name, because every fork creates a new entry.  A tool without events uses sm_tasktable_find(),
 * which reads /proc once.  After lost events (sm_tasktable_suspect()), an entry is used again only if the
 * start time in /proc/PID/stat is unchanged.
 *
 * Memory: one entry per live task, from a free list; names are interned (strpool.h).  A name of up to
 * SM_NAME_KEPT_BYTES is always stored, so the names of one user cannot displace the names of others.  A
 * longer name is not truncated while all names together are within the budget.  Threads have their own
 * entry (start time), which shares the name of their process.
 *
 * A process exits with its last thread.  The entry of its leader counts the other live threads: threads
 * that existed before the table are listed in /proc/PID/task, and events report later ones.  The clone
 * event of a listed thread is not counted again, and the exit event of a thread that is neither listed nor
 * cloned is ignored, so events that were sent while /proc was read do no harm.
 */
#ifndef SM_TASKTABLE_H
#define SM_TASKTABLE_H

#include <string.h>

#include "base/base.h"
#include "base/map.h"
#include "base/root.h"
#include "base/strpool.h"
#include "proc/procpid.h"

/* Source of a command line, in the low bits of an sm_poolstr's tag. */
enum sm_name_source {
	SM_NAME_NONE = 0, /* unknown */
	SM_NAME_EXEC,	  /* the new program's stack during the exec */
	SM_NAME_PROC,	  /* /proc/PID/cmdline, read later */
	SM_NAME_FILE,	  /* the file name given to execve(2); arguments are unknown */
	SM_NAME_COMM,	  /* no command line; comm is used instead */
	SM_NAME_SOURCE_MASK = 0xf,
	SM_NAME_TRUNCATED = 0x10, /* the name is truncated */
	SM_NAME_EMPTY = 0x20,	  /* with SM_NAME_FILE: the argument list is empty, or one empty argument */
};

/* Longest command line, in bytes; longer ones are truncated and have SM_NAME_TRUNCATED. */
#define SM_NAME_MAX_BYTES  (256u << 10)
#define SM_NAME_KEPT_BYTES 4096u

enum {
	SM_TASK_KTHREAD = 1,   /* PF_KTHREAD: the name is comm, shown in [ ] */
	SM_TASK_INHERITED = 2, /* no exec since the fork: the name is the parent's */
	SM_TASK_CREDS = 4,     /* uid and euid are valid */
	SM_TASK_DEAD = 8, /* has exited; kept because it is a group leader with threads */
	SM_TASK_KCHILD = 16, /* forked by kthreadd; comm is set later, without an event */
	SM_TASK_LISTED = 32, /* a thread whose IDs alone are known until its first event */
};

struct sm_task {
	pid_t pid, tgid;
	pid_t ppid;	   /* parent process; 0: unknown */
	pid_t pgrp;	   /* process group; 0: unknown */
	uint64_t start_ns; /* CLOCK_BOOTTIME, which includes suspend; 0: unknown */
	struct sm_poolstr *cmd; /* arguments, NUL after each; NULL: unknown */
	struct sm_poolstr
		*data; /* data of the tool; a child inherits it; NULL after a loss */
	char comm[SM_TASK_COMM_LEN];
	uid_t uid, euid;  /* valid with SM_TASK_CREDS */
	int tty_nr;	  /* as in /proc/PID/stat; 0: no terminal */
	uint32_t threads; /* leader: other live threads of the group that have an entry */
	uint32_t listing; /* thread: the last listing that contained it */
	uint32_t epoch;	  /* epoch of the last verification */
	uint16_t flags;	  /* SM_TASK_* */
	uint16_t user;	  /* bits of the tool; a child inherits them */
	bool unlisted;	  /* leader: live threads without an entry exist; set by the tool */
	/* leader: data of the tool about the exit of the process; not inherited, 0 after an
	 * exec */
	uint32_t exit_code, exit_bits;
	uint64_t exit_ns;
};

struct sm_task_slab;

struct sm_tasktable {
	const struct sm_root *root;
	struct sm_map map; /* pid -> struct sm_task */
	struct sm_strpool *names;
	size_t names_max_bytes; /* the budget */
	uint64_t names_lost;	/* names lost for lack of memory */
	struct sm_task *free;	/* free list through .cmd */
	struct sm_task_slab *slabs;
	char *scratch;	 /* SM_NAME_MAX_BYTES + 1 */
	bool want_creds; /* also read /proc/PID/status */
	uint32_t epoch;	 /* losses so far */
	size_t sweep_at; /* table size from which the next loss removes entries of exited tasks */
	uint32_t listings; /* listings of threads so far */
	bool recount;      /* events were lost since the last count of threads */
	uint64_t recounted_ns; /* time of the last count, CLOCK_MONOTONIC */
	int64_t boot_offset_ns; /* CLOCK_BOOTTIME - CLOCK_MONOTONIC of the events' stamps
				 */
	uint64_t tick_ns;	/* 1 / USER_HZ */
};

int sm_tasktable_init(struct sm_tasktable *t, const struct sm_root *root,
	size_t max_name_bytes, bool want_creds) SM_MUST;
void sm_tasktable_fini(struct sm_tasktable *t);
/* Enters most existing processes into an empty table with one system call (taskwalk.h), without pgrp,
 * terminal, credentials and command line.  The seed then reads the last two of them, and whatever is
 * missing.  After an error, such as lack of privileges, the seed reads everything. */
int sm_tasktable_walk(struct sm_tasktable *t) SM_MUST;
/* Reads all existing processes; returns the number of entries.  The caller that receives events has opened
 * their source before. */
ssize_t sm_tasktable_seed(struct sm_tasktable *t) SM_MUST;

/* True if the machine was suspended since the last call.  The caller calls it before it passes events, with
 * the current CLOCK_MONOTONIC. */
bool sm_tasktable_resumed(struct sm_tasktable *t, uint64_t mono_ns);

/* Returns the entry of a task, or NULL. */
struct sm_task *sm_tasktable_get(const struct sm_tasktable *t, pid_t pid);
/* Returns the entry of a task, or a new one that is read from /proc; if /proc does not show the task, it
 * has at most the name of its leader.  tgid 0: unknown, read from /proc.  NULL: no memory. */
struct sm_task *sm_tasktable_find(struct sm_tasktable *t, pid_t pid, pid_t tgid);

/* Returns the entry of the leader of p's process, as sm_tasktable_find() does. */
struct sm_task *sm_tasktable_leader(struct sm_tasktable *t, struct sm_task *p);

/* Creates an empty entry, which replaces an existing one.  NULL: no memory. */
struct sm_task *sm_tasktable_fresh(struct sm_tasktable *t, pid_t pid, pid_t tgid);

/* Takes a fork event.  An unknown parent is looked up first. */
struct sm_task *sm_tasktable_fork(struct sm_tasktable *t, pid_t pid, pid_t tgid,
	pid_t parent_tgid, uint64_t time_ns);
/* Takes an exec event and the reference to cmd (NULL: unknown) of any length.  file is the path of the
 * program, or empty; its last component becomes comm.  The other threads of the group are removed from the
 * table. */
void sm_tasktable_exec(struct sm_tasktable *t, struct sm_task *p, struct sm_poolstr *cmd,
	struct sm_str file);
/* Truncates the name if the budget requires it; the caller calls it after it has built the exec row. */
void sm_tasktable_keep(struct sm_tasktable *t, struct sm_task *p);
void sm_tasktable_comm(struct sm_task *p, const char *comm);
/* True if this task, which has exited, is the last one of its process. */
bool sm_tasktable_ends(const struct sm_tasktable *t, const struct sm_task *p);
/* Takes an exit event; the caller calls it after it has built the exit row. */
void sm_tasktable_exit(struct sm_tasktable *t, struct sm_task *p);
/* Notes that events were lost: each entry is verified with /proc at its next use. */
void sm_tasktable_suspect(struct sm_tasktable *t);
/* If events were lost, recounts the threads of all processes with several threads, at most every 100 ms.  The
 * caller calls it before it passes further events, with the current CLOCK_MONOTONIC. */
void sm_tasktable_recount(struct sm_tasktable *t, uint64_t mono_ns);

/* Reads /proc/PID/cmdline and returns a new reference.  If expect_len is not 0, only a command line of that
 * length is accepted.  NULL: no command line (exited task, zombie, kernel thread, another length). */
struct sm_poolstr *sm_tasktable_read_cmdline(
	struct sm_tasktable *t, pid_t pid, size_t expect_len);
/* Interns a command line, truncated to SM_NAME_MAX_BYTES.  The budget applies at sm_tasktable_keep().
 * NULL: no memory. */
struct sm_poolstr *sm_tasktable_intern(
	struct sm_tasktable *t, const char *p, size_t n, uint32_t tag);
/* Rereads comm, pgrp and terminal; false if the task has exited. */
bool sm_tasktable_refresh(struct sm_tasktable *t, struct sm_task *p);

/* Returns comm; p NULL: no text. */
static inline struct sm_str sm_tasktable_comm_of(const struct sm_task *p)
{
	return p ? (struct sm_str){p->comm, strnlen(p->comm, sizeof(p->comm))} : (struct sm_str){NULL, 0};
}

static inline enum sm_name_source sm_tasktable_source(const struct sm_task *p)
{
	if (p->cmd)
		return (enum sm_name_source)(p->cmd->tag & SM_NAME_SOURCE_MASK);
	return p->comm[0] ? SM_NAME_COMM : SM_NAME_NONE;
}

/* True if the argument list, or with SM_NAME_TRUNCATED its beginning, is known. */
static inline bool sm_tasktable_has_arguments(const struct sm_task *p)
{
	enum sm_name_source s = sm_tasktable_source(p);

	return s == SM_NAME_EXEC || s == SM_NAME_PROC;
}

#endif
