/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vmlinux: type information of the running kernel, /sys/kernel/btf/vmlinux (Linux 5.4 with
 * CONFIG_DEBUG_INFO_BTF; Documentation/ABI/testing/sysfs-kernel-btf).
 *
 * The file is mapped where the kernel allows it (Linux 6.16); otherwise it is read, which takes a
 * system call for each page, and the copy is freed before the function returns.
 */
#ifndef SM_VMLINUX_H
#define SM_VMLINUX_H

#include "base/btf.h"
#include "kernel/root.h"

/* Fills in the offsets of all n members, or returns the first error: -ENOENT: the kernel has no BTF, or no
 * such member; others as sm_btf_find() and open(2).  The error of each member is 0, that of sm_btf_find(),
 * or -ENODATA where the kernel has no usable BTF. */
int sm_vmlinux_members(const struct sm_root *root, struct sm_btf_member *m, size_t n) SM_MUST;

#endif
