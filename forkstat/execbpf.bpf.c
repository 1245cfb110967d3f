// SPDX-License-Identifier: GPL-2.0-or-later
#include "exec_raw.h"
#include "kernel/bpf_kern.h"
#include "kernel/bpf_output.h"

struct record {
	struct execbpf_raw head;
	char tail[EXECBPF_FILE_MAX + EXECBPF_ARGS_MAX];
};

MAP(exec_scratch, PERCPU_ARRAY, 0, 1, uint32_t, struct record);

INLINE uint64_t copy_file(struct record *r, const struct linux_binprm *bprm)
{
	const char *name;
	long n;

	READ(name, bprm->filename);
	n = bpf_probe_read_kernel_str(r->tail, EXECBPF_FILE_MAX, name);
	if (n < 0)
		n = 0;
	return n < EXECBPF_FILE_MAX ? n : EXECBPF_FILE_MAX;
}

/* The second half of the ring is for heads and file names, so that these still fit when
 * the reader is late. */
INLINE bool has_room(uint64_t bytes)
{
	return bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) + bytes <=
	       bpf_ringbuf_query(&ring, BPF_RB_RING_SIZE) / 2;
}

INLINE uint64_t copy_args(struct record *r, uint64_t at, const struct task_struct *task)
{
	const struct mm_struct *mm;
	uint64_t start, end, n;

	READ(mm, task->mm);
	READ(end, mm->arg_end);
	READ(start, mm->arg_start);
	n = end - start;
	r->head.expect_len = n;
	if (n > EXECBPF_ARGS_MAX)
		n = EXECBPF_ARGS_MAX;
	if (!has_room(n) || bpf_probe_read_user(r->tail + at, n, (const void *)start))
		return 0;
	return n;
}

SEC("raw_tp/sched_process_exec") int forkstat_exec(uint64_t *ctx)
{
	uint32_t zero = 0;
	struct record *r = bpf_map_lookup_elem(&exec_scratch, &zero);
	uint64_t file, args;

	if (!r)
		return 0;
	r->head.time_ns = bpf_ktime_get_ns();
	r->head.pid = bpf_get_current_pid_tgid() >> 32;
	r->head.reserved = 0;
	bpf_get_current_comm(r->head.comm, sizeof(r->head.comm));
	file = copy_file(r, (void *)ctx[2]);
	args = copy_args(r, file, (void *)ctx[0]);
	r->head.file_len = file;
	r->head.args_len = args;
	output(r, sizeof(r->head) + file + args, BPF_RB_NO_WAKEUP);
	return 0;
}
