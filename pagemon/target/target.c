// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/priv.h"
#include "proc/piddir.h"
#include "target/files.h"
#include "target/opener.h"

#define TRIES 3

static bool no_such_process(int err)
{
	return err == -ENOENT || err == -ESRCH;
}

/* Opens the directory, the pidfd and stat of a process, in this order: see the header.
 * Returns the PID of the process if `pid` is another thread, 0, or -errno. */
static int open_process(struct target *t, pid_t pid)
{
	struct sm_pidcred cred;
	int err;

	t->pid = pid;
	t->dir_fd = sm_piddir_open(t->root, pid);
	if (t->dir_fd < 0)
		return t->dir_fd;
	/* The sandbox refuses pidfd_open(2), so a descendant of COMMAND lacks it. */
	t->pid_fd = t->child ? -1 : sm_piddir_pidfd(t->root, pid);
	err = sm_piddir_cred(t->root, t->dir_fd, &cred);
	if (!err)
		err = sm_piddir_stat(t->root, t->dir_fd, &t->stat);
	if (err)
		return err;
	t->uid = cred.euid;
	return cred.tgid == pid ? 0 : cred.tgid;
}

static void close_process(struct target *t)
{
	sm_base_close_fd(&t->dir_fd);
	sm_base_close_fd(&t->pid_fd);
}

/* Opens a process by its PID or by the ID of one of its threads. */
static int open_leader(struct target *t, pid_t pid)
{
	int r = open_process(t, pid);

	if (r <= 0)
		return r;
	close_process(t);
	r = open_process(t, r);
	return r > 0 ? -ESRCH : r;
}

static const enum target_file needed[] = {TARGET_MAPS, TARGET_PAGEMAP, TARGET_STAT};

static enum target_state check_needed(struct target *t, enum target_state denied)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(needed); i++)
		if (t->fd[needed[i]] < 0) {
			t->denied_file = needed[i];
			t->denied_err = t->err[needed[i]];
			return denied;
		}
	return TARGET_ALIVE;
}

static enum target_state state_of(const struct sm_pidstat *st)
{
	if (st->flags & SM_PF_KTHREAD)
		return TARGET_KTHREAD;
	if (sm_procpid_leader_ended(st))
		return TARGET_ALIVE;
	return st->state == 'Z' || st->state == 'X' ? TARGET_ZOMBIE : TARGET_ALIVE;
}

static bool is_exhausted(int err)
{
	return err == -EMFILE || err == -ENFILE || err == -ENOMEM;
}

/* Sets the state.  Files that cannot be opened because the process is exiting are not
 * denied. */
static void settle(struct target *t)
{
	t->state = check_needed(t, TARGET_DENIED);
	if (t->state == TARGET_ALIVE && !files_ended(t->fd[TARGET_MAPS]))
		return;
	if (t->state == TARGET_DENIED && !no_such_process(t->denied_err))
		return;
	t->state = t->state == TARGET_ALIVE ? TARGET_EMPTY : TARGET_EXITED;
	if (sm_piddir_stat(t->root, t->dir_fd, &t->stat) == 0 &&
		state_of(&t->stat) != TARGET_ALIVE)
		t->state = state_of(&t->stat);
}

/* Opens files, or requests them from the opener.  If the opener has ended, this process
 * opens them with its own permissions. */
static void acquire(struct target *t, unsigned int set)
{
	struct files f;

	t->asked = 0;
	if (t->opener && opener_ask(t->opener, t, set) == 0)
		return;
	files_open(&f, t->root, t->dir_fd, set, t->flags);
	files_take(t, &f, set);
}

/* Examines the files of a new program, or of a process that is exiting, which are empty
 * as well. */
static enum target_state judge(struct target *t)
{
	bool first = t->child && !t->execs;
	struct sm_pidcred cred;
	enum target_state state;

	/* The opener opens a descendant by its PID, which identifies this process only
	 * while it exists. */
	if (t->child && no_such_process(sm_piddir_stat(t->root, t->dir_fd, &t->stat)))
		return TARGET_EXITED;
	if (sm_piddir_cred(t->root, t->dir_fd, &cred) == 0)
		t->uid = cred.euid;
	state = check_needed(t, first ? TARGET_DENIED : TARGET_LOST);
	if (state != TARGET_ALIVE && !no_such_process(t->denied_err))
		return state;
	if (state != TARGET_ALIVE || files_ended(t->fd[TARGET_MAPS]))
		return first ? TARGET_EMPTY : TARGET_ALIVE;
	t->execs++;
	return TARGET_EXECED;
}

