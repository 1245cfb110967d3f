// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/parse.h"
#include "kernel/interrupts.h"

bool sm_interrupts_parse(const char *s, size_t n, const char *name, uint64_t *sum)
{
	const char *p = s, *end = s + n;
	size_t len = strlen(name);
	uint64_t count;

	sm_parse_skip_blanks(&p, end);
	if ((size_t)(end - p) <= len || memcmp(p, name, len) != 0 || p[len] != ':')
		return false;
	p += len + 1;
	*sum = 0;
	for (;;) {
		sm_parse_skip_blanks(&p, end);
		if (!sm_parse_u64(&p, end, &count))
			return true;
		*sum += count;
	}
}

struct search {
	const char *name;
	uint64_t *sum;
};

static int look_at(void *ctx, const char *s, size_t n)
{
	const struct search *search = ctx;

	return sm_interrupts_parse(s, n, search->name, search->sum);
}

int sm_interrupts_read(const struct sm_root *root, const char *name, uint64_t *sum)
{
	struct search search = {name, sum};
	struct sm_buf carry = {0};
	int fd = sm_at_open(root->proc, "interrupts", 0), r;

	if (fd < 0)
		return fd;
	r = sm_lines_read(fd, &carry, look_at, &search);
	sm_buf_fini(&carry);
	close(fd);
	if (r == 0)
		return -ENOENT;
	return r < 0 ? r : 0;
}
