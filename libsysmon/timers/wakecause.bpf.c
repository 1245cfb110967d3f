// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_kern.h"
#include "timers/timer_bpf.h"
#include "timers/wakecount_bpf.h"

/* The event of a sender and that of the other CPU may be swapped within this time. */
#define EARLY_NS 20000
#define WAKERS	 4096 /* a power of two */

/* The reader sets the number of CPUs. */
MAP(wake_cpus, ARRAY, BPF_F_MMAPABLE, 1, uint32_t, struct sm_wake_cpu);

/* The waker of a task, in the slot of the task's thread ID. */
struct waker {
	uint64_t tid;
	struct sm_wake_task task;
};

MAP(wake_wakers, ARRAY, 0, WAKERS, uint32_t, struct waker);

const volatile struct sm_wake_settings settings;

INLINE struct sm_wake_cpu *cpu_of(uint32_t cpu)
{
	return bpf_map_lookup_elem(&wake_cpus, &cpu);
}

INLINE struct sm_wake_cpu *this_cpu(void)
{
	return cpu_of(bpf_get_smp_processor_id());
}

/* True in the idle task, whose thread ID is 0 on all CPUs, after an entry into idle. */
INLINE bool in_idle(const struct sm_wake_cpu *c)
{
	return !bpf_get_current_pid_tgid() && c->phase != SM_WAKE_NOT_SEEN;
}

/* Sets a cause without a known task: owner is 0 or SM_TIMER_OWNER_UNKNOWN. */
INLINE void set_cause(
	struct sm_wake_cpu *c, enum sm_wake_cause cause, uint64_t id, uint64_t owner)
{
	c->cause = cause;
	c->id = id;
	c->work = 0;
	set_owner(&c->owner, owner);
	c->pays = (struct sm_wake_payer){.payer = SM_SHARES_PAYER_UNKNOWN};
}

/* Makes the task that sent the interrupt, or set the flag, the owner. */
INLINE void take_sender(struct sm_wake_cpu *c, enum sm_wake_cause cause)
{
	set_cause(c, cause, c->sender.func, 0);
	c->owner = c->sender.task.owner;
	c->pays = c->sender.task.pays;
	c->named = c->sender.task;
}

/* --- entry into idle, and exit ----------------------------------------------------- */

/* Returns the binary logarithm; 0 counts as 1. */
INLINE uint32_t log2_of(uint64_t n)
{
	uint32_t log = 0;

	for (int shift = 32; shift; shift /= 2) {
		if (n >> shift) {
			n >>= shift;
			log += shift;
		}
	}
	return log;
}

INLINE void count_length(struct sm_wake_cpu *c)
{
	uint32_t bucket = log2_of(c->slept_ns >> 10 << 1);

	if (bucket > SM_WAKE_BUCKETS - 1)
		bucket = SM_WAKE_BUCKETS - 1;
	ADD(c->sleeps[bucket], 1);
}

/* Finds the task that set the flag, without an interrupt or after one that did not end
 * the polling. */
INLINE void find_setter(struct sm_wake_cpu *c)
{
	if (!LOAD(c->sender.time_ns))
		return;
	if (c->cause == SM_WAKE_UNKNOWN || (c->polls && c->flagged_ns > c->cause_ns))
		take_sender(c, SM_WAKE_FLAG);
}

/* sched_wakeup comes after the interrupt was sent. */
INLINE void find_late_sender(struct sm_wake_cpu *c)
{
	if (c->cause == SM_WAKE_RESCHEDULE && c->owner.ids == SM_TIMER_OWNER_UNKNOWN &&
		LOAD(c->sender.time_ns))
		take_sender(c, SM_WAKE_RESCHEDULE);
}

/* Detects polling that ended without an event, after which the CPU idles again at once.
 */
INLINE void find_limit(struct sm_wake_cpu *c, uint64_t now)
{
	if (c->polls && c->cause != SM_WAKE_FLAG && c->exited_ns + EARLY_NS >= now &&
		c->cause_ns + EARLY_NS <= c->exited_ns)
		set_cause(c, SM_WAKE_LIMIT, 0, 0);
}