/* Opens the process, without files.  Returns 0 or -errno, with the result in t->state. */
static int begin(struct target *t, const struct sm_root *root, pid_t pid,
	unsigned int flags, bool child)
{
	int err;

	*t = (struct target)TARGET_INIT;
	t->root = root;
	t->flags = flags;
	t->child = child;
	t->used = flags & TARGET_USE_MEM ? FILES_BIT(TARGET_MEM) : 0;
	if (flags & TARGET_USE_CLEAR)
		t->used |= FILES_BIT(TARGET_CLEAR_REFS);
	err = open_leader(t, pid);
	if (err && !no_such_process(err)) {
		target_close(t);
		return err;
	}
	t->state = err ? TARGET_EXITED : state_of(&t->stat);
	return 0;
}

int target_open(
	struct target *t, const struct sm_root *root, pid_t pid, unsigned int flags)
{
	int err = begin(t, root, pid, flags, false);

	if (err || t->state != TARGET_ALIVE)
		return err;
	/* A program that is executed in between leaves empty files. */
	for (int i = 0; i < TRIES && (i == 0 || t->state == TARGET_EMPTY); i++) {
		acquire(t, FILES_AT_START | t->used);
		settle(t);
	}
	if (t->state == TARGET_DENIED && is_exhausted(t->denied_err)) {
		err = t->denied_err;
		target_close(t);
	}
	return err;
}

int target_open_child(struct target *t, const struct sm_root *root, pid_t pid,
	unsigned int flags, struct opener *opener)
{
	int err = begin(t, root, pid, flags, true);

	if (err || t->state != TARGET_ALIVE)
		return err;
	err = opener->fd < 0 ? 0 : opener_add(opener, t);
	if (err) {
		target_close(t);
		return err;
	}
	acquire(t, FILES_AT_START | t->used);
	t->state = t->asked ? TARGET_WAITING : judge(t);
	return 0;
}

void target_close(struct target *t)
{
	if (t->child && t->opener)
		opener_forget(t->opener, t);
	for (enum target_file i = 0; i < TARGET_FILES; i++)
		sm_base_close_fd(&t->fd[i]);
	close_process(t);
}

/* ---- exit and exec ---- */

static bool has_exited(const struct target *t)
{
	struct pollfd p = {.fd = t->pid_fd, .events = POLLIN};

	return t->pid_fd >= 0 && poll(&p, 1, 0) == 1;
}

/* The old memory no longer exists, but the process does: it has executed a program, or it
 * is exiting. */
static enum target_state follow_exec(struct target *t)
{
	if (t->state == TARGET_WAITING)
		(void)!opener_receive(t->opener);
	else
		acquire(t, FILES_OF_PROGRAM | (t->used & FILES_BIT(TARGET_MEM)));
	return t->asked ? TARGET_WAITING : judge(t);
}

static bool memory_ended(const struct target *t)
{
	return t->fd[TARGET_MAPS] < 0 || t->fd[TARGET_PAGEMAP] < 0 ||
	       files_ended(t->fd[TARGET_MAPS]);
}

static enum target_state examine(struct target *t)
{
	int err = sm_piddir_stat(t->root, t->dir_fd, &t->stat);
	bool exited = has_exited(t);

	if (no_such_process(err))
		return TARGET_EXITED;
	if (exited)
		return TARGET_ZOMBIE;
	if (t->state != TARGET_WAITING && (err || !memory_ended(t)))
		return TARGET_ALIVE;
	if (state_of(&t->stat) == TARGET_ZOMBIE)
		return TARGET_ZOMBIE;
	return follow_exec(t);
}

enum target_state target_check(struct target *t)
{
	if (t->dir_fd < 0 || (target_over(t->state) && t->state != TARGET_ZOMBIE))
		return t->state;
	t->state = examine(t);
	return t->state;
}

/* ---- files that are opened when they are first used ---- */

