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
	sm_buf_fini(&c->comms);
	free(c->rows);
	free(c->exited);
}

/* Copies the names.  The buffer moves while it grows, so the pointers into it are set at
 * the end. */
static int take_comms(struct copies *c, const struct row *rows, size_t n)
{
	size_t at = 0;

	sm_buf_reset(&c->comms);
	for (size_t i = 0; i < n; i++)
		sm_buf_add(&c->comms, rows[i].comm.p, rows[i].comm.n);
	if (sm_buf_error(&c->comms))
		return -ENOMEM;
	for (size_t i = 0; i < n; at += c->rows[i++].comm.n)
		c->rows[i].comm.p = c->rows[i].comm.n ? c->comms.p + at : "";
	return 0;
}

static int take_exited(struct copies *c, const struct row *rows, size_t n)
{
	size_t lists = 0;

	for (size_t i = 0; i < n; i++)
		lists += rows[i].exited != NULL;
	if (sm_array_reserve(&c->exited, &c->exited_cap, lists, sizeof(*c->exited)))
		return -ENOMEM;
	for (size_t i = n; i-- > 0;)
		if (rows[i].exited) {
			c->exited[--lists] = *rows[i].exited;
			c->rows[i].exited = &c->exited[lists];
		}
	return 0;
}

int copies_take(struct copies *c, const struct row *rows, size_t n)
{
	release(c);
	if (sm_array_reserve(&c->rows, &c->cap, n, sizeof(*c->rows)))
		return -ENOMEM;
	if (n)
		memcpy(c->rows, rows, n * sizeof(*rows));
	if (take_comms(c, rows, n) || take_exited(c, rows, n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		c->rows[i].cmd = sm_strpool_ref(rows[i].cmd);
		c->rows[i].cgroup = sm_strpool_ref(rows[i].cgroup);
	}
	c->n = n;
	return 0;
}
