// SPDX-License-Identifier: GPL-2.0-or-later
#include "key.h"
#include "bpf/bpf_kern.h"

/* Is the task counted, and the number + 1 of the call that it is in, or 0. */
struct mark {
	uint32_t in_call, counted;
};

/* By the address of the task_struct, which stays the same when a thread executes a
 * program. */
MAP(cover_tasks, HASH, 0, 16384, uint64_t, struct mark);

/* By key.h. */
MAP(cover_counts, HASH, 0, KEY_COUNTS, uint64_t, uint64_t);

uint64_t lost; /* tasks and calls without room */

/* Run once: the children of this task are counted. */
SEC("raw_tp/") int cover_mark(void *ctx)
{
	uint64_t task = (uint64_t)bpf_get_current_task();
	struct mark mark = {0};

	(void)ctx;
	bpf_map_update_elem(&cover_tasks, &task, &mark, BPF_ANY);
	return 0;
}

/* sched_process_fork(parent, child) */
SEC("raw_tp/sched_process_fork") int cover_fork(uint64_t *ctx)
{
	uint64_t parent = ctx[0], child = ctx[1];
	struct mark mark = {.counted = 1};

	if (bpf_map_lookup_elem(&cover_tasks, &parent) &&
		bpf_map_update_elem(&cover_tasks, &child, &mark, BPF_ANY))
		ADD(lost, 1);
	return 0;
}

SEC("raw_tp/sched_process_exit") int cover_end(uint64_t *ctx)
{
	uint64_t task = ctx[0];

	bpf_map_delete_elem(&cover_tasks, &task);
	return 0;
}

INLINE struct mark *mark_of_current(void)
{
	uint64_t task = (uint64_t)bpf_get_current_task();

	return bpf_map_lookup_elem(&cover_tasks, &task);
}

INLINE void count(uint64_t key)
{
	uint64_t one = 1, *n = bpf_map_lookup_elem(&cover_counts, &key);

	if (!n) {
		if (!bpf_map_update_elem(&cover_counts, &key, &one, BPF_NOEXIST))
			return;
		/* Another CPU may have made it in the meantime. */
		n = bpf_map_lookup_elem(&cover_counts, &key);
	}
	if (n)
		ADD(*n, 1);
	else
		ADD(lost, 1);
}

/* sys_enter(regs, number).  A number below 0 is none: a filter has refused the call. */
SEC("raw_tp/sys_enter") int cover_enter(uint64_t *ctx)
{
	int64_t number = ctx[1];
	struct mark *mark = mark_of_current();

	if (!mark || !mark->counted || number < 0)
		return 0;
	if (number > KEY_OTHERS)
		number = KEY_OTHERS;
	mark->in_call = number + 1;
	count(((uint64_t)number << KEY_RESULT_BITS) + KEY_RESULT_BEGUN);
	return 0;
}

/* sys_exit(regs, ret).  A new task leaves a call that it has not entered: no number is in
 * its mark. */
SEC("raw_tp/sys_exit") int cover_leave(uint64_t *ctx)
{
	int64_t error = -(int64_t)ctx[1];
	struct mark *mark = mark_of_current();
	uint64_t number;

	if (!mark || !mark->in_call)
		return 0;
	number = mark->in_call - 1;
	mark->in_call = 0;
	if (error < 0 || error > KEY_ERRNO_MAX)
		error = 0;
	count((number << KEY_RESULT_BITS) + error);
	return 0;
}
