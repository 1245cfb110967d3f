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

static int hand_out(const void *data, size_t bytes, sm_vmlinux_fn fn, void *ctx)
{
	struct sm_btf b;
	int err = sm_btf_init(&b, data, bytes);

	return err ? err : fn(&b, ctx);
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

static int hand_out_copy(int fd, size_t bytes, sm_vmlinux_fn fn, void *ctx)
{
	char *copy = malloc(bytes);
	int err = copy ? read_all(fd, copy, bytes) : -ENOMEM;

	if (!err)
		err = hand_out(copy, bytes, fn, ctx);
	free(copy);
	return err;
}

int sm_vmlinux_read(const struct sm_root *root, sm_vmlinux_fn fn, void *ctx)
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
		return hand_out_copy(fd, bytes, fn, ctx);
	err = hand_out(map, bytes, fn, ctx);
	munmap(map, bytes);
	return err;
}
