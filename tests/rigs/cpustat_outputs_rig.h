/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpustat_outputs_rig: a view on outputs of its own.
 */
#ifndef CPUSTAT_OUTPUTS_RIG_H
#define CPUSTAT_OUTPUTS_RIG_H

#include "view_outputs_rig.h"

static inline int open_view(struct view *v, const struct opts *o, uint32_t pid_max,
	const char **what)
{
	int err = open_outputs(o, pid_max, what);

	view_init(v, o, &view_outputs);
	return err;
}

#endif
