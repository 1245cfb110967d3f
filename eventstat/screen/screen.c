// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "base/text.h"
#include "draw.h"
#include "kernel/taskname.h"
#include "keys.h"
#include "out/value.h"
#include "screen.h"
#include "timertable.h"
#include "waketable.h"

/* --- open and close ------------------------------------------------------------------
 */

static int init_pages(struct screen *s, struct sm_strpool *names)
{
	int err = rows_init(&s->arrange, s->opts);

	if (!err)
		err = rows_init(&s->arrange_causes, s->opts);
	if (!err)
		err = page_init(&s->timers, names);
	if (!err)
		err = page_init(&s->wakeups, names);
	if (!err)
		err = timertable_init(s);
	return err ? err : waketable_init(s);
}

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
	s->seed = sm_map_hash_seed();
	s->have_wakeups = wakeups;
	s->on_wakeups = wakeups && o->wakeups;
	keys_init(s);
	err = init_pages(s, names);
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
	rows_fini(&s->arrange);
	rows_fini(&s->arrange_causes);
	sm_buf_fini(&s->text);
	free(s);
}

/* --- samples -------------------------------------------------------------------------
 */

void screen_arrange(struct screen *s)
{
	int err = timertable_arrange(s);

	if (s->have_wakeups && !err)
		err = waketable_arrange(s);
	if (err)
		(void)sm_screen_say(&s->base, "out of memory");
}

static int take(struct screen *s, const struct sample *sample, const struct sample *woken)
{
	int err = copies_take(&s->timers.copies, sample->events, sample->n);

	if (err || !woken)
		return err;
	return copies_take(&s->wakeups.copies, woken->events, woken->n);
}

void screen_sample(
	struct screen *s, const struct sample *sample, const struct sample *woken)
{
	s->sample = *sample;
	if (woken)
		s->woken = *woken;
	s->samples++;
	sm_history_begin(&s->timers.history,
		values_per_second(sample->sums.all.starts, sample->dt_ns));
	sm_history_begin(&s->wakeups.history,
		values_per_second(s->woken.woken.all.sum.wakeups, sample->dt_ns));
	if (take(s, sample, woken))
		(void)sm_screen_say(&s->base, "out of memory");
	screen_arrange(s);
}

/* --- drawing -------------------------------------------------------------------------
 */

/* The history of the selected row is drawn also in samples without it. */
static void keep_selected_name(struct screen *s)
{
	unsigned int form = values_form(s->opts) | SM_TASKNAME_STRIP;
	struct page *p = state_page(s);
	ssize_t at = page_selected(p);
	struct values_text text;
	struct sm_value v;

	if (at < 0)
		return;
	v = values_name(form, s->on_wakeups ? &s->causes[at] : &s->rows[at], &text);
	sm_buf_reset(&p->selected_name);
	sm_value_put(&v, SM_TEXT_UTF8, &p->selected_name);
}

void screen_draw(struct screen *s)
{
	keep_selected_name(s);
	sm_tui_clear(&s->base.tui);
	if (!sm_screen_draw_help(&s->base))
		draw_screen(s);
	sm_tui_show(&s->base.tui);
}