INLINE void count_sleep(struct sm_wake_cpu *c, uint32_t cpu, uint64_t now)
{
	struct sm_wake_key key = {.cpu = cpu};

	count_length(c);
	find_setter(c);
	find_late_sender(c);
	find_limit(c, now);
	key.cause = c->cause;
	key.work = c->work;
	key.woke = c->woke;
	if (c->woke)
		__builtin_memcpy(key.woke_comm, c->woke_comm, sizeof(key.woke_comm));
	key.id = c->id;
	key.owner = c->owner;
	add_sleep(c, &key);
}

/* Writes the time last: while it is 0, the CPU does not read the other members. */
INLINE void copy_sender(struct sm_wake_sender *to, const struct sm_wake_sender *from)
{
	to->task = from->task;
	to->func = from->func;
	barrier();
	STORE(to->time_ns, from->time_ns);
}

/* A sender immediately before the entry belongs to this idle period. */
INLINE void begin_sleep(struct sm_wake_cpu *c, int state, uint64_t now)
{
	c->polls = state == 0 && settings.zero_polls;
	c->interrupts = 0;
	c->cause_ns = 0;
	c->flagged_ns = 0;
	c->woke = SM_WAKE_WOKE_NOTHING;
	set_cause(c, SM_WAKE_UNKNOWN, 0, 0);
	c->entered_ns = now;
	STORE(c->sender.time_ns, 0);
	if (LOAD(c->early.time_ns) + EARLY_NS >= now)
		copy_sender(&c->sender, &c->early);
	STORE(c->early.time_ns, 0);
	STORE(c->phase, SM_WAKE_ASLEEP);
}

/* bpf_ktime_get_ns() may go back a little when the clock's rate is adjusted. */
INLINE void end_sleep(struct sm_wake_cpu *c, uint64_t now)
{
	if (c->phase != SM_WAKE_ASLEEP)
		return;
	c->exited_ns = now;
	c->slept_ns = now < c->entered_ns ? 0 : now - c->entered_ns;
	STORE(c->phase, SM_WAKE_AWAKE);
}

/* cpu_idle(state, cpu): the state, or -1 at the exit. */
SEC("raw_tp/cpu_idle") int wake_idle(uint64_t *ctx)
{
	uint32_t cpu = bpf_get_smp_processor_id();
	struct sm_wake_cpu *c = cpu_of(cpu);
	uint64_t now = bpf_ktime_get_ns();
	int state = ctx[0];

	if (!c)
		return 0;
	if (state == -1) {
		end_sleep(c, now);
		return 0;
	}
	if (c->phase == SM_WAKE_AWAKE)
		count_sleep(c, cpu, now);
	begin_sleep(c, state, now);
	return 0;
}

/* Counts exits, starting with the first idle period that wake_idle() has seen. */
SEC("raw_tp/cpu_idle") int wake_exits(uint64_t *ctx)
{
	struct sm_wake_cpu *c;

	if ((int)ctx[0] != -1)
		return 0;
	c = this_cpu();
	if (c && c->phase != SM_WAKE_NOT_SEEN)
		ADD(c->exits, 1);
	return 0;
}

/* sched_switch(preempt, previous, next): the first switch of the idle task after the exit
 * shows who runs.  Old kernels leave bytes after the end of a name. */
SEC("raw_tp/sched_switch") int wake_ran(uint64_t *ctx)
{
	const struct task_struct *next = (void *)ctx[2];
	struct sm_wake_cpu *c = NULL;

	if (!bpf_get_current_pid_tgid())
		c = this_cpu();
	if (!c || c->phase != SM_WAKE_AWAKE || c->woke)
		return 0;
	c->woke = is_kthread(next) ? SM_WAKE_WOKE_KTHREAD : SM_WAKE_WOKE_TASK;
	__builtin_memset(c->woke_comm, 0, sizeof(c->woke_comm));
	bpf_probe_read_kernel_str(c->woke_comm, sizeof(c->woke_comm), next->comm);
	return 0;
}

/* --- interrupts -------------------------------------------------------------------- */

#define SET(name, tracepoint, member, value)              \
	SEC("raw_tp/" tracepoint) int name(uint64_t *ctx) \
	{                                                 \
		struct sm_wake_cpu *c = this_cpu();       \
                                                          \
		(void)ctx;                                \
		if (c)                                    \
			STORE(c->member, value);          \
		return 0;                                 \
	}