int target_need(struct target *t, enum target_file f)
{
	t->used |= FILES_BIT(f);
	if (t->fd[f] >= 0)
		return 0;
	if (t->err[f] || files_exclude(f, t->flags) || target_over(t->state))
		return -EBADF;
	if (!t->asked)
		acquire(t, FILES_BIT(f));
	if (t->asked)
		return -EINPROGRESS;
	return t->fd[f] < 0 ? -EBADF : 0;
}

void target_renew_thread(struct target *t)
{
	if (!t->asked && !target_over(t->state))
		acquire(t, FILES_BIT(TARGET_STATUS) |
				   (t->used & FILES_BIT(TARGET_CLEAR_REFS)));
}

/* ---- messages ---- */

static bool has(const struct target *t, unsigned int cap)
{
	return t->caps >> cap & 1;
}

/* Returns the permission that was missing at the opening, by the kernel's rules:
 * ptrace(2) for the files of memory, and the modes 0200 of clear_refs, 0400 of pagemap
 * and 0600 of mem.  The files of a process that is not dumpable belong to root. */
static const char *lacks(const struct target *t, enum target_file f)
{
	bool own = t->uid == t->opened_by;

	if (f == TARGET_CLEAR_REFS && !has(t, CAP_DAC_OVERRIDE))
		return own ? "CAP_DAC_OVERRIDE, because the process is not dumpable"
			   : "CAP_DAC_OVERRIDE or the same user";
	if (f != TARGET_CLEAR_REFS && !has(t, CAP_SYS_PTRACE)) {
		if (!own)
			return "CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH, or the same user";
		return t->fd[TARGET_PAGEMAP] >= 0
			       ? "CAP_SYS_PTRACE, because a security module such as Yama "
				 "refuses it"
			       : "CAP_SYS_PTRACE, because the process is not dumpable or "
				 "has more privileges";
	}
	if (!own && !has(t, CAP_DAC_OVERRIDE) && !has(t, CAP_DAC_READ_SEARCH))
		return "CAP_DAC_READ_SEARCH or the same user";
	return "CAP_SYS_PTRACE in the user namespace of the process, or a security "
	       "module "
	       "refuses it";
}

static void explain_denial(
	const struct target *t, enum target_file f, int err, struct sm_buf *out)
{
	sm_buf_printf(out, "the %s of process %d: %s", target_file_name(f), (int)t->pid,
		strerror(-err));
	if (err != -EACCES && err != -EPERM)
		return;
	if (t->opener && t->opener->fd < 0)
		sm_buf_str(out, "; the process that keeps the privileges has ended");
	else if (files_need_own_right(f) && sm_priv_raised())
		sm_buf_str(out, "; only the calling user's own permissions count");
	else
		sm_buf_printf(out, "; it needs %s", lacks(t, f));
}

void target_explain_file(const struct target *t, enum target_file f, struct sm_buf *out)
{
	if (t->err[f])
		explain_denial(t, f, t->err[f], out);
	else if (t->fd[f] < 0)
		sm_buf_printf(out, "the %s of process %d is not opened in this run",
			target_file_name(f), (int)t->pid);
}

void target_explain(const struct target *t, struct sm_buf *out)
{
	static const char *const text[] = {
		[TARGET_ALIVE] = "is running",
		[TARGET_EXECED] = "has executed another program",
		[TARGET_WAITING] = "is executing another program",
		[TARGET_LOST] = "has executed another program: ",
		[TARGET_ZOMBIE] =
			"is a zombie: it has exited, but its parent has not reaped it",
		[TARGET_EXITED] = "has exited",
		[TARGET_KTHREAD] = "is a kernel thread and has no memory of its own",
		[TARGET_EMPTY] = "has no mappings",
	};
	bool unknown = t->state == TARGET_EXITED && t->dir_fd < 0;

	if (t->state != TARGET_DENIED)
		sm_buf_printf(out, "process %d %s", (int)t->pid,
			unknown ? "does not exist" : text[t->state]);
	if (t->state == TARGET_LOST || t->state == TARGET_DENIED)
		explain_denial(t, t->denied_file, t->denied_err, out);
}

/* ---- soft-dirty ---- */

static int clear(int fd)
{
	ssize_t n;

	do
		n = pwrite(fd, "4", 1, 0);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

int target_clear_dirty(struct target *t)
{
	int err = target_need(t, TARGET_CLEAR_REFS);

	return err ? err : clear(t->fd[TARGET_CLEAR_REFS]);
}
