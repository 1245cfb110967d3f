// SPDX-License-Identifier: GPL-2.0-or-later
#include "opts_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/amount.h"
#include "foreign.h"
#include "run/plan.h"
#include "list.h"

static size_t count_stressors(void)
{
	size_t n = 0;

	while (list_all[n])
		n++;
	return n;
}

static size_t count_opts(const struct stressor *s)
{
	size_t n = 0;

	while (s->opts && n < PLAN_VALUES && s->opts[n].name)
		n++;
	return n;
}

/* --- texts -------------------------------------------------------------------------- */

static void put_set(struct sm_buf *b, const char *const *choices, uint64_t set)
{
	size_t at = b->len;

	for (size_t i = 0; choices[i]; i++)
		if (set & UINT64_C(1) << i)
			sm_buf_printf(b, "%s%s", b->len > at ? "," : "", choices[i]);
	if (!set)
		sm_buf_str(b, "none");
}

void opts_rows_put_value(struct sm_buf *b, const struct stressor_opt *o, uint64_t v)
{
	if (o->kind == STRESSOR_SIZE)
		amount_put_size(b, v);
	else if (o->kind == STRESSOR_TIME)
		amount_put_time(b, v);
	else if (!o->choices)
		sm_buf_u64(b, v);
	else if (o->kind == STRESSOR_CHOICE)
		sm_buf_str(b, o->choices[v]);
	else
		put_set(b, o->choices, v);
}

static void put_range(struct sm_buf *b, const struct stressor_opt *o)
{
	opts_rows_put_value(b, o, o->min);
	if (o->max) {
		sm_buf_str(b, " to ");
		opts_rows_put_value(b, o, o->max);
	} else {
		sm_buf_str(b, " or more");
	}
}

static void put_choices(struct sm_buf *b, const struct stressor_opt *o)
{
	for (size_t i = 0; o->choices[i]; i++)
		sm_buf_printf(b, "%s%s", i ? ", " : "", o->choices[i]);
}

/* Writes "bytes of each array (1M to 4G; default 64M)".  A default outside the range
 * means that the stressor determines the value itself. */
static void put_help(struct sm_buf *b, const struct stressor_opt *o)
{
	bool choice = o->choices;
	bool range = !choice && o->max + o->min > 0;

	sm_buf_str(b, o->help);
	if (o->kind == STRESSOR_FLAG)
		return;
	sm_buf_str(b, " (");
	if (choice)
		put_choices(b, o);
	else if (range)
		put_range(b, o);
	if (!range || o->normal >= o->min) {
		sm_buf_str(b, choice || range ? "; default " : "default ");
		opts_rows_put_value(b, o, o->normal);
	}
	if (o->unit)
		sm_buf_printf(b, "; a bare number is in %s", o->unit);
	sm_buf_chr(b, ')');
}

static void put_text(
	struct sm_buf *b, struct opts_row *row, const struct stressor *s, int what)
{
	row->what = what;
	row->name = b->len;
	sm_buf_str(b, s->name);
	if (what == ROW_OPS)
		sm_buf_str(b, "-ops");
	else if (what >= 0)
		sm_buf_printf(b, "-%s", s->opts[what].name);
	sm_buf_chr(b, '\0');
	row->help = b->len;
	if (what == ROW_INSTANCES)
		sm_buf_str(b, s->does);
	else if (what == ROW_OPS)
		sm_buf_str(b, "stop after N ops of each instance (0: no limit)");
	else
		put_help(b, &s->opts[what]);
	sm_buf_chr(b, '\0');
}

/* --- rows --------------------------------------------------------------------------- */

static void fill_option(struct sm_opt *o, const struct stressor_opt *of)
{
	o->letter = of->letter;
	o->arg = of->arg;
	o->min = of->min;
	o->max = of->max;
	o->choices = of->choices;
	if (of->kind == STRESSOR_CHOICES)
		o->complete = SM_COMPLETE_LIST;
}

/* Called when the texts no longer move, because the row points to them. */
static void fill_row(const struct opts_rows *r, size_t i, opts_call *call)
{
	const struct opts_row *row = &r->row[i];
	const struct stressor *s = list_all[row->stressor];
	struct sm_opt *o = &r->opt[r->n_own + i];

	*o = (struct sm_opt){.name = r->text.p + row->name,
		.help = r->text.p + row->help,
		.kind = SM_OPT_CALL,
		.arg = "N",
		.detail = true,
		.repeats = true,
		.call_row = call};
	if (row->what == ROW_INSTANCES)
		o->letter = s->letter;
	else if (row->what >= 0)
		fill_option(o, &s->opts[row->what]);
}

static bool takes_names(const struct sm_opt *o)
{
	return !o->choices && (o->complete == SM_COMPLETE_LIST || o->kind == SM_OPT_HELP);
}

static void fill_own(const struct opts_rows *r)
{
	for (size_t i = 0; i < r->n_own; i++)
		if (takes_names(&r->opt[i]))
			r->opt[i].choices = r->names;
}

static void fill_texts(struct opts_rows *r)
{
	struct opts_row *row = r->row;

	for (size_t i = 0; i < r->n_stressors; i++) {
		int n = (int)count_opts(list_all[i]);

		r->names[i] = list_all[i]->name;
		for (int what = ROW_INSTANCES; what < n; what++, row++) {
			row->stressor = i;
			put_text(&r->text, row, list_all[i], what);
		}
	}
}

static size_t count_rows(void)
{
	size_t n = 0;

	for (size_t i = 0; list_all[i]; i++)
		n += count_opts(list_all[i]) - ROW_INSTANCES;
	return n;
}

static void free_rows(struct opts_rows *r)
{
	free(r->opt);
	free(r->row);
	free(r->names);
	sm_buf_fini(&r->text);
	*r = (struct opts_rows){0};
}

int opts_rows_make(struct opts_rows *r, const struct sm_opt *own, size_t n_own,
	opts_call *without_effect, opts_call *call)
{
	size_t n = count_rows(), n_all = n_own + foreign_count();

	*r = (struct opts_rows){
		.n = n_all + n, .n_own = n_all, .n_stressors = count_stressors()};
	r->opt = calloc(r->n, sizeof(*r->opt));
	r->row = calloc(n + 1, sizeof(*r->row));
	r->names = calloc(r->n_stressors + 1, sizeof(*r->names));
	if (r->opt && r->row && r->names)
		fill_texts(r);
	if (!r->opt || !r->row || !r->names || r->text.err) {
		free_rows(r);
		return -ENOMEM;
	}
	memcpy(r->opt, own, n_own * sizeof(*own));
	foreign_fill(r->opt + n_own, without_effect);
	fill_own(r);
	for (size_t i = 0; i < n; i++)
		fill_row(r, i, call);
	return 0;
}

const struct opts_row *opts_rows_of(const struct opts_rows *r, const struct sm_opt *o)
{
	size_t at = (size_t)(o - r->opt);

	return at < r->n_own ? NULL : &r->row[at - r->n_own];
}

const struct sm_opt *opts_rows_find(const struct opts_rows *r, size_t stressor, size_t *n)
{
	size_t first = 0;

	*n = count_opts(list_all[stressor]) - ROW_INSTANCES;
	for (size_t i = 0; i < stressor; i++)
		first += count_opts(list_all[i]) - ROW_INSTANCES;
	return &r->opt[r->n_own + first];
}
