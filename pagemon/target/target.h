/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target: the process that is watched: what it is, which state it is in, and its open files.
 *
 * The target is held by a descriptor of the directory /proc/PID, which belongs to the process and not
 * to the number: files of it are opened below that descriptor, and after the process has been reaped
 * every opening and reading gives -ESRCH or -ENOENT, also when the number has been given to another
 * process.  The pidfd (pidfd_open(2), Linux 5.3) is for poll(2): it is readable as soon as the process
 * has exited. It is taken between opening the directory and reading stat through it, so it is of the
 * same process.
 *
 * target_open() opens, before the drop of privileges, all that is needed later:
 *
 *	maps pagemap smaps smaps_rollup mem     belong to the memory of the program that runs then: after exec
 *	                                        they have ended, and target_check() opens them again
 *	stat status oom_score clear_refs        belong to the process
 *
 * Frame numbers and swap offsets stay visible in a pagemap that was opened with CAP_SYS_ADMIN.
 * clear_refs is opened for writing, and nothing is ever written unless target_clear_dirty() is called.
 * mem is opened for reading only; it is read by peek alone.  Both are opened with the caller's own rights if
 * capabilities of the program's file or set-user-ID give more (cli/priv).
 *
 * Where the first thread has ended by pthread_exit(3), and others go on, the files of memory are opened
 * as those of another thread.
 *
 * The target is not traced, stopped, signalled or written to.
 */
#ifndef PAGEMON_TARGET_H
#define PAGEMON_TARGET_H

#include "base/buf.h"
#include "kernel/procpid.h"
#include "kernel/root.h"

struct opener;

enum target_state {
	TARGET_ALIVE,
	TARGET_EXECED,    /* another program, whose files are open: read the mappings anew.  Given once
			   * */
	TARGET_LOST,      /* alive, but the files of its new program cannot be opened: denied_file,
			   * denied_err */
	TARGET_ZOMBIE,    /* has exited, its parent has not waited for it */
	TARGET_EXITED,    /* has exited and is gone */
	TARGET_KTHREAD,   /* a kernel thread: there is no memory of its own */
	TARGET_DENIED,    /* at the start: a file that is needed may not be opened: denied_file,
			   * denied_err */
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
};

struct target {
	const struct sm_root *root;
	pid_t pid;
	int dir_fd;                  /* /proc/PID */
	int pid_fd;                  /* for POLLIN at exit; -1: --root, or before Linux 5.3 */
	int fd[TARGET_FILES];        /* -1: not open */
	int err[TARGET_FILES];       /* why: -errno; 0: open, or not wanted */
	unsigned int flags;          /* TARGET_NO_... */
	enum target_state state;
	enum target_file denied_file; /* of TARGET_DENIED and TARGET_LOST */
	int denied_err;
	struct sm_pidstat stat;      /* of the last target_open() or target_check(); comm is hostile
				      * bytes */
	uid_t uid;                   /* effective, of the last opening of the files */
	uint64_t execs;              /* seen so far */
	bool sees_frames;            /* pagemap shows frame numbers: opened with CAP_SYS_ADMIN */
	uint32_t number;             /* among those of the opener */
	struct opener *opener;       /* opens files with the rights of the start; NULL: this process
				      * does */
};

#define TARGET_INIT { .dir_fd = -1, .pid_fd = -1, \
	.fd = { -1, -1, -1, -1, -1, -1, -1, -1, -1 } }

/*
 * Opens the process.  The result is in t->state: TARGET_ALIVE, or what stands in its way: EXITED (no
 * such process), ZOMBIE, KTHREAD, DENIED.  -errno: an error of this process (-EMFILE, -ENOMEM ...),
 * with nothing open. target_close() is allowed in each case.
 */
int target_open(struct target *t, const struct sm_root *root, pid_t pid, unsigned int flags) SM_MUST;
void target_close(struct target *t);

/*
 * To be called when a read of maps, pagemap, smaps or mem gave -ESRCH or 0 bytes, or the pidfd is
 * readable. ALIVE: nothing has changed; the read met the target in between (try again at the next
 * refresh).
 */
enum target_state target_check(struct target *t) SM_MUST;
/* Is it over: no more reading makes sense? */
static inline bool target_over(enum target_state s)
{
	return s != TARGET_ALIVE && s != TARGET_EXECED;
}

/* The state in words, for a message: "process 17 has exited", "process 2 is a kernel thread and has no
 * memory of its own", "the pagemap of process 1: Operation not permitted; it needs CAP_SYS_PTRACE or
 * the same user".  Plain ASCII without a newline. */
void target_explain(const struct target *t, struct sm_buf *out);
/* The name of a file of /proc/PID. */
const char *target_file_name(enum target_file f);
/* Why a file is not open, in words as above. */
void target_explain_file(const struct target *t, enum target_file f, struct sm_buf *out);

/* Can this kernel tell which pages were written (CONFIG_MEM_SOFT_DIRTY)?  Asks with a page that the tool
 * writes; nothing is cleared.  1, 0, or -errno: it could not be found out. */
int target_dirty_supported(const struct sm_root *root) SM_MUST;
/* Writes "4" to clear_refs: clears the soft-dirty bits of all pages of the target, each of which costs
 * the target a page fault at its next write.  -EBADF: not open (t->err[TARGET_CLEAR_REFS] says why);
 * -ESRCH: see target_check(). */
int target_clear_dirty(struct target *t) SM_MUST;

#endif
