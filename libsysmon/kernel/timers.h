/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timers: what is known of kernel timers that were armed and that expired: the counters that both ways
 * of counting give (timercount.h, timerperf.h), and the event that timerperf reads
 * (include/trace/events/timer.h).
 *
 * A timer belongs to the task that armed it, its owner; counters are kept for each {owner, callback,
 * kind}, or for each timer of them, and only grow.  A thread id is used again, so an owner has a birth,
 * too: another task with the same number is another owner.  While a hard or soft interrupt is served, the
 * current task has nothing to do with what is armed: the timer keeps its owner, as one does that its own
 * callback arms again, or else belongs to the interrupt.  dl_task_timer, by which the scheduler limits
 * its deadline tasks and servers, is the kernel's wherever it is armed.  The owner of a timer that was armed
 * before counting began is not known until it is armed again.  Pids are those of the initial namespace.
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
	uint64_t birth; /* CLOCK_BOOTTIME, ns: when the task started, or later, if no other task can have had
			 * its thread id in between; 0: not known, or no task */
};

/* The owner of a timer that is armed, and the payer of its counters (shares.h). */
struct sm_timer_armed {
	struct sm_timer_owner owner;
	uint64_t payer;
};

struct sm_timer_key {
	struct sm_timer_owner owner;
	uint64_t func;  /* address of the callback: ksyms.h */
	uint64_t kind;  /* enum sm_timer_kind */
	uint64_t timer; /* its address, where timers are counted one by one; otherwise 0 */
};

/* In the place of ids where a user has used up the share of counters (shares.h): tgid << 32, for threads of
 * this process together, born as its leader; and this | uid, for tasks of this user together. */
#define SM_TIMER_OWNER_USER      (UINT64_C(0xfffffffe) << 32)
/* Owners that are no tasks. */
#define SM_TIMER_OWNER_UNKNOWN   UINT64_MAX
#define SM_TIMER_OWNER_INTERRUPT (UINT64_MAX - 1)
#define SM_TIMER_OWNER_KERNEL    (UINT64_MAX - 2)

/* Is it a known task, or a process? */
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
	char comm[SM_TASK_COMM_LEN]; /* of the owner, when it last armed one; "": not known */
	char process[SM_TASK_COMM_LEN]; /* comm of the main thread of its process then; "": not known */
	uint64_t named_ns;           /* CLOCK_MONOTONIC since when it has this comm; 0: not known */
	uint64_t seen_ns;            /* when it first armed one; 0: it did not */
	uint64_t cpu_ns;             /* CPU time of the thread then, up to its last tick; 0: not known */
	uint64_t payer;              /* shares.h */
	uint64_t kthread;            /* 1: the owner is a kernel thread; 0: it is not, or that is not known */
};

/* Callbacks that the programs must know to tell whose a timer is. */
enum sm_timer_callback {
	SM_TIMER_SLEEPER_HR,    /* hrtimer_wakeup of kernel/time/hrtimer.c: it ends the sleep of a task */
	SM_TIMER_SLEEPER_WHEEL, /* process_timeout of kernel/time/timer.c: likewise */
	SM_TIMER_DEADLINE,      /* dl_task_timer of kernel/sched/deadline.c */
	SM_TIMER_TICK,          /* tick_nohz_handler of kernel/time/tick-sched.c, or as it is called there */
	SM_TIMER_CALLBACKS
};

/* What the programs get from /proc/kallsyms and from BTF. */
struct sm_timer_symbols {
	uint64_t callback[SM_TIMER_CALLBACKS]; /* UINT64_MAX: not known */
	/* From a CPU's run queue to its preempt count (x86) and to the timer of its tick, in bytes: they are
	 * per-CPU variables; 0: not known. */
	uint64_t preempt_count, tick;
};

struct sm_timer_losses {
	uint64_t owners; /* found no room, or were forgotten: expiries of their timers count as unknown */
	uint64_t events; /* starts and expiries that were not counted */
};

#define SM_TIMER_OWNERS_MAX   65536u /* armed timers */
#define SM_TIMER_COUNTERS_MAX 16384u

enum sm_timer_event_type {
	SM_TIMER_HR_START,
	SM_TIMER_HR_EXPIRE,
	SM_TIMER_WHEEL_START,
	SM_TIMER_WHEEL_EXPIRE,
	SM_TIMER_EVENTS, /* how many; what follows is about tasks */
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
		char comm[SM_TASK_COMM_LEN]; /* of a task: any bytes, and a NUL */
	};
	pid_t tid, tgid;      /* current, or the task; tgid 0: not known */
	uint64_t birth;       /* of the current task: sm_timer_owner; 0: not known */
	pid_t parent;         /* SM_TIMER_TASK_NEW: tid of the task that made it */
	uint32_t cpu;
	uint32_t wheel_flags; /* SM_TIMER_WHEEL_START */
	bool interrupt;       /* a hard or soft interrupt was served */
	enum sm_timer_event_type type;
};

#endif
