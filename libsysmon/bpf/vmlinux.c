// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/vmlinux.h"

#define PATH	  "kernel/btf/vmlinux"
#define BYTES_MAX (64u << 20) /* a kernel with everything built in has 10 MB */

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

static int read_copy(struct sm_vmlinux *v, int fd)
{
	int err;

	v->data = malloc(v->bytes);
	err = v->data ? read_all(fd, v->data, v->bytes) : -ENOMEM;
	if (err) {
		free(v->data);
		v->data = NULL;
	}
	return err;
}

static int load(struct sm_vmlinux *v, const struct sm_root *root)
{
	SM_CLOSE_FD int fd = -1;
	struct stat st;
	void *map;

	fd = sm_at_open(root->sys, PATH, 0);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size <= 0 || st.st_size > BYTES_MAX)
		return -EBADMSG;
	v->bytes = (size_t)st.st_size;
	map = mmap(NULL, v->bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	v->mapped = map != MAP_FAILED;
	if (!v->mapped)
		return read_copy(v, fd);
	v->data = map;
	return 0;
}

static void unload(struct sm_vmlinux *v)
{
	if (v->mapped)
		munmap(v->data, v->bytes);
	else
		free(v->data);
	*v = (struct sm_vmlinux){0};
}

int sm_vmlinux_read(const struct sm_root *root, sm_vmlinux_fn fn, void *ctx)
{
	struct sm_vmlinux own = {0}, *v = root->vmlinux ? root->vmlinux : &own;
	struct sm_btf b;
	int err = v->data ? 0 : load(v, root);

	if (!err)
		err = sm_btf_init(&b, v->data, v->bytes);
	if (!err)
		err = fn(&b, ctx);
	unload(&own);
	return err;
}

void sm_vmlinux_keep(struct sm_root *root, struct sm_vmlinux *v)
{
	*v = (struct sm_vmlinux){0};
	root->vmlinux = v;
}

void sm_vmlinux_release(struct sm_root *root)
{
	unload(root->vmlinux);
	root->vmlinux = NULL;
}
