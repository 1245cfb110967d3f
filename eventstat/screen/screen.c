// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "../select.h"
#include "base/text.h"
#include "draw.h"
#include "kernel/taskname.h"
#include "keys.h"
#include "out/value.h"
#include "screen.h"
#include "table.h"

#define HISTORY_ROWS 512
#define ROWS_MAX     4096 /* shown at most; all are counted */

/* --- open and close ------------------------------------------------------------------
 */

int screen_open(struct screen **out, struct opts *o, struct sm_ids *users,
	struct sm_strpool *names, const char **why)
{
	struct screen *s = calloc(1, sizeof(*s));
	int err;

	*why = "out of memory";
	if (!s)
		return -ENOMEM;
	s->opts = o;
	s->users = users;
	s->seed = sm_map_hash_seed();
	s->keys = calloc(ROWS_MAX, sizeof(*s->keys));
	s->copies.names = names;
	keys_init(s);
	err = s->keys ? rows_init(&s->arrange, o) : -ENOMEM;
	if (!err)
		err = sm_history_init(&s->history, HISTORY_ROWS);
	if (!err)
		err = table_init(s);
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
	sm_history_fini(&s->history);
	sm_tui_table_fini(&s->table);
	rows_fini(&s->arrange);
	copies_fini(&s->copies);
	sm_buf_fini(&s->selected_name);
	sm_buf_fini(&s->text);
	free(s->keys);
	free(s);
}

/* --- samples ----------------------------------------------------------------------- */

/* A group is known by what its rows have in common. */
static uint64_t key_of(const struct screen *s, const struct event *e)
{
	uint64_t h = sm_map_hash_u64(
		(uint64_t)(uint32_t)e->tgid << 32 | (uint32_t)e->tid, s->seed + e->kind);

	h = sm_map_hash_u64(h ^ e->func, s->seed);
	if (e->flags & EVENT_GROUP)
		h ^= sm_map_hash_bytes(
			e->comm.p, e->comm.n, s->seed + (e->flags & EVENT_KTHREAD));
	return h ? h : 1;
}

void screen_arrange(struct screen *s)
{
	struct event *rows = s->copies.rows;
	size_t m = select_rows(s->opts, rows, s->copies.n);
	ssize_t n = rows_arrange(&s->arrange, &rows, m, s->sample.dt_ns);

	if (n < 0) {
		(void)sm_screen_say(&s->base, "out of memory");
		n = 0;
	}
	if (n > ROWS_MAX)
		n = ROWS_MAX;
	for (size_t i = 0; i < (size_t)n; i++) {
		double rate = values_per_second(rows[i].now.starts, s->sample.dt_ns);

		s->keys[i] = key_of(s, &rows[i]);
		if (rate > s->rate_max)
			s->rate_max = rate;
		sm_history_add(&s->history, s->keys[i], rate, s->table.list.selected);
	}
	s->rows = rows;
	s->sums.matched = s->arrange.matched;
	s->sums.shown = (size_t)n;
	s->table.matched = s->arrange.matched;
	sm_list_set(&s->table.list, s->keys, (size_t)n);
}

void screen_sample(struct screen *s, const struct sample *sample, const struct sums *sums)
{
	s->sample = *sample;
	s->sums = *sums;
	s->samples++;
	sm_history_begin(&s->history, values_per_second(sums->all.starts, sample->dt_ns));
	if (copies_take(&s->copies, sample->events, sample->n))
		(void)sm_screen_say(&s->base, "out of memory");
	screen_arrange(s);
}

/* --- drawing -------------------------------------------------------------------------
 */

/* The history of the selected row is drawn also in samples without it. */
static void keep_selected_name(struct screen *s)
{
	const struct event *e = state_selected(s);
	struct values_text text;
	struct sm_value v;

	if (!e)
		return;
	v = values_name(values_form(s->opts) | SM_TASKNAME_STRIP, e, &text);
	sm_buf_reset(&s->selected_name);
	sm_value_put(&v, SM_TEXT_UTF8, &s->selected_name);
}

void screen_draw(struct screen *s)
{
	keep_selected_name(s);
	sm_tui_clear(&s->base.tui);
	if (!sm_screen_draw_help(&s->base))
		draw_screen(s);
	sm_tui_show(&s->base.tui);
}
