/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakeasm: what the programs of wakecause are put together from.  Private to wakeprog and wakesend.
 *
 * Registers: CPU the address of what is kept of a CPU, ARG an argument of the tracepoint, NOW the
 * time, COUNTS the address of counters.
 */
#ifndef SM_WAKEASM_H
#define SM_WAKEASM_H

#include "kernel/wakeprog.h"

enum { CPU = 6, ARG, NOW, COUNTS, FP };

/* The stack of every program, from its top. */
#define STRUCT_AT(end, type) ((end) - (int)sizeof(type))
#define ON_STACK_KEY         STRUCT_AT(0, struct sm_wake_key)
#define ON_STACK_COUNTS      STRUCT_AT(ON_STACK_KEY, struct sm_wake_counts)
#define ON_STACK_SENDER      STRUCT_AT(ON_STACK_COUNTS, struct sm_wake_sender)
#define ON_STACK_VALUE       (ON_STACK_SENDER - 8)
#define ON_STACK_TIMER       (ON_STACK_VALUE - 8)
#define ON_STACK_CPU         (ON_STACK_TIMER - 8)
#define KEY(member)          (ON_STACK_KEY + (int)offsetof(struct sm_wake_key, member))
#define NEW(member)          (ON_STACK_COUNTS + (int)offsetof(struct sm_wake_counts, member))
#define SENT(member)         (ON_STACK_SENDER + (int)offsetof(struct sm_wake_sender, member))
#define OF(member)           ((int)offsetof(struct sm_wake_cpu, member))

struct sm_wake_build;

struct sm_wake_program {
	const char *name, *tracepoint;
	void (*assemble)(struct sm_wake_build *u);
	int what; /* a cause; the offset of a member of struct sm_wake_cpu; 1: sets a flag */
	bool required;
};

/* A program under way; leave[]: jumps to its end. */
struct sm_wake_build {
	struct sm_bpf_asm *a;
	const struct sm_wakeprog *w;
	const struct sm_wake_program *p;
	size_t leave[16];
	unsigned int leaves;
};

/* The program ends at a jump, or if reg OP imm; all of these jumps lead to sm_wake_finish(). */
void sm_wake_leave(struct sm_wake_build *u, size_t jump);
void sm_wake_leave_if(struct sm_wake_build *u, unsigned int op, unsigned int reg, int32_t imm);
void sm_wake_finish(struct sm_wake_build *u);
/* reg = *(CPU + member); *(CPU + member) = reg, imm (destroys R1) */
void sm_wake_get(const struct sm_wake_build *u, unsigned int reg, int member);
void sm_wake_put(const struct sm_wake_build *u, int member, unsigned int reg);
void sm_wake_put_imm(const struct sm_wake_build *u, int member, int32_t imm);
/* Words of 8 bytes from one place to another; destroys R1. */
void sm_wake_copy(const struct sm_wake_build *u, unsigned int to, int to_off, unsigned int from,
	int from_off, size_t bytes);
/* reg = the argument, an int, of the context in R1 */
void sm_wake_get_int(const struct sm_wake_build *u, unsigned int reg, int arg);
/* CPU = that whose number is in reg; that on which the program runs */
void sm_wake_find_cpu(struct sm_wake_build *u, unsigned int reg);
void sm_wake_find_this_cpu(struct sm_wake_build *u);
/* NOW = time */
void sm_wake_get_time(const struct sm_wake_build *u);
/* Goes on only in the idle task, whose thread ID is 0 on all CPUs. */
void sm_wake_only_idle(struct sm_wake_build *u);
/* The callback of the timer at ARG, its kind and who armed it to KEY(id), ON_STACK_VALUE, KEY(owner);
 * destroys ARG. */
void sm_wake_read_timer(const struct sm_wake_build *u, bool hr);

#endif
