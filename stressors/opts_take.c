// SPDX-License-Identifier: GPL-2.0-or-later
/* The values of options. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/opt_value.h"
#include "kernel/cpulist.h"
#include "list.h"
#include "opts_state.h"

/* --- the last one counts ------------------------------------------------------------ */

/* The command line, which is read first, goes before the job file. */
static bool over(struct asked *a, const struct sm_opt *o)
{
	bool *given = &a->given[o - a->rows->opt];

	if (a->in_file)
		return *given;
	*given = true;
	return false;
}

static void *at(struct asked *a, const struct sm_opt *o)
{
	return (char *)a + o->offset;
}

/* --- numbers ------------------------------------------------------------------------ */

typedef void put_fn(struct sm_buf *b, uint64_t v);

static int check_range(const char *arg, uint64_t v, uint64_t min, uint64_t max,
	put_fn *put, struct sm_buf *why)
{
	if (v >= min && (!max || v <= max))
		return 0;
	sm_buf_printf(why, "'%s' must be %s", arg, max ? "from " : "at least ");
	put(why, min);
	if (max) {
		sm_buf_str(why, " to ");
		put(why, max);
	}
	return -EINVAL;
}

static int refuse(const char *arg, int err, const char *text, struct sm_buf *why)
{
	return sm_opt_refuse(why, arg, err == -ERANGE ? "too large" : text);
}

static int parse_count(
	const char *arg, uint64_t min, uint64_t max, uint64_t *v, struct sm_buf *why)
{
	int err = amount_count(arg, v);

	if (err)
		return refuse(arg, err, "not a whole number", why);
	return check_range(arg, *v, min, max, sm_buf_u64, why);
}

/* As in stress-ng, a negative number is the number of CPUs that are online. */
static int parse_instances(const char *arg, unsigned int *n, struct sm_buf *why)
{
	uint64_t v;
	int r = amount_count(arg + (*arg == '-'), &v);

	if (*arg == '-' && r == 0 && v > 0) {
		*n = PICK_ONLINE;
		return 0;
	}
	r = parse_count(arg, 0, OPTS_INSTANCES_MAX, &v, why);
	if (r == 0)
		*n = (unsigned int)v;
	return r;
}

/* unit: of a bare number; NULL: seconds. */
static int duration(const char *arg, const char *unit, uint64_t *v)
{
	char text[64];
	int n;

	if (!unit || !*arg || arg[strspn(arg, "0123456789.")])
		return sm_units_duration_ns(arg, v);
	n = snprintf(text, sizeof(text), "%s%s", arg, unit);
	return n < (int)sizeof(text) ? sm_units_duration_ns(text, v) : -ERANGE;
}

static int parse_time(const char *arg, const char *unit, uint64_t min, uint64_t max,
	uint64_t *v, struct sm_buf *why)
{
	int err = duration(arg, unit, v);

	if (err)
		return refuse(arg, err, "not a time (5, 1.5s, 200ms, 2m)", why);
	return check_range(arg, *v, min, max, amount_put_time, why);
}

static int parse_size(
	const char *arg, uint64_t min, uint64_t max, struct amount *v, struct sm_buf *why)
{
	int err = amount_size(arg, v);

	if (err == -ERANGE && strchr(arg, '%'))
		return sm_opt_refuse(why, arg, "more than 100%");
	if (err)
		return refuse(arg, err, "not a size (4096, 64k, 1.5g, 10%, L2)", why);
	if (v->kind == AMOUNT_PERCENT && !v->n)
		return sm_opt_refuse(why, arg, "nothing is no size");
	if (v->kind != AMOUNT_NUMBER)
		return 0;
	return check_range(arg, v->n, min, max, amount_put_size, why);
}

/* --- the tool's own ----------------------------------------------------------------- */

int opts_take_string(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	(void)why;
	if (!over(a, o))
		memcpy(at(a, o), &arg, sizeof(arg));
	return 0;
}

