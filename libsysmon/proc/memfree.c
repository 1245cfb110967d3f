// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/parse.h"
#include "proc/cgroup.h"
#include "proc/memfree.h"

#define VMSTAT_CAP 32768 /* three times the size in Linux 6.18 */

/* Finds the number in a line "KEY  NUMBER...". */
static int find(const char *text, size_t n, const char *key, uint64_t *out)
{
	const char *p = text, *end = text + n;
	size_t len = strlen(key);
	struct sm_str line;

	while (sm_parse_line(&p, end, &line)) {
		const char *number = line.p + len;

		if (line.n <= len || memcmp(line.p, key, len) != 0)
			continue;
		while (number < line.p + line.n && *number == ' ')
			number++;
		return sm_parse_u64(&number, line.p + line.n, out) ? 0 : -EBADMSG;
	}
	return -ENODATA;
}

/* Returns MemAvailable in bytes, or UINT64_MAX if it is unknown. */
static uint64_t available(const struct sm_root *root)
{
	char text[1024];
	ssize_t n = sm_file_slurp(root->proc, "meminfo", text, sizeof(text));
	uint64_t kb;

	if (n < 0 || find(text, (size_t)n, "MemAvailable:", &kb) < 0)
		return UINT64_MAX;
	return kb << 10;
}

int sm_memfree_read(const struct sm_root *root, uint64_t *bytes)
{
	uint64_t machine = available(root), group;
	int err = sm_cgroup_memory_free(root, &group);

	if (err == -ENOMEM)
		return err;
	if (err < 0)
		group = UINT64_MAX;
	if (machine == UINT64_MAX && group == UINT64_MAX)
		return -ENODATA;
	*bytes = machine < group ? machine : group;
	return 0;
}

/* Returns the kills in the whole machine; 0: unknown. */
static uint64_t all_kills(const struct sm_root *root)
{
	char *text = malloc(VMSTAT_CAP);
	uint64_t kills = 0;
	ssize_t n = -ENOMEM;

	if (text)
		n = sm_file_slurp(root->proc, "vmstat", text, VMSTAT_CAP);
	if (n < 0 || find(text, (size_t)n, "oom_kill ", &kills) < 0)
		kills = 0;
	free(text);
	return kills;
}

uint64_t sm_memfree_kills(const struct sm_root *root)
{
	uint64_t kills;

	return sm_cgroup_oom_kills(root, &kills) == 0 ? kills : all_kills(root);
}

int sm_memfree_end_first(const struct sm_root *root)
{
	static const char most[] = "1000";
	int fd = sm_at_open(root->proc, "self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return fd;
	err = sm_file_write(fd, most, sizeof(most) - 1);
	close(fd);
	return err;
}
