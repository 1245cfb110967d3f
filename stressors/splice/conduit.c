// SPDX-License-Identifier: GPL-2.0-or-later
#include "conduit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "device/mem.h"

#define SPOILT 2 /* comparison */

static void fill(char *p, size_t bytes, uint64_t random)
{
	for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
		uint64_t word = stress_random(&random);

		memcpy(p + i, &word, sizeof(word));
	}
}

int conduit_set_up(struct stress *s, struct conduit *c)
{
	int holds;

	if (pipe2(c->pipe, O_CLOEXEC) < 0)
		return stress_error(s, STRESS_FAIL, errno, "pipe2");
	holds = fcntl(c->pipe[1], F_GETPIPE_SZ);
	if (holds <= 0)
		return stress_error(s, STRESS_FAIL, errno, "F_GETPIPE_SZ");
	c->holds = (size_t)holds;
	c->pattern = stress_map(s, c->holds, 0);
	c->got = c->pattern ? stress_map(s, c->holds, 0) : NULL;
	if (!c->got)
		return -1;
	fill(c->pattern, c->holds, s->seed);
	c->null = mem_device_open(s, MEM_NULL);
	return c->null < 0 ? -1 : 0;
}

int conduit_file(struct stress *s, const struct conduit *c, uint64_t bytes)
{
	int fd = memfd_create("stressors", MFD_CLOEXEC), r = 0;

	if (fd < 0)
		return stress_error(s, STRESS_SKIP, errno, "memfd_create");
	while (bytes && r == 0) {
		size_t n = bytes < c->holds ? (size_t)bytes : c->holds;

		r = sm_file_write(fd, c->pattern, n);
		bytes -= n;
	}
	return r < 0 ? stress_error(s, STRESS_FAIL, -r, "write to memory") : fd;
}

int conduit_judge(struct stress *s, ssize_t n, const char *call)
{
	if (n < 0)
		return stress_error(s, STRESS_FAIL, errno, "%s", call);
	return n ? 0 : stress_fail(s, "%s: no bytes were moved", call);
}

int conduit_drain(struct stress *s, struct conduit *c, size_t n)
{
	size_t left = n;

	while (left) {
		ssize_t moved =
			splice(c->pipe[0], NULL, c->null, NULL, left, SPLICE_F_MOVE);
		int r = conduit_judge(s, moved, "splice to /dev/null");

		if (r)
			return r;
		left -= (size_t)moved;
	}
	c->bytes += n;
	return 0;
}

int conduit_compare(struct stress *s, struct conduit *c, size_t n)
{
	size_t have = 0;

	while (have < n) {
		ssize_t got = read(c->pipe[0], c->got + have, n - have);
		int r = conduit_judge(s, got, "read");

		if (r)
			return r;
		have += (size_t)got;
	}
	c->bytes += n;
	c->compared++;
	if (s->spoil && c->compared == SPOILT)
		c->got[n / 2] ^= 1;
	for (size_t i = 0; i < n; i++)
		if (c->got[i] != c->pattern[i])
			return stress_fail(s, "byte %zu of %zu is %#x instead of %#x", i,
				n, (unsigned char)c->got[i],
				(unsigned char)c->pattern[i]);
	return 0;
}

double conduit_rate(const struct stress *s, const struct conduit *c)
{
	return (double)c->bytes * 1e3 / (double)(sm_clock_mono_ns() - s->go_ns);
}
