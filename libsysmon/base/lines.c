// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <unistd.h>

#include "base/lines.h"

#define CHUNK_BYTES 16384u /* a read of /proc returns a page or little more */

static ssize_t pread_retry(int fd, char *buf, size_t n, uint64_t offset)
{
	ssize_t got;

	do
		got = pread(fd, buf, n, (off_t)offset);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

static int hand_out_carry(struct sm_buf *carry, sm_lines_fn fn, void *ctx)
{
	int ret = sm_buf_error(carry);

	if (ret == 0)
		ret = fn(ctx, carry->p, carry->len);
	sm_buf_reset(carry);
	return ret;
}

/* Completes a line that began in an earlier chunk; *p is then after it. */
static int finish_line(
	const char **p, const char *end, struct sm_buf *carry, sm_lines_fn fn, void *ctx)
{
	const char *nl = memchr(*p, '\n', (size_t)(end - *p));
	const char *stop = nl ? nl : end;

	sm_buf_add(carry, *p, (size_t)(stop - *p));
	*p = nl ? nl + 1 : end;
	return nl ? hand_out_carry(carry, fn, ctx) : sm_buf_error(carry);
}

/* Passes on the whole lines of a chunk and moves the rest to carry. */
static int take_chunk(
	const char *p, const char *end, struct sm_buf *carry, sm_lines_fn fn, void *ctx)
{
	const char *nl;
	int ret;

	if (carry->len) {
		ret = finish_line(&p, end, carry, fn, ctx);
		if (ret)
			return ret;
	}
	while (p < end && (nl = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		ret = fn(ctx, p, (size_t)(nl - p));
		if (ret)
			return ret;
		p = nl + 1;
	}
	sm_buf_add(carry, p, (size_t)(end - p));
	return sm_buf_error(carry);
}

int sm_lines_read(int fd, struct sm_buf *carry, sm_lines_fn fn, void *ctx)
{
	char chunk[CHUNK_BYTES];
	uint64_t offset = 0;
	ssize_t n;
	int ret;

	sm_buf_reset(carry);
	while ((n = pread_retry(fd, chunk, sizeof(chunk), offset)) > 0) {
		offset += (uint64_t)n;
		ret = take_chunk(chunk, chunk + n, carry, fn, ctx);
		if (ret)
			return ret;
	}
	if (n < 0)
		return (int)n;
	return carry->len ? hand_out_carry(carry, fn, ctx) : 0;
}
