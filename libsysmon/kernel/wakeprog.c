// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "kernel/wakeprog.h"

#define INSN_MAX 256
/* A sender's event and the CPU's own may change places by so much. */
#define EARLY_NS 20000

enum { R0, R1, R2, R3, CPU = 6, ARG, NOW, COUNTS, FP };

#define STRUCT_AT(end, type) ((end) - (int)sizeof(type))
#define ON_STACK_KEY	     STRUCT_AT(0, struct sm_wake_key)
#define ON_STACK_COUNTS	     STRUCT_AT(ON_STACK_KEY, struct sm_wake_counts)
#define ON_STACK_SENDER	     STRUCT_AT(ON_STACK_COUNTS, struct sm_wake_sender)
#define ON_STACK_KIND	     (ON_STACK_SENDER - 8)
#define ON_STACK_TIMER	     (ON_STACK_KIND - 8)
#define ON_STACK_CPU	     (ON_STACK_TIMER - 8)
#define KEY(member)	     (ON_STACK_KEY + (int)offsetof(struct sm_wake_key, member))
#define NEW(member)	     (ON_STACK_COUNTS + (int)offsetof(struct sm_wake_counts, member))
#define SENT(member)	     (ON_STACK_SENDER + (int)offsetof(struct sm_wake_sender, member))
#define OF(member)	     ((int)offsetof(struct sm_wake_cpu, member))

struct program;

/* A program under way; leave[]: jumps to its end. */
struct build {
	struct sm_bpf_asm *a;
	const struct sm_wakeprog *w;
	const struct program *p;
	size_t leave[16];
	unsigned int leaves;
};

struct program {
	const char *name, *tracepoint;
	void (*assemble)(struct build *u);
	int what; /* a cause, or the offset of a member of struct sm_wake_cpu */
	bool required;
};

/* --- parts ------------------------------------------------------------------------- */

static void leave(struct build *u, size_t jump)
{
	u->leave[u->leaves++] = jump;
}

static void leave_if(struct build *u, unsigned int op, unsigned int reg, int32_t imm)
{
	leave(u, sm_bpf_jump(u->a, op, reg, imm));
}

static void finish(struct build *u)
{
	for (unsigned int i = 0; i < u->leaves; i++)
		sm_bpf_land(u->a, u->leave[i]);
	sm_bpf_return(u->a, 0);
}

static void get(const struct build *u, unsigned int reg, int member)
{
	sm_bpf_load(u->a, BPF_DW, reg, CPU, member);
}

static void put(const struct build *u, int member, unsigned int reg)
{
	sm_bpf_store(u->a, BPF_DW, CPU, member, reg);
}

static void put_imm(const struct build *u, int member, int32_t imm)
{
	sm_bpf_set(u->a, R1, imm);
	put(u, member, R1);
}

/* n 8-byte words from one place to another. */
static void copy(const struct build *u, unsigned int to, int to_off, unsigned int from,
	int from_off, size_t bytes)
{
	for (int i = 0; i < (int)bytes; i += 8) {
		sm_bpf_load(u->a, BPF_DW, R1, from, from_off + i);
		sm_bpf_store(u->a, BPF_DW, to, to_off + i, R1);
	}
}

/* CPU = what is kept of the CPU whose number is in reg. */
static void find_cpu(struct build *u, unsigned int reg)
{
	sm_bpf_store(u->a, BPF_W, FP, ON_STACK_CPU, reg);
	sm_bpf_map_lookup(u->a, u->w->cpus_fd, ON_STACK_CPU);
	leave_if(u, BPF_JEQ, R0, 0);
	sm_bpf_mov(u->a, CPU, R0);
}

static void find_this_cpu(struct build *u)
{
	sm_bpf_call(u->a, SM_BPF_GET_SMP_PROCESSOR_ID);
	find_cpu(u, R0);
}

static void get_time(const struct build *u)
{
	sm_bpf_call(u->a, SM_BPF_KTIME_GET_NS);
	sm_bpf_mov(u->a, NOW, R0);
}

