/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakes: idle periods of CPUs and their causes: the memory that the BPF programs of wakecause share with
 * their reader.
 */
#ifndef SM_WAKES_H
#define SM_WAKES_H

#include "timers/timers.h"

/* Causes of the end of an idle period.  The programs depend on the order. */
enum sm_wake_cause {
	SM_WAKE_UNKNOWN,    /* no event until the next idle period */
	SM_WAKE_CLOCK,      /* local timer interrupt, no timer expired; id: vector, or 0 */
	SM_WAKE_IRQ,        /* device interrupt; id: its number */
	SM_WAKE_HRTIMER,    /* id: callback; owner: task that armed the timer */
	SM_WAKE_WHEEL,      /* id and owner as of SM_WAKE_HRTIMER */
	SM_WAKE_CALL,       /* function-call interrupt; id: function; owner: sender */
	SM_WAKE_RESCHEDULE, /* reschedule interrupt; owner: sender */
	SM_WAKE_FLAG,       /* no interrupt: the owner set TIF_NEED_RESCHED of a polling CPU */
	SM_WAKE_VECTOR,     /* other interrupt of the CPU itself; id: vector, or 0 */
	SM_WAKE_LIMIT,      /* time limit of the polling idle state; no owner */
	SM_WAKE_CAUSES
};

/* The first task that runs after an idle period (if the reader requests it). */
enum sm_wake_woke {
	SM_WAKE_WOKE_NOTHING, /* the CPU idled again without running a task */
	SM_WAKE_WOKE_TASK,
	SM_WAKE_WOKE_KTHREAD,
	SM_WAKE_WOKE_OTHERS,  /* a task whose name does not fit */
};

struct sm_wake_key {
	uint16_t cause; /* enum sm_wake_cause */
	uint8_t work;   /* as in struct sm_timer_key, of the ID of SM_WAKE_WHEEL */
	uint8_t woke;   /* enum sm_wake_woke */
	uint32_t cpu;
	uint64_t id;    /* 0: no ID, or unknown */
	struct sm_timer_owner owner; /* ids 0: no task */
	char woke_comm[SM_TASK_COMM_LEN]; /* of a task or kernel thread; otherwise zeros */
};

struct sm_wake_sum {
	uint64_t wakeups;
	uint64_t slept_ns; /* length of the idle periods */
};

struct sm_wake_counts {
	uint64_t wakeups, slept_ns;
	uint64_t payer;              /* shares.h */
	char comm[SM_TASK_COMM_LEN]; /* owner's name at its first wakeup; "": unknown */
	uint64_t kthread;            /* 1: the owner is a kernel thread; 0: it is not, or unknown */
};

/* Idle periods by length: [0] is below 1,024 ns, [i] from 2^(i + 9) ns to below 2^(i + 10), and the last
 * bucket has all longer ones. */
#define SM_WAKE_BUCKETS 32

/* Payer of the counters of an owner. */
struct sm_wake_payer {
	uint64_t task;  /* address of the owner's task_struct; 0: unknown */
	uint64_t payer; /* shares.h; used without the address */
};

struct sm_wake_task {
	struct sm_timer_owner owner; /* ids 0: no task */
	struct sm_wake_payer pays;
	char comm[SM_TASK_COMM_LEN]; /* "": unknown */
	uint64_t kthread;            /* as in struct sm_wake_counts */
};

/* A task that sent an interrupt to a CPU, or set its need-resched flag. */
struct sm_wake_sender {
	struct sm_wake_task task;
	uint64_t func;    /* function that the CPU is to call; 0: no function */
	uint64_t time_ns; /* CLOCK_MONOTONIC; 0: no sender; written last, because the CPU may read it */
};

enum sm_wake_phase { SM_WAKE_NOT_SEEN, SM_WAKE_ASLEEP, SM_WAKE_AWAKE };

/* State of a CPU; written by the CPU itself, except for the senders. */
struct sm_wake_cpu {
	uint64_t phase;      /* enum sm_wake_phase */
	uint64_t entered_ns, exited_ns;
	uint64_t slept_ns;   /* length of the idle period that has ended */
	uint64_t polls;      /* 1: the idle state polls the need-resched flag */
	uint64_t flagged_ns; /* time of the last setting of the flag since the entry; 0: not set */
	uint64_t interrupts; /* interrupts since the entry, while the idle task was current */
	uint64_t cause_ns;   /* time of the interrupt that is the cause; 0: no interrupt */
	uint64_t cause, id;  /* the best cause so far */
	uint64_t work;       /* as in struct sm_wake_key */
	uint64_t woke;       /* as in struct sm_wake_key, since the exit */
	char woke_comm[SM_TASK_COMM_LEN];
	struct sm_timer_owner owner; /* owner of the cause */
	struct sm_wake_payer pays;   /* payer of the owner */
	uint64_t by_tick;    /* 1: the cause is the hrtimer of the tick */
	struct sm_wake_task named; /* last owner with a name; the sender may have changed since */
	struct sm_wake_sender sender; /* first sender since the entry */
	struct sm_wake_sender early;  /* last sender before the entry */
	uint64_t timer;      /* timer whose callback runs; 0: no timer */
	struct sm_timer_owner timer_owner;
	struct sm_wake_payer timer_pays;
	uint64_t in_irq, in_softirq;
	uint64_t exits;      /* exits from idle, counted by a separate program */
	struct sm_wake_sum lost[SM_WAKE_CAUSES]; /* wakeups without room for their key */
	uint64_t sleeps[SM_WAKE_BUCKETS];
} __attribute__((aligned(64)));

/* Settings of the programs at load time. */
struct sm_wake_settings {
	uint32_t zero_polls; /* does idle state 0 poll the need-resched flag? */
	uint32_t has_owners; /* are the owners of timers known? */
};

#define SM_WAKECAUSE_MAX 8192u /* counters */

#endif
