// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/timerowner.h"

int sm_timerowner_open(struct sm_timer_owners *o, struct sm_bpf_loader *l,
	unsigned int owners, unsigned int sleepers)
{
	uint64_t *func;
	int err = sm_bpf_loader_map(l, owners);

	if (err < 0)
		return err;
	o->owners_fd = sm_bpf_loader_keep(l, owners);
	err = sm_bpf_loader_array(l, sleepers, &o->sleepers);
	if (err)
		return err;
	o->sleepers_fd = sm_bpf_loader_keep(l, sleepers);
	func = o->sleepers.values;
	for (int i = 0; i < SM_TIMER_SLEEPERS; i++)
		func[i] = UINT64_MAX; /* no callback's address */
	return 0;
}

void sm_timerowner_sleeper(
	struct sm_timer_owners *o, enum sm_timer_kind kind, uint64_t func)
{
	uint64_t *sleepers = o->sleepers.values;

	__atomic_store_n(&sleepers[kind == SM_TIMER_HR ? SM_TIMER_SLEEPER_HR
						       : SM_TIMER_SLEEPER_WHEEL],
		func, __ATOMIC_RELAXED);
}

void sm_timerowner_close(struct sm_timer_owners *o)
{
	sm_base_close_fd(&o->owners_fd);
	sm_base_close_fd(&o->sleepers_fd);
	sm_bpf_array_close(&o->sleepers);
}
