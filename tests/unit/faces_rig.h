/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faces_rig: what a tool's outlet does, without a loop.
 */
#ifndef FACES_RIG_H
#define FACES_RIG_H

#include "faces.h"

/* The first error, else 1 if something waits, else 0. */
static inline int faces_flush(struct sm_faces *f)
{
	int waits = 0;

	for (unsigned int i = 0; i < f->n; i++) {
		int err = sm_sink_flush(&f->sink[i]);

		if (err < 0)
			return err;
		waits |= err;
	}
	return waits;
}

#endif
