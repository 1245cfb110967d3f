/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forkstat_outputs_rig: a view with its own outputs.
 */
#ifndef FORKSTAT_OUTPUTS_RIG_H
#define FORKSTAT_OUTPUTS_RIG_H

#include "view_outputs_rig.h"

static inline int open_view(struct view *v, const struct opts *o, uint32_t pid_max,
	const char **what)
{
	int err = open_outputs(o, pid_max, what);

	if (!err)
		err = view_init(v, o, &view_outputs);
	else
		*v = (struct view){.outputs = &view_outputs};
	return err;
}

static inline void head_view(struct view *v)
{
	for (unsigned int i = 0; i < v->outputs->n; i++)
		sm_table_header(&v->outputs->out[i]);
}

#endif
