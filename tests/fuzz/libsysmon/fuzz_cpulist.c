// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_cpulist: a list is counted and returned whole, or it fails with -EINVAL or -ERANGE
 * and nothing is returned.
 */
#include <errno.h>
#include <stdlib.h>

#include "proc/cpulist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

struct seen {
	uint64_t calls;
};

static void count_cpu(void *ctx, unsigned int cpu)
{
	struct seen *seen = ctx;

	require(cpu <= 65535);
	seen->calls++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen seen = {0};
	int ret = sm_cpulist_parse(
		(const char *)data, size < 64 ? size : 64, count_cpu, &seen);

	if (ret < 0)
		require((ret == -EINVAL || ret == -ERANGE) && seen.calls == 0);
	else
		require((uint64_t)ret == seen.calls);
	return 0;
}
