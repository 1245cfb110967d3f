// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/bpf_kern.h"
#include "kernel/bpf_output.h"
#include "kernel/taskexit_raw.h"

/* sched_process_free(task).  The sums in the signal structure include all threads and the
 * leader: __exit_signal() of kernel/exit.c. */
SEC("tp_btf/sched_process_free") int task_exit(uint64_t *ctx)
{
	const struct task_struct *task = (void *)ctx[0];
	const struct signal_struct *signal;
	struct sm_taskexit_raw r;

	if (task->pid != task->tgid)
		return 0;
	signal = task->signal;
	r = (struct sm_taskexit_raw){.pid = task->tgid,
		.ppid = task->real_parent->tgid,
		.uid = task->real_cred->uid.val,
		.start_ns = task->start_boottime,
		.cpu_ns = signal->sum_sched_runtime,
		.utime_ns = signal->utime,
		.stime_ns = signal->stime};
	READ(r.comm, task->comm);
	r.time_ns = bpf_ktime_get_ns();
	output(&r, sizeof(r), BPF_RB_NO_WAKEUP);
	return 0;
}
