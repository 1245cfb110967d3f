// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/bpf_kern.h"
#include "kernel/taskexit_raw.h"
#include "kernel/bpf_output.h"

SEC("raw_tp/sched_process_free") int task_exit(uint64_t *ctx)
{
	const struct task_struct *task = (void *)ctx[0], *parent;
	const struct signal_struct *signal;
	struct sm_taskexit_raw r;
	uint32_t tid;

	READ(tid, task->pid);
	READ(r.pid, task->tgid);
	if (tid != r.pid)
		return 0;
	READ(signal, task->signal);
	READ(r.cpu_ns, signal->sum_sched_runtime);
	READ(r.utime_ns, signal->utime);
	READ(r.stime_ns, signal->stime);
	READ(parent, task->real_parent);
	READ(r.ppid, parent->tgid);
	READ(r.start_ns, task->start_boottime);
	READ(r.comm, task->comm);
	r.time_ns = bpf_ktime_get_ns();
	output(&r, sizeof(r), BPF_RB_NO_WAKEUP);
	return 0;
}