/* An int of the context. */
static void get_int(const struct build *u, unsigned int reg, int arg)
{
	sm_bpf_load(u->a, BPF_DW, reg, R1, arg * 8);
	sm_bpf_alu_imm(u->a, BPF_LSH, reg, 32);
	sm_bpf_alu_imm(u->a, BPF_ARSH, reg, 32);
}

/* Goes on only in the idle task, whose thread ID is 0 on all CPUs. */
static void only_idle(struct build *u)
{
	sm_bpf_call(u->a, SM_BPF_GET_CURRENT_PID_TGID);
	leave_if(u, BPF_JNE, R0, 0);
	get(u, R1, OF(phase));
	leave_if(u, BPF_JEQ, R1, SM_WAKE_NOT_SEEN);
}

/* Who armed the timer at FP + ON_STACK_TIMER, to FP + to. */
static void find_owner(const struct build *u, int to)
{
	struct sm_bpf_asm *a = u->a;
	size_t none;

	sm_bpf_set(a, R1, -1);
	sm_bpf_store(a, BPF_DW, FP, to, R1);
	if (u->w->owners_fd < 0)
		return;
	sm_bpf_map_lookup(a, u->w->owners_fd, ON_STACK_TIMER);
	none = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	copy(u, FP, to, R0, 0, 8); /* struct sm_timer_key: owner */
	sm_bpf_land(a, none);
}

/* --- entry into idle, and exit -------------------------------------------------------
 */

/* R1 = log2(R2), both unsigned; R2 = 0 counts as 1. */
static void take_log2(const struct build *u)
{
	sm_bpf_set(u->a, R1, 0);
	for (int shift = 32; shift; shift /= 2) {
		size_t less;

		sm_bpf_mov(u->a, R3, R2);
		sm_bpf_alu_imm(u->a, BPF_RSH, R3, shift);
		less = sm_bpf_jump(u->a, BPF_JEQ, R3, 0);
		sm_bpf_mov(u->a, R2, R3);
		sm_bpf_alu_imm(u->a, BPF_ADD, R1, shift);
		sm_bpf_land(u->a, less);
	}
}

/* The length of the sleep: R1 = log2(2 * (length / 1024)), at most the last bucket. */
static void count_length(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;

	get(u, R2, OF(slept_ns));
	sm_bpf_alu_imm(a, BPF_RSH, R2, 10);
	sm_bpf_alu_imm(a, BPF_LSH, R2, 1);
	take_log2(u);
	sm_bpf_at_most(a, R1, SM_WAKE_BUCKETS - 1);
	sm_bpf_alu_imm(a, BPF_LSH, R1, 3);
	sm_bpf_mov(a, R2, CPU);
	sm_bpf_alu(a, BPF_ADD, R2, R1);
	sm_bpf_add_one(a, R2, OF(sleeps));
}

/* The key, of the cause; without one, of the sender that set the flag. */
static void make_key(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t known, nobody;

	get(u, R1, OF(cause));
	known = sm_bpf_jump(a, BPF_JNE, R1, SM_WAKE_UNKNOWN);
	get(u, R2, OF(sender.time_ns));
	nobody = sm_bpf_jump(a, BPF_JEQ, R2, 0);
	copy(u, CPU, OF(owner), CPU, OF(sender.task), 8);
	copy(u, CPU, OF(id), CPU, OF(sender.func), 8);
	sm_bpf_set(a, R1, SM_WAKE_FLAG);
	sm_bpf_land(a, known);
	sm_bpf_land(a, nobody);
	sm_bpf_store(a, BPF_W, FP, KEY(cause), R1);
	sm_bpf_load(a, BPF_W, R1, FP, ON_STACK_CPU);
	sm_bpf_store(a, BPF_W, FP, KEY(cpu), R1);
	copy(u, FP, KEY(id), CPU, OF(id), 8);
	copy(u, FP, KEY(owner), CPU, OF(owner), 8);
}

