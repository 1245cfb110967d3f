// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses values of the tool's own options for which the library has no kind. */
#include <errno.h>
#include <string.h>

#include "cli/opt_value.h"
#include "proc/cpulist.h"
#include "foreign.h"
#include "list.h"
#include "opts_parse.h"
#include "opts_state.h"

/* The policy deadline is missing: a stressor that works without a pause cannot use it. */
const char *const opts_policies[] = {"other", "batch", "idle", "fifo", "rr", NULL};
const char *const opts_io_classes[] = {"realtime", "besteffort", "idle", NULL};

int opts_take_instances(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	unsigned int n;
	int r = opts_parse_instances(arg, &n, why);

	if (r == 0)
		memcpy((char *)cfg + o->offset, &n, sizeof(n));
	return r;
}

int opts_take_seq(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	a->pick.seq = true;
	return arg ? opts_take_instances(cfg, o, arg, why) : 0;
}

int opts_take_memory(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	(void)o;
	return opts_parse_size(arg, 1, 0, &a->max_memory, why);
}

int opts_take_disk(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;
	struct amount size;
	int r = opts_parse_size(arg, 1, 0, &size, why);

	(void)o;
	if (r < 0)
		return r;
	if (size.kind != AMOUNT_NUMBER)
		return sm_opt_must_be(why, (struct sm_str){arg, strlen(arg)},
			"a number of bytes (4096, 64k, 1.5g)");
	a->cfg.plan.max_disk = size.n;
	return 0;
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

	(void)o;
	memset(h->nodes, 0, sizeof(h->nodes));
	h->has_nodes = false;
	if (sm_cpulist_parse(arg, strlen(arg), set_node, h) <= 0 || !h->has_nodes)
		return sm_opt_must_be(why, (struct sm_str){arg, strlen(arg)},
			"a list of NUMA nodes, such as 0,2-3");
	return 0;
}

int opts_take_without_effect(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	(void)arg;
	(void)why;
	if (!sm_opt_given(a->spec, o->name) && foreign_is_remarkable(o->name))
		sm_buf_printf(&a->notes, "option '--%s' has no effect here\n", o->name);
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

/* Excluding a stressor of stress-ng that does not exist here is not an error. */
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

	(void)o;
	a->pick.with = true;
	for (size_t i = 0; i < a->rows->n_stressors; i++)
		a->pick.one[i].with = false;
	return sm_opt_each(arg, add_with, a, why);
}

int opts_take_exclude(
	void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	struct asked *a = cfg;

	(void)o;
	for (size_t i = 0; i < a->rows->n_stressors; i++)
		a->pick.one[i].excluded = false;
	return sm_opt_each(arg, add_excluded, a, why);
}

static int unknown_class(struct sm_str s, struct sm_buf *why)
{
	sm_opt_complain(why, "class", s);
	sm_buf_str(why, " must be ");
	sm_opt_add_choices(why, list_classes);
	return -EINVAL;
}

/* Adds a class: "vm" selects its stressors, "vm?" lists them, "?" lists all classes. */
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

	(void)o;
	a->pick.classes = 0;
	return sm_opt_each(arg, add_class, a, why);
}
