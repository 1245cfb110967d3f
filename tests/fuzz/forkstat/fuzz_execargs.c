// SPDX-License-Identifier: GPL-2.0-or-later
/* fuzz_execargs: a byte (bit 0: 64-bit), u64 stack pointer, then the dump. */
#include <stdlib.h>
#include <string.h>

#include "forkstat/execargs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

static uint64_t count_nuls(const char *p, size_t n)
{
	uint64_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += p[i] == '\0';
	return count;
}

static void check(const struct execargs *a, const char *dump, size_t n)
{
	uint64_t strings;

	require(a->argc > 0);
	if (!a->args) {
		require(a->len == 0 && !a->truncated);
		return;
	}
	require(a->args > dump && a->len > 0);
	require((size_t)(a->args - dump) + a->len <= n);
	require(a->args[a->len - 1] == '\0');
	strings = count_nuls(a->args, a->len);
	require(a->truncated ? strings < a->argc : strings == a->argc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct execargs a;
	unsigned char *dump;
	uint64_t sp;
	bool wide;

	if (size < 9)
		return 0;
	wide = data[0] & 1;
	memcpy(&sp, data + 1, 8);
	data += 9;
	size -= 9;
	/* On the heap, so that accesses beyond its end are detected. */
	dump = malloc(size ? size : 1);
	require(dump != NULL);
	memcpy(dump, data, size);
	if (execargs_parse(dump, size, sp, wide, &a) == 0)
		check(&a, (const char *)dump, size);
	free(dump);
	return 0;
}
