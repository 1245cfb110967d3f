/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vmlinux: type information of the running kernel, /sys/kernel/btf/vmlinux (Linux 5.4 with
 * CONFIG_DEBUG_INFO_BTF; Documentation/ABI/testing/sysfs-kernel-btf).
 *
 * The file is mapped if the kernel allows it (Linux 6.16).  Otherwise it is read, with a system call for each
 * page, into a copy.  Either is freed before the function returns, unless it is kept for further readers.
 */
#ifndef SM_VMLINUX_H
#define SM_VMLINUX_H

#include "base/root.h"
#include "bpf/btf.h"

/* Reads the type information, calls fn, which may use b until it returns, and returns the value of fn.
 * -ENOENT: the kernel lacks BTF; -EBADMSG: malformed BTF; other errors as in open(2). */
typedef int (*sm_vmlinux_fn)(const struct sm_btf *b, void *ctx);
int sm_vmlinux_read(const struct sm_root *root, sm_vmlinux_fn fn, void *ctx) SM_MUST;

struct sm_vmlinux {
	void *data; /* NULL: not read yet */
	size_t bytes;
	bool mapped;
};
/* Lets all readers of the root share the information that the first of them reads.  v must stay valid until
 * sm_vmlinux_release(), which frees the information. */
void sm_vmlinux_keep(struct sm_root *root, struct sm_vmlinux *v);
void sm_vmlinux_release(struct sm_root *root);

#endif
