// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_maps: /proc/PID/maps.  A line that is accepted, written anew from its parts as the
 * kernel writes it, is accepted again with the same parts; mappings that are handed out
 * are in order and apart.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/parse.h"
#include "proc/maps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void check_same(const struct sm_vma *a, const struct sm_vma *b)
{
	require(a->start == b->start && a->end == b->end && a->perms == b->perms);
	require(a->offset_bytes == b->offset_bytes && a->inode == b->inode);
	require(a->dev_major == b->dev_major && a->dev_minor == b->dev_minor);
	require(a->name.n == b->name.n);
	require(a->name.n == 0 || memcmp(a->name.p, b->name.p, a->name.n) == 0);
}

static void check_line(struct sm_str line)
{
	struct sm_buf text = {.len = 0};
	struct sm_vma v, again;
	char perms[5];

	if (sm_maps_parse_line(line.p, line.n, &v) < 0)
		return;
	require(v.start < v.end && v.name.p + v.name.n == line.p + line.n);
	sm_maps_perms(v.perms, perms);
	sm_buf_printf(&text,
		"%08" PRIx64 "-%08" PRIx64 " %s %08" PRIx64 " %02x:%02x %" PRIu64 "  ",
		v.start, v.end, perms, v.offset_bytes, v.dev_major, v.dev_minor, v.inode);
	sm_buf_add(&text, v.name.p, v.name.n);
	require(sm_buf_error(&text) == 0);
	require(sm_maps_parse_line(text.p, text.len, &again) == 0);
	check_same(&v, &again);
	sm_buf_fini(&text);
}

static int in_order(void *ctx, const struct sm_vma *v)
{
	uint64_t *last_end = ctx;

	require(v->start >= *last_end && v->end > v->start);
	*last_end = v->end;
	return 0;
}

static void check_file(const char *text, size_t size)
{
	static int fd = -1;
	struct sm_buf scratch = {.len = 0};
	uint64_t last_end = 0;
	int ret;

	if (fd < 0)
		fd = memfd_create("maps", MFD_CLOEXEC);
	require(fd >= 0 && ftruncate(fd, 0) == 0);
	require(pwrite(fd, text, size, 0) == (ssize_t)size);
	ret = sm_maps_read(fd, &scratch, in_order, &last_end);
	require(ret == 0 || ret == -EBADMSG || (ret == -ESRCH && size == 0));
	sm_buf_fini(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data, *end = p + size;
	struct sm_str line;

	while (sm_parse_line(&p, end, &line))
		check_line(line);
	check_file((const char *)data, size);
	return 0;
}
