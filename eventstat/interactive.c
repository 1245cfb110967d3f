// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/app_rows.h"
#include "cli/err.h"
#include "columns.h"
#include "interactive.h"

int interactive_open(struct run *r)
{
	const char *why = "cannot open";
	int err;

	if (!r->opts.tui)
		return 0;
	err = screen_open(&r->screen, &r->shown, &r->users, r->names,
		r->wakeups.sampler != NULL, &why);
	if (!err)
		err = sm_loop_add(
			&r->app.loop, r->screen->base.tui.key_fd, POLLIN, NULL, NULL);
	if (err < 0) {
		sm_err("--tui: %s", why);
		return SM_EXIT_RUNTIME;
	}
	screen_draw(r->screen); /* the first sample may take long */
	return 0;
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

static void sample_now(struct run *r)
{
	r->asked = true;
	run_sample(r, false);
	r->asked = false;
}

void interactive_keys(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;
	uint64_t interval = r->shown.app.interval_ns;
	enum sm_screen_request request =
		r->screen ? sm_screen_keys(&r->screen->base) : SM_SCREEN_NOTHING;

	if (request == SM_SCREEN_QUIT)
		r->app.stop = true;
	else if (request == SM_SCREEN_SAMPLE)
		sample_now(r);
	else if (request == SM_SCREEN_REARRANGE)
		run_rearrange(r);
	else if (request == SM_SCREEN_REDRAW)
		screen_draw(r->screen);
	if (request == SM_SCREEN_SAMPLE || interval != r->shown.app.interval_ns)
		sm_ticker_start(&r->app.ticker, now_ns, r->shown.app.interval_ns);
}

void interactive_resized(void *ctx)
{
	struct run *r = ctx;

	sm_app_rows_resized(&r->app);
	for (unsigned int i = 0; i < r->app.outputs.n; i++)
		columns_fit(&r->app.outputs.out[i]);
	if (!r->screen)
		return;
	sm_tui_resized(&r->screen->base.tui);
	screen_draw(r->screen);
}
