/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * irqname: names of interrupts.
 *
 * Names of the devices of an interrupt are from /sys/kernel/irq/IRQ/actions
 * (Documentation/ABI/testing/sysfs-kernel-irq), separated by commas.  Drivers choose their bytes, so the
 * caller sanitises them before printing.  Names of the CPU's own vectors are from
 * arch/x86/include/asm/irq_vectors.h.
 */
#ifndef SM_IRQNAME_H
#define SM_IRQNAME_H

#include "base/root.h"

/* Reads the names of an interrupt's devices, truncated to size and NUL-terminated.  -ENOENT: no such
 * interrupt, or the kernel does not show it; -ENODATA: it is without a device. */
int sm_irqname_read(const struct sm_root *root, unsigned int irq, char *name, size_t size) SM_MUST;
/* Returns the name of an x86 vector that a tracepoint of irq_vectors shows; "" for other vectors. */
const char *sm_irqname_vector(unsigned int vector);

#endif
