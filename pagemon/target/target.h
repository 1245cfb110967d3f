/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target: the monitored process: its identity, its state and its open files.
 *
 * The target is identified by a descriptor of the directory /proc/PID, which belongs to the process and not
 * to its number.  Its files are opened below that descriptor.  Once the process has been reaped, every
 * opening and reading returns -ESRCH or -ENOENT, even if another process has got the number.  The pidfd
 * (pidfd_open(2), Linux 5.3) is used with poll(2): it is readable as soon as the process has exited.  It is
 * opened between opening the directory and reading stat through it, so it refers to the same process.
 *
 * target_open() opens these files, before the drop of privileges:
 *
 *	maps pagemap smaps smaps_rollup mem     belong to the memory of the current program; after exec,
 *	                                        target_check() opens them again
 *	stat status oom_score clear_refs        belong to the process
 *
 * mem and clear_refs are opened only when they are first used, by the opener.
 *
 * Frame numbers and swap offsets remain visible in a pagemap that was opened with CAP_SYS_ADMIN.
 * clear_refs is opened for writing, but only target_clear_dirty() writes to it.  mem is opened for reading,
 * and only peek reads it.  Both are opened with the caller's own permissions if file capabilities or
 * set-user-ID give more (cli/priv).
 *
 * If the first thread has exited with pthread_exit(3) while others continue, the files of memory, status and
 * clear_refs belong to another thread.
 *
 * The target is not traced, stopped, signalled or written to.
 */
#ifndef PAGEMON_TARGET_H
#define PAGEMON_TARGET_H

#include "base/buf.h"
#include "base/root.h"
#include "proc/procpid.h"

struct opener;

enum target_state {
	TARGET_ALIVE,
	TARGET_EXECED,    /* another program, whose files are open: read the mappings again.  Returned once */
	TARGET_WAITING,   /* executing another program, whose files the opener has not returned yet: the files
			   * belong to the old program */
	TARGET_LOST,      /* alive, but a file of its new program cannot be opened: denied_file,
			   * denied_err */
	TARGET_ZOMBIE,    /* has exited, its parent has not reaped it */
	TARGET_EXITED,    /* has exited and was reaped */
	TARGET_KTHREAD,   /* a kernel thread, which has no memory of its own */
	TARGET_EMPTY,     /* without mappings: a directory that belongs to no process, or a process that is
			   * exiting */
	TARGET_DENIED,    /* at the start, a needed file cannot be opened: denied_file, denied_err */
};

enum target_file {
	TARGET_MAPS,       /* needed */
	TARGET_PAGEMAP,    /* needed */
	TARGET_SMAPS,      /* the others may be absent: fd -1 and the reason in err */
	TARGET_ROLLUP,
	TARGET_MEM,
	TARGET_STAT,       /* needed */
	TARGET_STATUS,
	TARGET_OOM_SCORE,
	TARGET_CLEAR_REFS,
	TARGET_FILES
};

enum {
	TARGET_NO_MEM = 1,   /* never open mem (no hex view) */
	TARGET_NO_CLEAR = 2, /* never open clear_refs */
	TARGET_USE_MEM = 4,  /* open mem at the start, not when it is first used */
	TARGET_USE_CLEAR = 8,
};

struct target {
	const struct sm_root *root;
	pid_t pid;
	int dir_fd;                  /* /proc/PID */
	int pid_fd;                  /* for POLLIN at exit; -1: --root, or before Linux 5.3 */
	int fd[TARGET_FILES];        /* -1: not open */
	int err[TARGET_FILES];       /* -errno of opening; 0: open, or not requested */
	unsigned int flags;          /* TARGET_NO_..., TARGET_USE_... */
	unsigned int used;           /* FILES_BIT()s of mem and clear_refs: used */
	enum target_state state;
	enum target_file denied_file; /* for TARGET_DENIED and TARGET_LOST */
	int denied_err;
	struct sm_pidstat stat;      /* of the last target_open(), target_check() or vmfacts_read();
				      * comm is hostile bytes */
	uid_t uid;                   /* effective user when the files were last opened */
	uint64_t caps;               /* effective capabilities and user at the last opening of files */
	uid_t opened_by;
	uint64_t execs;              /* number of execs so far; of a descendant, 0 means that its files have
				      * never been open */
	bool child;                  /* a descendant of COMMAND, which the opener opens by its PID */
	uint32_t number;             /* number of the target in the opener */
	uint64_t asked;              /* serial number of the request that is pending; 0: all were answered */
	unsigned int asked_set;      /* files of the request */
	struct opener *opener;       /* opens files with the privileges of the start; NULL: this process
				      * opens them */
};

#define TARGET_INIT { .dir_fd = -1, .pid_fd = -1, \
	.fd = { -1, -1, -1, -1, -1, -1, -1, -1, -1 } }

/*
 * Opens the process.  The result is in t->state: TARGET_ALIVE, EXITED (no such process), ZOMBIE, KTHREAD
 * or DENIED.  -errno: an error of this process (-EMFILE, -ENOMEM ...), with nothing open.  target_close()
 * is allowed in every case.
 */
int target_open(struct target *t, const struct sm_root *root, pid_t pid, unsigned int flags) SM_MUST;
void target_close(struct target *t);
/* Opens a descendant of COMMAND with the opener, or without it if it has ended.  Like target_open(), but the
 * state is TARGET_WAITING until the opener has answered, and then TARGET_EXECED once. */
int target_open_child(struct target *t, const struct sm_root *root, pid_t pid, unsigned int flags,
	struct opener *opener) SM_MUST;

/*
 * Updates the state.  Call this when a read of maps, pagemap, smaps or mem returned -ESRCH or 0 bytes, or
 * when the pidfd is readable.  ALIVE: nothing has changed; try to read again at the next refresh.
 */
enum target_state target_check(struct target *t) SM_MUST;
/* Returns whether the process can no longer be read. */
static inline bool target_over(enum target_state s)
{
	return s != TARGET_ALIVE && s != TARGET_EXECED && s != TARGET_WAITING;
}

/* Opens mem or clear_refs if it is not open.  -EINPROGRESS: the opener was asked, ask again later; -EBADF: it
 * is not open (the reason is in t->err). */
int target_need(struct target *t, enum target_file f) SM_MUST;
/* Opens status and clear_refs again, when the thread to which they belong has exited. */
void target_renew_thread(struct target *t);

/* Appends a message about the state, such as "process 17 has exited" or "the pagemap of process 1:
 * Permission denied; it needs CAP_DAC_READ_SEARCH or the same user".  Plain ASCII without a newline. */
void target_explain(const struct target *t, struct sm_buf *out);
/* Returns the name of a file in /proc/PID. */
const char *target_file_name(enum target_file f);
/* Appends a message with the reason why a file is not open. */
void target_explain_file(const struct target *t, enum target_file f, struct sm_buf *out);

/* Clears the soft-dirty bits of all pages of the target, by writing "4" to clear_refs.  The target's next
 * write to each page then causes a page fault.  -EBADF, -EINPROGRESS: see
 * target_need(); -ESRCH: see target_check(). */
int target_clear_dirty(struct target *t) SM_MUST;

#endif
