// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_kern.h"
#include "events/cnevent.h"

struct sm_cncounts counts;

struct ids {
	uint32_t pid, tgid;
};

INLINE bool is_process(struct ids ids)
{
	return ids.pid == ids.tgid;
}

/* Counts events of processes, and drops all events. */
SEC("socket") int count_events(void *skb)
{
	struct ids task[2]; /* fork: parent, child */
	uint32_t what;

	if (bpf_skb_load_bytes(skb, SM_CNPROC_EVENT_AT, &what, sizeof(what)) ||
		bpf_skb_load_bytes(skb, SM_CNPROC_EVENT_DATA_AT, task, sizeof(task)))
		return 0;
	if (what == SM_PROC_FORK && is_process(task[1]))
		ADD(counts.forks, 1);
	if (what == SM_PROC_EXEC && is_process(task[0]))
		ADD(counts.execs, 1);
	if (what == (uint32_t)SM_PROC_EXIT && is_process(task[0]))
		ADD(counts.exits, 1);
	return 0;
}
