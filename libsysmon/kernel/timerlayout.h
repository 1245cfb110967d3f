/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timerlayout: where the kernel's timers (struct hrtimer, struct timer_list) have their callback and
 * their kind, and the instructions that read these.  For timercount and wakecause.
 */
#ifndef SM_TIMERLAYOUT_H
#define SM_TIMERLAYOUT_H

#include "kernel/bpf.h"
#include "kernel/root.h"
#include "kernel/timers.h"

struct sm_timer_layout { /* offsets */
	uint32_t hr_function, wheel_function, wheel_flags;
};

/* From BTF; without it as in every 64-bit kernel since 4.17. */
void sm_timerlayout_find(const struct sm_root *root, struct sm_timer_layout *at);

/* Emits: the callback of the timer at register `timer` to FP + func, its enum sm_timer_kind to FP +
 * kind, 8 bytes each.  Destroys R0 to R5. */
void sm_timerlayout_read(struct sm_bpf_asm *a, const struct sm_timer_layout *at, bool hr,
	unsigned int timer, int func, int kind);

#endif
