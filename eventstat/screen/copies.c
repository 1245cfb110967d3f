// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "copies.h"

static void release(struct copies *c)
{
	for (size_t i = 0; i < c->n; i++) {
		sm_strpool_put(c->names, c->rows[i].cmd);
		sm_strpool_put(c->names, c->rows[i].cgroup);
	}
	c->n = 0;
}

void copies_fini(struct copies *c)
{
	release(c);
	sm_buf_fini(&c->text);
	free(c->rows);
	free(c->cpu);
}

/* Copies all texts.  Pointers into the buffer are set at the end, because it moves as it
 * grows. */
static int take_text(struct copies *c, size_t n)
{
	const char *at;

	sm_buf_reset(&c->text);
	for (size_t i = 0; i < n; i++) {
		const struct event *e = &c->rows[i];

		sm_buf_add(&c->text, e->comm.p, e->comm.n);
		sm_buf_add(&c->text, e->process.p, e->process.n);
		sm_buf_add(&c->text, e->func_name, strlen(e->func_name) + 1);
	}
	if (sm_buf_error(&c->text))
		return -ENOMEM;
	at = c->text.p;
	for (size_t i = 0; i < n; i++) {
		struct event *e = &c->rows[i];

		e->comm.p = at;
		e->process.p = at + e->comm.n;
		e->func_name = e->process.p + e->process.n;
		at = e->func_name + strlen(e->func_name) + 1;
	}
	return 0;
}

int copies_take(struct copies *c, const struct event *rows, size_t n)
{
	release(c);
	if (sm_array_reserve(&c->rows, &c->cap, n, sizeof(*rows)))
		return -ENOMEM;
	if (n)
		memcpy(c->rows, rows, n * sizeof(*rows));
	if (take_text(c, n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		(void)sm_strpool_ref(c->rows[i].cmd);
		(void)sm_strpool_ref(c->rows[i].cgroup);
	}
	c->n = n;
	return 0;
}

int copies_take_cpus(struct copies *c, struct wake_sums *s)
{
	int err = sm_array_reserve(&c->cpu, &c->cpu_cap, s->cpus, sizeof(*c->cpu));

	if (err) {
		s->cpus = 0;
		return err;
	}
	if (s->cpus)
		memcpy(c->cpu, s->cpu, s->cpus * sizeof(*c->cpu));
	s->cpu = c->cpu;
	return 0;
}
