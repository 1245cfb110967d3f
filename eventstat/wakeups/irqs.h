/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * irqs: the names of interrupts (kernel/irqname.h), each read again after some seconds, because its
 * driver may change.
 */
#ifndef EVENTSTAT_IRQS_H
#define EVENTSTAT_IRQS_H

#include "base/map.h"
#include "kernel/root.h"

struct irqs {
	const struct sm_root *root;
	struct sm_map map; /* number + 1 -> struct irq */
};

int irqs_init(struct irqs *s, const struct sm_root *root) SM_MUST;
void irqs_fini(struct irqs *s);
/* "": not known.  Any bytes; they stay until irqs_fini(). */
const char *irqs_name(struct irqs *s, uint64_t irq, uint64_t now_ns);

#endif
