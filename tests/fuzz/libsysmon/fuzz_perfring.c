// SPDX-License-Identifier: GPL-2.0-or-later
/* A perf ring of 512 bytes: u64 head, u64 tail, then the ring's content. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "events/perf.h"

#define DATA_BYTES 512u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sum {
	ssize_t records;
	size_t bytes;
	unsigned int bits;
};

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void take(
	void *ctx, const struct perf_event_header *h, const void *body, size_t len)
{
	struct sum *s = ctx;
	const unsigned char *b = body;

	require(h->type != PERF_RECORD_LOST);
	require(h->size == len + sizeof(*h));
	require((uintptr_t)body % 8 == 0);
	for (size_t i = 0; i < len; i++) /* read all bytes for the sanitizer */
		s->bits |= b[i];
	s->records++;
	s->bytes += h->size;
}

static void check(struct sm_perf_ring *r)
{
	uint64_t there = r->meta->data_head - r->meta->data_tail;
	struct sum s = {0, 0, 0};
	ssize_t n = sm_perf_ring_drain(r, take, &s);

	require(n == -EBADMSG || n == s.records);
	require(s.bytes <= there && s.bytes <= DATA_BYTES);
	require(r->meta->data_tail == r->meta->data_head);
	require(!sm_perf_ring_ready(r));
	require(sm_perf_ring_drain(r, take, &s) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct perf_event_mmap_page meta;
	struct sm_perf_ring r;
	unsigned char *ring;
	uint64_t pos[2];

	if (size < sizeof(pos))
		return 0;
	memcpy(pos, data, sizeof(pos));
	meta.data_head = pos[0];
	meta.data_tail = pos[1];
	size -= sizeof(pos);
	/* On the heap, so that accesses beyond its ends are detected. */
	ring = calloc(1, DATA_BYTES);
	require(ring != NULL);
	memcpy(ring, data + sizeof(pos), size < DATA_BYTES ? size : DATA_BYTES);
	require(sm_perf_ring_adopt(&r, &meta, ring, DATA_BYTES) == 0);
	check(&r);
	sm_perf_ring_close(&r);
	free(ring);
	return 0;
}
