// SPDX-License-Identifier: GPL-2.0-or-later
#include <fnmatch.h>
#include <string.h>

#include "facts.h"
#include "filter.h"
#include "proc/cgroup.h"
#include "proc/taskname.h"

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

static bool pid_match(const struct opts *o, const struct row *row)
{
	return sm_opt_list_selects(
		       &o->pids, (uint32_t)row->p->pid, (uint32_t)row->p->tgid) ||
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

/* Compares the base name of argv[0] and the name in the statistics, which is the name of
 * the file for a script; for a failed exec, only the name of the file. */
static bool name_match(const char *glob, const struct row *row)
{
	struct sm_str cmd = sm_strpool_str(row->error ? row->file : row->p->cmd);
	struct sm_str comm = sm_tasktable_comm_of(row->p);

	if (!row->error && !row->p->cmd)
		return sm_taskname_match(glob, comm);
	return sm_taskname_match(glob, sm_taskname_program(cmd)) ||
	       (!row->error && sm_taskname_match(glob, sm_taskname_script(cmd, comm)));
}

/* Tests all conditions that can always be decided. */
static bool task_match(const struct opts *o, const struct row *row)
{
	if (o->ppids.n && !(row->p->user & TASK_IN_TREE))
		return false;
	if (o->pgrps.n && !sm_opt_list_has(&o->pgrps, (uint32_t)row->p->pgrp))
		return false;
	if (o->uids.n &&
		!((row->p->flags & SM_TASK_CREDS) &&
			sm_opt_list_selects(&o->uids, row->p->uid, row->p->euid)))
		return false;
	return pid_match(o, row) && (row->kind != EVENT_EXIT || duration_match(o, row)) &&
	       (!o->name_glob || name_match(o->name_glob, row)) &&
	       (!o->comm_glob ||
		       sm_taskname_match(o->comm_glob, sm_tasktable_comm_of(row->p)));
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

/* Returns the arguments, joined by spaces, until the next call. */
static const char *joined(struct sm_str args)
{
	static char text[SM_NAME_MAX_BYTES + 1];

	args.n -= args.n && !args.p[args.n - 1];
	for (size_t i = 0; i < args.n; i++)
		text[i] = args.p[i] ? args.p[i] : ' ';
	text[args.n] = '\0';
	return text;
}

/* Does the pattern end with a '*' that is not escaped?  Then text that begins with a
 * match also matches. */
static bool is_open_ended(const char *glob)
{
	size_t at = strlen(glob), escapes = 0;

	if (!at-- || glob[at] != '*')
		return false;
	while (escapes < at && glob[at - escapes - 1] == '\\')
		escapes++;
	return escapes % 2 == 0;
}

/* Do the first characters of the pattern exclude all texts that begin with this one? */
static bool begins_otherwise(const char *glob, const char *text)
{
	size_t n = strcspn(glob, "*?[\\"), len = strlen(text);

	return memcmp(glob, text, n < len ? n : len) != 0;
}

static enum filter_answer args_match(const struct opts *o, const struct row *row)
{
	const struct sm_task *p = row->p;
	uint32_t tag = p->cmd ? p->cmd->tag : 0;
	bool empty = (p->flags & SM_TASK_KTHREAD) || (tag & SM_NAME_EMPTY), match;
	const char *text;

	if (!o->args_glob)
		return FILTER_YES;
	if (!empty && !sm_tasktable_has_arguments(p))
		return FILTER_LACKS_ARGUMENTS;
	text = joined(sm_strpool_str(empty ? NULL : p->cmd));
	match = fnmatch(o->args_glob, text, 0) == 0;
	if (!(tag & SM_NAME_TRUNCATED) || (match && is_open_ended(o->args_glob)))
		return match ? FILTER_YES : FILTER_NO;
	return begins_otherwise(o->args_glob, text) ? FILTER_NO : FILTER_LACKS_ARGUMENTS;
}

enum filter_answer filter_match(const struct opts *o, const struct row *row)
{
	enum filter_answer answer = FILTER_YES, undecided[3];

	if (!(o->events & EVENT_BIT(row->kind)))
		return FILTER_NO;
	if (row->kind == EVENT_LOST)
		return FILTER_YES;
	if (!task_match(o, row))
		return FILTER_NO;
	undecided[0] = exit_match(o, row);
	undecided[1] = cgroup_match(o, row);
	undecided[2] = args_match(o, row);
	for (size_t i = SM_ARRAY_SIZE(undecided); i-- > 0;) {
		if (undecided[i] == FILTER_NO)
			return FILTER_NO;
		if (undecided[i] != FILTER_YES)
			answer = undecided[i];
	}
	return answer;
}
