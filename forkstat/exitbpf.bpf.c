// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_kern.h"
#include "bpf/bpf_output.h"
#include "exit_raw.h"

#define SIGNAL_GROUP_EXIT 4 /* include/linux/sched/signal.h */

/* State of the process in the kernel. */
struct process {
	const struct signal_struct *signal;
	uint32_t flags;
	int live, threads, group_code;
};

INLINE void read_process(struct process *p, const struct task_struct *task)
{
	READ(p->signal, task->signal);
	READ(p->live, p->signal->live.counter);
	barrier(); /* if it is 0, the flags are final */
	READ(p->threads, p->signal->nr_threads);
	READ(p->flags, p->signal->flags);
	READ(p->group_code, p->signal->group_exit_code);
}

/* Stores the status that wait_task_zombie() of kernel/exit.c would return. */
INLINE void status(
	struct exitbpf_raw *r, const struct process *p, const struct task_struct *task)
{
	const struct task_struct *leader;
	int state, code;

	READ(leader, task->group_leader);
	READ(state, leader->exit_state);
	r->leader_exited = state != 0;
	if (p->flags & SIGNAL_GROUP_EXIT) {
		r->kind = EXITBPF_GROUP;
		r->code = p->group_code;
	} else if (r->leader_exited) {
		READ(code, leader->exit_code);
		r->kind = EXITBPF_LEADER;
		r->code = code;
	}
}

/* Is the proc connector's event, which has the thread's own exit code, sufficient for
 * this exit? */
INLINE bool is_plain(
	const struct process *p, const struct task_struct *task, uint64_t ids)
{
	int code;

	if (ids >> 32 != (uint32_t)ids || p->live > 0 || p->threads > 1)
		return false;
	if (!(p->flags & SIGNAL_GROUP_EXIT))
		return true;
	READ(code, task->exit_code);
	return p->group_code == code;
}

/* ctx: the argument of sched_process_exit(), the current task.  It is no longer counted
 * in live, and its exit_code is set. */
SEC("raw_tp/sched_process_exit") int forkstat_exit(uint64_t *ctx)
{
	const struct task_struct *task = (void *)ctx[0];
	uint64_t ids = bpf_get_current_pid_tgid();
	struct exitbpf_raw r = {0};
	struct process p;

	read_process(&p, task);
	if (is_plain(&p, task, ids))
		return 0;
	r.time_ns = bpf_ktime_get_ns();
	r.tid = (uint32_t)ids;
	r.tgid = ids >> 32;
	r.live = p.live;
	status(&r, &p, task);
	output(&r, sizeof(r), BPF_RB_NO_WAKEUP);
	return 0;
}
