// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "children.h"
#include "cli/err.h"

static bool is_monitored(const struct run *r, pid_t pid)
{
	for (size_t i = 0; i < r->nprocs; i++)
		if (r->procs[i].target.pid == pid &&
			!target_over(r->procs[i].target.state))
			return true;
	return false;
}

/* Returns a place for another process: the first one whose process has exited, or the one
 * after the last.  NULL: all are used. */
static struct snapshot *place(struct run *r)
{
	struct snapshot *end = r->procs + r->nprocs;

	for (struct snapshot *p = r->command + 1; p < end; p++)
		if (target_over(p->target.state)) {
			snapshot_fini(p);
			return p;
		}
	return r->nprocs < r->opts.ntargets + OPTS_CHILDREN_MAX ? end : NULL;
}

/* Returns whether the process is left out. */
static bool add(struct run *r, pid_t pid)
{
	struct snapshot *p = place(r);

	if (!p) {
		if (!r->series.left_out_said)
			sm_err("only %u processes are monitored at a time",
				OPTS_CHILDREN_MAX);
		r->series.left_out_said = true;
		return true;
	}
	if (p == r->procs + r->nprocs)
		r->nprocs++;
	run_open_child(r, p, pid);
	return false;
}

/* Descendants whose files could not be opened are tried again, if they still exist. */
static void forget_denied(struct run *r)
{
	for (struct snapshot *p = r->command + 1; p < r->procs + r->nprocs; p++)
		if (p->target.state == TARGET_DENIED)
			p->target.state = TARGET_EXITED;
}

uint64_t children_denied(const struct run *r)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->nprocs; i++)
		n += children_has(r, &r->procs[i]) &&
		     r->procs[i].target.state == TARGET_DENIED;
	return n;
}

void children_add(struct run *r)
{
	const struct sm_proctree_root of = {r->app.child.pid, getpid()};
	struct sm_proctree *t = &r->series.tree;

	r->series.sample.left_out = 0;
	if (!r->command || target_over(r->command->target.state))
		return;
	if (sm_proctree_read(t, &r->app.root) < 0)
		return;
	forget_denied(r);
	for (size_t i = 0; i < t->n; i++)
		if (sm_proctree_has(t, i, &of) && !is_monitored(r, t->tasks[i].pid))
			r->series.sample.left_out += add(r, t->tasks[i].pid);
}
