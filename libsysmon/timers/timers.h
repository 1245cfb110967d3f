/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timers: counters of kernel timers that were armed and that expired, which both methods provide
 * (timercount.h, timerperf.h), and the event that timerperf reads (include/trace/events/timer.h).
 *
 * A timer belongs to its owner, the task that armed it.  Each {owner, callback, kind}, or each timer of
 * them, has a counter that only grows.  Thread IDs are reused, so an owner also has a birth: a later task
 * with an equal number is another owner.  A timer that is armed while a hard or soft interrupt is served
 * does not belong to the current task: it keeps its owner, like a timer that its own callback rearms, or
 * belongs to the interrupt if it has none.  dl_task_timer, which limits deadline tasks and servers of the
 * scheduler, always belongs to the kernel.  The owner of a timer that was armed before counting began is
 * unknown until the timer is rearmed.  PIDs are those of the initial namespace.
 */
#ifndef SM_TIMERS_H
#define SM_TIMERS_H

#include "base/base.h"

enum sm_timer_kind {
	SM_TIMER_HR,         /* hrtimer: nanoseconds */
	SM_TIMER_WHEEL,      /* timer wheel: jiffies */
	SM_TIMER_DEFERRABLE, /* timer wheel; does not wake an idle CPU */
};

#define SM_TIMER_FLAG_DEFERRABLE 0x80000 /* TIMER_DEFERRABLE of include/linux/timer.h */

struct sm_timer_owner {
	uint64_t ids;   /* tgid << 32 | tid; 0: the idle task */
	uint64_t birth; /* CLOCK_BOOTTIME, ns: start of the task, or later if no other task can have had its
			 * thread ID in between; 0: unknown, or no task */
};

/* The owner of a timer that is armed, and the payer of its counters (shares.h). */
struct sm_timer_armed {
	struct sm_timer_owner owner;
	uint64_t payer;
};

struct sm_timer_key {
	struct sm_timer_owner owner;
	uint64_t func;  /* address of the callback, or function of a delayed work: ksyms.h */
	uint32_t kind;  /* enum sm_timer_kind */
	uint32_t work;  /* 1: the callback is SM_TIMER_WORK_CALLBACK, and func is the work's function */
	uint64_t timer; /* address of the timer if timers are counted one by one; otherwise 0 */
};

/* Callback of a delayed work; it queues the function in the work_struct next to the timer for a kworker. */
#define SM_TIMER_WORK_CALLBACK "delayed_work_timer_fn"

/* Values of ids after a user has used up its share of counters (shares.h): tgid << 32 stands for all
 * threads of this process, with the birth of its leader; SM_TIMER_OWNER_USER | uid stands for all tasks of
 * this user. */
#define SM_TIMER_OWNER_USER      (UINT64_C(0xfffffffe) << 32)
/* Owners that are not tasks. */
#define SM_TIMER_OWNER_UNKNOWN   UINT64_MAX
#define SM_TIMER_OWNER_INTERRUPT (UINT64_MAX - 1)
#define SM_TIMER_OWNER_KERNEL    (UINT64_MAX - 2)

/* True for a known task or process. */
static inline bool sm_timer_is_task(struct sm_timer_owner owner)
{
	return owner.ids != 0 && owner.ids < SM_TIMER_OWNER_USER;
}

static inline bool sm_timer_is_user(struct sm_timer_owner owner)
{
	return owner.ids >> 32 == SM_TIMER_OWNER_USER >> 32;
}

static inline bool sm_timer_is_process(struct sm_timer_owner owner)
{
	return sm_timer_is_task(owner) && !(uint32_t)owner.ids;
}

static inline bool sm_timer_is_thread(struct sm_timer_owner owner)
{
	return sm_timer_is_task(owner) && (uint32_t)owner.ids;
}

static inline uint64_t sm_timer_ids(pid_t tgid, pid_t tid)
{
	return (uint64_t)(uint32_t)tgid << 32 | (uint32_t)tid;
}

