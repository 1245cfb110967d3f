// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "proc/cpuwatch.h"

int sm_cpuwatch_open(struct sm_cpuwatch *w, const struct sm_root *root)
{
	int n;

	*w = (struct sm_cpuwatch)SM_CPUWATCH_INIT;
	n = sm_cpulist_open(&w->list, root);
	if (!n)
		n = sm_cpulist_read(&w->list);
	if (n <= 0)
		return n ? n : -EBADMSG;
	w->open = calloc(w->list.n, sizeof(*w->open));
	if (!w->open)
		return -ENOMEM;
	w->cpus = w->list.n;
	memcpy(w->open, w->list.online, w->cpus * sizeof(*w->open));
	return n;
}

static void take(struct sm_cpuwatch *w, unsigned int cpu)
{
	bool known = cpu < w->cpus;

	if (known && !w->list.online[cpu])
		w->open[cpu] = false;
	if (!w->list.online[cpu] || (known && w->open[cpu]) || w->missed[cpu])
		return;
	w->missed[cpu] = true;
	w->n++;
}

int sm_cpuwatch_look(struct sm_cpuwatch *w)
{
	int err = sm_cpulist_read(&w->list);

	if (err < 0)
		return err;
	err = sm_array_reserve(&w->missed, &w->cap, w->list.n, sizeof(*w->missed));
	if (err)
		return err;
	while (w->seen < w->list.n)
		w->missed[w->seen++] = false;
	for (unsigned int cpu = 0; cpu < w->list.n; cpu++)
		take(w, cpu);
	return 0;
}

void sm_cpuwatch_put(const struct sm_cpuwatch *w, struct sm_buf *text)
{
	const char *before = "";

	for (size_t cpu = 0; cpu < w->seen; cpu++) {
		if (!w->missed[cpu])
			continue;
		sm_buf_printf(text, "%s%zu", before, cpu);
		before = ",";
	}
}

void sm_cpuwatch_close(struct sm_cpuwatch *w)
{
	sm_cpulist_close(&w->list);
	free(w->open);
	free(w->missed);
	*w = (struct sm_cpuwatch)SM_CPUWATCH_INIT;
}
