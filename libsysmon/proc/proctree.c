// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "proc/piddir.h"
#include "proc/proctree.h"

/* Longest chain of parents. */
#define GENERATIONS 1024

struct reading {
	struct sm_proctree *tree;
	const struct sm_root *root;
};

static int add(void *ctx, pid_t pid)
{
	struct reading *r = ctx;
	struct sm_proctree *t = r->tree;
	struct sm_pidstat st;

	if (sm_procpid_read_stat(r->root, pid, &st) < 0 ||
		(st.state == 'Z' && !sm_procpid_leader_ended(&st)))
		return 0;
	if (sm_array_reserve(&t->tasks, &t->cap, t->n + 1, sizeof(*t->tasks)) < 0)
		return -ENOMEM;
	t->tasks[t->n++] = (struct sm_proctree_task){pid, st.ppid};
	return 0;
}

static int by_pid(const void *a, const void *b)
{
	const struct sm_proctree_task *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

int sm_proctree_read(struct sm_proctree *t, const struct sm_root *root)
{
	struct reading r = {t, root};
	int err;

	t->n = 0;
	err = sm_procpid_scan(root, add, &r);
	if (t->n)
		qsort(t->tasks, t->n, sizeof(*t->tasks), by_pid);
	return err;
}

void sm_proctree_fini(struct sm_proctree *t)
{
	free(t->tasks);
}

static bool is_top(const struct sm_proctree_root *of, pid_t pid)
{
	return pid == of->command || pid == of->tool;
}

bool sm_proctree_has(
	const struct sm_proctree *t, size_t i, const struct sm_proctree_root *of)
{
	const struct sm_proctree_task *task = &t->tasks[i];

	if (is_top(of, task->pid))
		return false;
	for (unsigned int n = 0; task && n < GENERATIONS; n++) {
		struct sm_proctree_task parent = {.pid = task->ppid};

		if (is_top(of, parent.pid))
			return true;
		task = bsearch(&parent, t->tasks, t->n, sizeof(parent), by_pid);
	}
	return false;
}

/* Returns the parent of the process, or 0. */
static pid_t parent_of(const struct sm_root *root, int dir_fd)
{
	struct sm_pidstat st;

	return sm_piddir_stat(root, dir_fd, &st) < 0 ? 0 : st.ppid;
}

/* Returns whether the process of this directory descends from COMMAND.  Closes dir_fd. */
static bool descends(
	const struct sm_root *root, int dir_fd, const struct sm_proctree_root *of)
{
	bool found = false;

	for (unsigned int n = 0; dir_fd >= 0 && !found && n < GENERATIONS; n++) {
		pid_t ppid = parent_of(root, dir_fd);
		int up = ppid > 0 ? sm_piddir_open(root, ppid) : -ESRCH;
		bool same = up >= 0 && parent_of(root, dir_fd) == ppid;

		close(dir_fd);
		found = same && is_top(of, ppid);
		if (!same)
			sm_base_close_fd(&up);
		dir_fd = same ? up : -1;
	}
	sm_base_close_fd(&dir_fd);
	return found;
}

int sm_proctree_open(
	const struct sm_root *root, pid_t pid, const struct sm_proctree_root *of)
{
	int dir_fd = sm_piddir_open(root, pid);

	if (dir_fd < 0 || pid == of->command)
		return dir_fd;
	if (pid != of->tool && descends(root, dup(dir_fd), of))
		return dir_fd;
	close(dir_fd);
	return -EPERM;
}
