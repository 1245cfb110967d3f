// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <unistd.h>

#include "bpf/bpf_stream.h"

static int open_maps(struct sm_bpf_stream *s, struct sm_bpf_loader *l, unsigned int ring,
	unsigned int lost, size_t ring_bytes)
{
	int fd, err;

	l->entries[ring] = (uint32_t)ring_bytes;
	fd = sm_bpf_loader_map(l, ring);
	if (fd < 0)
		return fd;
	s->ring_fd = sm_bpf_loader_keep(l, ring);
	err = sm_bpf_loader_array(l, lost, &s->lost);
	return err ? err : sm_bpf_ring_map(&s->ring, fd, ring_bytes);
}

int sm_bpf_stream_open(struct sm_bpf_stream *s, struct sm_bpf_loader *l,
	unsigned int ring, unsigned int lost, size_t ring_bytes)
{
	int err;

	*s = (struct sm_bpf_stream)SM_BPF_STREAM_INIT;
	if (sizeof(long) != 8) /* the ring's positions are the kernel's longs */
		return -ENOSYS;
	if (ring_bytes > UINT32_MAX)
		return -EINVAL;
	err = open_maps(s, l, ring, lost, ring_bytes);
	if (err)
		sm_bpf_stream_close(s);
	return err;
}

int sm_bpf_stream_attach(
	struct sm_bpf_stream *s, struct sm_bpf_loader *l, unsigned int program)
{
	s->attach_fd = sm_bpf_loader_attach(l, program);
	return s->attach_fd < 0 ? s->attach_fd : 0;
}

int sm_bpf_stream_start(struct sm_bpf_stream *s, const struct sm_bpf_object *object,
	const struct sm_root *root, unsigned int ring, unsigned int lost,
	size_t ring_bytes, struct sm_bpf_log *log)
{
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err = sm_bpf_loader_open(&l, object, root, log);

	if (!err)
		err = sm_bpf_stream_open(s, &l, ring, lost, ring_bytes);
	return err ? err : sm_bpf_stream_attach(s, &l, 0);
}

uint64_t sm_bpf_stream_lost(const struct sm_bpf_stream *s)
{
	const uint64_t *lost = s->lost.values;

	return lost ? __atomic_load_n(lost, __ATOMIC_RELAXED) : 0;
}

void sm_bpf_stream_close(struct sm_bpf_stream *s)
{
	sm_base_close_fd(&s->attach_fd);
	sm_base_close_fd(&s->ring_fd);
	sm_bpf_array_close(&s->lost);
	sm_bpf_ring_close(&s->ring);
	*s = (struct sm_bpf_stream)SM_BPF_STREAM_INIT;
}
