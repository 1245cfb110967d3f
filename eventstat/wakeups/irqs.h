/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * irqs: the names of interrupts (proc/irqname.h), which are read again after some seconds, because the
 * driver may change.
 */
#ifndef EVENTSTAT_IRQS_H
#define EVENTSTAT_IRQS_H

#include "base/map.h"
#include "base/root.h"

struct irqs {
	const struct sm_root *root;
	struct sm_map map; /* interrupt number + 1 -> struct irq */
};

int irqs_init(struct irqs *s, const struct sm_root *root) SM_MUST;
void irqs_fini(struct irqs *s);
/* Returns the name, any bytes, valid until irqs_fini(); "": unknown. */
const char *irqs_name(struct irqs *s, uint64_t irq, uint64_t now_ns);

#endif