/* COUNTS = the key's counters, which are made if there are none; jumps when there is no
 * room. */
static size_t find_counts(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t found, full;

	sm_bpf_map_lookup(a, u->w->counts_fd, ON_STACK_KEY);
	found = sm_bpf_jump(a, BPF_JNE, R0, 0);
	sm_bpf_clear(a, BPF_DW, FP, NEW(wakeups));
	sm_bpf_clear(a, BPF_DW, FP, NEW(slept_ns));
	sm_bpf_map_update(a, u->w->counts_fd, ON_STACK_KEY, ON_STACK_COUNTS, BPF_NOEXIST);
	sm_bpf_map_lookup(a, u->w->counts_fd, ON_STACK_KEY);
	full = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	sm_bpf_land(a, found);
	sm_bpf_mov(a, COUNTS, R0);
	return full;
}

static void count_sleep(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t full, done;

	count_length(u);
	make_key(u);
	full = find_counts(u);
	sm_bpf_add_one(a, COUNTS, (int)offsetof(struct sm_wake_counts, wakeups));
	get(u, R2, OF(slept_ns));
	sm_bpf_add(a, COUNTS, (int)offsetof(struct sm_wake_counts, slept_ns), R2);
	done = sm_bpf_jump(a, BPF_JA, R0, 0);
	sm_bpf_land(a, full);
	sm_bpf_add_one(a, CPU, OF(lost));
	sm_bpf_land(a, done);
}

/* A sender of just before the entry is that of this sleep. */
static void begin_sleep(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t old;

	put_imm(u, OF(interrupts), 0);
	put_imm(u, OF(cause), SM_WAKE_UNKNOWN);
	put_imm(u, OF(id), 0);
	put_imm(u, OF(owner), 0);
	put(u, OF(entered_ns), NOW);
	put_imm(u, OF(sender.time_ns), 0);
	get(u, R1, OF(early.time_ns));
	sm_bpf_alu_imm(a, BPF_ADD, R1, EARLY_NS);
	old = sm_bpf_jump_reg(a, BPF_JLT, R1, NOW);
	copy(u, CPU, OF(sender), CPU, OF(early), sizeof(struct sm_wake_sender));
	sm_bpf_land(a, old);
	put_imm(u, OF(early.time_ns), 0);
	put_imm(u, OF(phase), SM_WAKE_ASLEEP);
}

static void end_sleep(struct build *u)
{
	get(u, R1, OF(phase));
	leave_if(u, BPF_JNE, R1, SM_WAKE_ASLEEP);
	put(u, OF(exited_ns), NOW);
	get(u, R1, OF(entered_ns));
	sm_bpf_alu(u->a, BPF_SUB, NOW, R1);
	put(u, OF(slept_ns), NOW);
	put_imm(u, OF(phase), SM_WAKE_AWAKE);
}

/* cpu_idle(state, cpu): the state, or -1 at the exit. */
static void idle(struct build *u)
{
	size_t exits, first, done;

	get_int(u, ARG, 0);
	find_this_cpu(u);
	get_time(u);
	exits = sm_bpf_jump(u->a, BPF_JEQ, ARG, -1);
	get(u, R1, OF(phase));
	first = sm_bpf_jump(u->a, BPF_JNE, R1, SM_WAKE_AWAKE);
	count_sleep(u);
	sm_bpf_land(u->a, first);
	begin_sleep(u);
	done = sm_bpf_jump(u->a, BPF_JA, R0, 0);
	sm_bpf_land(u->a, exits);
	end_sleep(u);
	sm_bpf_land(u->a, done);
}

/* From the first sleep on whose entry idle() has seen. */
static void count_exits(struct build *u)
{
	get_int(u, ARG, 0);
	leave_if(u, BPF_JNE, ARG, -1);
	find_this_cpu(u);
	get(u, R1, OF(phase));
	leave_if(u, BPF_JEQ, R1, SM_WAKE_NOT_SEEN);
	sm_bpf_add_one(u->a, CPU, OF(exits));
}

