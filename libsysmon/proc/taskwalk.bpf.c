// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_kern.h"
#include "proc/taskwalk_raw.h"

MAP(records, ARRAY, BPF_F_MMAPABLE, 16384, uint32_t, struct sm_taskwalk_raw);
static struct sm_taskwalk_head head;

/* A walk after a pause finds most of a task's memory outside the caches: this reads the
 * fewest places.  It has no branches: at each load of the program, the verifier follows
 * both ways of each of them. */
INLINE int is_unchanged(const struct sm_taskwalk_raw *r, const struct task_struct *task)
{
	const struct signal_struct *signal = task->signal;

	return !((r->pid ^ (uint32_t)task->tgid) |
		 (r->ppid ^ (uint32_t)task->real_parent->tgid) |
		 (r->ns ^ (signal->sum_sched_runtime + task->se.sum_exec_runtime)) |
		 (r->cutime_ns ^ signal->cutime) | (r->cstime_ns ^ signal->cstime) |
		 (r->threads ^ (uint32_t)signal->nr_threads));
}

/* Leaves threads 0 if the sums change while they are read: __exit_signal() of
 * kernel/exit.c moves the time of a thread from the thread to the sum. */
INLINE void take(struct sm_taskwalk_raw *r, const struct task_struct *task)
{
	const struct signal_struct *signal = task->signal;
	uint32_t sequence = LOAD(signal->stats_lock.seqcount.seqcount.sequence);
	uint64_t changed;

	barrier();
	r->ns = signal->sum_sched_runtime + task->se.sum_exec_runtime;
	r->utime_ns = signal->utime + task->utime;
	r->stime_ns = signal->stime + task->stime;
	r->cutime_ns = signal->cutime;
	r->cstime_ns = signal->cstime;
	r->threads = (uint32_t)signal->nr_threads;
	barrier();
	changed = (LOAD(signal->stats_lock.seqcount.seqcount.sequence) ^ sequence) |
		  (sequence & 1);
	__asm__ volatile("" : "+r"(changed)); /* otherwise clang makes a branch of it */
	r->threads &= (uint32_t)((changed - 1) >> 32);
	r->start_ns = task->start_boottime;
	r->pid = task->tgid;
	r->ppid = task->real_parent->tgid;
	r->flags = task->flags;
	r->state = task->__state;
	r->exit_state = (uint32_t)task->exit_state;
	r->cpu = task->thread_info.cpu;
	READ(r->comm, task->comm);
}

/* The verifier needs a millisecond for each load of a pointer through a trusted pointer,
 * and nothing through one that was cast. */
SEC("syscall") int walk_tasks(void *ctx)
{
	const struct task_struct *task;
	struct bpf_iter_task it;
	uint32_t n;

	(void)ctx;
	head.n = head.full = 0;
	head.begun_ns = bpf_ktime_get_ns();
	bpf_rcu_read_lock();
	bpf_iter_task_new(&it, NULL, BPF_TASK_ITER_ALL_PROCS);
	while ((task = bpf_iter_task_next(&it))) {
		struct sm_taskwalk_raw *r;

		task = bpf_rdonly_cast(task, TYPE_ID(struct task_struct));
		if (!task->pid) /* the idle task of the first CPU */
			continue;
		n = LOAD(head.n);
		r = bpf_map_lookup_elem(&records, &n);
		if (!r) {
			head.full = 1;
			break;
		}
		if (!is_unchanged(r, task))
			take(r, task);
		STORE(head.n, n + 1);
	}
	bpf_iter_task_destroy(&it);
	bpf_rcu_read_unlock();
	head.ended_ns = bpf_ktime_get_ns();
	return 0;
}
