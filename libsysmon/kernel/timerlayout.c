// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/timerlayout.h"
#include "kernel/vmlinux.h"

#define DEFERRABLE_BIT 19

enum { R1 = 1, FP = 10 };

void sm_timerlayout_find(const struct sm_root *root, struct sm_timer_layout *at)
{
	enum { HR_FUNCTION, WHEEL_FUNCTION, WHEEL_FLAGS, MEMBERS };
	struct sm_btf_member m[MEMBERS] = {
		[HR_FUNCTION] = {.structure = "hrtimer", .name = "function"},
		[WHEEL_FUNCTION] = {.structure = "timer_list", .name = "function"},
		[WHEEL_FLAGS] = {"timer_list", "flags", .size = 4},
	};

	*at = (struct sm_timer_layout){
		.hr_function = 40, .wheel_function = 24, .wheel_flags = 32};
	if (sm_vmlinux_members(root, m, MEMBERS) < 0)
		return;
	at->hr_function = m[HR_FUNCTION].offset;
	at->wheel_function = m[WHEEL_FUNCTION].offset;
	at->wheel_flags = m[WHEEL_FLAGS].offset;
}

/* R1 = SM_TIMER_WHEEL or the next, SM_TIMER_DEFERRABLE. */
static void wheel_kind(struct sm_bpf_asm *a, const struct sm_timer_layout *at,
	unsigned int timer, int scratch)
{
	sm_bpf_clear(a, BPF_DW, FP, scratch);
	sm_bpf_read_kernel(a, scratch, 4, timer, at->wheel_flags);
	sm_bpf_load(a, BPF_W, R1, FP, scratch);
	sm_bpf_alu_imm(a, BPF_AND, R1, SM_TIMER_FLAG_DEFERRABLE);
	sm_bpf_alu_imm(a, BPF_RSH, R1, DEFERRABLE_BIT);
	sm_bpf_alu_imm(a, BPF_ADD, R1, SM_TIMER_WHEEL);
}

void sm_timerlayout_read(struct sm_bpf_asm *a, const struct sm_timer_layout *at, bool hr,
	unsigned int timer, int func, int kind)
{
	sm_bpf_read_kernel(a, func, 8, timer, hr ? at->hr_function : at->wheel_function);
	if (hr)
		sm_bpf_set(a, R1, SM_TIMER_HR);
	else
		wheel_kind(a, at, timer, kind);
	sm_bpf_store(a, BPF_DW, FP, kind, R1);
}
