/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interrupts: counts of the machine's interrupts since boot, from /proc/interrupts
 * (Documentation/filesystems/proc.rst).  A line is "NAME: COUNT COUNT ... TEXT", with a count for each online
 * CPU; lines that count errors have a single count.
 */
#ifndef SM_INTERRUPTS_H
#define SM_INTERRUPTS_H

#include "base/base.h"
#include "base/root.h"

/* True if s is the line of the interrupt NAME ("TLB", "LOC", "9"); *sum is then the sum of its counts. */
bool sm_interrupts_parse(const char *s, size_t n, const char *name, uint64_t *sum);
/* Reads the sum of the counts of an interrupt.  -ENOENT: this kernel does not count such interrupts; -ENOMEM;
 * -EFBIG: more than 64 MB of text. */
int sm_interrupts_read(const struct sm_root *root, const char *name, uint64_t *sum) SM_MUST;

#endif
