// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/priv.h"
#include "kernel/pagemap.h"
#include "kernel/piddir.h"
#include "target/files.h"
#include "target/opener.h"

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
	t->pid_fd = t->opener ? -1 : sm_piddir_pidfd(t->root, pid);
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
	t->dir_fd = t->pid_fd = -1;
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
	if (t->state == TARGET_ALIVE || !no_such_process(t->denied_err))
		return;
	t->state = TARGET_EXITED;
	if (sm_piddir_stat(t->root, t->dir_fd, &t->stat) == 0 &&
		state_of(&t->stat) != TARGET_ALIVE)
		t->state = state_of(&t->stat);
}

/* Opens files with the privileges of the start. */
static int acquire(struct target *t, unsigned int set)
{
	struct files f;

	/* The opener opens a descendant by its PID, which identifies this process while
	 * it exists. */
	if (t->opener) {
		int err = opener_files(t->opener, t, set);

		return !err && t->number == OPENER_DESCENDANT
			       ? sm_piddir_stat(t->root, t->dir_fd, &t->stat)
			       : err;
	}
	files_open(&f, t->root, t->dir_fd, set, t->flags);
	files_take(t, &f, set);
	return 0;
}

int target_open(
	struct target *t, const struct sm_root *root, pid_t pid, unsigned int flags)
{
	return target_open_child(t, root, pid, flags, NULL);
}

int target_open_child(struct target *t, const struct sm_root *root, pid_t pid,
	unsigned int flags, struct opener *opener)
{
	int err;

	*t = (struct target)TARGET_INIT;
	t->root = root;
	t->flags = flags;
	t->opener = opener && opener->fd >= 0 ? opener : NULL;
	t->number = OPENER_DESCENDANT;
	err = open_leader(t, pid);
	if (!err) {
		t->state = state_of(&t->stat);
		if (t->state != TARGET_ALIVE)
			return 0;
		err = acquire(t, FILES_ALL);
	}
	if (no_such_process(err)) {
		t->state = TARGET_EXITED;
		return 0;
	}
	if (!err)
		settle(t);
	if (!err && t->state == TARGET_DENIED && is_exhausted(t->denied_err))
		err = t->denied_err;
	if (err)
		target_close(t);
	return err;
}

void target_close(struct target *t)
{
	for (enum target_file i = 0; i < TARGET_FILES; i++) {
		sm_base_close_fd(&t->fd[i]);
		t->fd[i] = -1;
	}
	close_process(t);
}

/* ---- exit and exec ---- */

static bool has_exited(const struct target *t)
{
	struct pollfd p = {.fd = t->pid_fd, .events = POLLIN};

	return t->pid_fd >= 0 && poll(&p, 1, 0) == 1;
}

/* The old memory no longer exists, but the process does: it has executed a program, or it
 * is exiting, in which case the new files are empty as well. */
static enum target_state follow_exec(struct target *t)
{
	struct sm_pidcred cred;
	enum target_state state;
	int err = acquire(t, FILES_OF_MEMORY);

	if (no_such_process(err))
		return TARGET_EXITED;
	if (err) {
		t->denied_file = TARGET_MAPS;
		t->denied_err = err;
		return TARGET_LOST;
	}
	if (sm_piddir_cred(t->root, t->dir_fd, &cred) == 0)
		t->uid = cred.euid;
	state = check_needed(t, TARGET_LOST);
	if (state == TARGET_LOST)
		return no_such_process(t->denied_err) ? TARGET_ALIVE : TARGET_LOST;
	if (files_ended(t->fd[TARGET_MAPS]))
		return TARGET_ALIVE;
	t->execs++;
	return TARGET_EXECED;
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
	if (err || !memory_ended(t))
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

/* ---- messages ---- */

static const char *needs(const struct target *t, enum target_file f)
{
	if (f == TARGET_CLEAR_REFS)
		return "CAP_DAC_OVERRIDE or the same user";
	if (t->uid != geteuid())
		return "CAP_SYS_PTRACE or the same user";
	return "CAP_SYS_PTRACE, because the process is not dumpable or has more "
	       "privileges";
}

static void explain_denial(
	const struct target *t, enum target_file f, int err, struct sm_buf *out)
{
	sm_buf_printf(out, "the %s of process %d: %s", target_file_name(f), (int)t->pid,
		strerror(-err));
	if (err != -EACCES && err != -EPERM)
		return;
	if (files_need_own_right(f) && sm_priv_raised())
		sm_buf_str(out, "; only the calling user's own permissions count");
	else
		sm_buf_printf(out, "; it needs %s", needs(t, f));
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
	int pid = (int)t->pid;

	switch (t->state) {
	case TARGET_ALIVE:
		sm_buf_printf(out, "process %d is running", pid);
		break;
	case TARGET_EXECED:
		sm_buf_printf(out, "process %d has executed another program", pid);
		break;
	case TARGET_LOST:
		sm_buf_printf(out, "process %d has executed another program: ", pid);
		explain_denial(t, t->denied_file, t->denied_err, out);
		break;
	case TARGET_ZOMBIE:
		sm_buf_printf(out,
			"process %d is a zombie: it has exited, but its parent has not "
			"reaped it",
			pid);
		break;
	case TARGET_EXITED:
		sm_buf_printf(out,
			t->dir_fd < 0 ? "process %d does not exist"
				      : "process %d has exited",
			pid);
		break;
	case TARGET_KTHREAD:
		sm_buf_printf(out,
			"process %d is a kernel thread and has no memory of its own",
			pid);
		break;
	case TARGET_DENIED:
		explain_denial(t, t->denied_file, t->denied_err, out);
		break;
	}
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
	int fd = t->fd[TARGET_CLEAR_REFS];

	return fd < 0 ? -EBADF : clear(fd);
}

/* Returns the page's soft-dirty bit, or -errno. */
static int is_dirty(int pagemap_fd, const volatile unsigned char *page)
{
	uint64_t entry, number = (uintptr_t)page / (uintptr_t)sysconf(_SC_PAGESIZE);
	ssize_t n =
		pread(pagemap_fd, &entry, sizeof(entry), (off_t)(number * sizeof(entry)));

	if (n != sizeof(entry))
		return n < 0 ? -errno : -EIO;
	return !!(entry & SM_PAGEMAP_SOFT_DIRTY);
}

/* If the kernel has the bits, a page that was just written is dirty. */
int target_dirty_supported(const struct sm_root *root)
{
	size_t n = (size_t)sysconf(_SC_PAGESIZE);
	SM_CLOSE_FD int pagemap_fd = sm_pagemap_open_self(root);
	unsigned char *page;
	int r;

	if (pagemap_fd < 0)
		return pagemap_fd;
	page = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return -errno;
	page[0] = 1;
	r = is_dirty(pagemap_fd, page);
	munmap(page, n);
	return r;
}
