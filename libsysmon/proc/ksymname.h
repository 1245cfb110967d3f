/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ksymname: names of kernel functions by their address, from a BPF program that runs once for up to
 * SM_KSYMNAME_BATCH addresses.
 *
 * The program prints them with bpf_snprintf() and "%ps" (Documentation/core-api/printk-formats.rst).  This
 * takes microseconds, while reading /proc/kallsyms takes 20 ms, and works if that file hides addresses.
 */
#ifndef SM_KSYMNAME_H
#define SM_KSYMNAME_H

#include "base/root.h"
#include "bpf/bpf.h"
#include "proc/ksymname_raw.h"

struct sm_ksymname {
	int prog_fd;               /* -1: closed */
	struct sm_bpf_array batch;
};

#define SM_KSYMNAME_INIT {.prog_fd = -1}

/* Requires 64-bit Linux 5.14, CAP_BPF and CAP_PERFMON.  -ENOTSUP: the root is a recorded tree.
 * After an error it is closed. */
int sm_ksymname_open(struct sm_ksymname *k, const struct sm_root *root) SM_MUST;
/* Returns the batch, in which the caller sets addresses. */
static inline struct sm_ksymname_batch *sm_ksymname_batch(const struct sm_ksymname *k)
{
	return (struct sm_ksymname_batch *)k->batch.values;
}
/* Finds the names of the batch.  Requires no privileges since Linux 5.19. */
int sm_ksymname_run(const struct sm_ksymname *k) SM_MUST;
void sm_ksymname_close(struct sm_ksymname *k);

#endif