SET(wake_irq_end, "irq_handler_exit", in_irq, 0)
SET(wake_soft, "softirq_entry", in_softirq, 1)
SET(wake_soft_end, "softirq_exit", in_softirq, 0)
SET(wake_hr_end, "hrtimer_expire_exit", timer, 0)
SET(wake_wheel_end, "timer_expire_exit", timer, 0)

/* True if the CPU polls; polling continues after an interrupt that wakes no task. */
INLINE bool is_polling(const struct sm_wake_cpu *c)
{
	return c->polls && c->phase == SM_WAKE_ASLEEP && !c->in_softirq;
}

/* True in the first interrupt of an idle period; while polling, in each interrupt. */
INLINE bool is_first(struct sm_wake_cpu *c)
{
	if (!in_idle(c))
		return false;
	if (c->interrupts && !is_polling(c)) {
		c->interrupts = 2;
		return false;
	}
	c->interrupts = 1;
	c->cause_ns = bpf_ktime_get_ns();
	return true;
}

/* irq_handler_entry(irq, action) */
SEC("raw_tp/irq_handler_entry") int wake_irq(uint64_t *ctx)
{
	struct sm_wake_cpu *c = this_cpu();

	if (!c)
		return 0;
	STORE(c->in_irq, 1);
	if (is_first(c))
		set_cause(c, SM_WAKE_IRQ, (int)ctx[0], 0);
	return 0;
}

/* NAME_entry(vector): an interrupt of the CPU itself. */
INLINE int vector(uint64_t *ctx, enum sm_wake_cause cause)
{
	struct sm_wake_cpu *c = this_cpu();

	if (c && is_first(c))
		set_cause(c, cause, (int)ctx[0], 0);
	return 0;
}

/* An interrupt that another CPU sent. */
INLINE void take_sent(struct sm_wake_cpu *c, enum sm_wake_cause cause)
{
	if (LOAD(c->sender.time_ns))
		take_sender(c, cause);
	else
		set_cause(c, cause, 0, SM_TIMER_OWNER_UNKNOWN);
}

INLINE int sent_vector(enum sm_wake_cause cause)
{
	struct sm_wake_cpu *c = this_cpu();

	if (c && is_first(c))
		take_sent(c, cause);
	return 0;
}

#define VECTOR(name, tracepoint, call)                    \
	SEC("raw_tp/" tracepoint) int name(uint64_t *ctx) \
	{                                                 \
		(void)ctx;                                \
		return call;                              \
	}

/* Each machine has some of these vectors. */
VECTOR(wake_clock, "local_timer_entry", vector(ctx, SM_WAKE_CLOCK))
VECTOR(wake_work, "irq_work_entry", vector(ctx, SM_WAKE_VECTOR))
VECTOR(wake_platform, "x86_platform_ipi_entry", vector(ctx, SM_WAKE_VECTOR))
VECTOR(wake_thermal, "thermal_apic_entry", vector(ctx, SM_WAKE_VECTOR))
VECTOR(wake_threshold, "threshold_apic_entry", vector(ctx, SM_WAKE_VECTOR))
VECTOR(wake_deferred, "deferred_error_apic_entry", vector(ctx, SM_WAKE_VECTOR))
VECTOR(wake_error, "error_apic_entry", vector(ctx, SM_WAKE_VECTOR))
VECTOR(wake_spurious, "spurious_apic_entry", vector(ctx, SM_WAKE_VECTOR))
VECTOR(wake_resched, "reschedule_entry", sent_vector(SM_WAKE_RESCHEDULE))
VECTOR(wake_call, "call_function_entry", sent_vector(SM_WAKE_CALL))
VECTOR(wake_call_one, "call_function_single_entry", sent_vector(SM_WAKE_CALL))

/* ipi_entry(reason), on ARM, in the handler of an interrupt.  The reason is a text:
 * "Rescheduling interrupts", "Function call interrupts", "Timer broadcast interrupts" ...
 */
