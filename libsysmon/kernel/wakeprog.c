// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "kernel/wakeasm.h"
#include "kernel/wakesend.h"

#define INSN_MAX 256

enum { R0, R1, R2, R3 };

/* --- entry into idle, and exit ----------------------------------------------------- */

/* R1 = log2(R2), both unsigned; R2 = 0 counts as 1. */
static void take_log2(const struct sm_wake_build *u)
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
static void count_length(const struct sm_wake_build *u)
{
	struct sm_bpf_asm *a = u->a;

	sm_wake_get(u, R2, OF(slept_ns));
	sm_bpf_alu_imm(a, BPF_RSH, R2, 10);
	sm_bpf_alu_imm(a, BPF_LSH, R2, 1);
	take_log2(u);
	sm_bpf_at_most(a, R1, SM_WAKE_BUCKETS - 1);
	sm_bpf_alu_imm(a, BPF_LSH, R1, 3);
	sm_bpf_mov(a, R2, CPU);
	sm_bpf_alu(a, BPF_ADD, R2, R1);
	sm_bpf_add_one(a, R2, OF(sleeps));
}

/* Whoever sent the interrupt or, without one, set the flag, becomes the owner. */
static void take_sender(const struct sm_wake_build *u, enum sm_wake_cause cause)
{
	sm_wake_put_imm(u, OF(cause), (int32_t)cause);
	sm_wake_copy(u, CPU, OF(id), CPU, OF(sender.func), 8);
	sm_wake_copy(u, CPU, OF(owner), CPU, OF(sender.task.ids), 8);
	sm_wake_copy(
		u, CPU, OF(named), CPU, OF(sender.task), sizeof(struct sm_wake_task));
}

/* Without an interrupt, or after one that did not end the polling. */
static void find_setter(const struct sm_wake_build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t nobody, none, halted, earlier;

	sm_wake_get(u, R1, OF(sender.time_ns));
	nobody = sm_bpf_jump(a, BPF_JEQ, R1, 0);
	sm_wake_get(u, R2, OF(cause));
	none = sm_bpf_jump(a, BPF_JEQ, R2, SM_WAKE_UNKNOWN);
	sm_wake_get(u, R1, OF(polls));
	halted = sm_bpf_jump(a, BPF_JEQ, R1, 0);
	sm_wake_get(u, R1, OF(flagged_ns));
	sm_wake_get(u, R2, OF(cause_ns));
	earlier = sm_bpf_jump_reg(a, BPF_JLE, R1, R2);
	sm_bpf_land(a, none);
	take_sender(u, SM_WAKE_FLAG);
	sm_bpf_land(a, nobody);
	sm_bpf_land(a, halted);
	sm_bpf_land(a, earlier);
}

/* R1 = *(CPU + member) + SM_WAKESEND_EARLY_NS */
static void get_soon_after(const struct sm_wake_build *u, int member)
{
	sm_wake_get(u, R1, member);
	sm_bpf_alu_imm(u->a, BPF_ADD, R1, SM_WAKESEND_EARLY_NS);
}

/* The polling ended without an event, and the CPU sleeps again at once. */
static void find_limit(const struct sm_wake_build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t halted, flagged, ran, woken;

	sm_wake_get(u, R1, OF(polls));
	halted = sm_bpf_jump(a, BPF_JEQ, R1, 0);
	sm_wake_get(u, R1, OF(cause));
	flagged = sm_bpf_jump(a, BPF_JEQ, R1, SM_WAKE_FLAG);
	get_soon_after(u, OF(exited_ns));
	ran = sm_bpf_jump_reg(a, BPF_JLT, R1, NOW);
	get_soon_after(u, OF(cause_ns));
	sm_wake_get(u, R2, OF(exited_ns));
	woken = sm_bpf_jump_reg(a, BPF_JGT, R1, R2);
	sm_wake_put_imm(u, OF(cause), SM_WAKE_LIMIT);
	sm_wake_put_imm(u, OF(id), 0);
	sm_wake_put_imm(u, OF(owner), 0);
	sm_bpf_land(a, halted);
	sm_bpf_land(a, flagged);
	sm_bpf_land(a, ran);
	sm_bpf_land(a, woken);
}

