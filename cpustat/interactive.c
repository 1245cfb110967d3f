// SPDX-License-Identifier: GPL-2.0-or-later
#include "interactive.h"

int interactive_open(struct run *r)
{
	const char *why = "cannot open";
	int err;

	if (!r->opts.tui)
		return 0;
	err = screen_open(&r->screen, &r->shown, &r->users, r->names, &why);
	return sm_screen_attach(err ? NULL : &r->screen->base, &r->app, why);
}

void interactive_keys(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;

	sm_screen_serve(
		r->screen ? &r->screen->base : NULL, &r->app, run_rearrange, now_ns);
}

void interactive_resized(void *ctx)
{
	struct run *r = ctx;

	view_resized(&r->view);
	if (r->screen)
		sm_screen_resized(&r->screen->base);
}