int opts_take_time(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;
	uint64_t v;
	int r;

	if (over(a, o))
		return 0;
	r = parse_time(arg, NULL, o->min, o->max, &v, why);
	if (r == 0)
		memcpy(at(a, o), &v, sizeof(v));
	return r;
}

int opts_take_seed(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;
	int r;

	if (over(a, o))
		return 0;
	r = sm_units_u64(arg, &a->cfg.plan.seed);
	if (r)
		return refuse(arg, r, "not a whole number", why);
	a->has_seed = true;
	return 0;
}

int opts_take_memory(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	return parse_size(arg, 1, 0, &a->max_memory, why);
}

int opts_take_color(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	if (strcmp(arg, "auto") != 0 && strcmp(arg, "never") != 0)
		return sm_opt_refuse(why, arg, "must be auto or never");
	a->cfg.color_never = arg[0] == 'n';
	return 0;
}

/* A stressor that works without a pause cannot have the policy deadline. */
const char *const opts_sched_choices[] = {"other", "batch", "idle", "fifo", "rr", NULL};

static bool find_policy(const char *name, enum policy *found)
{
	for (unsigned int i = 0; policy_names[i]; i++)
		if (strcmp(policy_names[i], name) == 0) {
			*found = (enum policy)i;
			return i != POLICY_DEADLINE;
		}
	return false;
}

int opts_take_sched(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	if (!find_policy(arg, &a->cfg.plan.sched))
		return sm_opt_refuse(why, arg, "must be other, batch, idle, fifo or rr");
	a->cfg.plan.has_sched = true;
	return 0;
}

int opts_take_sched_prio(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;
	uint64_t v;
	int r;

	if (over(a, o))
		return 0;
	r = parse_count(arg, 1, POLICY_PRIO_STRESS_NG, &v, why);
	if (r == 0)
		a->cfg.plan.sched_prio = (unsigned int)v;
	return r;
}

int opts_take_job(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (!a->in_file)
		return opts_take_string(cfg, o, arg, why);
	sm_buf_str(why, "a job file cannot name another");
	return -EINVAL;
}

int opts_take_all(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	a->pick.all = a->has_all = true;
	return parse_instances(arg, &a->n_all, why);
}

int opts_take_seq(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	a->pick.seq = true;
	a->has_seq = arg != NULL;
	return arg ? parse_instances(arg, &a->n_seq, why) : 0;
}

static void set_cpu(void *ctx, unsigned int cpu)
{
	struct plan *p = ctx;

	if (cpu < CPU_SETSIZE)
		CPU_SET(cpu, &p->cpus);
}

int opts_take_cpus(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;
	int r;

	if (over(a, o))
		return 0;
	CPU_ZERO(&a->cfg.plan.cpus);
	r = sm_cpulist_parse(arg, strlen(arg), set_cpu, &a->cfg.plan);
	if (r <= 0)
		return sm_opt_refuse(why, arg, "not a list of CPUs, such as 0-3,5");
	if (CPU_COUNT(&a->cfg.plan.cpus) == 0)
		return sm_opt_refuse(why, arg, "no such CPU");
	a->cfg.plan.has_cpus = true;
	return 0;
}

/* --- lists of names ----------------------------------------------------------------- */

int opts_unknown(struct sm_str name, struct sm_buf *why)
{
	const struct stressor *near = list_nearest(name.p, name.n);

	sm_opt_complain(why, "unknown stressor", name);
	if (near)
		sm_buf_printf(why, ": the nearest is %s", near->name);
	return -EINVAL;
}

static int find(struct sm_str name, size_t *place, struct sm_buf *why)
{
	const struct stressor *s = list_find(name.p, name.n);

	if (!s)
		return opts_unknown(name, why);
	for (*place = 0; list_all[*place] != s; ++*place)
		;
	return 0;
}

static int add_with(void *ctx, struct sm_str s, struct sm_buf *why)
{
	struct asked *a = ctx;
	size_t i;
	int err = find(s, &i, why);

	if (!err)
		a->pick.one[i].with = true;
	return err;
}

