// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_cgroup: /proc/PID/cgroup, whose text contains paths.  A path found is the whole
 * end of one line, and for any text the limits read are those of a prepared tree below
 * sys/fs/cgroup, never those of a sibling reached by ".." or a link.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proc/cgroup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INSIDE_MILLI 2000
#define PATH_ROOM    4096u

static char top[] = "/tmp/sm-fuzz-XXXXXX";
static struct sm_root root;
static int self_fd = -1;

/* In the order of creation; removed in reverse order. */
static const char *const dirs[] = {"proc", "proc/self", "proc/1", "sys", "sys/fs",
	"sys/fs/secret", "sys/fs/cgroup", "sys/fs/cgroup/a", "sys/fs/cgroup/a/b",
	"sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu/a", "sys/fs/cgroup/unified"};
static const struct {
	const char *name, *text;
} files[] = {
	{"proc/self/cgroup", ""},
	{"sys/fs/secret/cpu.max", "1 1000\n"},
	{"sys/fs/secret/cpu.cfs_quota_us", "1\n"},
	{"sys/fs/secret/cpu.cfs_period_us", "1000\n"},
	{"sys/fs/cpu.max", "1 1000\n"},
	{"sys/fs/cgroup/a/cpu.max", "2 1\n"},
	{"sys/fs/cgroup/a/b/cpu.max", "2 1\n"},
	{"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "2\n"},
	{"sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "1\n"},
};

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void in_tree(int fd, const char *name, int flags)
{
	require(unlinkat(fd, name, flags) == 0);
}

static void remove_tree(void)
{
	int fd = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);

	require(fd >= 0);
	in_tree(fd, "sys/fs/cgroup/out", 0);
	in_tree(fd, "proc/1/cgroup", 0);
	for (size_t i = SM_ARRAY_SIZE(files); i-- > 0;)
		in_tree(fd, files[i].name, 0);
	for (size_t i = SM_ARRAY_SIZE(dirs); i-- > 0;)
		in_tree(fd, dirs[i], AT_REMOVEDIR);
	close(fd);
	close(self_fd);
	sm_root_close(&root);
	rmdir(top);
}

static void make_tree(void)
{
	int fd;

	require(mkdtemp(top) != NULL);
	fd = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);
	require(fd >= 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(dirs); i++)
		require(mkdirat(fd, dirs[i], 0755) == 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(files); i++) {
		int out = openat(fd, files[i].name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		ssize_t n = (ssize_t)strlen(files[i].text);

		require(out >= 0 && write(out, files[i].text, (size_t)n) == n);
		if (i == 0)
			self_fd = out;
		else
			close(out);
	}
	require(symlinkat("../secret", fd, "sys/fs/cgroup/out") == 0);
	require(symlinkat("../self/cgroup", fd, "proc/1/cgroup") == 0);
	require(sm_root_open(&root, top) == 0);
	close(fd);
	atexit(remove_tree);
}

/* A path begins with a slash after a colon and ends with its line. */
static void check_found(const char *text, size_t size, const char *controller)
{
	struct sm_str path;

	if (!sm_cgroup_find(text, size, controller, &path))
		return;
	require(path.n > 0 && path.p[0] == '/' && !memchr(path.p, '\n', path.n));
	require(path.p > text && path.p[-1] == ':');
	require(path.p + path.n == text + size || path.p[path.n] == '\n');
}

static void check_files(const char *text, size_t size)
{
	char *path = malloc(PATH_ROOM);
	uint64_t milli;
	ssize_t n;
	int ret;

	require(path && ftruncate(self_fd, 0) == 0);
	require(pwrite(self_fd, text, size, 0) == (ssize_t)size);
	ret = sm_cgroup_limit_milli(&root, &milli);
	require(ret == -ENODATA || (ret == 0 && milli == INSIDE_MILLI));
	n = sm_cgroup_read(&root, 1, path, PATH_ROOM);
	require(n == -ENODATA || (n > 0 && n <= (ssize_t)PATH_ROOM && *path == '/'));
	require(n < 0 || memmem(text, size, path, (size_t)n));
	free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;

	if (self_fd < 0)
		make_tree();
	check_found(text, size, NULL);
	check_found(text, size, "cpu");
	check_files(text, size);
	return 0;
}
