// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/file.h"
#include "base/parse.h"
#include "proc/piddir.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

#define STAT_CAP   2048u
#define STATUS_CAP 2048u /* Gid: is before the only long line */

int sm_piddir_open(const struct sm_root *root, pid_t pid)
{
	char name[16];

	snprintf(name, sizeof(name), "%d", (int)pid);
	return sm_at_open(root->proc, name, O_DIRECTORY);
}

/* True if root's /proc shows the PID namespace of this process. */
static bool own_pids(const struct sm_root *root)
{
	struct sm_pidstat st;
	char text[STAT_CAP];
	ssize_t n;

	if (!root->live || !root->real_proc)
		return false;
	n = sm_file_slurp(root->proc, "self/stat", text, sizeof(text));
	return n > 0 && sm_procpid_parse_stat(text, (size_t)n, &st) == 0 &&
	       st.pid == getpid();
}

int sm_piddir_pidfd(const struct sm_root *root, pid_t pid)
{
	int fd;

	if (!own_pids(root))
		return -ENOSYS;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	return fd < 0 ? -errno : fd;
}

int sm_piddir_file(
	const struct sm_root *root, int dir_fd, pid_t tid, const char *name, int flags)
{
	struct sm_at dir = sm_at_in(root->proc, dir_fd);
	char path[64];

	if (!tid)
		return sm_at_open(dir, name, flags);
	snprintf(path, sizeof(path), "task/%d/%s", (int)tid, name);
	return sm_at_open(dir, path, flags);
}

/* Returns -ESRCH for -ENOENT: a live process lacks a file only if it no longer exists. */
static int gone(ssize_t n)
{
	return n == -ENOENT ? -ESRCH : (int)n;
}

int sm_piddir_stat(const struct sm_root *root, int dir_fd, struct sm_pidstat *out)
{
	char text[STAT_CAP];
	ssize_t n =
		sm_file_slurp(sm_at_in(root->proc, dir_fd), "stat", text, sizeof(text));

	return n < 0 ? gone(n) : sm_procpid_parse_stat(text, (size_t)n, out);
}

int sm_piddir_cred(const struct sm_root *root, int dir_fd, struct sm_pidcred *out)
{
	char text[STATUS_CAP];
	ssize_t n =
		sm_file_slurp(sm_at_in(root->proc, dir_fd), "status", text, sizeof(text));

	return n < 0 ? gone(n) : sm_procpid_parse_cred(text, (size_t)n, out);
}

/* Returns whether the thread has memory: an exited one can remain for its tracer. */
static bool is_living(struct sm_at process, const char *tid)
{
	char path[64], text[STAT_CAP];
	struct sm_pidstat st;
	ssize_t n;

	snprintf(path, sizeof(path), "task/%s/stat", tid);
	n = sm_file_slurp(process, path, text, sizeof(text));
	return n > 0 && sm_procpid_parse_stat(text, (size_t)n, &st) == 0 &&
	       st.state != 'Z' && st.state != 'X';
}

pid_t sm_piddir_other_thread(const struct sm_root *root, int dir_fd, pid_t leader)
{
	struct sm_at process = sm_at_in(root->proc, dir_fd);
	_Alignas(8) char buf[4096];
	const char *name;
	struct sm_dir d;
	pid_t tid = 0;

	if (sm_dir_open(&d, process, "task", buf, sizeof(buf)) < 0)
		return 0;
	while (!tid && (name = sm_dir_next(&d)) != NULL) {
		uint64_t n;

		if (sm_parse_whole_u64((struct sm_str){name, strlen(name)}, &n) &&
			n <= INT_MAX && (pid_t)n != leader && is_living(process, name))
			tid = (pid_t)n;
	}
	sm_dir_close(&d);
	return tid;
}
