// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel/bpf_stream.h"

enum { R0, R1, R2, R3, R4 };

static int create_maps(struct sm_bpf_stream *s, const char *name, size_t ring_bytes)
{
	char map[BPF_OBJ_NAME_LEN];

	snprintf(map, sizeof(map), "%s_ring", name);
	s->ring_fd =
		sm_bpf_map_create(map, SM_BPF_MAP_RINGBUF, 0, 0, (uint32_t)ring_bytes, 0);
	if (s->ring_fd < 0)
		return s->ring_fd;
	snprintf(map, sizeof(map), "%s_lost", name);
	return sm_bpf_array_open(&s->lost, map, 8, 1);
}

int sm_bpf_stream_open(struct sm_bpf_stream *s, const char *name, size_t ring_bytes)
{
	int err;

	*s = (struct sm_bpf_stream)SM_BPF_STREAM_INIT;
	if (sizeof(long) != 8) /* the ring's positions are the kernel's longs */
		return -ENOSYS;
	if (ring_bytes > UINT32_MAX)
		return -EINVAL;
	err = create_maps(s, name, ring_bytes);
	if (!err)
		err = sm_bpf_ring_map(&s->ring, s->ring_fd, ring_bytes);
	if (err)
		sm_bpf_stream_close(s);
	return err;
}

void sm_bpf_stream_output(struct sm_bpf_asm *a, const struct sm_bpf_stream *s)
{
	enum { BYTES = 8, FROM = 9 };
	size_t free_space, written;

	sm_bpf_mov(a, FROM, R2);
	sm_bpf_mov(a, BYTES, R3);
	sm_bpf_map(a, R1, s->ring_fd);
	sm_bpf_set(a, R2, SM_BPF_RB_AVAIL_DATA);
	sm_bpf_call(a, SM_BPF_RINGBUF_QUERY);
	sm_bpf_set(a, R4, s->wakes ? 0 : SM_BPF_RB_NO_WAKEUP);
	free_space = sm_bpf_jump(a, BPF_JLT, R0, (int32_t)(s->ring.data_bytes / 2));
	sm_bpf_set(a, R4, SM_BPF_RB_FORCE_WAKEUP);
	sm_bpf_land(a, free_space);
	sm_bpf_map(a, R1, s->ring_fd);
	sm_bpf_mov(a, R2, FROM);
	sm_bpf_mov(a, R3, BYTES);
	sm_bpf_call(a, SM_BPF_RINGBUF_OUTPUT);
	written = sm_bpf_jump(a, BPF_JEQ, R0, 0);
	sm_bpf_count(a, s->lost.fd, 0);
	sm_bpf_land(a, written);
}

int sm_bpf_stream_attach(struct sm_bpf_stream *s, const char *name,
	const char *tracepoint, const struct sm_bpf_asm *a, struct sm_bpf_log *log)
{
	SM_CLOSE_FD int prog =
		sm_bpf_prog_load(name, SM_BPF_PROG_RAW_TRACEPOINT, a->insn, a->n, log);

	if (prog < 0)
		return prog;
	s->attach_fd = sm_bpf_attach_raw_tracepoint(tracepoint, prog);
	sm_base_close_fd(&s->lost.fd);
	return s->attach_fd < 0 ? s->attach_fd : 0;
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
