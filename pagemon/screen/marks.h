/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks: the cells of the screen that have changed within the last second.
 *
 * A cell is compared with its sign in the last frame.  If other pages are shown, all marks are removed.  A
 * cell that was unknown before is not marked.
 */
#ifndef PAGEMON_SCREEN_MARKS_H
#define PAGEMON_SCREEN_MARKS_H

#include "pages/cells.h"

#define MARKS_NS SM_NSEC_PER_SEC

struct marks {
	size_t n;                  /* cells */
	uint64_t views;            /* `views` of the cells in the last frame */
	unsigned char *signs;      /* signs of the last frame */
	uint64_t *until_ns;        /* end of the mark of each cell; 0: no mark */
	size_t signs_cap, until_cap;
	uint64_t now_ns;
	bool unknown;              /* there are unknown cells */
	size_t changed;            /* the first cell that changed in this frame; n: no cell changed */
};

void marks_fini(struct marks *m);
/* Compares n cells with the last frame and updates the marks.  -ENOMEM: nothing is shown. */
int marks_take(struct marks *m, const struct cells *c, size_t n, uint64_t now_ns) SM_MUST;

static inline bool marks_has(const struct marks *m, size_t cell)
{
	return m->until_ns[cell] > m->now_ns;
}

#endif