/* sched_wakeup comes after the interrupt was sent. */
static void find_late_sender(const struct sm_wake_build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t other, known, nobody;

	sm_wake_get(u, R1, OF(cause));
	other = sm_bpf_jump(a, BPF_JNE, R1, SM_WAKE_RESCHEDULE);
	sm_wake_get(u, R1, OF(owner));
	known = sm_bpf_jump(a, BPF_JNE, R1, -1);
	sm_wake_get(u, R1, OF(sender.time_ns));
	nobody = sm_bpf_jump(a, BPF_JEQ, R1, 0);
	take_sender(u, SM_WAKE_RESCHEDULE);
	sm_bpf_land(a, other);
	sm_bpf_land(a, known);
	sm_bpf_land(a, nobody);
}

static void make_key(const struct sm_wake_build *u)
{
	sm_wake_get(u, R1, OF(cause));
	sm_bpf_store(u->a, BPF_W, FP, KEY(cause), R1);
	sm_bpf_load(u->a, BPF_W, R1, FP, ON_STACK_CPU);
	sm_bpf_store(u->a, BPF_W, FP, KEY(cpu), R1);
	sm_wake_copy(u, FP, KEY(id), CPU, OF(id), 8);
	sm_wake_copy(u, FP, KEY(owner), CPU, OF(owner), 8);
}

/* New counters, with the name of an owner that came with it. */
static void make_counts(const struct sm_wake_build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t other;

	for (int i = 0; i < (int)sizeof(struct sm_wake_counts); i += 8)
		sm_bpf_clear(a, BPF_DW, FP, ON_STACK_COUNTS + i);
	sm_wake_get(u, R1, OF(owner));
	sm_wake_get(u, R2, OF(named.ids));
	other = sm_bpf_jump_reg(a, BPF_JNE, R1, R2);
	sm_wake_copy(u, FP, NEW(comm), CPU, OF(named.comm), SM_TASK_COMM_LEN);
	sm_bpf_land(a, other);
	sm_bpf_map_update(a, u->w->counts_fd, ON_STACK_KEY, ON_STACK_COUNTS, BPF_NOEXIST);
}

_Static_assert(sizeof(struct sm_wake_sum) == 16 &&
		       offsetof(struct sm_wake_sum, wakeups) ==
			       offsetof(struct sm_wake_counts, wakeups) &&
		       offsetof(struct sm_wake_sum, slept_ns) ==
			       offsetof(struct sm_wake_counts, slept_ns),
	"counted by the same instructions");

/* R0 = the CPU's sum of this cause, for want of room. */
static void find_sum(const struct sm_wake_build *u)
{
	sm_wake_get(u, R1, OF(cause));
	sm_bpf_at_most(u->a, R1, SM_WAKE_CAUSES - 1);
	sm_bpf_alu_imm(u->a, BPF_LSH, R1, 4);
	sm_bpf_address(u->a, R0, CPU, OF(lost));
	sm_bpf_alu(u->a, BPF_ADD, R0, R1);
}

/* COUNTS = the key's counters, which are made if there are none, or else the CPU's sum.
 */
static void find_counts(const struct sm_wake_build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t found, made;

	sm_bpf_map_lookup(a, u->w->counts_fd, ON_STACK_KEY);
	found = sm_bpf_jump(a, BPF_JNE, R0, 0);
	make_counts(u);
	sm_bpf_map_lookup(a, u->w->counts_fd, ON_STACK_KEY);
	made = sm_bpf_jump(a, BPF_JNE, R0, 0);
	find_sum(u);
	sm_bpf_land(a, found);
	sm_bpf_land(a, made);
	sm_bpf_mov(a, COUNTS, R0);
}

static void count_sleep(const struct sm_wake_build *u)
{
	count_length(u);
	find_setter(u);
	find_late_sender(u);
	find_limit(u);
	make_key(u);
	find_counts(u);
	sm_bpf_add_one(u->a, COUNTS, (int)offsetof(struct sm_wake_counts, wakeups));
	sm_wake_get(u, R2, OF(slept_ns));
	sm_bpf_add(u->a, COUNTS, (int)offsetof(struct sm_wake_counts, slept_ns), R2);
}

