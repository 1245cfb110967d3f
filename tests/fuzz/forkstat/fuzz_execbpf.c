// SPDX-License-Identifier: GPL-2.0-or-later
/* A ring buffer of 512 bytes: u64 consumer, u64 producer, then the ring's content. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "forkstat/execbpf.h"

#define DATA_BYTES 512u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sum {
	ssize_t records;
	unsigned int bits;
};

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void touch(struct sum *s, const char *p, size_t n)
{
	require(p != NULL || n == 0);
	for (size_t i = 0; i < n; i++) /* read all bytes for the sanitizer */
		s->bits |= (unsigned char)p[i];
}

static void take(void *ctx, const struct execbpf_record *r)
{
	struct sum *s = ctx;
	touch(s, r->file, r->file_len);
	touch(s, r->args, r->args_len);
	touch(s, r->env, r->env_len);
	require(r->env_len + r->file_len + r->args_len <= DATA_BYTES);
	require((r->env_state == EXECBPF_ENV_SET) <= (r->env != NULL));
	require(!r->file || !memchr(r->file, '\0', r->file_len));
	require(!r->args == (r->args_len == 0));
	require(r->truncated == (r->args && r->args_len < r->expect_len));
	require(strnlen(r->comm, sizeof(r->comm)) < sizeof(r->comm));
	s->records++;
}

/* Both views; a record that stays unfinished only costs time. */
static void fill(unsigned char *ring, const uint8_t *data, size_t size)
{
	memset(ring, 0, 2 * DATA_BYTES);
	memcpy(ring, data, size < DATA_BYTES ? size : DATA_BYTES);
	for (size_t i = 0; i < DATA_BYTES; i += 8) {
		uint32_t h;

		memcpy(&h, ring + i, sizeof(h));
		h &= ~(UINT32_C(1) << 31);
		memcpy(ring + i, &h, sizeof(h));
	}
	memcpy(ring + DATA_BYTES, ring, DATA_BYTES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct execbpf b = EXECBPF_INIT;
	struct sum s = {0, 0};
	const struct execbpf_reader reader = {.exec = take, .ctx = &s};
	unsigned long pos[2];
	uint64_t given[2];
	unsigned char *ring;
	ssize_t n;

	if (size < sizeof(given))
		return 0;
	memcpy(given, data, sizeof(given));
	pos[0] = (unsigned long)given[0];
	pos[1] = (unsigned long)given[1];
	ring = malloc(2 * DATA_BYTES);
	require(ring != NULL);
	fill(ring, data + sizeof(given), size - sizeof(given));
	require(sm_bpf_ring_adopt(&b.stream.ring, &pos[0], &pos[1], ring, DATA_BYTES) ==
		0);
	n = execbpf_drain(&b, &reader);
	require(n == -EBADMSG || n == s.records);
	require(pos[0] == pos[1] && pos[1] == (unsigned long)given[1]);
	require(execbpf_drain(&b, &reader) == 0);
	free(ring);
	return 0;
}
