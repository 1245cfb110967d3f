// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/vmlinux.h"
#include "kernel/wakesend.h"

enum { R0, R1, R2 };

static void clear_comm(const struct sm_wake_build *u)
{
	for (int i = 0; i < SM_TASK_COMM_LEN; i += 8)
		sm_bpf_clear(u->a, BPF_DW, FP, SENT(task.comm) + i);
}

/* The sender is the current task; in the callback of a timer the timer's owner, whose
 * name is not known here; in another interrupt no task. */
static void find_sender(struct sm_wake_build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t no_timer, in_timer, in_task;

	clear_comm(u);
	sm_bpf_address(a, R1, FP, SENT(task.comm));
	sm_bpf_set(a, R2, SM_TASK_COMM_LEN);
	sm_bpf_call(a, SM_BPF_GET_CURRENT_COMM);
	sm_bpf_call(a, SM_BPF_GET_CURRENT_PID_TGID);
	sm_bpf_store(a, BPF_DW, FP, SENT(task.ids), R0);
	sm_wake_get(u, R1, OF(timer));
	no_timer = sm_bpf_jump(a, BPF_JEQ, R1, 0);
	sm_wake_copy(u, FP, SENT(task.ids), CPU, OF(timer_owner), 8);
	clear_comm(u);
	in_timer = sm_bpf_jump(a, BPF_JA, R0, 0);
	sm_bpf_land(a, no_timer);
	sm_wake_get(u, R1, OF(in_irq));
	sm_wake_get(u, R2, OF(in_softirq));
	sm_bpf_alu(a, BPF_OR, R1, R2);
	in_task = sm_bpf_jump(a, BPF_JEQ, R1, 0);
	sm_bpf_clear(a, BPF_DW, FP, SENT(task.ids));
	clear_comm(u);
	sm_bpf_land(a, in_timer);
	sm_bpf_land(a, in_task);
}

/* Goes on only if CPU is asleep, or was until a moment ago: the sender's event may come
 * after the exit that it caused.  Awake, it may be that of the next sleep. */
static void only_asleep(struct sm_wake_build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t asleep;

	sm_wake_get(u, R1, OF(phase));
	asleep = sm_bpf_jump(a, BPF_JEQ, R1, SM_WAKE_ASLEEP);
	sm_wake_copy(
		u, CPU, OF(early), FP, ON_STACK_SENDER, sizeof(struct sm_wake_sender));
	sm_wake_get(u, R1, OF(exited_ns));
	sm_bpf_alu_imm(a, BPF_ADD, R1, SM_WAKESEND_EARLY_NS);
	sm_wake_leave(u, sm_bpf_jump_reg(a, BPF_JLE, R1, NOW));
	sm_bpf_land(a, asleep);
}

/* The first sender since the entry counts; that of a flag also long after another one,
 * which then did not end the polling. */
static void keep_sender(struct sm_wake_build *u)
{
	only_asleep(u);
	if (u->p->what)
		sm_wake_put(u, OF(flagged_ns), NOW);
	sm_wake_get(u, R1, OF(sender.time_ns));
	if (u->p->what) {
		sm_bpf_alu_imm(u->a, BPF_ADD, R1, SM_WAKESEND_EARLY_NS);
		sm_wake_leave(u, sm_bpf_jump_reg(u->a, BPF_JGT, R1, NOW));
	} else {
		sm_wake_get(u, R2, OF(entered_ns));
		sm_wake_leave(u, sm_bpf_jump_reg(u->a, BPF_JGE, R1, R2));
	}
	sm_wake_copy(
		u, CPU, OF(sender), FP, ON_STACK_SENDER, sizeof(struct sm_wake_sender));
}

/* SENT(func) and ARG, the other CPU, are set. */
static void send(struct sm_wake_build *u)
{
	sm_wake_find_this_cpu(u);
	find_sender(u);
	sm_wake_get_time(u);
	sm_bpf_store(u->a, BPF_DW, FP, SENT(time_ns), NOW);
	sm_wake_find_cpu(u, ARG);
	keep_sender(u);
}

/* csd_queue_cpu(cpu, callsite, func, csd), then ipi_send_cpu(cpu, callsite, callback) */
void sm_wakesend_ipi(struct sm_wake_build *u)
{
	sm_wake_get_int(u, ARG, 0);
	sm_wake_copy(u, FP, SENT(func), R1, 2 * 8, 8);
	send(u);
}

/* sched_wake_idle_without_ipi(cpu) */
void sm_wakesend_flag(struct sm_wake_build *u)
{
	sm_bpf_clear(u->a, BPF_DW, FP, SENT(func));
	sm_wake_get_int(u, ARG, 0);
	send(u);
}

/* --- before Linux 6.4 -------------------------------------------------------------- */

