// SPDX-License-Identifier: GPL-2.0-or-later
/* The processes of --pid and --ppid: whether they exist, and when the last one has ended.
 */
#include "cli/err.h"
#include "run.h"

/* True if the task does not exist, or is a zombie without other threads.  /proc may hide
 * the task (hidepid). */
static bool has_ended(const struct run *r, pid_t pid)
{
	struct sm_pidstat st;

	if (sm_procpid_is_gone(pid))
		return true;
	return r->app.root.real_proc &&
	       sm_procpid_read_stat(&r->app.root, pid, &st) == 0 && st.state == 'Z' &&
	       st.num_threads <= 1;
}

static int find(const struct run *r, const struct sm_opt_list *l)
{
	for (unsigned int i = 0; i < l->n; i++)
		if (has_ended(r, (pid_t)l->v[i])) {
			sm_err("process %u does not exist or has exited", l->v[i]);
			return SM_EXIT_RUNTIME;
		}
	return 0;
}

int run_find_selected(const struct run *r)
{
	int code = find(r, &r->opts.pids);

	return code ? code : find(r, &r->opts.ppids);
}

/* Removes a task that has exited, because its PID may be reused.  The last one remains.
 */
static void forget(struct run *r, pid_t pid)
{
	struct sm_opt_list *l = &r->opts.pids;

	for (unsigned int i = 0; i < l->n; i++) {
		if (l->v[i] != (uint32_t)pid)
			continue;
		r->all_ended = l->n == 1;
		l->v[i] = l->v[l->n - 1];
		l->n -= l->n > 1;
	}
}

void run_selected_exit(struct run *r, const struct row *row)
{
	if (row->exited->user & TASK_IN_TREE)
		r->task_ended = true;
	if (row->exit.process_end)
		forget(r, row->exited->tgid);
	if (row->exited->pid != row->exited->tgid)
		forget(r, row->exited->pid);
}

void run_selected_exec(struct run *r, const struct sm_proc_event *ev)
{
	const struct sm_opt_list *l = &r->opts.pids;
	const struct sm_task *p;

	for (unsigned int i = l->n; i-- > 0;) {
		p = sm_tasktable_get(&r->procs, (pid_t)l->v[i]);
		if (p && p->pid != p->tgid && p->tgid == ev->tgid)
			forget(r, p->pid);
	}
}

/* After a loss, exit events may be missing, so the kernel is asked. */
static bool list_ended(const struct run *r)
{
	const struct sm_opt_list *l = &r->opts.pids;
	unsigned int i = 0;

	while (i < l->n && r->procs.epoch && has_ended(r, (pid_t)l->v[i]))
		i++;
	return l->n && i == l->n;
}

static bool tree_ended(const struct run *r)
{
	const struct sm_task *p;

	for (size_t i = 0; (p = sm_map_next(&r->procs.map, &i));)
		if ((p->user & TASK_IN_TREE) &&
			(p->epoch == r->procs.epoch || !has_ended(r, p->pid)))
			return false;
	return r->opts.ppids.n > 0;
}

bool run_selected_ended(struct run *r)
{
	bool check = r->task_ended || r->procs.epoch;

	r->task_ended = false;
	return r->all_ended || (check && (list_ended(r) || tree_ended(r)));
}
