// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/wakeasm.h"

enum { R0, R1 };

void sm_wake_leave(struct sm_wake_build *u, size_t jump)
{
	u->leave[u->leaves++] = jump;
}

void sm_wake_leave_if(
	struct sm_wake_build *u, unsigned int op, unsigned int reg, int32_t imm)
{
	sm_wake_leave(u, sm_bpf_jump(u->a, op, reg, imm));
}

void sm_wake_finish(struct sm_wake_build *u)
{
	for (unsigned int i = 0; i < u->leaves; i++)
		sm_bpf_land(u->a, u->leave[i]);
	sm_bpf_return(u->a, 0);
}

void sm_wake_get(const struct sm_wake_build *u, unsigned int reg, int member)
{
	sm_bpf_load(u->a, BPF_DW, reg, CPU, member);
}

void sm_wake_put(const struct sm_wake_build *u, int member, unsigned int reg)
{
	sm_bpf_store(u->a, BPF_DW, CPU, member, reg);
}

void sm_wake_put_imm(const struct sm_wake_build *u, int member, int32_t imm)
{
	sm_bpf_set(u->a, R1, imm);
	sm_wake_put(u, member, R1);
}

/* n 8-byte words from one place to another. */
void sm_wake_copy(const struct sm_wake_build *u, unsigned int to, int to_off,
	unsigned int from, int from_off, size_t bytes)
{
	for (int i = 0; i < (int)bytes; i += 8) {
		sm_bpf_load(u->a, BPF_DW, R1, from, from_off + i);
		sm_bpf_store(u->a, BPF_DW, to, to_off + i, R1);
	}
}

/* CPU = what is kept of the CPU whose number is in reg. */
void sm_wake_find_cpu(struct sm_wake_build *u, unsigned int reg)
{
	sm_bpf_store(u->a, BPF_W, FP, ON_STACK_CPU, reg);
	sm_bpf_map_lookup(u->a, u->w->cpus_fd, ON_STACK_CPU);
	sm_wake_leave_if(u, BPF_JEQ, R0, 0);
	sm_bpf_mov(u->a, CPU, R0);
}

void sm_wake_find_this_cpu(struct sm_wake_build *u)
{
	sm_bpf_call(u->a, SM_BPF_GET_SMP_PROCESSOR_ID);
	sm_wake_find_cpu(u, R0);
}

void sm_wake_get_time(const struct sm_wake_build *u)
{
	sm_bpf_call(u->a, SM_BPF_KTIME_GET_NS);
	sm_bpf_mov(u->a, NOW, R0);
}

/* An int of the context. */
void sm_wake_get_int(const struct sm_wake_build *u, unsigned int reg, int arg)
{
	sm_bpf_load(u->a, BPF_DW, reg, R1, arg * 8);
	sm_bpf_alu_imm(u->a, BPF_LSH, reg, 32);
	sm_bpf_alu_imm(u->a, BPF_ARSH, reg, 32);
}

/* Goes on only in the idle task, whose thread ID is 0 on all CPUs. */
void sm_wake_only_idle(struct sm_wake_build *u)
{
	sm_bpf_call(u->a, SM_BPF_GET_CURRENT_PID_TGID);
	sm_wake_leave_if(u, BPF_JNE, R0, 0);
	sm_wake_get(u, R1, OF(phase));
	sm_wake_leave_if(u, BPF_JEQ, R1, SM_WAKE_NOT_SEEN);
}

void sm_wake_read_timer(const struct sm_wake_build *u, bool hr)
{
	struct sm_bpf_asm *a = u->a;

	sm_timerlayout_read(a, &u->w->at, hr, ARG, KEY(id), ON_STACK_VALUE);
	if (!u->w->owners) {
		sm_bpf_set(a, R1, -1);
		sm_bpf_store(a, BPF_DW, FP, KEY(owner), R1);
		return;
	}
	sm_bpf_store(a, BPF_DW, FP, ON_STACK_TIMER, ARG);
	sm_timerowner_find(a, u->w->owners, hr, ON_STACK_TIMER, KEY(id), KEY(owner), ARG);
}
