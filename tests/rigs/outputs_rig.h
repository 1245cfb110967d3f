/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outputs_rig: the outputs of a tool without its loop.
 */
#ifndef OUTPUTS_RIG_H
#define OUTPUTS_RIG_H

#include "cli/app_opts.h"
#include "cli/outputs.h"

/* The first error, else 1 if something waits, else 0. */
static inline int outputs_flush(struct sm_outputs *f)
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

/* As cli/app opens them. */
static inline int outputs_open(struct sm_outputs *f, const struct sm_app_opts *o,
	void (*set_up)(void *ctx, struct sm_table *, enum sm_format, struct sm_sink *), void *ctx,
	const char **what)
{
	const struct sm_outputs_want want = {.json = o->json,
		.csv = o->csv,
		.output = o->output,
		.queue_bytes = (size_t)o->queue_bytes,
		.set_up = set_up,
		.ctx = ctx};

	return sm_outputs_open(f, &want, what);
}

#endif