#define WAKERS 4096u /* a power of two */

/* Who wakes a task; in the slot of the task's thread ID. */
struct waker {
	uint64_t tid;
	struct sm_wake_task task;
};

int sm_wakesend_open(struct sm_wakeprog *w, const struct sm_root *root)
{
	struct sm_btf_member pid = {"task_struct", "pid", .size = 4};
	struct sm_btf_member cpu[] = {
		{"task_struct", "thread_info.cpu", .size = 4},
		{"task_struct", "cpu", .size = 4},
	};
	int err = sm_vmlinux_members(root, &pid, 1);

	for (int i = 0; i < 2 && !err; i++) {
		err = sm_vmlinux_members(root, &cpu[i], 1);
		w->task_cpu = cpu[i].offset;
		if (!err)
			break;
		err = i == 0 ? 0 : err;
	}
	if (err)
		return err;
	w->task_pid = pid.offset;
	w->wakers_fd = sm_bpf_map_create(
		"wake_wakers", SM_BPF_MAP_ARRAY, 4, sizeof(struct waker), WAKERS, 0);
	return w->wakers_fd < 0 ? w->wakers_fd : 0;
}

/* R1 = the u32 at off of the task ARG, at FP + ON_STACK_VALUE too. */
static void read_task(const struct sm_wake_build *u, uint32_t off)
{
	sm_bpf_clear(u->a, BPF_DW, FP, ON_STACK_VALUE);
	sm_bpf_read_kernel(u->a, ON_STACK_VALUE, 4, ARG, off);
	sm_bpf_load(u->a, BPF_W, R1, FP, ON_STACK_VALUE);
}

/* R0 = address of the task's struct waker; its thread ID is at FP + ON_STACK_VALUE. */
static void find_waker(struct sm_wake_build *u)
{
	read_task(u, u->w->task_pid);
	sm_bpf_alu_imm(u->a, BPF_AND, R1, WAKERS - 1);
	sm_bpf_store(u->a, BPF_W, FP, ON_STACK_CPU, R1);
	sm_bpf_map_lookup(u->a, u->w->wakers_fd, ON_STACK_CPU);
	sm_wake_leave_if(u, BPF_JEQ, R0, 0);
}

/* sched_waking(task) */
void sm_wakesend_waking(struct sm_wake_build *u)
{
	sm_bpf_load(u->a, BPF_DW, ARG, R1, 0);
	sm_wake_find_this_cpu(u);
	find_sender(u);
	find_waker(u);
	sm_wake_copy(u, R0, offsetof(struct waker, tid), FP, ON_STACK_VALUE, 8);
	sm_wake_copy(u, R0, offsetof(struct waker, task), FP, SENT(task),
		sizeof(struct sm_wake_task));
}

/* The function call that woke this CPU wakes a task in the name of its waker. */
static void woken_here(struct sm_wake_build *u)
{
	sm_wake_only_idle(u);
	sm_wake_get(u, R1, OF(interrupts));
	sm_wake_leave_if(u, BPF_JNE, R1, 1);
	sm_wake_get(u, R1, OF(cause));
	sm_wake_leave_if(u, BPF_JNE, R1, SM_WAKE_CALL);
	sm_wake_get(u, R1, OF(owner));
	sm_wake_leave_if(u, BPF_JNE, R1, -1);
	find_waker(u);
	sm_bpf_load(u->a, BPF_DW, R1, R0, offsetof(struct waker, tid));
	sm_bpf_load(u->a, BPF_DW, R2, FP, ON_STACK_VALUE);
	sm_wake_leave(u, sm_bpf_jump_reg(u->a, BPF_JNE, R1, R2));
	sm_wake_copy(u, CPU, OF(owner), R0, offsetof(struct waker, task.ids), 8);
	sm_wake_copy(u, CPU, OF(named), R0, offsetof(struct waker, task),
		sizeof(struct sm_wake_task));
}

/* sched_wakeup(task): on the CPU that wakes it, or on that where it will run */
void sm_wakesend_woken(struct sm_wake_build *u)
{
	size_t here;

	sm_bpf_load(u->a, BPF_DW, ARG, R1, 0);
	sm_bpf_call(u->a, SM_BPF_GET_SMP_PROCESSOR_ID);
	sm_bpf_mov(u->a, NOW, R0);
	sm_wake_find_cpu(u, NOW);
	read_task(u, u->w->task_cpu);
	here = sm_bpf_jump_reg(u->a, BPF_JEQ, R1, NOW);
	sm_bpf_mov(u->a, ARG, R1);
	sm_bpf_clear(u->a, BPF_DW, FP, SENT(func));
	send(u);
	sm_wake_leave(u, sm_bpf_jump(u->a, BPF_JA, R0, 0));
	sm_bpf_land(u->a, here);
	woken_here(u);
}