SEC("raw_tp/ipi_entry") int wake_ipi(uint64_t *ctx)
{
	const char *reason = (void *)ctx[0];
	struct sm_wake_cpu *c = this_cpu();
	char letter;

	if (!c || !in_idle(c) || c->interrupts > 1 || c->cause > SM_WAKE_IRQ)
		return 0;
	c->interrupts = 1;
	READ(letter, *reason);
	if (letter == 'R')
		take_sent(c, SM_WAKE_RESCHEDULE);
	else if (letter == 'F')
		take_sent(c, SM_WAKE_CALL);
	else
		set_cause(c, letter == 'T' ? SM_WAKE_CLOCK : SM_WAKE_VECTOR, 0, 0);
	return 0;
}

/* --- timers ------------------------------------------------------------------------ */

/* Notes the timer whose callback begins, and its owner, before the callback of a sleeping
 * task (hrtimer_wakeup) removes the task. */
INLINE struct timer begin_timer(struct sm_wake_cpu *c, bool hr, uint64_t at)
{
	struct timer t = read_timer(hr, at);

	c->timer = at;
	c->timer_pays.task = 0;
	if (settings.has_owners)
		c->timer_pays.task = (uint64_t)find_owner(
			&c->timer_owner, &c->timer_pays.payer, hr, at, t.func);
	else
		set_owner(&c->timer_owner, SM_TIMER_OWNER_UNKNOWN);
	return t;
}

INLINE void take_timer(
	struct sm_wake_cpu *c, enum sm_wake_cause cause, const struct timer *t)
{
	c->interrupts = 1;
	set_cause(c, cause, t->func, 0);
	c->work = t->work;
	c->owner = c->timer_owner;
	c->pays = c->timer_pays;
}

/* hrtimer_expire_entry(timer, now): the first timer of the first interrupt, which is the
 * timer interrupt or, on some machines, a device interrupt. */
SEC("raw_tp/hrtimer_expire_entry") int wake_hr(uint64_t *ctx)
{
	struct sm_wake_cpu *c = this_cpu();
	struct timer t;

	if (!c)
		return 0;
	t = begin_timer(c, true, ctx[0]);
	if (in_idle(c) && c->interrupts <= 1 && c->cause <= SM_WAKE_IRQ) {
		take_timer(c, SM_WAKE_HRTIMER, &t);
		c->by_tick = is_tick(ctx[0], t.func);
	}
	return 0;
}

/* A timer of the wheel ended the sleep only if the interrupt was that of the tick, which
 * the kernel arms for the wheel: another hrtimer was the cause. */
INLINE bool may_be_wheel(const struct sm_wake_cpu *c)
{
	return c->cause == SM_WAKE_CLOCK || (c->cause == SM_WAKE_HRTIMER && c->by_tick);
}

/* timer_expire_entry(timer, clock): in the timer softirq of the first interrupt. */
SEC("raw_tp/timer_expire_entry") int wake_wheel(uint64_t *ctx)
{
	struct sm_wake_cpu *c = this_cpu();
	struct timer t;

	if (!c)
		return 0;
	t = begin_timer(c, false, ctx[0]);
	if (in_idle(c) && c->interrupts == 1 && t.kind != SM_TIMER_DEFERRABLE &&
		may_be_wheel(c))
		take_timer(c, SM_WAKE_WHEEL, &t);
	return 0;
}

/* --- senders ----------------------------------------------------------------------- */

/* Finds the sender: the current task, or in the callback of a timer its owner, whose name
 * is unknown here.  In another interrupt there is no sender. */
INLINE void find_sender(struct sm_wake_task *task, const struct sm_wake_cpu *c)
{
	if (c->timer) {
		task->owner = c->timer_owner;
		task->pays = c->timer_pays;
	} else if (!c->in_irq && !c->in_softirq && find_context() != CONTEXT_INTERRUPT) {
		current_owner(&task->owner);
		task->pays.task = (uint64_t)bpf_get_current_task();
		task->pays.payer = (uint32_t)bpf_get_current_uid_gid();
		bpf_get_current_comm(task->comm, sizeof(task->comm));
		task->kthread = is_kthread(bpf_get_current_task());
	}
}

/* True if the CPU is idle, or was until a moment ago, because the sender's event may come
 * after the exit that it caused.  Otherwise the sender may belong to the next period. */
