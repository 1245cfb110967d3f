/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks: which cells of the screen have changed within the last second.
 *
 * A cell is compared with what it was at the last frame.  When other rows, or another zoom, come on the
 * screen all is forgotten; a cell that becomes known has not changed.
 */
#ifndef PAGEMON_SCREEN_MARKS_H
#define PAGEMON_SCREEN_MARKS_H

#include "pages/cells.h"

#define MARKS_NS SM_NSEC_PER_SEC

struct marks_row {
	uint64_t until_ns;         /* the last of its marks ends; 0: it has none */
};

struct marks {
	unsigned int nrows, width;
	uint64_t zoom;
	struct cells_row *rows;
	struct marks_row *row;
	char *signs;               /* of the last frame, nrows * width */
	uint64_t *until_ns;        /* of each cell; 0: no mark */
	size_t rows_cap, row_cap, signs_cap, until_cap;
	uint64_t now_ns;
	unsigned int unknown;      /* rows with cells that are not known */
	/* the first cell that changed at this frame; row == nrows: none did */
	unsigned int changed_row, changed_column;
};

void marks_fini(struct marks *m);
/* -ENOMEM: no cell is known to have changed. */
int marks_take(struct marks *m, const struct cells *c, const struct cells_row *rows, unsigned int nrows,
	unsigned int width, uint64_t zoom, uint64_t now_ns) SM_MUST;

static inline bool marks_row_has(const struct marks *m, unsigned int row)
{
	return row < m->nrows && m->row[row].until_ns > m->now_ns;
}

static inline bool marks_has(const struct marks *m, unsigned int row, unsigned int column)
{
	return m->until_ns[row * m->width + column] > m->now_ns;
}

#endif
