// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/parse.h"
#include "load/ops.h"
#include "proc/cpulist.h"

#define MIB	  ((uint64_t)1 << 20)
#define LEAST	  (8 * MIB)
#define MOST	  (64 * MIB)
#define TIMES	  4u  /* size of the array, as a multiple of the cache */
#define PART	  8u  /* 1/PART of the available memory for all workers */
#define MAX_INDEX 16u /* more than the caches of any CPU */

static size_t cache_text(const struct sm_root *root, unsigned int index, const char *file,
	char *buf, size_t cap)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "devices/system/cpu/cpu0/cache/index%u/%s", index,
		file);
	n = sm_file_slurp(root->sys, path, buf, cap);
	return n > 0 ? (size_t)n : 0;
}

/* Parses "2048K": the kernel always writes KiB.  Returns 0 if unknown. */
static uint64_t cache_bytes(const struct sm_root *root, unsigned int index)
{
	char text[32];
	size_t n = cache_text(root, index, "size", text, sizeof(text));
	const char *p = text, *end = text + n;
	uint64_t kib;

	if (!sm_parse_u64(&p, end, &kib) || p == end || *p != 'K' || kib > UINT32_MAX)
		return 0;
	return kib << 10;
}

static unsigned int cache_sharers(const struct sm_root *root, unsigned int index)
{
	char list[1024];
	size_t n = cache_text(root, index, "shared_cpu_list", list, sizeof(list));
	int count = sm_cpulist_parse(list, n, NULL, NULL);

	return count > 1 ? (unsigned int)count : 1;
}

/* Returns the largest part of one CPU in any of its caches, if all CPUs that share it are
 * busy. */
static uint64_t cache_share(const struct sm_root *root)
{
	uint64_t most = 0;

	for (unsigned int i = 0; i < MAX_INDEX; i++) {
		uint64_t bytes = cache_bytes(root, i) / cache_sharers(root, i);

		if (bytes > most)
			most = bytes;
	}
	return most;
}

/* Reads "MemAvailable:    8046060 kB"; 0: unknown. */
static uint64_t available(const struct sm_root *root)
{
	char text[4096];
	ssize_t n = sm_file_slurp(root->proc, "meminfo", text, sizeof(text));
	const char *p = n > 0 ? strstr(text, "MemAvailable:") : NULL;
	uint64_t kib;

	if (!p)
		return 0;
	p += strlen("MemAvailable:");
	sm_parse_skip_blanks(&p, text + n);
	return sm_parse_u64(&p, text + n, &kib) && kib <= UINT64_MAX >> 10 ? kib << 10
									   : 0;
}

size_t sm_ops_mem_bytes(const struct sm_root *root, unsigned int n)
{
	uint64_t bytes = TIMES * cache_share(root), limit = available(root) / PART;

	bytes = bytes < LEAST ? LEAST : bytes > MOST ? MOST : bytes;
	limit /= n ? n : 1;
	if (limit && bytes > limit)
		bytes = limit < MIB ? MIB : limit;
	return (size_t)bytes;
}
