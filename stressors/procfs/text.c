// SPDX-License-Identifier: GPL-2.0-or-later
#include "procfs/text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/parse.h"

ssize_t procfs_text(const struct sm_root *root, const char *path, char *buf, size_t cap)
{
	int fd = sm_root_open_proc(root, path, 0);
	ssize_t n;

	if (fd < 0)
		return fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM ? fd : -ENOENT;
	n = sm_file_is_procfs(fd) ? sm_file_slurp_fd(fd, buf, cap - 1) : -ENOENT;
	close(fd);
	if (n >= 0)
		buf[n] = '\0';
	return n;
}

bool procfs_line(const char *text, size_t n, const char *key, struct sm_str *value)
{
	const char *p = text, *end = text + n;
	struct sm_str line;

	while (sm_parse_line(&p, end, &line)) {
		const char *from = line.p + strlen(key), *to = line.p + line.n;

		if (!sm_parse_starts(line, key))
			continue;
		sm_parse_skip_blanks(&from, to);
		*value = (struct sm_str){from, (size_t)(to - from)};
		return true;
	}
	return false;
}
