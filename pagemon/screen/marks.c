// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "marks.h"

void marks_fini(struct marks *m)
{
	free(m->rows);
	free(m->row);
	free(m->signs);
	free(m->until_ns);
	*m = (struct marks){0};
}

static bool is_same(const struct marks *m, const struct cells_row *rows,
	unsigned int nrows, unsigned int width, uint64_t zoom)
{
	return m->nrows == nrows && m->width == width && m->zoom == zoom &&
	       (!nrows || memcmp(m->rows, rows, nrows * sizeof(*rows)) == 0);
}

static int forget(struct marks *m, const struct cells_row *rows, unsigned int nrows,
	unsigned int width, uint64_t zoom)
{
	size_t cells = (size_t)nrows * width;

	m->nrows = 0;
	if (sm_array_reserve(&m->rows, &m->rows_cap, nrows, sizeof(*m->rows)) ||
		sm_array_reserve(&m->row, &m->row_cap, nrows, sizeof(*m->row)) ||
		sm_array_reserve(&m->signs, &m->signs_cap, cells, 1) ||
		sm_array_reserve(
			&m->until_ns, &m->until_cap, cells, sizeof(*m->until_ns)))
		return -ENOMEM;
	m->nrows = nrows;
	m->width = width;
	m->zoom = zoom;
	if (!cells)
		return 0;
	memcpy(m->rows, rows, nrows * sizeof(*rows));
	memset(m->row, 0, nrows * sizeof(*m->row));
	memset(m->signs, CELL_UNKNOWN, cells);
	memset(m->until_ns, 0, cells * sizeof(*m->until_ns));
	return 0;
}

static void mark(struct marks *m, unsigned int row, unsigned int column)
{
	m->until_ns[row * m->width + column] = m->now_ns + MARKS_NS;
	m->row[row].until_ns = m->now_ns + MARKS_NS;
	if (m->changed_row == m->nrows) {
		m->changed_row = row;
		m->changed_column = column;
	}
}

static void take_row(struct marks *m, unsigned int row, const char *now)
{
	char *before = m->signs + (size_t)row * m->width;

	if (memchr(now, CELL_UNKNOWN, m->width))
		m->unknown++;
	if (memcmp(before, now, m->width) == 0)
		return;
	for (unsigned int i = 0; i < m->width; i++)
		if (before[i] != now[i] && before[i] != CELL_UNKNOWN &&
			now[i] != CELL_UNKNOWN)
			mark(m, row, i);
	memcpy(before, now, m->width);
}

int marks_take(struct marks *m, const struct cells *c, const struct cells_row *rows,
	unsigned int nrows, unsigned int width, uint64_t zoom, uint64_t now_ns)
{
	int err = 0;

	m->now_ns = now_ns;
	m->unknown = 0;
	if (!is_same(m, rows, nrows, width, zoom))
		err = forget(m, rows, nrows, width, zoom);
	m->changed_row = m->nrows;
	for (unsigned int i = 0; i < m->nrows; i++)
		if (rows[i].first < rows[i].end)
			take_row(m, i, cells_signs(c, i));
	return err;
}
