// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/cncount.h"
#include "cncount.bpf.h"

static int filter(struct sm_cncount *c, const struct sm_cnproc *socket)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	SM_CLOSE_FD int program = -1;
	int err = sm_bpf_loader_open(&l, &cncount_bpf, NULL, NULL);

	if (!err)
		err = sm_bpf_loader_array(&l, MAP_COUNTS, &c->counters);
	if (err)
		return err;
	program = sm_bpf_loader_load(&l, PROGRAM_COUNT_EVENTS);
	return program < 0 ? program : sm_bpf_attach_socket(socket->fd, program);
}

int sm_cncount_open(struct sm_cncount *c, struct sm_cnproc *socket)
{
	int err;

	*c = (struct sm_cncount){0};
	err = filter(c, socket);
	if (err)
		sm_cncount_close(c);
	return err;
}

void sm_cncount_read(const struct sm_cncount *c, struct sm_cncounts *out)
{
	const struct sm_cncounts *counts = c->counters.values;

	out->forks = __atomic_load_n(&counts->forks, __ATOMIC_RELAXED);
	out->execs = __atomic_load_n(&counts->execs, __ATOMIC_RELAXED);
	out->exits = __atomic_load_n(&counts->exits, __ATOMIC_RELAXED);
}

void sm_cncount_close(struct sm_cncount *c)
{
	sm_bpf_array_close(&c->counters);
}
