// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/app_rows.h"
#include "columns.h"
#include "interactive.h"

int interactive_open(struct run *r)
{
	const char *why = "cannot open";
	int code, err;

	if (!r->opts.tui)
		return 0;
	err = screen_open(&r->screen, &r->shown, &r->users, r->names,
		r->wakeups.sampler != NULL, &why);
	code = sm_screen_attach(err ? NULL : &r->screen->base, &r->app, why);
	if (!err)
		r->screen->timers.tasks = r->screen->wakeups.tasks = &r->sampler.tasks;
	if (!code)
		sm_screen_draw(&r->screen->base); /* the first sample may take long */
	return code;
}

void interactive_end(struct run *r)
{
	struct screen *s = r->screen;
	const struct page *p;
	int err;

	if (!s)
		return;
	r->screen = NULL;
	p = r->opts.wakeups ? &s->wakeups : &s->timers;
	sm_screen_close(&s->base);
	err = p->samples ? view_of_screen(&r->view, &p->sample, p->rows, p->n,
				   (size_t)s->base.tui.rows)
			 : 0;
	if (err < 0)
		sm_app_fail(&r->app, "screen", err);
	screen_close(s);
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

	sm_app_rows_resized(&r->app);
	for (unsigned int i = 0; i < r->app.outputs.n; i++)
		columns_fit(&r->app.outputs.out[i]);
	if (r->screen)
		sm_screen_resized(&r->screen->base);
}
