// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "events/cnring.h"
#include "cnring.bpf.h"

/* --- opening ----------------------------------------------------------------------- */

static int open_maps(struct sm_cnring *r, struct sm_bpf_loader *l, uint32_t mask)
{
	int fd, err;

	l->entries[MAP_RING] = SM_CNRING_BYTES;
	fd = sm_bpf_loader_map(l, MAP_RING);
	if (fd < 0)
		return fd;
	err = sm_bpf_ring_map(&r->ring, fd, SM_CNRING_BYTES);
	if (!err)
		err = sm_bpf_loader_array(l, MAP_DIVERTS, &r->on);
	return err ? err : sm_bpf_loader_set(l, MAP_MASK, &mask);
}

static int filter(struct sm_bpf_loader *l, struct sm_cnproc *socket)
{
	int program = sm_bpf_loader_load(l, PROGRAM_DIVERT_EVENTS), err;

	if (program < 0)
		return program;
	err = sm_bpf_attach_socket(socket->fd, program);
	if (err) {
		sm_base_close_fd(&program);
		return err;
	}
	sm_base_close_fd(&socket->filter_fd);
	socket->filter_fd = program;
	return 0;
}

int sm_cnring_open(struct sm_cnring *r, const struct sm_root *root,
	struct sm_cnproc *socket, uint32_t mask)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err;

	*r = (struct sm_cnring){0};
	err = sm_bpf_loader_open(&l, &cnring_bpf, root, NULL);
	if (!err && sizeof(long) != 8) /* the ring's positions are the kernel's longs */
		err = -ENOSYS;
	if (!err)
		err = open_maps(r, &l, mask);
	if (!err)
		err = filter(&l, socket);
	if (err)
		sm_cnring_close(r);
	return err;
}

void sm_cnring_divert(struct sm_cnring *r, bool on)
{
	uint32_t *value = r->on.values;

	if (value)
		__atomic_store_n(value, on, __ATOMIC_RELEASE);
}

void sm_cnring_close(struct sm_cnring *r)
{
	sm_bpf_array_close(&r->on);
	sm_bpf_ring_close(&r->ring);
	*r = (struct sm_cnring){0};
}

/* --- reading ----------------------------------------------------------------------- */

struct reading {
	struct sm_cnproc *c;
	struct sm_proc_event *to;
};

static void on_record(void *ctx, const void *record, size_t len)
{
	struct reading *r = ctx;

	if (sm_cnproc_parse_event(record, len, r->to) < 0)
		return;
	r->to->time_ns += (uint64_t)r->c->clock_offset_ns;
	r->to++;
	r->c->received++;
}

ssize_t sm_cnring_read(
	struct sm_cnring *r, struct sm_cnproc *c, struct sm_proc_event *ev, size_t max)
{
	struct reading reading = {c, ev};
	ssize_t n = 0;

	if (r->on.values)
		n = sm_bpf_ring_read(&r->ring, on_record, &reading, max);
	return n < 0 ? n : reading.to - ev;
}
