// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_kern.h"
#include "bpf/cgroup_note_bpf.h"
#include "exec_raw.h"

struct record {
	struct execbpf_raw head;
	char tail[EXECBPF_ENV_MAX + EXECBPF_FILE_MAX + EXECBPF_ARGS_MAX];
};

const volatile struct execbpf_facts facts;

MAP(exec_scratch, PERCPU_ARRAY, 0, 1, uint32_t, struct record);

INLINE uint64_t copy_file(struct record *r, uint64_t at, const struct linux_binprm *bprm)
{
	const char *name;
	long n;

	READ(name, bprm->filename);
	n = bpf_probe_read_kernel_str(r->tail + at, EXECBPF_FILE_MAX, name);
	if (n < 0)
		n = 0;
	return n < EXECBPF_FILE_MAX ? n : EXECBPF_FILE_MAX;
}

/* Arguments may use only the first half of the ring, so that heads and file names still
 * fit when the reader is late. */
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

INLINE uint64_t differs(const uint64_t *words)
{
	uint64_t bits = 0;

#pragma clang loop unroll(disable)
	for (uint32_t i = 0; i < EXECBPF_NAME_WORDS; i++)
		bits |= (words[i] ^ facts.env_name[i]) & facts.env_mask[i];
	return bits;
}

/* Copies the variable to the start of the tail and returns its length in bytes. */
INLINE uint64_t find_variable(struct record *r, const struct task_struct *task)
{
	const struct mm_struct *mm;
	bool begin = true;
	uint64_t at, end;
	long n;

	READ(mm, task->mm);
	READ(at, mm->env_start);
	READ(end, mm->env_end);
	for (uint32_t i = 0; i < EXECBPF_ENV_STRINGS; i++) {
		if (at >= end) {
			r->head.env = EXECBPF_ENV_NOT_SET;
			return 0;
		}
		n = bpf_probe_read_user_str(r->tail, EXECBPF_ENV_MAX, (const void *)at);
		if (n <= 0)
			return 0;
		if (begin && !differs((const void *)r->tail)) {
			r->head.env = EXECBPF_ENV_SET;
			return n <= EXECBPF_ENV_MAX ? n : 0;
		}
		/* If the string is longer, the next copy continues at the byte that the
		 * NUL of this copy replaced. */
		begin = n < EXECBPF_ENV_MAX;
		at += begin ? n : n - 1;
	}
	return 0;
}

INLINE struct record *new_record(void)
{
	uint32_t zero = 0;
	struct record *r = bpf_map_lookup_elem(&exec_scratch, &zero);

	if (!r)
		return NULL;
	r->head.kind = EXECBPF_EXEC;
	r->head.time_ns = bpf_ktime_get_ns();
	r->head.pid = bpf_get_current_pid_tgid() >> 32;
	r->head.cgroup = 0;
	r->head.has_loginuid = 0;
	r->head.env = EXECBPF_ENV_UNKNOWN;
	bpf_get_current_comm(r->head.comm, sizeof(r->head.comm));
	return r;
}

/* Completes and outputs the record.  env: length of the variable in the tail. */
INLINE void finish(struct record *r, uint64_t env, uint64_t *ctx)
{
	uint64_t file = copy_file(r, env, (void *)ctx[2]);
	uint64_t args = copy_args(r, env + file, (void *)ctx[0]);

	r->head.env_len = env;
	r->head.file_len = file;
	r->head.args_len = args;
	output(r, sizeof(r->head) + env + file + args, BPF_RB_NO_WAKEUP);
}

SEC("raw_tp/sched_process_exec") int forkstat_exec(uint64_t *ctx)
{
	struct record *r = new_record();

	if (r)
		finish(r, 0, ctx);
	return 0;
}

uint64_t moves_lost SEC(".data.moves"); /* moves for which the ring had no room */

INLINE void tell_group(const struct task_struct *task, uint32_t kind, uint32_t pid)
{
	struct execbpf_group_raw r = {.kind = kind, .pid = pid};

	r.time_ns = bpf_ktime_get_ns();
	r.cgroup = cgroup_note(task, &facts.order);
	if (!output(&r, sizeof(r), BPF_RB_NO_WAKEUP) && kind == EXECBPF_MOVED)
		ADD(moves_lost, 1);
}

/* The move of a single thread affects no row, so it is not recorded. */
SEC("raw_tp/cgroup_attach_task") int forkstat_moved(uint64_t *ctx)
{
	const struct task_struct *task = (void *)ctx[2];
	int pid, tgid;

	READ(pid, task->pid);
	READ(tgid, task->tgid);
	if (pid == tgid)
		tell_group(task, EXECBPF_MOVED, tgid);
	return 0;
}

SEC("raw_tp/cgroup_rename") int forkstat_rename(uint64_t *ctx)
{
	(void)ctx;
	cgroup_rename();
	return 0;
}

/* Runs between the event of the connector and the start of the child. */
SEC("raw_tp/sched_process_fork") int forkstat_born(uint64_t *ctx)
{
	const struct task_struct *child = (void *)ctx[1];
	int pid;

	READ(pid, child->pid);
	tell_group(child, EXECBPF_BORN, pid);
	return 0;
}

/* Records an exec together with the facts. */
SEC("raw_tp/sched_process_exec") int forkstat_execf(uint64_t *ctx)
{
	const struct task_struct *task = (void *)ctx[0];
	struct record *r = new_record();
	uint64_t env = 0;

	if (!r)
		return 0;
	r->head.cgroup = cgroup_note(task, &facts.order);
	if (HAS(task->loginuid.val)) {
		READ(r->head.loginuid, task->loginuid.val);
		r->head.has_loginuid = 1;
	}
	if (facts.env_mask[0])
		env = find_variable(r, task);
	finish(r, env, ctx);
	return 0;
}
