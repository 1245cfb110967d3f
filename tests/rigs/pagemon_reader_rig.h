/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pagemon_reader_rig: the reader of a test that is run with each method, and the runs that a pass found.
 */
#ifndef PAGEMON_READER_RIG_H
#define PAGEMON_READER_RIG_H

#include "pagemon_known_rig.h"

static struct rig_runs runs;
static struct pass_reader reader;

/* False: this kernel does not have the method. */
static inline bool use(enum pass_method method)
{
	if (method == PASS_SCAN && !rig_can_scan())
		return false;
	reader = rig_reader(method);
	return true;
}

#endif
