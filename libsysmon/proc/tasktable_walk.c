// SPDX-License-Identifier: GPL-2.0-or-later
/* sm_tasktable_walk() of tasktable.h. */
#include <errno.h>
#include <string.h>

#include "proc/tasktable.h"
#include "proc/taskwalk.h"

/* A process with several threads, whose threads must be listed, and one whose record
 * lacks something are left to sm_tasktable_seed(). */
static int enter(struct sm_tasktable *t, const struct sm_taskwalk_raw *r)
{
	struct sm_pidstat st;
	struct sm_task *p;

	if (!sm_taskwalk_stat(r, &st))
		return 0;
	p = sm_tasktable_fresh(t, r->pid, r->pid);
	if (!p)
		return -ENOMEM;
	sm_tasktable_comm(p, st.comm);
	p->ppid = r->ppid;
	p->start_ns = r->start_ns;
	p->flags |= r->flags & SM_PF_KTHREAD ? SM_TASK_KTHREAD : 0;
	return 0;
}

int sm_tasktable_walk(struct sm_tasktable *t)
{
	SM_CLEANUP(sm_taskwalk_close) struct sm_taskwalk w = {.prog_fd = -1};
	int err;

	if (!t->root->live || !sm_root_initial_pidns(t->root) ||
		!sm_root_initial_timens(t->root))
		return -ENOTSUP;
	err = sm_taskwalk_open(&w, t->root, SM_TASKWALK_MAX, NULL);
	if (!err)
		err = sm_taskwalk_run(&w);
	for (uint32_t i = 0; !err && i < sm_taskwalk_head(&w)->n; i++)
		err = enter(t, &sm_taskwalk_records(&w)[i]);
	return err;
}