/* ARG: the idle state. */
static void begin_polling(const struct sm_wake_build *u)
{
	size_t other;

	sm_wake_put_imm(u, OF(polls), 0);
	other = sm_bpf_jump(u->a, BPF_JNE, ARG, 0);
	sm_wake_put_imm(u, OF(polls), u->w->zero_polls);
	sm_bpf_land(u->a, other);
}

/* A sender of just before the entry is that of this sleep. */
static void begin_sleep(const struct sm_wake_build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t old;

	begin_polling(u);
	sm_wake_put_imm(u, OF(interrupts), 0);
	sm_wake_put_imm(u, OF(cause_ns), 0);
	sm_wake_put_imm(u, OF(flagged_ns), 0);
	sm_wake_put_imm(u, OF(cause), SM_WAKE_UNKNOWN);
	sm_wake_put_imm(u, OF(id), 0);
	sm_wake_put_imm(u, OF(owner), 0);
	sm_wake_put(u, OF(entered_ns), NOW);
	sm_wake_put_imm(u, OF(sender.time_ns), 0);
	get_soon_after(u, OF(early.time_ns));
	old = sm_bpf_jump_reg(a, BPF_JLT, R1, NOW);
	sm_wake_copy(u, CPU, OF(sender), CPU, OF(early), sizeof(struct sm_wake_sender));
	sm_bpf_land(a, old);
	sm_wake_put_imm(u, OF(early.time_ns), 0);
	sm_wake_put_imm(u, OF(phase), SM_WAKE_ASLEEP);
}

/* bpf_ktime_get_ns() may go back a little when the clock's rate is adjusted. */
static void end_sleep(struct sm_wake_build *u)
{
	size_t forward;

	sm_wake_get(u, R1, OF(phase));
	sm_wake_leave_if(u, BPF_JNE, R1, SM_WAKE_ASLEEP);
	sm_wake_put(u, OF(exited_ns), NOW);
	sm_wake_get(u, R1, OF(entered_ns));
	forward = sm_bpf_jump_reg(u->a, BPF_JGE, NOW, R1);
	sm_bpf_mov(u->a, NOW, R1);
	sm_bpf_land(u->a, forward);
	sm_bpf_alu(u->a, BPF_SUB, NOW, R1);
	sm_wake_put(u, OF(slept_ns), NOW);
	sm_wake_put_imm(u, OF(phase), SM_WAKE_AWAKE);
}

