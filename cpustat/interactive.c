// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/err.h"
#include "interactive.h"

int interactive_open(struct run *r)
{
	const char *why = "cannot open";
	int err;

	if (!r->opts.tui)
		return 0;
	err = screen_open(&r->screen, &r->shown, &r->users, r->names, &why);
	if (!err)
		err = sm_loop_add(
			&r->app.loop, screen_key_fd(r->screen), POLLIN, NULL, NULL);
	if (err >= 0)
		return 0;
	sm_err("--tui: %s", why);
	return SM_EXIT_RUNTIME;
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
		r->screen ? screen_keys(r->screen) : SM_SCREEN_NOTHING;

	if (request == SM_SCREEN_QUIT)
		r->app.stop = true;
	else if (request == SM_SCREEN_SAMPLE)
		sample_now(r);
	else if (request == SM_SCREEN_REARRANGE)
		run_rearrange(r);
	else if (request == SM_SCREEN_REDRAW)
		screen_draw(r->screen);
	if (request == SM_SCREEN_SAMPLE || interval != r->shown.app.interval_ns)
		sm_ticker_start(&r->app.ticker, now_ns, run_step_ns(r));
}

void interactive_resized(void *ctx)
{
	struct run *r = ctx;

	view_resized(&r->view);
	if (!r->screen)
		return;
	screen_resized(r->screen);
	screen_draw(r->screen);
}
