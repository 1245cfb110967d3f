/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timerowner: owners of kernel timers: the memory that the BPF programs of timercount and wakecause share
 * (timer_bpf.h).
 *
 * The programs read the sleeping task next to its timer once the address of the callback that ends a sleep
 * is known.  The preempt count shows whether an interrupt is served; it is a per-CPU variable on x86 and a
 * member of thread_info on arm64.
 */
#ifndef SM_TIMEROWNER_H
#define SM_TIMEROWNER_H

#include "bpf/bpf_object.h"
#include "timers/timers.h"

struct sm_timer_owners {
	int owners_fd;                /* owners of timers by their address */
	int symbols_fd;
	struct sm_bpf_array symbols;  /* struct sm_timer_symbols */
};

#define SM_TIMER_OWNERS_INIT {.owners_fd = -1, .symbols_fd = -1}

/* Creates the maps of an open loader; owners and symbols are their numbers in it.  After a failure only
 * sm_timerowner_close() may follow. */
int sm_timerowner_open(struct sm_timer_owners *o, struct sm_bpf_loader *l, unsigned int owners,
	unsigned int symbols) SM_MUST;
/* Loads and attaches a program, which knows the address of the callback of delayed works since Linux 6.4.
 * Before, it is unknown until sm_timerowner_callback().  Returns as sm_bpf_loader_attach(). */
int sm_timerowner_attach(struct sm_bpf_loader *l, unsigned int program) SM_MUST;
/* Sets the address of a callback. */
void sm_timerowner_callback(struct sm_timer_owners *o, enum sm_timer_callback callback, uint64_t func);
/* Finds the distances of struct sm_timer_symbols; false if that of the preempt count is unknown. */
bool sm_timerowner_find(struct sm_timer_owners *o, const struct sm_root *root);
void sm_timerowner_close(struct sm_timer_owners *o);

#endif
