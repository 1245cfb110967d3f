// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes the options of the stressors and the jobs that they begin. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opt_value.h"
#include "foreign.h"
#include "list.h"
#include "opts_parse.h"
#include "opts_state.h"

/* Begins a job. */
static int add_job(struct asked *a, size_t stressor, unsigned int instances)
{
	size_t n = a->pick.n_named;
	struct pick_named *named = reallocarray(a->named, n + 1, sizeof(*named));
	struct asked_one *job;

	if (!named)
		return -ENOMEM;
	a->pick.named = a->named = named;
	job = reallocarray(a->job, n + 1, sizeof(*job));
	if (!job)
		return -ENOMEM;
	a->job = job;
	named[n] = (struct pick_named){stressor, instances};
	job[n] = (struct asked_one){0};
	a->pick.one[stressor].named = true;
	a->current[stressor] = a->pick.n_named = n + 1;
	a->n_command = a->in_file ? a->n_command : n + 1;
	return 0;
}

static bool by_command(const struct asked *a, size_t stressor)
{
	for (size_t i = 0; i < a->n_command; i++)
		if (a->named[i].at == stressor)
			return true;
	return false;
}

static int take_instances(struct asked *a, size_t i, const char *arg, struct sm_buf *why)
{
	unsigned int n;
	int r = opts_parse_instances(arg, &n, why);

	if (r || (a->in_file && by_command(a, i)))
		return r;
	return add_job(a, i, n);
}

/* Returns the record for an option of a stressor: of its last job, or of all its jobs. */
static struct asked_one *receiver(struct asked *a, size_t stressor)
{
	size_t i = a->current[stressor];
	bool of_job = i && (!a->in_file || i > a->n_command);

	return of_job ? &a->job[i - 1] : &a->of[a->in_file][stressor];
}

static bool is_choice(const char *const *c, const char *arg, size_t n, uint64_t *v)
{
	for (*v = 0; c[*v]; ++*v)
		if (strlen(c[*v]) == n && memcmp(c[*v], arg, n) == 0)
			return true;
	return false;
}

static const struct stressor_lacks *find_lacking(
	const struct stressor_opt *o, const char *arg)
{
	struct sm_str name = {arg, strlen(arg)};

	for (const struct stressor_lacks *l = o->lacks; l && l->names; l++)
		if (foreign_is_in(l->names, name))
			return l;
	return NULL;
}

static int take_choice(struct asked *a, const struct sm_opt *row,
	const struct stressor_opt *o, const char *arg, uint64_t *v, struct sm_buf *why)
{
	const struct stressor_lacks *l;

	if (is_choice(o->choices, arg, strlen(arg), v))
		return 0;
	l = find_lacking(o, arg);
	if (!l)
		return sm_opt_must_choose(
			why, (struct sm_str){arg, strlen(arg)}, o->choices);
	if (!l->same) {
		sm_buf_printf(why,
			"'%s' of stress-ng does not exist here; the nearest is %s", arg,
			l->use);
		return -EINVAL;
	}
	(void)is_choice(o->choices, l->use, strlen(l->use), v);
	sm_buf_printf(&a->notes,
		"--%s: %s of stress-ng does not exist here; using %s, which does the "
		"same kind of work\n",
		row->name, arg, l->use);
	return 0;
}

/* The choices that a list selects. */
struct chosen {
	const struct stressor_opt *o;
	uint64_t set;
};

static int add_choice(void *ctx, struct sm_str name, struct sm_buf *why)
{
	struct chosen *c = ctx;
	uint64_t i;

	if (!is_choice(c->o->choices, name.p, name.n, &i))
		return sm_opt_must_choose(why, name, c->o->choices);
	c->set |= UINT64_C(1) << i;
	return 0;
}

static const char *first_of(const struct stressor_opt *o, uint64_t set)
{
	return o->choices[__builtin_ctzll(set)];
}

/* Rejects a set of two or more choices. */
static int check_pair(const struct stressor_opt *o, uint64_t set, struct sm_buf *why)
{
	uint64_t others = set & (set - 1);

	if (!others)
		return 0;
	sm_buf_printf(why, "%s and %s cannot be used together", first_of(o, set),
		first_of(o, others));
	return -EINVAL;
}

static int take_choices(
	const struct stressor_opt *o, const char *arg, uint64_t *set, struct sm_buf *why)
{
	struct chosen c = {.o = o};
	int r = sm_opt_each(arg, add_choice, &c, why);

	if (!r && c.set & o->alone)
		r = check_pair(o, c.set, why);
	for (const uint64_t *e = o->exclusive; !r && e && *e; e++)
		r = check_pair(o, c.set & *e, why);
	*set = c.set;
	return r;
}

/* Returns true for "-32" and "0", which stress-ng accepts and this option does not. */
static bool is_low(const struct stressor_opt *o, const char *arg)
{
	bool negative = *arg == '-';
	uint64_t v;

	return o->low && amount_count(arg + negative, &v) == 0 &&
	       (negative || v < o->min);
}

static int take_count(struct asked *a, const struct sm_opt *row,
	const struct stressor_opt *o, const char *arg, uint64_t *v, struct sm_buf *why)
{
	if (!is_low(o, arg))
		return opts_parse_count(arg, o->min, o->max, v, why);
	*v = o->normal;
	sm_buf_printf(&a->notes,
		"--%s: 0 and negative numbers have no effect here; using %" PRIu64 "\n",
		row->name, o->normal);
	return 0;
}

static int take_duration(
	const struct stressor_opt *o, const char *arg, uint64_t *v, struct sm_buf *why)
{
	int r = opts_parse_time(arg, o->unit, o->min, o->max, v, why);

	if (r == 0 && !*v)
		*v = o->zero;
	return r;
}

static int take_value(struct asked *a, const struct sm_opt *row,
	const struct stressor_opt *o, const char *arg, struct amount *v,
	struct sm_buf *why)
{
	*v = (struct amount){0};
	switch (o->kind) {
	case STRESSOR_COUNT:
		return take_count(a, row, o, arg, &v->n, why);
	case STRESSOR_SIZE:
		return opts_parse_size(arg, o->min, o->max, v, why);
	case STRESSOR_TIME:
		return take_duration(o, arg, &v->n, why);
	case STRESSOR_CHOICE:
		return take_choice(a, row, o, arg, &v->n, why);
	case STRESSOR_CHOICES:
		return take_choices(o, arg, &v->n, why);
	case STRESSOR_FLAG:
		break;
	}
	v->n = 1;
	return 0;
}

static int take_ops(struct asked_one *one, const char *arg, struct sm_buf *why)
{
	int r = opts_parse_count(arg, 0, 0, &one->ops, why);

	one->has_ops = r == 0;
	if (r == 0 && !one->ops)
		one->ops = UINT64_MAX;
	return r;
}

int opts_take_stressor(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;
	const struct opts_row *row = opts_rows_of(a->rows, o);
	struct asked_one *one;

	if (row->what == ROW_INSTANCES)
		return take_instances(a, row->stressor, arg, why);
	one = receiver(a, row->stressor);
	one->row = o;
	if (row->what == ROW_OPS)
		return take_ops(one, arg, why);
	one->has |= UINT32_C(1) << row->what;
	return take_value(a, o, &list_all[row->stressor]->opts[row->what], arg,
		&one->value[row->what], why);
}
