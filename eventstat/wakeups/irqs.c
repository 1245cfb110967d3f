// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "irqs.h"
#include "proc/irqname.h"

#define FRESH_NS   (5 * SM_NSEC_PER_SEC)
#define NAME_BYTES 96

struct irq {
	uint64_t read_ns;
	char name[NAME_BYTES];
};

int irqs_init(struct irqs *s, const struct sm_root *root)
{
	*s = (struct irqs){.root = root};
	return sm_map_init(&s->map, 32);
}

void irqs_fini(struct irqs *s)
{
	struct irq *q;

	for (size_t i = 0; (q = sm_map_next(&s->map, &i)) != NULL;)
		free(q);
	sm_map_fini(&s->map);
}

static struct irq *find(struct irqs *s, uint64_t irq)
{
	struct irq *q = sm_map_get(&s->map, irq + 1);

	if (q)
		return q;
	q = calloc(1, sizeof(*q));
	if (!q || sm_map_put(&s->map, irq + 1, q) < 0) {
		free(q);
		return NULL;
	}
	return q;
}

const char *irqs_name(struct irqs *s, uint64_t irq, uint64_t now_ns)
{
	struct irq *q = find(s, irq);

	if (!q)
		return "";
	if (!q->read_ns || now_ns - q->read_ns >= FRESH_NS) {
		q->read_ns = now_ns;
		if (sm_irqname_read(s->root, (unsigned int)irq, q->name, NAME_BYTES) < 0)
			q->name[0] = '\0';
	}
	return q->name;
}
