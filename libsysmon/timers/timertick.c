// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "timers/timertick.h"
#include "timertick.bpf.h"

static int run(struct sm_bpf_loader *l, unsigned int program)
{
	SM_CLOSE_FD int fd = sm_bpf_loader_load(l, program);

	return fd < 0 ? fd : sm_bpf_prog_run(fd);
}

/* Kernels without addresses of functions (before Linux 6.4) reject the first program. */
static int run_either(struct sm_bpf_loader *l, struct sm_bpf_array *found)
{
	int err = sm_bpf_loader_array(l, MAP_FOUND, found);

	if (err)
		return err;
	return run(l, PROGRAM_FIND_FUNCTIONS) ? run(l, PROGRAM_FIND_TICK) : 0;
}

int sm_timertick_read(struct sm_timertick *t, const struct sm_root *root)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	struct sm_bpf_array found = {0};
	int err = sm_bpf_loader_open(&l, &timertick_bpf, root, NULL);

	*t = (struct sm_timertick){0};
	if (sizeof(void *) != 8)
		return -ENOSYS;
	if (!err)
		err = run_either(&l, &found);
	if (!err)
		*t = *(const struct sm_timertick *)found.values;
	sm_bpf_array_close(&found);
	return err;
}
