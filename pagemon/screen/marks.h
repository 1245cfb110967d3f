/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks: the cells of the screen that have changed within the last second.
 *
 * A cell is compared with its sign in the last frame.  If other rows or another zoom are shown, all marks are
 * removed.  A cell that was unknown before is not marked.
 */
#ifndef PAGEMON_SCREEN_MARKS_H
#define PAGEMON_SCREEN_MARKS_H

#include "pages/cells.h"

#define MARKS_NS SM_NSEC_PER_SEC

struct marks_row {
	uint64_t until_ns;         /* end of its last mark; 0: no mark */
};

struct marks {
	unsigned int nrows, width;
	uint64_t zoom;
	struct cells_row *rows;
	struct marks_row *row;
	char *signs;               /* signs of the last frame, nrows * width */
	uint64_t *until_ns;        /* end of the mark of each cell; 0: no mark */
	size_t rows_cap, row_cap, signs_cap, until_cap;
	uint64_t now_ns;
	unsigned int unknown;      /* number of rows with unknown cells */
	/* the first cell that changed in this frame; row == nrows: no cell changed */
	unsigned int changed_row, changed_column;
};

void marks_fini(struct marks *m);
/* Compares the cells with the last frame and updates the marks.  -ENOMEM: no cell is marked. */
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
