// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "facts.h"
#include "filter.h"
#include "kernel/cgroup.h"
#include "kernel/taskname.h"

/* Marks the children of marked tasks.  Returns true if a task was newly marked. */
static bool spread(struct sm_tasktable *procs)
{
	const struct sm_task *parent;
	struct sm_task *p;
	bool news = false;

	for (size_t i = 0; (p = sm_map_next(&procs->map, &i));) {
		parent = sm_tasktable_get(procs, p->ppid);
		if (!(p->user & TASK_IN_TREE) && parent &&
			(parent->user & TASK_IN_TREE)) {
			p->user |= TASK_IN_TREE;
			news = true;
		}
	}
	return news;
}

void filter_mark_tree(struct sm_tasktable *procs, const struct sm_opt_list *roots)
{
	struct sm_task *p;

	for (unsigned int i = 0; i < roots->n; i++) {
		p = sm_tasktable_find(procs, (pid_t)roots->v[i], (pid_t)roots->v[i]);
		if (p)
			p->user |= TASK_IN_TREE;
	}
	while (roots->n && spread(procs))
		;
}

static struct sm_str comm_of(const struct sm_task *p)
{
	return (struct sm_str){p->comm, strnlen(p->comm, sizeof(p->comm))};
}

struct sm_str filter_program(const struct sm_task *p)
{
	if (!p->cmd)
		return comm_of(p);
	return sm_taskname_program((struct sm_str){p->cmd->s, p->cmd->len});
}

static bool pid_match(const struct opts *o, const struct row *row)
{
	if (!o->pids.n)
		return true;
	return sm_opt_list_has(&o->pids, (uint32_t)row->p->pid) ||
	       sm_opt_list_has(&o->pids, (uint32_t)row->p->tgid) ||
	       (row->parent && sm_opt_list_has(&o->pids, (uint32_t)row->parent->pid));
}

static bool duration_match(const struct opts *o, const struct row *row)
{
	if (!o->min_duration_ns && !o->max_duration_ns)
		return true;
	if (!row->exit.process_end || !row->has_duration)
		return false;
	return row->duration_ns >= o->min_duration_ns &&
	       (!o->max_duration_ns || row->duration_ns <= o->max_duration_ns);
}

static bool status_match(const struct opts *o, uint32_t code)
{
	switch (o->exit_filter) {
	case EXIT_NONZERO:
		return code != 0;
	case EXIT_ZERO:
		return code == 0;
	case EXIT_SIGNAL:
		return row_exit_signal(code) != 0;
	case EXIT_CORE:
		return row_exit_core(code);
	case EXIT_STATUS:
		return row_exit_shell(code) == o->exit_status;
	default:
		return true;
	}
}

/* Filters on exits select processes, so they exclude the exits of threads. */
static enum filter_answer exit_match(const struct opts *o, const struct row *row)
{
	if (row->kind != EVENT_EXIT || !o->exit_filter)
		return FILTER_YES;
	if (!row->exit.process_end)
		return FILTER_NO;
	if (!row->exit.known)
		return FILTER_LACKS_STATUS;
	return status_match(o, row->exit.code) ? FILTER_YES : FILTER_NO;
}

/* Returns the base name of the program; for a failed exec, of the file. */
static struct sm_str program_of(const struct row *row)
{
	if (!row->error)
		return filter_program(row->p);
	if (!row->file)
		return (struct sm_str){0};
	return sm_taskname_program((struct sm_str){row->file->s, row->file->len});
}

/* Tests all conditions except the exit status and the cgroup. */
static bool task_match(const struct opts *o, const struct row *row)
{
	if (o->ppids.n && !(row->p->user & TASK_IN_TREE))
		return false;
	if (o->pgrps.n && !sm_opt_list_has(&o->pgrps, (uint32_t)row->p->pgrp))
		return false;
	if (o->uids.n && !((row->p->flags & SM_TASK_CREDS) &&
				 (sm_opt_list_has(&o->uids, row->p->uid) ||
					 sm_opt_list_has(&o->uids, row->p->euid))))
		return false;
	if (!pid_match(o, row))
		return false;
	if (row->kind == EVENT_EXIT && !duration_match(o, row))
		return false;
	if (o->name_glob && !sm_taskname_match(o->name_glob, program_of(row)))
		return false;
	if (o->comm_glob && !sm_taskname_match(o->comm_glob, comm_of(row->p)))
		return false;
	return true;
}

static enum filter_answer cgroup_match(const struct opts *o, const struct row *row)
{
	struct sm_str group;

	if (!o->cgroup)
		return FILTER_YES;
	if (!facts_get(row->p, FACT_CGROUP, &group))
		return FILTER_LACKS_FACTS;
	return sm_cgroup_below(o->cgroup, group) ? FILTER_YES : FILTER_NO;
}

enum filter_answer filter_match(const struct opts *o, const struct row *row)
{
	enum filter_answer exit, cgroup;

	if (!(o->events & EVENT_BIT(row->kind)))
		return FILTER_NO;
	if (row->kind == EVENT_LOST)
		return FILTER_YES;
	if (!task_match(o, row))
		return FILTER_NO;
	exit = exit_match(o, row);
	cgroup = cgroup_match(o, row);
	if (exit == FILTER_NO || cgroup == FILTER_NO)
		return FILTER_NO;
	return exit == FILTER_YES ? cgroup : exit;
}
