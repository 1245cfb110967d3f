// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_kern.h"
#include "bpf/bpf_output.h"
#include "events/taskexit_raw.h"

/* sched_process_free(task).  The sums in the signal structure include all threads and the
 * leader: __exit_signal() of kernel/exit.c. */
SEC("raw_tp/sched_process_free") int task_exit(uint64_t *ctx)
{
	const struct task_struct *task = (void *)ctx[0], *parent;
	const struct signal_struct *signal;
	const struct cred *cred;
	struct sm_taskexit_raw r;
	uint64_t started_ns; /* CLOCK_MONOTONIC */
	uint32_t tid, pid;

	READ(tid, task->pid);
	READ(pid, task->tgid);
	if (tid != pid)
		return 0;
	r = (struct sm_taskexit_raw){.pid = pid};
	READ(r.start_ns, task->start_boottime);
	READ(parent, task->real_parent);
	READ(r.ppid, parent->tgid);
	READ(cred, task->real_cred);
	READ(r.uid, cred->uid.val);
	READ(signal, task->signal);
	READ(r.cpu_ns, signal->sum_sched_runtime);
	READ(r.utime_ns, signal->utime);
	READ(r.stime_ns, signal->stime);
	READ(r.comm, task->comm);
	READ(started_ns, task->start_time);
	r.time_ns = bpf_ktime_get_ns();
	r.lived_ns = r.time_ns - started_ns;
	output(&r, sizeof(r), BPF_RB_NO_WAKEUP);
	return 0;
}
