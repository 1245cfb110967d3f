// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "screen.h"

int screen_open(struct screen **out, struct opts *o, struct sm_ids *users,
	struct sm_strpool *names, bool wakeups, const char **why)
{
	struct screen *s = calloc(1, sizeof(*s));
	int err;

	*why = "out of memory";
	if (!s)
		return -ENOMEM;
	s->opts = o;
	s->users = users;
	s->have_wakeups = wakeups;
	s->on_wakeups = wakeups && o->wakeups;
	keys_init(s);
	s->base.draw = draw_screen;
	s->base.draw_details = draw_details;
	s->base.absent = "not in this sample";
	err = page_init(&s->timers, EVENT_TIMER, o, names);
	if (!err)
		err = page_init(&s->wakeups, EVENT_WAKEUP, o, names);
	if (!err)
		err = sm_screen_open(&s->base, o->app.color, why);
	if (err) {
		screen_close(s);
		return err;
	}
	*out = s;
	return 0;
}

void screen_close(struct screen *s)
{
	if (!s)
		return;
	sm_screen_close(&s->base);
	page_fini(&s->timers);
	page_fini(&s->wakeups);
	sm_buf_fini(&s->text);
	free(s);
}

void screen_arrange(struct screen *s)
{
	int err = page_arrange(&s->timers);

	if (s->have_wakeups && !err)
		err = page_arrange(&s->wakeups);
	if (err)
		(void)sm_screen_say(&s->base, "out of memory");
}

void screen_sample(
	struct screen *s, const struct sample *timers, const struct sample *wakeups)
{
	int err = page_take(&s->timers, timers);

	if (wakeups && !err)
		err = page_take(&s->wakeups, wakeups);
	if (err)
		(void)sm_screen_say(&s->base, "out of memory");
	screen_arrange(s);
}
