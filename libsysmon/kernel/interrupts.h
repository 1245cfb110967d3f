/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interrupts: counts of the machine's interrupts since boot, from /proc/interrupts
 * (Documentation/filesystems/proc.rst): a line "NAME: COUNT COUNT ... TEXT", with a count for each online
 * CPU, except of those that count errors, which have one.
 */
#ifndef SM_INTERRUPTS_H
#define SM_INTERRUPTS_H

#include "base/base.h"
#include "kernel/root.h"

/* Is it the line of the interrupt "TLB", "LOC" or "9"?  *sum: of all its counts, 0 without one. */
bool sm_interrupts_parse(const char *s, size_t n, const char *name, uint64_t *sum);
/* The sum of an interrupt.  -ENOENT: this kernel does not count such interrupts;
 * -ENOMEM; -EFBIG: more than 64 MB of text. */
int sm_interrupts_read(const struct sm_root *root, const char *name, uint64_t *sum) SM_MUST;

#endif