/* --- interrupts ----------------------------------------------------------------------
 */

static void set_flag(struct build *u)
{
	find_this_cpu(u);
	put_imm(u, u->p->what, 1);
}

static void clear_flag(struct build *u)
{
	find_this_cpu(u);
	put_imm(u, u->p->what, 0);
}

/* Goes on only in the first interrupt of a sleep. */
static void only_first(struct build *u)
{
	only_idle(u);
	get(u, R1, OF(interrupts));
	sm_bpf_mov(u->a, R2, R1);
	sm_bpf_alu_imm(u->a, BPF_ADD, R2, 1);
	put(u, OF(interrupts), R2);
	leave_if(u, BPF_JNE, R1, 0);
}

/* irq_handler_entry(irq, action) */
static void device(struct build *u)
{
	get_int(u, ARG, 0);
	set_flag(u);
	only_first(u);
	put_imm(u, OF(cause), SM_WAKE_IRQ);
	put(u, OF(id), ARG);
}

/* NAME_entry(vector) */
static void vector(struct build *u)
{
	get_int(u, ARG, 0);
	find_this_cpu(u);
	only_first(u);
	put_imm(u, OF(cause), u->p->what);
	put(u, OF(id), ARG);
}

static void take_sender(const struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t known, done;

	put_imm(u, OF(cause), u->p->what);
	get(u, R1, OF(sender.time_ns));
	known = sm_bpf_jump(a, BPF_JNE, R1, 0);
	put_imm(u, OF(id), 0);
	put_imm(u, OF(owner), -1);
	done = sm_bpf_jump(a, BPF_JA, R0, 0);
	sm_bpf_land(a, known);
	copy(u, CPU, OF(id), CPU, OF(sender.func), 8);
	copy(u, CPU, OF(owner), CPU, OF(sender.task), 8);
	sm_bpf_land(a, done);
}

/* reschedule_entry(vector), call_function_entry(vector): sent by another CPU */
static void sent_vector(struct build *u)
{
	find_this_cpu(u);
	only_first(u);
	take_sender(u);
}

/* ipi_entry(reason), in the handler of an interrupt */
static void ipi(struct build *u)
{
	find_this_cpu(u);
	only_idle(u);
	get(u, R1, OF(interrupts));
	leave_if(u, BPF_JGT, R1, 1);
	get(u, R1, OF(cause));
	leave_if(u, BPF_JGT, R1, SM_WAKE_IRQ);
	put_imm(u, OF(interrupts), 1);
	take_sender(u);
}

/* --- timers --------------------------------------------------------------------------
 */

/* The context's timer is that whose callback runs. */
static void begin_timer(struct build *u)
{
	sm_bpf_load(u->a, BPF_DW, ARG, R1, 0);
	find_this_cpu(u);
	put(u, OF(timer), ARG);
	only_idle(u);
}

static void take_timer(struct build *u)
{
	sm_bpf_store(u->a, BPF_DW, FP, ON_STACK_TIMER, ARG);
	find_owner(u, KEY(owner));
	put_imm(u, OF(cause), u->p->what);
	put_imm(u, OF(interrupts), 1);
	copy(u, CPU, OF(id), FP, KEY(id), 8);
	copy(u, CPU, OF(owner), FP, KEY(owner), 8);
}

static void read_timer(const struct build *u)
{
	sm_timerlayout_read(u->a, &u->w->at, u->p->what == SM_WAKE_HRTIMER, ARG, KEY(id),
		ON_STACK_KIND);
}

/* hrtimer_expire_entry(timer, now): the first one of the first interrupt, which is the
 * timer interrupt, on some machines a device interrupt. */
static void hrtimer(struct build *u)
{
	begin_timer(u);
	get(u, R1, OF(interrupts));
	leave_if(u, BPF_JGT, R1, 1);
	get(u, R1, OF(cause));
	leave_if(u, BPF_JGT, R1, SM_WAKE_IRQ);
	read_timer(u);
	take_timer(u);
}

