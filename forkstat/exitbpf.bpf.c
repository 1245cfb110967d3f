// SPDX-License-Identifier: GPL-2.0-or-later
#include "exit_raw.h"
#include "kernel/bpf_kern.h"
#include "kernel/bpf_output.h"

#define SIGNAL_GROUP_EXIT 4 /* include/linux/sched/signal.h */

/* As wait_task_zombie() of kernel/exit.c. */
INLINE void status(struct exitbpf_raw *r, const struct task_struct *task)
{
	const struct task_struct *leader = task->group_leader;
	const struct signal_struct *signal = task->signal;

	r->leader_exited = leader->exit_state != 0;
	if (signal->flags & SIGNAL_GROUP_EXIT) {
		r->kind = EXITBPF_GROUP;
		r->code = signal->group_exit_code;
	} else if (r->leader_exited) {
		r->kind = EXITBPF_LEADER;
		r->code = leader->exit_code;
	}
}

/* Does the proc connector's event, which has the thread's own exit code, say all about
 * this exit? */
INLINE bool is_plain(const struct task_struct *task)
{
	const struct signal_struct *signal = task->signal;

	if (task->pid != task->tgid || signal->live.counter > 0 || signal->nr_threads > 1)
		return false;
	return !(signal->flags & SIGNAL_GROUP_EXIT) ||
	       signal->group_exit_code == task->exit_code;
}

/* sched_process_exit(task): the thread is not counted in live any more, and its exit_code
 * is set. */
SEC("tp_btf/sched_process_exit") int forkstat_exit(uint64_t *ctx)
{
	const struct task_struct *task = (void *)ctx[0];
	struct exitbpf_raw r = {0};

	if (is_plain(task))
		return 0;
	r.time_ns = bpf_ktime_get_ns();
	r.tid = task->pid;
	r.tgid = task->tgid;
	r.live = task->signal->live
			 .counter; /* before the flags: 0 means that they are final */
	barrier();
	status(&r, task);
	output(&r, sizeof(r), BPF_RB_NO_WAKEUP);
	return 0;
}
