// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "rows/select.h"
#include "base/array.h"
#include "screen.h"

static const struct sm_copies_type row_type = {.size = sizeof(struct row),
	.pooled = {offsetof(struct row, cmd), offsetof(struct row, cgroup)},
	.names = {offsetof(struct row, comm)},
	.nnames = 1};

/* --- open and close --------------------------------------------------------------- */

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
	s->copies.type = &row_type;
	s->copies.pool = names;
	keys_init(s);
	s->base.draw = draw_screen;
	s->base.draw_details = draw_details;
	s->base.absent = "not active in this sample";
	err = table_init(s);
	if (!err)
		err = rows_init(&s->arrange, o, users, names);
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
	sm_tui_table_fini(&s->table);
	rows_fini(&s->arrange);
	sm_copies_fini(&s->copies);
	free(s->exited);
	cpus_fini(&s->cpus);
	sm_buf_fini(&s->text);
	sm_buf_fini(&s->scratch.exited);
	free(s);
}

/* --- percentages ------------------------------------------------------------------ */

double screen_scale(const struct screen *s)
{
	double cpus = s->sample.capacity_cpus;

	return s->opts->all_cpus && cpus > 0 ? 1 / cpus : 1;
}

double screen_busy_pct(const struct screen *s)
{
	const struct sample *sample = &s->sample;

	if (!sample->dt_ns || !sample->online)
		return -1;
	return 100.0 * (double)sample->busy_ns / (double)sample->dt_ns;
}

/* --- samples ---------------------------------------------------------------------- */

void screen_arrange(struct screen *s)
{
	struct row *rows = s->copies.rows;
	size_t m = select_rows(s->opts, rows, s->copies.n);
	size_t n = rows_arrange(&s->arrange, &rows, m, s->copies.n, s->sample.dt_ns);

	s->rows = rows;
	sm_tui_table_take(&s->table, n, s->arrange.matched);
}

/* Copies the rows, and the programs of exited children. */
static int take_rows(struct screen *s, const struct sample *sample)
{
	int err = sm_copies_take(&s->copies, sample->rows, sample->nrows);
	struct row *rows = s->copies.rows;
	size_t lists = 0;

	for (size_t i = 0; i < s->copies.n; i++)
		lists += rows[i].exited != NULL;
	if (!err)
		err = sm_array_reserve(
			&s->exited, &s->exited_cap, lists, sizeof(*s->exited));
	for (size_t i = 0; i < s->copies.n; i++)
		if (rows[i].exited && !err) {
			s->exited[--lists] = *rows[i].exited;
			rows[i].exited = &s->exited[lists];
		} else {
			rows[i].exited = NULL;
		}
	return err;
}

void screen_sample(struct screen *s, const struct sample *sample)
{
	double busy;

	s->sample = *sample;
	s->samples++;
	s->since_start = sample->nrows > 0 && !sample->dt_ns;
	cpus_take(&s->cpus, sample);
	busy = screen_busy_pct(s);
	if (!s->since_start)
		sm_history_begin(&s->table.values, busy > 0 ? busy : 0);
	if (take_rows(s, sample))
		(void)sm_screen_say(&s->base, "out of memory");
	screen_arrange(s);
}
