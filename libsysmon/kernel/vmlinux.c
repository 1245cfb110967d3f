// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/vmlinux.h"

#define PATH	  "kernel/btf/vmlinux"
#define BYTES_MAX (64u << 20) /* a kernel with everything built in has 10 MB */

static int find_all(const void *data, size_t bytes, struct sm_btf_member *m, size_t n)
{
	struct sm_btf b;
	int err = sm_btf_init(&b, data, bytes), first = err;

	for (size_t i = 0; i < n && !err; i++) {
		m[i].error = sm_btf_find(&b, &m[i]);
		if (!first)
			first = m[i].error;
	}
	return first;
}

static int read_all(int fd, char *to, size_t bytes)
{
	size_t got = 0;

	while (got < bytes) {
		ssize_t n = read(fd, to + got, bytes - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EBADMSG;
		got += (size_t)n;
	}
	return 0;
}

static int find_in_copy(int fd, size_t bytes, struct sm_btf_member *m, size_t n)
{
	char *copy = malloc(bytes);
	int err = copy ? read_all(fd, copy, bytes) : -ENOMEM;

	if (!err)
		err = find_all(copy, bytes, m, n);
	free(copy);
	return err;
}

static int find_in_kernel(const struct sm_root *root, struct sm_btf_member *m, size_t n)
{
	SM_CLOSE_FD int fd = -1;
	struct stat st;
	size_t bytes;
	void *map;
	int err;

	fd = sm_at_open(root->sys, PATH, 0);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size <= 0 || st.st_size > BYTES_MAX)
		return -EBADMSG;
	bytes = (size_t)st.st_size;
	map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return find_in_copy(fd, bytes, m, n);
	err = find_all(map, bytes, m, n);
	munmap(map, bytes);
	return err;
}

int sm_vmlinux_members(const struct sm_root *root, struct sm_btf_member *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		m[i].error = -ENODATA;
	return find_in_kernel(root, m, n);
}
