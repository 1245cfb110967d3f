// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "cli/priv.h"
#include "proc/piddir.h"
#include "target/files.h"

const char *target_file_name(enum target_file f)
{
	static const char *const name[TARGET_FILES] = {
		[TARGET_MAPS] = "maps",
		[TARGET_PAGEMAP] = "pagemap",
		[TARGET_SMAPS] = "smaps",
		[TARGET_ROLLUP] = "smaps_rollup",
		[TARGET_MEM] = "mem",
		[TARGET_STAT] = "stat",
		[TARGET_STATUS] = "status",
		[TARGET_OOM_SCORE] = "oom_score",
		[TARGET_CLEAR_REFS] = "clear_refs",
	};

	return name[f];
}

bool files_need_own_right(enum target_file f)
{
	return f == TARGET_MEM || f == TARGET_CLEAR_REFS;
}

bool files_exclude(enum target_file f, unsigned int flags)
{
	return (f == TARGET_MEM && (flags & TARGET_NO_MEM)) ||
	       (f == TARGET_CLEAR_REFS && (flags & TARGET_NO_CLEAR));
}

/* Returns another thread if the leader has exited and so has no memory; otherwise 0. */
static pid_t memory_thread(const struct sm_root *root, int dir_fd)
{
	struct sm_pidstat st;

	if (sm_piddir_stat(root, dir_fd, &st) < 0 || !sm_procpid_leader_ended(&st))
		return 0;
	return sm_piddir_other_thread(root, dir_fd, st.pid);
}

struct opening {
	const struct sm_root *root;
	int dir_fd;
	enum target_file f;
	pid_t tid;
};

static int open_plainly(void *ctx)
{
	const struct opening *o = ctx;
	int flags = o->f == TARGET_CLEAR_REFS ? O_WRONLY : O_RDONLY;

	return sm_piddir_file(o->root, o->dir_fd,
		FILES_OF_THREAD & FILES_BIT(o->f) ? o->tid : 0, target_file_name(o->f),
		flags);
}

static int open_file(
	const struct sm_root *root, int dir_fd, enum target_file f, pid_t tid)
{
	struct opening o = {root, dir_fd, f, tid};

	return files_need_own_right(f) ? sm_priv_open_unraised(open_plainly, &o)
				       : open_plainly(&o);
}

void files_open(struct files *f, const struct sm_root *root, int dir_fd, unsigned int set,
	unsigned int flags)
{
	pid_t tid = memory_thread(root, dir_fd);

	for (enum target_file i = 0; i < TARGET_FILES; i++) {
		f->fd[i] = -1;
		f->err[i] = 0;
		if (!(set & FILES_BIT(i)) || files_exclude(i, flags))
			continue;
		f->fd[i] = open_file(root, dir_fd, i, tid);
		if (f->fd[i] < 0) {
			f->err[i] = f->fd[i];
			f->fd[i] = -1;
		}
	}
	f->caps = sm_priv_effective();
	f->uid = geteuid();
}

void files_take(struct target *t, const struct files *f, unsigned int set)
{
	for (enum target_file i = 0; i < TARGET_FILES; i++) {
		if (!(set & FILES_BIT(i)))
			continue;
		if (t->fd[i] >= 0)
			close(t->fd[i]);
		t->fd[i] = f->fd[i];
		t->err[i] = f->err[i];
	}
	t->caps = f->caps;
	t->opened_by = f->uid;
}

bool files_ended(int maps_fd)
{
	ssize_t n;
	char c;

	do
		n = pread(maps_fd, &c, 1, 0);
	while (n < 0 && errno == EINTR);
	return n == 0 || (n < 0 && errno == ESRCH);
}
