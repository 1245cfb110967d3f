// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/forkcount.h"
#include "forkcount.bpf.h"

static int attach(
	struct sm_forkcount *c, const struct sm_root *root, struct sm_bpf_log *log)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err = sm_bpf_loader_open(&l, &forkcount_bpf, root, log);

	if (!err)
		err = sm_bpf_loader_array(&l, MAP_FORKS, &c->counter);
	if (err)
		return err;
	c->attach_fd = sm_bpf_loader_attach(&l, PROGRAM_COUNT_FORK);
	return c->attach_fd < 0 ? c->attach_fd : 0;
}

int sm_forkcount_open(
	struct sm_forkcount *c, const struct sm_root *root, struct sm_bpf_log *log)
{
	int err;

	*c = (struct sm_forkcount){.attach_fd = -1};
	err = attach(c, root, log);
	if (err)
		sm_forkcount_close(c);
	return err;
}

uint64_t sm_forkcount_read(const struct sm_forkcount *c)
{
	return __atomic_load_n((const uint64_t *)c->counter.values, __ATOMIC_RELAXED);
}

void sm_forkcount_close(struct sm_forkcount *c)
{
	sm_base_close_fd(&c->attach_fd);
	sm_bpf_array_close(&c->counter);
}