/* timer_expire_entry(timer, clock): after the tick, which is an hrtimer that no task
 * armed, in the timer softirq of the first interrupt. */
static void wheel(struct build *u)
{
	size_t clock;

	begin_timer(u);
	get(u, R1, OF(interrupts));
	leave_if(u, BPF_JNE, R1, 1);
	get(u, R1, OF(cause));
	clock = sm_bpf_jump(u->a, BPF_JEQ, R1, SM_WAKE_CLOCK);
	leave_if(u, BPF_JNE, R1, SM_WAKE_HRTIMER);
	get(u, R1, OF(owner));
	sm_bpf_alu_imm(u->a, BPF_ADD, R1, 1); /* unknown: 0, none: 1 */
	leave_if(u, BPF_JGT, R1, 1);
	sm_bpf_land(u->a, clock);
	read_timer(u);
	sm_bpf_load(u->a, BPF_DW, R1, FP, ON_STACK_KIND);
	leave_if(u, BPF_JEQ, R1, SM_TIMER_DEFERRABLE);
	take_timer(u);
}

/* --- senders -------------------------------------------------------------------------
 */

/* The sender is the current task; in the callback of a timer the timer's owner; in
 * another interrupt no task. */
static void find_sender(struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t no_timer, in_timer, in_task;

	sm_bpf_call(a, SM_BPF_GET_CURRENT_PID_TGID);
	sm_bpf_store(a, BPF_DW, FP, SENT(task), R0);
	get(u, R1, OF(timer));
	no_timer = sm_bpf_jump(a, BPF_JEQ, R1, 0);
	sm_bpf_store(a, BPF_DW, FP, ON_STACK_TIMER, R1);
	find_owner(u, SENT(task));
	in_timer = sm_bpf_jump(a, BPF_JA, R0, 0);
	sm_bpf_land(a, no_timer);
	get(u, R1, OF(in_irq));
	get(u, R2, OF(in_softirq));
	sm_bpf_alu(a, BPF_OR, R1, R2);
	in_task = sm_bpf_jump(a, BPF_JEQ, R1, 0);
	sm_bpf_clear(a, BPF_DW, FP, SENT(task));
	sm_bpf_land(a, in_timer);
	sm_bpf_land(a, in_task);
}

/* The sender's event may come up to EARLY_NS after the exit that it caused. */
static void keep_sender(struct build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t asleep, just_awake;

	get(u, R1, OF(phase));
	asleep = sm_bpf_jump(a, BPF_JEQ, R1, SM_WAKE_ASLEEP);
	get(u, R1, OF(exited_ns));
	sm_bpf_alu_imm(a, BPF_ADD, R1, EARLY_NS);
	just_awake = sm_bpf_jump_reg(a, BPF_JGT, R1, NOW);
	copy(u, CPU, OF(early), FP, ON_STACK_SENDER, sizeof(struct sm_wake_sender));
	leave(u, sm_bpf_jump(a, BPF_JA, R0, 0));
	sm_bpf_land(a, asleep);
	sm_bpf_land(a, just_awake);
	get(u, R1, OF(sender.time_ns));
	leave_if(u, BPF_JNE, R1, 0);
	copy(u, CPU, OF(sender), FP, ON_STACK_SENDER, sizeof(struct sm_wake_sender));
}

/* SENT(func) and ARG, the other CPU, are set. */
static void send(struct build *u)
{
	find_this_cpu(u);
	find_sender(u);
	get_time(u);
	sm_bpf_store(u->a, BPF_DW, FP, SENT(time_ns), NOW);
	find_cpu(u, ARG);
	keep_sender(u);
}

/* csd_queue_cpu(cpu, callsite, func, csd), then ipi_send_cpu(cpu, callsite, callback) */
static void send_ipi(struct build *u)
{
	sm_bpf_load(u->a, BPF_DW, R2, R1, 2 * 8);
	sm_bpf_store(u->a, BPF_DW, FP, SENT(func), R2);
	get_int(u, ARG, 0);
	send(u);
}

