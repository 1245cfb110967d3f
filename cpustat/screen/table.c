// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "../values.h"
#include "base/text.h"
#include "format/value.h"
#include "screen.h"

/* --- columns ---------------------------------------------------------------------- */

enum place {
	CPU_PCT,
	USR_PCT,
	SYS_PCT,
	WAIT_PCT,
	PID,
	USER,
	STATE,
	CPU,
	TIME,
	HISTORY,
	TASK,
	PLACES
};

#define HISTORY_COLUMNS 140 /* width of a screen with a history */

/* The widths hold every digit of any value.  The width of Task is a minimum. */
static const struct sm_tui_place places[PLACES] = {
	[CPU_PCT] = {C_CPU_PCT, 7, SORT_CPU},
	[USR_PCT] = {C_USR_PCT, 7, SORT_USR},
	[SYS_PCT] = {C_SYS_PCT, 7, SORT_SYS},
	[WAIT_PCT] = {C_WAIT_PCT, 7, SORT_WAIT},
	[PID] = {C_PID, 7, SORT_PID},
	[USER] = {C_UID, 9, -1},
	[STATE] = {C_STATE, 1, -1},
	[CPU] = {C_CPU, 4, -1},
	[TIME] = {C_TOTAL, 8, SORT_TIME},
	[HISTORY] = {C_N, 0, -1},
	[TASK] = {C_TASK, 24, SORT_NAME},
};

/* --- rows ------------------------------------------------------------------------- */

/* Returns the name in the chosen form.  By default it has all arguments, without the
 * directory of the program if the line is longer than the column. */
static struct sm_value any_name(struct screen *s, const struct row *r)
{
	unsigned int form = view_name_form(s->opts);
	bool chosen = form & ~(unsigned int)SM_TASKNAME_STRIP;
	struct sm_value v =
		view_name_value(chosen ? form : form | SM_TASKNAME_FULL, r, &s->scratch);

	if (chosen || v.type != SM_VALUE_ARGV || v.s.n <= s->table.rest)
		return v;
	return view_name_value(SM_TASKNAME_FULL | SM_TASKNAME_STRIP, r, &s->scratch);
}

/* Returns the name of a row.  If a name of exited children is too long, its suffix is
 * shortened or, if the programs are known, the name itself. */
static struct sm_value task_name(struct screen *s, const struct row *r)
{
	struct sm_value v;

	s->scratch.text_flags = s->table.table.text_flags;
	v = any_name(s, r);

	if (r->kind != ROW_EXITED)
		return v;
	sm_buf_reset(&s->text);
	sm_value_put(&v, s->table.table.text_flags, &s->text);
	if (sm_text_width(s->text.p, s->text.len) <= s->table.rest)
		return v;
	if (r->exited)
		return view_name_value(VIEW_NAME_COMM, r, &s->scratch);
	v.suffix = " (exited)";
	return v;
}

static void fill_row(void *ctx, size_t i, struct sm_value *v)
{
	struct screen *s = ctx;
	const struct row *r = &s->rows[i];

	values_percent(r, screen_scale(s), v);
	values_task(r, v);
	v[C_TASK] = task_name(s, r);
	if (r->kind == ROW_GROUP)
		v[C_PID] = v[C_MEMBERS];
	if (r->flags & ROW_HAS_UID) {
		const char *name = sm_ids_user(s->users, r->uid);

		v[C_UID] = sm_value_text(name, strlen(name));
	}
}

/* Returns a key that an exec does not change; for a group, from its name. */
static uint64_t key(void *ctx, size_t i, double *value)
{
	const struct screen *s = ctx;
	const struct row *r = &s->rows[i];
	uint64_t seed = s->table.seed;
	uint64_t h = sm_map_hash_u64((uint64_t)r->kind << 32 | (uint32_t)r->pid, seed);

	*value = s->since_start ? -1 : percent(r, r->used_ns);
	h = sm_map_hash_u64(h ^ r->start_ticks, seed);
	if (r->kind == ROW_GROUP)
		h ^= sm_map_hash_bytes(r->comm.p, r->comm.n, seed);
	return h ? h : 1;
}

static void put_name(void *ctx, size_t i, struct sm_buf *out)
{
	struct screen *s = ctx;
	struct sm_value v = view_name_value(
		view_name_form(s->opts) | SM_TASKNAME_STRIP, &s->rows[i], &s->scratch);

	sm_value_put(&v, SM_TEXT_UTF8, out);
}

static enum sm_tui_style style(void *ctx, size_t i, unsigned int col)
{
	const struct screen *s = ctx;
	const struct row *r = &s->rows[i];

	if (col == C_CPU_PCT)
		return sm_tui_load_style(percent(r, r->used_ns));
	if (col == C_TASK && r->kind != ROW_PROCESS && r->kind != ROW_THREAD &&
		r->kind != ROW_GROUP)
		return SM_TUI_DIM;
	return SM_TUI_NORMAL;
}

/* --- the table -------------------------------------------------------------------- */

static const char *no_rows(const struct screen *s)
{
	if (s->opts->name_glob || s->opts->text || s->opts->uids.n)
		return "no task that passes the filter used the CPU";
	return s->samples ? "no task used the CPU" : "waiting for the first sample";
}

static void prepare(void *ctx, int columns)
{
	struct screen *s = ctx;
	const struct opts *o = s->opts;
	struct sm_table *t = &s->table.table;

	(void)columns;
	sm_table_show(t, WAIT_PCT, o->wait);
	/* These columns do not apply to a group. */
	sm_table_show(t, USER, !o->group);
	sm_table_show(t, STATE, !o->group);
	sm_table_show(t, CPU, !o->group);
	sm_table_set_head(t, PID, o->group ? "Tasks" : o->threads ? "TID" : "PID");
	s->table.none = no_rows(s);
}

int table_init(struct screen *s)
{
	struct sm_tui_table *w = &s->table;
	int err = sm_tui_table_init_samples(w, cpustat_columns, C_N, places, PLACES);

	sm_table_set_head(&w->table, USER, "USER");
	w->history_max = 100;
	w->history_columns = HISTORY_COLUMNS;
	w->prepare = prepare;
	w->row = fill_row;
	w->key = key;
	w->style = style;
	w->name = put_name;
	w->ctx = s;
	return err;
}

const char *table_cpu_time(struct screen *s, uint64_t ns)
{
	const struct sm_value v = {.type = SM_VALUE_CPU_TIME, .u = ns};

	sm_buf_reset(&s->text);
	sm_table_cell(&s->table.table, TIME, &v, &s->text);
	sm_buf_chr(&s->text, '\0');
	return sm_buf_error(&s->text) ? "" : s->text.p;
}
