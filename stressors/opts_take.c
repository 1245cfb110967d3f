// SPDX-License-Identifier: GPL-2.0-or-later
/* The values of options. */
#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "cli/opt_value.h"
#include "kernel/cpulist.h"
#include "foreign.h"
#include "run/cpuset.h"
#include "list.h"
#include "opts_parse.h"
#include "opts_state.h"

/* The kernel's, prctl(2). */
#define SLACK_NS (50 * UINT64_C(1000))

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
	r = opts_parse_time(arg, NULL, o->min, o->max, &v, why);
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
		return sm_opt_refuse(
			why, arg, r == -ERANGE ? "too large" : "not a whole number");
	a->has_seed = true;
	return 0;
}

int opts_take_memory(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	return opts_parse_size(arg, 1, 0, &a->max_memory, why);
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
		return sm_opt_refuse(why, arg,
			"must be other, batch, idle, fifo or rr (deadline: only "
			"--cyclic-policy)");
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
	r = opts_parse_count(arg, 1, POLICY_PRIO_STRESS_NG, &v, why);
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
	return opts_parse_instances(arg, &a->n_all, why);
}

int opts_take_seq(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	a->pick.seq = true;
	a->has_seq = arg != NULL;
	return arg ? opts_parse_instances(arg, &a->n_seq, why) : 0;
}

static void set_cpu(void *ctx, unsigned int cpu)
{
	struct plan *p = ctx;

	if (cpu < CPU_SETSIZE)
		CPU_SET(cpu, &p->cpus);
}

/* One element of a list is a word or a range of numbers. */
static int add_cpus(void *ctx, struct sm_str s, struct sm_buf *why)
{
	struct plan *p = ctx;
	struct sm_root root = SM_ROOT_INIT;
	int r;

	if (sm_cpulist_parse(s.p, s.n, set_cpu, p) > 0)
		return 0;
	r = sm_root_open(&root, NULL);
	if (r == 0)
		r = cpuset_word(&root, s.p, s.n, &p->cpus);
	sm_root_close(&root);
	if (r >= 0)
		return 0;
	sm_opt_complain(why,
		"not a list of CPUs, such as 0-3,5, nor all, even, odd or package0:", s);
	return -EINVAL;
}

int opts_take_cpus(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;
	int r;

	if (over(a, o))
		return 0;
	CPU_ZERO(&a->cfg.plan.cpus);
	r = sm_opt_each(arg, add_cpus, &a->cfg.plan, why);
	if (r)
		return r;
	if (CPU_COUNT(&a->cfg.plan.cpus) == 0)
		return sm_opt_refuse(why, arg, "no such CPU");
	a->cfg.plan.has_cpus = true;
	return 0;
}

/* --- of stress-ng ------------------------------------------------------------------- */

int opts_take_random(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	a->has_random = true;
	return opts_parse_instances(arg, &a->pick.random, why);
}

const char *const opts_io_classes[] = {"realtime", "besteffort", "idle", NULL};

int opts_take_io_class(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	if (over(a, o))
		return 0;
	for (unsigned int i = 0; opts_io_classes[i]; i++)
		if (strcmp(opts_io_classes[i], arg) == 0) {
			a->cfg.plan.inherit.io = INHERIT_IO_REALTIME + i;
			return 0;
		}
	return sm_opt_refuse(why, arg, "must be realtime, besteffort or idle");
}

int opts_take_io_level(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;
	uint64_t v;
	int r;

	if (over(a, o))
		return 0;
	r = opts_parse_count(arg, 0, INHERIT_IO_LEVELS - 1, &v, why);
	a->has_io_level = true;
	if (r == 0)
		a->cfg.plan.inherit.io_level = (unsigned int)v;
	return r;
}

/* 0 is the kernel's usual slack. */
int opts_take_slack(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;
	uint64_t *v = &a->cfg.plan.timer_slack_ns;
	int r;

	if (over(a, o))
		return 0;
	r = opts_parse_time(arg, "ns", 0, SM_NSEC_PER_SEC, v, why);
	if (r == 0 && !*v)
		*v = SLACK_NS;
	return r;
}

static void set_node(void *ctx, unsigned int node)
{
	struct inherit *h = ctx;

	if (node < INHERIT_NODES) {
		h->nodes[node / 64] |= UINT64_C(1) << node % 64;
		h->has_nodes = true;
	}
}

int opts_take_nodes(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;
	struct inherit *h = &a->cfg.plan.inherit;

	if (over(a, o))
		return 0;
	memset(h->nodes, 0, sizeof(h->nodes));
	h->has_nodes = false;
	if (sm_cpulist_parse(arg, strlen(arg), set_node, h) <= 0 || !h->has_nodes)
		return sm_opt_refuse(why, arg, "not a list of NUMA nodes, such as 0,2-3");
	return 0;
}

int opts_take_thermalstat(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	a->cfg.tz = true;
	return opts_take_time(cfg, o, arg, why);
}

int opts_take_raplstat(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	a->cfg.rapl = true;
	return opts_take_time(cfg, o, arg, why);
}

int opts_take_without_effect(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;
	bool *given = &a->given[o - a->rows->opt];

	(void)arg;
	(void)why;
	if (!*given && foreign_is_remarkable(o->name))
		sm_buf_printf(&a->notes, "option '--%s' has no effect here\n", o->name);
	*given = true;
	return 0;
}

/* --- lists of names ----------------------------------------------------------------- */

int opts_unknown(struct sm_str name, struct sm_buf *why)
{
	const struct stressor *near = list_nearest(name.p, name.n);

	if (foreign_stressor(name)) {
		foreign_lacks(name, why);
		return -EINVAL;
	}
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
	size_t i = 0;
	int err = find(s, &i, why);

	if (!err)
		a->pick.one[i].with = true;
	return err;
}

/* A stressor that does not exist does not run either. */
static int add_excluded(void *ctx, struct sm_str s, struct sm_buf *why)
{
	struct asked *a = ctx;
	const struct stressor *found = list_find(s.p, s.n);

	(void)why;
	for (size_t i = 0; found && list_all[i]; i++)
		if (list_all[i] == found)
			a->pick.one[i].excluded = true;
	if (found || foreign_stressor(s))
		return 0;
	sm_buf_str(&a->notes, "--exclude: ");
	if (a->in_file)
		sm_buf_str(&a->notes, "unknown stressor");
	else
		sm_opt_complain(&a->notes, "unknown stressor", s);
	sm_buf_chr(&a->notes, '\n');
	return 0;
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
