// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "execargs.h"

/* The largest plausible argc.  MAX_ARG_STRINGS of the kernel is far above. */
#define ARGC_MAX 65536u

struct stack {
	const unsigned char *p;
	size_t n;
	uint64_t sp;
	size_t word; /* 8 or 4 bytes */
};

static bool word_at(const struct stack *s, size_t index, uint64_t *out)
{
	uint32_t narrow;

	if (index >= s->n / s->word)
		return false;
	if (s->word == 8) {
		memcpy(out, s->p + index * 8, 8);
		return true;
	}
	memcpy(&narrow, s->p + index * 4, 4);
	*out = narrow;
	return true;
}

/* Returns the length of the arguments, which end where the environment begins; 0 if
 * unknown. */
static size_t length_by_pointers(const struct stack *s, uint64_t argc, uint64_t first)
{
	uint64_t env0;

	if (!word_at(s, (size_t)argc + 2, &env0) || env0 <= first ||
		env0 - first > UINT32_MAX)
		return 0;
	return (size_t)(env0 - first);
}

/* Counts whole strings in [p, p + n), at most argc.  Returns their length. */
static size_t whole_strings(const char *p, size_t n, uint64_t argc, uint64_t *found)
{
	size_t len = 0;
	const char *nul;

	for (*found = 0; *found < argc && len < n; (*found)++) {
		nul = memchr(p + len, '\0', n - len);
		if (!nul)
			break;
		len = (size_t)(nul - p) + 1;
	}
	return len;
}

int execargs_parse(
	const unsigned char *dump, size_t n, uint64_t sp, bool wide, struct execargs *out)
{
	struct stack s = {dump, n, sp, wide ? 8 : 4};
	uint64_t first, null, found;
	size_t offset;

	memset(out, 0, sizeof(*out));
	if (!word_at(&s, 0, &out->argc) || out->argc == 0 || out->argc > ARGC_MAX)
		return -ENODATA;
	if (!word_at(&s, 1, &first) || first <= sp)
		return -ENODATA;
	if (word_at(&s, (size_t)out->argc + 1, &null) && null != 0)
		return -ENODATA;
	out->expect_len = length_by_pointers(&s, out->argc, first);
	if (first - sp >= n)
		return 0;
	offset = (size_t)(first - sp);
	out->len =
		whole_strings((const char *)dump + offset, n - offset, out->argc, &found);
	if (out->len == 0)
		return 0;
	out->args = (const char *)dump + offset;
	out->truncated = found < out->argc;
	return 0;
}
