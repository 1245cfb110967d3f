// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_kern.h"

uint64_t forks;

/* sched_process_fork(parent, child): after the child gets its PID and before it runs. */
SEC("raw_tp/sched_process_fork") int count_fork(uint64_t *ctx)
{
	const struct task_struct *child = (void *)ctx[1];
	int pid, tgid;

	READ(pid, child->pid);
	READ(tgid, child->tgid);
	if (pid == tgid)
		ADD(forks, 1);
	return 0;
}