static int add_excluded(void *ctx, struct sm_str s, struct sm_buf *why)
{
	struct asked *a = ctx;
	size_t i;
	int err = find(s, &i, why);

	if (!err)
		a->pick.one[i].excluded = true;
	return err;
}

int opts_take_with(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	a->pick.with = true;
	for (size_t i = 0; i < a->rows->n_stressors; i++)
		a->pick.one[i].with = false;
	return sm_opt_each(arg, add_with, a, why);
}

int opts_take_exclude(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	for (size_t i = 0; i < a->rows->n_stressors; i++)
		a->pick.one[i].excluded = false;
	return sm_opt_each(arg, add_excluded, a, why);
}

static int unknown_class(struct sm_str s, struct sm_buf *why)
{
	sm_opt_complain(why, "unknown class", s);
	for (size_t i = 0; list_classes[i]; i++)
		sm_buf_printf(why, "%s%s", i ? ", " : "; there are ", list_classes[i]);
	return -EINVAL;
}

/* "vm"; "vm?" lists it, and "?" all. */
static int add_class(void *ctx, struct sm_str s, struct sm_buf *why)
{
	struct asked *a = ctx;
	struct sm_str name = s;
	bool asks = s.n && s.p[s.n - 1] == '?';

	name.n -= asks;
	for (size_t i = 0; list_classes[i]; i++) {
		bool is = strlen(list_classes[i]) == name.n &&
			  memcmp(list_classes[i], name.p, name.n) == 0;

		if (!is && (name.n || !asks))
			continue;
		if (asks)
			a->list_classes |= UINT32_C(1) << i;
		else
			a->pick.classes |= UINT32_C(1) << i;
		if (is)
			return 0;
	}
	return name.n || !asks ? unknown_class(name, why) : 0;
}

int opts_take_classes(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	a->pick.classes = 0;
	return sm_opt_each(arg, add_class, a, why);
}

/* --- the stressors' ------------------------------------------------------------------
 */

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
	int r = parse_instances(arg, &n, why);

	if (r || (a->in_file && by_command(a, i)))
		return r;
	return add_job(a, i, n);
}

/* The job that options of a stressor belong to, or all of them. */
static struct asked_one *receiver(struct asked *a, size_t stressor)
{
	size_t i = a->current[stressor];
	bool of_job = i && (!a->in_file || i > a->n_command);

	return of_job ? &a->job[i - 1] : &a->of[a->in_file][stressor];
}

static int take_choice(
	const char *const *c, const char *arg, uint64_t *v, struct sm_buf *why)
{
	for (*v = 0; c[*v]; ++*v)
		if (strcmp(c[*v], arg) == 0)
			return 0;
	sm_buf_printf(why, "'%s' must be one of ", arg);
	for (size_t i = 0; c[i]; i++)
		sm_buf_printf(why, "%s%s", i ? ", " : "", c[i]);
	return -EINVAL;
}

static int take_value(const struct stressor_opt *o, const char *arg, struct amount *v,
	struct sm_buf *why)
{
	*v = (struct amount){0};
	switch (o->kind) {
	case STRESSOR_COUNT:
		return parse_count(arg, o->min, o->max, &v->n, why);
	case STRESSOR_SIZE:
		return parse_size(arg, o->min, o->max, v, why);
	case STRESSOR_TIME:
		return parse_time(arg, o->unit, o->min, o->max, &v->n, why);
	case STRESSOR_CHOICE:
		return take_choice(o->choices, arg, &v->n, why);
	case STRESSOR_FLAG:
		break;
	}
	v->n = 1;
	return 0;
}

static int take_ops(struct asked_one *one, const char *arg, struct sm_buf *why)
{
	int r = parse_count(arg, 0, 0, &one->ops, why);

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
	return take_value(&list_all[row->stressor]->opts[row->what], arg,
		&one->value[row->what], why);
}