static inline pid_t sm_timer_tid(struct sm_timer_owner owner)
{
	return (pid_t)(uint32_t)owner.ids;
}

static inline pid_t sm_timer_tgid(struct sm_timer_owner owner)
{
	return (pid_t)(owner.ids >> 32);
}

static inline bool sm_timer_same_owner(struct sm_timer_owner a, struct sm_timer_owner b)
{
	return a.ids == b.ids && a.birth == b.birth;
}

struct sm_timer_counts {
	uint64_t starts, expiries;
	uint64_t idle;               /* expiries that interrupted the idle task */
	char comm[SM_TASK_COMM_LEN]; /* owner's name when it last armed a timer; "": unknown */
	char process[SM_TASK_COMM_LEN]; /* comm of its main thread at that time; "": unknown */
	uint64_t named_ns;           /* CLOCK_MONOTONIC since which it has this comm; 0: unknown */
	uint64_t seen_ns;            /* CLOCK_MONOTONIC of the first start; 0: not started */
	uint64_t cpu_ns;             /* CPU time of the thread at seen_ns, up to its last tick; 0: unknown */
	uint64_t payer;              /* shares.h */
	uint64_t kthread;            /* 1: the owner is a kernel thread; 0: it is not, or unknown */
};

/* Callbacks whose addresses determine the owner of a timer. */
enum sm_timer_callback {
	SM_TIMER_SLEEPER_HR,    /* hrtimer_wakeup of kernel/time/hrtimer.c: ends the sleep of a task */
	SM_TIMER_SLEEPER_WHEEL, /* process_timeout of kernel/time/timer.c: ends the sleep of a task */
	SM_TIMER_DEADLINE,      /* dl_task_timer of kernel/sched/deadline.c */
	SM_TIMER_WORK,          /* delayed_work_timer_fn of kernel/workqueue.c */
	SM_TIMER_TICK,          /* tick_nohz_handler of kernel/time/tick-sched.c, or its older names */
	SM_TIMER_CALLBACKS
};

/* Addresses from /proc/kallsyms and distances from BTF, for the programs. */
struct sm_timer_symbols {
	uint64_t callback[SM_TIMER_CALLBACKS]; /* UINT64_MAX: unknown */
	/* Distances in bytes from the run queue of a CPU to its preempt count (x86) and to the
	 * timer of its tick, which are per-CPU variables; 0: unknown. */
	uint64_t preempt_count, tick;
};

struct sm_timer_losses {
	uint64_t owners; /* owners without room, or forgotten: expiries of their timers count as unknown */
	uint64_t events; /* starts and expiries that were not counted */
};

#define SM_TIMER_OWNERS_MAX   65536u /* armed timers */
#define SM_TIMER_COUNTERS_MAX 16384u

enum sm_timer_event_type {
	SM_TIMER_HR_START,
	SM_TIMER_HR_EXPIRE,
	SM_TIMER_WHEEL_START,
	SM_TIMER_WHEEL_EXPIRE,
	SM_TIMER_EVENTS, /* number of timer events; events of tasks follow */
	SM_TIMER_TASK_NEW = SM_TIMER_EVENTS,
	SM_TIMER_TASK_NAME,
	SM_TIMER_TASK_EXIT,
};

struct sm_timer_event {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	union {
		struct {
			uint64_t timer; /* address of the timer */
			uint64_t func;  /* of its callback */
		};
		char comm[SM_TASK_COMM_LEN]; /* name of a task: any bytes, and a NUL */
	};
	pid_t tid, tgid;      /* current task, or the task of the event; tgid 0: unknown */
	uint64_t birth;       /* birth of the current task: struct sm_timer_owner; 0: unknown */
	pid_t parent;         /* SM_TIMER_TASK_NEW: tid of the task that made it */
	uint32_t cpu;
	uint32_t wheel_flags; /* SM_TIMER_WHEEL_START */
	bool interrupt;       /* a hard or soft interrupt was served */
	enum sm_timer_event_type type;
};

#endif
