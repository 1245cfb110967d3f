// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz_cpusettings: any text as /proc/cpuinfo.  The model is one line, and either a list
 * of texts of the file or made of its implementers and parts.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proc/cpusettings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char top[] = "/tmp/sm-fuzz-XXXXXX";
static struct sm_root root;
static int cpuinfo_fd = -1;

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void remove_tree(void)
{
	int fd = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);

	require(fd >= 0);
	require(unlinkat(fd, "proc/cpuinfo", 0) == 0);
	require(unlinkat(fd, "proc", AT_REMOVEDIR) == 0);
	close(fd);
	close(cpuinfo_fd);
	sm_root_close(&root);
	rmdir(top);
}

static void make_tree(void)
{
	int fd;

	require(mkdtemp(top) != NULL);
	fd = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);
	require(fd >= 0 && mkdirat(fd, "proc", 0755) == 0);
	cpuinfo_fd = openat(fd, "proc/cpuinfo", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	require(cpuinfo_fd >= 0);
	close(fd);
	require(sm_root_open(&root, top) == 0);
	atexit(remove_tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sm_cpusettings s;
	size_t n;

	if (cpuinfo_fd < 0)
		make_tree();
	require(ftruncate(cpuinfo_fd, 0) == 0);
	require(pwrite(cpuinfo_fd, data, size, 0) == (ssize_t)size);
	sm_cpusettings_read(&s, &root);
	n = strnlen(s.model, sizeof(s.model));
	require(n < sizeof(s.model) && !strchr(s.model, '\n'));
	n = strcspn(s.model, ",");
	if (strncmp(s.model, "implementer ", 12) != 0 && n)
		require(memmem(data, size, s.model, n) != NULL);
	require(!s.driver[0] && !s.governor[0] && !s.epp[0]);
	return 0;
}