/* sched_wake_idle_without_ipi(cpu) */
static void send_flag(struct build *u)
{
	sm_bpf_clear(u->a, BPF_DW, FP, SENT(func));
	get_int(u, ARG, 0);
	send(u);
}

/* --- attaching -----------------------------------------------------------------------
 */

/* Of the vectors each machine has its own.  The programs that fill in come before the one
 * that counts. */
static const struct program programs[] = {
	{"wake_irq", "irq_handler_entry", device, OF(in_irq), true},
	{"wake_irq_end", "irq_handler_exit", clear_flag, OF(in_irq), true},
	{"wake_soft", "softirq_entry", set_flag, OF(in_softirq), true},
	{"wake_soft_end", "softirq_exit", clear_flag, OF(in_softirq), true},
	{"wake_hr", "hrtimer_expire_entry", hrtimer, SM_WAKE_HRTIMER, true},
	{"wake_hr_end", "hrtimer_expire_exit", clear_flag, OF(timer), true},
	{"wake_wheel", "timer_expire_entry", wheel, SM_WAKE_WHEEL, true},
	{"wake_wheel_end", "timer_expire_exit", clear_flag, OF(timer), true},
	{"wake_ipi", "ipi_entry", ipi, SM_WAKE_CALL, false},
	{"wake_clock", "local_timer_entry", vector, SM_WAKE_CLOCK, false},
	{"wake_resched", "reschedule_entry", sent_vector, SM_WAKE_RESCHEDULE, false},
	{"wake_call", "call_function_entry", sent_vector, SM_WAKE_CALL, false},
	{"wake_call_one", "call_function_single_entry", sent_vector, SM_WAKE_CALL, false},
	{"wake_work", "irq_work_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_platform", "x86_platform_ipi_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_thermal", "thermal_apic_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_threshold", "threshold_apic_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_error", "error_apic_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_spurious", "spurious_apic_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_queue", "csd_queue_cpu", send_ipi, 0, false},
	{"wake_send", "ipi_send_cpu", send_ipi, 0, false},
	{"wake_send_flag", "sched_wake_idle_without_ipi", send_flag, 0, false},
	{"wake_exits", "cpu_idle", count_exits, 0, true},
	{"wake_idle", "cpu_idle", idle, 0, true},
};

_Static_assert(sizeof(programs) / sizeof(programs[0]) <= SM_WAKEPROG_MAX, "programs");

static int attach(struct sm_wakeprog *w, size_t i, struct sm_bpf_log *log)
{
	struct bpf_insn insn[INSN_MAX];
	struct sm_bpf_asm a = {.insn = insn, .cap = INSN_MAX};
	struct build u = {.a = &a, .w = w, .p = &programs[i]};
	SM_CLOSE_FD int prog = -1;

	programs[i].assemble(&u);
	finish(&u);
	prog = sm_bpf_prog_load(programs[i].name, SM_BPF_PROG_RAW_TRACEPOINT, &a, log);
	if (prog < 0)
		return prog;
	w->attached[i] = sm_bpf_attach_raw_tracepoint(programs[i].tracepoint, prog);
	if (w->attached[i] == -ENOENT && !programs[i].required)
		return 0;
	return w->attached[i] < 0 ? w->attached[i] : 0;
}

int sm_wakeprog_attach(struct sm_wakeprog *w, struct sm_bpf_log *log)
{
	int err = 0;

	for (size_t i = 0; i < SM_WAKEPROG_MAX; i++)
		w->attached[i] = -1;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]) && !err; i++)
		err = attach(w, i, log);
	return err;
}

void sm_wakeprog_detach(struct sm_wakeprog *w)
{
	for (size_t i = 0; i < SM_WAKEPROG_MAX; i++)
		sm_base_close_fd(&w->attached[i]);
}
