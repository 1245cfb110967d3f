// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <unistd.h>

#include "kernel/timerowner.h"
#include "kernel/vmlinux.h"

enum { R0, R1, R2, FP = 10 };
enum { SLEEPER_HR, SLEEPER_WHEEL, SLEEPERS };

/* --- the programs' part ------------------------------------------------------------ */

/* A jump if the callback OP the one that ends the sleep of a task. */
static size_t if_sleeper(struct sm_bpf_asm *a, const struct sm_timer_owners *o, bool hr,
	unsigned int op, int func)
{
	sm_bpf_map_value(a, R1, o->sleepers.fd);
	sm_bpf_load(a, BPF_DW, R1, R1, 8 * (hr ? SLEEPER_HR : SLEEPER_WHEEL));
	sm_bpf_load(a, BPF_DW, R2, FP, func);
	return sm_bpf_jump_reg(a, op, R1, R2);
}

/* The jump is taken if the task is known. */
static size_t find_sleeper(struct sm_bpf_asm *a, const struct sm_timer_owners *o, bool hr,
	int timer, int func, int owner, unsigned int task)
{
	const int low = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0;
	size_t other = if_sleeper(a, o, hr, BPF_JNE, func), none, found;

	sm_bpf_load(a, BPF_DW, task, FP, timer);
	sm_bpf_load_kernel(a, task, task, hr ? o->hr_task : o->wheel_task, owner);
	none = sm_bpf_jump(a, BPF_JEQ, task, 0);
	sm_bpf_read_kernel(a, owner + low, 4, task, o->task_pid);
	sm_bpf_read_kernel(a, owner + 4 - low, 4, task, o->task_tgid);
	found = sm_bpf_jump(a, BPF_JA, R0, 0);
	sm_bpf_land(a, none);
	sm_bpf_land(a, other);
	return found;
}

void sm_timerowner_find(struct sm_bpf_asm *a, const struct sm_timer_owners *o, bool hr,
	int timer, int func, int owner, unsigned int task)
{
	size_t found = 0, none;

	sm_bpf_set(a, task, 0);
	if (o->have_tasks)
		found = find_sleeper(a, o, hr, timer, func, owner, task);
	sm_bpf_set(a, R1, -1);
	sm_bpf_store(a, BPF_DW, FP, owner, R1);
	sm_bpf_map_lookup(a, o->owners_fd, timer);
	none = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	sm_bpf_load(a, BPF_DW, R1, R0, 0);
	sm_bpf_store(a, BPF_DW, FP, owner, R1);
	sm_bpf_land(a, none);
	if (o->have_tasks)
		sm_bpf_land(a, found);
}

void sm_timerowner_set(struct sm_bpf_asm *a, const struct sm_timer_owners *o, bool hr,
	int timer, int func, int owner, int lost_fd, int lost_off)
{
	size_t sleeper = 0, none, same, stored;

	if (o->have_tasks)
		sleeper = if_sleeper(a, o, hr, BPF_JEQ, func);
	sm_bpf_map_lookup(a, o->owners_fd, timer);
	none = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	sm_bpf_load(a, BPF_DW, R1, R0, 0);
	sm_bpf_load(a, BPF_DW, R2, FP, owner);
	same = sm_bpf_jump_reg(a, BPF_JEQ, R1, R2);
	sm_bpf_land(a, none);
	sm_bpf_map_update(a, o->owners_fd, timer, owner, BPF_ANY);
	stored = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	sm_bpf_count(a, lost_fd, lost_off);
	sm_bpf_land(a, stored);
	sm_bpf_land(a, same);
	if (o->have_tasks)
		sm_bpf_land(a, sleeper);
}

/* --- the reader's part ------------------------------------------------------------- */

static void find_tasks(struct sm_timer_owners *o, const struct sm_root *root)
{
	enum { HR_TASK, WHEEL_TASK, PID, TGID, MEMBERS };
	struct sm_btf_member m[MEMBERS] = {
		[HR_TASK] = {.structure = "hrtimer_sleeper", .name = "task"},
		[WHEEL_TASK] = {.structure = "process_timer", .name = "task"},
		[PID] = {"task_struct", "pid", .size = 4},
		[TGID] = {"task_struct", "tgid", .size = 4},
	};

	o->have_tasks = sm_vmlinux_members(root, m, MEMBERS) == 0;
	o->hr_task = m[HR_TASK].offset;
	o->wheel_task = m[WHEEL_TASK].offset;
	o->task_pid = m[PID].offset;
	o->task_tgid = m[TGID].offset;
}

int sm_timerowner_open(struct sm_timer_owners *o, const struct sm_root *root)
{
	uint64_t *func;
	int err;

	*o = (struct sm_timer_owners){0};
	o->owners_fd = sm_bpf_map_create(
		"timer_owners", SM_BPF_MAP_HASH, 8, 8, SM_TIMER_OWNERS_MAX, 0);
	if (o->owners_fd < 0)
		return o->owners_fd;
	err = sm_bpf_array_open(&o->sleepers, "timer_sleepers", SLEEPERS * 8, 1);
	if (err)
		return err;
	func = o->sleepers.values;
	for (int i = 0; i < SLEEPERS; i++)
		func[i] = UINT64_MAX; /* no callback's address */
	find_tasks(o, root);
	return 0;
}

void sm_timerowner_sleeper(
	struct sm_timer_owners *o, enum sm_timer_kind kind, uint64_t func)
{
	uint64_t *sleepers = o->sleepers.values;

	__atomic_store_n(&sleepers[kind == SM_TIMER_HR ? SLEEPER_HR : SLEEPER_WHEEL],
		func, __ATOMIC_RELAXED);
}

void sm_timerowner_close(struct sm_timer_owners *o)
{
	sm_base_close_fd(&o->owners_fd);
	sm_bpf_array_close(&o->sleepers);
}
