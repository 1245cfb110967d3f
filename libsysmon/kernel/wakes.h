/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakes: what is known of the sleeps of idle CPUs: the memory that the programs of wakecause share with it.
 */
#ifndef SM_WAKES_H
#define SM_WAKES_H

#include "kernel/timers.h"

/* What ended a sleep.  The programs use the order. */
enum sm_wake_cause {
	SM_WAKE_UNKNOWN,    /* no event between the entry into idle and the next one */
	SM_WAKE_CLOCK,      /* the local timer interrupt, without a timer that expired; id: vector, or 0 */
	SM_WAKE_IRQ,        /* device interrupt; id: its number */
	SM_WAKE_HRTIMER,    /* id: callback, owner: who armed it */
	SM_WAKE_WHEEL,      /* likewise */
	SM_WAKE_CALL,       /* function-call interrupt; id: the function, owner: who sent it */
	SM_WAKE_RESCHEDULE, /* reschedule interrupt; owner: who sent it */
	SM_WAKE_FLAG,       /* no interrupt: owner set TIF_NEED_RESCHED of a CPU that polls it */
	SM_WAKE_VECTOR,     /* another interrupt of the CPU itself; id: vector, or 0 */
	SM_WAKE_LIMIT,      /* the time limit of the polling idle state: nobody */
	SM_WAKE_CAUSES
};

struct sm_wake_key {
	uint32_t cause; /* enum sm_wake_cause */
	uint32_t cpu;
	uint64_t id;    /* 0: none or not known */
	struct sm_timer_owner owner; /* ids 0: no task */
};

struct sm_wake_sum {
	uint64_t wakeups;
	uint64_t slept_ns; /* from the entry into idle to the exit */
};

struct sm_wake_counts {
	uint64_t wakeups, slept_ns;
	uint64_t payer;              /* shares.h */
	char comm[SM_TASK_COMM_LEN]; /* of the owner, as it sent the first; "": not known */
	uint64_t kthread;            /* 1: the owner is a kernel thread; 0: it is not, or that is not known */
};

/* Sleeps by length: [0] below 1,024 ns, [i] from 2^(i + 9) ns to below 2^(i + 10), the last one all longer
 * ones. */
#define SM_WAKE_BUCKETS 32

/* Who pays for the counters of an owner. */
struct sm_wake_payer {
	uint64_t task;  /* address of the owner's task_struct; 0: not known */
	uint64_t payer; /* shares.h; used without the address */
};

struct sm_wake_task {
	struct sm_timer_owner owner; /* ids 0: no task */
	struct sm_wake_payer pays;
	char comm[SM_TASK_COMM_LEN]; /* "": not known */
	uint64_t kthread;            /* as in sm_wake_counts */
};

/* Who sent an interrupt to a CPU, or set its flag. */
struct sm_wake_sender {
	struct sm_wake_task task;
	uint64_t func;    /* to be called there; 0: none */
	uint64_t time_ns; /* CLOCK_MONOTONIC; 0: nobody; written last, while the CPU may read it */
};

enum sm_wake_phase { SM_WAKE_NOT_SEEN, SM_WAKE_ASLEEP, SM_WAKE_AWAKE };

/* Of each CPU; written by the CPU itself, except for the senders. */
struct sm_wake_cpu {
	uint64_t phase;      /* enum sm_wake_phase */
	uint64_t entered_ns, exited_ns;
	uint64_t slept_ns;   /* of the sleep that has ended */
	uint64_t polls;      /* 1: an idle state that polls the need-resched flag */
	uint64_t flagged_ns; /* when the flag was set last since the entry; 0: it was not */
	uint64_t interrupts; /* since the entry, while the idle task was current */
	uint64_t cause_ns;   /* of the interrupt that counts; 0: none */
	uint64_t cause, id;  /* the best so far */
	struct sm_timer_owner owner; /* of the cause */
	struct sm_wake_payer pays;   /* for the owner */
	uint64_t by_tick;    /* 1: the cause is an hrtimer, the tick */
	struct sm_wake_task named; /* the last owner with a name; the sender may have changed since */
	struct sm_wake_sender sender; /* the first one since the entry */
	struct sm_wake_sender early;  /* the last one before it */
	uint64_t timer;      /* whose callback runs; 0: none */
	struct sm_timer_owner timer_owner;
	struct sm_wake_payer timer_pays;
	uint64_t in_irq, in_softirq;
	uint64_t exits;      /* counted by a program of its own */
	struct sm_wake_sum lost[SM_WAKE_CAUSES]; /* without room for their key */
	uint64_t sleeps[SM_WAKE_BUCKETS];
} __attribute__((aligned(64)));

/* What the programs are told when they are loaded. */
struct sm_wake_settings {
	uint32_t zero_polls; /* does idle state 0 poll the need-resched flag? */
	uint32_t has_owners; /* are the owners of timers known? */
};

#define SM_WAKECAUSE_MAX 8192u /* counters */

#endif
