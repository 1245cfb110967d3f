// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "marks.h"

void marks_fini(struct marks *m)
{
	free(m->signs);
	free(m->until_ns);
	*m = (struct marks){0};
}

static int forget(struct marks *m, size_t n)
{
	m->n = 0;
	if (sm_array_reserve(&m->signs, &m->signs_cap, n, 1) ||
		sm_array_reserve(&m->until_ns, &m->until_cap, n, sizeof(*m->until_ns)))
		return -ENOMEM;
	m->n = n;
	if (!n)
		return 0;
	memset(m->signs, CELL_UNKNOWN, n);
	memset(m->until_ns, 0, n * sizeof(*m->until_ns));
	return 0;
}

static void compare(struct marks *m, const unsigned char *now)
{
	for (size_t i = 0; i < m->n; i++) {
		if (m->signs[i] == now[i] || m->signs[i] == CELL_UNKNOWN ||
			now[i] == CELL_UNKNOWN)
			continue;
		m->until_ns[i] = m->now_ns + MARKS_NS;
		if (m->changed == m->n)
			m->changed = i;
	}
}

int marks_take(struct marks *m, const struct cells *c, size_t n, uint64_t now_ns)
{
	const unsigned char *now = c->signs;
	int err = 0;

	m->now_ns = now_ns;
	if (m->n != n || m->views != c->views)
		err = forget(m, n);
	m->views = c->views;
	m->changed = m->n;
	m->unknown = m->n && memchr(now, CELL_UNKNOWN, m->n);
	if (m->n && memcmp(m->signs, now, m->n) != 0) {
		compare(m, now);
		memcpy(m->signs, now, m->n);
	}
	return err;
}
