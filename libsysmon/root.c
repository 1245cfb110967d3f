// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include "root.h"

static int open_dir(int dirfd, const char *path)
{
	int fd = openat(dirfd, path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static bool is_procfs(int fd)
{
	struct statfs st;

	return fd >= 0 && fstatfs(fd, &st) == 0 && st.f_type == PROC_SUPER_MAGIC;
}

int sm_root_open(struct sm_root *r, const char *prefix)
{
	bool live = !prefix || !*prefix;
	SM_CLOSE_FD int top = -1;
	int proc, sys;

	*r = (struct sm_root)SM_ROOT_INIT;
	top = open_dir(AT_FDCWD, live ? "/" : prefix);
	if (top < 0)
		return top;
	proc = open_dir(top, "proc");
	sys = open_dir(top, "sys");
	if (proc < 0 && sys < 0)
		return proc;
	r->proc_fd = proc < 0 ? -1 : proc;
	r->sys_fd = sys < 0 ? -1 : sys;
	r->live = live;
	r->real_proc = is_procfs(proc);
	return 0;
}

void sm_root_close(struct sm_root *r)
{
	sm_close_fd(&r->proc_fd);
	sm_close_fd(&r->sys_fd);
	*r = (struct sm_root)SM_ROOT_INIT;
}