/* cpu_idle(state, cpu): the state, or -1 at the exit. */
static void idle(struct sm_wake_build *u)
{
	size_t exits, first, done;

	sm_wake_get_int(u, ARG, 0);
	sm_wake_find_this_cpu(u);
	sm_wake_get_time(u);
	exits = sm_bpf_jump(u->a, BPF_JEQ, ARG, -1);
	sm_wake_get(u, R1, OF(phase));
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
static void count_exits(struct sm_wake_build *u)
{
	sm_wake_get_int(u, ARG, 0);
	sm_wake_leave_if(u, BPF_JNE, ARG, -1);
	sm_wake_find_this_cpu(u);
	sm_wake_get(u, R1, OF(phase));
	sm_wake_leave_if(u, BPF_JEQ, R1, SM_WAKE_NOT_SEEN);
	sm_bpf_add_one(u->a, CPU, OF(exits));
}

/* --- interrupts -------------------------------------------------------------------- */

static void set_flag(struct sm_wake_build *u)
{
	sm_wake_find_this_cpu(u);
	sm_wake_put_imm(u, u->p->what, 1);
}

static void clear_flag(struct sm_wake_build *u)
{
	sm_wake_find_this_cpu(u);
	sm_wake_put_imm(u, u->p->what, 0);
}

/* Jumps if the interrupt found the CPU polling, which goes on after an interrupt that
 * wakes nobody. */
static size_t while_polling(const struct sm_wake_build *u)
{
	struct sm_bpf_asm *a = u->a;
	size_t halted, awake, nested, polling;

	sm_wake_get(u, R2, OF(polls));
	halted = sm_bpf_jump(a, BPF_JEQ, R2, 0);
	sm_wake_get(u, R2, OF(phase));
	awake = sm_bpf_jump(a, BPF_JNE, R2, SM_WAKE_ASLEEP);
	sm_wake_get(u, R2, OF(in_softirq));
	nested = sm_bpf_jump(a, BPF_JNE, R2, 0);
	polling = sm_bpf_jump(a, BPF_JA, R0, 0);
	sm_bpf_land(a, halted);
	sm_bpf_land(a, awake);
	sm_bpf_land(a, nested);
	return polling;
}

/* Goes on only in the first interrupt of a sleep; with polling in each one. */
static void only_first(struct sm_wake_build *u)
{
	size_t first, polling;

	sm_wake_only_idle(u);
	sm_wake_get(u, R1, OF(interrupts));
	first = sm_bpf_jump(u->a, BPF_JEQ, R1, 0);
	polling = while_polling(u);
	sm_wake_put_imm(u, OF(interrupts), 2);
	sm_wake_leave(u, sm_bpf_jump(u->a, BPF_JA, R0, 0));
	sm_bpf_land(u->a, first);
	sm_bpf_land(u->a, polling);
	sm_wake_put_imm(u, OF(interrupts), 1);
	sm_wake_put_imm(u, OF(owner), 0);
	sm_wake_get_time(u);
	sm_wake_put(u, OF(cause_ns), NOW);
}

/* irq_handler_entry(irq, action) */
static void device(struct sm_wake_build *u)
{
	sm_wake_get_int(u, ARG, 0);
	set_flag(u);
	only_first(u);
	sm_wake_put_imm(u, OF(cause), SM_WAKE_IRQ);
	sm_wake_put(u, OF(id), ARG);
}

/* NAME_entry(vector) */
static void vector(struct sm_wake_build *u)
{
	sm_wake_get_int(u, ARG, 0);
	sm_wake_find_this_cpu(u);
	only_first(u);
	sm_wake_put_imm(u, OF(cause), u->p->what);
	sm_wake_put(u, OF(id), ARG);
}

/* An interrupt that another CPU sent. */
static void take_sent(const struct sm_wake_build *u, enum sm_wake_cause cause)
{
	struct sm_bpf_asm *a = u->a;
	size_t known, done;

	sm_wake_get(u, R1, OF(sender.time_ns));
	known = sm_bpf_jump(a, BPF_JNE, R1, 0);
	sm_wake_put_imm(u, OF(cause), (int32_t)cause);
	sm_wake_put_imm(u, OF(id), 0);
	sm_wake_put_imm(u, OF(owner), -1);
	done = sm_bpf_jump(a, BPF_JA, R0, 0);
	sm_bpf_land(a, known);
	take_sender(u, cause);
	sm_bpf_land(a, done);
}

/* reschedule_entry(vector), call_function_entry(vector): sent by another CPU */
static void sent_vector(struct sm_wake_build *u)
{
	sm_wake_find_this_cpu(u);
	only_first(u);
	take_sent(u, (enum sm_wake_cause)u->p->what);
}

/* Ends the program if the reason begins with this letter. */
static void ipi_if(struct sm_wake_build *u, char letter, enum sm_wake_cause cause)
{
	size_t other = sm_bpf_jump(u->a, BPF_JNE, ARG, letter);

	if (cause == SM_WAKE_CLOCK)
		sm_wake_put_imm(u, OF(cause), (int32_t)cause);
	else
		take_sent(u, cause);
	sm_wake_leave(u, sm_bpf_jump(u->a, BPF_JA, R0, 0));
	sm_bpf_land(u->a, other);
}

/* ipi_entry(reason), on ARM, in the handler of an interrupt.  The reason is a text:
 * "Rescheduling interrupts", "Function call interrupts", "Timer broadcast interrupts" ...
 */
static void ipi(struct sm_wake_build *u)
{
	sm_bpf_load(u->a, BPF_DW, ARG, R1, 0);
	sm_wake_find_this_cpu(u);
	sm_wake_only_idle(u);
	sm_wake_get(u, R1, OF(interrupts));
	sm_wake_leave_if(u, BPF_JGT, R1, 1);
	sm_wake_get(u, R1, OF(cause));
	sm_wake_leave_if(u, BPF_JGT, R1, SM_WAKE_IRQ);
	sm_wake_put_imm(u, OF(interrupts), 1);
	sm_wake_put_imm(u, OF(id), 0);
	sm_wake_put_imm(u, OF(owner), 0);
	sm_bpf_read_kernel(u->a, ON_STACK_VALUE, 1, ARG, 0);
	sm_bpf_load(u->a, BPF_B, ARG, FP, ON_STACK_VALUE);
	ipi_if(u, 'R', SM_WAKE_RESCHEDULE);
	ipi_if(u, 'F', SM_WAKE_CALL);
	ipi_if(u, 'T', SM_WAKE_CLOCK);
	sm_wake_put_imm(u, OF(cause), SM_WAKE_VECTOR);
}

/* --- timers ------------------------------------------------------------------------ */

/* The context's timer is that whose callback runs; what it is, is on the stack.  Its
 * owner is known now: the callback of a task that sleeps removes it (hrtimer_wakeup). */
static void begin_timer(struct sm_wake_build *u)
{
	sm_bpf_load(u->a, BPF_DW, ARG, R1, 0);
	sm_wake_find_this_cpu(u);
	sm_wake_put(u, OF(timer), ARG);
	sm_wake_read_timer(u, u->p->what == SM_WAKE_HRTIMER);
	sm_wake_copy(u, CPU, OF(timer_owner), FP, KEY(owner), 8);
	sm_wake_only_idle(u);
}

static void take_timer(struct sm_wake_build *u)
{
	sm_wake_put_imm(u, OF(cause), u->p->what);
	sm_wake_put_imm(u, OF(interrupts), 1);
	sm_wake_copy(u, CPU, OF(id), FP, KEY(id), 8);
	sm_wake_copy(u, CPU, OF(owner), FP, KEY(owner), 8);
}

/* hrtimer_expire_entry(timer, now): the first one of the first interrupt, which is the
 * timer interrupt, on some machines a device interrupt. */
static void hrtimer(struct sm_wake_build *u)
{
	begin_timer(u);
	sm_wake_get(u, R1, OF(interrupts));
	sm_wake_leave_if(u, BPF_JGT, R1, 1);
	sm_wake_get(u, R1, OF(cause));
	sm_wake_leave_if(u, BPF_JGT, R1, SM_WAKE_IRQ);
	take_timer(u);
}

/* timer_expire_entry(timer, clock): in the timer softirq of the first interrupt, in which
 * the hrtimer before it was the tick. */
static void wheel(struct sm_wake_build *u)
{
	size_t clock;

	begin_timer(u);
	sm_wake_get(u, R1, OF(interrupts));
	sm_wake_leave_if(u, BPF_JNE, R1, 1);
	sm_wake_get(u, R1, OF(cause));
	clock = sm_bpf_jump(u->a, BPF_JEQ, R1, SM_WAKE_CLOCK);
	sm_wake_leave_if(u, BPF_JNE, R1, SM_WAKE_HRTIMER);
	sm_bpf_land(u->a, clock);
	sm_bpf_load(u->a, BPF_DW, R1, FP, ON_STACK_VALUE);
	sm_wake_leave_if(u, BPF_JEQ, R1, SM_TIMER_DEFERRABLE);
	take_timer(u);
}

/* --- attaching --------------------------------------------------------------------- */

/* Of the vectors each machine has its own. */
static const struct sm_wake_program causes[] = {
	{"wake_irq", "irq_handler_entry", device, OF(in_irq), true},
	{"wake_irq_end", "irq_handler_exit", clear_flag, OF(in_irq), true},
	{"wake_soft", "softirq_entry", set_flag, OF(in_softirq), true},
	{"wake_soft_end", "softirq_exit", clear_flag, OF(in_softirq), true},
	{"wake_hr", "hrtimer_expire_entry", hrtimer, SM_WAKE_HRTIMER, true},
	{"wake_hr_end", "hrtimer_expire_exit", clear_flag, OF(timer), true},
	{"wake_wheel", "timer_expire_entry", wheel, SM_WAKE_WHEEL, true},
	{"wake_wheel_end", "timer_expire_exit", clear_flag, OF(timer), true},
	{"wake_ipi", "ipi_entry", ipi, 0, false},
	{"wake_clock", "local_timer_entry", vector, SM_WAKE_CLOCK, false},
	{"wake_resched", "reschedule_entry", sent_vector, SM_WAKE_RESCHEDULE, false},
	{"wake_call", "call_function_entry", sent_vector, SM_WAKE_CALL, false},
	{"wake_call_one", "call_function_single_entry", sent_vector, SM_WAKE_CALL, false},
	{"wake_work", "irq_work_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_platform", "x86_platform_ipi_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_thermal", "thermal_apic_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_threshold", "threshold_apic_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_deferred", "deferred_error_apic_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_error", "error_apic_entry", vector, SM_WAKE_VECTOR, false},
	{"wake_spurious", "spurious_apic_entry", vector, SM_WAKE_VECTOR, false},
};

static const struct sm_wake_program sending[] = {
	{"wake_flag", "sched_wake_idle_without_ipi", sm_wakesend_flag, 1, false},
	{"wake_queue", "csd_queue_cpu", sm_wakesend_ipi, 0, false},
	{"wake_send", "ipi_send_cpu", sm_wakesend_ipi, 0, true},
};

/* In the place of the last one. */
static const struct sm_wake_program waking[] = {
	{"wake_waking", "sched_waking", sm_wakesend_waking, 0, true},
	{"wake_woken", "sched_wakeup", sm_wakesend_woken, 0, true},
};

/* After those that find causes. */
static const struct sm_wake_program counting[] = {
	{"wake_exits", "cpu_idle", count_exits, 0, true},
	{"wake_idle", "cpu_idle", idle, 0, true},
};

_Static_assert(SM_ARRAY_SIZE(causes) + SM_ARRAY_SIZE(sending) + SM_ARRAY_SIZE(waking) +
			       SM_ARRAY_SIZE(counting) <=
		       SM_WAKEPROG_MAX,
	"programs");

static int attach(
	struct sm_wakeprog *w, const struct sm_wake_program *p, struct sm_bpf_log *log)
{
	struct bpf_insn insn[INSN_MAX];
	struct sm_bpf_asm a = {.insn = insn, .cap = INSN_MAX};
	struct sm_wake_build u = {.a = &a, .w = w, .p = p};
	SM_CLOSE_FD int prog = -1;
	int fd;

	p->assemble(&u);
	sm_wake_finish(&u);
	prog = sm_bpf_prog_load(p->name, SM_BPF_PROG_RAW_TRACEPOINT, a.insn, a.n, log);
	if (prog < 0)
		return prog;
	fd = sm_bpf_attach_raw_tracepoint(p->tracepoint, prog);
	if (fd < 0)
		return fd == -ENOENT && !p->required ? 0 : fd;
	w->attached[w->n++] = fd;
	return 0;
}

static int attach_all(struct sm_wakeprog *w, const struct sm_wake_program *p, size_t n,
	struct sm_bpf_log *log)
{
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = attach(w, &p[i], log);
	return err;
}

/* Without BTF an old kernel does not show who sends. */
static int attach_senders(
	struct sm_wakeprog *w, const struct sm_root *root, struct sm_bpf_log *log)
{
	int err = attach_all(w, sending, SM_ARRAY_SIZE(sending), log);

	if (err != -ENOENT)
		return err;
	err = sm_wakesend_open(w, root);
	if (err)
		return err == -ENOENT ? 0 : err;
	return attach_all(w, waking, SM_ARRAY_SIZE(waking), log);
}

/* Without cpuidle the tracepoint's state 0 is that of idle=poll. */
static bool does_zero_poll(const struct sm_root *root)
{
	char name[16];
	ssize_t n = sm_file_slurp_bytes(root->sys,
		"devices/system/cpu/cpu0/cpuidle/state0/name", name, sizeof(name));

	return n < 4 || !memcmp(name, "POLL", 4);
}

int sm_wakeprog_attach(
	struct sm_wakeprog *w, const struct sm_root *root, struct sm_bpf_log *log)
{
	int err;

	sm_timerlayout_find(root, &w->at);
	w->zero_polls = does_zero_poll(root);
	err = attach_all(w, causes, SM_ARRAY_SIZE(causes), log);
	if (!err)
		err = attach_senders(w, root, log);
	if (!err)
		err = attach_all(w, counting, SM_ARRAY_SIZE(counting), log);
	return err;
}

void sm_wakeprog_detach(struct sm_wakeprog *w)
{
	while (w->n > 0)
		sm_base_close_fd(&w->attached[--w->n]);
	sm_base_close_fd(&w->wakers_fd);
}
