/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tasktable: the tasks of the machine, kept by events or filled from /proc.
 *
 * A tool that sees fork, exec and exit events feeds them in, in causal order; then a name
 * costs no system call (a child inherits its parent's, exec replaces it) and a reused pid
 * cannot inherit a stale one: every fork makes a fresh entry.  A tool without events uses
 * sm_tasktable_find(), which reads /proc once.  After lost events
 * (sm_tasktable_suspect()) an entry is used again only when the start time in
 * /proc/PID/stat is still the same.
 *
 * Memory: one entry per live task, from a free list; names are interned (strpool.h).  A
 * name of up to SM_NAME_KEPT_BYTES is always stored, so the names of one user cannot
 * displace those of others; a longer one stays whole while all names together are within
 * the budget. Threads have an entry of their own (start time) that shares the name of
 * their process.
 *
 * A process ends with its last thread.  The entry of its leader counts the other threads that
 * live: those that exist before the table are listed in /proc/PID/task, later ones come and go
 * by events.  A clone event of a listed thread is not counted twice, and the exit event of a thread
 * that is neither listed nor cloned changes nothing, so the events that were sent while /proc was
 * read do no harm.
 */
#ifndef SM_TASKTABLE_H
#define SM_TASKTABLE_H

#include "base/base.h"
#include "base/map.h"
#include "base/strpool.h"
#include "kernel/procpid.h"
#include "kernel/root.h"

/* Where a command line comes from; the low bits of an sm_poolstr's tag. */
enum sm_name_source {
	SM_NAME_NONE = 0, /* not known */
	SM_NAME_EXEC,	  /* the new program's stack at the instant of the exec */
	SM_NAME_PROC,	  /* /proc/PID/cmdline, read later */
	SM_NAME_FILE,	  /* the file name given to execve(2); arguments not known */
	SM_NAME_COMM,	  /* none: comm stands for it */
	SM_NAME_SOURCE_MASK = 0xf,
	SM_NAME_TRUNCATED = 0x10, /* there was more */
};

/* Longest command line, in bytes; beyond it SM_NAME_TRUNCATED is set. */
#define SM_NAME_MAX_BYTES  (256u << 10)
#define SM_NAME_KEPT_BYTES 4096u

enum {
	SM_TASK_KTHREAD = 1,   /* PF_KTHREAD: the name is comm, shown in [ ] */
	SM_TASK_INHERITED = 2, /* no exec since the fork: the name is the parent's */
	SM_TASK_CREDS = 4,     /* uid and euid are known */
	SM_TASK_DEAD = 8, /* exit seen; kept because it is a group leader with threads */
	SM_TASK_KCHILD = 16, /* forked by kthreadd: comm is set later, without an event */
	SM_TASK_LISTED = 32, /* a thread of which only the ids are known until its first event */
};

struct sm_task {
	pid_t pid, tgid;
	pid_t ppid;	   /* parent process, 0 = not known */
	pid_t pgrp;	   /* 0 = not known */
	uint64_t start_ns; /* CLOCK_BOOTTIME, which runs in a suspend; 0 = not known */
	struct sm_poolstr *cmd; /* arguments, NUL after each; NULL = not known */
	struct sm_poolstr
		*data; /* the tool's own; a child inherits it; NULL after a loss */
	char comm[SM_TASK_COMM_LEN];
	uid_t uid, euid;  /* valid with SM_TASK_CREDS */
	int tty_nr;	  /* as in /proc/PID/stat; 0 = none */
	uint32_t threads; /* leader: other live threads of the group that have an entry */
	uint32_t listing; /* thread: the last listing that had it */
	uint32_t epoch;	  /* of the last verification */
	uint16_t flags;	  /* SM_TASK_* */
	uint16_t user;	  /* the tool's own bits; a child inherits them */
	bool unlisted;	  /* leader: there are live ones without an entry; set by the tool */
	/* The tool's own, of a leader: what is known of its process's end; not inherited, 0
	 * after an exec. */
	uint32_t exit_code, exit_bits;
	uint64_t exit_ns;
};

struct sm_task_slab;

struct sm_tasktable {
	const struct sm_root *root;
	struct sm_map map; /* pid -> struct sm_task */
	struct sm_strpool *names;
	size_t names_max_bytes; /* the budget */
	uint64_t names_lost;	/* tasks whose name was cut, not readable, or without memory */
	struct sm_task *free;	/* free list through .cmd */
	struct sm_task_slab *slabs;
	char *scratch;	 /* SM_NAME_MAX_BYTES + 1, touched as far as used */
	bool want_creds; /* read /proc/PID/status too */
	uint32_t epoch;	 /* losses so far */
	size_t sweep_at; /* table size that makes the next loss sweep dead entries */
	uint32_t listings; /* of threads, so far */
	bool recount;      /* events were lost since the threads were counted */
	uint64_t recounted_ns; /* when that was; CLOCK_MONOTONIC */
	int64_t boot_offset_ns; /* CLOCK_BOOTTIME - CLOCK_MONOTONIC of the events' stamps
				 */
	uint64_t tick_ns;	/* 1 / USER_HZ */
};

int sm_tasktable_init(struct sm_tasktable *t, const struct sm_root *root,
	size_t max_name_bytes, bool want_creds) SM_MUST;
void sm_tasktable_fini(struct sm_tasktable *t);
/* Reads all existing processes; returns the number of entries. */
ssize_t sm_tasktable_seed(struct sm_tasktable *t) SM_MUST;

/* Before events are fed in, with the present CLOCK_MONOTONIC: was the machine suspended
 * since the last call? */
bool sm_tasktable_resumed(struct sm_tasktable *t, uint64_t mono_ns);

/* The entry of a task; NULL: none. */
struct sm_task *sm_tasktable_get(const struct sm_tasktable *t, pid_t pid);
/* As above, else from /proc, else an entry with no name.  tgid 0: not known, taken from
 * /proc.  NULL only without memory. */
struct sm_task *sm_tasktable_find(struct sm_tasktable *t, pid_t pid, pid_t tgid);

/* The entry of the leader of its process, looked up as above if there is none. */
struct sm_task *sm_tasktable_leader(struct sm_tasktable *t, struct sm_task *p);

/* An empty entry, which replaces an existing one; NULL only without memory. */
struct sm_task *sm_tasktable_fresh(struct sm_tasktable *t, pid_t pid, pid_t tgid);

/* Events.  A fork of an unknown parent looks the parent up first. */
struct sm_task *sm_tasktable_fork(struct sm_tasktable *t, pid_t pid, pid_t tgid,
	pid_t parent_tgid, uint64_t time_ns);
/* Takes over the reference to cmd (may be NULL: not known), whatever its length; file is
 * the exec'd path, whose last part becomes comm, or empty.  The other threads of the group leave
 * the table. */
void sm_tasktable_exec(struct sm_tasktable *t, struct sm_task *p, struct sm_poolstr *cmd,
	struct sm_str file);
/* After the exec row has been made: the name is cut to what the budget allows. */
void sm_tasktable_keep(struct sm_tasktable *t, struct sm_task *p);
void sm_tasktable_comm(struct sm_task *p, const char *comm);
/* Is this task, which has exited, the last one of its process? */
bool sm_tasktable_ends(const struct sm_tasktable *t, const struct sm_task *p);
/* After the exit row has been made. */
void sm_tasktable_exit(struct sm_tasktable *t, struct sm_task *p);
/* Events were lost: each entry is verified against /proc at its next use. */
void sm_tasktable_suspect(struct sm_tasktable *t);
/* Before further events are applied, with the present CLOCK_MONOTONIC: counts the threads of all
 * processes with several again if events were lost, at most every 100 ms. */
void sm_tasktable_recount(struct sm_tasktable *t, uint64_t mono_ns);

/* /proc/PID/cmdline now, as a new reference with the given expectation: when expect_len
 * is not 0 only a command line of that many bytes is taken.  NULL: none (exited, zombie,
 * kernel thread, no match). */
struct sm_poolstr *sm_tasktable_read_cmdline(
	struct sm_tasktable *t, pid_t pid, size_t expect_len);
/* Interns a command line, cut to SM_NAME_MAX_BYTES; not charged against the budget until
 * it is kept. NULL only without memory. */
struct sm_poolstr *sm_tasktable_intern(
	struct sm_tasktable *t, const char *p, size_t n, uint32_t tag);
/* Reads comm, pgrp and terminal again; false when the task has exited. */
bool sm_tasktable_refresh(struct sm_tasktable *t, struct sm_task *p);

static inline enum sm_name_source sm_tasktable_source(const struct sm_task *p)
{
	if (p->cmd)
		return (enum sm_name_source)(p->cmd->tag & SM_NAME_SOURCE_MASK);
	return p->comm[0] ? SM_NAME_COMM : SM_NAME_NONE;
}

#endif
