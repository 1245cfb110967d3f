// SPDX-License-Identifier: GPL-2.0-or-later
#include <fnmatch.h>
#include <string.h>

#include "filter.h"

/* Marks the children of marked ones; true when one was new. */
static bool spread(struct sm_procs *procs)
{
	const struct sm_proc *parent;
	struct sm_proc *p;
	bool news = false;

	for (size_t i = 0; (p = sm_map_next(&procs->map, &i));) {
		parent = sm_procs_get(procs, p->ppid);
		if (!(p->user & FS_USER_TREE) && parent &&
			(parent->user & FS_USER_TREE)) {
			p->user |= FS_USER_TREE;
			news = true;
		}
	}
	return news;
}

void filter_mark_tree(struct sm_procs *procs, const struct sm_opt_list *roots)
{
	struct sm_proc *p;

	for (unsigned int i = 0; i < roots->n; i++) {
		p = sm_procs_find(procs, (pid_t)roots->v[i], (pid_t)roots->v[i]);
		if (p)
			p->user |= FS_USER_TREE;
	}
	while (roots->n && spread(procs))
		;
}

struct sm_str fs_program(const struct sm_proc *p)
{
	const char *slash, *s;
	size_t n;

	if (!p->cmd)
		return (struct sm_str){p->comm, strnlen(p->comm, sizeof(p->comm))};
	s = p->cmd->s;
	n = strnlen(s, p->cmd->len);
	slash = memrchr(s, '/', n);
	if (slash && slash + 1 < s + n)
		return (struct sm_str){slash + 1, (size_t)(s + n - slash - 1)};
	return (struct sm_str){s, n};
}

static bool glob(const char *pattern, struct sm_str s)
{
	char name[256];
	size_t n = s.n < sizeof(name) ? s.n : sizeof(name) - 1;

	memcpy(name, s.p, n);
	name[n] = '\0';
	return fnmatch(pattern, name, 0) == 0;
}

static bool pid_match(const struct fs_opts *o, const struct fs_row *row)
{
	if (!o->pids.n)
		return true;
	return sm_opt_list_has(&o->pids, (uint32_t)row->p->pid) ||
	       sm_opt_list_has(&o->pids, (uint32_t)row->p->tgid) ||
	       (row->parent && sm_opt_list_has(&o->pids, (uint32_t)row->parent->pid));
}

static bool exit_match(const struct fs_opts *o, const struct fs_row *row)
{
	uint32_t code;

	if (row->kind != FS_EXIT)
		return true;
	code = row->ev->exit_code;
	if ((o->min_duration_ns &&
		    (!row->has_duration || row->duration_ns < o->min_duration_ns)) ||
		(o->max_duration_ns &&
			(!row->has_duration || row->duration_ns > o->max_duration_ns)))
		return false;
	switch (o->exit_filter) {
	case FS_EXIT_NONZERO:
		return code != 0;
	case FS_EXIT_ZERO:
		return code == 0;
	case FS_EXIT_SIGNAL:
		return fs_exit_signal(code) != 0;
	case FS_EXIT_CORE:
		return fs_exit_core(code);
	default:
		return true;
	}
}

bool filter_match(const struct fs_opts *o, const struct fs_row *row)
{
	if (!(o->events & FS_BIT(row->kind)))
		return false;
	if (row->kind == FS_LOST)
		return true;
	if (o->ppids.n && !(row->p->user & FS_USER_TREE))
		return false;
	if (o->pgrps.n && !sm_opt_list_has(&o->pgrps, (uint32_t)row->p->pgrp))
		return false;
	if (o->uids.n && !((row->p->flags & SM_TASK_CREDS) &&
				 (sm_opt_list_has(&o->uids, row->p->uid) ||
					 sm_opt_list_has(&o->uids, row->p->euid))))
		return false;
	if (!pid_match(o, row) || !exit_match(o, row))
		return false;
	if (o->name_glob && !glob(o->name_glob, fs_program(row->p)))
		return false;
	if (o->comm_glob &&
		!glob(o->comm_glob, (struct sm_str){row->p->comm, strlen(row->p->comm)}))
		return false;
	return true;
}
