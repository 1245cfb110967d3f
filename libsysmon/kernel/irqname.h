/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * irqname: names of interrupts: of the devices of one of them, from /sys/kernel/irq/IRQ/actions
 * (Documentation/ABI/testing/sysfs-kernel-irq), separated by commas.  They are bytes that drivers
 * chose: sanitise them before they are printed; and of a CPU's own vectors
 * (arch/x86/include/asm/irq_vectors.h).
 */
#ifndef SM_IRQNAME_H
#define SM_IRQNAME_H

#include "kernel/root.h"

/* NUL-terminated; of a longer text the start.  -ENOENT: no such interrupt, or the kernel does not
 * show it; -ENODATA: it has no device. */
int sm_irqname_read(const struct sm_root *root, unsigned int irq, char *name, size_t size) SM_MUST;
/* Of an x86 vector that a tracepoint of irq_vectors shows; "" of another. */
const char *sm_irqname_vector(unsigned int vector);

#endif
