// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/parse.h"
#include "proc/interrupts.h"

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

#define FIRST_BYTES 65536u
#define MOST_BYTES  (FIRST_BYTES << 10)

static int find(const char *p, const char *end, const char *name, uint64_t *sum)
{
	struct sm_str line;

	while (sm_parse_line(&p, end, &line))
		if (sm_interrupts_parse(line.p, line.n, name, sum))
			return 0;
	return -ENOENT;
}

/* A file for many CPUs and devices has megabytes.  -EFBIG: it does not fit. */
static int read_into(const struct sm_root *root, const char *name, uint64_t *sum,
	char *text, size_t bytes)
{
	ssize_t n = sm_file_slurp(root->proc, "interrupts", text, bytes);

	if (n < 0)
		return (int)n;
	return (size_t)n == bytes - 1 ? -EFBIG : find(text, text + n, name, sum);
}

int sm_interrupts_read(const struct sm_root *root, const char *name, uint64_t *sum)
{
	int r = -EFBIG;

	for (size_t bytes = FIRST_BYTES; r == -EFBIG && bytes <= MOST_BYTES; bytes *= 2) {
		char *text = malloc(bytes);

		if (!text)
			return -ENOMEM;
		r = read_into(root, name, sum, text, bytes);
		free(text);
	}
	return r;
}
