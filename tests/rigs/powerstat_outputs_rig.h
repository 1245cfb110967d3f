/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * powerstat_outputs_rig: a view on outputs of its own.
 */
#ifndef POWERSTAT_OUTPUTS_RIG_H
#define POWERSTAT_OUTPUTS_RIG_H

#include "powerstat/columns.h"
#include "powerstat/view.h"
#include "outputs_rig.h"

static struct sm_outputs view_outputs;
static const struct opts *view_opts;

static inline void view_set_up(
	void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink)
{
	(void)ctx;
	columns_set_up(t, format, sink, view_opts);
}

static inline int open_view(struct view *v, const struct opts *o,
	const char **what)
{
	int err;

	view_opts = o;
	err = outputs_open(&view_outputs, &o->app, view_set_up, NULL, what);
	view_init(v, o, &view_outputs);
	return err;
}

static inline void close_view(struct view *v)
{
	view_fini(v);
	sm_outputs_close(&view_outputs);
}

#endif
