/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_outputs_rig: the outputs of a view of cpustat or forkstat, whose pids are as wide as pid_max.
 */
#ifndef VIEW_OUTPUTS_RIG_H
#define VIEW_OUTPUTS_RIG_H

#include "columns.h" /* the tool's */
#include "outputs_rig.h"
#include "view.h"

static struct sm_outputs view_outputs;
static const struct opts *view_opts;
static uint32_t view_pid_max;

static inline void view_set_up(
	void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink)
{
	(void)ctx;
	columns_set_up(t, format, sink, view_opts, view_pid_max);
}

static inline int open_outputs(const struct opts *o, uint32_t pid_max, const char **what)
{
	view_opts = o;
	view_pid_max = pid_max;
	return outputs_open(&view_outputs, &o->app, view_set_up, NULL, what);
}

static inline void close_view(struct view *v)
{
	view_fini(v);
	sm_outputs_close(&view_outputs);
}

#endif