INLINE bool wakes(struct sm_wake_cpu *c, const struct sm_wake_sender *s)
{
	if (LOAD(c->phase) == SM_WAKE_ASLEEP)
		return true;
	copy_sender(&c->early, s);
	return LOAD(c->exited_ns) + EARLY_NS > s->time_ns;
}

/* Keeps the first sender since the entry.  A sender of a flag also replaces a much
 * earlier one, which then did not end the polling. */
INLINE void keep_sender(struct sm_wake_cpu *c, const struct sm_wake_sender *s, bool flag)
{
	if (!wakes(c, s))
		return;
	if (flag)
		STORE(c->flagged_ns, s->time_ns);
	if (flag ? LOAD(c->sender.time_ns) + EARLY_NS <= s->time_ns
		 : LOAD(c->sender.time_ns) < LOAD(c->entered_ns))
		copy_sender(&c->sender, s);
}

INLINE int send(uint32_t cpu, uint64_t func, bool flag)
{
	struct sm_wake_sender s = {.func = func};
	struct sm_wake_cpu *c = this_cpu();

	if (!c)
		return 0;
	find_sender(&s.task, c);
	s.time_ns = bpf_ktime_get_ns();
	c = cpu_of(cpu);
	if (c)
		keep_sender(c, &s, flag);
	return 0;
}

/* csd_queue_cpu(cpu, callsite, func, csd), then ipi_send_cpu(cpu, callsite, callback),
 * Linux 6.4 */
SEC("raw_tp/csd_queue_cpu") int wake_queue(uint64_t *ctx)
{
	return send(ctx[0], ctx[2], false);
}

SEC("raw_tp/ipi_send_cpu") int wake_send(uint64_t *ctx)
{
	return send(ctx[0], ctx[2], false);
}

SEC("raw_tp/sched_wake_idle_without_ipi") int wake_flag(uint64_t *ctx)
{
	return send(ctx[0], 0, true);
}

/* --- senders before Linux 6.4: only tasks that are woken show them ------------------ */

INLINE struct waker *waker_of(uint32_t tid)
{
	uint32_t slot = tid & (WAKERS - 1);

	return bpf_map_lookup_elem(&wake_wakers, &slot);
}

/* sched_waking(task), on the waker's CPU */
SEC("raw_tp/sched_waking") int wake_waking(uint64_t *ctx)
{
	const struct task_struct *task = (void *)ctx[0];
	struct sm_wake_cpu *c = this_cpu();
	struct waker *waker;
	uint32_t tid;

	if (!c)
		return 0;
	READ(tid, task->pid);
	waker = waker_of(tid);
	if (!waker)
		return 0;
	waker->tid = tid;
	waker->task = (struct sm_wake_task){0};
	find_sender(&waker->task, c);
	return 0;
}

/* Attributes the function call that woke this CPU to the waker of the task that it wakes.
 */
INLINE int woken_here(struct sm_wake_cpu *c, uint32_t tid)
{
	const struct waker *waker;

	if (!in_idle(c) || c->interrupts != 1 || c->cause != SM_WAKE_CALL ||
		c->owner.ids != SM_TIMER_OWNER_UNKNOWN)
		return 0;
	waker = waker_of(tid);
	if (!waker || waker->tid != tid)
		return 0;
	c->owner = waker->task.owner;
	c->pays = waker->task.pays;
	c->named = waker->task;
	return 0;
}

INLINE uint32_t cpu_of_task(const struct task_struct *task)
{
	uint32_t cpu = 0;

	if (HAS(task->thread_info.cpu))
		READ(cpu, task->thread_info.cpu);
	else if (HAS(task->cpu))
		READ(cpu, task->cpu);
	return cpu;
}

/* sched_wakeup(task): on the CPU that wakes the task, or on the CPU where it will run */
SEC("raw_tp/sched_wakeup") int wake_woken(uint64_t *ctx)
{
	const struct task_struct *task = (void *)ctx[0];
	uint32_t here = bpf_get_smp_processor_id(), cpu = cpu_of_task(task), tid;
	struct sm_wake_cpu *c = cpu_of(here);

	if (!c)
		return 0;
	if (cpu != here)
		return send(cpu, 0, false);
	READ(tid, task->pid);
	return woken_here(c, tid);
}
