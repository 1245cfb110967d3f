// SPDX-License-Identifier: GPL-2.0-or-later
#include "key.h"
#include "programs.h"

enum { R0, R1, R2, CTX = 6, MARK, KEY, FP = 10 };

/* The arguments of a tracepoint (include/trace/events), 8 bytes each. */
#define ARG(i) ((i)*8)

/* On the stack. */
enum { TASK = -8, ELEMENT = -16, VALUE = -24 };

#define COUNTED_SHIFT 32
#define COUNTED_AT    4 /* the upper half of a mark */

/* FP + TASK = the current task */
static void current_task(struct sm_bpf_asm *a)
{
	sm_bpf_call(a, SM_BPF_GET_CURRENT_TASK);
	sm_bpf_store(a, BPF_DW, FP, TASK, R0);
}

/* FP + to = ctx[i] */
static void argument(struct sm_bpf_asm *a, int i, int to)
{
	sm_bpf_load(a, BPF_DW, R1, CTX, ARG(i));
	sm_bpf_store(a, BPF_DW, FP, to, R1);
}

void programs_mark(struct sm_bpf_asm *a, const struct programs_maps *m)
{
	current_task(a);
	sm_bpf_clear(a, BPF_DW, FP, VALUE);
	sm_bpf_map_update(a, m->tasks_fd, TASK, VALUE, BPF_ANY);
	sm_bpf_return(a, 0);
}

/* if (tasks[parent]) tasks[child] = COUNTED */
void programs_fork(struct sm_bpf_asm *a, const struct programs_maps *m)
{
	size_t other, done;

	sm_bpf_mov(a, CTX, R1);
	argument(a, 0, TASK);
	sm_bpf_map_lookup(a, m->tasks_fd, TASK);
	other = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	argument(a, 1, ELEMENT);
	sm_bpf_set(a, R1, 1);
	sm_bpf_alu_imm(a, BPF_LSH, R1, COUNTED_SHIFT);
	sm_bpf_store(a, BPF_DW, FP, VALUE, R1);
	sm_bpf_map_update(a, m->tasks_fd, ELEMENT, VALUE, BPF_ANY);
	done = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	sm_bpf_count(a, m->lost_fd, 0);
	sm_bpf_land(a, other);
	sm_bpf_land(a, done);
	sm_bpf_return(a, 0);
}

void programs_end(struct sm_bpf_asm *a, const struct programs_maps *m)
{
	sm_bpf_mov(a, CTX, R1);
	argument(a, 0, TASK);
	sm_bpf_map(a, R1, m->tasks_fd);
	sm_bpf_address(a, R2, FP, TASK);
	sm_bpf_call(a, SM_BPF_MAP_DELETE_ELEM);
	sm_bpf_return(a, 0);
}

/* mark = tasks[current]; jumps if there is none */
static size_t find_mark(struct sm_bpf_asm *a, const struct programs_maps *m)
{
	sm_bpf_mov(a, CTX, R1);
	current_task(a);
	sm_bpf_map_lookup(a, m->tasks_fd, TASK);
	sm_bpf_mov(a, MARK, R0);
	return sm_bpf_jump(a, BPF_JEQ, MARK, 0);
}

/* counts[FP + ELEMENT]++, or lost++ */
static void count(struct sm_bpf_asm *a, const struct programs_maps *m)
{
	size_t missing, done[3], full;

	sm_bpf_map_lookup(a, m->counts_fd, ELEMENT);
	missing = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	sm_bpf_add_one(a, R0, 0);
	done[0] = sm_bpf_jump(a, BPF_JA, R0, 0);
	sm_bpf_land(a, missing);
	sm_bpf_set(a, R1, 1);
	sm_bpf_store(a, BPF_DW, FP, VALUE, R1);
	sm_bpf_map_update(a, m->counts_fd, ELEMENT, VALUE, BPF_NOEXIST);
	done[1] = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	/* Another CPU may have made it in the meantime. */
	sm_bpf_map_lookup(a, m->counts_fd, ELEMENT);
	full = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	sm_bpf_add_one(a, R0, 0);
	done[2] = sm_bpf_jump(a, BPF_JA, R0, 0);
	sm_bpf_land(a, full);
	sm_bpf_count(a, m->lost_fd, 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(done); i++)
		sm_bpf_land(a, done[i]);
}

/* A number below 0 is none: a filter has refused the call. */
void programs_enter(struct sm_bpf_asm *a, const struct programs_maps *m)
{
	size_t other = find_mark(a, m), uncounted, none;

	sm_bpf_load(a, BPF_W, R1, MARK, COUNTED_AT);
	uncounted = sm_bpf_jump(a, BPF_JEQ, R1, 0);
	sm_bpf_load(a, BPF_DW, KEY, CTX, ARG(1));
	none = sm_bpf_jump(a, BPF_JSLT, KEY, 0);
	sm_bpf_at_most(a, KEY, KEY_OTHERS);
	sm_bpf_mov(a, R1, KEY);
	sm_bpf_alu_imm(a, BPF_ADD, R1, 1);
	sm_bpf_store(a, BPF_W, MARK, 0, R1);
	sm_bpf_alu_imm(a, BPF_LSH, KEY, KEY_RESULT_BITS);
	sm_bpf_alu_imm(a, BPF_ADD, KEY, KEY_RESULT_BEGUN);
	sm_bpf_store(a, BPF_DW, FP, ELEMENT, KEY);
	count(a, m);
	sm_bpf_land(a, other);
	sm_bpf_land(a, uncounted);
	sm_bpf_land(a, none);
	sm_bpf_return(a, 0);
}

/* A new task leaves a call that it has not entered: no number is in its mark. */
void programs_leave(struct sm_bpf_asm *a, const struct programs_maps *m)
{
	size_t other = find_mark(a, m), none, fine, large;

	sm_bpf_load(a, BPF_W, KEY, MARK, 0);
	none = sm_bpf_jump(a, BPF_JEQ, KEY, 0);
	sm_bpf_clear(a, BPF_W, MARK, 0);
	sm_bpf_alu_imm(a, BPF_SUB, KEY, 1);
	sm_bpf_alu_imm(a, BPF_LSH, KEY, KEY_RESULT_BITS);
	sm_bpf_set(a, R1, 0);
	sm_bpf_load(a, BPF_DW, R2, CTX, ARG(1));
	sm_bpf_alu(a, BPF_SUB, R1, R2);
	fine = sm_bpf_jump(a, BPF_JSLT, R1, 0);
	large = sm_bpf_jump(a, BPF_JSGT, R1, KEY_ERRNO_MAX);
	sm_bpf_alu(a, BPF_ADD, KEY, R1);
	sm_bpf_land(a, fine);
	sm_bpf_land(a, large);
	sm_bpf_store(a, BPF_DW, FP, ELEMENT, KEY);
	count(a, m);
	sm_bpf_land(a, other);
	sm_bpf_land(a, none);
	sm_bpf_return(a, 0);
}
