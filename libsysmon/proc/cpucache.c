// SPDX-License-Identifier: GPL-2.0-or-later
#include "proc/cpucache.h"

#include <errno.h>
#include <stdio.h>

#include "base/file.h"
#include "base/parse.h"
#include "proc/sysfs.h"

#define MAX_INDEX 16u /* more than any CPU has */

static bool read_text(const struct sm_root *root, unsigned int cpu, unsigned int index,
	const char *file, char *text, size_t cap)
{
	char path[96];

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/cache/index%u/%s", cpu,
		index, file);
	return sm_sysfs_text(root->sys, path, text, cap);
}

static bool is_level(const struct sm_root *root, unsigned int cpu, unsigned int index,
	unsigned int level)
{
	char text[32];
	uint64_t v;

	if (!read_text(root, cpu, index, "level", text, sizeof(text)))
		return false;
	if (!sm_parse_whole_u64((struct sm_str){text, strlen(text)}, &v) || v != level)
		return false;
	return read_text(root, cpu, index, "type", text, sizeof(text)) &&
	       strcmp(text, "Instruction") != 0;
}

/* Reads "2048K"; the kernel always writes KiB. */
static bool read_size(
	const struct sm_root *root, unsigned int cpu, unsigned int index, uint64_t *bytes)
{
	char text[32];
	const char *p = text, *end;
	uint64_t kib;

	if (!read_text(root, cpu, index, "size", text, sizeof(text)))
		return false;
	end = text + strlen(text);
	if (!sm_parse_u64(&p, end, &kib) || !kib || kib > UINT32_MAX ||
		strcmp(p, "K") != 0)
		return false;
	*bytes = kib << 10;
	return true;
}

static bool read_ways(
	const struct sm_root *root, unsigned int cpu, unsigned int index, uint64_t *ways)
{
	char text[32];

	return read_text(root, cpu, index, "ways_of_associativity", text, sizeof(text)) &&
	       sm_parse_whole_u64((struct sm_str){text, strlen(text)}, ways) && *ways;
}

int sm_cpucache_bytes(
	const struct sm_root *root, unsigned int cpu, unsigned int level, uint64_t *bytes)
{
	for (unsigned int i = 0; i < MAX_INDEX; i++)
		if (is_level(root, cpu, i, level) && read_size(root, cpu, i, bytes))
			return 0;
	return -ENOENT;
}

int sm_cpucache_ways(
	const struct sm_root *root, unsigned int cpu, unsigned int level, uint64_t *ways)
{
	for (unsigned int i = 0; i < MAX_INDEX; i++)
		if (is_level(root, cpu, i, level) && read_ways(root, cpu, i, ways))
			return 0;
	return -ENOENT;
}
